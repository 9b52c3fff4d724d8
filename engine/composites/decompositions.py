"""Decompositions as users call them: `torch.linalg`, and the older names in `torch` and as methods.

Functions whose name ends in `_ex` report a failure in `info`; the others raise it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.publish import LINALG, public, publish
from engine.composites.losses import check_weight
from engine.core.batch import whole
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, bump_version, constant
from engine.kernels.solve import check_float, check_square, first_failure
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import limits_of
from engine.types.return_types import returns

LINALG["LinAlgError"] = errors.LinAlgError


def _raise_first(info: Tensor, error: Callable[..., Exception], *name: str) -> None:
    """The error for the first matrix that `info` says has failed, if one has."""
    failure = first_failure(whole(info)._array)
    if failure is not None:
        raise error(*name, *failure)


def _wants_graph(*tensors: Tensor) -> bool:
    return state.dual is not None or state.grad and any(whole(t).requires_grad for t in tensors)


@public("linalg")
def ldl_factor_ex(A: Tensor, *, hermitian: bool = False, check_errors: bool = False) -> Any:
    """L and D of A = L D Lᵀ in one matrix, the rows exchanged, and the first zero on the diagonal of D."""
    return ops.linalg_ldl_factor_ex(A, hermitian=hermitian)


@public("linalg")
def ldl_factor(A: Tensor, *, hermitian: bool = False) -> Any:
    """As `ldl_factor_ex`, without the last."""
    factors, pivots, info = ldl_factor_ex(A, hermitian=hermitian)
    _raise_first(info, lambda batch, place: errors.singular_ldl(batch))
    return returns("linalg_ldl_factor", (factors, pivots))


@public("linalg")
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False) -> Tensor:
    """X of A X = B, from the factors of A."""
    return ops.linalg_ldl_solve(LD, pivots, B, hermitian=hermitian)


@public("linalg")
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """The inverse of each matrix, and what went wrong: 0, or the first zero on the diagonal of U."""
    result = ops.linalg_inv_ex(A)
    if check_errors:
        _raise_first(result[1], errors.singular, "linalg.inv_ex")
    return result


@public("linalg")
@public("method torch", "inverse")
def inv(A: Tensor) -> Tensor:
    """The inverse of each matrix. LinAlgError when one has none."""
    inverse, info = ops.linalg_inv_ex(A)
    _raise_first(info, errors.singular, "linalg.inv")
    return inverse


@public("linalg")
@public("method torch")
def det(A: Tensor) -> Tensor:
    """The determinant of each matrix."""
    return ops._linalg_det(A)[0]


@public("linalg", "slogdet")
def linalg_slogdet(A: Tensor) -> Any:
    """The sign of the determinant, and the logarithm of its size."""
    return returns("linalg_slogdet", ops._linalg_slogdet(A)[:2])


@public("method torch")
def slogdet(input: Tensor) -> Any:
    """`linalg.slogdet` under its older name."""
    return returns("slogdet", ops._linalg_slogdet(input)[:2])


@public("method torch")
def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant: -inf where it is 0, NaN where it is negative."""
    check_square("logdet", input)
    check_float("logdet", input._array)
    sign, size = ops._linalg_slogdet(input)[:2]
    if input.is_complex():
        return ops.add(ops.log(sign), size)
    return ops.where(ops.eq(sign, -1.0), math.nan, size)


@public("linalg")
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """Both factors of A = P L U in one matrix, the rows exchanged (from 1), and the first zero on U's diagonal."""
    if not isinstance(A, Tensor):
        raise errors.argument_type("linalg_lu_factor_ex", "A", 1, "Tensor", A)
    if not pivot:
        raise errors.lu_without_pivoting("linalg.lu_factor")
    result = ops.linalg_lu_factor_ex(A, pivot=pivot)
    if check_errors:
        _raise_first(result[2], errors.singular_factor, "torch.linalg.lu_factor_ex")
    return result


@public("linalg")
def lu_factor(A: Tensor, *, pivot: bool = True) -> Any:
    """As `lu_factor_ex`. RuntimeError where U has a zero on its diagonal."""
    factors, pivots, info = lu_factor_ex(A, pivot=pivot)
    _raise_first(info, errors.singular_factor, "torch.linalg.lu_factor")
    return returns("linalg_lu_factor", (factors, pivots))


