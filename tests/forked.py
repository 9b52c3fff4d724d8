"""Calls in processes of their own, each forked from one that is warm: what a program changes there goes with it.

None waits for ever: a call that does not end is killed, and named. Nothing outlives the tests.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import linecache
import os
import signal
import socket
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

START_SECONDS = 300.0
CALL_SECONDS = 200.0
SERVE = """
import importlib, json, os, sys, traceback
from engine.hashes import leave_addresses
leave_addresses()
from app.workers import jobs
from app.workers.lockdown import die_with_parent

die_with_parent(int(sys.argv[1]))
jobs.describe()
if sys.argv[2:]:
    jobs.load_libraries()
print("ready", flush=True)
server = os.getpid()
for line in sys.stdin:
    module, name, given = json.loads(line)
    function = getattr(importlib.import_module(module), name)
    receiving, sending = os.pipe()
    if not (child := os.fork()):
        try:
            die_with_parent(server)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            with open(sending, "w") as pipe:
                json.dump(function(given), pipe)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(sending)
    with open(receiving) as pipe:
        answer = pipe.read()
    died = os.waitpid(child, 0)[1]
    print("null" if died or not answer else answer, flush=True)
"""


class Server:
    """A process that is warm, and what it answers."""

    def __init__(self, *options: str) -> None:
        self.channel, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", SERVE, str(os.getpid()), *options],
                cwd=Path(__file__).parents[1],
                env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
                stdin=theirs,
                stdout=theirs,
                start_new_session=True,
            )
        self.lines = self.channel.makefile(encoding="utf-8")
        atexit.register(self.end)

    def line(self, seconds: float) -> str:
        """The next line that it writes. Raises TimeoutError."""
        self.channel.settimeout(seconds)
        line = self.lines.readline()
        assert line, "the process that calls are forked from has ended"
        return line

    def end(self) -> None:
        """Kill it, and what it has forked."""
        atexit.unregister(self.end)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        self.lines.close()
        self.channel.close()


_servers: dict[tuple[str, ...], Server] = {}


def called(module: str, name: str, given: Any, *, libraries: bool = True) -> Any:
    """What the function `name` of `module` gives, with or without libraries loaded; None where its process has died."""
    options = ("libraries",) if libraries else ()
    server = _servers.pop(options, None)
    try:
        if server is None:
            server = Server(*options)
            server.line(START_SECONDS)
        server.channel.sendall(json.dumps([module, name, given]).encode() + b"\n")
        answer = json.loads(server.line(CALL_SECONDS))
    except BaseException as error:  # the test's own end, too: what is answered later is not what the next call asks for
        if server is not None:
            server.end()
        if isinstance(error, TimeoutError):
            raise AssertionError(f"{module}.{name} has not ended in time, of {str(given)[:2000]}") from None
        raise
    _servers[options] = server
    return answer


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
