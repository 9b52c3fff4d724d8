"""The limits of axes: what was set, or what the data asks for, as matplotlib chooses them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.limits import meter
from engine.program.stdlib.matplotlib.given import Categories

if TYPE_CHECKING:
    from engine.program.stdlib.matplotlib.axes import Axes

MARGIN = 0.05
"""What is left free at each end, of the length."""
_KNEE, _STRETCH = 2.0, 1 / (1 - 1 / 10)
"""Where a symlog scale goes over from straight to logarithmic, and what its straight part is stretched by."""


def _symlog(x: float) -> float:
    if abs(x) <= _KNEE:
        return x * _STRETCH
    return math.copysign(_KNEE * (_STRETCH + math.log10(abs(x) / _KNEE)), x)


def _from_symlog(y: float) -> float:
    if abs(y) <= _KNEE * _STRETCH:
        return y / _STRETCH
    return math.copysign(_KNEE * 10 ** (abs(y) / _KNEE - _STRETCH), y)


def _same(x: float) -> float:
    return x


SCALES: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "linear": (_same, _same),
    "log": (math.log10, lambda y: 10.0**y),
    "symlog": (_symlog, _from_symlog),
}
"""The kinds that are drawn, and how they transform: forth and back."""
KNOWN = ("asinh", "function", "functionlog", "linear", "log", "logit", "symlog")


class Extent:
    """What something drawn covers along one direction: from, to, the least positive number, and edges to end at."""

    __slots__ = ("high", "least", "low", "sticky")

    def __init__(self, values: Any = (), sticky: Iterable[float] = (), least: Any = None) -> None:
        self.low, self.high, self.least = math.inf, -math.inf, math.inf
        self.sticky = list(sticky)
        self.add(values, least)

    def add(self, values: Any, least: Any = None) -> None:
        """Cover finite numbers, too."""
        a = np.asarray(values, dtype=np.float64)
        a = a[np.isfinite(a)]
        if a.size:
            self.low, self.high = min(self.low, float(a.min())), max(self.high, float(a.max()))
        positive = a if least is None else np.asarray(least, dtype=np.float64)
        positive = positive[positive > 0]
        if positive.size:
            self.least = min(self.least, float(positive.min()))


class Scale:
    """One direction of one or more axes that share it. `at`: 0 for x, 1 for y; `fixed`: limits that were set."""

    __slots__ = ("at", "categories", "fixed", "inverted", "kind", "members")

    def __init__(self, at: int) -> None:
        self.at = at
        self.kind = "linear"
        self.fixed: tuple[float, float] | None = None
        self.inverted = False
        self.members: list[Axes] = []
        self.categories = Categories()

    def limits(self) -> tuple[float, float]:
        """From the left or lower end to the other."""
        if self.fixed is not None:
            return self.fixed
        low, high = self._by_data()
        return (high, low) if self.inverted else (low, high)

    def fix(self, first: float, last: float) -> None:
        """Set the limits. ValueError for what is not finite."""
        if not (math.isfinite(first) and math.isfinite(last)):
            raise ValueError("Axis limits cannot be NaN or Inf")
        if first == last:
            first, last = expanded(first, last)
        if self.kind == "log" and (first <= 0 or last <= 0):
            low, high = self.limits()
            first, last = first if first > 0 else low, last if last > 0 else high
        self.fixed, self.inverted = (first, last), first > last

    def invert(self) -> None:
        first, last = self.limits()
        self.inverted = not self.inverted
        if self.fixed is not None:
            self.fixed = (last, first)

    def _by_data(self) -> tuple[float, float]:
        extents = [artist.extents[self.at] for axes in self.members for artist in axes.artists]
        meter.charge((len(self.members) + len(extents)) >> 4)
        low = min([extent.low for extent in extents], default=math.inf)
        high = max([extent.high for extent in extents], default=-math.inf)
        least = min([extent.least for extent in extents], default=math.inf)
        margin = max([axes.margins[self.at] for axes in self.members], default=MARGIN)
        if self.kind == "log":
            low, high = _positive(low, high, least)
        elif low > high:
            return 0.0, 1.0
        else:
            low, high = expanded(low, high)
        return self._widened(low, high, margin, [edge for extent in extents for edge in extent.sticky])

    def _widened(self, low: float, high: float, margin: float, sticky: list[float]) -> tuple[float, float]:
        """With a margin, which ends at an edge that something drawn sticks to."""
        near = 1e-5 * abs(high - low)
        below = max([edge for edge in sticky if edge < low + near], default=None)
        above = min([edge for edge in sticky if edge >= high - near], default=None)
        forth, back = SCALES.get(self.kind, SCALES["linear"])
        first, last = forth(low), forth(high)
        free = (last - first) * margin
        try:
            first, last = back(first - free), back(last + free)
        except OverflowError:
            return low, high
        return (
            first if below is None else max(first, below),
            last if above is None else min(last, above),
        )


def expanded(low: float, high: float) -> tuple[float, float]:
    """Limits that are apart."""
    low, high = min(low, high), max(low, high)
    if high - low > max(abs(low), abs(high)) * 1e-15:
        return low, high
    if low == 0 and high == 0:
        return -MARGIN, MARGIN
    return low - MARGIN * abs(low), high + MARGIN * abs(high)


def _positive(low: float, high: float, least: float) -> tuple[float, float]:
    """What of a range a logarithmic scale can show."""
    if high <= 0 or low > high:
        return 1.0, 10.0
    if low <= 0:
        low = least if math.isfinite(least) else 1e-300
    if low == high:
        exponent = math.log10(low)
        return 10.0 ** (math.ceil(exponent) - 1), 10.0 ** (math.floor(exponent) + 1)
    return low, high


_STEPS = np.array([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10])


def nice_levels(low: float, high: float, count: int) -> Any:
    """At most `count` + 1 round numbers from `low` to `high`, and one beyond each end that they do not meet."""
    low, high = expanded(low, high)
    span, middle = high - low, (high + low) / 2
    size = 10.0 ** math.floor(math.log10(span / max(count, 1)))
    far = abs(middle) / span >= 100
    offset = math.copysign(10.0 ** math.floor(math.log10(abs(middle))), middle) if far else 0.0
    steps = np.concatenate([0.1 * _STEPS[:-1], _STEPS, [10 * _STEPS[1]]]) * size
    step = float(steps[np.searchsorted(steps, span / max(count, 1) * (1 - 1e-12))])
    low, high = low - offset, high - offset
    first = math.floor(low / step + 1e-10)
    last = math.ceil(high / step - 1e-10)
    return np.arange(first, last + 1) * step + offset
