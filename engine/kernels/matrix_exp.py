"""The exponential of a matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.kernels import lu
from engine.kernels.names import kernel
from engine.kernels.solve import check_float, check_square

PADE = tuple(
    math.factorial(26 - k) * math.factorial(13) / (math.factorial(26) * math.factorial(k) * math.factorial(13 - k))
    for k in range(14)
)
"""Coefficients of the Padé approximant of degree 13."""
NORM = 5.371920351148152
"""Up to this 1-norm the approximant is exact to the last bit of a double (Higham, 2005, table 2.3)."""


@kernel
def matrix_exp_kernel(a: Any) -> Any:
    """Scaling and squaring (Higham, 2005): exp(A) = exp(A / 2ˢ) squared s times."""
    check_square("linalg.matrix_exp", a)
    check_float("linalg.matrix_exp", a, low_precision=True)
    if not a.size:
        return a.copy()
    kind = np.complex128 if a.dtype.kind == "c" else np.float64
    work = np.asarray(a, kind)
    norm = float(np.abs(work).sum(-2).max())
    if not math.isfinite(norm):
        return np.full_like(a, np.nan)
    squarings = max(0, math.ceil(math.log2(norm / NORM))) if norm > NORM else 0
    lu.charge(a, 8 + squarings)
    work = work / 2.0**squarings
    one = np.eye(a.shape[-1], dtype=kind)
    second = work @ work
    fourth = second @ second
    sixth = fourth @ second
    c = PADE
    odd = work @ (
        sixth @ (c[13] * sixth + c[11] * fourth + c[9] * second)
        + c[7] * sixth
        + c[5] * fourth
        + c[3] * second
        + c[1] * one
    )
    even = (
        sixth @ (c[12] * sixth + c[10] * fourth + c[8] * second)
        + c[6] * sixth
        + c[4] * fourth
        + c[2] * second
        + c[0] * one
    )
    result = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        result = result @ result
    return result.astype(a.dtype)
