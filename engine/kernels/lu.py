"""Gaussian elimination on stacks of matrices: LU factors with row exchanges, and substitution.

Shapes are (…, n, n) for matrices and (…, n, k) for right-hand sides. The order of operations is that of PyTorch's
LAPACK for small matrices, so that factors of matrices that are only nearly singular come out the same, to the bit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.limits import meter

SMALL = 4
"""Up to this size LAPACK has code of its own, which rounds in another order."""
BLOCK = 64
"""Larger triangles are halved until they are this small, and the halves coupled by a matrix product."""


def charge(a: Any, factor: float = 1.0) -> None:
    """Charge work that grows as the cube of the matrices' size."""
    rows, columns = a.shape[-2:]
    matrices = a.size // max(rows * columns, 1)
    meter.work(int(factor * a.size * min(rows, columns)))
    meter.charge(4 * min(rows, columns) + (matrices * min(rows, columns) >> 3))


def column_major(a: Any) -> Any:
    """The same numbers with each matrix column by column in memory, as LAPACK leaves them."""
    return np.ascontiguousarray(a.mT).mT


def lu(a: Any, pivot: bool = True) -> tuple[Any, Any, Any]:
    """`(LU, pivots, info)` of (…, m, n): both factors in one matrix, whose unit diagonal of L is left out.

    `pivots` are the rows exchanged, counted from 1; `info` is the first zero on the diagonal, counted from 1, or 0.
    """
    m, n = a.shape[-2:]
    steps = min(m, n)
    charge(a)
    batch = a.shape[:-2]
    work = np.array(a, order="C").reshape(math.prod(batch), m, n)
    count = np.arange(len(work))
    pivots = np.empty((len(work), steps), np.int32)
    info = np.zeros(len(work), np.int32)
    for k in range(steps):
        chosen = size(work[:, k:, k]).argmax(1) + k if pivot else np.full(len(work), k)
        pivots[:, k] = chosen + 1
        if (chosen != k).any():
            row = work[:, k].copy()
            work[:, k] = work[count, chosen]
            work[count, chosen] = row
        corner = work[:, k, k, None]
        zero = corner == 0
        info[(info == 0) & zero[:, 0]] = k + 1
        corner = np.where(zero, 1, corner)
        if m == n <= SMALL and k == m - 2:
            work[:, k + 1 :, k] /= corner
        else:
            work[:, k + 1 :, k] *= 1 / corner
        work[:, k + 1 :, k + 1 :] -= work[:, k + 1 :, k, None] * work[:, k, None, k + 1 :]
    return column_major(work.reshape(a.shape)), pivots.reshape(*batch, steps), info.reshape(batch)[()]


def size(a: Any) -> Any:
    """How large LAPACK takes numbers to be: of complex ones, both parts together."""
    return np.abs(a.real) + np.abs(a.imag) if a.dtype.kind == "c" else np.abs(a)


def permutation(pivots: Any, rows: int) -> Any:
    """The order of rows that exchanging them one after the other leads to: `a[order]` is what was factorised."""
    flat = pivots.reshape(math.prod(pivots.shape[:-1]), pivots.shape[-1])
    order = np.tile(np.arange(rows), (len(flat), 1))
    count = np.arange(len(flat))
    for k in range(flat.shape[1]):
        chosen = flat[:, k] - 1
        row = order[:, k].copy()
        order[:, k] = order[count, chosen]
        order[count, chosen] = row
    return order.reshape(*pivots.shape[:-1], rows)


def parity(pivots: Any) -> Any:
    """The determinant of the permutation: 1 or -1."""
    exchanged = (pivots != np.arange(1, pivots.shape[-1] + 1)).sum(-1)
    return 1 - 2 * (exchanged % 2)


def exchanged(b: Any, pivots: Any, back: bool = False) -> Any:
    """The rows of (…, n, k) in the order of the factorisation, or from it back."""
    order = permutation(pivots, b.shape[-2])
    if back:
        order = order.argsort(-1)
    shape = np.broadcast_shapes(order.shape[:-1], b.shape[:-2])
    b = np.broadcast_to(b, (*shape, *b.shape[-2:]))
    return column_major(np.take_along_axis(b, np.broadcast_to(order, (*shape, order.shape[-1]))[..., None], -2))


def substitute(triangle: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """X of T X = B, with T (…, n, n) triangular: only that half of it is read. `unit`: its diagonal counts as ones."""
    n = triangle.shape[-1]
    batch = np.broadcast_shapes(triangle.shape[:-2], b.shape[:-2])
    x = np.array(np.broadcast_to(b, (*batch, *b.shape[-2:])), order="C")
    charge(triangle, x.shape[-1] / max(n, 1))
    _substitute(triangle, x, upper, unit, n <= SMALL)
    return column_major(x)


def _substitute(t: Any, x: Any, upper: bool, unit: bool, small: bool) -> None:
    n = t.shape[-1]
    if n > BLOCK:
        half = n // 2
        first, second = slice(None, half), slice(half, None)
        if upper:
            first, second = second, first
        _substitute(t[..., first, first], x[..., first, :], upper, unit, small)
        x[..., second, :] -= t[..., second, first] @ x[..., first, :]
        _substitute(t[..., second, second], x[..., second, :], upper, unit, small)
        return
    for step in range(n):
        k = n - 1 - step if upper else step
        row = x[..., k, :]
        if small and step:
            known = range(n - 1, k, -1) if upper else range(k)
            total: Any = 0
            for i in known:
                total = total + t[..., k, i, None] * x[..., i, :]
            row -= total
        if not unit:
            corner = t[..., k, k, None]
            if small:
                row *= 1 / corner
            else:
                row /= corner
        if not small:
            rest = slice(None, k) if upper else slice(k + 1, None)
            x[..., rest, :] -= t[..., rest, k, None] * row[..., None, :]


def solved(factors: Any, pivots: Any, b: Any, adjoint: bool = False) -> Any:
    """X of A X = B from the factors of A, or of Aᴴ X = B."""
    if adjoint:
        turned = factors.mT.conj() if factors.dtype.kind == "c" else factors.mT
        inner = substitute(turned, b, upper=False)
        return exchanged(substitute(turned, inner, upper=True, unit=True), pivots, back=True)
    inner = substitute(factors, exchanged(b, pivots), upper=False, unit=True)
    return substitute(factors, inner, upper=True)
