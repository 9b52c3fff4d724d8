"""Clients share slots, turns, processor time and memory; nobody alone is held back."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import uvloop

from app.admission import MAX_CLIENTS, Admission, Rules
from app.lane import Lane
from app.problems import Problem
from app.shares import MOMENT
from app.turns import TRIALS, Client, Grant, PutBack, Turn
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
        self.turns: dict[str, Turn] = {}

    def client(self, key: str) -> Client:
        return self.admission.client(key)

    def send(self, *names: str) -> None:
        """Send the programs `a1`, `b7` …, each from the client that stands before its number."""
        for name in names:
            self.ends[name] = asyncio.Event()
            self.turns[name] = Turn(self.client(name.rstrip("0123456789").rstrip("#")))
            self.tasks[name] = asyncio.create_task(self._run(name, self.turns[name]))

    async def _run(self, name: str, turn: Turn) -> None:
        while True:
            with contextlib.suppress(PutBack):
                async with self.admission.slot(turn):
                    self.order.append(name)
                    await self.ends[name].wait()
                return

    def grant(self, name: str) -> Grant:
        grant = self.turns[name].grant
        assert grant is not None
        return grant

    async def later(self, seconds: float) -> None:
        """Have time pass, and whatever is due then."""
        self.clock.now += seconds
        self.admission.turns.grant()
        await settle()

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


def in_lane(lane: Lane, order: list[str], name: str, size: int = 10) -> asyncio.Task[None]:
    """Work of this name, for whom its first letter says, that takes a moment."""

    def work() -> None:
        order.append(f"{name} begins")
        time.sleep(0.01)
        order.append(name)

    return asyncio.create_task(lane.do(name[0], size, work, lambda seconds: None))


def test_the_lane_does_one_thing_at_a_time_for_who_had_least() -> None:
    async def scene(place: Place) -> None:
        lane, order = Lane(), list[str]()
        tasks = [in_lane(lane, order, name) for name in ("a0", "a1", "a2", "a3", "b1", "c1", "b2")]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order[::2] == [f"{name} begins" for name in order[1::2]], "the next began before one had ended"
        assert order[1::2] == ["a0", "a1", "b1", "c1", "b2", "a3"]
        await asyncio.sleep(0.1)
        await in_lane(lane, order, "b9")

    play(scene)


def test_in_the_lane_little_is_not_behind_much_of_others() -> None:
    async def scene(place: Place) -> None:
        lane, order = Lane(), list[str]()
        tasks = [in_lane(lane, order, f"{name}0", 1000) for name in "abcdef"]
        await asyncio.sleep(0)
        tasks.append(in_lane(lane, order, "z0", 1))
        await asyncio.gather(*tasks)
        assert order[1::2] == ["a0", "z0", "b0", "c0", "d0", "e0", "f0"]

    play(scene)


def test_who_leaves_the_lane_pays_for_what_goes_on() -> None:
    async def scene(place: Place) -> None:
        lane, end = Lane(rest=0), threading.Event()
        paid, order = list[float](), list[str]()
        first = asyncio.create_task(lane.do("a", 1, end.wait, paid.append))
        await settle()
        first.cancel()
        others = [in_lane(lane, order, "b0"), *(in_lane(lane, order, f"a{number}") for number in range(99))]
        await asyncio.sleep(0.02)
        assert not order and not paid, "the next began although the thread was busy"
        for task in others[1:]:
            task.cancel()
        await settle()
        assert len(lane) == 1, "who left is still in the queue"
        end.set()
        await others[0]
        assert order[1::2] == ["b0"] and paid[0] > 0.02

    play(scene)


def test_places_follow_what_is_known_of_them_later() -> None:
    async def scene(place: Place) -> None:
        rules = place.admission.rules
        before = place.admission.turns.sites.time
        place.admission.fit(replace(rules, slots=3, client_running=2, cores=64))
        place.send("a1", "a2", "a3", "b1", "b2")
        await settle()
        assert place.admission.running == 3 and place.order[:2] == ["a1", "a2"]
        assert place.admission.turns.sites.time - before < 64, "other cores are no time that has gone by"

    play(scene, slots=1)


# Who comes first


def test_who_used_least_lately_comes_first() -> None:
    async def scene(place: Place) -> None:
        place.send("x1", "a1", "b1", "c1")
        await settle()
        place.admission.charge(place.client("a"), 5.0)
        place.admission.charge(place.client("b"), 3.0)
        place.send("d1")
        for name in ("x1", "c1", "d1", "b1"):
            await place.end(name)
        assert place.order == ["x1", "c1", "d1", "b1", "a1"]

    play(scene, slots=1)


def test_what_runs_counts_by_its_clock_until_its_bill_comes_which_may_be_after_its_end() -> None:
    async def scene(place: Place) -> None:
        a, b = place.client("a"), place.client("b")
        place.send("a1", "b1")
        await settle()
        grant = place.grant("a1")
        place.clock.now += 4.0
        assert a.used(place.clock.now) == a.site.used(place.clock.now) == 4.0
        await place.end("a1")
        assert a.used(place.clock.now) == a.long(place.clock.now) == 4.0
        place.admission.bill(grant, 1.5)
        assert a.used(place.clock.now) == a.long(place.clock.now) == 1.5
        place.admission.bill(place.grant("b1"), 0.1)
        await place.end("b1")
        assert b.had == 0.1 and b.long(place.clock.now) == 0.0

    play(scene)


def test_what_was_used_is_forgotten_as_fast_as_others_could_have_used_it() -> None:
    async def scene(place: Place) -> None:
        place.send("x1")
        await settle()
        place.admission.charge(place.client("a"), 4.0)
        for seconds, first in ((1.0, "b"), (1.5, "a")):  # two cores, one client here
            place.clock.now += seconds
            names = [f"{client}{round(10 * seconds)}" for client in "ab"]
            place.send(*names)
            await settle()
            waiting = place.admission.turns._next_ordinary(place.clock.now)
            assert isinstance(waiting, Client) and waiting.key.startswith(first)
            for name in names:
                place.tasks[name].cancel()
            await settle()

    play(scene, slots=1)


def test_who_asks_for_little_gathers_no_credit() -> None:
    async def scene(place: Place) -> None:
        a = place.client("a")
        place.send("a1")
        await settle()
        place.admission.bill(place.grant("a1"), 0.0)
        place.clock.now += 1000.0
        await place.end("a1")
        place.send("x1", "a2", "b1")
        await settle()
        assert a.site.had == place.client("b").site.had == pytest.approx(place.admission.turns.sites.time)

    play(scene, slots=1)


def test_a_site_has_one_place_among_addresses_and_shares_it_out() -> None:
    async def scene(place: Place) -> None:
        place.send("x1")
        await settle()
        site = [f"2001:db8:1:{number}::/64#" for number in range(6)]
        place.send(*[f"{network}{number}" for number, network in enumerate(site)], "b1", "c1", "b2")
        await settle()
        for _ in range(9):
            place.clock.now += 3.0
            name = place.order[-1]
            place.admission.bill(place.grant(name), 3.0)
            await place.end(name)
        shares = [name[0] for name in place.order[1:]]
        assert sorted(shares[:3]) == ["2", "b", "c"] and shares.count("2") == 6

    play(scene, slots=1)


def test_no_flood_of_newcomers_starves_who_has_used_some() -> None:
    async def scene(place: Place) -> None:
        place.send("x1")
        await settle()
        place.admission.charge(place.client("honest"), 2.0)
        place.send("honest1")
        for number in range(100):
            place.send(f"{chr(0x4E00 + number)}1", f"{chr(0x5E00 + number)}1")  # two a second, of which one can run
            await settle()
            running = place.order[-1]
            if running == "honest1":
                break
            place.clock.now += 1.0
            place.admission.bill(place.grant(running), 1.0)
            await place.end(running)
        assert place.order[-1] == "honest1"

    play(scene, slots=1, queue=1000)


# Places that are kept for short runs


def test_a_kept_place_is_given_back_after_a_moment_when_somebody_waits() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1", "d1")
        await settle()
        await place.later(MOMENT / 2)
        assert place.order == ["a1", "a2", "b1", "c1"]
        await place.later(MOMENT)
        assert place.order == ["a1", "a2", "b1", "c1", "d1"]
        assert [name for name in ("b1", "c1") if place.turns[name].put_back] == ["b1"]

    play(scene)


def test_a_kept_place_that_is_due_already_is_given_back_at_once_on_the_loop_of_the_service() -> None:
    async def scene() -> None:
        place = Place()
        place.send("a1", "a2", "b1", "c1")
        await settle()
        place.clock.now += MOMENT
        place.send("d1", "e1")
        async with asyncio.timeout(5):
            while not {"d1", "e1"} <= set(place.order):
                await asyncio.sleep(0)
        await place.end_all()

    completed(scene(), uvloop.run)


def test_nothing_is_asked_back_while_nobody_waits_or_only_who_runs_something() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1", "a3", "b2")
        await settle()
        await place.later(100.0)
        assert place.order == ["a1", "a2", "b1", "c1"]
        assert not any(turn.put_back for turn in place.turns.values())

    play(scene)


def test_a_run_on_a_kept_place_may_stay_when_an_ordinary_one_is_free() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1")
        await settle()
        await place.end("a1", "a2")
        place.send("d1", "e1", "f1")
        await settle()
        await place.later(100.0)
        assert {name for name, turn in place.turns.items() if turn.put_back} == {"d1"}
        assert place.order == ["a1", "a2", "b1", "c1", "d1", "e1", "f1"]

    play(scene)


def test_who_ran_short_programs_does_not_notice_newcomers_and_the_last_newcomer_comes_first() -> None:
    async def scene(place: Place) -> None:
        place.send("k1")
        await settle()
        place.admission.bill(place.grant("k1"), 0.1)
        await place.end("k1")
        place.send("a1", "a2", "b1", "c1")
        await settle()
        for name in "defgh":
            place.clock.now += 0.01
            place.send(f"{name}1")
            await settle()
        place.send("k2")
        await place.later(MOMENT)
        assert place.order[-2:] == ["k2", "h1"] or place.order[-2:] == ["h1", "k2"]

    play(scene)


def test_a_put_back_run_waits_at_the_head_and_is_not_refused_because_it_waits_for_long() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1", "d1", "b2")
        await settle()
        await place.later(MOMENT)
        assert place.turns["b1"].put_back and [*place.client("b").queue] == [place.turns["b1"], place.turns["b2"]]
        await asyncio.wait([place.tasks["b2"]], timeout=5)
        assert "busy" in str(place.tasks["b2"].exception()) and not place.tasks["b1"].done()
        await place.end("a1")
        assert place.order[-1] == "b1" and not place.tasks["b1"].done()
        await place.end("b1")

    play(scene, queue_seconds=0.05)


def test_a_run_is_tried_for_so_long_and_then_needs_an_ordinary_place() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1")
        await settle()
        for number in range(20):
            place.send(f"{chr(0x4E00 + number)}1")
            for _ in range(3):
                await place.later(MOMENT)
            await place.end(*[name for name in place.tasks if name[0] >= chr(0x4E00) and place.turns[name].grant])
        assert TRIALS <= max(place.turns[name].tried for name in ("b1", "c1")) < 4 * TRIALS

    play(scene)


def test_a_shared_program_that_is_put_back_waits_for_all_who_want_it() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1")
        await settle()
        place.admission.share(place.turns["b1"], place.client("e"))
        place.send("d1")
        await place.later(MOMENT)
        assert place.turns["b1"].put_back
        assert place.turns["b1"].waiting == {place.client("b"), place.client("e")}

    play(scene)


def test_who_leaves_while_a_place_is_asked_back_is_gone() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1", "d1")
        await settle()
        place.clock.now += MOMENT
        place.admission.turns.grant()
        place.tasks["b1"].cancel()
        await settle()
        assert place.tasks["b1"].cancelled() and not place.client("b").queue
        assert place.order[-1] == "d1" and place.admission.running == 4

    play(scene)


def test_a_place_may_be_asked_back_before_its_run_has_begun() -> None:
    async def scene(place: Place) -> None:
        place.send("a1", "a2", "b1", "c1", "d1", "f1")
        await settle()
        place.clock.now += 0.01
        place.send("e1")
        await settle()
        place.tasks["b1"].cancel()
        async with asyncio.timeout(5):
            while place.turns["e1"].grant is None:
                await asyncio.sleep(0)
        place.clock.now += MOMENT
        place.admission.turns.grant()
        assert place.grant("e1").recalled and "e1" not in place.order
        await settle()
        assert place.turns["e1"].put_back and place.order[-2:] == ["d1", "f1"]

    play(scene)


def test_a_full_queue_is_at_the_expense_of_the_site_that_fills_it_and_then_of_who_used_most() -> None:
    async def scene(place: Place) -> None:
        place.send("x1")
        await settle()
        place.send(*[f"2001:db8:1:{number}::/64#1" for number in range(3)], "a1", "b1")
        await settle()
        place.send("c1")
        await settle()
        dropped = [name for name, task in place.tasks.items() if task.done()]
        assert len(dropped) == 1 and dropped[0].startswith("2001")
        place.admission.charge(place.client("b"), 3.0)
        place.tasks[next(name for name in place.tasks if name[0] == "2" and name not in dropped)].cancel()
        place.send("d1")
        await settle()
        place.send("e1")
        await settle()
        assert "busy" in str(place.tasks["b1"].exception()) and not place.tasks["e1"].done()

    play(scene, slots=1, queue=5)


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


def test_a_budget_refills_with_a_share_of_what_is_contended_and_no_less_than_a_light_user_needs() -> None:
    async def scene(place: Place) -> None:
        a = place.client("a")
        place.admission.charge(a, 10.0)
        place.send("a1", "b1")
        await settle()
        assert place.admission.rate(a) == 0.5
        place.clock.now += 4.0
        assert place.admission.level(a) == pytest.approx(2.0)
        place.send(*[f"{chr(0x4E00 + number)}1" for number in range(100)])
        await settle()
        assert place.admission.rate(a) == 0.1
        place.clock.now += 4.0
        assert place.admission.level(a) == pytest.approx(2.4)

    play(scene, queue=1000)


def test_the_networks_of_a_site_share_what_comes_back_to_it() -> None:
    async def scene(place: Place) -> None:
        one, other = (f"2001:db8:1:{number}::/64#" for number in range(2))
        place.send(f"{one}1", f"{other}1")
        await settle()
        assert place.admission.rate(place.client(one[:-1])) == 0.5
        place.send("b1")
        await settle()
        assert place.admission.rate(place.client(one[:-1])) == 0.25 and place.admission.rate(place.client("b")) == 0.5

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
