"""The process workers are forked from: it has imported everything once and runs nothing but this loop.

    python -m app.workers.zygote CONTROL_FD JOBS_MODULE MEMORY_BYTES CPU_SECONDS ISOLATION

The service never forks itself (it has threads and an event loop). It sends lines on the control socket:

    fork             with one end of a socket pair attached: a worker that answers there
    standby          with one end of a control socket attached: a second fork server, for when this one dies
    libraries        with one attached, too: another fork server, whose workers have the libraries of their jobs
    kill PID
    look PID         how is that worker doing?

The zygote answers `ready PID DESCRIPTION` once, `forked PID`, `looked PID CPU_SECONDS WAITED` (for a core, in seconds;
or, where the system does not tell, the letter of its state), and `exited PID STATUS CPU_SECONDS BYTES WAITED` for every
process that ended, whoever ended it: what the kernel has counted, which no program can change. When the control socket
closes, all workers are killed and the zygote ends: no process outlives the service, however that died.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import itertools
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from array import array
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from os import getpid  # the real one: programs find another in `os`
from typing import Any, NoReturn, cast

from app.workers import sharing
from app.workers.calls import REPLY
from app.workers.child import REPLY_SECONDS, Jobs, serve
from app.workers.library import Library
from app.workers.lockdown import OPEN_FILES, Lock, WorkerLimits, die_with_parent, grant_cpu, mapped_and_own, prepare
from engine.hashes import leave_addresses

INT = array("i").itemsize
ROOM_FOR_DESCRIPTORS = socket.CMSG_SPACE(4 * INT)
CLOCK_OF_PROCESS = 2
"""With a process's number shifted over it, Linux' name of the clock of its processor time."""
WARM_UP_RUNS = 20
"""Enough for the interpreter to have specialised the code that a run needs; afterwards it would write to it."""


class Zygote:
    """Forks workers, kills them on request and reaps them."""

    def __init__(self, jobs: Jobs, limits: WorkerLimits) -> None:
        self.jobs = jobs
        self.limits = limits
        self.library = Library()
        self.lock = Lock()
        self.locks: list[str] = []
        self.plain = 0
        """Bytes that this process had in memory before libraries, which take nothing of what programs may have."""
        self.written: list[sharing.Piece] = []
        """What every job writes to, which workers copy before they have one."""
        self.description: dict[str, Any] = {}

    def obey(self, control: socket.socket) -> None:
        """Serve this control socket from now on, without any worker yet."""
        self.control = control
        self.workers: set[int] = set()
        self.buffer = b""
        self.wakeup, self.waker = socket.socketpair()
        for end in (self.wakeup, self.waker):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.waker.fileno(), warn_on_full_buffer=False)

    def warm_up(self) -> None:
        """Have everything in memory that a worker needs, where it is shared best."""
        self.description = self.jobs.describe()
        for _ in range(WARM_UP_RUNS):
            self.jobs.warm()
        self.library.read_standard_library()
        self.library.read(self.jobs.LIBRARIES)
        self.settle()

    def load_libraries(self) -> None:
        """Have in memory what the jobs' libraries need, too."""
        gc.enable()
        self.jobs.leave()
        self.library.rest()
        self.library.read(self.jobs.load_libraries())
        for _ in range(WARM_UP_RUNS):
            self.jobs.warm()
        self.settle()

    def settle(self) -> None:
        """Make all that is in memory now what the workers share, which find nothing else."""
        self.library.serve()
        self.jobs.prepare()
        _, own = mapped_and_own() or (0, 0)
        self.plain = self.plain or own
        self.lock = prepare(replace(self.limits, memory=self.limits.memory + max(0, own - self.plain)))
        gc.collect()
        sharing.make_immortal()
        sharing.close_gaps()
        gc.freeze()  # the workers share these objects; a collection would copy their pages
        gc.disable()
        self.locks = self.try_locks()
        self.written = sharing.written_by(partial(self.jobs.warm, last=True))
        sharing.use_huge_pages()  # last: what is written while there is a fork breaks them up

    def try_locks(self) -> list[str]:
        """Which locks hold in a worker: one is forked for a trial."""
        receiving, sending = os.pipe()
        if (pid := sharing.fork()) == 0:
            with ending():
                os.dup2(sending, REPLY)  # the one descriptor that can be written to afterwards
                os.write(REPLY, json.dumps(self.lock.take()).encode())
        os.close(sending)
        with open(receiving) as pipe:
            locks: list[str] = json.load(pipe)
        os.waitpid(pid, 0)
        return locks

    def run(self) -> None:
        """Serve the control socket until it closes, then kill every worker.

        What is done for every worker is kept short: after each fork, all the memory it writes to is copied again.
        """
        told = {"locks": self.locks, "landlock": self.lock.landlock, **self.description}
        self.say(b"ready %d %s\n" % (getpid(), json.dumps(told).encode()))
        inputs = select.poll()
        inputs.register(self.control, select.POLLIN)
        inputs.register(self.wakeup, select.POLLIN)
        signals = self.wakeup.fileno()
        try:
            while True:
                for descriptor, _ in inputs.poll():
                    if descriptor == signals:
                        self.wakeup.recv(4096)
                        self.reap()
                    elif not self.read_control():
                        return
        finally:
            for pid in self.workers:
                kill_group(pid)
            for pid in self.workers:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def read_control(self) -> bool:
        """Obey what the service sent; False when it has gone."""
        try:
            data, ancillary, _, _ = self.control.recvmsg(4096, ROOM_FOR_DESCRIPTORS)
        except ConnectionResetError:
            return False
        if not data:
            return False
        descriptors = b"".join([sent for level, kind, sent in ancillary])
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            if line.startswith((b"fork", b"standby", b"libraries")):
                descriptor = int.from_bytes(descriptors[:INT], sys.byteorder)
                descriptors = descriptors[INT:]
                if line.startswith(b"fork"):
                    self.fork(descriptor)
                else:
                    self.fork_server(descriptor, line == b"libraries")
            elif (pid := int(line[5:])) in self.workers:
                if line.startswith(b"kill"):
                    kill_group(pid)
                else:
                    self.look(pid)
        return True

    def look(self, pid: int) -> None:
        """Say how much processor time a worker has used until now, and how long it has waited for a core."""
        try:
            cpu_seconds = time.clock_gettime(~pid << 3 | CLOCK_OF_PROCESS)
            waited = waiting_time(pid)
        except (OSError, ValueError):
            cpu_seconds, waited = 0.0, "S"
        self.say(b"looked %d %.6f %s\n" % (pid, cpu_seconds, waited.encode()))

    def fork(self, descriptor: int) -> None:
        """Fork a worker that answers on the socket `descriptor`."""
        try:
            pid = sharing.fork()
        except OSError:
            os.close(descriptor)
            self.say(b"forked 0\n")
            return
        if pid == 0:
            self.become_worker(descriptor)
        os.close(descriptor)
        self.workers.add(pid)
        self.say(b"forked %d\n" % pid)

    def become_worker(self, descriptor: int) -> NoReturn:
        with ending():
            parent = os.getppid()
            os.setsid()  # a process group of its own, so that all of it can be killed
            die_with_parent(parent)
            signal.set_wakeup_fd(-1)
            os.dup2(descriptor, REPLY)
            close_all_but(REPLY, self.lock.ruleset)
            sock = socket.socket(fileno=REPLY)
            sharing.copy_now(self.written)
            grant_cpu(self.limits.cpu_seconds + REPLY_SECONDS)
            if self.lock.take() != self.locks:
                os._exit(1)  # no program runs behind fewer locks than /readyz shows
            serve(sock, self.jobs, self.limits.cpu_seconds)
        raise AssertionError

    def fork_server(self, descriptor: int, libraries: bool) -> None:
        """Fork another fork server, which obeys the control socket `descriptor` and does not end with this one."""
        with contextlib.suppress(OSError):
            if sharing.fork() == 0:
                with ending():
                    os.setsid()
                    signal.set_wakeup_fd(-1)
                    for end in (self.control, self.wakeup, self.waker):
                        end.close()
                    control = socket.socket(fileno=descriptor)
                    if libraries:
                        with ending_with(control):
                            self.load_libraries()
                    self.obey(control)
                    self.run()
        os.close(descriptor)

    def reap(self) -> None:
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is None:
                    return
                waited = waiting_time(ended.si_pid)  # while the system still knows
                pid, status, usage = os.wait4(ended.si_pid, 0)
            except ChildProcessError:
                return
            self.workers.discard(pid)
            code = os.waitstatus_to_exitcode(status) if status else 0
            peak = usage[2] if sys.platform == "darwin" else usage[2] << 10
            self.say(b"exited %d %d %.6f %d %s\n" % (pid, code, usage[0] + usage[1], peak, waited.encode()))

    def say(self, line: bytes) -> None:
        try:
            self.control.sendall(line)
        except OSError:
            pass  # a closed socket shows at the next read


