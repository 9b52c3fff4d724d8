"""Jobs that stand in for the engine, so that tests of the service can make a worker misbehave on demand.

The first word of the program says what to do.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from app.workers.encoding import compress, encode, pack, unpack
from app.workers.wire import Frame

LIBRARIES = ("numpy",)


def describe() -> dict[str, Any]:
    attack("compute")  # imports what it needs
    limits = {"fuel": {"value": 1, "unit": "steps", "help": "…"}}
    return {"engine": "fake", "source": "fake", "numpy": np.__version__, "limits": limits}


def prepare() -> None:
    """Nothing: a job finds the process as it is."""


def leave() -> None:
    """Nothing was prepared."""


def warm(last: bool = False) -> None:
    handle("run", {"id": "", "seed": 0}, {"request": b"{}"})


def handle(kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], *answer: Any) -> Frame:
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
            ctypes.string_at(0)
        case "memory":
            np.ones(1 << 40)
        case "system":
            raise SystemError("a bug in Python")
        case "deep":
            return run(fields, request)
        case "burn":
            end = time.process_time() + float(argument)
            while time.process_time() < end:
                pass
        case "raise":
            raise RuntimeError("a bug in the engine")
        case "write":
            with open("/tmp/backlight-test-file", "w") as file:
                file.write("x" * 4096)
        case "attack":
            return answer(document(fields, outcome=attack(argument)))
        case "large":
            return Frame({"problem": "result-too-large", "detail": "too large", "limit": 1})
        case "flood":
            return Frame({"status": "ok"}, {"document": bytes(64 << 20)})
    padding = "x" * int(argument or 0) if word == "pad" else noise(argument) if word == "noise" else ""
    numbers = [float("nan"), float("inf")]
    facts = document(fields, padding, pid=os.getpid(), seed=fields["seed"], request=request, nan=numbers)
    value = pack(np.arange(6, dtype=np.float32).reshape(2, 3), "float32")
    return answer(facts, **{"value:v0": value})


def document(fields: Mapping[str, Any], stdout: str = "", **facts: Any) -> dict[str, Any]:
    """A run document of which little more is true than what it is made of; the facts are in its `globals`."""
    lists = ("warnings", "modules", "tensors", "nodes", "ops", "scopes", "events")
    return {
        "id": fields["id"],
        "version": 1,
        "engine": "fake",
        "status": "ok",
        "source": {"kind": "code", "code": ""},
        "stdout": stdout,
        "error": None,
        "globals": facts,
        **{name: [] for name in lists},
        "values": {},
        "limits": {"fuel_used": 0, "ops": 0},
        "numpy": np.__version__,
    }


def answer(content: Mapping[str, Any], **values: bytes) -> Frame:
    """A reply with this document."""
    return Frame({"status": "ok"}, {"document": compress(encode(content)), **values})


def noise(argument: str) -> str:
    """Text that does not compress to less than half: "size seed"."""
    size, seed = map(int, argument.split())
    return np.random.default_rng(seed).bytes(size // 2).hex()


def attack(name: str) -> str:
    """Try to do something a worker must not be able to do."""
    attempts: dict[str, Callable[[], Any]] = {
        "read a file": lambda: open("/etc/hostname").read(),
        "write a file": lambda: os.write(os.open("/tmp/backlight-attack", os.O_CREAT | os.O_WRONLY), b"x"),
        "list a folder": lambda: os.listdir("/"),
        "delete a file": lambda: os.unlink("/tmp/backlight-attack"),
        "read the environment": lambda: open("/proc/self/environ").read(),
        "open a socket": lambda: socket.socket().connect(("127.0.0.1", 80)),
        "send a datagram": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)),
        "fork": os.fork,
        "execute": lambda: os.execv("/bin/true", ["true"]),
        "kill the parent": lambda: os.kill(os.getppid(), signal.SIGKILL),
        "change limits of the parent": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
        "raise its own memory limit": lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40)),
        "start a thread": lambda: threading.Thread(target=print).start(),
        "compute": lambda: float(np.linalg.det(np.random.default_rng(0).normal(size=(64, 64)) @ np.ones((64, 64)))),
    }
    if name == "import late":
        return import_late()
    try:
        attempts[name]()
    except (OSError, RuntimeError, ValueError) as error:
        return type(error).__name__
    return "done"


LATE = """
abc ast bisect calendar cmath colorsys compileall configparser csv ctypes.util datetime dbm decimal difflib
dis email.mime.text encodings.cp1252 encodings.idna filecmp fractions ftplib getopt gettext glob hashlib
html.parser http.cookiejar http.server imaplib importlib.metadata inspect ipaddress logging.config lzma
mailbox mimetypes multiprocessing.pool netrc nntplib optparse pdb pickletools plistlib poplib pprint profile
pstats pyclbr pydoc queue quopri sched shelve shlex smtplib sqlite3 statistics symtable tabnanny tarfile
telnetlib timeit tokenize trace tracemalloc unittest.mock urllib.robotparser uuid wave wsgiref.simple_server
xml.dom.minidom xml.sax xmlrpc.client zipapp zipfile zoneinfo numpy.polynomial.chebyshev numpy.ma.extras
numpy.rec numpy.fft _elementtree _decimal array audioop
""".split()


def import_late() -> str:
    """Import what nothing has imported, as far as this Python has it, and compute with some of it."""
    known = sys.stdlib_module_names | {"numpy"}
    new = [name for name in LATE if name.partition(".")[0] in known and name not in sys.modules]
    failed = {}
    for name in new:
        try:
            importlib.import_module(name)
        except Exception as error:
            failed[name] = repr(error)
    try:
        importlib.import_module("no_such_module")
    except ImportError as error:
        missing = type(error).__name__
    total = float(importlib.import_module("numpy.polynomial.chebyshev").chebval(1.0, [1, 2, 3]))
    return json.dumps({"imported": new, "failed": failed, "numpy": total, "missing": missing})


def body(content: Any) -> Frame:
    return Frame({}, {"body": compress(encode(content))})
