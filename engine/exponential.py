"""The exponential of PyTorch's vector kernels, bit for bit in float32.

PyTorch computes whole vectors with the algorithm of SLEEF's `expf` (1 ulp): e^x = 2^q · e^s with s = x − q·ln 2, a
polynomial of degree 6 in s, every step a fused multiply-add. What is left over when vectors are full goes through the
C library, which rounds correctly nearly always. The difference of one bit decides, for example, whether the gradient
of `softmax(x).sum()` prints as 0 or as 5e-08.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LANES = 16
"""How many float32 numbers a vector of PyTorch's kernels holds."""

LARGEST = 1 << 9
"""Above so many elements speed matters more than the last bit."""

_SINGLE = np.dtype(np.float32)
_LOG2_E = np.float32(1.442695040888963)
_LN2_HIGH, _LN2_LOW = -np.float64(np.float32(0.693145751953125)), -np.float64(np.float32(1.428606765330187e-06))
_POLYNOMIAL = [
    np.float64(np.float32(c))
    for c in (0.00139304355252534151, 0.00833336077630519867, 0.0416664853692054749, 0.16666667163372039795, 0.5)
]
_LOWEST, _HIGHEST, _ONE = np.float32(-104), np.float32(104), np.float32(1)
_LEADING = np.float64(np.float32(0.000198527617612853646))


def vector_exp(a: Any) -> Any:
    """e^a of an array, as PyTorch's vectors give it; for other dtypes and many elements as numpy gives it."""
    if a.dtype is not _SINGLE or a.size > LARGEST:
        return np.exp(a)
    x = np.minimum(np.maximum(a, _LOWEST), _HIGHEST)
    q = np.rint(x * _LOG2_E)
    # A product of float32 numbers is exact in float64: adding and rounding there is a fused multiply-add.
    wide = q.astype(np.float64)
    s = (wide * _LN2_HIGH + x).astype(np.float32)
    s = (wide * _LN2_LOW + s).astype(np.float32)
    wide = s.astype(np.float64)
    u = wide * _LEADING
    u += _POLYNOMIAL[0]
    for coefficient in _POLYNOMIAL[1:]:
        u = u.astype(np.float32) * wide
        u += coefficient
    power = (u.astype(np.float32) * (s * s).astype(np.float64) + s).astype(np.float32)
    power += _ONE
    return np.ldexp(power, q.astype(np.int32))


def blocked_exp(a: Any, block: int) -> Any:
    """e^a along the last axis: whole blocks of `block` elements as vectors, the rest as the C library gives it."""
    size = a.shape[-1]
    whole = size // block * block
    if a.dtype is not _SINGLE or a.size > LARGEST or not whole:
        return precise_exp(a)
    if whole == size:
        return vector_exp(a)
    return np.concatenate([vector_exp(a[..., :whole]), precise_exp(a[..., whole:])], axis=-1)


def precise_exp(a: Any) -> Any:
    """e^a rounded once from float64."""
    if a.dtype is _SINGLE and a.size <= 1 << 16:
        return np.exp(a, dtype=np.float64).astype(np.float32)
    return np.exp(a)
