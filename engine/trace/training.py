"""The passes of a run's trainings: what each began at, and the norms of what it changed.

A pass that is kept costs three sums of squares for each leaf, the others hardly anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.document.training import Point, Series
from engine.trace import reading
from engine.types import dtypes
from engine.types.coo import Coo

ELEMENTS = 1 << 20
"""Elements that one kept pass looks at; a capture looks at more of them, on a machine of its user's."""

_NUMBER = 10

ndarray, float32, float64 = np.ndarray, np.float32, np.float64


class Training:
    """Told of every backward pass of a run, by the recorder or by whoever watches in its place."""

    __slots__ = ("_loss", "_reached", "_series", "series")

    def __init__(self) -> None:
        self.series: dict[tuple[int, int], Series[Tensor]] = {}
        self._series: Series[Tensor] | None = None
        self._loss: Any = None
        self._reached: list[Tensor] | None = None

    def roots(self, tensors: Sequence[Any]) -> None:
        """A pass is about to begin at these tensors."""
        root = tensors[0] if len(tensors) == 1 else None
        array = reading.array(root) if isinstance(root, Tensor) else None
        self._loss = array if array is not None and array.size == 1 and array.dtype.kind in dtypes.FLOATING else None

    def begin(self, position: Any) -> None:
        """An outermost pass begins, called from `position`."""
        if position is None:
            return
        key = int(position[0]), int(position[1])
        series = self.series.get(key)
        if series is None:
            series = self.series[key] = Series(*key)
        self._series = series
        if series.before is not None:
            self._updated(series)
        self._reached = [] if series.passes % series.stride == 0 else None
        series.passes += 1

    def reach(self, leaf: Tensor) -> None:
        """The pass added to the gradient of a leaf."""
        if self._reached is not None:
            self._reached.append(leaf)

    def end(self, call: int) -> None:
        """The outermost pass is over."""
        series, reached, root = self._series, self._reached, self._loss
        self._series = self._reached = self._loss = None
        if series is None:
            return
        loss = None if root is None else root.item()
        series.last = call, loss
        if reached is None:
            series.forget(loss)
            return
        if not reached:  # `autograd.grad` for given inputs: no turn of a training
            series.passes -= 1
            return
        series.follow(reached)
        places, count = series.places, len(series.leaves)
        grads: list[Any] = [None] * count
        weights, before = grads.copy(), grads.copy()
        left = ELEMENTS
        for leaf in reached:
            place, array = places.get(id(leaf)), reading.array(leaf)
            if place is None or array is None or array.size > left or type(array) is Coo:
                continue
            left -= array.size
            before[place] = array.copy() if type(array) is ndarray else array
            grads[place], weights[place] = _squares(reading.grad(leaf)), _squares(array)
        series.keep(Point(call, loss, loss, grads, weights, [None] * count), before)

    def finish(self) -> None:
        """The run is over: what the last steps changed; and sums of squares become norms."""
        with np.errstate(all="ignore"):
            for series in self.series.values():
                if series.before is not None:
                    self._updated(series)
                if series.lacks_the_last():
                    series.end([_squares(reading.grad(leaf)) for leaf in series.leaves])
                for point in series.points:
                    for column in (point.grads, point.weights, point.updates):
                        column[:] = [None if x is None else sqrt(x) for x in column]

    def bytes(self) -> int:
        """Bytes of a document that this takes, about."""
        return sum([len(s.points) * (3 * len(s.leaves) + 2) * _NUMBER for s in self.series.values()])

    def _updated(self, series: Series[Tensor]) -> None:
        """By how much leaves changed since the last kept pass of a series."""
        before, series.before = series.before, None
        if before is None or not series.points:
            return
        point = series.points[-1]
        for place, old in enumerate(before[: len(point.updates)]):
            now = reading.array(series.leaves[place])
            if old is not None and now is not None and now.shape == old.shape:
                point.updates[place] = _squares(now - old)


def _squares(array: Any) -> Any:
    """The sum of the squares of all elements, from which `finish` takes the Euclidean norm."""
    kind = type(array)
    if kind is ndarray and array.dtype.char in "fd":
        flat = array if array.ndim == 1 else array.ravel()
        return flat.dot(flat)
    if kind is float32 or kind is float64:
        number = float(array)
        return number * number
    if array is None:
        return None
    if kind is Coo:
        return _squares(array.coalesce().values)
    if array.dtype.kind not in dtypes.INEXACT:
        return None
    with np.errstate(all="ignore"):
        flat = np.abs(array).ravel()
    return _squares(flat if flat.dtype.char in "fd" else flat.astype(np.float64))
