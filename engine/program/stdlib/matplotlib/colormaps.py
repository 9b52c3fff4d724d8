"""Colour maps: from a number to a colour, with the numbers of matplotlib's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.colors import color, to_hex
from engine.program.stdlib.matplotlib.names import unknown
from engine.program.text import represent
from engine.program.values import Silent

_RECORDED = dict(
    line.split(" ", 1) for line in (Path(__file__).parent / "colormaps.txt").read_text().splitlines()
)

_FORMULAS: dict[str, tuple[Callable[[Any], Any], ...]] = {
    "rainbow": (lambda x: abs(2 * x - 0.5), lambda x: np.sin(x * math.pi), lambda x: np.cos(x * math.pi / 2)),
    "gnuplot": (np.sqrt, lambda x: x**3, lambda x: np.sin(x * 2 * math.pi)),
    "ocean": (lambda x: 3 * x - 2, lambda x: abs((3 * x - 1) / 2), lambda x: x),
    "afmhot": (lambda x: 2 * x, lambda x: 2 * x - 0.5, lambda x: 2 * x - 1),
    "gist_heat": (lambda x: 1.5 * x, lambda x: 2 * x - 1, lambda x: 4 * x - 3),
    "gist_gray": (lambda x: x, lambda x: x, lambda x: x),
    "gist_yarg": (lambda x: 1 - x, lambda x: 1 - x, lambda x: 1 - x),
}
"""Maps that are defined by a formula for each of red, green and blue."""

_STOPS = 33
"""Colours by which a document describes a continuous map."""
_PARTS = 8
"""Numbers that stand in memory for each one that gets a colour."""
_STEPS = 30
"""What making one is charged."""


class Colormap:
    """A map of `n` colours. `table`: (n, 3); `listed`: its colours are apart from each other."""

    __slots__ = ("listed", "n", "name", "table")
    __module__ = "matplotlib.colors"

    def __init__(self, name: str, table: Any, listed: bool) -> None:
        self.name, self.table, self.n, self.listed = name, table, len(table), listed

    def reversed(self) -> Colormap:
        name = self.name[:-2] if self.name.endswith("_r") else f"{self.name}_r"
        return Colormap(name, self.table[::-1], self.listed)

    def resampled(self, n: int) -> Colormap:
        """The same map with fewer or more colours."""
        places = np.linspace(0, 1, n)
        return Colormap(self.name, self.table[self.places(places)], True if n < 33 else self.listed)

    def places(self, numbers: Any) -> Any:
        """Which of its colours numbers from 0 to 1 have, or integers; NaN has the first."""
        a = np.asarray(numbers)
        if a.dtype.kind == "f":
            scaled = np.where(a == 1, self.n - 1, a * self.n)
            a = np.where(np.isfinite(scaled), scaled, 0.0)
        return np.clip(a, 0, self.n - 1).astype(np.int64)

    def __call__(self, X: Any, alpha: Any = None, bytes: bool = False) -> Any:  # noqa: N803 - matplotlib's name
        numbers = np.asarray(X if isinstance(X, np.ndarray | np.generic) else _numbers(X))
        meter.reserve(int(numbers.size), 8 * _PARTS)
        meter.made(4 * int(numbers.size), 8)
        meter.charge(int(numbers.size) >> 5)
        found = self.table[self.places(numbers)]
        opaque = np.full((*found.shape[:-1], 1), 1.0 if alpha is None else given.number(alpha))
        found = np.concatenate([found, opaque], axis=-1)
        if bytes:
            found = (found * 255).astype(np.uint8)
        return wrap(found) if numbers.ndim else tuple([wrap(part) for part in found])

    def described(self) -> dict[str, Any]:
        """As the document has it: all colours of a map of few, or some of one that is continuous."""
        places = np.arange(self.n) if self.listed else np.linspace(0, self.n - 1, _STOPS).round().astype(int)
        return {
            "name": self.name,
            "colors": [to_hex(*row) for row in self.table[places].tolist()],
            "discrete": self.listed,
        }

    def __repr__(self) -> str:
        return f"<matplotlib.colors.{type(self).__name__} object '{self.name}'>"


def _numbers(value: Any) -> Any:
    if type(value) is int:
        return np.asarray(value)
    a = getattr(value, "_array", None)
    return np.asarray(a) if isinstance(a, np.ndarray | np.generic) else given.array(value)


def _make(name: str) -> Colormap:
    if name in _FORMULAS:
        x = np.linspace(0, 1, 256)
        return Colormap(name, np.stack([np.clip(part(x), 0, 1) for part in _FORMULAS[name]], axis=1), False)
    kind, _, text = _RECORDED[name].partition(" ")
    if kind == "bytes":
        flat = np.frombuffer(bytes.fromhex(text), np.uint8) / 255
        return Colormap(name, flat.reshape(-1, 3), True)
    if kind == "millionths":
        digits = [int(text[i : i + 5], 16) for i in range(0, len(text), 5)]
        return Colormap(name, np.array(digits).reshape(-1, 3) / 1_000_000, False)
    return Colormap(name, np.stack([_changing(part) for part in text.split(" | ")], axis=1), False)


def _changing(text: str) -> Any:
    """256 values between the places where a colour changes: `x,value`, or `x,before,after`."""
    rows = [[float(part) for part in row.split(",")] for row in text.split(" ")]
    x, before, after = np.array([[row[0], row[1], row[-1]] for row in rows]).T
    wanted = np.linspace(0, 1, 256)
    right = np.searchsorted(x, wanted)[1:-1]
    share = (wanted[1:-1] - x[right - 1]) / (x[right] - x[right - 1])
    inner = share * (before[right] - after[right - 1]) + after[right - 1]
    return np.clip(np.concatenate([after[:1], inner, before[-1:]]), 0, 1)


NAMES = sorted([*_RECORDED, *_FORMULAS])
ALL = frozenset(NAMES) | {f"{name}_r" for name in NAMES}
_ELSEWHERE = (
    "berlin cubehelix flag gist_grey gist_ncar gist_yerg gnuplot2 managua nipy_spectral prism twilight_shifted vanimo"
)
KNOWN = sorted([*ALL, *_ELSEWHERE.split(), *[f"{name}_r" for name in _ELSEWHERE.split()]])
"""Names of matplotlib's maps, of which a few are not here."""


