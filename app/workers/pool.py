"""Warm workers for the event loop: one job each at a time, killed on the deadline, replaced from a spare."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.workers.wire import Frame, WireError, receive_async, send_async

log = logging.getLogger("backlight.workers")

START_SECONDS = 60.0
RESTART_DELAY = 0.2
ATTEMPTS = 2
MAX_DESCRIPTION = 1 << 20


@dataclass(frozen=True)
class PoolLimits:
    """How many jobs at once, how long one may wait for a process, and what it may use."""

    workers: int
    queue_seconds: float
    wall_seconds: float
    cpu_seconds: int
    memory: int
    isolation: str
    jobs_per_worker: int
    reply: int


class PoolBusy(Exception):
    """No process could be started in time."""


class TimeLimit(Exception):
    """The job used up its clock or processor time; its process has been killed."""


class WorkerCrashed(Exception):
    """The process ended during the job, on every attempt."""


class ReplyTooLarge(Exception):
    """The worker wanted to send more than a reply may hold."""


class PoolFailed(Exception):
    """No worker could be started."""


@dataclass(eq=False)
class Worker:
    """A ready process and the socket to it."""

    pid: int
    sock: socket.socket
    hello: dict[str, Any]
    jobs: int = 0


@dataclass(eq=False)
class Zygote:
    """The running fork server: its process, control socket and the exits it has reported."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    forked: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    exits: dict[int, asyncio.Future[int]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    gone: bool = False


