"""A drawing as SVG: in light, or in dark where the reader has it so."""

from __future__ import annotations

import html
from collections.abc import Sequence

from .marks import LOOKS, PAPER, Mark, Rect, Text, head

_SANS = 'Inter,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
_MONO = '"JetBrains Mono","SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace'


def svg(marks: Sequence[Mark], width: int, height: int) -> str:
    """The file; sizes are in pixels."""
    said = html.escape(next((m.text for m in marks if isinstance(m, Text) and m.kind == "title"), "A model"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" class="backlight-model" aria-label="{said}"><style>{_style()}</style>'
        f'<rect class="paper" width="{width}" height="{height}"/>{"".join(map(_written, marks))}</svg>\n'
    )


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
