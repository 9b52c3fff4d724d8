"""Tensors as PyTorch's own C++ prints them, in the text of an error: rows of numbers, and the type in the last line."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter

_WIDTH = 80


def plain(array: Any, type_string: str) -> str:
    """The text of an array of two dimensions at least."""
    sizes = ",".join(map(str, array.shape))
    footer = f"[ {type_string}{{{sizes}}} ]"
    if not array.size:
        return footer
    meter.charge(array.size >> 2)
    meter.allocate(array.size, 16)
    numbers = array.real.astype(np.float64)
    if array.ndim == 2:
        return _matrix(numbers, 0) + footer
    parts = []
    for turned in itertools.product(*map(range, reversed(array.shape[:-2]))):  # the first runs fastest
        index = turned[::-1]
        place = ",".join(str(i + 1) for i in index)
        parts.append(f"({place},.,.) = \n{_matrix(numbers[index], 1)}")
    return "\n".join(parts) + footer


def _format(numbers: Any) -> tuple[float, int, Callable[[float], str]]:
    """The factor before all numbers, their width, and one number as text."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    least, most = [math.floor(math.log10(x)) + 1 if x else 1 for x in (low, high)]
    if bool((finite == np.ceil(finite)).all()):
        return (1.0, 11, _scientific) if most > 9 else (1.0, most + 1, lambda x: f"{x:.6g}")
    if most - least > 4:
        return 1.0, 12 if max(abs(most), abs(least)) > 99 else 11, _scientific
    if most > 5 or most < 0:
        return 10.0 ** (most - 1), 7, _fixed
    return 1.0, 7 if most == 0 else most + 6, _fixed


def _scientific(x: float) -> str:
    return f"{x:.4e}"


def _fixed(x: float) -> str:
    return f"{x:.4f}"


def _matrix(numbers: Any, indent: int) -> str:
    scale, width, text = _format(numbers)
    before = " " * indent
    columns = max((_WIDTH - indent) // (width + 1), 1)
    count = numbers.shape[1]
    out = ""
    for first in range(0, count, columns):
        last = min(first + columns, count)
        if columns < count:
            out += ("\n" if first else "") + f"Columns {first + 1} to {last}{before}"
        if scale != 1:
            out += f"{scale:.10g} *\n{before}"
        for number, row in enumerate(numbers[:, first:last]):
            line = " ".join(text(x / scale).rjust(width) for x in row.tolist())
            out += (before + " " * (scale != 1) if number else "") + line + "\n"
    return out
