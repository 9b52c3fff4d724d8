"""Clients share slots, turns, processor time and memory; nobody alone is held back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from app.admission import MAX_CLIENTS, Admission, Rules
from app.lane import Lane
from app.problems import Problem
from app.turns import Client, Turn
from tests.loops import completed

RULES = Rules(
    slots=4,
    client_running=2,
    queue=10,
    client_queue=6,
    queue_seconds=60.0,
    client_cpu_seconds=10.0,
    client_cpu_rate=1.0,
    cores=2,
    connections=10,
    client_connections=5,
    buffer=100,
    client_buffer=50,
)


class Clock:
    """Time that passes only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """An admission and what runs in it: a job ends when it is told to."""

    def __init__(self, **rules: float) -> None:
        self.clock = Clock()
        self.admission = Admission(replace(RULES, **rules), self.clock)  # type: ignore[arg-type]
        self.order: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def client(self, key: str) -> Client:
        return self.admission.client(key)

    def send(self, *names: str) -> None:
        """Send the programs `a1`, `b7` …, each from the client that its first letter names."""
        for name in names:
            self.ends[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._run(name, Turn(self.client(name[0]))))

    async def _run(self, name: str, turn: Turn) -> None:
        async with self.admission.slot(turn):
            self.order.append(name)
            await self.ends[name].wait()

    async def end(self, *names: str) -> None:
        for name in names:
            self.ends[name].set()
            await self.tasks[name]
        await settle()

    async def end_all(self) -> None:
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        assert self.admission.running == self.admission.waiting == 0
        assert all(not client.queue and not client.running for client in self.admission._clients.values())


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def play(scene: Callable[[Place], Awaitable[None]], **rules: float) -> None:
    async def run() -> None:
        place = Place(**rules)
        await scene(place)
        await place.end_all()

    completed(run())


def refused(problem: pytest.ExceptionInfo[Problem]) -> tuple[str, str]:
    return problem.value.kind.slug, problem.value.headers["Retry-After"]


# Slots and turns


def test_one_client_leaves_slots_to_others() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "a3", "a4")
        await settle()
        assert place.order == ["a1", "a2"]
        place.send("b1", "b2")
        await settle()
        assert place.order == ["a1", "a2", "b1"]  # the last slot is for somebody who runs nothing
        place.send("c1")
        await settle()
        assert place.order == ["a1", "a2", "b1", "c1"]

    play(scene)


def test_clients_take_turns_however_much_each_has_waiting() -> None:
    async def scene(place: Place) -> None:
        place.send("a0")
        await settle()
        place.send("a1", "a2", "a3", "b1", "b2", "c1")
        await settle()
        for _ in range(6):
            await place.end(place.order[-1])
        assert place.order == ["a0", "a1", "b1", "c1", "a2", "b2", "a3"]

    play(scene, slots=1)


def test_a_full_queue_is_at_the_expense_of_who_fills_it() -> None:
    async def scene(place: Place) -> None:
        place.send("a0", *[f"a{number}" for number in range(1, 6)])
        await settle()
        place.send("b1")
        await settle()
        assert "busy" in str(place.tasks["a5"].exception()) and place.admission.waiting == 5
        with pytest.raises(Problem) as problem:
            place.admission.knock(place.client("a"))
        assert refused(problem) == ("busy", "1")
        place.admission.knock(place.client("c"))

    play(scene, slots=1, queue=5)


def test_one_client_may_have_only_so_many_waiting() -> None:
    async def scene(place: Place) -> None:
        place.send(*[f"a{number}" for number in range(8)])
        await settle()
        with pytest.raises(Problem) as problem:
            place.admission.knock(place.client("a"))
        assert refused(problem) == ("too-many-at-once", "1")
        place.send("a8")
        await settle()
        assert "too-many-at-once" in str(place.tasks["a8"].exception())
        place.admission.knock(place.client("b"))

    play(scene)


