"""Calls in processes of their own, each forked from one that is warm: what a program changes there goes with it."""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import linecache
import os
import subprocess
import sys
import tempfile
import types
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import engine
import engine.torch

SERVE = """
import importlib, json, os, sys
from app.workers import jobs
jobs.describe()
if sys.argv[1:]:
    jobs.load_libraries()
for line in sys.stdin:
    module, name, given = json.loads(line)
    function = getattr(importlib.import_module(module), name)
    if not os.fork():
        print(json.dumps(function(given)), flush=True)
        os._exit(0)
    if os.wait()[1]:
        print("null", flush=True)
"""


@cache
def _server(*options: str) -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVE, *options],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.kill)
    return started


def called(module: str, name: str, given: Any, *, libraries: bool = True) -> Any:
    """What the function `name` of `module` gives, with or without libraries loaded; None where its process has died."""
    server = _server("libraries") if libraries else _server()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps([module, name, given]) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def executed(code: str) -> tuple[str, str | None]:
    """What a program prints in ordinary Python where `engine.torch` stands in for torch, and the error that ends it."""
    sys.modules.update(engine.torch.stand_in())
    sys.modules["__main__"] = module = types.ModuleType("__main__")
    sys.setswitchinterval(60)  # the engine is of one thread at a time
    warnings.simplefilter("ignore")
    linecache.cache[__file__] = (0, None, [], __file__)  # tracebacks have no lines of ours
    printed, error = io.StringIO(), None
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        try:
            exec(compile(code, "<program>", "exec", dont_inherit=True), module.__dict__)
        except Exception as raised:
            error = type(raised).__name__
    return printed.getvalue(), error


def in_ordinary_python(code: str) -> tuple[str, str | None]:
    """The same in a process of its own."""
    printed, error = called("tests.forked", "executed", code, libraries=False)
    return printed, error


def document(code: str) -> dict[str, Any]:
    """The document of a program, made in this process."""
    return engine.run(code=code, seed=0).document


@cache
def ran(code: str) -> dict[str, Any]:
    """The document of a program."""
    made: dict[str, Any] = called("tests.forked", "document", code)
    return made


def printed(code: str) -> list[str]:
    """The lines that a program prints, which ends well."""
    document = ran(code)
    assert document["error"] is None, document["error"]
    return str(document["stdout"]).splitlines()


def notices(code: str) -> list[str]:
    """What the service said to a program."""
    return [each["message"] for each in ran(code)["warnings"] if each["category"] == "BacklightNotice"]
