"""The exponential of PyTorch's vector kernels, bit for bit in float32.

PyTorch computes whole vectors with the algorithm of SLEEF's `expf` (1 ulp): e^x = 2^q · e^s with s = x − q·ln 2, a
polynomial of degree 6 in s, every step a fused multiply-add. What is left over when vectors are full goes through the
C library, which rounds correctly nearly always. The difference of one bit decides, for example, whether the gradient
of `softmax(x).sum()` prints as 0 or as 5e-08.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.kernels.rounding import DOUBLE, SINGLE
from engine.kernels.summation import zero_dim

LANES = 16
"""How many float32 numbers a vector of PyTorch's kernels holds."""

LARGEST = 1 << 9
"""Above so many elements speed matters more than the last bit."""

_LOG2_E, _LOWEST, _HIGHEST, _ONE = (zero_dim(value, SINGLE) for value in (1.442695040888963, -104, 104, 1))
_WHOLE = zero_dim(1.5 * 2**23, SINGLE)
"""Added to a number below 2²², it rounds that to an integer, whose bits are then the lowest of the sum's."""
_BITS = np.dtype(np.int32)
_EXPONENT = zero_dim(23, _BITS)
_NEAR = 87.0**2
"""Where no number is farther from 0 than 87, no power leaves the range of normal numbers."""
_LN2 = zero_dim(-0.693145751953125 - float(np.float32(1.428606765330187e-06)), DOUBLE)
"""−ln 2 in two parts of SLEEF's, whose products with q are exact in float64, as their sum is."""
_LEADING, _HALF = zero_dim(float(np.float32(0.000198527617612853646)), DOUBLE), zero_dim(0.5, DOUBLE)


def _on_grid(coefficient: float) -> tuple[Any, Any]:
    """A coefficient c, and a number m such that (x + (c + m)) − m is x + c rounded once to float32: for sums that lie
    between the same powers of two as c, as these do, x being at most a tenth of it."""
    exact = float(np.float32(coefficient))
    shift = 1.5 * 2.0 ** (math.frexp(exact)[1] + 28)
    return zero_dim(exact + shift, DOUBLE), zero_dim(shift, DOUBLE)


_POLYNOMIAL = tuple(
    map(_on_grid, (0.00139304355252534151, 0.00833336077630519867, 0.0416664853692054749, 0.16666667163372039795))
)


def vector_exp(a: Any) -> Any:
    """e^a of an array, as PyTorch's vectors give it; for other dtypes and many elements as numpy gives it."""
    if a.dtype is not SINGLE or a.size > LARGEST:
        return np.exp(a)
    return whole_vectors_exp(a)


def whole_vectors_exp(a: Any) -> Any:
    """e^a of float32, as PyTorch's vectors give it, of however many elements.

    A product of float32 numbers is exact in float64: adding and rounding there is a fused multiply-add.
    """
    flat = a.reshape(-1)
    near = flat.dot(flat) < _NEAR
    x = a if near else np.minimum(np.maximum(a, _LOWEST), _HIGHEST)
    q = x * _LOG2_E
    q += _WHOLE
    exponents = q.view(_BITS) << _EXPONENT
    q -= _WHOLE
    wide = q.astype(DOUBLE)
    wide *= _LN2
    wide += x.astype(DOUBLE)
    short = wide.astype(SINGLE)
    s = short.astype(DOUBLE)
    u = s * _LEADING
    for shifted, shift in _POLYNOMIAL:
        u += shifted
        u -= shift
        u *= s
    u += _HALF
    u = u.astype(SINGLE).astype(DOUBLE)
    short *= short
    u *= short.astype(DOUBLE)
    u += s
    power = u.astype(SINGLE)
    power += _ONE
    if not near:
        return np.ldexp(power, q.astype(np.int32))
    bits = power.view(_BITS)
    bits += exponents
    return power


def blocked_exp(a: Any, block: int) -> Any:
    """e^a along the last axis: whole blocks of `block` elements as vectors, the rest as the C library gives it."""
    size = a.shape[-1]
    whole = size // block * block
    if a.dtype is not SINGLE or a.size > LARGEST or not whole:
        return precise_exp(a)
    if whole == size:
        return vector_exp(a)
    return np.concatenate([vector_exp(a[..., :whole]), precise_exp(a[..., whole:])], axis=-1)


def precise_exp(a: Any) -> Any:
    """e^a rounded once from float64."""
    if a.dtype is SINGLE and a.size <= 1 << 16:
        return np.exp(a.astype(DOUBLE)).astype(SINGLE)
    return np.exp(a)
