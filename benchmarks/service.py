"""What one run costs through the service.

python -m benchmarks.service [--quick]

Every program is another one, so that the store answers none. CPU seconds are those of the service's own processes, as
the kernel counts them.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from app.config import PROJECT, available_cores
from benchmarks.workloads import SNIPPET

PAUSE = 0.05
"""Seconds between two programs of somebody who reads what came: enough for new processes to be ready."""
SEED_EXAMPLES = sorted((PROJECT / "app" / "examples" / "programs").glob("seed*.py"))
TICKS = os.sysconf("SC_CLK_TCK")

_number = count()


@dataclass
class Measured:
    """Seconds that single requests took, and what a stretch of them took together."""

    latencies: list[float] = field(default_factory=list)
    runs: int = 0
    wall: float = 0.0
    cpu: dict[str, float] = field(default_factory=dict)

    def quantile(self, share: float) -> float:
        """The latency that `share` of the requests stay under, in milliseconds."""
        ordered = sorted(self.latencies)
        return ordered[int(share * (len(ordered) - 1))] * 1e3

    @property
    def rate(self) -> float:
        """Runs in a second."""
        return self.runs / self.wall

    def cpu_of(self, part: str) -> float:
        """Milliseconds of processor time that a part of the service spent on one run."""
        return self.cpu[part] / self.runs * 1e3


class Service:
    """A running service of our own: its address and its processes."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process, self.port = process, port

    def connect(self) -> Connection:
        return Connection(socket.create_connection(("127.0.0.1", self.port)))

    def cpu(self) -> dict[str, float]:
        """CPU seconds so far of the main process, of fork servers and of workers, dead ones included."""
        main = self.process.pid
        table = {pid: row for pid, row in processes()}
        zygotes = {pid for pid in table if in_command(pid, b"app.workers.zygote") and table[pid].parent == main}
        inner = {pid for pid, row in table.items() if descends(table, pid, zygotes)}
        servers = zygotes | {pid for pid in inner if any(table[other].parent == pid for other in inner)}
        workers = inner - servers
        return {
            "main": table[main].own,
            "zygote": sum(table[pid].own for pid in servers),
            "worker": sum(table[pid].own for pid in workers) + sum(table[pid].reaped for pid in servers),
        }


@dataclass(frozen=True)
class Row:
    """What /proc tells of a process: its parent, its CPU seconds, and those of the children it has waited for."""

    parent: int
    own: float
    reaped: float


def processes() -> Iterator[tuple[int, Row]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            own, reaped = (sum(map(int, fields[at : at + 2])) / TICKS for at in (11, 13))
            yield int(folder.name), Row(int(fields[1]), own, reaped)


def in_command(pid: int, words: bytes) -> bool:
    try:
        return words in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def descends(table: dict[int, Row], pid: int, ancestors: set[int]) -> bool:
    while (row := table.get(pid)) is not None:
        if row.parent in ancestors:
            return True
        pid = row.parent
    return False


class Connection:
    """One kept-alive connection; speaks just enough HTTP to cost nearly nothing."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def run(self, code: str) -> float:
        """Run a program no one has sent before; the seconds it took."""
        body = json.dumps({"code": f"{code}\n# {next(_number)}"}).encode()
        request = (
            b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Accept-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        start = time.perf_counter()
        self.sock.sendall(request)
        data = self.sock.recv(1 << 16)
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.sock.recv(1 << 16)
        head = data[:end].lower()
        left = int(head.split(b"content-length:")[1].split(b"\r\n")[0]) - (len(data) - end - 4)
        while left > 0:
            left -= len(self.sock.recv(1 << 16))
        seconds = time.perf_counter() - start
        if not head.startswith((b"http/1.1 200", b"http/1.1 201")):
            raise RuntimeError(f"the service answered {data[:400]!r}")
        return seconds


@contextlib.contextmanager
def serving() -> Iterator[Service]:
    """A service that keeps its results in memory."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {"PORT": port, "BACKLIGHT_STORE": "memory"}
    process = subprocess.Popen(
        [sys.executable, "-m", "app"],
        cwd=PROJECT,
        env={**os.environ, **{name: str(value) for name, value in settings.items()}, "BACKLIGHT_LOG_LEVEL": "warning"},
    )
    service = Service(process, port)
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                service.connect().sock.close()
                break
            time.sleep(0.1)
        yield service
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@dataclass(frozen=True)
class Load:
    """Programs sent on several connections, each so many seconds after the one before was answered."""

    connections: int
    pause: float
    program: Callable[[], str]


def measure(service: Service, measured: Measured, load: Load, seconds: float) -> None:
    """Put a load on a service for a while."""
    before = service.cpu()
    start = time.perf_counter()
    opened = [service.connect() for _ in range(load.connections)]

    def client(connection: Connection) -> None:
        while time.perf_counter() - start < seconds:
            measured.latencies.append(connection.run(load.program()))
            time.sleep(load.pause)

    runs = len(measured.latencies)
    threads = [threading.Thread(target=client, args=(connection,)) for connection in opened]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    measured.wall += time.perf_counter() - start
    measured.runs += len(measured.latencies) - runs
    for part, spent in service.cpu().items():
        measured.cpu[part] = measured.cpu.get(part, 0.0) + spent - before[part]
    for connection in opened:
        connection.sock.close()


def costs(seconds: float) -> dict[str, dict[str, float]]:
    """Print all figures; returns them by their names."""
    cores = available_cores()
    examples = [path.read_text(encoding="utf-8") for path in SEED_EXAMPLES]
    turn = count()
    loads = {
        "one connection": Load(1, 0.0, lambda: SNIPPET),
        f"{4 * cores} connections": Load(4 * cores, 0.0, lambda: SNIPPET),
        "now and then": Load(1, PAUSE, lambda: SNIPPET),
        "seed examples, now and then": Load(1, PAUSE, lambda: examples[next(turn) % len(examples)]),
    }
    results = {name: Measured() for name in loads}
    with serving() as service:
        for name, load in loads.items():
            measure(service, Measured(), load, seconds / 5)
            measure(service, results[name], load, seconds)
    print(f"service on {cores} cores")
    figures: dict[str, Callable[[Measured], float]] = {
        "p50, ms": lambda measured: measured.quantile(0.5),
        "p95, ms": lambda measured: measured.quantile(0.95),
        "runs/s": lambda measured: measured.rate,
        "worker, ms CPU a run": lambda measured: measured.cpu_of("worker"),
        "fork server, ms CPU a run": lambda measured: measured.cpu_of("zygote"),
        "main process, ms CPU a run": lambda measured: measured.cpu_of("main"),
    }
    table: dict[str, dict[str, float]] = {}
    for title, measured in results.items():
        for name, figure in figures.items():
            table[f"{title}: {name}"] = {"service": figure(measured)}
            print(f"{title}: {name}".ljust(52), f"{figure(measured):,.2f}".rjust(11), flush=True)
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fifth of the time")
    costs(2.0 if parser.parse_args().quick else 10.0)
