"""The process workers are forked from: it has imported everything once and runs nothing but this loop.

    python -m app.workers.zygote CONTROL_FD JOBS_MODULE MEMORY_BYTES CPU_SECONDS ISOLATION

The service never forks itself (it has threads and an event loop). It sends lines on the control socket:
`fork` with one end of a socket pair attached, `kill PID`; the zygote answers `forked PID`, and reports `exited PID
STATUS` for every worker that ended, whoever ended it. When the control socket closes, all workers are killed and the
zygote ends: no process outlives the service, however that died.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import sys
from typing import NoReturn, cast

from app.workers.child import Jobs, serve
from app.workers.lockdown import WorkerLimits, die_with_parent


class Zygote:
    """Forks workers, kills them on request and reaps them."""

    def __init__(self, control: socket.socket, jobs: Jobs, limits: WorkerLimits) -> None:
        self.control = control
        self.jobs = jobs
        self.limits = limits
        self.description = jobs.describe()
        self.workers: set[int] = set()
        self.buffer = b""
        self.wakeup, waker = socket.socketpair()
        for end in (self.wakeup, waker):
            end.setblocking(False)
        self.waker = waker
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)

    def run(self) -> None:
        """Serve the control socket until it closes, then kill every worker."""
        self.say("ready")
        try:
            while True:
                readable, _, _ = select.select([self.control, self.wakeup], [], [])
                if self.wakeup in readable:
                    with contextlib.suppress(BlockingIOError):
                        self.wakeup.recv(4096)
                    self.reap()
                if self.control in readable and not self.read_control():
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
            data, descriptors, _, _ = socket.recv_fds(self.control, 4096, 4)
        except ConnectionResetError:
            return False
        if not data:
            return False
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            command, _, argument = line.partition(b" ")
            if command == b"fork":
                self.fork(descriptors.pop(0))
            elif command == b"kill" and (pid := int(argument)) in self.workers:
                kill_group(pid)
        return True

    def fork(self, descriptor: int) -> None:
        try:
            pid = os.fork()
        except OSError:
            os.close(descriptor)
            self.say("forked 0")
            return
        if pid == 0:
            self.become_worker(descriptor)
        os.close(descriptor)
        self.workers.add(pid)
        self.say(f"forked {pid}")

    def become_worker(self, descriptor: int) -> NoReturn:
        status = 1
        try:
            parent = os.getppid()
            os.setsid()  # a process group of its own, so that all of it can be killed
            die_with_parent(parent)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            if descriptor != 3:
                os.dup2(descriptor, 3)
            os.closerange(4, 1024)
            serve(socket.socket(fileno=3), self.jobs, self.limits, self.description)
            status = 0
        finally:
            os._exit(status)

    def reap(self) -> None:
        while self.workers:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self.workers.discard(pid)
            self.say(f"exited {pid} {os.waitstatus_to_exitcode(status)}")

    def say(self, line: str) -> None:
        with contextlib.suppress(OSError):  # a closed socket shows at the next read
            self.control.sendall(line.encode() + b"\n")


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
    jobs = cast(Jobs, importlib.import_module(module))
    zygote = Zygote(socket.socket(fileno=int(control)), jobs, limits)
    gc.collect()
    gc.freeze()  # the workers share these objects; a collection would copy their pages
    zygote.run()


if __name__ == "__main__":
    main(sys.argv[1:])
