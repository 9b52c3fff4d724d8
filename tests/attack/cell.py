"""Native code in a locked worker: hundreds of system calls and tricks, each with what it must be answered.

Also with Landlock as its first version was, and with none: the filter alone must hold.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import os
import platform
import random
import signal
from typing import Any

from app.workers.environment import KEPT, ONE_THREAD, SAME_HASHES
from app.workers.kernel import ARCHITECTURES
from app.workers.pool import ATTEMPTS, Pool, PoolLimits, WorkerCrashed
from tests.attack.native.jobs import CLOAK
from tests.attack.native.rows import KILLED, Row, rows
from tests.attack.report import Result, timed
from tests.loops import completed

VARIANTS = {
    "cell": ("native code in a worker is answered as the table says, and finds nothing", "full"),
    "cell, Landlock 1": ("the same with Landlock's newer scopes left out", "early"),
    "cell, no Landlock": ("the same behind the filter alone", "bare"),
}
PLAIN = frozenset({*KEPT, *ONE_THREAD, *SAME_HASHES, "PYTHONPATH", "LC_CTYPE"})
SECRET = "BACKLIGHT_CANARY"
LIMITS = PoolLimits(
    workers=2,
    queue_seconds=20,
    wall_seconds=20,
    cpu_seconds=20,
    memory=1 << 30,
    isolation="auto",
    cores=2,
    reply=1 << 20,
)
REFUSALS = ["-1", "refused"]


class Watched(Pool):
    """A pool that keeps how its processes ended."""

    def __init__(self, jobs: str) -> None:
        super().__init__(jobs, LIMITS)
        self.ends: list[int | None] = []

    def exited(self, worker: Any) -> None:
        self.ends.append(worker.exit.result().status)
        super().exited(worker)

    async def ask(self, **fields: Any) -> Any:
        """What a worker answers; KILLED when the kernel killed it for what it asked."""
        self.ends.clear()
        try:
            reply = await self.run("ops", fields, {})
        except WorkerCrashed:
            return KILLED if self.ends.count(-signal.SIGSYS) == ATTEMPTS else f"status {self.ends}"
        return json.loads(gzip.decompress(reply.parts["body"]))


def attack(size: float) -> list[Result]:
    """Every call where `size` is 1, a share of them below."""
    if platform.machine() not in ARCHITECTURES:
        return []
    logging.getLogger("backlight.workers").setLevel(logging.CRITICAL)
    found = []
    canary = os.urandom(12).hex()
    os.environ[SECRET] = canary
    try:
        for name, (promise, module) in VARIANTS.items():
            result = Result(name, promise)
            with timed(result):
                completed(besiege(result, f"tests.attack.native.{module}", size, canary))
            found.append(result)
    finally:
        del os.environ[SECRET]
        logging.getLogger("backlight.workers").setLevel(logging.NOTSET)
    return found


async def besiege(result: Result, module: str, size: float, canary: str) -> None:
    """All rows and tricks against the workers of one pool, which must live on."""
    pool = Watched(module)
    await pool.start()
    try:
        server = pool.hello, pool.pids[0]
        result.figures["locks"] = " ".join(pool.hello["locks"])
        chosen = list(rows())
        if size < 1:
            chosen = random.Random(1).sample(chosen, max(20, round(len(chosen) * size)))
        gentle = [row for row in chosen if row.answer != KILLED]
        for group in batches(gentle, 40):
            await try_all(result, pool, group)
        for row in chosen:
            if row.answer == KILLED:
                told = await pool.ask(calls=[(row.number, row.arguments)])
                result.expect(told == KILLED, f"{row.name}: {told}")
        await tricks(result, pool, canary)
        result.expect(await pool.ask(calls=[]) == [], "no worker answers any more")
        result.expect((pool.hello, pool.pids[0]) == server, "the fork server is another")
    finally:
        await pool.close()


def batches(all_rows: list[Row], size: int) -> list[list[Row]]:
    return [all_rows[start : start + size] for start in range(0, len(all_rows), size)]


async def try_all(result: Result, pool: Watched, group: list[Row]) -> None:
    """Many calls in one process; alone, where one of them ends it."""
    told = await pool.ask(calls=[(row.number, row.arguments) for row in group])
    if isinstance(told, str) and len(group) > 1:
        for row in group:
            await try_all(result, pool, [row])
        return
    for row, answer in zip(group, [told] if isinstance(told, str) else told, strict=True):
        result.expect(answer == row.answer, f"{row.name}: {answer}, not {row.answer}")


async def tricks(result: Result, pool: Watched, canary: str) -> None:
    """Ways round the rows; a neighbour holds the canary too."""
    cloaked = [byte ^ CLOAK for byte in canary.encode()]
    neighbour = asyncio.create_task(pool.ask(calls=[(39, [])] * 3, text=canary))
    for name, expected in {"open_files": [3], "seen": 0}.items():
        told = await pool.ask(trick=name, cloaked=cloaked)
        result.expect(told == expected, f"{name}: {told}")
    for name in ("written_elsewhere", "executed", "rewritten", "python", "asynchronous"):
        for target in {os.getpid(), os.getppid(), *pool.pids}:
            told = await pool.ask(trick=name, pid=target)
            result.expect(isinstance(told, list) and set(told) <= set(REFUSALS), f"{name}: {told}")
    told = await pool.ask(trick="variables")
    result.expect(set(told) <= PLAIN, f"variables: {told}")
    result.expect(isinstance(await neighbour, list), "a neighbour did not end well")
