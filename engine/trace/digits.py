"""The shortest decimals that tell float32 numbers apart, of many numbers at a time.

numpy writes 0.1 for the float32 that is 0.10000000149011612, one number after the other. Six significant digits are
never too many and nine always enough; in between the first count is right whose nearest decimal is read as the same
float32. A decimal `digits / 10**k` of at most nine digits is the double that Python reads from its text, as both are
exact and the division rounds once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FEW = 24
"""Numbers up to which numpy is as fast."""

_SMALLEST, _LARGEST = 1e-13, 1e15
"""Between these the powers of ten are doubles."""

_TENS = np.array([float(f"1e{n}") for n in range(23)])
_DOUBT = 1e-6
"""Distance from the middle between two decimals below which a product does not tell which is nearer."""


def shortest(numbers: Any) -> list[float]:
    """The decimals of a vector of float32 or float16 numbers; those that are not finite are as they are."""
    if numbers.size <= FEW or numbers.dtype != np.float32:
        return one_by_one(numbers)
    with np.errstate(all="ignore"):
        return _shortest(numbers)


def _shortest(numbers: Any) -> list[float]:
    wide = np.abs(numbers).astype(np.float64)
    decimals = numbers.astype(np.float64)
    places = np.flatnonzero((wide >= _SMALLEST) & (wide < _LARGEST))
    left = wide[places]
    slow = np.flatnonzero(~((wide == 0) | np.isinf(wide) | np.isnan(wide) | (wide >= _SMALLEST) & (wide < _LARGEST)))
    doubtful = [slow]
    exponents = np.floor(np.log10(left)).astype(np.intp)
    for count in range(6, 10):
        powers = count - 1 - exponents
        up, down = _TENS[np.maximum(powers, 0)], _TENS[np.maximum(-powers, 0)]
        exact = left * up / down
        digits = np.rint(exact)
        decimal = digits / up * down
        found = decimal.astype(np.float32) == left
        unsure = np.abs(np.abs(exact - digits) - 0.5) < _DOUBT
        doubtful.append(places[unsure])
        found &= ~unsure
        decimals[places[found]] = decimal[found]
        rest = ~(found | unsure)
        places, left, exponents = places[rest], left[rest], exponents[rest]
    np.copysign(decimals, numbers, out=decimals)
    for place in np.concatenate([*doubtful, places]).tolist():
        decimals[place] = float(str(numbers[place]))
    return decimals.tolist()  # type: ignore[no-any-return]


def one_by_one(numbers: Any) -> list[float]:
    """The same as numpy writes them."""
    return list(map(float, numbers.astype(str).tolist()))
