"""Runs programs, each in a process forked from this one, and says what their documents are:
`python -m tests.attack.replay PLAN`.

The plan is a file of JSON: `programs` ([name, code] each), `order` in which to run them, `litter` (a seed: how to mess
up the memory before and in between), `keep` (names of those whose documents are wanted whole). Prints one JSON object:
`digests` and `documents` by name.
"""

from __future__ import annotations

from engine.hashes import leave_addresses

leave_addresses()  # as a fork server does, before numpy is there

import gc
import hashlib
import json
import os
import random
import select
import signal
import sys
import zlib
from typing import Any

import numpy as np

import engine
from app.workers import jobs
from app.workers.encoding import encode, narrowed
from engine.program import imports

SECONDS = 120
"""For one program, which has seconds of processor time."""


def litter(rng: random.Random) -> list[Any]:
    """Fill blocks of many sizes with all kinds of numbers and let most go: what is allocated next finds them."""
    kept = []
    for _ in range(200):
        size = rng.choice((1, 2, 3, 5, 8, 13, 40, 100, 900, 5000, 70_000))
        block = np.full(size, rng.choice((np.nan, np.inf, -1e30, 7.25, 1e-310)), rng.choice((np.float32, np.float64)))
        if rng.random() < 0.3:
            kept.append((block, [object() for _ in range(rng.randrange(7))], bytearray(rng.randrange(200))))
    return kept


def answer(code: str) -> bytes:
    """The document of a program and its large values, as bytes."""
    run = engine.run(code=code, seed=zlib.crc32(code.encode()))
    values = b"".join(name.encode() + narrowed(array).tobytes() for name, array in sorted(run.values.items()))
    return encode(run.document) + values


def below(frames: int, code: str) -> bytes:
    """The same, asked for from so many calls down."""
    return below(frames - 1, code) if frames else answer(code)


def forked(frames: int, code: str) -> bytes:
    """The same from a process of its own, as the service has one for each program: what it changes goes with it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(below(frames, code))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    if not select.select([reading], [], [], SECONDS)[0]:
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        body = pipe.read()
    status = os.waitpid(child, 0)[1]
    return body if not status else b"ended with status %d" % status


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    programs = dict(plan["programs"])
    rng = random.Random(plan["litter"])
    kept: Any = None
    imports.preload()
    jobs.warm()
    gc.freeze()  # or each child would copy what its collector looks through
    digests, documents = {}, {}
    for name in plan["order"]:
        if plan["litter"]:
            kept = litter(rng)
        body = forked(rng.randrange(300) if plan["litter"] else 0, programs[name])
        digests[name] = hashlib.sha256(body).hexdigest()
        if name in plan["keep"]:
            documents[name] = body.decode("utf-8", "replace")
    del kept
    json.dump({"digests": digests, "documents": documents}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
