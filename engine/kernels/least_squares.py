"""What stands in for the inverse where there is none: the pseudoinverse, and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels import lu
from engine.kernels.decompositions import eigh_kernel
from engine.kernels.names import kernel
from engine.kernels.solve import adjoint, check_finite, first_failure
from engine.types import dtypes


def pseudoinverse(a: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    """A⁺ of (…, m, n); singular values up to `atol`, or to `rtol` times the largest, count as 0."""
    if a.ndim < 2 or a.dtype.char not in "fdFD":
        raise errors.pinv_operand(dtypes.of(a.dtype).type_name, a.shape)
    lu.charge(a, 20)
    m, n = a.shape[-2:]
    if not a.size:
        return np.zeros((*a.shape[:-2], n, m), a.dtype)
    if hermitian:
        values, vectors = eigh_kernel(a, "L", True)
        size = np.abs(values)
        left, right = vectors, adjoint(vectors)
    else:
        check_finite(a)
        left, values, right = np.linalg.svd(a, full_matrices=False)
        size = values
    bound = np.maximum(atol, rtol * size.max(-1))[..., None]
    with np.errstate(all="ignore"):
        inverse = np.where(size > bound, 1 / values, 0).astype(values.dtype)
    return np.ascontiguousarray(adjoint(right) * inverse[..., None, :] @ adjoint(left))


def _check(wrong: Any, code: int, error: Any) -> None:
    """Raise this error of the first matrix where something is wrong; LAPACK counts no stack of one."""
    failure = first_failure(np.squeeze(wrong.any((-2, -1)) * code))
    if failure is not None:
        raise error(*failure)


@kernel
def lstsq_kernel(a: Any, b: Any, rcond: float | None, driver: str) -> tuple[Any, Any, Any, Any]:
    if a.dtype.char not in "fdFD":
        raise errors.lstsq_kind()
    vector = a.ndim - 1 == b.ndim and b.shape == a.shape[:-1]
    rhs = b[..., None] if vector else b
    lu.charge(a, 20)
    for place, operand in ((4, a), (6, rhs)):
        _check(np.isnan(operand), place + (driver == "gels"), errors.lstsq_argument)
    m, n = a.shape[-2:]
    eps = float(np.finfo(a.dtype).eps)
    _check(np.isinf(a), 2, errors.lstsq_rank)
    left, values, right = np.linalg.svd(a, full_matrices=False)
    bound = (eps * max(m, n) if rcond is None else rcond) * (values.max(-1, keepdims=True) if values.size else 0)
    inverse = np.where(values > bound, 1 / values, 0).astype(values.dtype)
    x = adjoint(right) @ (inverse[..., None] * (adjoint(left) @ rhs))
    rank = (values > bound).sum(-1)
    residuals = np.zeros((0,), values.dtype)
    if m > n and (driver == "gels" or driver != "gelsy" and (rank == n).all()):
        residuals = np.square(np.abs(rhs - a @ x)).sum(-2)
    x = x[..., 0] if vector else lu.column_major(x)
    none = np.zeros((0,), np.int64)
    kept = driver in ("gelsd", "gelss")
    return (
        x,
        residuals,
        none if driver == "gels" else np.asarray(rank)[()],
        values if kept else np.zeros((0,), values.dtype),
    )
