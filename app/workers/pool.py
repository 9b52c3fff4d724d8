"""Warm workers for the event loop: a process for every job, killed on the deadline, more of them always ready."""

from __future__ import annotations

import asyncio
import logging
import re
import signal
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from app.logs import Complaints
from app.workers.clock import SILENT_SECONDS, run_out
from app.workers.lockdown import WorkerLimits, lacking
from app.workers.replies import check
from app.workers.server import Exit, ForkServer, Worker, connect_fork_server, start_fork_server
from app.workers.streams import receive, send
from app.workers.wire import Frame, TooLarge, WireError

log = logging.getLogger("backlight.workers")

START_SECONDS = 60.0
EXIT_SECONDS = 1.0
MORE_CPU_SECONDS = 10.0
"""Processor time beyond a job's own in which a worker ends by itself, if it is still its own."""
RESTART_DELAY = 0.2
LONGEST_DELAY = 30.0
RETRY_DELAY = 0.1
LIBRARIES_DELAY = 3.0
"""Until libraries are loaded that no program has named: the first visits need the cores more."""
ATTEMPTS = 2


@dataclass(frozen=True)
class PoolLimits:
    """How many jobs at once, how long one may wait for a process, and what it may use.

    Besides those that work, one process more than `cores` is ready.
    """

    workers: int
    queue_seconds: float
    wall_seconds: float
    cpu_seconds: int
    memory: int
    isolation: str
    cores: int
    reply: int


class Cost(NamedTuple):
    """What the process of a job has used for it, as the kernel counts it: processor seconds, bytes at its peak (None
    where nobody was left to tell), and the seconds that it slept: it had its place, and used nothing."""

    cpu_seconds: float
    memory: int | None
    slept: float


Bill = Callable[[asyncio.Future[Cost]], None]
"""Is given the cost of every process that works on a job when it begins; known when it has ended, after its reply."""


class PoolBusy(Exception):
    """No process could be started in time."""


class JobFailed(Exception):
    """A job that got no reply; `cpu_seconds` is the processor time it took all the same."""

    cpu_seconds = 0.0


class TimeLimit(JobFailed):
    """The job slept, or computed, for longer than it may; its process has been killed."""


class WorkerCrashed(JobFailed):
    """The process ended during the job, on every attempt."""


class ReplyTooLarge(JobFailed):
    """The worker wanted to send more than a reply may hold."""


class BadReply(JobFailed):
    """What the worker sent is no reply to such a job."""


class PoolFailed(Exception):
    """No worker could be started."""


@dataclass(eq=False)
class Stock:
    """Processes that wait for jobs, and the fork server that they come from."""

    server: ForkServer | None = None
    idle: deque[Worker] = field(default_factory=deque)
    some_idle: asyncio.Event = field(default_factory=asyncio.Event)
    failures: int = 0
    """How many of its servers in a row have ended before they were ready."""

    def pause(self) -> float:
        """Seconds until another server is started after such an end: twice as many each time."""
        return min(LONGEST_DELAY, RESTART_DELAY * 2.0**self.failures)

    def clear(self) -> None:
        """Let go of the processes, which end then."""
        while self.idle:
            self.idle.pop().sock.close()


