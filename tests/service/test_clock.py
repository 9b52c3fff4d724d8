"""The clock of a job counts sleep and work, not the wait for a core."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.workers import clock
from app.workers.clock import run_out
from app.workers.pool import Pool, TimeLimit
from app.workers.server import Exit, Look
from tests.loops import completed
from tests.service.test_pool import job, until, with_pool

pytestmark = pytest.mark.slow


class Fake:
    """A worker that looks like this, one look after the other, and a fork server that can be ended."""

    pid, started = 1, 0.5

    def __init__(self, looks: Iterator[Look]) -> None:
        self.looks = looks
        self.server = self
        self.ended = False
        self.exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    async def look(self) -> Look:
        if (look := next(self.looks, None)) is None:
            await asyncio.Event().wait()
        assert look is not None
        return look

    def end(self) -> None:
        self.ended = True


def looks_until_over(looks: Iterator[Look], monkeypatch: pytest.MonkeyPatch, **limits: float) -> tuple[int, Fake]:
    """How many looks it takes until a job is over, a hundredth of a second apart, and the worker."""
    monkeypatch.setattr(clock, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(clock, "SILENT_SECONDS", 0.03)
    monkeypatch.setattr(clock, "LEAST_SECONDS", 0.01)
    seen = 0

    def counted() -> Iterator[Look]:
        nonlocal seen
        for look in looks:
            seen += 1
            yield look

    async def main() -> Fake:
        worker: Any = Fake(counted())
        over = asyncio.Event()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60) as deadline:
                await run_out(worker, limits.get("sleep", 0.1), limits.get("cpu", 1.0), deadline)
                await over.wait()
        return worker

    worker = completed(main())
    return seen, worker


def each(cpu: float, waited: float | bool, count: int = 10**6) -> Iterator[Look]:
    """Looks at a worker that computes and waits as much between two of them."""
    for number in range(1, count + 1):
        yield Look(0.5 + number * cpu, waited if isinstance(waited, bool) else number * waited)


@pytest.mark.parametrize(
    ("cpu", "waited", "expected"),
    [
        (0.0, 0.0, range(9, 12)),  # sleeps
        (0.005, 0.0, range(18, 22)),  # sleeps half of the time
        (0.005, 0.005, range(200, 202)),  # shares a core: only work counts
        (0.0, False, range(9, 12)),  # sleeps, and the system does not tell how long it waited
        (0.005, True, range(200, 202)),  # could run
    ],
)
def test_sleep_and_work_count(
    cpu: float, waited: float | bool, expected: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, worker = looks_until_over(each(cpu, waited), monkeypatch)
    assert count in expected and not worker.ended


def test_a_fork_server_that_gives_no_look_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    _, worker = looks_until_over(each(0.0, 0.0, count=2), monkeypatch)
    assert worker.ended


def test_a_worker_that_has_ended_is_not_looked_at_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        worker: Any = Fake(iter(()))
        worker.exit.set_result(Exit(0, 0.1, 1))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(60) as deadline:
                await run_out(worker, 0.01, 1.0, deadline)
                await asyncio.Event().wait()
        assert not worker.ended

    completed(main())


def test_a_job_that_waits_for_a_core_is_not_one_that_sleeps() -> None:
    async def test(pool: Pool) -> None:
        neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(8)]
        try:
            start = time.monotonic()
            cost = await job(pool, "burn 1.0")
            assert 1.0 <= cost < 1.5 and time.monotonic() - start > cost
        finally:
            for neighbour in neighbours:
                neighbour.kill()
                neighbour.wait(30)

    with_pool(test, wall_seconds=0.7, cpu_seconds=5)


def test_a_job_that_sleeps_is_ended_beside_busy_ones_too() -> None:
    async def test(pool: Pool) -> None:
        busy = [asyncio.create_task(job(pool, "burn 2")) for _ in range(2)]
        with pytest.raises(TimeLimit):
            await job(pool, "sleep 60")
        await asyncio.gather(*busy)

    with_pool(test, wall_seconds=3.0, workers=3)


def test_a_process_is_gone_with_its_reply_and_what_it_does_after_it_is_charged() -> None:
    async def test(pool: Pool) -> None:
        costs: list[Any] = []
        request = b'{"code": "forge time: a good frame, then work"}'
        reply = await pool.run("run", {"id": "a" * 26, "seed": 0}, {"request": request}, bill=costs.append)
        assert reply.header == {"status": "ok"}
        (cost,) = costs
        assert 0.0 < (await cost).cpu_seconds < 5.0 and cost.result().memory > 1 << 20
        await until(lambda: pool._plain.server is not None and len(pool._plain.server.workers) == len(pool._plain.idle))

    with_pool(test, jobs="tests.attack.forgers")
