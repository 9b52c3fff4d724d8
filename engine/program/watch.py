"""What the calls in an instrumented program do: they tell the recorder, and charge for turns and calls.

Calls and turns of loops are only noted. The recorder enters them when something happens in one that it keeps; where a
backward pass has ended in the turn, or in the loop while the run is only followed, it is told of each turn when that
begins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress
from types import BuiltinMethodType, CodeType, FrameType, FunctionType, MethodType
from typing import Any

from engine.autograd.function import node_of
from engine.core.node import Node
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import LimitExceeded, Turns, meter
from engine.program import instrument
from engine.program.loops import Drawn, Loop, While
from engine.program.places import FILE
from engine.trace import Recorder

PLAIN = frozenset({int, float, bool, str, type(None), complex})
"""Types of values that hold no tensor."""
COUNTED = frozenset({range, list, tuple})
"""Collections that say how many turns a loop over them has."""
READY = COUNTED | {str, bytes, dict, set, frozenset, type({}.keys()), type({}.values()), type({}.items())}
"""Collections that nothing is computed of."""
MOST_READS = 100
"""Reads that are recorded of one place in the program."""
PAID = 32
"""Turns and calls that one step pays for."""

Told = tuple[str, int, tuple[str, ...]]
"""A function that is called: its name, its line, and the names of its parameters."""


class Watch:
    """One run under way, of `meter.budget`.

    `open` are the calls and loops under way, the innermost last; of as many as there are in `_seen` the recorder
    knows: its scope before each, and how many that are not recorded were entered there. `reached` says how far a loop
    came before a limit, `stood` what the frames of the program did when that struck, the innermost last.
    """

    def __init__(self, recorder: Recorder | None) -> None:
        self.recorder = recorder
        self.open: list[Told | Loop] = []
        self.reached: Turns | None = None
        self.stood: list[tuple[CodeType, int]] = []
        self._seen: list[tuple[Any, int]] = []
        self._turns = 0
        self._whiles: list[While] = []
        self._read: dict[object, int] = {}
        if recorder is not None:
            recorder.ahead = self

    def calls(self) -> dict[str, Any]:
        """The functions by the names that the program calls them by, and what else it needs."""
        enter, leave = self._function()
        return {
            instrument.TYPE: type,
            instrument.PLAIN: PLAIN,
            instrument.BIND: self.bind,
            instrument.UNBIND: self.unbind,
            instrument.TURNS: self.turns,
            instrument.WHILE: self.turns_of_while,
            instrument.HOLDS: self.holds,
            instrument.OVER: self.over,
            instrument.ENTER: enter,
            instrument.LEAVE: leave,
            instrument.INSIDE: _inside(enter, leave),
            instrument.CAUGHT: self.caught,
            instrument.READ: self.read,
            instrument.CHARGE: self.charge,
            instrument.NAMED: named,
        }

    def bind(self, name: str, value: Any) -> None:
        """A name was bound to something that may hold a tensor."""
        recorder = self.recorder
        if recorder is None:
            return
        recorder.bind(name, value)
        del value
        if recorder.holders.alive:
            recorder.holders.let_go()

    def unbind(self, *names: str) -> None:
        """Names were deleted, or got what holds nothing; or members of something."""
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

    def caught(self) -> None:
        """The program handles an error. Raises LimitExceeded again, which no program can handle."""
        raised = sys.exc_info()[1]
        if isinstance(raised, LimitExceeded):
            raise raised

    def struck(self) -> None:
        """A limit is reached here. Whatever the program makes of it, this is where it is told."""
        if not self.stood:
            self.stood = [(frame.f_code, frame.f_lasti) for frame in frames_of_program(sys._getframe(1))][::-1]

    # Calls

    def _function(self) -> tuple[Callable[..., None], Callable[[], None]]:
        """What is called when a function was called, and when it returns or is left by an error.

        The first raises RecursionError, and LimitExceeded.
        """
        budget, opened, seen, calls = meter.budget, self.open, self._seen, 0
        enters, leaves, recorder = opened.append, opened.pop, self.recorder

        def enter(told: Told, *values: Any) -> None:
            nonlocal calls
            left = budget[1]
            if left <= 0:
                raise RecursionError("maximum recursion depth exceeded")
            calls += 1
            if calls == PAID:
                calls = 0
                meter.charge(1)
            budget[1] = left - 1
            enters(told)
            if recorder is not None:
                for parameter, value in zip(told[2], values, strict=True):
                    if type(value) not in PLAIN:
                        recorder.argument(parameter, value)

        def leave() -> None:
            budget[1] += 1
            leaves()
            if len(seen) > len(opened):
                self._back(len(opened))
            if recorder is not None and recorder.holders.alive:
                recorder.holders.let_go(sys._getframe(1))

        return enter, leave

    # Loops

    def turns(self, values: Iterable[Any], label: str, line: int, early: bool) -> Iterator[Any]:
        """The values of a loop; `early`: it may end before its last turn."""
        kind = type(values)
        count = len(values) if kind in COUNTED else None  # type: ignore[arg-type]
        told = (label, line, count, None if early or count is None else count - 1, self._passes())
        if kind in READY:
            return compress(values, chain.from_iterable(self._counted(Loop(*told))))
        return self._drawn(iter(values), Drawn(*told))

    def turns_of_while(self, line: int) -> Iterator[tuple[()]]:
        """As many turns as a `while` loop makes."""
        return chain.from_iterable(self._counted(While(line, self._passes())))

    def holds(self) -> None:
        """The test of the innermost `while` loop holds: its next turn begins here."""
        loop = self._whiles[-1]
        loop.hold()
        if self._asked(loop):
            self.catch_up()

    def over(self) -> None:
        """It does not: the loop is over."""
        loop = self._whiles[-1]
        loop.over = True
        loop.stop()

    def charge(self) -> None:
        """Charge a turn that the recorder is not told of."""
        self._charge(1)

    def _charge(self, turns: int) -> None:
        steps, self._turns = divmod(self._turns + turns, PAID)
        meter.charge(steps)

    def _passes(self) -> int:
        return 0 if self.recorder is None else self.recorder.calls

    def _asked(self, loop: Loop) -> bool:
        """Whether the recorder wants to know of a turn when it begins, and ends."""
        return self.recorder is not None and self.recorder.wants_turns(loop.passes)

    def _counted(self, loop: Loop) -> Iterator[Iterable[Any]]:
        """Turns, a few at a time. Python lets go of a loop's iterator as soon as the loop is left, however that is."""
        place, charged = self._begin(loop), 0
        try:
            while not loop.over:
                new, charged = loop.begun - charged, loop.begun
                self._charge(new)
                if self._asked(loop):
                    one = loop.one()
                    self.catch_up()
                    yield one
                else:
                    yield loop.many()
        finally:
            self._end(loop, place, charged)

    def _drawn(self, values: Iterator[Any], loop: Drawn) -> Iterator[Any]:
        """The values, and a turn with each."""
        place = self._begin(loop)
        try:
            for value in values:
                self._charge(1)
                loop.one()
                if self._asked(loop):
                    self.catch_up()
                yield value
                loop.wait()
                if len(self._seen) > place:
                    self.catch_up()
        finally:
            del values
            self._end(loop, place, loop.begun)

    def _begin(self, loop: Loop) -> int:
        place = len(self.open)
        self.open.append(loop)
        if type(loop) is While:
            self._whiles.append(loop)
        return place

    def _end(self, loop: Loop, place: int, charged: int) -> None:
        """A loop is left, `place` in all that is open."""
        begun = loop.begun
        steps, self._turns = divmod(self._turns + begun - charged, PAID)
        meter.budget[0] -= steps
        del self.open[place:]
        if type(loop) is While:
            self._whiles.remove(loop)
        if len(self._seen) > place:
            self._back(place)
        if self.recorder is not None:
            self.recorder.turns += begun - loop.told
            if self.recorder.holders.alive:
                self.recorder.holders.let_go()
        if meter.budget[0] < 0:
            self.struck()
            if self.reached is None or begun > 1:  # the outermost that has ended a turn counts
                self.reached = Turns(loop.label, loop.line, max(begun - 1, 0), loop.count)

    # What the recorder is told of

    def catch_up(self) -> None:
        """Have the recorder where the program is."""
        opened = self.open
        if len(self._seen) == len(opened):
            if not opened:
                return
            last = opened[-1]
            if type(last) is tuple or last.left() == last.at:  # type: ignore[union-attr]
                return
        self._catch_up()

    def _catch_up(self) -> None:
        """What is around something that is open is where it was when that began."""
        recorder, opened, seen = self.recorder, self.open, self._seen
        assert recorder is not None
        known = len(seen)
        if known:
            last = opened[known - 1]
            if type(last) is not tuple and last.turn != last.entered:  # type: ignore[union-attr]
                recorder.back(*seen[-1])
                self._turn(recorder, last)  # type: ignore[arg-type]
        if known == len(opened):
            return
        for entry in opened[known:]:
            seen.append(recorder.place())
            if type(entry) is tuple:
                recorder.enter("function", entry[0], entry[1])
            else:
                self._turn(recorder, entry)  # type: ignore[arg-type]

    def _turn(self, recorder: Recorder, loop: Loop) -> None:
        turn = loop.entered = loop.turn
        loop.at = loop.left()
        if turn < 0:
            return
        told, last = loop.told, loop.last
        if turn != told:
            recorder.pass_over(turn - told, None if told else loop.passes)
        loop.told = turn + 1
        recorder.enter("loop", loop.label, loop.line, turn, None if last is None else last - turn)

    def ask(self) -> None:
        """From the next turn on the recorder may want to know of each."""
        for entry in self.open:
            if isinstance(entry, Loop):
                entry.stop()

    def _back(self, place: int) -> None:
        """Leave what was entered since something that is open, was; it is `place` in all that is."""
        recorder = self.recorder
        assert recorder is not None
        scope, inside = self._seen[place]
        del self._seen[place:]
        recorder.back(scope, inside)