@public("linalg", "lu")
def linalg_lu(A: Tensor, *, pivot: bool = True) -> Any:
    """P, L and U of A = P L U."""
    if not pivot:
        raise errors.lu_without_pivoting("linalg.lu")
    return ops.linalg_lu(A, pivot=pivot)


@public("method torch")
def lu(A: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """`linalg.lu_factor` under its older name; with `get_infos` also what went wrong."""
    errors.warn_lu()
    factors, pivots, info = lu_factor_ex(A, pivot=pivot)
    return (factors, pivots, info) if get_infos else (factors, pivots)


@public("torch")
def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """P, L and U of what `linalg.lu_factor` returned."""
    if whole(LU_data).requires_grad and state.grad:
        LU_data.size(-1), LU_data.size(-2)
    if LU_data.ndim < 2:
        raise errors.lu_dimensions("torch.lu_unpack", tuple(LU_data.shape))
    return ops.lu_unpack(LU_data, LU_pivots, unpack_data, unpack_pivots)


@public("linalg", "lu_solve")
def linalg_lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """X of A X = B (or X A = B, or with Aᴴ) from the factors of A."""
    check_weight("linalg_lu_solve", pivots=pivots)
    return ops.linalg_lu_solve(LU, pivots, B, left=left, adjoint=adjoint)


@public("method torch")
def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """`linalg.lu_solve` under its older name, the right-hand side first."""
    errors.warn_lu_solve()
    return linalg_lu_solve(LU_data, LU_pivots, b)


@public("linalg")
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """X of A X = B (or X A = B), and the first zero on the diagonal of U."""
    solution, _, _, info = ops._linalg_solve_ex(A, B, left=left)
    if check_errors:
        _raise_first(info, lambda batch, place: errors.singular_solve("torch.linalg.solve_ex", place))
    return returns("linalg_solve_ex", (solution, info))


@public("linalg")
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X of A X = B, or of X A = B: B (…, n, k), or (…, n) when it is a vector for each matrix.

    LinAlgError when a matrix has no inverse.
    """
    solution, _, _, info = ops._linalg_solve_ex(A, B, left=left)
    _raise_first(info, lambda batch, place: errors.singular_solve("torch.linalg.solve", place))
    return solution


@public("linalg")
def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """As `solve` for triangular matrices: the other half of A is not read, nor the diagonal if `unitriangular`."""
    result = ops.linalg_solve_triangular(A, B, upper=upper, left=left, unitriangular=unitriangular)
    return result


@public("method torch")
def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """`linalg.solve_triangular` under its older name, the right-hand side first; also returns a copy of `A`."""
    errors.warn_triangular_solve()
    return ops.triangular_solve(b, A, upper, transpose, unitriangular)


@public("linalg")
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None) -> Any:
    """X of `tensordot(A, X, X.ndim) == B`; `dims` of A are moved to its end first."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    shape = tuple(A.shape[B.ndim :])
    square = A.reshape(-1, math.prod(shape))
    return solve(square, B.reshape(-1)).reshape(shape)


@public("linalg")
def tensorinv(A: Tensor, ind: int = 2) -> Any:
    """The inverse of `A` as a map from its last dimensions to its first `ind`."""
    if ind <= 0:
        raise errors.tensorinv_ind(ind)
    first, last = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    if math.prod(first) != math.prod(last):
        raise errors.tensorinv_shape(math.prod(last), math.prod(first))
    inverse = inv(A.reshape(math.prod(last), math.prod(first)))
    return inverse.reshape(*last, *first)


@public("linalg")
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """L of A = L Lᴴ, and the first leading minor that is not positive."""
    result = ops.linalg_cholesky_ex(A, upper=upper)
    if check_errors:
        _raise_first(result[1], errors.not_positive_definite, "linalg.cholesky_ex")
    return result


@public("linalg", "cholesky")
def linalg_cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    """L of A = L Lᴴ, or U of A = Uᴴ U. LinAlgError when a matrix is not positive definite."""
    factor, info = ops.linalg_cholesky_ex(A, upper=upper)
    _raise_first(info, errors.not_positive_definite, "linalg.cholesky")
    return factor


@public("method torch")
def cholesky(input: Tensor, upper: bool = False) -> Tensor:
    """`linalg.cholesky` under its older name."""
    errors.warn_cholesky()
    return ops.cholesky(input, upper)


publish("method torch", "cholesky_solve", "cholesky_inverse", inplace=False)


@public("linalg", "qr")
def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    """Q and R of A = Q R: `reduced`, `complete` (Q square) or `r` (no Q)."""
    return ops.linalg_qr(A, mode)


@public("method torch")
def qr(input: Tensor, some: bool = True) -> Any:
    """`linalg.qr` under its older name."""
    errors.warn_qr()
    return returns("qr", ops.linalg_qr(input, "reduced" if some else "complete"))


publish("linalg", "linalg_householder_product", names="householder_product", inplace=False)
publish("method torch", "linalg_householder_product", names="orgqr", inplace=False)
publish("method torch", "ormqr", "geqrf", inplace=False)


@public("linalg", "svd")
def linalg_svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> Any:
    """U, S and Vᴴ of A = U diag(S) Vᴴ, with the singular values in descending order."""
    return returns("linalg_svd", ops._linalg_svd(A, full_matrices, True, driver=driver))


@public("linalg")
def svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """The singular values, in descending order."""
    return ops._linalg_svd(A, False, _wants_graph(A), driver=driver)[1]


@public("method torch")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """U, S and V of A = U diag(S) Vᴴ; without `compute_uv` U and V are zeros."""
    if input.ndim < 2:
        raise errors.old_svd_dimensions(input.ndim)
    if compute_uv:
        u, s, vh = ops._linalg_svd(input, not some)
        return returns("svd", (u, s, vh.mH))
    m, n = input.shape[-2:]
    batch, kind = tuple(input.shape[:-2]), input._array.dtype
    meter.allocate(math.prod(batch) * (m * m + n * n), kind.itemsize)
    u, v = (np.zeros((*batch, size, size), kind) for size in (m, n))
    return returns("svd", (constant(u), svdvals(input), constant(v.swapaxes(-1, -2))))


@public("linalg")
def eigh(A: Tensor, UPLO: str = "L") -> Any:
    """Eigenvalues in ascending order and eigenvectors of Hermitian matrices, of which one triangle is read."""
    return returns("linalg_eigh", ops._linalg_eigh(A, UPLO))


@public("linalg")
def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """Eigenvalues of Hermitian matrices, in ascending order."""
    return ops._linalg_eigh(A, UPLO, _wants_graph(A))[0]


@public("linalg")
def eig(A: Tensor) -> Any:
    """Eigenvalues and eigenvectors, both complex."""
    return ops.linalg_eig(A)


@public("linalg")
def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues, complex."""
    check_square("linalg.eigvals", A)
    return ops.linalg_eig(A)[0]


@public("linalg", "matrix_exp")
@public("method torch", "matrix_exp")
def matrix_exp(A: Tensor) -> Tensor:
    """The exponential of each square matrix."""
    return ops.linalg_matrix_exp(A)


@public("linalg")
def pinv(A: Tensor, atol: Any = None, rtol: Any = None, *, rcond: Any = None, hermitian: bool = False) -> Tensor:
    """The pseudoinverse; singular values below `max(atol, rtol · largest)` count as 0."""
    if rcond is not None:
        rtol = rcond
    absolute, relative = _tolerances(A, atol, rtol)
    return ops.linalg_pinv(A, atol=absolute, rtol=relative, hermitian=hermitian)


def _tolerances(A: Tensor, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """The tolerances that are used where none, or one of them, is given."""
    absolute = 0.0 if atol is None else atol
    if rtol is not None:
        return absolute, rtol
    if A._array.dtype.kind not in dtypes.INEXACT:
        return absolute, 0.0
    relative = float(limits_of(A._array.dtype).eps) * max(A.shape[-2:], default=0)
    if isinstance(atol, Tensor):
        return absolute, ops.where(atol > 0, 0.0, relative)
    return absolute, relative if absolute == 0 else 0.0


@public("method torch")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """`linalg.pinv` under its older name."""
    if not isinstance(rcond, int | float):
        raise errors.argument_type("pinverse", "rcond", 2, "float", rcond)
    return pinv(input, rcond=rcond)


@public("linalg")
def matrix_rank(A: Tensor, *, atol: Any = None, rtol: Any = None, tol: Any = None, hermitian: bool = False) -> Any:
    """How many singular values are larger than `max(atol, rtol · largest)`."""
    if A.ndim < 2:
        raise errors.matrix_expected("torch.linalg.matrix_rank", "input", A.ndim)
    if A._array.dtype.char not in "fdFD":
        raise errors.matrix_rank_dtype()
    if tol is not None:
        atol, rtol = tol, 0.0
    absolute, relative = _tolerances(A, atol, rtol)
    if not A.numel():
        return Tensor._from_array(np.zeros(A.shape[:-2], np.int64)[()])
    values = (eigvalsh(A).abs() if hermitian else svdvals(A)).detach()
    largest = values.amax(-1)
    bound = ops.maximum(
        *(level if isinstance(level, Tensor) else largest * 0 + level for level in (absolute, largest * relative))
    )
    rank = (values > bound.unsqueeze(-1)).sum(-1)
    bump_version(rank)  # PyTorch writes the sum into it
    return rank


@public("linalg")
def cond(A: Tensor, p: Any = None) -> Any:
    """The condition number: how much a matrix can enlarge relative errors, in the norm `p`."""
    if A.ndim < 2:
        raise errors.cond_dimensions()
    if p is None or not isinstance(p, str) and abs(p) == 2:
        return _spectral_condition(A, p)
    if p not in ("fro", "nuc", 1, -1, math.inf, -math.inf):
        raise errors.cond_order(p)
    if A.shape[-1] != A.shape[-2]:
        raise errors.square_expected(f"linalg.cond(ord={p})", A.shape[-2], A.shape[-1])
    if not A.numel():
        return A.new_zeros(A.shape[:-2])
    norm: Any = LINALG["matrix_norm"]
    inverse, info = ops.linalg_inv_ex(A)
    failed = Tensor._from_array(np.asarray(info._array != 0).reshape(*info.shape, 1, 1))
    # Writing into the inverse costs the gradient of this norm, in PyTorch too.
    inverse.masked_fill_(failed, math.inf)
    product = norm(A, p) * norm(inverse, p)
    return product.nan_to_num_(math.inf, math.inf, -math.inf)


def _spectral_condition(A: Tensor, p: Any) -> Any:
    values = svdvals(A)
    if not A.numel():
        return A.new_zeros(A.shape[:-2])
    largest, smallest = values.narrow(-1, 0, 1), values.narrow(-1, -1, 1)
    ratio = smallest / largest if p == -2 else largest / smallest
    return ratio.squeeze(-1)


@public("linalg")
def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """X that minimises ‖A X − B‖, the squares that are left, and for some drivers the rank and singular values."""
    for name, operand, least in (("input", A, 2), ("other", B, 1)):
        if operand.ndim < least:
            raise errors.lstsq_dimensions(name, least)
    if not 0 <= A.ndim - B.ndim <= 1:
        raise errors.lstsq_ranks()
    if A.dtype is not B.dtype:
        raise errors.lstsq_dtypes(dtypes.of(A._array.dtype).type_name, dtypes.of(B._array.dtype).type_name)
    vector = A.ndim - 1 == B.ndim
    if A.shape[-2] != B.shape[-1 if vector else -2]:
        raise errors.lstsq_shapes(-1 if vector else -2)
    driver = "gelsy" if driver is None else driver
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise errors.lstsq_driver()
    return ops.linalg_lstsq(A, B, rcond, driver=driver)


@public("linalg")
def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """The powers 0 … N - 1 of each element of (…, n), as (…, n, N)."""
    if not x.ndim:
        x = x.unsqueeze(0)
    length = x.shape[-1] if N is None else N
    if length <= 1:
        raise errors.vander_length()
    meter.reserve(x._array.size * int(length), x._array.itemsize)
    ones = Tensor._from_array(np.ones((*x.shape, 1), x._array.dtype))
    return ops.cat([ones, ops.cumprod(ops.expand(ops.unsqueeze(x, -1), (*x.shape, length - 1)), -1)], -1)


@public("torch", "vander")
@by_entry
def torch_vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """As `linalg.vander` for one vector, with the highest power first unless `increasing`."""
    if x.ndim != 1:
        raise errors.vander_dimensions()
    length = x.shape[0] if N is None else N
    kind = np.dtype(np.int64) if x._array.dtype.kind in "iub" else x._array.dtype
    meter.reserve(x._array.size * max(length, 0), kind.itemsize)
    powers = Tensor._from_array(np.zeros((*x.shape, max(length, 0)), kind))
    if length > 0:
        powers.select(1, 0).fill_(1)
    if length > 1:
        powers[:, 1:].copy_(x.unsqueeze(1))
        powers[:, 1:].copy_(powers[:, 1:].cumprod(1))
    return powers if increasing else ops.flip(powers, (1,))
