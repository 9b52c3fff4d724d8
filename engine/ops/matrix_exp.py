"""The exponential of a matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels import lu
from engine.ops.solve import adjoint, check_float, check_square, new_zeros

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
        + c[7] * sixth + c[5] * fourth + c[3] * second + c[1] * one
    )
    even = (
        sixth @ (c[12] * sixth + c[10] * fourth + c[8] * second)
        + c[6] * sixth + c[4] * fourth + c[2] * second + c[0] * one
    )
    result = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        result = result @ result
    return result.astype(a.dtype)


@rule
def matrix_exp_backward(g: Any, a: Any) -> Any:
    """The upper right block of the exponential of [[Aᴴ, G], [0, Aᴴ]] (Al-Mohy and Higham, 2009)."""
    if not a.shape[-1]:
        return g
    n = a.shape[-1]
    turned = adjoint(a)
    blocks = new_zeros(g, (*a.shape[:-2], 2 * n, 2 * n))
    for row, column, block in ((0, 0, turned), (n, n, turned), (0, n, g)):
        place = ops.slice(ops.slice(blocks, -2, row, row + n), -1, column, column + n)
        if isinstance(place, Tensor):
            place.copy_(block)
        else:
            place[...] = block
    whole = ops.linalg_matrix_exp(blocks)
    return ops.slice(ops.slice(whole, -2, 0, n), -1, n, 2 * n)


op(
    "linalg_matrix_exp(self)", "LinalgMatrixExpBackward0", "matrix_exp_kernel(self)", inplace=False,
    self="matrix_exp_backward(g, self)", tex="\\int_0^1 e^{tA^{\\mathsf T}} G\\, e^{(1-t)A^{\\mathsf T}}\\,dt",
    says="the slope of the exponential of a matrix, taken from that of a matrix twice as large",
)
