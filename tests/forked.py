"""Calls in processes of their own, each forked from one that is warm: what a program changes there goes with it."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

SERVE = """
import importlib, json, os, sys
import engine
from engine.program import imports
engine.run(code="import torch")
imports.preload()
function = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])
for line in sys.stdin:
    if not os.fork():
        print(json.dumps(function(json.loads(line))), flush=True)
        os._exit(0)
    if os.wait()[1]:
        print("null", flush=True)
"""


@cache
def _server(module: str, name: str) -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVE, module, name],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.kill)
    return started


def called(module: str, name: str, given: Any) -> Any:
    """What the function `name` of `module` gives; None where its process has died."""
    server = _server(module, name)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(given) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def document(code: str) -> dict[str, Any]:
    """The document of a program, made in this process."""
    from engine import running

    return running.run(code=code, seed=0).document


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
