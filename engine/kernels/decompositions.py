"""Decompositions of matrices (…, m, n): Cholesky, QR, singular values and eigenvalues."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels import eigh, lu
from engine.kernels.names import kernel
from engine.kernels.solve import (
    adjoint,
    check_finite,
    check_float,
    check_implemented,
    check_matrix,
    check_old_solve,
    check_square,
    first_failure,
)
from engine.limits import meter


def cholesky_factor(a: Any, upper: bool) -> tuple[Any, Any]:
    """`(L, info)`, reading one triangle of (…, n, n); `info`: the first leading minor that is not positive, or 0."""
    lu.charge(a)
    n = a.shape[-1]
    lower = np.tril(adjoint(a) if upper else a).reshape(math.prod(a.shape[:-2]), n, n)
    info = np.zeros(len(lower), np.int32)
    for k in range(n):
        corner = lower[:, k, k].real
        info[(info == 0) & ~(corner > 0)] = k + 1
        corner = np.where(corner > 0, np.sqrt(corner), corner)
        lower[:, k, k] = corner
        lower[:, k + 1 :, k] /= np.where(corner == 0, 1, corner)[:, None]
        column = lower[:, k + 1 :, k]
        lower[:, k + 1 :, k + 1 :] -= np.tril(column[:, :, None] * column[:, None, :].conj())
    factor = lower.reshape(a.shape)
    return lu.column_major(adjoint(factor) if upper else factor), info.reshape(a.shape[:-2])[()]


@kernel
def cholesky_ex_kernel(a: Any, upper: bool) -> tuple[Any, Any]:
    check_square("linalg.cholesky", a)
    check_float("linalg.cholesky", a, low_precision=True)
    check_implemented("cholesky_cpu", a)
    return cholesky_factor(a, upper)


@kernel
def cholesky_kernel(a: Any, upper: bool) -> Any:
    if a.ndim > 1 and not a.size:
        return a.copy()
    check_square("cholesky", a)
    check_implemented("cholesky_cpu", a)
    factor, info = cholesky_factor(a, upper)
    failure = first_failure(info)
    if failure is not None:
        raise errors.not_positive_definite("cholesky", *failure)
    return factor


@kernel
def cholesky_solve_kernel(b: Any, factor: Any, upper: bool) -> Any:
    check_old_solve("cholesky_solve", b, factor)
    check_implemented("cholesky_solve_cpu", factor)
    lower = adjoint(factor) if upper else factor
    inner = lu.substitute(lower, b, upper=False)
    return lu.substitute(adjoint(lower), inner, upper=True).mT.copy("C").mT


@kernel
def cholesky_inverse_kernel(factor: Any, upper: bool) -> Any:
    check_square("cholesky_inverse", factor)
    check_implemented("cholesky_inverse_out_cpu", factor)
    zero = factor.diagonal(0, -2, -1) == 0
    info = np.where(zero.any(-1), zero.argmax(-1) + 1, 0).astype(np.int32) if factor.size else np.zeros((), np.int32)
    failure = first_failure(info)
    if failure is not None:
        raise errors.singular("cholesky_inverse", *failure)
    return cholesky_solve_kernel(np.eye(factor.shape[-1], dtype=factor.dtype), factor, upper)


@kernel
def qr_kernel(a: Any, mode: str) -> tuple[Any, Any]:
    check_matrix("linalg.qr", a)
    check_float("linalg.qr", a, low_precision=True)
    if mode not in ("reduced", "complete", "r"):
        raise errors.qr_mode(mode)
    check_implemented("geqrf_cpu", a)
    lu.charge(a, 4)
    if mode == "r":
        return np.zeros((0,), a.dtype), lu.column_major(np.linalg.qr(a, "r"))
    q, r = np.linalg.qr(a, mode)  # type: ignore[call-overload]
    return lu.column_major(q), lu.column_major(r)


@kernel
def svd_kernel(a: Any, full_matrices: bool, compute_uv: bool, driver: str | None) -> tuple[Any, Any, Any]:
    check_matrix("linalg.svd", a)
    check_float("linalg.svd", a, low_precision=True)
    if driver is not None:
        raise errors.svd_driver()
    check_implemented("linalg_svd_cpu", a)
    lu.charge(a, 20 if compute_uv else 8)
    check_finite(a)
    try:
        if compute_uv:
            u, s, vh = np.linalg.svd(a, full_matrices)
            return lu.column_major(u), s, lu.column_major(vh)
        none = np.zeros((0,), a.dtype)
        return none, np.linalg.svd(a, compute_uv=False), none
    except np.linalg.LinAlgError:
        raise errors.not_converged("linalg.svd") from None


def symmetric_eigenvectors(a: Any, triangle: Any) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of (…, n, n), with PyTorch's signs where the matrices are small."""
    if a.shape[-1] > eigh.LARGEST:
        values, vectors = np.linalg.eigh(a, triangle)
        return values, vectors
    all_values, all_vectors = np.empty(a.shape[:-1], a.real.dtype), np.empty(a.shape, a.dtype)
    for index in np.ndindex(*a.shape[:-2]):
        meter.charge(a.shape[-1] ** 2)
        found = eigh.symmetric(a[index], triangle == "U")
        all_values[index], all_vectors[index] = np.linalg.eigh(a[index], triangle) if found is None else found
    return all_values, all_vectors


LARGEST_AT_ONCE = 25
"""Rows that LAPACK does not divide to find eigenvectors, nor then notice that what it looks for is no number."""


@kernel
def eigh_kernel(a: Any, uplo: str, compute_v: bool) -> tuple[Any, Any]:
    check_square("linalg.eigh", a)
    triangle: Any = uplo.upper()
    if triangle not in ("L", "U"):
        raise errors.eigh_uplo(uplo)
    check_implemented("linalg_eigh_cpu", a)
    lu.charge(a, 10)
    none = np.zeros((0,), a.dtype)
    if not np.isfinite(a).all():
        n = a.shape[-1]
        failure = first_failure(np.isnan(a).any((-2, -1)) * (n - 2 + compute_v))
        if failure is not None and 2 < n <= (LARGEST_AT_ONCE if compute_v else n):
            raise errors.eigh_not_converged(*failure)
        values = np.full(a.shape[:-1], np.nan, a.real.dtype)
        return values, np.full(a.shape, np.nan, a.dtype) if compute_v else none
    if compute_v:
        values, vectors = symmetric_eigenvectors(a, triangle)
        return values, lu.column_major(vectors)
    return np.linalg.eigvalsh(a, triangle), none
