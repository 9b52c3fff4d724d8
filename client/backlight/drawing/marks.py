"""A drawing as marks: rectangles, lines and texts, each of a kind that has its colours and its letters; and as SVG."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
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

_SANS = 'Inter,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
_MONO = '"JetBrains Mono","SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace'


class Drawing:
    """A model's picture. `width` and `height` are in pixels."""

    def __init__(self, marks: Sequence[Mark], width: int, height: int) -> None:
        self.marks, self.width, self.height = marks, width, height

    @property
    def svg(self) -> str:
        """The picture as SVG, in light or in dark as the reader has it."""
        body = "".join(map(_written, self.marks))
        said = html.escape(next((m.text for m in self.marks if isinstance(m, Text) and m.kind == "title"), "A model"))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" role="img" class="backlight-model" aria-label="{said}">'
            f"<style>{_style()}</style>"
            f'<rect class="paper" width="{self.width}" height="{self.height}"/>{body}</svg>\n'
        )

    def pdf(self) -> bytes:
        """The picture as PDF. An ImportError says what to install for it."""
        from .pdf import written  # noqa: PLC0415 - reportlab need not be installed

        return written(self)

    @staticmethod
    def checked(path: str | Path) -> Path:
        """A path that a picture can be saved as; a ValueError says what can."""
        target = Path(path)
        if target.suffix.lower() not in (".svg", ".pdf"):
            raise ValueError(f"{target.name}: a model's picture is saved as .svg or .pdf")
        return target

    def save(self, path: str | Path) -> None:
        """Write a file: `.svg` or `.pdf`."""
        target = self.checked(path)
        if target.suffix.lower() == ".pdf":
            target.write_bytes(self.pdf())
        else:
            target.write_text(self.svg, "utf-8")

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg

    def __repr__(self) -> str:
        return f"<backlight.Drawing: {self.width} × {self.height} pixels>"


def _style() -> str:
    """The style of all kinds: light, and dark where the reader has it so."""
    rules = [".backlight-model .paper{fill:" + PAPER[0] + "}"]
    dark = [".backlight-model .paper{fill:" + PAPER[1] + "}"]
    for kind, look in LOOKS.items():
        rule, other = [f"fill:{look.fill[0] if look.fill else 'none'}"], []
        if look.fill:
            other.append(f"fill:{look.fill[1]}")
        if look.line:
            rule += [f"stroke:{look.line[0]}", f"stroke-width:{look.width:g}"]
            other.append(f"stroke:{look.line[1]}")
        if look.size:
            rule.append(f"font:{'650 ' if look.bold else ''}{look.size:g}px {_MONO if look.mono else _SANS}")
        rules.append(f".backlight-model .{kind}{{{';'.join(rule)}}}")
        dark.append(f".backlight-model .{kind}{{{';'.join(other)}}}")
        if look.line and kind in ("way", "around"):
            rules.append(f".backlight-model .{kind}-head{{fill:{look.line[0]}}}")
            dark.append(f".backlight-model .{kind}-head{{fill:{look.line[1]}}}")
    return f"{''.join(rules)}@media (prefers-color-scheme:dark){{{''.join(dark)}}}"


def _written(mark: Mark) -> str:
    if isinstance(mark, Rect):
        size = f'width="{mark.w:.1f}" height="{mark.h:.1f}" rx="{mark.r:g}"'
        return f'<rect class="{mark.kind}" x="{mark.x:.1f}" y="{mark.y:.1f}" {size}/>'
    if isinstance(mark, Text):
        anchor = "" if mark.anchor == "start" else f' text-anchor="{mark.anchor}"'
        place = f'x="{mark.x:.1f}" y="{mark.y:.1f}"'
        return f'<text class="{mark.kind}" {place}{anchor}>{html.escape(mark.text)}</text>'
    steps = "".join(f"{step[0]}{' '.join(f'{float(x):.1f}' for x in step[1:])}" for step in mark.steps)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in head(mark)) if mark.arrow else ""
    tip = f'<polygon class="{mark.kind}-head" points="{points}"/>' if points else ""
    return f'<path class="{mark.kind}" d="{steps}"/>{tip}'


def head(line: Line) -> list[tuple[float, float]]:
    """The head of an arrow, a triangle: it points where the line ends."""
    *_, x, y = (float(number) for number in line.steps[-1][1:])
    *_, before_x, before_y = (float(number) for number in line.steps[-2][1:])
    along = (1.0, 0.0) if abs(x - before_x) >= abs(y - before_y) else (0.0, 1.0 if y > before_y else -1.0)
    back, aside = 7.0, 3.6
    tail = (x - along[0] * back, y - along[1] * back)
    across = (along[1] * aside, along[0] * aside)
    return [(x, y), (tail[0] - across[0], tail[1] - across[1]), (tail[0] + across[0], tail[1] + across[1])]
