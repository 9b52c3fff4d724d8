"""Where matplotlib puts marks along an axis that nobody set, and what it writes there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.program.stdlib.matplotlib.scales import Scale

_STEPS = np.array([0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20])
_POINTS = 72
_FONT = (30.0, 20.0)
"""What a label takes along x and along y, in points."""
_POWERS = (-5, 6)
"""Numbers of these powers of ten, and beyond, are written as multiples of one."""
FAR = 100
"""By how often its length an axis is away from 0 before its ticks are counted from elsewhere."""


def ticks(scale: Scale, inches: float) -> Any:
    """Where the marks of an axis of this length stand, those next beyond its ends included."""
    low, high = sorted(scale.limits())
    if scale.categories.places:
        return np.arange(len(scale.categories.places))
    most = int(inches * _POINTS / _FONT[scale.at])
    return _decades(low, high) if scale.kind == "log" else _round(low, high, min(max(most, 1), 9))


def _round(low: float, high: float, most: int) -> Any:
    """Multiples of 1, 2, 2.5 or 5 times a power of ten, at least two of them inside."""
    span, middle = high - low, (high + low) / 2
    if not span or not math.isfinite(span):
        return np.array([low])
    far = abs(middle) / span >= FAR
    offset = math.copysign(10.0 ** (math.log10(abs(middle)) // 1), middle) if far else 0.0
    low, high = low - offset, high - offset
    steps = _STEPS * 10.0 ** (math.log10(span / most) // 1)
    first = int(np.argmax(steps >= span / most))
    found = np.zeros(0)
    for step in steps[first::-1]:
        start = (low // step) * step
        below, above = _whole(low - start, step, offset, down=True), _whole(high - start, step, offset, down=False)
        found = np.arange(below, above + 1) * step + start
        if ((found <= high) & (found >= low)).sum() >= 2:
            break
    return found + offset


def _whole(length: float, step: float, offset: float, down: bool) -> float:
    """How many steps a length has, to the next whole one."""
    near = 1e-10
    if offset:
        near = min(0.4999, max(near, 10 ** (math.log10(abs(offset) / step) - 12)))
    count, rest = divmod(length, step)
    if down:
        return count + 1 if abs(rest / step - 1) < near else count
    return count if abs(rest / step) < near else count + 1


def _decades(low: float, high: float) -> Any:
    first, last = math.ceil(math.log10(low)), math.floor(math.log10(high))
    stride = (last - first + 1) // 10 + 1
    return 10.0 ** np.arange(first - stride, last + stride + 1, stride, dtype=np.float64)


def labels(scale: Scale, places: Any) -> list[str]:
    """What is written at the marks, with as many digits as tell them apart."""
    if scale.categories.places:
        words = list(scale.categories.places)
        return [words[int(at)] if 0 <= at < len(words) and at == int(at) else "" for at in places]
    if scale.kind == "log":
        return [f"$\\mathdefault{{10^{{{round(math.log10(at))}}}}}$" if at > 0 else "" for at in places]
    if not len(places):
        return []
    low, high = sorted(scale.limits())
    inside = np.abs(places[(places >= low) & (places <= high)])
    power = math.floor(math.log10(inside.max())) if inside.size and inside.max() else 0
    power = power if power <= _POWERS[0] or power >= _POWERS[1] else 0
    numbers = places / 10.0**power
    known = numbers if len(numbers) > 1 else np.array([*numbers, low, high])
    span = np.ptp(known) or np.max(np.abs(known)) or 1
    size = math.floor(math.log10(span))
    digits = max(0, 3 - size)
    while digits >= 0 and np.abs(numbers - np.round(numbers, digits)).max() < 1e-3 * 10.0**size:
        digits -= 1
    shown = [f"{0.0 if abs(number) < 1e-8 else number:.{digits + 1}f}" for number in numbers]
    return [text.replace("-", "\N{MINUS SIGN}") for text in shown]
