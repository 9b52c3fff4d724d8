"""A process for every job; whichever process dies, the next job runs."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import IO, Any

import pytest

from app.workers.child import REPLY_SECONDS
from app.workers.pool import Cost, Pool, PoolLimits, ReplyTooLarge, Stock, TimeLimit, WorkerCrashed
from app.workers.server import ForkServer
from tests.loops import completed
from tests.service.conftest import FAKE_JOBS
from tests.service.test_workers import command

pytestmark = pytest.mark.slow

LIMITS = {
    "workers": 2,
    "queue_seconds": 10.0,
    "wall_seconds": 5.0,
    "cpu_seconds": 8,
    "memory": 1 << 30,
    "isolation": "auto",
    "cores": 2,
    "reply": 1 << 20,
}


@asynccontextmanager
async def running(jobs: str = FAKE_JOBS, **limits: Any) -> AsyncIterator[Pool]:
    pool = Pool(jobs, PoolLimits(**{**LIMITS, **limits}))
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


async def job(pool: Pool, program: str = "job") -> float:
    """Run a program; the processor seconds it took."""
    return sum([cost.cpu_seconds for cost in await costs_of(pool, program)])


async def costs_of(pool: Pool, program: str) -> list[Cost]:
    request = b'{"code": "%s"}' % program.encode()
    costs: list[asyncio.Future[Cost]] = []
    fields = {"id": "", "seed": 0}
    reply = await pool.run("run", fields, {"request": request}, bill=costs.append)
    assert reply.header["status"] == "ok"
    return [await cost for cost in costs]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    return "app.workers.zygote" in command(pid)


def with_pool(test: Callable[[Pool], Awaitable[None]], **limits: Any) -> None:
    async def main() -> None:
        async with running(**limits) as pool:
            await has_standby(pool)
            await test(pool)

    completed(main())


def test_every_reply_tells_the_processor_time_of_its_job() -> None:
    async def test(pool: Pool) -> None:
        assert await job(pool, "burn 0.2") >= 0.2
        assert await job(pool) < 0.2

    with_pool(test)


def test_what_a_job_sleeps_is_told_beside_what_it_computes() -> None:
    async def test(pool: Pool) -> None:
        (asleep,) = await costs_of(pool, "sleep 0.5")
        assert asleep.slept >= 0.4 and asleep.cpu_seconds < 0.3
        beside = [asyncio.create_task(costs_of(pool, f"burn 0.8{number}")) for number in range(6)]
        for costs in await asyncio.gather(*beside):  # they wait for a core, which is no sleep
            assert costs[0].slept < 0.4 and costs[0].cpu_seconds >= 0.8

    with_pool(test, workers=6)


def test_jobs_that_fail_tell_their_processor_time_too() -> None:
    async def test(pool: Pool) -> None:
        with pytest.raises(TimeLimit) as late:
            await job(pool, "sleep 60")
        assert 0.0 < late.value.cpu_seconds < 1.0
        with pytest.raises(WorkerCrashed) as crashed:
            await job(pool, "crash")
        assert 0.0 < crashed.value.cpu_seconds < 1.0
        with pytest.raises(ReplyTooLarge) as large:
            await job(pool, "flood")
        assert 0.0 < large.value.cpu_seconds < 1.0

    with_pool(test, wall_seconds=1.0)


def test_processor_time_has_a_limit_of_its_own() -> None:
    async def test(pool: Pool) -> None:
        with pytest.raises(TimeLimit) as late:
            await job(pool, "loop")
        assert 1.0 + REPLY_SECONDS <= late.value.cpu_seconds < 3.0 + REPLY_SECONDS

    with_pool(test, cpu_seconds=1, wall_seconds=60.0)


def test_more_processes_than_cores_can_be_asked_for() -> None:
    async def test(pool: Pool) -> None:
        jobs = [asyncio.create_task(job(pool, "sleep 0.5")) for _ in range(6)]
        await until(lambda: pool.running == 6)
        await until(lambda: len(pool._plain.idle) == 3)  # more are ready
        assert len(await asyncio.gather(*jobs)) == 6

    with_pool(test, workers=6)


async def has_standby(pool: Pool) -> int:
    """The process id of the standby, once there is one."""
    await until(lambda: pool._standby is not None and pool._standby.pid > 0)
    assert pool._standby is not None
    return pool._standby.pid


@pytest.mark.parametrize("victims", ["fork server", "standby", "both", "workers"])
def test_whichever_process_is_killed_under_load_no_job_is_lost(victims: str) -> None:
    async def kill_some(pool: Pool) -> None:
        standby = await has_standby(pool)
        assert pool._plain.server is not None
        server, workers = pool._plain.server.pid, list(pool._plain.server.workers)
        jobs = [asyncio.create_task(job(pool, f"sleep 0.3 {n}")) for n in range(2)]
        await until(lambda: pool.running == 2)
        killed = {"fork server": [server], "standby": [standby], "both": [standby, server], "workers": workers}[victims]
        for pid in killed:
            with suppress(ProcessLookupError):  # it has done its job and gone
                os.kill(pid, signal.SIGKILL)
        await asyncio.gather(*jobs)
        await until(lambda: not any(map(alive, killed)))
        if server in killed:
            await until(lambda: not any(map(alive, workers)))
        await until(lambda: pool.ready)

    async def test(pool: Pool) -> None:
        for _ in range(3):
            await kill_some(pool)

    with_pool(test, queue_seconds=30.0)


def test_it_is_not_ready_while_no_process_could_take_a_job() -> None:
    async def test(pool: Pool) -> None:
        assert pool.ready
        await end_both(pool)
        await until(lambda: pool.ready)
        await job(pool)

    with_pool(test)


def test_a_fork_server_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.workers.pool.SILENT_SECONDS", 0.3)

    async def test(pool: Pool) -> None:
        hung, standby = pool._plain.server, pool._standby
        assert hung is not None
        os.kill(hung.pid, signal.SIGSTOP)
        await asyncio.gather(*[job(pool, f"sleep 0.01 {n}") for n in range(12)])  # more than the workers that waited
        assert pool._plain.server is standby
        await until(lambda: not alive(hung.pid))

    with_pool(test, queue_seconds=30.0)


async def end_both(pool: Pool) -> None:
    """End the fork server and its standby: a new one has to be started."""
    assert pool._plain.server is not None and pool._standby is not None
    for server in (pool._standby, pool._plain.server):
        os.kill(server.pid, signal.SIGKILL)
    await until(lambda: not pool.ready)


def test_a_fork_server_that_the_system_refuses_to_start_is_started_when_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, refused = subprocess.Popen, iter(range(3))

    def popen(*arguments: Any, **options: Any) -> Any:
        if next(refused, None) is not None:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return start(*arguments, **options)

    async def test(pool: Pool) -> None:
        monkeypatch.setattr(subprocess, "Popen", popen)
        await end_both(pool)
        await until(lambda: pool.ready)
        await job(pool)

    with_pool(test)


def test_a_fork_server_that_hangs_as_it_starts_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen
    started: list[subprocess.Popen[bytes]] = []

    def popen(*arguments: Any, **options: Any) -> Any:
        started.append(start(*arguments, **options))
        if len(started) == 1:
            started[0].send_signal(signal.SIGSTOP)
            monkeypatch.setattr("app.workers.pool.START_SECONDS", 60.0)  # read already for this one
        return started[-1]

    async def test(pool: Pool) -> None:
        monkeypatch.setattr("app.workers.pool.START_SECONDS", 0.3)
        monkeypatch.setattr("app.workers.server.END_SECONDS", 0.3)
        monkeypatch.setattr(subprocess, "Popen", popen)
        await end_both(pool)
        await until(lambda: pool.ready)
        await job(pool)
        assert started[0].returncode == -signal.SIGKILL

    with_pool(test)


def test_a_standby_that_has_not_said_its_number_yet_is_no_one_to_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    killed: list[int] = []
    really = os.kill

    def kill(pid: int, number: int) -> None:
        killed.append(pid)
        if pid:
            really(pid, number)

    async def main() -> None:
        async with running() as pool:
            standby = await has_standby(pool)
            assert pool._plain.server is not None
            os.kill(pool._plain.server.pid, signal.SIGSTOP)
            os.kill(standby, signal.SIGKILL)
            await until(lambda: pool._standby is not None and not pool._standby.pid)
            monkeypatch.setattr("app.workers.server.END_SECONDS", 0.3)
            monkeypatch.setattr("app.workers.server.os.kill", kill)
        assert killed and 0 not in killed

    completed(main())


def test_a_standby_is_a_fork_and_takes_over_at_once() -> None:
    async def test(pool: Pool) -> None:
        first, standby = pool._plain.server, pool._standby
        assert first is not None and standby is not None and standby.process is None
        os.kill(first.pid, signal.SIGKILL)
        await until(lambda: pool._plain.server is standby and pool.ready)
        assert await job(pool) < 1.0

    with_pool(test)


def test_a_standby_that_ended_is_replaced_at_once_and_before_any_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.workers.pool.RESTART_DELAY", 1000.0)

    async def test(pool: Pool) -> None:
        server, standby = pool._plain.server, pool._standby
        assert server is not None and standby is not None
        os.kill(standby.pid, signal.SIGKILL)
        await until(lambda: pool._standby is not standby)
        standby = pool._standby
        await has_standby(pool)
        asked: list[bytes] = []
        hand_over = ForkServer._hand_over
        monkeypatch.setattr(ForkServer, "_hand_over", lambda self, line: (asked.append(line), hand_over(self, line))[1])
        os.kill(server.pid, signal.SIGKILL)
        await until(lambda: pool._plain.server is standby)
        assert asked[0] == b"standby\n"
        await job(pool)

    with_pool(test)


@contextmanager
def fork_server(jobs: str, number: int) -> Iterator[tuple[subprocess.Popen[bytes], socket.socket, IO[bytes]]]:
    """A fork server whose control socket has this number, our end of it, and what it says after `ready`."""
    ours, theirs = socket.socketpair()
    renumber = "import os, sys; os.dup2(int(sys.argv[1]), int(sys.argv[5])); os.execv(sys.executable, sys.argv[2:])"
    zygote = [sys.executable, "-m", "app.workers.zygote", str(number), jobs, str(1 << 30), "8", "auto"]
    with (
        ours,
        subprocess.Popen(
            [sys.executable, "-c", renumber, str(theirs.fileno()), *zygote],
            pass_fds=[theirs.fileno()],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        ) as process,
    ):
        theirs.close()
        ours.settimeout(60)
        try:
            with ours.makefile("rb") as said:
                assert said.readline().startswith(b"ready %d " % process.pid)
                yield process, ours, said
        finally:
            ours.shutdown(socket.SHUT_RDWR)
        assert process.wait(30) == 0


@pytest.mark.parametrize("number", [3, 30, 31, 32, 200])
def test_a_fork_server_obeys_a_control_socket_of_any_number(number: int) -> None:
    """A busy service has many files open, and its fork server inherits the number that comes next."""
    with fork_server(FAKE_JOBS, number) as (_, ours, said):
        one, other = socket.socketpair()
        with one:
            socket.send_fds(ours, [b"fork\n"], [other.fileno()])
            other.close()
            assert int(said.readline().removeprefix(b"forked ")) > 0


def test_fork_servers_say_their_own_numbers_though_programs_are_told_another() -> None:
    """They are ended by these numbers."""
    with fork_server("app.workers.jobs", 3) as (process, ours, _):
        one, other = socket.socketpair()
        one.settimeout(60)
        with one, one.makefile("rb") as said:
            socket.send_fds(ours, [b"libraries\n"], [other.fileno()])
            other.close()
            number = int(said.readline().split()[1])
            assert number != process.pid and command(number) == command(process.pid)


@pytest.mark.parametrize("when", ["before it loads", "while it loads"])
def test_a_fork_server_that_loads_libraries_does_not_outlive_the_service(when: str) -> None:
    with fork_server("tests.service.endless_libraries", 3) as (process, ours, said):
        one, other = socket.socketpair()
        with one:
            socket.send_fds(ours, [b"libraries\n"], [other.fileno()])
            other.close()
            if when == "while it loads":
                assert one.recv(100) == b"loading"
        ended, status, cpu_seconds, *_ = said.readline().partition(b"exited ")[2].split()
        assert int(ended) != process.pid and status == b"0" and float(cpu_seconds) < 5


def test_closing_ends_every_process() -> None:
    async def main() -> None:
        async with running() as pool:
            await has_standby(pool)
            pids = pool.pids
            assert len(pids) >= 5 and all(map(alive, pids))
        await until(lambda: not any(map(alive, pids)))

    completed(main())


def test_programs_that_name_a_library_get_a_process_that_has_it_and_others_none() -> None:
    async def main() -> None:
        async with running("tests.service.library_jobs") as pool:
            await job(pool)  # while the other fork server may still load
            await job(pool, "job import lib.rary")
            server = pool._full.server
            assert server is not None and server.pid != await has_standby(pool)
            os.kill(server.pid, signal.SIGKILL)
            await until(lambda: pool._full.server is not server)
            await job(pool)
            await job(pool, "job lib.rary again")
            plain, full = pool._plain.server, pool._full.server
            assert plain is not None and full is not None
            os.kill(plain.pid, signal.SIGKILL)
            await until(lambda: pool._plain.server is not plain)
            await job(pool)
            await job(pool, "job lib.rary")
            assert pool._full.server is full
            pids = pool.pids
        await until(lambda: not any(map(alive, pids)))

    completed(main())


def test_a_fork_server_whose_libraries_end_it_is_started_again_after_longer_and_longer_pauses() -> None:
    assert [Stock(failures=count).pause() for count in (0, 1, 2, 20)] == [0.2, 0.4, 0.8, 30.0]

    async def main() -> None:
        async with running("tests.service.library_jobs") as pool:
            await job(pool, "job import lib.rary")
            server = pool._full.server
            assert server is not None
            pool._full.failures = 3
            server.end()
            await until(lambda: pool._full.failures == 4)
            await job(pool, "job lib.rary again")
            assert pool._full.failures == 0

    completed(main())


def test_a_name_in_the_text_stands_for_itself() -> None:
    async def main() -> None:
        async with running("tests.service.library_jobs") as pool:
            await job(pool, "job libXrary")

    completed(main())
