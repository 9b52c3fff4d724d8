"""Training over time: the loss at which each pass of a loop began, and norms of gradients, weights and steps.

Passes are told apart by the place of their call. Of each series at most `POINTS` passes are kept, evenly spaced: one
that is kept costs three norms for each leaf. This goes on when the document is full.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import torch

from ..document.limits import LEAVES, NUMBERS, POINTS
from ..document.numbers import plain
from .positions import Place
from .recording import Recording
from .values import is_freed

ELEMENTS = 1 << 22
"""Elements that one kept pass looks at."""


@dataclass(slots=True)
class Point:
    """A pass: `loss` is None for what is no scalar, `peak` the largest since the last point; lists are by leaf.

    Its numbers are rounded when the recording is over.
    """

    call: int
    loss: float | None
    peak: float | None
    grads: list[float | None] = field(default_factory=list)
    weights: list[float | None] = field(default_factory=list)
    updates: list[float | None] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Series:
    """The passes of one place. `before`: what leaves held when the last kept pass ended; `last`: the last pass."""

    place: Place
    leaves: list[torch.Tensor] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    passes: int = 0
    stride: int = 1
    before: list[torch.Tensor | None] = field(default_factory=list)
    last: tuple[int, float | None] = (-1, None)


class Training:
    """Told of every outermost pass of a program."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.series: dict[tuple[int, int, int | None], Series] = {}

    def begin(self, place: Place | None, roots: list[Any]) -> tuple[Series, float | None] | None:
        """A pass begins at these roots: its series and loss, or None where it has no place."""
        if place is None:
            return None
        key = place.file, place.line, place.column
        series = self.series.get(key) or self.series.setdefault(key, Series(place))
        self._updated(series)
        root = roots[0] if len(roots) == 1 else None
        if not isinstance(root, torch.Tensor) or root.numel() != 1 or not root.is_floating_point():
            return series, None
        return series, _number(root)

    def end(self, begun: tuple[Series, float | None], call: int, leaves: list[torch.Tensor]) -> None:
        """The pass is over; `leaves` are those whose gradients it added to."""
        series, loss = begun
        if not leaves:  # `autograd.grad`: no turn of a training
            return
        series.passes += 1
        series.last = call, loss
        if (series.passes - 1) % series.stride:
            if series.points:
                series.points[-1].peak = _larger(series.points[-1].peak, loss)
            return
        known = {id(leaf) for leaf in series.leaves}
        fresh = [leaf for leaf in leaves if id(leaf) not in known]
        series.leaves += fresh[: LEAVES - len(series.leaves)]
        reached, left = {id(leaf) for leaf in leaves}, ELEMENTS
        point = Point(call, loss, loss)
        series.before = []
        for leaf in series.leaves:
            followed = id(leaf) in reached and leaf.numel() <= left and not is_freed(leaf)
            left -= leaf.numel() if followed else 0
            point.grads.append(_norm(leaf.grad) if followed else None)
            point.weights.append(_norm(leaf) if followed else None)
            point.updates.append(None)
            series.before.append(leaf.clone() if followed else None)
        series.points.append(point)
        if len(series.points) > max(50, min(POINTS, NUMBERS // (3 * len(series.leaves) + 2))):
            self._halve(series)

    def rows(self) -> list[dict[str, Any]]:
        """The field `training` of the document."""
        found: list[dict[str, Any]] = []
        for series in self.series.values():
            self._updated(series)
            call, loss = series.last
            if series.points and series.points[-1].call < call:  # how it ended
                series.points.append(Point(call, loss, loss, [_norm(leaf.grad) for leaf in series.leaves]))
            if series.passes < 2:
                continue
            points = series.points
            columns = [zip_longest(*[getattr(p, name) for p in points]) for name in ("grads", "weights", "updates")]
            place = series.place
            row: dict[str, Any] = {
                "line": place.line,
                "column": place.column or 0,
                "passes": series.passes,
                "stride": series.stride,
                "calls": [point.call for point in points],
                "loss": [_rounded(point.loss) for point in points],
                "peak": None if series.stride == 1 else [_rounded(point.peak) for point in points],
                "parameters": [
                    {
                        "tensor": self.recording.tensor(leaf).id,
                        **{
                            name: [_rounded(x) for x in values]
                            for name, values in zip(("grad", "weight", "update"), lists, strict=True)
                        },
                    }
                    for leaf, *lists in zip(series.leaves, *columns, strict=True)
                ][::-1],  # a pass reaches the last parameters first
            }
            found.append({**row, "file": place.file} if place.file else row)
        return found

    def _updated(self, series: Series) -> None:
        """By how much leaves changed since the last kept pass."""
        before, series.before = series.before, []
        for place, old in enumerate(before):
            now = series.leaves[place]
            if old is not None and now.shape == old.shape and now.dtype == old.dtype and not is_freed(now):
                series.points[-1].updates[place] = _norm(now - old)

    def _halve(self, series: Series) -> None:
        """Forget every other pass."""
        kept = series.points[::2]
        for point, forgotten in zip(kept, series.points[1::2], strict=False):
            point.peak = _larger(point.peak, forgotten.peak)
        if kept[-1] is not series.points[-1]:
            series.before = []
        series.points = kept
        series.stride *= 2


_item: Any = torch._C.TensorBase.item
"""Not the method that watches numbers leave the graph."""


def _norm(tensor: torch.Tensor | None) -> float | None:
    """The Euclidean norm."""
    if tensor is None or tensor.layout is not torch.strided or not (tensor.is_floating_point() or tensor.is_complex()):
        return None
    if is_freed(tensor):
        return None
    return _number(torch.linalg.vector_norm(tensor.float() if tensor.element_size() < 4 else tensor))


def _number(tensor: torch.Tensor) -> float | None:
    """The number in a tensor; None where there is none to be had: inside `vmap`, of meta and fake tensors."""
    try:
        return float(_item(tensor))
    except (NotImplementedError, RuntimeError):
        return None


def _rounded(number: float | None) -> Any:
    """A number in four digits, as the document has it."""
    return None if number is None else plain(float(f"{number:.4g}"))


def _larger(a: float | None, b: float | None) -> float | None:
    """The larger of two numbers that are known; what is not a number is larger than any."""
    if a is None or b is None:
        return b if a is None else a
    return a if a != a or a >= b else b
