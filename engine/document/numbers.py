"""Numbers as a document has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def plain(number: Any) -> Any:
    """A JSON value for a number: non-finite ones are strings, complex ones pairs."""
    if isinstance(number, complex):
        return [plain(number.real), plain(number.imag)]
    if isinstance(number, float) and not math.isfinite(number):
        return "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"
    return number


def plain_lists(data: Any) -> Any:
    """JSON values for a number, or for nested lists of them."""
    return [plain_lists(item) for item in data] if isinstance(data, list) else plain(data)


def shaped(flat: list[Any], shape: Sequence[int]) -> Any:
    """Elements in row-major order as nested lists; those of a scalar alone."""
    if not shape:
        return flat[0]
    if not shape[0]:
        return []
    for extent in reversed(shape[1:]):
        flat = (
            [flat[i : i + extent] for i in range(0, len(flat), extent)]
            if extent
            else [[] for _ in range(empty_lists(shape))]
        )
    return flat


def empty_lists(shape: Sequence[int]) -> int:
    """The number of empty lists that a shape with an extent of 0 stands for."""
    count = 1
    for extent in shape:
        if not extent:
            break
        count *= extent
    return count


def in_digits(number: float | None, digits: int) -> Any:
    """A number in so many digits."""
    return None if number is None else plain(float(f"{number:.{digits}g}"))
