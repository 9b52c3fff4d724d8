"""Unread answers: however many large documents one client asks for and leaves lying, the others are answered in time.

The attacker opens hundreds of connections, asks on each, reads little or nothing and begins again. The honest client
runs new programs and looks at what is stored, one request after the other; it is told apart by its loopback address.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

import uvloop

from tests.attack.load import ATTACKER, CHEAP, HONEST, STAND_IN, Load, Tally, fetch, idlers
from tests.attack.report import Result, first, table, timed
from tests.attack.service import Service, service
from tests.loops import completed

PLAIN, GZIP = False, True
TENSORS = {"4 MB": 1180, "7.6 MB": 2290}
"""Tensors of 256 random numbers, which make a document of that size."""

BOUND_SECONDS, BOUND_FACTOR = 0.5, 8.0
"""The slowest of a hundred answers, or how many times what it was without an attacker, on a busy machine."""
ENOUGH, LONGEST = 100, 60.0  # answers that are waited for, and seconds
MEMORY_BOUND = 150 << 20
READERS = 100  # of documents of 16 MB
HOLD_SECONDS = 0.3
READ_BYTES = 16 << 10


@dataclass(frozen=True)
class Wave:
    """What the attacker does again and again: `asks` requests on each of `connections` of `addresses`."""

    name: str
    document: str
    connections: int
    gzipped: bool
    asks: int = 1
    addresses: int = 1
    reads: bool = False


WAVES = (
    Wave("200 × 4 MB", "4 MB", 200, PLAIN),
    Wave("450 × 7.6 MB", "7.6 MB", 450, PLAIN),
    Wave("450 × 7.6 MB, gzip", "7.6 MB", 450, GZIP),
    Wave("200 × 20 pipelined", "4 MB", 200, PLAIN, asks=20),
    Wave("400 of 8 addresses", "7.6 MB", 400, PLAIN, addresses=8),
    Wave("400 slow readers", "7.6 MB", 400, PLAIN, reads=True),
    Wave("450 × page", "/docs", 450, PLAIN, asks=20, reads=True),
    Wave("450 × 60 pipelined, refused", "/docs", 450, PLAIN, asks=60),
)


def besiege(port: int, wave: Wave, request: bytes, begun: Event, over: Event) -> None:
    """Ask on hundreds of connections, read little or nothing, and do so again with new ones."""
    while not over.is_set():
        opened = [reader(port, f"127.0.0.{2 + number % wave.addresses}", request) for number in range(wave.connections)]
        begun.set()
        if wave.reads:
            read(opened)
        else:
            over.wait(HOLD_SECONDS)
        for connection in opened:
            connection.close()


def reader(port: int, address: str, request: bytes) -> socket.socket:
    connection = socket.socket()
    with contextlib.suppress(OSError):
        connection.bind((address, 0))
        connection.connect((HONEST, port))
        connection.setblocking(False)
        connection.send(request)
    return connection


def read(opened: list[socket.socket]) -> None:
    """Take a few kilobytes from each, in turn."""
    end = time.monotonic() + HOLD_SECONDS
    while time.monotonic() < end:
        for connection in opened:
            with contextlib.suppress(OSError):
                connection.recv(READ_BYTES)
        time.sleep(0.01)


@contextlib.contextmanager
def besieged(running: Service, wave: Wave, path: str) -> Iterator[None]:
    """An attacker in a process of its own, which does not keep the honest client from looking at the clock."""
    context = multiprocessing.get_context("spawn")
    begun, over = context.Event(), context.Event()
    request = fetch(path, gzipped=wave.gzipped) * wave.asks
    attacker = context.Process(target=besiege, args=(running.port, wave, request, begun, over), daemon=True)
    attacker.start()
    try:
        if not begun.wait(30):
            raise RuntimeError("the attacker did not begin")
        yield
    finally:
        over.set()
        attacker.join(30)


class Looks(Load):
    """GETs of what is small: a page, a static file, and whether the service lives."""

    paths: tuple[str, ...] = ("/", "/static/css/page.css", "/healthz")

    def next_request(self) -> bytes:
        self.number += 1
        return fetch(self.paths[self.number % len(self.paths)], gzipped=True)


def large_document(running: Service, tensors: int) -> str:
    """The address of a run whose document has so many tensors of 256 random numbers."""
    found = running.run("import torch\n" + "".join(f"a{n} = torch.randn(16, 16)\n" for n in range(tensors)))
    if found.status != 200:
        raise RuntimeError(f"the document was not made: {found.status} {found.body[:200]!r}")
    return found.headers["content-location"]


def honest(running: Service, seconds: float) -> tuple[Tally, int]:
    """What honest clients get until `seconds` are over and they have enough, and the most memory meanwhile."""

    async def measure() -> tuple[Tally, int]:
        runs, looks = Load(running.port, HONEST, 1, CHEAP, pause=0.02), Looks(running.port, HONEST, 1, "", pause=0.02)
        end = time.monotonic() + seconds
        most = 0
        for load in (runs, looks):
            load.start()
        while (left := end - time.monotonic()) > 0 or (
            len(runs.tally.seconds) + len(looks.tally.seconds) < ENOUGH and left > -LONGEST
        ):
            await asyncio.sleep(0.1)
            most = max(most, running.memory())
        return together(runs.stop(), looks.stop()), most

    return completed(measure(), uvloop.run)


def together(*tallies: Tally) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.statuses.update(tally.statuses)
        whole.seconds += tally.seconds
    return whole


def processor_seconds(process: int) -> float:
    """What a process has used until now."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def half_and_late(tally: Tally, otherwise: float) -> tuple[float, float]:
    """Within how many seconds half of the answers came, and 99 of 100."""
    taken = sorted(tally.seconds)
    half, late = (taken[int(len(taken) * share)] if taken else otherwise for share in (0.5, 0.99))
    return half, late