class Pool:
    """`await pool.run(...)` does a job in a worker process.

    At most `limits.workers` jobs run at once, which the caller sees to; one more process is kept warm, so that a kill
    costs the next job nothing. A worker that crashes is not the client's business: the job is tried once more.
    """

    def __init__(self, jobs_module: str, limits: PoolLimits) -> None:
        self.jobs_module = jobs_module
        self.limits = limits
        self.hello: dict[str, Any] = {}
        self.running = 0
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self._workers: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._zygote: Zygote | None = None
        self._zygote_lock = asyncio.Lock()
        self._closing = False

    # Starting and stopping

    async def start(self) -> None:
        """Start the fork server and every worker; raises PoolFailed when they do not come up."""
        try:
            async with asyncio.timeout(START_SECONDS):
                workers = await asyncio.gather(*[self._fork() for _ in range(self.limits.workers + 1)])
        except (TimeoutError, PoolFailed):
            await self.close()
            raise PoolFailed("the worker processes did not start; the lines above say why") from None
        self.hello = workers[0].hello
        missing = {"landlock", "seccomp"} - set(self.hello["locks"])
        if self.limits.isolation == "strict" and missing:
            await self.close()
            raise PoolFailed(f"this system has no {' and no '.join(sorted(missing))}, and isolation is strict")
        for worker in workers:
            self._idle.put_nowait(worker)

    async def close(self) -> None:
        """Kill every process and wait until they are gone."""
        self._closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in list(self._workers):
            self._discard(worker)
        if (zygote := self._zygote) is not None:
            self._zygote = None
            await self._stop(zygote)

    @property
    def ready(self) -> bool:
        """Whether at least one worker is up."""
        return bool(self._workers) and not self._closing

    @property
    def pids(self) -> list[int]:
        """Process ids of the fork server and the workers."""
        zygote = [self._zygote.process.pid] if self._zygote else []
        return zygote + [worker.pid for worker in self._workers]

    # Running a job

    async def run(self, kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
        """The reply to one job.

        Raises PoolBusy, TimeLimit, WorkerCrashed, ReplyTooLarge. Cancelling it kills the process that does the job.
        """
        frame = Frame({"kind": kind, **fields}, dict(parts))
        self.running += 1
        try:
            for _ in range(ATTEMPTS):
                if (reply := await self._attempt(frame)) is not None:
                    return reply
            raise WorkerCrashed
        finally:
            self.running -= 1

    async def _attempt(self, frame: Frame) -> Frame | None:
        """One attempt at a job; None when the worker's process ended under it."""
        worker = await self._next_worker()
        reply = None
        try:
            async with asyncio.timeout(self.limits.wall_seconds):
                await send_async(worker.sock, frame)
                reply = await receive_async(worker.sock, self.limits.reply)
            return reply
        except TimeoutError:
            raise TimeLimit from None
        except WireError as error:
            log.warning("worker %d sent %s", worker.pid, error)
            raise ReplyTooLarge from None
        except EOFError:
            status = await self._exit_status(worker.pid)
            log.warning("worker %d ended with status %s during a job", worker.pid, status)
            if status == -signal.SIGXCPU:
                raise TimeLimit from None
            return None
        finally:
            worker.jobs += 1
            if reply is None or reply.header.get("retire") or worker.jobs >= self.limits.jobs_per_worker:
                self._replace(worker)
            else:
                self._idle.put_nowait(worker)

    async def _next_worker(self) -> Worker:
        """A warm worker that is still alive."""
        try:
            async with asyncio.timeout(self.limits.queue_seconds):
                while True:
                    worker = await self._idle.get()
                    if self._is_alive(worker):
                        return worker
                    self._replace(worker)
        except TimeoutError:
            raise PoolBusy("no worker could be started") from None

    def _is_alive(self, worker: Worker) -> bool:
        zygote = self._zygote
        return zygote is not None and worker.pid in zygote.exits and not zygote.exits[worker.pid].done()

    # Workers

    def _replace(self, worker: Worker) -> None:
        """Kill a worker and have a fresh one take its place."""
        self._discard(worker)
        if not self._closing:
            task = asyncio.create_task(self._refill())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _discard(self, worker: Worker) -> None:
        self._workers.discard(worker)
        worker.sock.close()
        zygote = self._zygote
        if zygote is not None and worker.pid in zygote.exits:
            if not zygote.exits[worker.pid].done():
                with contextlib.suppress(OSError):
                    zygote.control.send(b"kill %d\n" % worker.pid)
            del zygote.exits[worker.pid]

    async def _refill(self) -> None:
        while not self._closing:
            try:
                self._idle.put_nowait(await self._fork())
                return
            except PoolFailed as error:
                log.error("cannot start a worker: %s", error)
                await asyncio.sleep(RESTART_DELAY)

    async def _fork(self) -> Worker:
        """A new worker that has said it is ready."""
        zygote = await self._running_zygote()
        ours, theirs = socket.socketpair()
        hello: Frame | None = None
        try:
            async with zygote.lock:
                if zygote.gone:
                    raise PoolFailed("the fork server has ended")
                with theirs:
                    socket.send_fds(zygote.control, [b"fork\n"], [theirs.fileno()])
                pid = await zygote.forked.get()
            if not pid:
                raise PoolFailed("fork was refused")
            ours.setblocking(False)
            async with asyncio.timeout(START_SECONDS):
                hello = await receive_async(ours, MAX_DESCRIPTION)
        except (OSError, EOFError, TimeoutError, WireError) as error:
            raise PoolFailed(f"a worker did not become ready: {error!r}") from None
        finally:
            if not hello:
                ours.close()
        worker = Worker(pid, ours, hello.header)
        self._workers.add(worker)
        return worker

    async def _exit_status(self, pid: int) -> int | None:
        """How a process ended: its exit code, or minus the signal; None if that is not known soon."""
        exit_ = self._zygote.exits.get(pid) if self._zygote else None
        if exit_ is None:
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                return await asyncio.shield(exit_)
        return None

    # The fork server

    async def _running_zygote(self) -> Zygote:
        async with self._zygote_lock:
            if self._zygote is None or self._zygote.gone:
                if self._zygote is not None:
                    log.error("the fork server ended; starting another")
                    await self._stop(self._zygote)
                self._zygote = self._start_zygote()
            zygote = self._zygote
        await zygote.ready.wait()
        if zygote.gone:
            raise PoolFailed("the fork server did not start")
        return zygote

    def _start_zygote(self) -> Zygote:
        ours, theirs = socket.socketpair()
        one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMEXPR")}
        same_hashes = {"PYTHONHASHSEED": "0"}  # sets of strings print in the same order in every process
        with theirs:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "app.workers.zygote", str(theirs.fileno()), self.jobs_module),
                    *(str(self.limits.memory), str(self.limits.cpu_seconds), self.limits.isolation),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={
                    **os.environ,
                    **one_thread,
                    **same_hashes,
                    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                },
                start_new_session=True,  # Ctrl-C in the terminal is for the service, which then closes the pool
            )
        ours.setblocking(False)
        zygote = Zygote(process, ours)
        task = asyncio.create_task(self._listen(zygote))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return zygote

    async def _listen(self, zygote: Zygote) -> None:
        """Take in the fork server's reports until it is gone."""
        loop = asyncio.get_running_loop()
        buffer = b""
        try:
            while data := await loop.sock_recv(zygote.control, 4096):
                *lines, buffer = (buffer + data).split(b"\n")
                for line in lines:
                    self._report(zygote, line.decode())
        except OSError:
            pass
        finally:
            zygote.gone = True
            zygote.ready.set()
            zygote.forked.put_nowait(0)
            for exit_ in zygote.exits.values():
                if not exit_.done():
                    exit_.set_result(-signal.SIGKILL)

    def _report(self, zygote: Zygote, line: str) -> None:
        match line.split():
            case ["ready"]:
                zygote.ready.set()
            case ["forked", pid]:
                if int(pid):
                    zygote.exits[int(pid)] = asyncio.get_running_loop().create_future()
                zygote.forked.put_nowait(int(pid))
            case ["exited", pid, status]:
                exit_ = zygote.exits.get(int(pid))
                if exit_ is not None and not exit_.done():
                    exit_.set_result(int(status))

    async def _stop(self, zygote: Zygote) -> None:
        zygote.control.close()
        try:
            await asyncio.to_thread(zygote.process.wait, 5)
        except subprocess.TimeoutExpired:
            zygote.process.kill()
            await asyncio.to_thread(zygote.process.wait)
