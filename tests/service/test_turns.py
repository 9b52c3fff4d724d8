"""Whose turn it is over seconds of a busy machine, on a clock of its own: the same in every run of the tests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from app.admission import Admission
from app.problems import Problem
from app.shares import MOMENT
from app.turns import Grant, PutBack, Turn, Turns
from tests.loops import completed, in_virtual_time
from tests.service.test_admission import RULES

STEP = 0.01
BILLED_AFTER = 0.01
PATIENCE = 2.0
SHORT, LASTING = 0.02, 15.0
"""Processor seconds of programs."""


class Machine:
    """A service on two cores, which all programs that run share."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        rules = replace(RULES, queue=1024, client_queue=512, queue_seconds=8.0, client_cpu_seconds=1e6)
        self.admission = Admission(rules, self.loop.time)
        self.turns = self.admission.turns
        self.computing = 0
        self.tasks: list[asyncio.Task[object]] = []

    def begin(self, work: Awaitable[object]) -> asyncio.Task[object]:
        task = asyncio.ensure_future(work)
        self.tasks.append(task)
        return task

    async def run(self, key: str, cpu_seconds: float) -> float:
        """Run a program of a client; how long that took from its first moment in the queue."""
        began, turn = self.loop.time(), Turn(self.admission.client(key))
        while True:
            with contextlib.suppress(PutBack):
                async with self.admission.slot(turn) as grant:
                    await self.compute(grant, cpu_seconds)
                return self.loop.time() - began

    async def compute(self, grant: Grant, cpu_seconds: float) -> None:
        self.computing += 1
        used = 0.0
        try:
            while used < cpu_seconds:
                await asyncio.sleep(STEP)
                used += STEP * min(1.0, self.turns.cores / self.computing)
        finally:
            self.computing -= 1
            self.loop.call_later(BILLED_AFTER, self.admission.bill, grant, used)

    async def again_and_again(self, key: str) -> None:
        """Programs that last, one after the other."""
        while True:
            with contextlib.suppress(Problem):
                await self.run(key, LASTING)

    async def passing(self, keys: Callable[[], str]) -> None:
        """Programs that last, each from a client that nobody has seen before and that leaves soon."""
        while True:
            with contextlib.suppress(Problem, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self.run(keys(), LASTING)
            await asyncio.sleep(2 * STEP)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        assert self.turns.running == self.turns.waiting == 0


def play(scene: Callable[[Machine], Awaitable[None]]) -> None:
    async def run() -> None:
        machine = Machine()
        await scene(machine)
        await machine.close()

    completed(run(), in_virtual_time)


async def begin_beside(machine: Machine, attackers: int, place: int, honest: Awaitable[object]) -> None:
    """As many clients with three programs each that last, and among them, when `place` have begun, another one."""
    for number in range(attackers + 1):
        if number == place:
            machine.begin(honest)
        if number < attackers:
            for _ in range(3):
                machine.begin(machine.again_and_again(f"attacker {number}"))
        await asyncio.sleep(0.001)


@pytest.mark.parametrize(("attackers", "place"), [*((8, place) for place in range(9)), (40, 5), (40, 20), (40, 40)])
def test_who_sends_short_programs_is_served_wherever_it_begins_among_many(attackers: int, place: int) -> None:
    async def scene(machine: Machine) -> None:
        took: list[float] = []

        async def ask() -> None:
            took.append(await machine.run("honest", SHORT))

        async def steadily() -> None:
            for _ in range(17):
                machine.begin(ask())
                await asyncio.sleep(0.3)

        await begin_beside(machine, attackers, place, steadily())
        await asyncio.sleep(5 + PATIENCE)
        assert len(took) == 17 and max(took) < PATIENCE

    play(scene)


@pytest.mark.parametrize("place", range(9))
def test_who_asks_once_waits_for_a_moment_of_each_other_newcomer_at_most(place: int) -> None:
    async def scene(machine: Machine) -> None:
        took: list[float] = []

        async def once() -> None:
            took.append(await machine.run("honest", SHORT))

        await begin_beside(machine, 8, place, once())
        await asyncio.sleep(8.0)
        others = 8 - machine.turns.ordinary
        assert took[0] < others / machine.turns.kept * MOMENT + 10 * STEP

    play(scene)


@pytest.mark.parametrize("flood", [24, 100])
def test_no_flood_of_newcomers_keeps_longer_programs_from_an_end(flood: int) -> None:
    async def scene(machine: Machine) -> None:
        took: list[float] = []

        async def in_turn() -> None:
            while True:
                took.append(await machine.run("honest", 2.0))

        keys = (f"passing {number}" for number in itertools.count())
        for _ in range(flood):
            machine.begin(machine.passing(lambda: next(keys)))
        machine.begin(in_turn())
        await asyncio.sleep(20.0)
        assert len(took) >= 2

    play(scene)


@pytest.mark.parametrize("seed", range(12))
def test_no_place_is_free_for_somebody_who_waits_and_none_is_asked_back_too_late(seed: int) -> None:
    """Clients that come, leave, compute and pause at random; what holds is looked at all the while."""
    rng = random.Random(seed)

    async def visit(machine: Machine, key: str) -> None:
        while True:
            with contextlib.suppress(Problem, TimeoutError):
                async with asyncio.timeout(rng.choice([0.1, 1.0, 5.0, None])):
                    await machine.run(key, rng.choice([0.0, SHORT, 0.2, 0.6, 3.0, LASTING]))
            await asyncio.sleep(rng.choice([0.0, 0.3, 2.0]))

    async def scene(machine: Machine) -> None:
        turns, since = machine.turns, machine.loop.time()
        for number in range(rng.randrange(4, 24)):
            machine.begin(visit(machine, f"client {number // 2}"))
        for _ in range(3000):
            await asyncio.sleep(STEP)
            if not waits_in_vain(turns):
                since = machine.loop.time()
            assert machine.loop.time() - since < MOMENT + 2 * STEP

    play(scene)


def waits_in_vain(turns: Turns) -> bool:
    """Whether somebody waits although a place is free or should be asked back."""
    now = turns.now()
    short = list(turns._short(now))
    if turns.running - len(turns._trials) < turns.ordinary:
        return any(client.running < turns.client_running for client in turns._clients())
    if len(turns._trials) < turns.kept or not short:
        return bool(short)
    first = min(short, key=turns._rank(now))
    coming = any(grant.recalled for grant in turns._trials)
    return not coming and min(turns._due(grant, first, now) for grant in turns._trials) < now
