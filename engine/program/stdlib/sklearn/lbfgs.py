"""The limited-memory BFGS method with the line search of Moré and Thuente, as scikit-learn asks for it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

_KEPT = 10
"""Steps that the approximation of the Hessian is made of."""
_SEARCHES = 50
"""Evaluations of one line search, at most."""
_DECREASE, _CURVATURE, _INTERVAL = 1e-3, 0.9, 0.1
"""How much a step must lower the function and its slope, and how small its interval may become."""
_FAR = 1e10
_EPS = float(np.finfo(float).eps)

Function = Callable[[Any], tuple[float, Any]]


def minimize(function: Function, x: Any, steps: int, small: float, flat: float) -> tuple[Any, int, bool]:
    """Where a function is least, after how many steps, and whether it got there in so many.

    `function` gives a value and its gradient. It ends where no part of the gradient is above `small`, or where a step
    lowers the value by no more than `flat` of it.
    """
    value, gradient = function(x)
    kept: deque[tuple[Any, Any, float]] = deque(maxlen=_KEPT)
    done = 0
    if np.abs(gradient).max(initial=0) <= small:
        return x, done, True
    while True:
        direction = -_by_hessian(gradient, kept)
        slope = float(gradient @ direction)
        first = min(1 / float(np.linalg.norm(direction)), _FAR) if done == 0 else 1.0
        found = None if slope >= 0 else _search(function, x, direction, value, slope, first)
        if found is None:  # nothing is lower that way
            if not kept:
                return x, done, False
            kept.clear()
            continue
        length, now, after, slope_after = found
        x = x + length * direction
        done += 1
        if done >= steps:
            return x, done, False
        lowered = value - now
        if np.abs(after).max() <= small or lowered <= flat * max(abs(value), abs(now), 1):
            return x, done, True
        curved = (slope_after - slope) * length
        if curved > _EPS * -slope * length:
            kept.append((length * direction, after - gradient, curved))
        value, gradient = now, after


def _by_hessian(gradient: Any, kept: deque[tuple[Any, Any, float]]) -> Any:
    """The gradient by the inverse of the Hessian that the steps so far tell of."""
    found, shares = gradient.copy(), []
    for step, change, curved in reversed(kept):
        share = float(step @ found) / curved
        found -= share * change
        shares.append(share)
    if kept:
        _, change, curved = kept[-1]
        found *= curved / float(change @ change)
    for (step, change, curved), share in zip(kept, reversed(shares), strict=True):
        found += (share - float(change @ found) / curved) * step
    return found


def _search(
    function: Function, x: Any, direction: Any, value: float, slope: float, length: float
) -> tuple[float, float, Any, float] | None:
    """A length at which value and slope are low enough, with what they are there; None if none is found."""
    least = slope * _DECREASE
    low, high = (0.0, value, slope), (0.0, value, slope)
    bounded, lower_first = False, True
    width, width_before = _FAR, 2 * _FAR
    from_, to = 0.0, length + 4 * length
    for _ in range(_SEARCHES):
        now, gradient = function(x + length * direction)
        steep = float(gradient @ direction)
        if not math.isfinite(now):
            return None
        wanted = value + length * least
        if lower_first and now <= wanted and steep >= 0:
            lower_first = False
        stuck = bounded and (length <= from_ or length >= to or to - from_ <= _INTERVAL * to)
        if now <= wanted and abs(steep) <= _CURVATURE * -slope or stuck:
            return length, now, gradient, steep
        if lower_first and low[1] >= now > wanted:  # the function without the slope that it must have
            shifted = [(at, f - at * least, g - least) for at, f, g in (low, high)]
            here = (length, now - length * least, steep - least)
            low, high, length, bounded = _next(shifted[0], shifted[1], here, bounded, from_, to)
            low, high = [(at, f + at * least, g + least) for at, f, g in (low, high)]
        else:
            low, high, length, bounded = _next(low, high, (length, now, steep), bounded, from_, to)
        if bounded:
            if abs(high[0] - low[0]) >= 0.66 * width_before:
                length = low[0] + 0.5 * (high[0] - low[0])
            width_before, width = width, abs(high[0] - low[0])
            from_, to = min(low[0], high[0]), max(low[0], high[0])
        else:
            from_, to = length + 1.1 * (length - low[0]), length + 4 * (length - low[0])
        length = min(max(length, 0.0), _FAR)
        if bounded and (length <= from_ or length >= to or to - from_ <= _INTERVAL * to):
            length = low[0]
    return None


_Point = tuple[float, float, float]
"""A length, the value there and the slope."""


def _next(
    low: _Point, high: _Point, here: _Point, bounded: bool, from_: float, to: float
) -> tuple[_Point, _Point, float, bool]:
    """The ends of the interval and the length to try next, by cubics and parabolas through what is known."""
    (a, fa, ga), b, (t, f, g) = low, high[0], here
    opposite = g * (ga / abs(ga)) < 0 if ga else False
    if f > fa:
        cubic = _cubic(low, here)
        parabola = a + ((ga / ((fa - f) / (t - a) + ga)) / 2) * (t - a)
        length = cubic if abs(cubic - a) < abs(parabola - a) else cubic + (parabola - cubic) / 2
        bounded = True
    elif opposite:
        cubic, secant = _cubic(here, low), t + (g / (g - ga)) * (a - t)
        length = cubic if abs(cubic - t) > abs(secant - t) else secant
        bounded = True
    elif abs(g) < abs(ga):
        cubic, secant = _beyond(low, here, from_, to), t + (g / (g - ga)) * (a - t)
        nearer = abs(cubic - t) < abs(secant - t)
        if bounded:
            length = cubic if nearer else secant
            edge = t + 0.66 * (b - t)
            length = min(edge, length) if t > a else max(edge, length)
        else:
            length = secant if nearer else cubic
            length = max(from_, min(to, length))
    elif bounded:
        length = _cubic(here, high)
    else:
        length = to if t > a else from_
    if f > fa:
        return low, here, length, bounded
    return here, low if opposite else high, length, bounded


def _cubic(left: _Point, right: _Point) -> float:
    """Where the cubic through two points is least, counted from the first."""
    (a, fa, ga), (t, f, g) = left, right
    theta = 3 * (fa - f) / (t - a) + ga + g
    size = max(abs(theta), abs(ga), abs(g))
    gamma = size * math.sqrt(max(0.0, (theta / size) ** 2 - (ga / size) * (g / size)))
    if t < a:
        gamma = -gamma
    return a + ((gamma - ga + theta) / (gamma - ga + gamma + g)) * (t - a)


def _beyond(low: _Point, here: _Point, from_: float, to: float) -> float:
    """The same beyond the second point, or an end where the cubic has no least value there."""
    (a, fa, ga), (t, f, g) = low, here
    theta = 3 * (fa - f) / (t - a) + ga + g
    size = max(abs(theta), abs(ga), abs(g))
    gamma = size * math.sqrt(max(0.0, (theta / size) ** 2 - (ga / size) * (g / size)))
    if t > a:
        gamma = -gamma
    share = (gamma - g + theta) / (gamma + (ga - g) + gamma)
    if share < 0 and gamma:
        return t + share * (a - t)
    return to if t > a else from_
