"""Arithmetic as PyTorch's CPU kernels round it.

Compilers turn `a * b + c` into one fused multiply-add, rounded once. A product of two float32 numbers is exact in
float64, so adding and rounding there gives the same bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.names import kernel
from engine.kernels.summation import zero_dim
from engine.types.bfloat16 import FLOATING, SHORT

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
LARGEST = 1 << 10
"""Above so many elements of float64 speed matters more than the last bit."""
_SPLIT = 134217729.0  # 2²⁷ + 1


@kernel
def fused(a: Any, b: Any, c: Any) -> Any:
    """`a * b + c` rounded once, of arrays, numpy scalars and Python numbers (which take the dtype of the others)."""
    if type(a) is type(b) is np.ndarray and a.dtype is b.dtype is SINGLE:
        if type(c) is np.ndarray and c.dtype is SINGLE:
            return np.asarray(a.astype(DOUBLE) * b.astype(DOUBLE) + c.astype(DOUBLE)).astype(SINGLE)
        if type(c) is int or type(c) is float:
            summand = zero_dim(float(np.float32(c)), DOUBLE)
            return np.asarray(a.astype(DOUBLE) * b.astype(DOUBLE) + summand).astype(SINGLE)
    operands = (a, b, c)
    arrays = [x for x in operands if isinstance(x, np.ndarray)]
    typed: list[Any] = arrays or [x for x in operands if isinstance(x, np.generic)]
    dtype = typed[0].dtype
    mixed = any(x.dtype is not dtype for x in typed) or any(isinstance(x, complex) for x in operands)
    if mixed or dtype.kind not in FLOATING:
        return a * b + c
    if dtype is SINGLE:
        if not arrays:
            return np.float32(float(a) * float(np.float32(b)) + float(c))
        return np.asarray(_wide(a) * _wide(b) + _wide(c)).astype(np.float32)
    if dtype.char in SHORT:
        return np.asarray(_single(a, dtype) * _single(b, dtype) + _single(c, dtype)).astype(dtype)[()]
    if dtype is not DOUBLE or max((x.size for x in arrays), default=0) > LARGEST:
        return a * b + c
    return _fused_double(*(x if isinstance(x, np.ndarray) else np.float64(x) for x in operands))


def _single(x: Any, own: np.dtype[Any]) -> Any:
    return x.astype(np.float32) if hasattr(x, "dtype") else np.float32(own.type(x))


def _wide(x: Any) -> Any:
    return x.astype(np.float64) if isinstance(x, np.ndarray) else np.float64(np.float32(x))


def _fused_double(a: Any, b: Any, c: Any) -> Any:
    """In float64 the errors of product and sum are computed (Dekker 1971, Knuth) and added at the end."""
    product = a * b
    a_high, b_high = a * _SPLIT, b * _SPLIT
    a_high, b_high = a_high - (a_high - a), b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    product_error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = product + c
    part = total - product
    total_error = (product - (total - part)) + (c - part)
    corrected = total + (product_error + total_error)
    return np.where(np.isfinite(corrected), corrected, total)[()]


def squares_total(a: Any) -> Any:
    """Σ a² of float32 along the last axis in the order of PyTorch's norm: eight lanes, blocks of four, single ones."""
    size = a.shape[-1]
    whole, quads = size // 8 * 8, size // 4 * 4
    total: Any = np.float32(0)
    if quads:
        squares = a[..., :quads] * a[..., :quads]
        if whole > 8:
            lanes = np.add.reduce(squares[..., :whole].reshape(*a.shape[:-1], whole // 8, 8), axis=-2)
            squares = np.concatenate([lanes, squares[..., whole:]], axis=-1)
        total = np.add.accumulate(squares, axis=-1)[..., -1]
    if a.ndim > 1:
        for place in range(quads, size):
            total = fused(a[..., place], a[..., place], total)
        return total
    for number in a[quads:].tolist():
        total = np.float32(float(total) + number * number)
    return total


def sequential_total(a: Any) -> Any:
    """The sum along the last axis, one element after the other."""
    return np.add.accumulate(a, axis=-1)[..., -1]
