"""Training over time: the loss at which each pass of a loop began, and norms of gradients, weights and steps.

Passes are told apart by the place of their call: a generator and a discriminator are two series. Of each series at
most `POINTS` passes are kept, evenly spaced. This goes on when the document is full, so that ten thousand turns are one
strip.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Generic, TypeVar

from . import rows
from .limits import LEAVES, NUMBERS, POINTS
from .numbers import in_digits

Leaf = TypeVar("Leaf")

_DIGITS = 4


@dataclass(slots=True)
class Point:
    """A pass: `loss` is None for what is no scalar, `peak` the largest of it and of those forgotten after it; the lists
    are by leaf, None where the pass did not reach it."""

    call: int
    loss: float | None
    peak: float | None
    grads: list[float | None] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)
    updates: list[float | None] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Series(Generic[Leaf]):
    """The passes of one place. `before`: what leaves held when the last kept pass ended, until the next one begins;
    `last`: the call and the loss of the last pass."""

    line: int
    column: int
    file: int = 0
    leaves: list[Leaf] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    points: list[Point] = field(default_factory=list)
    passes: int = 0
    stride: int = 1
    before: list[Any] | None = None
    last: tuple[int, float | None] = (-1, None)

    def follow(self, reached: Iterable[Leaf]) -> None:
        """A pass reached leaves: the first ones are followed from then on."""
        for leaf in reached:
            if id(leaf) not in self.places and len(self.leaves) < LEAVES:
                self.places[id(leaf)] = len(self.leaves)
                self.leaves.append(leaf)

    def keep(self, point: Point, before: list[Any]) -> None:
        """A pass is one of those that are kept."""
        self.points.append(point)
        self.before = before
        if len(self.points) > max(50, min(POINTS, NUMBERS // (3 * len(self.leaves) + 2))):
            self._halve()

    def forget(self, loss: float | None) -> None:
        """A pass is none of those that are kept."""
        if self.points:
            self.points[-1].peak = _larger(self.points[-1].peak, loss)

    def lacks_the_last(self) -> bool:
        """Whether the last pass, which says how it ended, is none of those that are kept."""
        return bool(self.points) and self.points[-1].call < self.last[0]

    def end(self, grads: list[float | None]) -> None:
        """Keep the last pass too, when the run is over."""
        call, loss = self.last
        self.points.append(Point(call, loss, loss, grads))

    def row(self, id_of: Callable[[Leaf], str]) -> rows.Series:
        """The entry of `training` in a document."""
        points = self.points
        columns = [zip_longest(*[getattr(p, name) for p in points]) for name in ("grads", "weights", "updates")]
        parameters: list[rows.TrainedParameter] = [
            {
                "tensor": id_of(leaf),
                "grad": [in_digits(x, _DIGITS) for x in grads],
                "weight": [in_digits(x, _DIGITS) for x in weights],
                "update": [in_digits(x, _DIGITS) for x in updates],
            }
            for leaf, grads, weights, updates in zip(self.leaves, *columns, strict=True)
        ]
        row: rows.Series = {
            "line": self.line,
            "column": self.column,
            "passes": self.passes,
            "stride": self.stride,
            "calls": [point.call for point in points],
            "loss": [in_digits(point.loss, _DIGITS) for point in points],
            "peak": None if self.stride == 1 else [in_digits(point.peak, _DIGITS) for point in points],
            "parameters": parameters[::-1],  # a pass reaches the last ones first
        }
        if self.file:
            row["file"] = self.file
        return row

    def _halve(self) -> None:
        """Forget every other pass."""
        kept = self.points[::2]
        for point, forgotten in zip(kept, self.points[1::2], strict=False):
            point.peak = _larger(point.peak, forgotten.peak)
        if kept[-1] is not self.points[-1]:
            self.before = None
        self.points = kept
        self.stride *= 2


def _larger(a: float | None, b: float | None) -> float | None:
    """The larger of two numbers that are known; what is not a number is larger than any."""
    if a is None or b is None:
        return b if a is None else a
    return a if a != a or a >= b else b
