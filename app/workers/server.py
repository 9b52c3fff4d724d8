"""The service's side of a fork server (`app.workers.zygote`): what it is asked, and what it reports."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import os
import signal
import socket
import struct
import subprocess
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

from app.workers.environment import environment
from app.workers.lockdown import WorkerLimits
from app.workers.stderr import LastWords
from app.workers.streams import receive_exactly
from app.workers.wire import STARTED

log = logging.getLogger("backlight.workers")

MAX_LINE = 1 << 20
END_SECONDS = 5.0
ORPHAN_SECONDS = 1.0


class Exit(NamedTuple):
    """How a process ended: its exit code, or minus the signal, its processor seconds, the most memory it had, and the
    seconds in which it waited for a core.

    All are None when nobody was left to tell, the last also where the system does not know.
    """

    status: int | None = None
    cpu_seconds: float | None = None
    memory: int | None = None
    waited: float | None = None


class Look(NamedTuple):
    """What a process has done until now: its processor seconds, and those in which it waited for a core; or, where that
    is not known, whether it could run just now."""

    cpu_seconds: float
    waited: float | bool


@dataclass(eq=False)
class Worker:
    """A process that waits for a job, or does one, and the socket to it. `started` is what it used to get ready, `left`
    the loop's time at which its job was over."""

    pid: int
    sock: socket.socket
    server: ForkServer
    exit: asyncio.Future[Exit]
    started: float | None = None
    left: float | None = None
    looking: asyncio.Future[Look] | None = None

    def is_waiting(self) -> bool:
        """Whether it is still there; its exit may be known later than its end."""
        try:
            if self.started is None:
                self.started = STARTED.unpack(self.sock.recv(STARTED.size))[0]
            return bool(self.sock.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except (OSError, struct.error):
            return False

    async def get_started(self) -> float:
        """Wait until it can do its job. Raises EOFError."""
        if self.started is None:
            self.started = STARTED.unpack(await receive_exactly(self.sock, STARTED.size))[0]
        return self.started

    async def look(self) -> Look:
        """Have the fork server look at it. Does not return before there is something to be told."""
        self.looking = asyncio.get_running_loop().create_future()
        self.server.send(b"look %d\n" % self.pid)
        return await self.looking

    def kill(self) -> None:
        """End it, whatever it is doing; its exit is reported soon."""
        if not self.exit.done():
            self.server.send(b"kill %d\n" % self.pid)


class Hello(BaseModel):
    """What a fork server says of itself when it is ready.

    `libraries` are modules for which another one can be asked for; `cores` and `memory` are those of a container of its
    own.
    """

    model_config = ConfigDict(extra="allow")

    engine: str
    source: str
    numpy: str
    locks: list[str]
    limits: dict[str, dict[str, Any]]
    libraries: list[str] = []
    cores: int | None = Field(None, ge=1)
    memory: int | None = Field(None, ge=1)


class Owner(Protocol):
    """Who is told what happens."""

    def forked(self, worker: Worker) -> None:
        """A worker that was asked for is there."""

    def refused(self) -> None:
        """The system would not fork a worker that was asked for."""

    def exited(self, worker: Worker) -> None:
        """A worker has ended."""

    def lost(self, server: ForkServer) -> None:
        """A fork server has ended, and its workers with it."""


@dataclass(eq=False)
class ForkServer:
    """One fork server; made by `start_fork_server`, by another fork server, or by the `host` of one.

    A host is another container, as a rule: process ids from there mean nothing here, and nothing it says is believed
    to be well-formed.
    """

    owner: Owner
    control: socket.socket
    process: subprocess.Popen[bytes] | None = None
    pid: int = 0
    hello: dict[str, Any] = field(default_factory=dict)
    workers: dict[int, Worker] = field(default_factory=dict)
    forking: deque[socket.socket] = field(default_factory=deque)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    words: LastWords | None = None
    host: Path | None = None
    _buffer: bytes = b""
    _ending: bool = False

    def __post_init__(self) -> None:
        self.control.setblocking(False)
        asyncio.get_running_loop().add_reader(self.control, self._read)

    def fork(self) -> None:
        """Ask for a worker. Raises OSError when the system has no room for that now."""
        ours = self._hand_over(b"fork\n")
        ours.setblocking(False)
        self.forking.append(ours)

    def fork_standby(self) -> ForkServer:
        """Ask for a second fork server as fresh as this one was. Raises OSError like `fork`."""
        if self.host is not None:
            return connect_fork_server(self.owner, self.host)
        return ForkServer(self.owner, self._hand_over(b"standby\n"), words=self.words)

    def fork_with_libraries(self) -> ForkServer:
        """Ask for another fork server, which loads the libraries of its jobs. Raises OSError like `fork`."""
        return ForkServer(self.owner, self._hand_over(b"libraries\n"), words=self.words, host=self.host)

    def send(self, line: bytes) -> None:
        with contextlib.suppress(OSError):  # a lost server shows at the next read
            self.control.send(line)

    async def close(self) -> None:
        """End it and its workers, and wait until they are gone."""
        self._ending = self.ready.is_set()
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)
        try:
            async with asyncio.timeout(END_SECONDS):
                await self.gone.wait()
        except TimeoutError:
            self.end()
        if self.process is not None:
            await asyncio.to_thread(self.process.wait)
        if self.words is not None:
            self.words.close()

    def end(self) -> None:
        """End it and its workers without asking; a host's ends when it is left, or with all that hangs there."""
        if self.host is not None:
            with contextlib.suppress(OSError):
                self.control.shutdown(socket.SHUT_RDWR)  # which is then read as its end
            return
        for pid in (self.pid, *self.workers):
            if pid:  # until a standby has said its own, 0, which would be everybody in the service's group
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _hand_over(self, line: bytes) -> socket.socket:
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self.control, [line], [theirs.fileno()])
        except OSError:
            ours.close()
            raise
        return ours

    def _read(self) -> None:
        try:
            data = self.control.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        try:
            for line in lines:
                self._report(line)
            if len(self._buffer) > MAX_LINE:
                raise ValueError("a line without an end")
        except (ValueError, IndexError) as error:
            log.error("the fork server %d says what none says and is ended: %.200s", self.pid, error)
            self.end()

    def _report(self, line: bytes) -> None:
        match line.split(b" ", 2 if line.startswith(b"ready") else -1):
            case [b"ready", pid, hello]:
                self.pid, self.hello = int(pid), Hello.model_validate_json(hello).model_dump()
                self.ready.set()
            case [b"forked", b"0"]:
                self.forking.popleft().close()
                self.owner.refused()
            case [b"forked", number]:
                exit_ = asyncio.get_running_loop().create_future()
                worker = Worker(int(number), self.forking.popleft(), self, exit_)
                self.workers[worker.pid] = worker
                self.owner.forked(worker)
            case [b"looked", number, cpu_seconds, waited]:
                seen = self.workers.get(int(number))
                if seen is not None and seen.looking is not None and not seen.looking.done():
                    known = waited[:1].isdigit()
                    seen.looking.set_result(Look(float(cpu_seconds), float(waited) if known else waited in b"RD"))
            case [b"exited", number, status, cpu_seconds, memory, waited]:
                core = float(waited) if waited[:1].isdigit() else None
                if not math.isfinite(float(cpu_seconds) + (core or 0.0)):
                    raise ValueError("processor time that is none")
                ended = self.workers.pop(int(number), None)
                if ended is not None:
                    ended.exit.set_result(Exit(int(status), float(cpu_seconds), int(memory), core))
                    self.owner.exited(ended)
            case _:
                raise ValueError("a line of no kind")

    def _lost(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self.control)
        self.control.close()
        orphans = [*self.workers, self.pid] if self.host is None else []
        for worker in self.workers.values():
            worker.exit.set_result(Exit())
        self.workers.clear()
        for sock in self.forking:
            sock.close()
        self.forking.clear()
        if self.words is not None and not self._ending:
            for line in self.words.lines():
                log.error("the fork server %d said: %s", self.pid, line)
        self.gone.set()
        self.ready.set()
        loop.call_later(ORPHAN_SECONDS, self._reap, orphans)
        self.owner.lost(self)

    def _reap(self, orphans: list[int]) -> None:
        """Take note of the ends of processes that the system has made ours, as it does where the service is init."""
        if self.process is not None:
            self.process.poll()
        for pid in orphans:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid or -1, os.WNOHANG)


def start_fork_server(owner: Owner, jobs_module: str, limits: WorkerLimits) -> ForkServer:
    """Start a process that will say it is ready once it has imported everything."""
    ours, theirs = socket.socketpair()
    with theirs, contextlib.ExitStack() as refused:
        refused.enter_context(ours)
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "app.workers.zygote", str(theirs.fileno()), jobs_module),
                *(str(limits.memory), str(limits.cpu_seconds), limits.isolation),
            ],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,  # Ctrl-C in the terminal is for the service, which then closes the pool
        )
        refused.pop_all()
    assert process.stderr is not None
    return ForkServer(owner, ours, process, process.pid, words=LastWords(process.stderr))


def connect_fork_server(owner: Owner, host: Path) -> ForkServer:
    """Have the host that listens at `host` fork one (`app.workers.host`). Raises OSError."""
    control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        control.connect(str(host))
    except OSError:
        control.close()
        raise
    return ForkServer(owner, control, host=host)