def find(name: str) -> Colormap:
    """The map of a name that is in `ALL`."""
    meter.charge(_STEPS)
    return _make(name[:-2]).reversed() if name.endswith("_r") else _make(name)


def colormap(value: Any, argument: str = "cmap", default: str = "viridis") -> Colormap:
    """The map that a value names. ValueError for a name that matplotlib does not have."""
    if value is None or type(value) is Silent:  # a map of seaborn's has other colours
        return find(default)
    if isinstance(value, Colormap):
        return value
    if type(value) is str and value in ALL:
        return find(value)
    if type(value) is not str:
        raise TypeError(f"{argument} must be a Colormap, a string or None, not {represent(value)}")
    said = unknown(value, argument, KNOWN)
    more = "\nSee `matplotlib.bivar_colormaps()` and `matplotlib.multivar_colormaps()` for bivariate and multivariate"
    raise ValueError(f"{said}{more} colormaps" if argument == "cmap" else said)


def listed(colors: Any, name: str = "from_list", N: Any = None) -> Colormap:  # noqa: N803 - matplotlib's name
    """`ListedColormap`: these colours, one after the other."""
    if type(colors) is str:
        colors = [colors]
    rows = [_parts(item) for item in given.several(colors) or ()]
    return Colormap(name, np.array(rows).reshape(-1, 3), True)


def linear(name: str, colors: Any, N: int = 256, gamma: float = 1.0) -> Colormap:  # noqa: N803 - matplotlib's name
    """`LinearSegmentedColormap.from_list`: from colour to colour."""
    rows = given.several(colors) or []
    placed = bool(rows) and type(rows[0]) in (tuple, list) and len(rows[0]) == 2 and type(rows[0][1]) in (str, tuple)
    at = [float(row[0]) for row in rows] if placed else np.linspace(0, 1, len(rows))
    table = np.array([_parts(row[1] if placed else row) for row in rows]).reshape(-1, 3)
    wanted = np.linspace(0, 1, min(int(N), 256))
    return Colormap(name, np.stack([np.interp(wanted, at, part) for part in table.T], axis=1), int(N) < 33)


def _parts(value: Any) -> list[float]:
    digits = color(tuple(value.tolist()) if isinstance(value, np.ndarray) else value).hex or "#000000"
    return [int(digits[i : i + 2], 16) / 255 for i in (1, 3, 5)]
