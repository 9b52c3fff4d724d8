"""Load: one client cannot shut out the rest, goodput holds under overload, and answers that nobody reads cost little.

Clients are told apart by their loopback address: the honest one is 127.0.0.1, the attacker 127.0.0.2. The service is a
process of its own; the load generator shares its cores, so it is bare sockets on one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import uvloop

from app.config import PROJECT
from tests.attack.report import Result, timed

HONEST = "127.0.0.1"
ATTACKER = "127.0.0.2"
ENGINE = "app.workers.jobs"
STAND_IN = "tests.service.fake_jobs"  # programs that last to the clock limit, whatever the engine's meter says
LAUNCH = "import sys; from app.config import Settings; from app.serving import serve; sys.exit(serve(Settings(), jobs={jobs!r}))"

CHEAP = "import torch\nx = torch.tensor({seed}.0, requires_grad=True)\ny = x * x\ny.backward()\n"
CONNECTIONS = (1, 12, 100, 400)
PATIENCE = 2.0
READERS = 100
MEMORY_BOUND = 150 << 20


@dataclass
class Service:
    """A service process and the port it listens on."""

    process: subprocess.Popen[bytes]
    port: int

    def memory(self) -> int:
        """Resident bytes of the main process."""
        return 4096 * int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])

    def cpu(self) -> float:
        """Processor seconds that the main process has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return bytes(answer.read())


@contextlib.contextmanager
def service(jobs: str = ENGINE, **settings: Any) -> Iterator[Service]:
    """A service of its own process, gone when the block ends."""
    with socket.socket() as probe, TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        variables = {"PORT": port, "BACKLIGHT_STORE": f"{folder}/runs.sqlite3", "BACKLIGHT_LOG_LEVEL": "error"}
        variables |= {f"BACKLIGHT_{name.upper()}": value for name, value in settings.items()}
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH.format(jobs=jobs)],
            cwd=PROJECT,
            env={**os.environ, **{name: str(value) for name, value in variables.items()}},
            stderr=subprocess.DEVNULL,
        )
        started = Service(process, port)
        try:
            deadline = time.monotonic() + 60
            while True:
                with contextlib.suppress(OSError):
                    started.get("/readyz")
                    break
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("the service did not start")
                time.sleep(0.05)
            yield started
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@dataclass
class Tally:
    """What a load generator got: how often each status, and how long each answer of 200 took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def within(self, seconds: float) -> int:
        return sum(taken <= seconds for taken in self.seconds)


class Caller(asyncio.Protocol):
    """One connection that sends its next request when the last is answered."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.transport: asyncio.Transport
        self.buffer = bytearray()
        self.needed = 0
        self.sent = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.load.callers.add(self)
        self.send()

    def send(self) -> None:
        if self.load.over:
            self.transport.close()
            return
        self.sent = time.monotonic()
        self.transport.write(self.load.next_request())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.needed:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            length = self.buffer.lower().find(b"content-length: ", 0, end)
            self.needed = end + 4 + int(self.buffer[length + 16 : self.buffer.find(b"\r\n", length)])
        if len(self.buffer) >= self.needed:
            status = int(self.buffer[9:12])
            taken = time.monotonic() - self.sent
            self.buffer.clear()
            self.needed = 0
            self.load.answered(status, taken)
            if self.load.pause:
                asyncio.get_running_loop().call_later(self.load.pause, self.send)
            else:
                self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        self.load.callers.discard(self)
        if not self.load.over:
            self.load.tally.statuses[0] += 1
            asyncio.get_running_loop().call_later(0.1, self.load.connect)


class Load:
    """`connections` of one address, each in a closed loop that ignores Retry-After; `pause` seconds between requests."""

    def __init__(self, port: int, address: str, connections: int, program: str, *, pause: float = 0.0) -> None:
        self.port = port
        self.address = address
        self.connections = connections
        self.program = program
        self.pause = pause
        self.tally = Tally()
        self.callers: set[Caller] = set()
        self.over = False
        self.number = random.randrange(1 << 40)
        self._opening: set[asyncio.Task[None]] = set()

    def next_request(self) -> bytes:
        self.number += 1
        body = json.dumps({"code": self.program.format(seed=self.number)}).encode()
        head = b"POST /v1/runs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nContent-Type: application/json\r\n"
        return b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)

    def answered(self, status: int, seconds: float) -> None:
        if not self.over:
            self.tally.statuses[status] += 1
            if status == 200:
                self.tally.seconds.append(seconds)

    def connect(self) -> None:
        task = asyncio.get_running_loop().create_task(self._connect())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.create_connection(lambda: Caller(self), HONEST, self.port, local_addr=(self.address, 0))
        except OSError:
            if not self.over:
                loop.call_later(0.1, self.connect)

    def start(self) -> Load:
        for _ in range(self.connections):
            self.connect()
        return self

    def stop(self) -> Tally:
        """Count what is still waited for as status -1, and end."""
        waited = time.monotonic()
        for caller in self.callers:
            if waited - caller.sent > PATIENCE:
                self.tally.statuses[-1] += 1
        self.over = True
        for caller in list(self.callers):
            caller.transport.abort()
        return self.tally


def goodput(port: int, connections: int, seconds: float) -> float:
    """Runs per second that are answered 200, after a moment of settling."""

    async def measure() -> float:
        load = Load(port, HONEST, connections, CHEAP).start()
        await asyncio.sleep(min(2.0, seconds / 3))
        load.tally = Tally()
        started = time.monotonic()
        await asyncio.sleep(seconds)
        taken = time.monotonic() - started
        return load.stop().statuses[200] / taken

    return uvloop.run(measure())


def beside(port: int, connections: int, seconds: float) -> tuple[Tally, Tally]:
    """What the honest client and the attacker got, side by side."""

    async def measure() -> tuple[Tally, Tally]:
        attacker = Load(port, ATTACKER, connections, "loop {seed}").start()
        await asyncio.sleep(1.0)
        honest = Load(port, HONEST, 2, "honest {seed}", pause=0.1).start()
        await asyncio.sleep(seconds)
        return honest.stop(), attacker.stop()

    return uvloop.run(measure())


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "goodput":
        with service() as running:
            for count in map(int, sys.argv[2].split(",")):
                before = running.cpu()
                rate = goodput(running.port, count, 6.0)
                print(count, round(rate, 1), "runs/s; main", round((running.cpu() - before) / 8, 2), "cores")
    else:
        with service(STAND_IN) as running:
            for count in map(int, sys.argv[2].split(",")):
                honest, attacker = beside(running.port, count, 15.0)
                print(count, honest.statuses, honest.within(2), "attacker", attacker.statuses)
