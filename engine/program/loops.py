"""Loops of a program under way: which turn of each runs, counted as cheaply as its collection allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

MOST = 4096
"""Turns that are counted without being asked about: then fuel is charged."""
_TURNS: tuple[Any, ...] = (True,) * MOST
_TURNS_OF_WHILE: tuple[Any, ...] = ((),) * MOST


class Loop:
    """One that counts its turns in C: how many are `left` of those that were counted out says how many have begun.

    `over`: it ends before its next turn; `entered`: the turn that the recorder is in, `told` how many it knows of, and
    `at` how many were left then, -1 where it has to look again; `passes`: how many backward passes there were when the
    loop began; `last`: its last turn, where that is known.
    """

    __slots__ = (
        "_before", "_counter", "_length", "at", "count", "entered", "label", "last", "left", "line", "over", "passes",
        "told",
    )  # fmt: skip
    turns = _TURNS

    def __init__(self, label: str, line: int, count: int | None, last: int | None, passes: int) -> None:
        self.label, self.line, self.count, self.last, self.passes = label, line, count, last, passes
        self.over = False
        self.entered, self.told, self.at = -1, 0, -1
        self._before = self._length = 0
        self._count(iter(()))

    @property
    def begun(self) -> int:
        """Turns begun."""
        return self._before + self._length - self.left()

    @property
    def turn(self) -> int:
        """The turn that runs; -1 between two."""
        return self._before + self._length - self.left() - 1

    def many(self) -> Iterator[Any]:
        """Turns that nobody has to be told of when they begin."""
        self._before = self.begun
        self._length, self.at = len(self.turns), -1
        return self._count(iter(self.turns))

    def _count(self, counter: Any) -> Iterator[Any]:
        self._counter = counter
        self.left: Callable[[], int] = counter.__length_hint__
        return counter  # type: ignore[no-any-return]

    def one(self) -> tuple[Any, ...]:
        """The turn that begins now."""
        self._before, self._length, self.at = self.begun + 1, 0, -1
        return self.turns[:1]

    def stop(self) -> None:
        """Have someone asked before the next turn begins."""
        self._before, self._length, self.at = self.begun, 0, -1
        self._counter.__setstate__(MOST)


class While(Loop):
    """A `while` loop: a turn begins when its test holds, of which there are `held`."""

    __slots__ = ("held",)
    turns = _TURNS_OF_WHILE

    def __init__(self, line: int, passes: int) -> None:
        super().__init__("while", line, None, None, passes)
        self.held = 0

    @property
    def turn(self) -> int:
        return self.held - 1 if self.held == self.begun else -1

    def hold(self) -> None:
        """The test holds."""
        self.held += 1
        self.at = -1


class Drawn(Loop):
    """A loop over what the program itself may compute, value by value, between two turns."""

    __slots__ = ("between",)

    def __init__(self, *told: Any) -> None:
        super().__init__(*told)
        self.between = True

    def one(self) -> tuple[Any, ...]:
        self.between = False
        return super().one()

    @property
    def turn(self) -> int:
        return -1 if self.between else self.begun - 1

    def wait(self) -> None:
        """A turn is over."""
        self.between, self.at = True, -1

    def stop(self) -> None:
        """It asks always."""
