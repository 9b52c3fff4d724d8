"""Load: one client cannot shut out the rest, and goodput holds under overload.

Clients are told apart by their loopback address: the honest one is 127.0.0.1, the attacker 127.0.0.2. The service is a
process of its own; the load generator shares its cores, so it is bare sockets on one event loop.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import cast

import uvloop

from tests.attack.report import Result, first, table, timed
from tests.attack.service import service
from tests.loops import completed

HONEST = "127.0.0.1"
ATTACKER = "127.0.0.2"
STAND_IN = "tests.service.fake_jobs"  # programs that last to the clock limit, whatever the engine's meter says

CHEAP = "import torch\nx = torch.tensor({seed}.0, requires_grad=True)\ny = x * x\ny.backward()\n"
CONNECTIONS = (400, 1, 12, 100)
TIMES = (3, 1, 10)
TURNS = (([ATTACKER], 12), ([ATTACKER], 80), ([ATTACKER, "127.0.0.3"], 12))
PATIENCE = 2.0


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
            if self.load.once:
                self.transport.close()
            elif self.load.pause:
                asyncio.get_running_loop().call_later(self.load.pause, self.send)
            else:
                self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        self.load.callers.discard(self)
        if not self.load.over:
            self.load.tally.statuses[0] += 1
            asyncio.get_running_loop().call_later(0.1, self.load.connect)


class Load:
    """`connections` of one address, each in a closed loop that ignores Retry-After, with `pause` seconds in between."""

    once = False  # whether a connection ends with its first answer, or when it has waited for `PATIENCE` seconds

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
        head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
        return b"%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (head, len(body), body)

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
            transport, _ = await loop.create_connection(
                lambda: Caller(self), HONEST, self.port, local_addr=(self.address, 0)
            )
            if self.once:
                loop.call_later(PATIENCE, transport.close)
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


class HeavyLoad(Load):
    """Bodies of 250 KB that are expensive to read: tens of thousands of small lists, and an error at their end."""

    def next_request(self) -> bytes:
        self.number += 1
        body = b'{"graph":{"tensors":{"a":{"data":[%s"%d"]}}}}' % (b"[1]," * 62_000, self.number)
        head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        return b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)


def goodput(port: int, connections: int, seconds: float) -> float:
    """Runs per second that are answered 200, after a moment of settling."""

    async def measure() -> float:
        load = Load(port, HONEST, connections, CHEAP).start()
        await asyncio.sleep(min(2.0, seconds / 2))
        load.tally = Tally()
        started = time.monotonic()
        await asyncio.sleep(seconds)
        taken = time.monotonic() - started
        return load.stop().statuses[200] / taken

    return completed(measure(), uvloop.run)


def beside(port: int, attackers: list[Load], honest: str, seconds: float) -> Tally:
    """What two connections of the honest client get while the attackers are at it."""

    async def measure() -> Tally:
        for attacker in attackers:
            attacker.start()
        await asyncio.sleep(1.0)
        load = Load(port, HONEST, 2, honest, pause=0.1).start()
        await asyncio.sleep(seconds)
        for attacker in attackers:
            attacker.stop()
        return load.stop()

    return completed(measure(), uvloop.run)


def idlers(port: int, address: str, count: int, request: bytes = b"") -> list[socket.socket]:
    """Connections that send `request` and then neither send nor read any more."""
    opened = []
    for _ in range(count):
        idler = socket.socket()
        idler.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        idler.bind((address, 0))
        idler.connect((HONEST, port))
        idler.sendall(request)
        opened.append(idler)
    return opened


def fetch(path: str, *, gzipped: bool) -> bytes:
    accept = "gzip" if gzipped else "identity"
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {accept}\r\n\r\n".encode()


def attack_goodput(result: Result, size: float) -> None:
    """Goodput at 400 connections is at least 80 % of the best, and an honest client is served at any load."""
    with service(workers=0) as running:
        curve = {count: goodput(running.port, count, max(2.0, 3.2 * size)) for count in first(CONNECTIONS, size)}
        best = max(curve.values())
        result.figures |= {f"runs/s at {count}": round(rate, 1) for count, rate in curve.items()}
        if size >= 0.5:  # a look of two seconds beside other tests compares nothing
            result.expect(curve[400] >= 0.8 * best, f"{curve[400]:.0f} runs/s at 400 connections, {best:.0f} at best")
        else:
            result.expect(min(curve.values()) > 0, f"runs/s by connections: {curve}")
        for factor in first(TIMES, size):
            load = Load(running.port, ATTACKER, 100, CHEAP, pause=100 / (factor * best))
            served(result, f"{factor}× capacity", beside(running.port, [load], CHEAP, max(2.0, 4.0 * size)))


def attack_turns(result: Result, size: float) -> None:
    """Programs that last, on 12 and 80 connections of one address and on 12 of each of two."""
    with service(STAND_IN, workers=0) as running:
        for addresses, connections in first(TURNS, size):
            loads = [Load(running.port, address, connections, "loop {seed}") for address in addresses]
            name = f"{len(addresses)} × {connections} connections"
            served(result, name, beside(running.port, loads, "honest {seed}", max(3.0, 12.0 * size)))
        heavy = HeavyLoad(running.port, ATTACKER, 80, "")
        served(result, "80 × large bodies", beside(running.port, [heavy], "honest {seed}", max(3.0, 12.0 * size)))


def served(result: Result, name: str, honest: Tally) -> None:
    """At least 95 % of the honest client's runs are answered within `PATIENCE`."""
    asked = sum(honest.statuses.values())
    share = honest.within(PATIENCE) / asked if asked else 0.0
    result.figures[f"served beside {name}"] = f"{share:.0%}"
    result.expect(share >= 0.95, f"beside {name}: {dict(honest.statuses)}, {honest.within(PATIENCE)} in time")


def attack_idlers(result: Result) -> None:
    """Idle connections of one address leave the service to the others, and to that address itself."""
    with service(STAND_IN, workers=0) as running:
        opened = idlers(running.port, ATTACKER, 1100)
        for address in (HONEST, ATTACKER):
            (probe,) = idlers(running.port, address, 1, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            probe.settimeout(5)
            answer = probe.recv(12)
            result.expect(answer == b"HTTP/1.1 200", f"beside 1,100 idle connections {address} gets {answer!r}")
            probe.close()
        for idler in opened:
            idler.close()


def attack(size: float) -> Result:
    """All of it; `size` 1.0 takes about two minutes."""
    result = Result("load", "one client cannot shut out the rest")
    with timed(result):
        attack_goodput(result, size)
        attack_turns(result, size)
        attack_idlers(result)
    return result


if __name__ == "__main__":
    row = attack(float(sys.argv[1]) if len(sys.argv) > 1 else 0.2)
    print(table([row]), *row.failures, sep="\n")
