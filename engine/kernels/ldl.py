"""A = L D Lᵀ of symmetric or Hermitian matrices, with D in blocks of one or two rows (Bunch and Kaufman, 1977).

`LD` holds L below the diagonal and D's blocks; `pivots` are the rows exchanged, counted from 1, and negative in pairs
where a block has two rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.linalg import lapack

from engine import errors
from engine.kernels import lu
from engine.kernels.names import kernel
from engine.kernels.solve import check_float, check_implemented, check_square
from engine.limits import meter
from engine.types import dtypes


@kernel
def ldl_factor_kernel(a: Any, hermitian: bool) -> tuple[Any, Any, Any]:
    check_square("torch.linalg.ldl_factor_ex", a)
    check_float("torch.linalg.ldl_factor_ex", a)
    check_implemented("ldl_factor_kernel_cpu", a)
    lu.charge(a)
    n, batch = a.shape[-1], a.shape[:-2]
    matrices = a.reshape(math.prod(batch), n, n)
    meter.charge(len(matrices))
    factors = np.zeros_like(matrices)
    pivots, info = np.zeros((len(matrices), n), np.int32), np.zeros(len(matrices), np.int32)
    kind = "he" if hermitian and a.dtype.kind == "c" else "sy"
    factorise = getattr(lapack, {"f": "s", "d": "d", "F": "c", "D": "z"}[a.dtype.char] + kind + "trf")
    for place in range(len(matrices) if n else 0):
        factor, pivots[place], info[place] = factorise(matrices[place], lower=1)
        factors[place] = np.tril(factor)
    return lu.column_major(factors.reshape(a.shape)), pivots.reshape(*batch, n), info.reshape(batch)[()]


@kernel
def ldl_solve_kernel(factors: Any, pivots: Any, b: Any, hermitian: bool) -> Any:
    check_square("torch.linalg.ldl_solve", factors, "LD")
    if b.ndim < 2:
        raise errors.dim_out_of_range(-2, b.ndim)
    n = factors.shape[-1]
    if b.shape[-2] != n:
        raise errors.old_solve_shapes("torch.linalg.ldl_solve", factors.shape, b.shape)
    if pivots.shape != factors.shape[:-1]:
        raise errors.ldl_pivots_shape(pivots.shape)
    if pivots.dtype.kind not in "iu":
        raise errors.ldl_pivots_dtype(dtypes.of(pivots.dtype).type_name)
    lu.charge(factors)
    batch = np.broadcast_shapes(factors.shape[:-2], b.shape[:-2])
    wide = np.broadcast_to(factors, (*batch, n, n)).reshape(-1, n, n)
    rows = np.broadcast_to(pivots, (*batch, n)).reshape(-1, n)
    meter.charge(2 * len(wide))
    x = np.empty((*batch, *b.shape[:-3:-1]), b.dtype).mT
    x[...] = b
    for place, (factor, order) in enumerate(zip(wide, rows, strict=True)):
        solution = x[np.unravel_index(place, batch)] if batch else x
        _solve(factor, [int(p) for p in order], solution, hermitian and factor.dtype.kind == "c")
    return x


def _solve(factor: Any, pivots: list[int], x: Any, hermitian: bool) -> None:
    """Solve for one right-hand side in place: down through L and D, and back up through Lᵀ or Lᴴ."""
    turned = factor.conj() if hermitian else factor
    n = len(pivots)
    blocks: list[tuple[int, int]] = []
    k = 0
    while k < n:
        last = k + 1 if pivots[k] < 0 and k + 1 < n else k
        _exchange(x, last, abs(pivots[k]) - 1)
        for column in range(k, last + 1):
            x[last + 1 :] -= factor[last + 1 :, column, None] * x[column]
        if last == k:
            x[k] *= 1 / factor[k, k]
        else:
            below, above = factor[last, k], turned[last, k]
            first, second = factor[k, k] / above, factor[last, last] / below
            upper, lower = x[k] / above, x[last] / below
            scale = first * second - 1
            x[k], x[last] = (second * upper - lower) / scale, (first * lower - upper) / scale
        blocks.append((k, last))
        k = last + 1
    for k, last in reversed(blocks):
        for column in range(k, last + 1):
            x[column] -= turned[last + 1 :, column] @ x[last + 1 :]
        _exchange(x, last, abs(pivots[k]) - 1)


def _exchange(x: Any, first: int, second: int) -> None:
    if first != second:
        x[[first, second]] = x[[second, first]]