def test_without_a_queue_free_slots_are_still_given() -> None:
    async def scene(place: Place) -> None:
        place.admission.knock(place.client("a"))
        place.send("a1", "a2")
        await settle()
        assert place.order == ["a1", "a2"]
        place.send("a3")
        await settle()
        assert place.tasks["a3"].exception() is not None

    play(scene, queue=0, client_queue=0)


def test_a_shared_program_runs_when_it_is_the_turn_of_any_who_wait_for_it() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "a3")
        await settle()
        turn = Turn(place.client("a"))
        shared = asyncio.create_task(place._run("shared", turn))
        place.ends["shared"] = asyncio.Event()
        place.tasks["shared"] = shared
        await settle()
        assert "shared" not in place.order
        place.admission.join(turn, place.client("b"))
        await settle()
        assert place.order[-1] == "shared" and turn.grant is not None and turn.grant.client is place.client("b")
        assert len(place.client("a").queue) == 1

    play(scene)


def test_waiting_ends() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2")
        await settle()
        await asyncio.wait([place.tasks["a2"]], timeout=5)
        assert "busy" in str(place.tasks["a2"].exception())

    play(scene, slots=1, queue_seconds=0.01)


def test_who_leaves_gives_up_the_turn_and_the_slot() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "a3")
        await settle()
        place.tasks["a2"].cancel()
        place.tasks["a1"].cancel()  # the slot is a3's, although the one before it has yet to notice that it was left
        await settle()
        assert place.order == ["a1", "a3"] and place.admission.running == 1

    play(scene, slots=1)


def test_the_lane_lets_one_in_at_a_time_and_clients_in_turn() -> None:
    async def scene(place: Place) -> None:
        lane, order = Lane(), list[str]()

        async def work(name: str) -> None:
            async with lane.turn(place.client(name[0])):
                order.append(name)
                await settle()
                assert order[-1] == name

        tasks = [asyncio.create_task(work(name)) for name in ("a0", "a1", "a2", "a3", "b1", "c1", "b2")]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == ["a0", "a1", "b1", "c1", "a3", "b2"] or order == ["a0", "a1", "b1", "c1", "b2", "a3"]
        async with lane.turn(place.client("a")):
            pass

    play(scene)


# Processor time


def test_alone_nobody_is_refused() -> None:
    async def scene(place: Place) -> None:
        for _ in range(100):
            place.admission.knock(place.client("a"))
            place.admission.charge(place.client("a"), 8.0)
            place.clock.now += 1.0
        assert place.admission.level(place.client("a")) >= 0

    play(scene)


def test_in_company_who_has_used_up_the_budget_waits_until_some_has_come_back() -> None:
    async def scene(place: Place) -> None:
        place.admission.knock(place.client("b"))
        place.admission.charge(place.client("a"), 13.0)
        with pytest.raises(Problem) as problem:
            place.admission.knock(place.client("a"))
        assert refused(problem) == ("over-budget", "4")
        place.clock.now += 4.0
        place.admission.knock(place.client("a"))
        place.admission.knock(place.client("b"))

    play(scene)


def test_company_is_whoever_asked_a_moment_ago_or_is_running_something() -> None:
    async def scene(place: Place) -> None:
        place.admission.knock(place.client("b"))
        place.admission.charge(place.client("a"), 100.0)
        place.clock.now += 5.0
        with pytest.raises(Problem):
            place.admission.knock(place.client("a"))
        place.clock.now -= 5.0
        place.admission._clients["b"].asked -= 11.0
        place.admission.knock(place.client("a"))
        place.send("b1")
        await settle()
        with pytest.raises(Problem):
            place.admission.knock(place.client("a"))

    play(scene)


def test_who_only_looks_is_no_company_and_hides_none() -> None:
    async def scene(place: Place) -> None:
        place.admission.charge(place.client("a"), 100.0)
        place.client("looks")
        place.admission.knock(place.client("a"))
        place.admission.knock(place.client("b"))
        place.admission.charge(place.client("a"), 100.0)
        place.client("looks too")
        with pytest.raises(Problem):
            place.admission.knock(place.client("a"))

    play(scene)


