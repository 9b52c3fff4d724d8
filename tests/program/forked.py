"""Documents of programs that Python itself runs, each in a process forked from one that is warm."""

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
import json, os, sys
import engine
from engine import running
from engine.program import imports
engine.run(code="import torch")
imports.preload()
for line in sys.stdin:
    if not os.fork():
        print(json.dumps(running.run(code=json.loads(line), seed=0, cpython=True).document), flush=True)
        os._exit(0)
    if os.wait()[1]:
        print("null", flush=True)
"""


@cache
def _server() -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SERVE],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.kill)
    return started


@cache
def ran(code: str) -> dict[str, Any]:
    """The document of a program."""
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(code) + "\n")
    server.stdin.flush()
    document: dict[str, Any] = json.loads(server.stdout.readline())
    return document


def printed(code: str) -> list[str]:
    """The lines that a program prints, which ends well."""
    document = ran(code)
    assert document["error"] is None, document["error"]
    return str(document["stdout"]).splitlines()


def notices(code: str) -> list[str]:
    """What the service said to a program."""
    return [each["message"] for each in ran(code)["warnings"] if each["category"] == "BacklightNotice"]
