"""Jobs that stand in for the engine, so that tests of the service can make a worker misbehave on demand.

The first word of the program says what to do.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.workers.encoding import compress, encode, pack, unpack
from app.workers.wire import Frame


def describe() -> dict[str, Any]:
    return {"engine": "fake", "numpy": np.__version__, "limits": {"fuel": {"value": 1, "unit": "steps", "help": "…"}}}


def handle(kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    match kind:
        case "run":
            return run(fields, json.loads(parts["request"]))
        case "format":
            array, dtype = unpack(parts["value"])
            return body({"shape": array.shape, "dtype": dtype, "data": array})
        case "value" if fields["name"] == "v1":
            return body({"shape": [1], "dtype": "float32", "data": [1.5]})
        case "value":
            return Frame({"problem": "unknown-value", "detail": "no such value"})
        case "ops":
            return body({"ops": [{"name": "mul"}]})
    return Frame({}, {"body": compress(b"graph")})


def run(fields: Mapping[str, Any], request: Mapping[str, Any]) -> Frame:
    program = request.get("code") or ""
    word, _, argument = program.partition(" ")
    match word:
        case "loop":
            while True:
                pass
        case "sleep":
            time.sleep(float(argument.split()[0]))
        case "spawn":  # a grandchild that must not outlive the job
            subprocess.Popen(["sleep", "600"])
            time.sleep(600)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "memory":
            np.ones(1 << 40)
        case "raise":
            raise RuntimeError("a bug in the engine")
        case "write":
            with open("/tmp/backlight-test-file", "w") as file:
                file.write("x" * 4096)
        case "large":
            return Frame({"problem": "result-too-large", "detail": "too large", "limit": 1})
        case "flood":
            return Frame({}, {"document": bytes(64 << 20)})
    document = {
        "id": fields["id"],
        "status": "ok",
        "pid": os.getpid(),
        "seed": fields["seed"],
        "request": request,
        "nan": [float("nan"), float("inf")],
        "padding": "x" * int(argument or 0) if word == "pad" else "",
    }
    value = pack(np.arange(6, dtype=np.float32).reshape(2, 3), "float32")
    return Frame({"status": "ok"}, {"document": compress(encode(document)), "value:v0": value})


def body(content: Any) -> Frame:
    return Frame({}, {"body": compress(encode(content))})
