"""What drawings consist of: rectangles, lines and texts, each of a kind that has its colours and its letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Step = tuple[str | float, ...]
"""A step of a line: `("M", x, y)`, `("L", x, y)`, `("Q", x, y, x, y)`, `("C", x, y, x, y, x, y)`, as SVG means them."""


class Rect(NamedTuple):
    """A rectangle, with its corners rounded by `r`."""

    x: float
    y: float
    w: float
    h: float
    r: float
    kind: str


class Line(NamedTuple):
    """A line; `arrow`: with a head where it ends."""

    steps: Sequence[Step]
    kind: str
    arrow: bool = False


class Text(NamedTuple):
    """A text at its base line; `anchor`: "start", "middle" or "end"."""

    x: float
    y: float
    text: str
    kind: str
    anchor: str


Mark = Rect | Line | Text


class Look(NamedTuple):
    """How a kind of mark looks, in light and in dark: `fill` of rectangles and texts, `line` around and of lines."""

    fill: tuple[str, str] | None = None
    line: tuple[str, str] | None = None
    width: float = 0
    dash: str = ""
    size: float = 0
    bold: bool = False
    mono: bool = False


_INK, _SOFT, _MUTE = ("#1d2330", "#e9ebf1"), ("#3f4757", "#c3c8d4"), ("#646b79", "#9ca4b4")
PAPER = ("#ffffff", "#14171d")
LOOKS = {
    "module": Look(fill=("#fbfaf7", "#1a1e26"), line=_SOFT, width=1.5),
    "op": Look(fill=PAPER, line=("#8b919d", "#79818f"), width=1.2),
    "input": Look(fill=("#f5f3ee", "#262c37"), line=_INK, width=1.5),
    "output": Look(fill=("#f5f3ee", "#262c37"), line=_INK, width=1.5),
    "frame": Look(fill=("#f5f3ee", "#12151a"), line=("#c9c7bf", "#4a5160"), width=1),
    "way": Look(line=_SOFT, width=1.8),
    "around": Look(line=_MUTE, width=1.8),
    "name": Look(fill=_INK, size=13, bold=True, mono=True),
    "type": Look(fill=_SOFT, size=12),
    "line": Look(fill=_MUTE, size=11.5),
    "parameters": Look(fill=_MUTE, size=11.5),
    "framed": Look(fill=_INK, size=13, bold=True, mono=True),
    "kind": Look(fill=_MUTE, size=12),
    "shape": Look(fill=_SOFT, size=11, mono=True),
    "title": Look(fill=_INK, size=14, bold=True),
}
"""By kind; the colours are those of the page."""


def head(line: Line) -> list[tuple[float, float]]:
    """The head of an arrow, a triangle: it points where the line ends."""
    *_, x, y = (float(number) for number in line.steps[-1][1:])
    *_, before_x, before_y = (float(number) for number in line.steps[-2][1:])
    along = (1.0, 0.0) if abs(x - before_x) >= abs(y - before_y) else (0.0, 1.0 if y > before_y else -1.0)
    back, aside = 7.0, 3.6
    tail = (x - along[0] * back, y - along[1] * back)
    across = (along[1] * aside, along[0] * aside)
    return [(x, y), (tail[0] - across[0], tail[1] - across[1]), (tail[0] + across[0], tail[1] + across[1])]