@contextlib.contextmanager
def ending() -> Iterator[None]:
    """End this process after the block, with status 0 if nothing went wrong, and run nothing else of the parent's."""
    status = 1
    try:
        yield
        status = 0
    except Exception:
        with contextlib.suppress(OSError):  # a worker has no standard error
            traceback.print_exc()
    finally:
        os._exit(status)


@contextlib.contextmanager
def ending_with(control: socket.socket) -> Iterator[None]:
    """End this process as soon as the other end closes, while nothing reads the socket: loading takes seconds."""

    def look(*_: object) -> None:
        try:
            if not control.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                os._exit(0)
        except BlockingIOError:
            pass
        except ConnectionResetError:
            os._exit(0)

    before = signal.signal(signal.SIGIO, look)
    flags = fcntl.fcntl(control, fcntl.F_GETFL)
    fcntl.fcntl(control, fcntl.F_SETOWN, getpid())
    fcntl.fcntl(control, fcntl.F_SETFL, flags | os.O_ASYNC)
    look()
    try:
        yield
    finally:
        fcntl.fcntl(control, fcntl.F_SETFL, flags)
        signal.signal(signal.SIGIO, before)


def close_all_but(*kept: int | None) -> None:
    """Close every inherited file but these, standard input, output and error too."""
    edges = sorted({-1, *(descriptor for descriptor in kept if descriptor is not None), OPEN_FILES})
    for below, above in itertools.pairwise(edges):
        os.closerange(below + 1, above)


def waiting_time(pid: int) -> str:
    """Seconds for which a process could have run and had no core; or the letter of its state, `R` where it could."""
    try:
        with open(f"/proc/{pid}/schedstat") as file:
            return f"{int(file.read().split()[1]) / 1e9:.6f}"
    except (FileNotFoundError, IndexError):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
        return "S"


def low(descriptor: int) -> int:
    """The same file under a low number. The service's own may be any, also one that workers keep for something else."""
    lowest = os.dup(descriptor)
    os.close(descriptor)
    return lowest


def kill_group(pid: int) -> None:
    """Kill the process group of a worker, or the worker alone if it was too young to have one."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def main(arguments: list[str]) -> None:
    control, module, memory, cpu_seconds, isolation = arguments
    limits = WorkerLimits(int(memory), int(cpu_seconds), isolation)
    leave_addresses()
    jobs = cast(Jobs, importlib.import_module(module))
    orders = socket.socket(fileno=low(int(control)))
    zygote = Zygote(jobs, limits)
    zygote.warm_up()
    zygote.obey(orders)
    zygote.run()


if __name__ == "__main__":
    main(sys.argv[1:])