class Pool:
    """`await pool.run(...)` does a job in a worker process.

    At most `limits.workers` jobs run at once, which the caller sees to. A worker that crashes is not the client's
    business: the job is tried once more on a fresh one. Nor is the end of the fork server, with which its workers end:
    a standby takes its place.

    Libraries make a process larger, and its fork dearer: only programs whose text names one are run by processes that
    have them (`_full`). Their fork server is forked from the other, and is ready later.

    With a `host` the processes are those of another container. `fit` is told what a fork server says of itself before
    it is asked for workers, so that `limits` can follow.
    """

    def __init__(
        self,
        jobs_module: str,
        limits: PoolLimits,
        host: Path | None = None,
        fit: Callable[[dict[str, Any]], None] = lambda hello: None,
    ) -> None:
        self.jobs_module = jobs_module
        self.limits = limits
        self.host = host
        self.fit = fit
        self.hello: dict[str, Any] = {}
        self.running = 0
        self.draining = False
        self._plain = Stock()
        self._full = Stock()
        self._libraries: re.Pattern[bytes] | None = None
        self._standby: ForkServer | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self._complaints = Complaints(log.name)

    # Starting and stopping

    async def start(self) -> None:
        """Start the fork server and the first workers; raises PoolFailed when they do not come up."""
        try:
            async with asyncio.timeout(START_SECONDS):
                await (self._start_server() if self.host is None else self._restart())
                await self._plain.some_idle.wait()
        except (TimeoutError, PoolFailed):
            await self.close()
            raise PoolFailed("the worker processes did not start; the lines above say why") from None
        lacks = lacking(self.hello["locks"])
        if self.limits.isolation == "strict" and lacks:
            await self.close()
            raise PoolFailed(f"{lacks}; BACKLIGHT_ISOLATION=auto starts without")
        abi = f"; version of Landlock: {self.hello['landlock']}" if self.hello["landlock"] else ""
        log.info("programs run behind %s%s", ", ".join(self.hello["locks"]), abi)
        if self.unlocked:
            log.warning("nothing keeps a program from this machine's files and network: only this machine is served")

    async def close(self) -> None:
        """End every process and wait until they are gone."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*[server.close() for server in reversed(self._servers)])
        self._plain.server = self._full.server = self._standby = None
        for stock in (self._plain, self._full):
            stock.clear()

    @property
    def ready(self) -> bool:
        """Whether a job that comes now finds a live process, and more are to come."""
        server = self._plain.server
        return server is not None and bool(server.workers) and not self._closing and not self.draining

    @property
    def unlocked(self) -> bool:
        """Whether programs can do what this user can: nothing but resource limits holds them."""
        return "seccomp" not in self.hello["locks"]

    @property
    def pids(self) -> list[int]:
        """Process ids of the fork servers and the workers."""
        return [pid for server in self._servers for pid in (server.pid, *server.workers) if pid]

    @property
    def _servers(self) -> list[ForkServer]:
        """The one that plain programs come from first."""
        return [server for server in (self._plain.server, self._standby, self._full.server) if server is not None]

    # Running a job

    async def run(
        self,
        kind: str,
        fields: Mapping[str, Any],
        parts: Mapping[str, bytes],
        *,
        bill: Bill = lambda cost: None,
    ) -> Frame:
        """The reply to one job.

        Raises PoolBusy, TimeLimit, WorkerCrashed, ReplyTooLarge, BadReply. Cancelling it kills the process
        that does the job. Whatever comes of it, `bill` is told.
        """
        frame = Frame({"kind": kind, **fields}, dict(parts))
        self.running += 1
        try:
            return await self._attempts(frame, bill)
        finally:
            self.running -= 1

    async def _attempts(self, frame: Frame, bill: Bill) -> Frame:
        """Do a job, and once more if its process ends under it; ends of the fork server do not count."""
        crashes, spent = 0, 0.0
        names = self._libraries is not None and self._libraries.search(frame.parts.get("request", b"")) is not None
        if names and not self._full.failures:
            self._have_libraries()
        while True:
            worker = await self._next_worker(self._full if names else self._plain)
            try:
                return await self._attempt(worker, frame, bill)
            except WorkerCrashed as crash:
                spent += crash.cpu_seconds
                crashes += not worker.server.gone.is_set()
                if crashes == ATTEMPTS:
                    crash.cpu_seconds = spent
                    raise
                await asyncio.sleep(RETRY_DELAY)  # what killed it may be about to kill the spares as well
            except JobFailed as failure:
                failure.cpu_seconds += spent
                raise

    async def _attempt(self, worker: Worker, frame: Frame, bill: Bill) -> Frame:
        """One attempt at a job. Raises JobFailed."""
        limits, loop = self.limits, asyncio.get_running_loop()
        start = loop.time()
        spent: asyncio.Future[Cost] = loop.create_future()
        worker.exit.add_done_callback(lambda exit_: spent.set_result(cost(worker, exit_.result(), start)))
        bill(spent)
        deadline = asyncio.timeout(None)
        most = limits.cpu_seconds + MORE_CPU_SECONDS
        clock = asyncio.create_task(run_out(worker, limits.wall_seconds, most, deadline))
        try:
            async with deadline:
                await send(worker.sock, frame)
                if not self._stock_of(worker.server).idle:
                    self._refill()  # else when this one has ended: a fork takes a core from the job
                await worker.get_started()
                return await receive(worker.sock, limits.reply, partial(check, frame.header["kind"]))
        except TimeoutError:
            failure: JobFailed = TimeLimit()
        except TooLarge:
            failure = ReplyTooLarge()
        except WireError:
            failure = BadReply()
        except EOFError:
            failure = WorkerCrashed()
        finally:
            clock.cancel()
            worker.left = loop.time()
            worker.sock.close()
            loop.call_soon(worker.kill)  # whatever it may think of that, and when its reply is on its way
        end = await self._end(worker)
        took = cost(worker, end, start).cpu_seconds
        if isinstance(failure, WorkerCrashed):
            self._complaints.say("worker %d ended with status %s during a job", worker.pid, end.status)
            if end.status == -signal.SIGXCPU or took > limits.cpu_seconds:
                failure = TimeLimit()
        failure.cpu_seconds = took
        raise failure

    async def _next_worker(self, stock: Stock) -> Worker:
        """A process that waits for a job. Raises PoolBusy."""
        while True:
            if not stock.idle:
                await self._wait_for_worker(stock)
            worker = stock.idle.popleft()
            if worker.is_waiting():
                return worker
            worker.sock.close()

    async def _wait_for_worker(self, stock: Stock) -> None:
        starting = not stock.failures and (stock.server is None or not stock.server.ready.is_set())
        try:
            async with asyncio.timeout(START_SECONDS if starting else self.limits.queue_seconds):
                while not stock.idle:
                    stock.some_idle.clear()
                    await self._some_idle_or_silence(stock)
        except TimeoutError:
            raise PoolBusy("no worker could be started") from None

    async def _some_idle_or_silence(self, stock: Stock) -> None:
        """Wait for a worker; end a fork server that was asked for one and says nothing, so that the next takes over."""
        server = stock.server
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                await stock.some_idle.wait()
        except TimeoutError:
            if server is not None and server is stock.server and server.forking:
                log.error("the fork server %d does not answer and is ended", server.pid)
                server.end()

    async def _end(self, worker: Worker) -> Exit:
        """How the process of a failed job ended, if that is known soon."""
        try:
            async with asyncio.timeout(EXIT_SECONDS):
                return await asyncio.shield(worker.exit)
        except TimeoutError:
            return Exit()

    # Keeping processes ready: called by the fork servers

    def _stock_of(self, server: ForkServer) -> Stock:
        return self._full if server is self._full.server else self._plain

    def forked(self, worker: Worker) -> None:
        stock = self._stock_of(worker.server)
        stock.idle.append(worker)
        stock.some_idle.set()

    def refused(self) -> None:
        log.error("the system refused to fork a worker")
        asyncio.get_running_loop().call_later(RESTART_DELAY, self._refill)

    def exited(self, worker: Worker) -> None:
        stock = self._stock_of(worker.server)
        if worker in stock.idle:
            stock.idle.remove(worker)
            worker.sock.close()
            log.warning("worker %d ended before its job", worker.pid)
            asyncio.get_running_loop().call_later(RESTART_DELAY, self._refill)
        else:
            self._refill()

    def lost(self, server: ForkServer) -> None:
        if self._closing:
            return
        if server is self._standby:
            log.error("the standby of the fork server ended")
            self._standby = None
            if server.pid:  # it had been there, and this server may be the next to end
                self._have_others()
            else:
                asyncio.get_running_loop().call_later(RESTART_DELAY, self._have_others)
        elif server is self._full.server:
            log.error("the fork server that has libraries ended")
            self._full.clear()
            self._full.server = None
            self._full.failures += 1
            asyncio.get_running_loop().call_later(self._full.pause(), self._have_libraries)
        elif server is self._plain.server:
            log.error("the fork server ended")
            self._plain.clear()
            self._plain.server, self._standby = self._standby, None
            if self._plain.server is None:
                self._keep(self._restart())
            self._have_others()  # before the workers: were this server to end alone, the next would start from nothing
            self._refill()

    def _refill(self) -> None:
        """Ask for as many processes as should be ready."""
        if self._closing:
            return
        cores = self.limits.cores
        for stock in (self._plain, self._full):
            server = stock.server
            if server is None or stock is self._full and not server.ready.is_set():
                continue
            try:
                for _ in range(cores + 1 - len(stock.idle) - len(server.forking)):
                    server.fork()
            except OSError as error:
                log.error("cannot ask for a worker: %s", error)
                asyncio.get_running_loop().call_later(RESTART_DELAY, self._refill)

    def _have_others(self) -> None:
        """Ask for a standby where there is none, and for what has libraries a little later."""
        server = self._plain.server
        if server is None or self._closing:
            return
        asyncio.get_running_loop().call_later(LIBRARIES_DELAY, self._have_libraries)
        try:
            if self._standby is None:
                self._standby = server.fork_standby()
        except OSError as error:
            log.error("cannot ask for another fork server: %s", error)
            asyncio.get_running_loop().call_later(RESTART_DELAY, self._have_others)

    def _have_libraries(self) -> None:
        """Ask for a fork server that has libraries where there is none."""
        server = self._plain.server
        if server is None or self._closing or self._full.server is not None or self._libraries is None:
            return
        try:
            self._full.server = server.fork_with_libraries()
            self._keep(self._fill(self._full.server))
        except OSError as error:
            log.error("cannot ask for a fork server that has libraries: %s", error)
            asyncio.get_running_loop().call_later(RESTART_DELAY, self._have_libraries)

    async def _fill(self, server: ForkServer) -> None:
        """Ask a fork server for processes as soon as it has its libraries."""
        await server.ready.wait()
        if server.gone.is_set():
            return
        if server.hello["locks"] != self.hello["locks"]:  # no program runs behind fewer locks than /readyz shows
            log.error("the fork server that has libraries has other locks and is ended")
            server.end()
            return
        self._full.failures = 0
        self._refill()

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside all else; it ends with the pool."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start_server(self) -> None:
        """Start a fork server where there is none, not even a standby."""
        limits = WorkerLimits(self.limits.memory, self.limits.cpu_seconds, self.limits.isolation)
        try:
            if self.host is None:
                server = start_fork_server(self, self.jobs_module, limits)
            else:
                server = connect_fork_server(self, self.host)
        except OSError as error:
            where = f" at {self.host}" if self.host else ""
            raise PoolFailed(f"the system refused to start the fork server{where}: {error}") from None
        try:
            await server.ready.wait()
        except asyncio.CancelledError:
            await server.close()
            raise
        if server.gone.is_set():
            raise PoolFailed("the fork server did not start")
        self.hello = server.hello
        self.fit(server.hello)
        names = [re.escape(name).encode() for name in server.hello["libraries"]]
        self._libraries = re.compile(b"|".join(names)) if names else None
        self._plain.server = server
        self._refill()
        self._have_others()

    async def _restart(self) -> None:
        """Start a fork server, and another where that fails or hangs, until one is there."""
        said = ""
        while True:
            try:
                async with asyncio.timeout(START_SECONDS):
                    await self._start_server()
                return
            except PoolFailed as error:
                if said != (said := str(error)):
                    log.error("%s", error)
            except TimeoutError:
                log.error("the fork server did not start within %g seconds", START_SECONDS)
            await asyncio.sleep(RESTART_DELAY)


def cost(worker: Worker, end: Exit, start: float) -> Cost:
    """What a process has cost since it was given its job at `start`; by the clock if nobody was left to tell."""
    had = (worker.left or asyncio.get_running_loop().time()) - start
    if end.cpu_seconds is None:
        return Cost(had, end.memory, 0.0)
    cpu_seconds = max(0.0, end.cpu_seconds - (worker.started or 0.0))
    return Cost(cpu_seconds, end.memory, max(0.0, had - cpu_seconds - (end.waited or 0.0)))
