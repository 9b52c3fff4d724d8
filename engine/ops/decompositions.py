"""Decompositions of matrices: Cholesky, QR, singular values and eigenvalues.

Matrices are (…, m, n). The gradients of Q, U, V and of eigenvectors are projected onto what such matrices can do:
turn, but not stretch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.kernels import lu
from engine.kernels.names import kernel
from engine.kernels.solve import check_implemented, check_square
from engine.ops.complexes import real_part
from engine.ops.shape import new_zeros
from engine.ops.solve import adjoint, is_complex, total_of
from engine.types import dtypes


@rule
def cholesky_backward(g: Any, upper: bool, factor: Any) -> Any:
    """Murray, 2016: L⁻ᴴ π(Lᴴ G) L⁻¹, where π keeps the lower triangle and spreads it over both."""
    lower, g_lower = (adjoint(factor), adjoint(g)) if upper else (factor, g)
    g_a = ops.tril(adjoint(lower) @ g_lower)
    g_a = 0.5 * (g_a + adjoint(ops.tril(g_a, -1)))
    g_a = ops.linalg_solve_triangular(adjoint(lower), g_a, upper=True)
    return ops.linalg_solve_triangular(lower, g_a, upper=False, left=False)


@rule
def cholesky_solve_backward(
    g: Any, b: Any, factor: Any, x: Any, upper: bool, wanted: tuple[bool, bool]
) -> tuple[Any, Any]:
    g_b = ops.cholesky_solve(g, factor, upper)
    g_factor = None
    if wanted[1]:
        both = g_b @ adjoint(x)
        both = both + adjoint(both)
        g_factor = -(factor @ both) if upper else -(both @ factor)
    return g_b if wanted[0] else None, g_factor


@rule
def cholesky_inverse_backward(g: Any, factor: Any, upper: bool, inverse: Any) -> Any:
    both = inverse @ ((g + adjoint(g)) @ inverse)
    return -(factor @ both) if upper else -(both @ factor)


_CHOLESKY_TEX = "L^{-\\mathsf T}\\,\\operatorname{sym}\\bigl(\\operatorname{tril}(L^{\\mathsf T} G)\\bigr)\\,L^{-1}"
_CHOLESKY_SAYS = "the triangle's gradient is brought back through the factor on both sides and made symmetric"
op(
    "linalg_cholesky_ex(self, *, upper=False, check_errors=False)", "LinalgCholeskyExBackward0",
    "cholesky_ex_kernel(self, upper)", outputs="L info!", inplace=False, self="cholesky_backward(g, upper, L)",
    tex=_CHOLESKY_TEX, says=_CHOLESKY_SAYS, vmap=rules.same, backward_cost=8, matmul_backward=True, wirtinger=True,
)
op(
    "cholesky(self, upper=False)", "CholeskyBackward0", "cholesky_kernel(self, upper)", inplace=False,
    self="cholesky_backward(g, upper, result)", tex=_CHOLESKY_TEX, says=_CHOLESKY_SAYS, vmap=rules.same,
    backward_cost=8, matmul_backward=True, wirtinger=True,
)
op(
    "cholesky_solve(self, input2, upper=False)", "CholeskySolveBackward0",
    "cholesky_solve_kernel(self, input2, upper)", inplace=False,
    together=("self input2", "cholesky_solve_backward(g, self, input2, result, upper, wanted)"),
    tex=("A^{-1} G", "-\\bigl(A^{-1} G X^{\\mathsf T} + X G^{\\mathsf T} A^{-1}\\bigr) L"),
    says="the gradient solves the same system; the factor gets its product with the solution", vmap=rules.together,
    backward_cost=8, matmul_backward=True, wirtinger=True, autocast="fp32",
)
op(
    "cholesky_inverse(self, upper=False)", "CholeskyInverseBackward0", "cholesky_inverse_kernel(self, upper)",
    inplace=False, self="cholesky_inverse_backward(g, self, upper, result)",
    tex="-A^{-1}\\bigl(G + G^{\\mathsf T}\\bigr) A^{-1} L",
    says="as for the inverse, and on to the factor", vmap=rules.same, matmul_backward=True, wirtinger=True,
    autocast="fp32",
)

@rule
def halved_diagonal(x: Any) -> Any:
    """`x`, which is nobody else's, with the real part of its diagonal halved in place."""
    diagonal = ops.diagonal(x, 0, -2, -1)
    if is_complex(x):
        return x - ops.diag_embed(real_part(diagonal) * 0.5)
    if isinstance(x, Tensor):
        ops.mul_Scalar_(diagonal, 0.5)
    else:
        diagonal *= 0.5
    return x