def named(value: Any, text: str) -> None:
    """A statement is nothing but the name of what programs call for what it does."""
    kind = type(value)
    if kind in (MethodType, BuiltinMethodType) or kind is FunctionType and "." not in value.__qualname__:
        state.notice(f"Nothing calls {text} here: write {text}().")


def _inside(enter: Callable[..., None], leave: Callable[[], None]) -> Callable[..., Any]:
    """What is called when a lambda was: it gives what the body gives."""

    def inside(body: Callable[[], Any], told: Told, *values: Any) -> Any:
        enter(told, *values)
        del values
        try:
            return body()
        finally:
            leave()

    return inside


_INSIDE = next(const for const in _inside.__code__.co_consts if getattr(const, "co_name", "") == "inside")


def delegates(within: FrameType | None) -> bool:
    """Whether a frame that calls this one is that of a lambda which has another one called, with its body."""
    return within is not None and within.f_code is _INSIDE


def is_programs(code: CodeType, within: FrameType | None) -> bool:
    """Whether a frame is the program's own; `within` is the one it calls."""
    return code.co_filename is FILE and not delegates(within)


def frames_of_program(frame: FrameType | None) -> Iterator[FrameType]:
    """The program's own frames among those under way, the innermost first."""
    within = None
    while frame is not None:
        if is_programs(frame.f_code, within):
            yield frame
        within, frame = frame, frame.f_back
