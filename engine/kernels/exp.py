"""The exponential of PyTorch's vector kernels, bit for bit in float32.

PyTorch computes whole vectors with the algorithm of SLEEF's `expf` (1 ulp): e^x = 2^q · e^s with s = x − q·ln 2, a
polynomial of degree 6 in s, every step a fused multiply-add. What is left over when vectors are full goes through the
C library, which rounds correctly nearly always. The difference of one bit decides, for example, whether the gradient
of `softmax(x).sum()` prints as 0 or as 5e-08.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.rounding import DOUBLE, SINGLE
from engine.kernels.summation import zero_dim

LANES = 16
"""How many float32 numbers a vector of PyTorch's kernels holds."""

LARGEST = 1 << 9
"""Above so many elements speed matters more than the last bit."""

_LOG2_E, _LOWEST, _HIGHEST, _ONE = (zero_dim(value, SINGLE) for value in (1.442695040888963, -104, 104, 1))
_LN2_HIGH, _LN2_LOW, _LEADING, _SECOND, *_POLYNOMIAL = (
    zero_dim(float(np.float32(value)), DOUBLE)
    for value in (
        -0.693145751953125,
        -1.428606765330187e-06,
        0.000198527617612853646,
        0.00139304355252534151,
        0.00833336077630519867,
        0.0416664853692054749,
        0.16666667163372039795,
        0.5,
    )
)


def _rounded(wide: Any) -> Any:
    """float64 numbers rounded to float32, still as float64. A product of float32 numbers is exact in float64: adding
    and rounding there is a fused multiply-add."""
    return wide.astype(SINGLE).astype(DOUBLE)


def vector_exp(a: Any) -> Any:
    """e^a of an array, as PyTorch's vectors give it; for other dtypes and many elements as numpy gives it."""
    if a.dtype is not SINGLE or a.size > LARGEST:
        return np.exp(a)
    x = np.minimum(np.maximum(a, _LOWEST), _HIGHEST)
    q = np.rint(x * _LOG2_E)
    wide = q.astype(DOUBLE)
    s = _rounded(wide * _LN2_HIGH + x.astype(DOUBLE))
    s = _rounded(wide * _LN2_LOW + s)
    u = s * _LEADING
    u += _SECOND
    for coefficient in _POLYNOMIAL:
        u = _rounded(u)
        u *= s
        u += coefficient
    power = _rounded(u)
    power *= _rounded(s * s)
    power += s
    return np.ldexp(power.astype(SINGLE) + _ONE, q.astype(np.int32))


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