@rule
def qr_backward(g: Any, q: Any, r: Any, mode: str) -> Any:
    """Seeger et al., 2017, and Walter and Lehmann, 2010, for wide matrices."""
    g_q, g_r = g
    if mode == "r":
        raise errors.qr_without_q()
    m, n = q.shape[-2], r.shape[-1]
    if mode == "complete" and m > n:
        raise errors.qr_complete()
    if g_q is None:
        g_a = g_r @ adjoint(r)
    elif g_r is None:
        g_a = -(adjoint(q) @ g_q)
    else:
        g_a = g_r @ adjoint(r) - adjoint(q) @ g_q
    if m >= n:
        g_a = ops.triu(g_a)
        g_a = q @ halved_diagonal(g_a + adjoint(g_a))
        if g_q is not None:
            g_a = g_a + g_q
        return ops.linalg_solve_triangular(adjoint(r), g_a, upper=False, left=False)
    g_a = -g_a
    g_a = ops.tril(g_a - adjoint(g_a))
    if is_complex(g_a):
        g_a = g_a - ops.diag_embed(ops.diagonal(g_a, 0, -2, -1) * 0.5)
    g_a = q @ g_a
    square = adjoint(ops.slice(r, -1, 0, m))
    g_a = ops.linalg_solve_triangular(square, g_a, upper=False, left=False)
    g_a = ops.cat([g_a, new_zeros(g_a, (*r.shape[:-1], n - m))], -1)
    return g_a if g_r is None else g_a + q @ g_r


op(
    "linalg_qr(A, mode='reduced')", "LinalgQrBackward0", "qr_kernel(A, mode)", outputs="Q R", inplace=False,
    A="qr_backward(g, Q, R, mode)",
    tex="\\bigl(G_Q + Q\\,\\operatorname{sym}(G_R R^{\\mathsf T} - Q^{\\mathsf T} G_Q)\\bigr) R^{-\\mathsf T}",
    says="the gradients of Q and R, as far as a turn and a triangle allow, brought back through R", vmap=rules.same,
    backward_cost=4, matmul_backward=True, wirtinger=True,
)

@rule
def svd_backward(g: Any, u: Any, s: Any, vh: Any, full: bool) -> Any:
    """Townsend, 2016; the columns of U and V that belong to no singular value have no part in it."""
    g_u, g_s, g_vh = g
    k = s.shape[-1]
    m, n = u.shape[-2], vh.shape[-1]
    if full:
        u, vh = ops.slice(u, -1, 0, k), ops.slice(vh, -2, 0, k)
        g_u = None if g_u is None else ops.slice(g_u, -1, 0, k)
        g_vh = None if g_vh is None else ops.slice(g_vh, -2, 0, k)
    if g_u is None and g_vh is None:
        if m >= n:
            return u @ (ops.unsqueeze(g_s, -1) * vh)
        return (u * ops.unsqueeze(g_s, -2)) @ vh
    row, column = ops.unsqueeze(s, -2), ops.unsqueeze(s, -1)
    turn_u = turn_v = None
    if g_u is not None:
        turn_u = adjoint(u) @ g_u
        turn_u = turn_u - adjoint(turn_u)
    if g_vh is not None:
        turn_v = vh @ adjoint(g_vh)
        turn_v = turn_v - adjoint(turn_v)
    if is_complex(u) and depends_on_phase(total_of(turn_u, turn_v), 2):
        raise errors.svd_phase()
    apart = gaps(s * s)
    if turn_v is None:
        middle = (turn_u / apart) * row
    elif turn_u is None:
        middle = column * (turn_v / apart)
    else:
        middle = (turn_u * row + column * turn_v) / apart
    if g_s is not None:
        middle = middle + ops.diag_embed(g_s)
    if turn_u is not None and turn_v is not None and is_complex(u):
        middle = middle + ops.diag_embed(ops.diagonal(turn_u, 0, -2, -1) / (2.0 * s))
    if m > k and g_u is not None:
        scaled_u = g_u / row
        return (u @ middle + scaled_u - u @ (adjoint(u) @ scaled_u)) @ vh
    if n > k and g_vh is not None:
        scaled_v = g_vh / column
        return u @ (middle @ vh + scaled_v - (scaled_v @ adjoint(vh)) @ vh)
    return u @ (middle @ vh) if m >= n else (u @ middle) @ vh


def depends_on_phase(inner: Any, times: int = 1) -> bool:
    """Whether a gradient, `times` over, would turn vectors that are only known up to a phase: nothing of it may lie
    along the imaginary axis of their own direction."""
    diagonal = (inner._array if isinstance(inner, Tensor) else inner).diagonal(0, -2, -1).imag
    return bool((np.abs(diagonal) > 1e-2 * times).any())


