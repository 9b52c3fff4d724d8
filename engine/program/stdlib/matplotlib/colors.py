"""Colours as programs write them: names, `C1`, `#rrggbb`, `0.5`, tuples of numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array
from engine.program.text import represent

NAMED: dict[str, str] = dict(
    line.split(" ") for line in (Path(__file__).parent / "colors.txt").read_text().splitlines()
)

CYCLE = tuple(
    NAMED[f"tab:{name}"] for name in "blue orange green red purple brown pink gray olive cyan".split()
)
"""The colours that series take in turn."""

SUPPORTED = (
    "supported inputs are (r, g, b) and (r, g, b, a) 0-1 float tuples; '#rrggbb', '#rrggbbaa', '#rgb', '#rgba'"
    " strings; named color strings; string reprs of 0-1 floats for grayscale values; 'C0', 'C1', ... strings for"
    " colors of the color cycle; and pairs combining one of the above with an alpha value"
)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class Color(NamedTuple):
    """A colour as `#rrggbb`, and how opaque it is if that was said. `hex` is None for 'none': it is not drawn."""

    hex: str | None
    alpha: float | None = None


def parse(value: Any) -> Color | None:
    """The colour that a value means; None if it means none."""
    meter.charge(1)
    if type(value) is str:
        return _text(value)
    if isinstance(value, Array | np.ndarray):
        value = np.asarray(value)
        if value.ndim != 1:
            return None
        value = tuple(value.tolist())
    if type(value) not in (tuple, list):
        return None
    if len(value) == 2 and type(value[0]) is not float:
        base = parse(value[0])
        return None if base is None or not _share(value[1]) else Color(base.hex, float(value[1]))
    if len(value) not in (3, 4) or not all([_share(part) for part in value]):
        return None
    red, green, blue, *rest = [float(part) for part in value]
    return Color(to_hex(red, green, blue), rest[0] if rest else None)


def _share(value: Any) -> bool:
    if isinstance(value, Array):
        value = value._array
    return isinstance(value, int | float | np.number) and 0 <= float(value) <= 1


def _text(name: str) -> Color | None:
    low = name.lower()
    if low == "none":
        return Color(None)
    if name in NAMED or low in NAMED and len(name) > 1:
        return Color(NAMED.get(name, NAMED.get(low)))
    if _HEX.fullmatch(name):
        digits = low[1:] if len(name) > 5 else "".join([digit * 2 for digit in low[1:]])
        return Color(f"#{digits[:6]}", int(digits[6:], 16) / 255 if len(digits) > 6 else None)
    if len(name) < 9 and re.fullmatch(r"C[0-9]+", name):
        return Color(CYCLE[int(name[1:]) % len(CYCLE)])
    if len(name) < 20 and re.fullmatch(r"[0-9]*\.?[0-9]+|[0-9]+\.", name) and 0 <= float(name) <= 1:
        return Color(to_hex(float(name), float(name), float(name)))
    return None


def to_hex(red: float, green: float, blue: float) -> str:
    return "#" + "".join([f"{round(part * 255):02x}" for part in (red, green, blue)])


def color(value: Any) -> Color:
    """The same; ValueError for what is no colour."""
    found = parse(value)
    if found is None:
        raise ValueError(f"{represent(value)} is not a valid value for color: {SUPPORTED}")
    return found


def artist_color(value: Any) -> Color:
    """The same in the words that bars and areas have."""
    found = parse(value)
    if found is None:
        raise ValueError(f"{represent(value)} is not a valid color value.")
    return found


def rgba(value: Any, opaque: Any = None) -> tuple[float, float, float, float]:
    """`matplotlib.colors.to_rgba`."""
    if isinstance(value, tuple) and len(value) in (3, 4) and parse(value) is not None:
        red, green, blue, *rest = [float(part) for part in value]
        found = (red, green, blue, rest[0] if rest else 1.0)
    else:
        known = color(value)
        digits = known.hex or "#000000"
        found = (
            *[int(digits[i : i + 2], 16) / 255 for i in (1, 3, 5)],
            0.0 if known.hex is None else 1.0 if known.alpha is None else known.alpha,
        )  # type: ignore[assignment]
    return found if opaque is None else (*found[:3], float(opaque))
