"""Turns on the event loop, and the connections that wait for one."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import pytest

from app.listening import MAX_WAITING, Listener, bound
from app.rounds import PASS_SECONDS, PASS_TURNS, Rounds
from tests.loops import completed

MANY, FEW = "127.0.0.2", "127.0.0.3"


class Clock:
    """Time that passes only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def asked(rounds: Rounds, clock: Clock, client: str, done: list[str]) -> None:
    await rounds.turn(client)
    clock.now += PASS_SECONDS
    done.append(client)


def test_what_is_small_is_done_at_once() -> None:
    async def try_it() -> None:
        rounds = Rounds(Clock())
        for _ in range(PASS_TURNS):
            turn = rounds.turn(MANY)
            with pytest.raises(StopIteration):  # without waiting
                turn.send(None)

    completed(try_it())


def test_who_asks_for_little_is_not_behind_who_asks_for_much() -> None:
    async def try_it() -> list[str]:
        clock, done = Clock(), list[str]()
        rounds = Rounds(clock)
        many = [asyncio.create_task(asked(rounds, clock, MANY, done)) for _ in range(200)]
        few = asyncio.create_task(asked(rounds, clock, FEW, done))
        await asyncio.gather(*many, few)
        return done

    done = completed(try_it())
    assert done.index(FEW) <= 3 and len(done) == 201


def test_one_turn_a_pass_is_given_to_those_who_wait() -> None:
    async def try_it() -> list[int]:
        clock, done = Clock(), list[str]()
        rounds = Rounds(clock)
        tasks = [asyncio.create_task(asked(rounds, clock, MANY, done)) for _ in range(10)]
        counts = []
        while len(done) < 10:
            await asyncio.sleep(0)
            counts.append(len(done))
        await asyncio.gather(*tasks)
        return counts

    counts = completed(try_it())
    assert all(after - before <= 1 for before, after in zip(counts, counts[1:], strict=False))


def test_who_gives_up_takes_no_turn() -> None:
    async def try_it() -> list[str]:
        clock, done = Clock(), list[str]()
        rounds = Rounds(clock)
        tasks = [asyncio.create_task(asked(rounds, clock, MANY, done)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asked(rounds, clock, FEW, done)
        return done

    assert completed(try_it()) == [MANY, MANY, FEW]


class Welcomed(asyncio.Protocol):
    """Notes who is welcomed, and works for a whole pass for each."""

    def __init__(self, clock: Clock, seen: list[str]) -> None:
        self.clock = clock
        self.seen = seen

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.clock.now += PASS_SECONDS
        self.seen.append(transport.get_extra_info("peername")[0])
        transport.close()


@contextlib.contextmanager
def connected(port: int, sources: list[str]) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as opened:
        yield [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), 10, (source, 0))) for source in sources
        ]


async def ended(connection: socket.socket) -> None:
    """Wait until the other side has closed a connection."""
    connection.setblocking(False)
    with contextlib.suppress(ConnectionError):
        await asyncio.get_running_loop().sock_recv(connection, 1)


def welcomed(sources: list[str]) -> list[str]:
    """Who was welcomed, in that order, when all had connected before any was accepted."""

    async def listen() -> list[str]:
        clock, seen = Clock(), list[str]()
        (listening,) = bound("127.0.0.1", 0)
        listening.listen(2048)
        with connected(listening.getsockname()[1], sources) as connections:
            listener = Listener(listening, Rounds(clock), str, lambda: Welcomed(clock, seen))
            await asyncio.gather(*map(ended, connections))
            listener.close()
        return seen

    return completed(listen())


def test_who_connects_once_is_not_behind_who_connects_often() -> None:
    seen = welcomed([MANY] * 50 + [FEW])
    assert seen.index(FEW) <= PASS_TURNS + 2


def test_of_too_many_connections_those_of_the_heaviest_client_go() -> None:
    sources = [FEW, *[MANY] * (2 * MAX_WAITING), FEW]
    seen = welcomed(sources)
    assert seen.count(FEW) == 2 and len(seen) < len(sources) - MAX_WAITING // 2


def test_an_address_that_is_taken_cannot_be_listened_at() -> None:
    (taken,) = bound("127.0.0.1", 0)
    taken.listen()
    with taken, pytest.raises(OSError):
        bound("127.0.0.1", taken.getsockname()[1])