@rule
def gaps(values: Any) -> Any:
    """Differences of all pairs, with ones on the diagonal."""
    difference = ops.unsqueeze(values, -2) - ops.unsqueeze(values, -1)
    if isinstance(difference, Tensor):
        ops.diagonal(difference, 0, -2, -1).fill_(1)
    else:
        place = np.arange(difference.shape[-1])
        difference[..., place, place] = 1
    return difference


op(
    "_linalg_svd(A, full_matrices=False, compute_uv=True, *, driver=None)", "LinalgSvdBackward0",
    "svd_kernel(A, full_matrices, compute_uv, driver)", outputs="U S Vh", inplace=False,
    A="svd_backward(g, U, S, Vh, full_matrices)", shows={"S_sym_argsize_minus_1": "S.shape[-1]"},
    tex="U\\Bigl(\\operatorname{diag}(g_S) + \\frac{\\operatorname{skew}(U^{\\mathsf T} G_U)\\,S + "
    "S\\,\\operatorname{skew}(V^{\\mathsf T} G_V)}{s_j^2 - s_i^2}\\Bigr)V^{\\mathsf T}",
    says="the derivative of a singular value is the product of its two vectors; vectors turn more where values meet",
    vmap=rules.same, backward_cost=4, matmul_backward=True, wirtinger=True,
)

@kernel
def eig_kernel(a: Any) -> tuple[Any, Any]:
    check_square("linalg.eig", a)
    if a.dtype.kind not in dtypes.INEXACT:
        raise errors.no_complex_type(dtypes.of(a.dtype).type_name)
    check_implemented("linalg_eig_out_cpu", a)
    if not np.isfinite(a).all():
        raise errors.eig_not_finite()
    lu.charge(a, 30)
    kind = dtypes.of(a.dtype).to_complex().np
    state.complex = True
    values, vectors = np.linalg.eig(a)
    return values.astype(kind), lu.column_major(vectors.astype(kind))


@rule
def eig_backward(g: Any, values: Any, vectors: Any, hermitian: bool) -> Any:
    """Boeddeker et al., 2017, eq. 4.77; eigenvectors keep their length, so that part of their gradient is lost."""
    g_values, g_vectors = g
    turned = adjoint(vectors)
    if g_vectors is None:
        if hermitian:
            return (vectors * ops.unsqueeze(g_values, -2)) @ turned
        return ops._linalg_solve_ex(turned, ops.unsqueeze(g_values, -1) * turned)[0]
    inner = turned @ g_vectors
    if is_complex(vectors) and depends_on_phase(inner):
        raise errors.eigenvector_phase("linalg_eigh_backward" if hermitian else "linalg_eig_backward")
    if hermitian:
        inner = 0.5 * (inner - adjoint(inner))
    else:
        along = real_part(ops.diagonal(inner, 0, -2, -1))
        inner = inner - turned @ (vectors * ops.unsqueeze(along, -2))
    inner = inner / gaps(ops.conj(values) if is_complex(values) else values)
    if g_values is not None:
        if isinstance(inner, Tensor):
            ops.diagonal(inner, 0, -2, -1).copy_(g_values)
        else:
            place = np.arange(inner.shape[-1])
            inner[..., place, place] = g_values
    if hermitian:
        return vectors @ (inner @ turned)
    return ops._linalg_solve_ex(turned, inner @ turned)[0]


@rule
def real_like(g: Any, dtype: Any) -> Any:
    """The gradient of a real input, which complex results were made from, is real."""
    return real_part(g) if g is not None and dtype.kind != "c" and is_complex(g) else g


op(
    "_linalg_eigh(A, UPLO='L', compute_v=True)", "LinalgEighBackward0", "eigh_kernel(A, UPLO, compute_v)",
    outputs="eigenvalues eigenvectors", inplace=False, A="eig_backward(g, eigenvalues, eigenvectors, True)",
    tex="V\\Bigl(\\operatorname{diag}(g_\\lambda) + \\frac{V^{\\mathsf T} G_V}{\\lambda_j - \\lambda_i}\\Bigr)"
    "V^{\\mathsf T}",
    says="the derivative of an eigenvalue is its vector times itself; vectors turn more where values meet",
    vmap=rules.same, matmul_backward=True, wirtinger=True,
)
op(
    "linalg_eig(self)", "LinalgEigBackward0", "eig_kernel(self)", outputs="eigenvalues eigenvectors", inplace=False,
    self="real_like(eig_backward(g, eigenvalues, eigenvectors, False), self.dtype)",
    tex="V^{-\\mathsf H}\\Bigl(\\operatorname{diag}(g_\\lambda) + \\frac{V^{\\mathsf H} G_V}{\\bar\\lambda_j - "
    "\\bar\\lambda_i}\\Bigr)V^{\\mathsf H}",
    says="as for symmetric matrices, with the inverse of the vectors in place of their transpose", vmap=rules.same,
    backward_cost=16, matmul_backward=True, wirtinger=True,
)