def test_programs_that_wait_are_refused_too_when_the_budget_is_used_up() -> None:
    async def scene(place: Place) -> None:
        place.send("b1", "a1", "a2", "a3")
        await settle()
        place.admission.charge(place.client("a"), 11.0)
        await place.end("a1")
        assert all("over-budget" in str(place.tasks[name].exception()) for name in ("a2", "a3"))
        assert place.order == ["b1", "a1"]

    play(scene)


def test_what_was_used_alone_is_no_debt() -> None:
    async def scene(place: Place) -> None:
        place.admission.charge(place.client("a"), 1000.0)
        place.admission.knock(place.client("b"))
        place.clock.now += 1.0
        place.admission.knock(place.client("a"))

    play(scene)


def test_a_debt_is_not_forgiven_when_the_others_have_left() -> None:
    async def scene(place: Place) -> None:
        place.admission.knock(place.client("b"))
        place.admission.charge(place.client("a"), 18.0)
        place.admission._clients["b"].asked -= 11.0
        place.admission.charge(place.client("a"), 1.0)
        assert place.admission.level(place.client("a")) == -8.0

    play(scene)


def test_debt_is_bounded() -> None:
    async def scene(place: Place) -> None:
        place.admission.knock(place.client("b"))
        for _ in range(100):
            place.admission.charge(place.client("a"), 10.0)
        assert place.admission.level(place.client("a")) == -10.0

    play(scene)


def test_the_budget_is_told_in_standard_fields() -> None:
    async def scene(place: Place) -> None:
        client = place.client("a")
        assert place.admission.fields(client) == {
            "RateLimit-Policy": '"cpu";q=10;w=10;qu="cpu-seconds"',
            "RateLimit": '"cpu";r=10;t=0',
        }
        place.admission.charge(client, 2.5)
        assert place.admission.fields(client)["RateLimit"] == '"cpu";r=7;t=3'

    play(scene)


# Memory


def test_bytes_in_flight_count_once_for_each_object() -> None:
    async def scene(place: Place) -> None:
        admission, a, b = place.admission, place.client("a"), place.client("b")
        one, two = bytes(40), bytes(41)
        with admission.holding(a, one), admission.holding(a, one), admission.holding(b, one):
            assert (a.buffered, b.buffered, admission.buffered) == (40, 40, 40)
            with pytest.raises(Problem) as problem, admission.holding(a, two):
                pass
            assert refused(problem) == ("too-many-at-once", "1")
            with pytest.raises(Problem):
                admission.knock(a, body=11)
            admission.knock(a, body=10)
        assert (a.buffered, b.buffered, admission.buffered) == (0, 0, 0)

    play(scene)


def test_who_holds_nothing_may_always_have_one_answer() -> None:
    async def scene(place: Place) -> None:
        with contextlib.ExitStack() as stack:
            for name in "abc":
                stack.enter_context(place.admission.holding(place.client(name), bytes(49) + name.encode()))
            with pytest.raises(Problem) as problem:
                stack.enter_context(place.admission.holding(place.client("a"), b""))
            assert refused(problem) == ("busy", "1")
            stack.enter_context(place.admission.holding(place.client("d"), bytes(1000)))
        assert place.admission.buffered == 0

    play(scene)


def test_clients_that_do_nothing_are_forgotten_in_time() -> None:
    async def scene(place: Place) -> None:
        busy = place.client("busy")
        busy.connections = 1
        for number in range(3 * MAX_CLIENTS):
            place.client(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        assert len(place.admission) <= MAX_CLIENTS and place.client("busy") is busy

    play(scene)


def test_a_site_with_many_networks_is_one_client() -> None:
    async def scene(place: Place) -> None:
        clients = {place.client(f"2001:db8:1:{number:x}::/64") for number in range(5000)}
        assert len(clients) == 17 and len(place.admission) == 17
        assert place.client("2001:db8:2::/64") not in clients

    play(scene)
