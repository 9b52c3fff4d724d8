"""Fork servers for services in other containers: everything is imported once, and each connection gets one of its own.

    python -m app.workers.host SOCKET JOBS_MODULE MEMORY_BYTES CPU_SECONDS ISOLATION CORES CONTAINER_BYTES

A fork server obeys its connection as `app.workers.zygote` does its control socket, and ends with it or with this
process. `python -m app.workers` becomes this process, with its settings and without its environment.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, cast

from app.workers.child import Jobs
from app.workers.lockdown import WorkerLimits, die_with_parent, lacking
from app.workers.zygote import Zygote, ending

BACKLOG = 16
CREDENTIALS = struct.Struct("iII")


def listen(path: Path) -> socket.socket:
    """A socket at `path` that this user alone may connect to; takes the place of what an earlier host left there."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(str(fresh))
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    fresh.rename(path)
    return listener


def is_ours(connection: socket.socket) -> bool:
    """Whether this user is at the other end, as far as the system tells."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    user: int = CREDENTIALS.unpack(credentials)[1]
    return user == os.getuid()


def serve(listener: socket.socket, zygote: Zygote) -> NoReturn:
    """Give each connection a fork server."""
    while True:
        connection, _ = listener.accept()
        with connection:
            if is_ours(connection):
                fork_server(listener, connection, zygote)


def fork_server(listener: socket.socket, connection: socket.socket, zygote: Zygote) -> None:
    """Fork a server that obeys `connection`; where the system has no room for one the connection is closed."""
    host = os.getpid()
    with contextlib.suppress(OSError):
        if os.fork() == 0:
            with ending():
                os.setsid()
                die_with_parent(host)
                for number in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, signal.SIG_DFL)
                listener.close()
                zygote.obey(connection)
                zygote.run()


def reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


@contextlib.contextmanager
def until_told() -> Iterator[None]:
    """Run the block until SIGTERM or SIGINT, reaping children meanwhile."""
    signal.signal(signal.SIGCHLD, reap)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    with contextlib.suppress(SystemExit):
        yield


def main(arguments: list[str]) -> None:
    path, module, memory, cpu_seconds, isolation, cores, container = arguments
    zygote = Zygote(cast(Jobs, importlib.import_module(module)), WorkerLimits(int(memory), int(cpu_seconds), isolation))
    zygote.warm_up()
    if isolation == "strict" and (missing := lacking(zygote.locks)):
        sys.exit(missing)
    zygote.description |= {"cores": int(cores), "memory": int(container) or None}
    with until_told(), listen(Path(path)) as listener:
        locks = ", ".join(zygote.locks)
        if "landlock" in zygote.locks:
            locks = f"{locks} (Landlock's ABI {zygote.lock.landlock})"
        told = f"{cores} cores, {int(container) >> 20:,} MB, locks: {locks}"
        print(f"workers are forked for those who connect to {path}: {told}", file=sys.stderr, flush=True)
        serve(listener, zygote)


if __name__ == "__main__":
    main(sys.argv[1:])
