"""Evenly spaced numbers, rounded as PyTorch's kernels round them: vectors of 32 bytes, multiply-adds fused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.kernels.box_muller import fma64, libm
from engine.limits import meter
from engine.types import dtypes

_VECTOR_BYTES = 32
_UNROLLED = 2


def arange_values(start: Any, step: Any, count: int, dtype: Any) -> Any:
    """`start + i * step`, in double precision.

    PyTorch rounds the first number of each vector before it adds the others; the last, incomplete pair of vectors is
    computed number by number.
    """
    if dtype.kind in "iu":
        return (int(start) + int(step) * np.arange(count)).astype(dtype)
    first, by = float(start), float(step)
    lanes = _VECTOR_BYTES // dtype.itemsize
    index = np.arange(count)
    lane = index % lanes
    lane[count - count % (lanes * _UNROLLED) :] = 0
    base = fma64((index - lane).astype(np.float64), by, first)
    in_vector: Any = base.astype(dtype).astype(np.float64)
    return np.where(lane > 0, fma64(lane.astype(np.float64), by, in_vector), base).astype(dtype)


def linspace_values(start: Any, end: Any, count: int, dtype: Any) -> Any:
    """From both ends towards the middle, so that both ends are exact. Raises LimitExceeded for too many."""
    meter.reserve(max(count, 0), 8)
    if count < 2:
        return np.full(count, dtypes.cast_number(start, dtype, scalar=True) if count else 0).astype(dtype)
    if dtype.kind == "c":
        index = np.arange(count)
        step = (end - start) / (count - 1)
        return np.where(index < count // 2, start + step * index, end - step * (count - 1 - index)).astype(dtype)
    wide: Any = np.float64 if dtype.kind in "iu" else dtype.type
    if dtype.kind in "iu":
        start, end = [int(dtypes.cast_number(x, dtype, scalar=True)) for x in (start, end)]
    first, last = wide(start), wide(end)
    step = float((last - first) / wide(count - 1))
    values = _from_both_ends(float(first), float(last), step, count, fused=True)
    return values.astype(dtype)


def _from_both_ends(first: float, last: float, step: float, count: int, fused: bool) -> Any:
    index = np.arange(count)
    half = index < count // 2
    steps = np.where(half, index, index - (count - 1)).astype(np.float64)
    ends: Any = np.where(half, first, last)
    return fma64(steps, step, ends) if fused else ends + steps * step


def logspace_values(start: Any, end: Any, count: int, base: float, dtype: Any) -> Any:
    """`base` to the power of evenly spaced exponents."""
    if dtype.kind == "c":
        return np.power(np.complex128(base), linspace_values(start, end, count, dtype)).astype(dtype)
    kind: Any = dtype.type if dtype.kind in dtypes.FLOATING else np.float64
    if dtype.kind in "iu" and count > 1:
        start, end = [int(dtypes.cast_number(x, dtype, scalar=True)) for x in (start, end)]
    first, last = kind(start), kind(end)
    if count < 2:
        exponents = np.full(count, float(first))
    else:
        exponents = _from_both_ends(float(first), float(last), float(last - first) / (count - 1), count, fused=False)
    return libm(lambda exponent: _power(base, exponent), exponents).astype(dtype)


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return math.inf
    except ValueError:  # a root of a negative number
        return math.nan
