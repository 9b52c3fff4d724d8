"""Networks: no number of addresses, and no site, shuts out somebody whose programs are short.

Every attacking address keeps three connections busy with programs that last to the limit. Addresses are told apart on
loopback; those of a site are named by a trusted proxy, which is the attacker itself.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Coroutine, Sequence

import uvloop

from app.config import available_cores
from tests.attack.load import CHEAP, HONEST, PATIENCE, STAND_IN, Load, Tally
from tests.attack.report import Result, table, timed
from tests.attack.service import ENGINE, service, sources
from tests.loops import completed

EACH = 3
EVERY = 0.3
CROWD = 100
ENDLESS = "import torch\nx = torch.ones(999983)  # {seed}\nwhile True:\n    torch.fft.fft(x)\n"
SHORT = {STAND_IN: "honest {seed}", ENGINE: CHEAP}
LASTING = {STAND_IN: "loop {seed}", ENGINE: ENDLESS}
MEDIUM = "burn 2.00{seed}"
PROXY = "127.0.0.9"
LONG = (
    "import torch  # {seed}\nw = torch.ones(3, requires_grad=True)\nfor _ in range(60):\n    (w * w).sum().backward()\n"
)
"""A short program with a document of 200 KB, which is looked at beside the event loop."""
LESSON = "seed4_graph"
PICTURES = 10


class Proxied(Load):
    """Connections of a trusted proxy, whose requests come from the addresses of `networks`, one after the other."""

    def __init__(self, port: int, networks: Sequence[str], connections: int, program: str) -> None:
        super().__init__(port, PROXY, connections, program)
        self.networks = networks

    def next_request(self) -> bytes:
        head, _, body = super().next_request().partition(b"\r\n\r\n")
        source = self.networks[self.number % len(self.networks)]
        return b"%s\r\nX-Forwarded-For: %s\r\n\r\n%s" % (head, source.encode(), body)


class Passing(Load):
    """Connections from addresses that nobody has seen before: each sends one program, waits a little, and is gone."""

    once = True
    addresses = sources()

    async def _connect(self) -> None:
        self.address = next(self.addresses)
        await super()._connect()


class Pictures(Load):
    """Connections that ask for the pictures of links to a lesson, each for another step."""

    def next_request(self) -> bytes:
        self.number += 1
        step = self.number % 10**6
        return f"GET /preview/l/{LESSON}/{step}.png HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


async def ask(port: int, program: str, tally: Tally, source: str = HONEST) -> None:
    """One program of an honest address, on a connection of its own."""
    body = json.dumps({"code": program}).encode()
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
    started = time.monotonic()
    try:
        reader, writer = await asyncio.open_connection(HONEST, port, local_addr=(source, 0))
        writer.write(b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body))
        answer = await reader.read()
        writer.close()
        tally.statuses[int(answer[9:12])] += 1
        if answer[9:12] == b"200":
            tally.seconds.append(time.monotonic() - started)
    except (OSError, ValueError):
        tally.statuses[0] += 1


async def steadily(port: int, program: str, seconds: float, newcomers: bool = False) -> Tally:
    """A short program every `EVERY` seconds, whether or not those before are answered; -1 counts those that are not.
    `newcomers`: each of an address that has asked for nothing yet."""
    tally, tasks = Tally(), []
    for number in range(max(1, round(seconds / EVERY))):
        source = f"127.9.{number >> 8}.{number & 0xFF}" if newcomers else HONEST
        tasks.append(asyncio.create_task(ask(port, program.format(seed=time.monotonic_ns()), tally, source)))
        await asyncio.sleep(EVERY)
    _, late = await asyncio.wait(tasks, timeout=PATIENCE)
    tally.statuses[-1] += len(late)
    for task in late:
        task.cancel()
    return tally


async def in_turn(port: int, program: str, seconds: float) -> Tally:
    """Programs of two seconds, one after the other."""
    tally = Tally()
    try:
        async with asyncio.timeout(seconds):
            while True:
                await ask(port, program.format(seed=time.monotonic_ns()), tally)
    except TimeoutError:
        return tally


def beside(attackers: list[Load], honest: Coroutine[None, None, Tally]) -> Tally:
    """What the honest address gets from the moment on at which the attackers begin."""

    async def measure() -> Tally:
        for attacker in attackers:
            attacker.start()
        try:
            return await honest
        finally:
            for attacker in attackers:
                attacker.stop()

    return completed(measure(), uvloop.run)


def served(result: Result, name: str, tally: Tally) -> None:
    asked, soon = sum(tally.statuses.values()), tally.within(PATIENCE)
    result.figures[f"served beside {name}"] = f"{soon / asked:.0%}"
    result.expect(soon >= 0.95 * asked, f"beside {name}: {dict(tally.statuses)}, {soon} in time")


def addresses(port: int, count: int, program: str, each: int = EACH) -> list[Load]:
    return [Load(port, f"127.0.0.{10 + number}", each, program) for number in range(count)]


def attack_addresses(result: Result, jobs: str, counts: Sequence[int], seconds: float) -> None:
    """Programs that last, on three connections of each of `counts` addresses."""
    for count in counts:
        with service(jobs, workers=0) as running:
            honest = steadily(running.port, SHORT[jobs], seconds)
            tally = beside(addresses(running.port, count, LASTING[jobs]), honest)
            served(result, f"{count} addresses{' of the engine' if jobs == ENGINE else ''}", tally)


def attack_newcomers(result: Result, seconds: float) -> None:
    """The first program of somebody, beside a hundred connections: of one address, and of as many."""
    for count, each in ((1, CROWD), (CROWD, 1)):
        with service(ENGINE, workers=0) as running:
            newcomers = steadily(running.port, SHORT[ENGINE], seconds, newcomers=True)
            tally = beside(addresses(running.port, count, LASTING[ENGINE], each), newcomers)
            served(result, f"{CROWD} connections of {count} address{'es' if count > 1 else ''}, newcomers", tally)


def attack_site(result: Result, seconds: float) -> None:
    """Forty networks of one IPv6 site."""
    networks = [f"2001:db8:7:{number:x}::1" for number in range(40)]
    with service(STAND_IN, workers=0, trusted_proxies=f"{PROXY}/32") as running:
        site = Proxied(running.port, networks, EACH * len(networks), LASTING[STAND_IN])
        served(result, "one site", beside([site], steadily(running.port, SHORT[STAND_IN], seconds)))


def attack_passing(result: Result, seconds: float) -> None:
    """Addresses that are used once, beside short programs and beside programs of two seconds."""
    with service(STAND_IN, workers=0) as running:
        flood = Passing(running.port, HONEST, 24, LASTING[STAND_IN])
        served(result, "passing addresses", beside([flood], steadily(running.port, SHORT[STAND_IN], seconds)))
    with service(STAND_IN, workers=0) as running:
        flood = Passing(running.port, HONEST, 24, LASTING[STAND_IN])
        done = beside([flood], in_turn(running.port, MEDIUM, 2 * seconds)).statuses
        result.figures["programs of 2 s beside passing addresses"] = done[200]
        result.expect(done[200] > 0 and set(done) == {200}, f"programs of 2 s beside passing addresses: {dict(done)}")


def attack_pictures(result: Result, seconds: float) -> None:
    """Pictures for links, which take a third of a second each, asked for from many addresses."""
    with service(ENGINE, workers=0) as running:
        running.ask("GET", f"/v1/examples/{LESSON}/run")
        wanted: list[Load] = [Pictures(running.port, f"127.0.0.{10 + n}", EACH, "") for n in range(PICTURES)]
        served(
            result, f"{PICTURES} addresses that want pictures", beside(wanted, steadily(running.port, LONG, seconds))
        )


def attack(size: float) -> Result:
    """All of it; `size` 1.0 takes about seven minutes."""
    result = Result("networks", "no number of addresses shuts out another")
    seconds = max(4.0, 35.0 * size)
    with timed(result):
        whole = size >= 0.2
        attack_addresses(result, STAND_IN, [available_cores() + 2, 8, 40] if whole else [8], seconds)
        attack_addresses(result, ENGINE, [available_cores() + 2, 40] if whole else [], seconds)
        attack_site(result, seconds)
        if whole:
            attack_pictures(result, seconds)
            attack_passing(result, seconds)
            attack_newcomers(result, seconds)
    return result


if __name__ == "__main__":
    row = attack(float(sys.argv[1]) if len(sys.argv) > 1 else 0.2)
    print(table([row]), *row.failures, sep="\n")
