"""What the calls in an instrumented program do: they tell the recorder, and charge for turns and calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import Any

from engine.autograd.function import node_of
from engine.core.node import Node
from engine.core.tensor import Tensor
from engine.limits import LimitExceeded, Turns, meter
from engine.program import instrument
from engine.trace import Recorder

PLAIN = frozenset({int, float, bool, str, type(None), complex})
"""Types of values that hold no tensor."""
COUNTED = frozenset({range, list, tuple})
"""Collections that say how many turns a loop over them has."""
MOST_READS = 100
"""Reads that are recorded of one place in the program."""
STEPS = 2
"""What a turn of a loop is charged, and a call."""

Before = tuple[Any, int, int]
"""What comes back after a call: the recorder's scope, how many that are not recorded were entered there, and how many
calls were left."""


class Watch:
    """One run under way.

    `entered` are the calls under way, the innermost last. `reached` says how far a loop came before a limit.
    """

    def __init__(self, recorder: Recorder | None) -> None:
        self.recorder = recorder
        self.entered: list[Before] = []
        self.reached: Turns | None = None
        self._whiles: list[_While] = []
        self._read: dict[object, int] = {}

    def calls(self) -> dict[str, Callable[..., Any]]:
        """The functions by the names that the program calls them by."""
        return {
            instrument.BIND: self.bind,
            instrument.UNBIND: self.unbind,
            instrument.TURNS: self.turns,
            instrument.WHILE: self.turns_of_while,
            instrument.HOLDS: self.holds,
            instrument.ENTER: self.enter,
            instrument.LEAVE: self.leave,
            instrument.INSIDE: self.inside,
            instrument.CAUGHT: self.caught,
            instrument.READ: self.read,
            instrument.CHARGE: charge,
        }

    def bind(self, name: str, value: Any) -> None:
        """A name was bound."""
        recorder = self.recorder
        if recorder is None:
            return
        if type(value) not in PLAIN:
            recorder.bind(name, value)
        del value
        if recorder.holders.alive:
            recorder.holders.let_go()

    def unbind(self, *names: str) -> None:
        """Names were deleted, or members of something."""
        if self.recorder is not None and self.recorder.holders.alive:
            self.recorder.holders.deleted(names)

    def read(self, value: Any, name: str, index: tuple[int, ...], place: object) -> Any:
        """An attribute of `value` is looked at."""
        target = node_of(value)
        if self.recorder is not None and issubclass(type(target), Tensor if name in instrument.OF_TENSORS else Node):
            count = self._read.get(place, 0)
            if count < MOST_READS:
                self._read[place] = count + 1
                self.recorder.read(target, name, index)
        return value

    # --- calls

    def enter(self, name: str, line: int, names: tuple[str, ...], *values: Any) -> None:
        """A function was called. Raises RecursionError, and LimitExceeded."""
        budget, recorder = meter.budget, self.recorder
        calls = budget[1]
        budget[0] -= STEPS
        if budget[0] < 0:
            meter.out_of_fuel()
        if calls <= 0:
            raise RecursionError("maximum recursion depth exceeded")
        budget[1] = calls - 1
        if recorder is None:
            self.entered.append((None, 0, calls))
            return
        scope = recorder.scope
        self.entered.append((scope, scope.inside, calls))
        recorder.scope_enter("function", name, line)
        for parameter, value in zip(names, values, strict=True):
            if type(value) not in PLAIN:
                recorder.argument(parameter, value)

    def leave(self) -> None:
        """A function returns, or is left by an error."""
        scope, inside, meter.budget[1] = self.entered.pop()
        if self.recorder is not None:
            self._go_back(self.recorder, scope, inside)
            if self.recorder.holders.alive:
                self.recorder.holders.let_go(sys._getframe(1))

    def inside(self, body: Callable[[], Any], name: str, line: int, names: tuple[str, ...], *values: Any) -> Any:
        """A lambda was called: what its body gives."""
        self.enter(name, line, names, *values)
        del values
        try:
            return body()
        finally:
            self.leave()

    def caught(self) -> None:
        """The program handles an error. Raises LimitExceeded again, which no program can handle."""
        raised = sys.exc_info()[1]
        if isinstance(raised, LimitExceeded):
            raise raised

    @staticmethod
    def _go_back(recorder: Recorder, scope: Any, inside: int) -> None:
        """Leave what was entered since."""
        while recorder.scope is not scope or scope.inside > inside:
            if recorder.scope.parent is None:
                break
            recorder.scope_exit()

    # --- loops

    def turns(self, values: Iterable[Any], label: str, line: int, early: bool) -> Iterator[Any]:
        """The values of a loop; `early`: it may end before its last turn."""
        count = len(values) if type(values) in COUNTED else None  # type: ignore[arg-type]
        return self._turns(iter(values), label, line, count, None if early or count is None else count - 1)

    def _turns(
        self, values: Iterator[Any], label: str, line: int, count: int | None, last: int | None
    ) -> Iterator[Any]:
        """Python lets go of a loop's iterator as soon as the loop is left, however that is, and so ends the turn."""
        budget, recorder, turn = meter.budget, self.recorder, 0
        try:
            for value in values:
                budget[0] -= STEPS
                if budget[0] < 0:
                    meter.out_of_fuel()
                if recorder is None:
                    yield value
                else:
                    scope = recorder.scope
                    inside = scope.inside
                    recorder.scope_enter("loop", label, line, turn, None if last is None else last - turn)
                    try:
                        yield value
                    finally:
                        self._go_back(recorder, scope, inside)
                turn += 1
        finally:
            if budget[0] < 0:
                self._reach(Turns(label, line, turn, count))
            del values
            if recorder is not None and recorder.holders.alive:
                recorder.holders.let_go()

    def turns_of_while(self, line: int) -> Iterator[tuple[()]]:
        """As many turns as a `while` loop makes."""
        loop, budget, recorder, turn = _While(line), meter.budget, self.recorder, 0
        self._whiles.append(loop)
        try:
            while not loop.over:
                budget[0] -= STEPS
                if budget[0] < 0:
                    meter.out_of_fuel()
                if recorder is None:
                    yield ()
                else:
                    scope = recorder.scope
                    inside = scope.inside
                    loop.turn = turn
                    try:
                        yield ()
                    finally:
                        self._go_back(recorder, scope, inside)
                turn += 1
        finally:
            self._whiles.remove(loop)
            if budget[0] < 0:
                self._reach(Turns("while", line, turn))

    def holds(self, condition: Any) -> bool:
        """Whether the innermost `while` loop makes another turn, which begins here."""
        loop = self._whiles[-1]
        if condition:
            if self.recorder is not None:
                self.recorder.scope_enter("loop", "while", loop.line, loop.turn)
            return True
        loop.over = True
        return False

    def _reach(self, turns: Turns) -> None:
        """A loop was left at its limit. Of loops in each other counts the outermost that has ended a turn."""
        if self.reached is None or turns.ended:
            self.reached = turns


def delegates(within: FrameType | None) -> bool:
    """Whether a frame that calls this one is that of a lambda which has another one called, with its body."""
    return within is not None and within.f_code is _INSIDE


_INSIDE = Watch.inside.__code__


class _While:
    """A `while` loop under way."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.turn = 0
        self.over = False


def charge() -> None:
    """Charge a turn that the recorder is not told of."""
    meter.charge(STEPS)