def attack_wave(result: Result, running: Service, wave: Wave, path: str, seconds: float, bound: float) -> None:
    """An honest client is answered within `bound` seconds beside one wave, and the memory of the main process does not
    follow it."""
    before, used = running.memory(), processor_seconds(running.process.pid)
    with besieged(running, wave, path):
        got, most = honest(running, seconds)
    used = processor_seconds(running.process.pid) - used
    half, late = half_and_late(got, seconds)
    result.figures[wave.name] = f"{half * 1e3:.0f} / {late * 1e3:.0f} ms"
    grown = (most - before) / 1e6
    result.figures[f"{wave.name}, main"] = f"{used:.1f} s, {grown:+.0f} MB"
    other = {status: count for status, count in got.statuses.items() if status != 200}
    result.expect(not other, f"{wave.name}: honest requests ended with {other}")
    result.expect(bool(got.seconds) and late <= bound, f"{wave.name}: the slowest of 100 took {late:.2f} s")
    result.expect(most - before <= MEMORY_BOUND, f"{wave.name}: the main process grew by {grown:.0f} MB")


def peak(running: Service, paths: list[str], *, gzipped: bool) -> int:
    """The most memory of the main process while `READERS` connections ask for documents and read nothing, in bytes."""
    opened = []
    for number in range(READERS):
        opened += idlers(running.port, ATTACKER, 1, fetch(paths[number % len(paths)], gzipped=gzipped))
    most = 0
    for _ in range(30):
        time.sleep(0.1)
        most = max(most, running.memory())
    for reader in opened:
        reader.close()
    return most


def attack_memory(result: Result, size: float) -> None:
    """Memory does not follow what is asked for: one document or several, compressed or not."""
    with service(STAND_IN, workers=0, result_mb=16) as running:
        before = running.memory()
        several = [f"noise 16000000 {seed}" for seed in range(max(2, round(16 * size)))]
        asked = (("several", several), ("one", several[:1]), ("compressible", ["pad 8000000"]))
        for kind, programs in first(asked, size):
            paths = [running.run(program).headers["content-location"] for program in programs]
            for gzipped in (True, False):
                grown = peak(running, paths, gzipped=gzipped) - before
                name = f"unread {kind}, {'gzip' if gzipped else 'plain'}"
                result.figures[f"{name} (MB)"] = round(grown / 1e6)
                result.expect(grown <= MEMORY_BOUND, f"{name}: the main process grew by {grown / 1e6:.0f} MB")
        result.expect(running.ask("GET", "/healthz").body == b'{"status":"ok"}', "the service does not answer any more")


def attack(size: float) -> Result:
    """All of it; `size` 1.0 takes about two minutes."""
    result = Result("unread", "answers that nobody reads are in nobody's way")
    with timed(result):
        with service() as running:
            paths = {name: large_document(running, tensors) for name, tensors in TENSORS.items()}
            seconds = max(2.0, 10.0 * size)
            _, late = half_and_late(honest(running, seconds)[0], seconds)
            bound = max(BOUND_SECONDS, BOUND_FACTOR * late)
            result.figures["no attacker"] = f"{late * 1e3:.0f} ms"
            for wave in first(WAVES, size):
                attack_wave(result, running, wave, paths.get(wave.document, wave.document), seconds, bound)
        attack_memory(result, size)
    return result


if __name__ == "__main__":
    row = attack(float(sys.argv[1]) if len(sys.argv) > 1 else 0.2)
    print(table([row]), *row.failures, sep="\n")
