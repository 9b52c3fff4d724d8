"""Decompositions of low rank, found by trying random directions (Halko, Martinsson and Tropp, 2009)."""

from __future__ import annotations

from engine import errors
from engine.codegen.publish import TORCH, public
from engine.composites.decompositions import linalg_qr, linalg_svd
from engine.core.tensor import Tensor
from engine.types import dtypes


def _range(A: Tensor, q: int, niter: int | None, M: Tensor | None) -> Tensor:
    """An orthonormal basis of about what A - M maps to: (…, m, q)."""

    def applied(matrix: Tensor, minus: Tensor | None, x: Tensor) -> Tensor:
        return matrix @ x if minus is None else matrix @ x - minus @ x

    kind = A.dtype if A.dtype.is_complex or A.dtype.is_floating_point else dtypes.float32
    start: Tensor = TORCH["randn"](A.shape[-1], q, dtype=kind)
    basis: Tensor = linalg_qr(applied(A, M, start))[0]
    turned = None if M is None else M.mH
    for _ in range(2 if niter is None else niter):
        basis = linalg_qr(applied(A.mH, turned, basis))[0]
        basis = linalg_qr(applied(A, M, basis))[0]
    return basis


def _svd(A: Tensor, q: int | None, niter: int | None, M: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    m, n = A.shape[-2:]
    if M is not None:
        M = M.broadcast_to(A.size())
    if m < n:
        A, M = A.mH, None if M is None else M.mH
    basis = _range(A, 6 if q is None else q, niter, M)
    small = basis.mH @ A
    if M is not None:
        small = small - basis.mH @ M
    u, s, vh = linalg_svd(small, full_matrices=False)
    v, u = vh.mH, basis @ u
    return (v, s, u) if m < n else (u, s, v)


@public("torch")
def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """About the `q` largest singular values of A - M and their vectors: U (…, m, q), S (…, q), V (…, n, q)."""
    return _svd(A, q, niter, M)


@public("torch")
def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    """The `q` principal components of rows of data, as the columns of V."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise errors.lowrank_size(q, min(m, n))
    if niter < 0:
        raise errors.lowrank_iterations(niter)
    if center:
        A = A - A.mean(dim=(-2,), keepdim=True)
    return _svd(A, q, niter, None)
