"""Systems of linear equations, inverses and determinants, by Gaussian elimination of (…, n, n)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels import lu
from engine.kernels.names import kernel
from engine.types import dtypes
from engine.types.bfloat16 import SHORT


def check_batches(function: str, a: Any, x: Any, name: str, less: int) -> None:
    """What `a` asks of the dimensions of `x`, which has `less` of them."""
    if a.ndim - x.ndim != less:
        raise errors.reflections_dimensions(function, name, less, x.ndim, a.ndim)
    batch = x.shape[: a.ndim - 2]
    if batch != a.shape[:-2]:
        raise errors.reflections_batch(function, name, batch)


def check_matrix(function: str, a: Any, argument: str = "A") -> None:
    """Refuse what has fewer than two dimensions."""
    if a.ndim < 2:
        raise errors.matrix_expected(function, argument, a.ndim)


def check_square(function: str, a: Any, argument: str = "A") -> None:
    """Refuse what is not a stack of square matrices."""
    check_matrix(function, a, argument)
    if a.shape[-1] != a.shape[-2]:
        raise errors.square_expected(function, a.shape[-2], a.shape[-1])


def check_float(function: str, a: Any, low_precision: bool = False) -> None:
    """Refuse whole numbers, and numbers of half precision."""
    if a.dtype.kind not in dtypes.INEXACT:
        raise errors.linalg_dtype(function, dtypes.of(a.dtype).type_name)
    if not low_precision and a.dtype.char in SHORT:
        raise errors.linalg_low_precision(function, dtypes.of(a.dtype).type_name)


def check_implemented(name: str, a: Any) -> None:
    """Refuse numbers for which LAPACK has no routine."""
    if a.dtype.char not in "fdFD":
        raise errors.not_implemented_for(name, dtypes.of(a.dtype).type_name)


def first_failure(info: Any) -> tuple[int, int | None] | None:
    """What LAPACK reported of the first matrix that failed, and its place in the stack."""
    if not info.any():
        return None
    if not info.ndim:
        return int(info), None
    flat = info.reshape(-1)
    batch = int(flat.nonzero()[0][0])
    return int(flat[batch]), batch


def check_finite(a: Any) -> None:
    """Refuse what has no singular values."""
    failure = first_failure(~np.isfinite(a).all((-2, -1)))
    if failure is not None:
        raise errors.svd_not_finite(failure[1])


def check_old_solve(function: str, b: Any, a: Any, prefix: str = "") -> None:
    """Refuse operands that do not fit, in the words of the solvers outside `linalg`."""
    for name, operand in (("b", b), ("A" if prefix else "u", a)):
        if operand.ndim < 2:
            raise errors.old_solve_dimensions(prefix, name, operand.ndim)
    if a.dtype != b.dtype:
        raise errors.old_solve_dtypes(dtypes.of(b.dtype).type_name, dtypes.of(a.dtype).type_name)
    if a.shape[-1] != a.shape[-2]:
        raise errors.old_solve_square(a.shape[-2], a.shape[-1])
    if a.shape[-2] != b.shape[-2]:
        raise errors.old_solve_shapes(function, a.shape, b.shape)


def is_vector(a: Any, b: Any) -> bool:
    """Whether the right-hand side of A X = B is a vector for each matrix (`linalg.solve`)."""
    return bool(b.ndim == 1 or a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


def adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return x.mT.conj() if x.dtype.kind == "c" else x.mT


@kernel
def lu_factor_kernel(a: Any, pivot: bool) -> tuple[Any, Any, Any]:
    if a.ndim < 2:
        raise errors.lu_dimensions("torch.lu_factor", a.shape)
    check_implemented("lu_cpu", a)
    return lu.lu(a, pivot)


def lu_parts(factors: Any) -> tuple[Any, Any]:
    """L and U of the matrix that holds both."""
    m, n = factors.shape[-2:]
    k = min(m, n)
    lower = np.tril(factors[..., :, :k], -1)
    lower[..., np.arange(k), np.arange(k)] = 1
    return lower, np.triu(factors[..., :k, :])


def exchange_matrix(pivots: Any, rows: int, dtype: Any) -> Any:
    """P of A = P L U."""
    order = lu.permutation(pivots, rows)
    return (np.arange(rows)[:, None] == order[..., None, :]).astype(dtype)


@kernel
def lu_unpack_kernel(factors: Any, pivots: Any, unpack_data: bool, unpack_pivots: bool) -> tuple[Any, Any, Any]:
    if unpack_pivots and pivots.dtype != np.int32:
        raise errors.lu_unpack_pivots()
    if unpack_pivots and pivots.size and not 1 <= pivots.min() <= pivots.max() <= factors.shape[-2]:
        raise errors.lu_unpack_range()
    none = np.zeros((0,), factors.dtype)
    lower, upper = lu_parts(factors) if unpack_data else (none, none)
    return exchange_matrix(pivots, factors.shape[-2], factors.dtype) if unpack_pivots else none, lower, upper


@kernel
def linalg_lu_kernel(a: Any, pivot: bool) -> tuple[Any, Any, Any]:
    if a.ndim < 2:
        raise errors.lu_dimensions("linalg.lu", a.shape)
    check_implemented("lu_cpu", a)
    factors, pivots, _ = lu.lu(a, pivot)
    swaps = exchange_matrix(pivots, a.shape[-2], a.dtype) if pivot else np.zeros((0,), a.dtype)
    return swaps, *lu_parts(factors)


@kernel
def solve_triangular_kernel(a: Any, b: Any, *, upper: bool, left: bool, unitriangular: bool) -> Any:
    check_square("linalg.solve_triangular", a)
    check_matrix("linalg.solve_triangular", b, "B")
    if a.dtype != b.dtype:
        raise errors.solve_dtypes("linalg.solve_triangular", dtypes.of(a.dtype).type_name, dtypes.of(b.dtype).type_name)
    if a.shape[-2] != b.shape[-2 if left else -1]:
        raise errors.solve_shapes("linalg.solve_triangular", a.shape, b.shape, left)
    check_implemented("triangular_solve_cpu", a)
    if left:
        return lu.substitute(a, b, upper, unitriangular)
    return lu.column_major(lu.substitute(a.mT, b.mT, not upper, unitriangular).mT)


@kernel
def triangular_solve_kernel(b: Any, a: Any, upper: bool, transpose: bool, unitriangular: bool) -> tuple[Any, Any]:
    check_old_solve("triangular_solve", b, a, "torch.triangular_solve: ")
    check_implemented("triangular_solve_cpu", a)
    triangle = a.mT if transpose else a
    x = lu.substitute(triangle, b, upper != transpose, unitriangular)
    return x, lu.column_major(np.broadcast_to(a, (*x.shape[:-2], *a.shape[-2:])))


@kernel
def solve_kernel(a: Any, b: Any, left: bool) -> tuple[Any, Any, Any, Any]:
    check_float("linalg.solve", a)
    check_square("linalg.solve", a)
    if a.dtype != b.dtype:
        raise errors.solve_dtypes("linalg.solve", dtypes.of(a.dtype).type_name, dtypes.of(b.dtype).type_name)
    vector = is_vector(a, b)
    rhs = b[..., None] if vector else b
    check_matrix("linalg.solve", rhs, "B")
    if a.shape[-2] != rhs.shape[-2 if left else -1]:
        raise errors.solve_shapes("linalg.solve", a.shape, rhs.shape, left)
    factors, pivots, info = lu.lu(a)
    x = lu_solved(factors, pivots, rhs, left, False)
    return x[..., 0] if vector else x, factors, pivots, info


def lu_solved(factors: Any, pivots: Any, b: Any, left: bool, adjointed: bool) -> Any:
    """X of A X = B or X A = B (with Aᴴ for A when `adjointed`) from the factors of A."""
    if left:
        return lu.solved(factors, pivots, b, adjointed)
    return adjoint(lu.solved(factors, pivots, adjoint(b), not adjointed))


@kernel
def lu_solve_kernel(factors: Any, pivots: Any, b: Any, left: bool, adjoint: bool) -> Any:
    check_float("torch.linalg.lu_solve", factors)
    if factors.dtype != b.dtype:
        names = dtypes.of(factors.dtype).type_name, dtypes.of(b.dtype).type_name
        raise errors.solve_dtypes("linalg.lu_solve", *names, "LU")
    if pivots.dtype != np.int32:
        raise errors.lu_solve_pivots_dtype()
    check_square("torch.linalg.lu_solve", factors)
    check_matrix("linalg.lu_solve", b, "B")
    if factors.shape[-2] != b.shape[-2 if left else -1]:
        raise errors.solve_shapes("linalg.lu_solve", factors.shape, b.shape, left)
    if pivots.shape[-1] != factors.shape[-1]:
        raise errors.lu_solve_pivots_shape()
    return lu_solved(factors, pivots, b, left, adjoint)


@kernel
def inverse_kernel(a: Any) -> tuple[Any, Any]:
    check_square("linalg.inv", a)
    check_float("linalg.inv", a)
    factors, pivots, info = lu.lu(a)
    return lu.solved(factors, pivots, np.eye(a.shape[-1], dtype=a.dtype)), info


@kernel
def det_kernel(a: Any) -> tuple[Any, Any, Any]:
    check_square("linalg.det", a)
    check_float("linalg.det", a, low_precision=True)
    check_implemented("lu_cpu", a)
    factors, pivots, _ = lu.lu(_turned(a))
    return (_product(lu_diagonal(factors)) * lu.parity(pivots)).astype(a.dtype)[()], factors, pivots


def _turned(a: Any) -> Any:
    """What PyTorch factorises: the transpose of a contiguous matrix, whose columns lie in memory as LAPACK wants."""
    return a.mT if is_turned(a) else a


def is_turned(a: Any) -> bool:
    return bool(a.flags.c_contiguous) and a.dtype.kind != "c"


def lu_diagonal(factors: Any) -> Any:
    return factors.diagonal(0, -2, -1)


def _product(diagonal: Any) -> Any:
    return np.multiply.reduce(diagonal, -1)


@kernel
def slogdet_kernel(a: Any) -> tuple[Any, Any, Any, Any]:
    check_square("linalg.slogdet", a)
    check_float("linalg.slogdet", a)
    factors, pivots, _ = lu.lu(_turned(a))
    diagonal = lu_diagonal(factors)
    size = np.abs(diagonal)
    signs = diagonal / np.where(size == 0, 1, size)
    sign = (_product(signs) * lu.parity(pivots)).astype(a.dtype)[()]
    return sign, np.add.reduce(np.log(size), -1), factors, pivots
