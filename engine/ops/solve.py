"""Systems of linear equations, inverses and determinants: everything that rests on Gaussian elimination.

Matrices are (…, n, n), and stacks of them broadcast. A gradient needs the factors once more, and takes them from the
forward pass; a gradient that is itself recorded computes from the matrix, so that it depends on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import GRAPH, NUMPY, ops
from engine.core.tensor import Tensor
from engine.kernels import lu
from engine.kernels.solve import adjoint as adjoint_of_array
from engine.kernels.solve import is_turned, lu_diagonal, lu_solved
from engine.ops.complexes import imaginary_part
from engine.ops.reduction import product_of_others
from engine.ops.shape import new_zeros
from engine.types.bfloat16 import limits_of


def _adjoint(x: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return x.mH if isinstance(x, Tensor) else adjoint_of_array(x)


GRAPH["adjoint"] = NUMPY["adjoint"] = _adjoint
adjoint = _adjoint


def is_complex(x: Any) -> bool:
    """Whether a tensor or an array holds complex numbers."""
    return bool((x._array if isinstance(x, Tensor) else x).dtype.kind == "c")


def conjugate_of(x: Any) -> Any:
    """The conjugate, and no op at all for real numbers."""
    return ops.conj(x) if is_complex(x) else x


@rule
def column(x: Any, vector: bool) -> Any:
    """A vector as a matrix of one column."""
    return ops.unsqueeze(x, -1) if vector else x


@rule
def uncolumn(x: Any, vector: bool) -> Any:
    return ops.squeeze_dim(x, -1) if vector else x


@rule
def total_of(first: Any, second: Any) -> Any:
    """The sum of two gradients, either of which may be missing."""
    return second if first is None else first if second is None else first + second


@rule
def lu_backward(g_lower: Any, g_upper: Any, swaps: Any, lower: Any, upper: Any, pivot: bool) -> Any:
    """The gradient of a matrix from those of its factors (Lerman and Bradbury, 2021, and its extension to any shape).

    With A = P L U, d(L⁻¹ Pᵀ A U⁻¹) is dL's part strictly below the diagonal and dU's above.
    """
    m, n = lower.shape[-2], upper.shape[-1]
    k = min(m, n)
    solve = ops.linalg_solve_triangular
    if m == n:
        middle = None if g_lower is None else ops.tril(adjoint(lower) @ g_lower, -1)
        if g_upper is not None:
            middle = total_of(middle, ops.triu(g_upper @ adjoint(upper)))
        whole = solve(adjoint(upper), middle, upper=False, left=False)
        whole = solve(adjoint(lower), whole, upper=True, unitriangular=True)
    elif m < n:
        middle = None if g_lower is None else adjoint(lower) @ g_lower
        if g_upper is not None:
            product = ops.triu(g_upper) @ adjoint(upper)
            middle = -product if middle is None else middle - product
        whole = solve(adjoint(ops.slice(upper, -1, 0, k)), ops.tril(middle, -1), upper=False, left=False)
        rest = new_zeros(whole, (*whole.shape[:-1], n - k))
        if g_upper is not None:
            whole, rest = whole + ops.triu(ops.slice(g_upper, -1, 0, k)), ops.slice(g_upper, -1, k, n)
        whole = solve(adjoint(lower), ops.cat([whole, rest], -1), upper=True, unitriangular=True)
    else:
        middle = None if g_upper is None else g_upper @ adjoint(upper)
        if g_lower is not None:
            product = adjoint(lower) @ ops.tril(g_lower, -1)
            middle = -product if middle is None else middle - product
        inner = adjoint(ops.slice(lower, -2, 0, k))
        whole = solve(inner, ops.triu(middle), upper=True, unitriangular=True)
        rest = new_zeros(whole, (*whole.shape[:-2], m - k, n))
        if g_lower is not None:
            whole, rest = whole + ops.tril(ops.slice(g_lower, -2, 0, k), -1), ops.slice(g_lower, -2, k, m)
        whole = solve(adjoint(upper), ops.cat([whole, rest], -2), upper=False, left=False)
    return swaps @ whole if pivot else whole


@rule
def lu_factor_backward(g: Any, factors: Any, pivots: Any, pivot: bool) -> Any:
    k = min(factors.shape[-2:])
    swaps, lower, upper = ops.lu_unpack(factors, pivots, True, pivot)
    return lu_backward(ops.slice(g, -1, 0, k), ops.slice(g, -2, 0, k), swaps, lower, upper, pivot)


@rule
def lu_unpack_backward(g: Any, shape: tuple[int, ...]) -> Any:
    """Both halves of the matrix that held the factors."""
    _, g_lower, g_upper = g
    m, n = shape
    k = min(m, n)
    whole = None
    if g_lower is not None:
        whole = ops.tril(g_lower, -1)
        if m < n:
            whole = ops.cat([whole, new_zeros(whole, (*whole.shape[:-1], n - k))], -1)
    if g_upper is not None:
        above = ops.triu(g_upper)
        if m > n:
            above = ops.cat([above, new_zeros(above, (*above.shape[:-2], m - k, n))], -2)
        whole = total_of(whole, above)
    return whole


_LU_TEX = (
    "P\\,L^{-\\mathsf T}\\bigl(\\operatorname{tril}(L^{\\mathsf T} G_L) + "
    "\\operatorname{triu}(G_U U^{\\mathsf T})\\bigr)U^{-\\mathsf T}"
)
op(
    "linalg_lu_factor_ex(A, *, pivot=True, check_errors=False)", "LinalgLuFactorExBackward0",
    "lu_factor_kernel(A, pivot)", outputs="LU pivots! info!", inplace=False,
    A="lu_factor_backward(g, LU, pivots, pivot)", tex=_LU_TEX,
    says="the gradients of L and U, brought back through both triangles", vmap=rules.same, backward_cost=16,
    matmul_backward=True, wirtinger=True,
)
op(
    "linalg_lu(A, *, pivot=True)", "LinalgLuBackward0", "linalg_lu_kernel(A, pivot)", outputs="P! L U", inplace=False,
    A="lu_backward(g[1], g[2], P, L, U, pivot)", tex=_LU_TEX,
    says="the gradients of L and U, brought back through both triangles", vmap=rules.same, backward_cost=16,
    matmul_backward=True, wirtinger=True,
)
op(
    "lu_unpack(LU_data, LU_pivots: Tensor, unpack_data=True, unpack_pivots=True)", "LuUnpackBackward0",
    "lu_unpack_kernel(LU_data, LU_pivots, unpack_data, unpack_pivots)", outputs="P! L U", inplace=False,
    LU_data="lu_unpack_backward(g, LU_data.shape[-2:])", tex="\\operatorname{tril}(G_L) + \\operatorname{triu}(G_U)",
    says="the two triangles' gradients side by side in one matrix", backward_cost=2, matmul_backward=True,
)

@rule
def solve_triangular_backward(
    g: Any, a: Any, x: Any, upper: bool, left: bool, unitriangular: bool, wanted: tuple[bool, bool]
) -> tuple[Any, Any]:
    g_b = ops.linalg_solve_triangular(adjoint(a), g, upper=not upper, left=left, unitriangular=unitriangular)
    g_a = None
    if wanted[0]:
        g_a = -(g_b @ adjoint(x)) if left else -(adjoint(x) @ g_b)
        g_a = ops.triu(g_a, int(unitriangular)) if upper else ops.tril(g_a, -int(unitriangular))
    return g_a, g_b if wanted[1] else None


@rule
def triangular_solve_backward(
    g: Any, b: Any, a: Any, x: Any, upper: bool, transpose: bool, unitriangular: bool, wanted: tuple[bool, bool]
) -> tuple[Any, Any]:
    g_x, g_copy = g
    g_b = g_a = None
    if g_x is not None:
        g_b = ops.triangular_solve(g_x, conjugate_of(a), upper, not transpose, unitriangular)[0]
        if wanted[1]:
            g_a = -(conjugate_of(x) @ ops.transpose(g_b, -2, -1)) if transpose else -(g_b @ adjoint(x))
            g_a = ops.triu(g_a, int(unitriangular)) if upper else ops.tril(g_a, -int(unitriangular))
    return g_b if wanted[0] else None, total_of(g_a, g_copy) if wanted[1] else None


_TRIANGLE_TEX = ("-\\operatorname{tri}\\bigl(T^{-\\mathsf T} G\\,X^{\\mathsf T}\\bigr)", "T^{-\\mathsf T} G")
_SOLVE_SAYS = "the gradient solves the transposed system; the matrix gets minus its product with the solution"
op(
    "linalg_solve_triangular(self, B, *, upper, left=True, unitriangular=False)", "LinalgSolveTriangularBackward0",
    "solve_triangular_kernel(self, B, upper=upper, left=left, unitriangular=unitriangular)", inplace=False,
    together=("self B", "solve_triangular_backward(g, self, result, upper, left, unitriangular, wanted)"),
    tex=_TRIANGLE_TEX, says=_SOLVE_SAYS, vmap=rules.together, backward_cost=2, matmul_backward=True, wirtinger=True,
)
op(
    "triangular_solve(self, A, upper=True, transpose=False, unitriangular=False)", "TriangularSolveBackward0",
    "triangular_solve_kernel(self, A, upper, transpose, unitriangular)", outputs="solution cloned_coefficient",
    together=("self A", "triangular_solve_backward(g, self, A, solution, upper, transpose, unitriangular, wanted)"),
    inplace=False, tex=_TRIANGLE_TEX[::-1], says=_SOLVE_SAYS, backward_cost=4, matmul_backward=True, wirtinger=True,
)

@rule
def solve_backward(
    g: Any, a: Any, x: Any, factors: Any, pivots: Any, left: bool, vector: bool, wanted: tuple[bool, bool]
) -> tuple[Any, Any]:
    """For A X = B: B gets G = A⁻ᴴ times the gradient of X, A gets −G Xᴴ."""
    g = column(g, vector)
    if isinstance(g, Tensor):
        g_b = ops._linalg_solve_ex(adjoint(a), g, left=left)[0]
    else:
        g_b = lu_solved(factors, pivots, g, left, True)
    g_a = None
    if wanted[0]:
        x = column(x, vector)
        g_a = -(g_b @ adjoint(x)) if left else -(adjoint(x) @ g_b)
    return g_a, uncolumn(g_b, vector) if wanted[1] else None


@rule
def lu_solve_backward_factors(g: Any, factors: Any, pivots: Any, x: Any, left: bool, adjointed: bool) -> Any:
    """The gradient of the matrix that holds both factors."""
    solve = ops.linalg_solve_triangular
    swaps, lower, upper = ops.lu_unpack(factors, pivots, True, left == adjointed)
    if left != adjointed:
        middle = -((g if left else adjoint(g)) @ (adjoint(x) if left else x))
        middle = solve(adjoint(upper), middle, upper=False)
        below = solve(adjoint(lower), middle @ adjoint(upper), upper=True, unitriangular=True)
        return ops.tril(below, -1) + ops.triu(middle)
    middle = -(ops.transpose(swaps, -2, -1) @ (x if left else adjoint(x)) @ (adjoint(g) if left else g) @ swaps)
    middle = solve(adjoint(lower), middle, upper=True, left=False, unitriangular=True)
    above = solve(adjoint(upper), adjoint(lower) @ middle, upper=False, left=False)
    return ops.tril(middle, -1) + ops.triu(above)


op(
    "_linalg_solve_ex(A, B, *, left=True, check_errors=False)", "LinalgSolveExBackward0", "solve_kernel(A, B, left)",
    outputs="result LU! pivots! info!", inplace=False,
    together=(
        "A B", "solve_backward(g, A, result, LU, pivots, left, len(B.shape) == 1 or len(B.shape) == len(A.shape) - 1 "
        "and B.shape == A.shape[:-1], wanted)",
    ),
    tex=("-(A^{-\\mathsf T} G)\\,X^{\\mathsf T}", "A^{-\\mathsf T} G"), says=_SOLVE_SAYS, hides="A B", vmap=rules.solve,
    backward_cost=16, matmul_backward=True, wirtinger=True,
)
op(
    "linalg_lu_solve(LU, pivots: Tensor, B, *, left=True, adjoint=False)", "LinalgLuSolveBackward0",
    "lu_solve_kernel(LU, pivots, B, left, adjoint)", inplace=False,
    LU="lu_solve_backward_factors(g, LU, pivots, result, left, adjoint)",
    B="linalg_lu_solve(LU, pivots, g, left=left, adjoint=not adjoint)", says=_SOLVE_SAYS, backward_cost=8,
    matmul_backward=True, wirtinger=True,
)

op(
    "linalg_inv_ex(A, *, check_errors=False)", "LinalgInvExBackward0", "inverse_kernel(A)", outputs="inverse info!",
    inplace=False, A="-(adjoint(inverse) @ (g @ adjoint(inverse)))",
    tex="-A^{-\\mathsf T} G\\,A^{-\\mathsf T}", says="for A⁻¹ the gradient is −A⁻ᵀ G A⁻ᵀ", vmap=rules.same,
    matmul_backward=True, wirtinger=True, autocast="fp32",
)

@rule
def scaled_identity(g: Any, n: int) -> Any:
    """`g` times the unit matrix, for each matrix of the stack."""
    diagonal = ops.expand(ops.unsqueeze(g, -1), (*g.shape, n))
    return ops.transpose(ops.diag_embed(diagonal), -2, -1)


@rule
def det_backward(g: Any, det: Any, a: Any, factors: Any, pivots: Any) -> Any:
    """The gradient is g · det(A) · A⁻ᵀ, which exists for singular matrices too: it is the matrix of cofactors."""
    n = a.shape[-1]
    if not (a._array if isinstance(a, Tensor) else a).size:
        return Tensor._from_array(np.zeros_like(a._array)) if isinstance(a, Tensor) else np.zeros_like(a)
    if n == 1:
        return ops.expand(ops.unsqueeze(ops.unsqueeze(g, -1), -1), a.shape)
    right = scaled_identity(g * conjugate_of(det), n)
    eps = float(limits_of(a.dtype if isinstance(a, np.ndarray) else a._array.dtype).eps)
    if isinstance(a, np.ndarray):
        diagonal = lu_diagonal(factors)
        place = np.arange(n)
        factors = factors.copy()
        factors[..., place, place] += np.where(diagonal == 0, eps, 0)
        return lu.solved(factors, pivots, right, not is_turned(a))
    singular = np.abs(det._array) < 100 * eps
    if not singular.any():
        return _solution(a, right)
    if singular.all():
        return cofactors(a, g)
    mask, others = Tensor._from_array(singular), Tensor._from_array(~singular)
    whole = Tensor._from_array(np.empty_like(a._array))
    whole = whole.index_put((mask,), cofactors(a[mask], g[mask]))
    return whole.index_put((others,), _solution(a[others], right[others]))


def _solution(a: Any, right: Any) -> Any:
    return ops._linalg_solve_ex(_adjoint(a), right)[0]


def cofactors(a: Any, g: Any) -> Any:
    """`g` times the matrix of cofactors, from singular values (Higham, What is the adjugate of a matrix)."""
    left, values, right = ops._linalg_svd(a, False)
    alpha = g * conjugate_of(ops._linalg_det(left)[0] * ops._linalg_det(right)[0])
    others = ops.unsqueeze(alpha, -1) * product_of_others(values, values.ndim - 1)
    return (left * ops.unsqueeze(others, -2)) @ right


@rule
def slogdet_backward(g: Any, a: Any, sign: Any, factors: Any, pivots: Any) -> Any:
    """The gradient is g · A⁻ᵀ; for complex matrices the sign turns with the determinant too."""
    g_sign, g_log = g[:2]
    if is_complex(a):
        g_log = None if g_log is None else ops.to_dtype(g_log, (a._array if isinstance(a, Tensor) else a).dtype)
        turned = None if g_sign is None else imaginary_part(ops.conj(g_sign) * sign) * -1j
        g_log = total_of(g_log, turned)
    if g_log is None:
        return None
    right = scaled_identity(g_log, a.shape[-1])
    if isinstance(a, Tensor):
        return _solution(a, right)
    return lu.solved(factors, pivots, right, not is_turned(a))


op(
    "_linalg_det(A)", "LinalgDetBackward0", "det_kernel(A)", outputs="result LU! pivots!", inplace=False,
    A="det_backward(g, result, A, LU, pivots)", tex="g\\,\\det(A)\\,A^{-\\mathsf T}",
    says="the derivative in an element is its cofactor: the determinant times the inverse, transposed", vmap=rules.same,
    matmul_backward=True, wirtinger=True,
)
op(
    "_linalg_slogdet(A)", "LinalgSlogdetBackward0", "slogdet_kernel(A)", outputs="sign logabsdet LU! pivots!",
    inplace=False, A="slogdet_backward(g, A, sign, LU, pivots)", tex="g\\,A^{-\\mathsf T}",
    says="the derivative of log |det A| is the inverse, transposed", vmap=rules.same, backward_cost=8,
    matmul_backward=True,
    wirtinger=True,
)
