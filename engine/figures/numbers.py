"""Numbers and colours of a figure as its document has them: few, and with as many digits as a picture can show."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.colors import to_hex, to_rgba


def real(value: float, digits: int = 6) -> Any:
    """One number, as JSON can hold it."""
    if not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    found = float(f"{value:.{digits}g}")
    return int(found) if found == int(found) and abs(found) < 1e15 else found


def reals(values: Any) -> list[Any]:
    """Numbers of which six digits of what differs are kept."""
    a = plain(values)
    digits = 6
    finite = a[np.isfinite(a)]
    if finite.size:
        most, span = float(np.abs(finite).max()), float(finite.max() - finite.min())
        if most > span > 1e-9 * most:
            digits = min(15, 6 + math.ceil(math.log10(most / span)))
    return [real(value, digits) for value in a.tolist()]


def plain(values: Any) -> Any:
    """An array of floats, with NaN for what is masked."""
    return np.ma.filled(np.ma.asarray(values, dtype=np.float64), np.nan)


def paint(value: Any, alpha: Any = None) -> tuple[str | None, Any]:
    """A colour as `#rrggbb`, None where there is none, and how opaque it is."""
    if isinstance(value, str) and value.lower() == "none":
        return None, 1
    rgba = to_rgba(value)
    share = rgba[3] if alpha is None else float(alpha)
    return (None if rgba[3] == 0 and alpha is None else to_hex(rgba[:3])), real(share, 3)


def paints(values: Any, alpha: Any = None) -> tuple[list[str | None], Any]:
    """Colours of several things and how opaque they all are, or the most opaque of them."""
    found = [paint(value, alpha) for value in values]
    shown = [share for colour, share in found if colour is not None]
    return [colour for colour, _ in found], max(shown, default=1)


def evenly(count: int, points: int) -> Any:
    """Which of `count` are kept, evenly spread."""
    return np.unique(np.linspace(0, count - 1, points).round().astype(int)) if count > points else np.arange(count)


def telling(x: Any, y: Any, points: int) -> Any:
    """Which points of a line are kept: where it is lowest and highest in each of as many parts as fit, if x grows."""
    if len(x) <= points:
        return np.arange(len(x))
    if not (np.diff(x) >= 0).all():
        return evenly(len(x), points)
    parts = np.linspace(0, len(x), points // 2 + 1).astype(int)
    low, high = np.where(np.isnan(y), np.inf, y), np.where(np.isnan(y), -np.inf, y)
    kept = [0, len(x) - 1]
    for first, last in zip(parts[:-1], parts[1:], strict=True):
        if last > first:
            kept += [first + int(low[first:last].argmin()), first + int(high[first:last].argmax())]
    return np.unique(kept)
