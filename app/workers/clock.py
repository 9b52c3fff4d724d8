"""The clock of a job. It stops what sleeps and what computes beyond its limit, and nothing that only waits for a core.

What a program gets must not depend on its neighbours: on a busy machine a job may take minutes.
"""

from __future__ import annotations

import asyncio
import logging

from app.workers.server import Look, Worker

log = logging.getLogger("backlight.workers")

LOOK_SECONDS = 1.0
LEAST_SECONDS = 0.05
SILENT_SECONDS = 3.0
"""How long a fork server may take to answer; it takes milliseconds."""


async def run_out(worker: Worker, sleep_seconds: float, cpu_seconds: float, deadline: asyncio.Timeout) -> None:
    """Bring `deadline` forward when a job that is handed over now has slept for `sleep_seconds`, or has computed for
    `cpu_seconds`.

    Time counts in looks, as long as these were meant to be apart: a machine that stands still adds one at most.
    """
    loop = asyncio.get_running_loop()
    slept = used = waited = 0.0
    while slept < sleep_seconds:
        pause = min(LOOK_SECONDS, max(LEAST_SECONDS, sleep_seconds - slept))
        await asyncio.sleep(pause)
        look = await answered(worker)
        started = worker.started or 0.0
        used = max(used, started)
        if isinstance(look.waited, bool):
            busy = pause if look.waited else look.cpu_seconds - used
        else:
            busy = look.cpu_seconds - used + look.waited - waited
            waited = look.waited
        used = look.cpu_seconds
        slept += max(0.0, pause - busy)
        if used - started > cpu_seconds:
            break
    deadline.reschedule(loop.time())


async def answered(worker: Worker) -> Look:
    """A look at a worker. A fork server that does not give one is ended, and the worker with it."""
    asking = asyncio.ensure_future(worker.look())
    try:
        for _ in range(round(SILENT_SECONDS / LOOK_SECONDS)):  # one of which may have passed while all stood still
            done, _ = await asyncio.wait({asking}, timeout=LOOK_SECONDS)
            if done:
                return asking.result()
        log.error("the fork server %d does not answer and is ended", worker.server.pid)
        worker.server.end()
        return await asking
    finally:
        asking.cancel()
