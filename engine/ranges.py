"""Evenly spaced numbers, rounded as PyTorch's kernels round them."""

from __future__ import annotations

from typing import Any

import numpy as np


def arange_values(start: Any, step: Any, count: int, dtype: Any) -> Any:
    """`start + i * step`; floating point in double precision, then rounded once."""
    if dtype.kind in "iu":
        first, by = int(start), int(step)
        return (first + by * np.arange(count)).astype(dtype)
    return (float(start) + float(step) * np.arange(count, dtype=np.float64)).astype(dtype)


def linspace_values(start: Any, end: Any, count: int, dtype: Any) -> Any:
    """From both ends towards the middle, so that both ends are exact; multiplied and added with one rounding."""
    if count < 2:
        return np.full(count, start).astype(dtype)
    wide: Any = np.float64 if dtype.kind in "iu" else dtype.type
    first, last = wide(start), wide(end)
    step = (last - first) / wide(count - 1)
    index = np.arange(count)
    half = count // 2
    if dtype == np.float32:
        # A float32 product is exact in float64: one rounding at the end, as a fused multiply-add has.
        first, last, step, wide = np.float64(first), np.float64(last), np.float64(step), np.float64
    values = np.where(index < half, first + step * index.astype(wide), last - step * (count - 1 - index).astype(wide))
    return values.astype(dtype)


def logspace_values(start: Any, end: Any, count: int, base: float, dtype: Any) -> Any:
    """`base` to the power of evenly spaced exponents."""
    kind = dtype if dtype.kind in "fc" else np.dtype(np.float64)
    exponents = linspace_values(start, end, count, kind)
    powers = np.power(np.float64(base), exponents.astype(np.complex128 if kind.kind == "c" else np.float64))
    return powers.astype(dtype)
