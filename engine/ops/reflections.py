"""Products of Householder reflections: `linalg.householder_product` and `ormqr`.

A reflection is H = 1 − τ v vᴴ. The vectors stand below the diagonal of a matrix, one per column, each with a one on
the diagonal that is not stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels import lu
from engine.kernels.names import kernel
from engine.kernels.solve import check_batches, check_implemented
from engine.limits import meter
from engine.ops.solve import adjoint, conjugate_of
from engine.types import dtypes
from engine.types.shapes import wrap_dim


def _eye(like: Any, rows: int, columns: int) -> Any:
    meter.reserve(rows * columns, 8)
    meter.charge(rows * columns >> 10)
    array = np.eye(rows, columns, dtype=(like._array if isinstance(like, Tensor) else like).dtype)
    return Tensor._from_array(array) if isinstance(like, Tensor) else array


@rule
def reflectors(a: Any) -> Any:
    """The vectors as columns: zeros, a one, and what stands below the diagonal."""
    return ops.tril(a, -1) + _eye(a, a.shape[-2], a.shape[-1])


@rule
def reflect(x: Any, vector: Any, factor: Any) -> Any:
    """`x` (…, m, k) reflected: x − τ v vᴴ x, with v a column and τ of shape (…, 1)."""
    return x - ops.unsqueeze(factor, -1) * (vector @ (adjoint(vector) @ x))


@kernel
def householder_product_kernel(a: Any, tau: Any) -> Any:
    function = "torch.linalg.householder_product"
    if a.ndim < 2:
        raise errors.reflections_matrix(function, "input")
    m, n = a.shape[-2:]
    if m < n:
        raise errors.householder_shape()
    if n < tau.shape[wrap_dim(-1, tau.ndim)]:
        raise errors.householder_count()
    check_batches(function, a, tau, "tau", 1)
    if tau.dtype != a.dtype:
        raise errors.householder_dtypes(*[dtypes.of(x.dtype).type_name for x in (tau, a)])
    check_implemented("orgqr_cpu", a)
    lu.charge(a, 4)
    q = np.broadcast_to(np.eye(m, n, dtype=a.dtype), a.shape)
    vectors = reflectors(a)
    for k in reversed(range(tau.shape[-1])):
        q = reflect(q, vectors[..., k : k + 1], tau[..., k : k + 1])
    return lu.column_major(q)


@rule
def product_backward(g: Any, a: Any, tau: Any, start: Any, first_last: bool) -> tuple[Any, Any, Any]:
    """Gradients of (vectors, τ, start) of a product of all reflections with `start`, back through one at a time.

    `first_last`: the first reflection is the last that `start` goes through.
    """
    count = tau.shape[-1]
    order = list(range(count))[::-1] if first_last else list(range(count))
    vectors = reflectors(a)
    columns = [ops.slice(vectors, -1, k, k + 1) for k in range(count)]
    factors = [ops.slice(tau, -1, k, k + 1) for k in range(count)]
    stages = [start]
    for k in order[:-1]:
        stages.append(reflect(stages[-1], columns[k], factors[k]))
    g_columns: list[Any] = [None] * count
    g_factors: list[Any] = [None] * count
    for k, x in zip(reversed(order), reversed(stages), strict=True):
        v, factor = columns[k], factors[k]
        along_x, along_g = adjoint(v) @ x, adjoint(v) @ g
        back = conjugate_of(factor)
        g_factors[k] = -ops.squeeze_dim(along_g @ adjoint(along_x), -1)
        passed = ops.unsqueeze(back, -1) * (g @ adjoint(along_x))
        g_columns[k] = -(passed + ops.unsqueeze(factor, -1) * (x @ adjoint(along_g)))
        g = reflect(g, v, back)
    g_a = ops.tril(ops.cat(g_columns, -1), -1)
    if count < a.shape[-1]:
        zeros = ops.slice(a, -1, count, a.shape[-1]) * 0.0
        g_a = ops.cat([g_a, zeros], -1)
    return g_a, ops.cat(g_factors, -1), g


@rule
def householder_product_backward(g: Any, a: Any, tau: Any, wanted: tuple[bool, bool]) -> tuple[Any, Any]:
    if not tau.shape[-1]:
        return None, None
    start = ops.expand(_eye(a, a.shape[-2], a.shape[-1]), tuple(a.shape))
    g_a, g_tau, _ = product_backward(g, a, tau, start, True)
    return g_a if wanted[0] else None, g_tau if wanted[1] else None


@kernel
def ormqr_kernel(a: Any, tau: Any, other: Any, left: bool, transpose: bool) -> Any:
    for name, x in (("input", a), ("other", other)):
        if x.ndim < 2:
            raise errors.reflections_matrix("torch.ormqr", name)
    side = -2 if left else -1
    if other.shape[side] != a.shape[-2]:
        raise errors.ormqr_sides(side)
    if tau.shape[wrap_dim(-1, tau.ndim)] != min(other.shape[side], a.shape[-1]):
        raise errors.ormqr_count(side)
    check_batches("torch.ormqr", a, tau, "tau", 1)
    check_batches("torch.ormqr", a, other, "other", 0)
    for name, x in (("tau", tau), ("other", other)):
        if x.dtype != a.dtype:
            raise errors.ormqr_dtypes(name, *[dtypes.of(y.dtype).type_name for y in (a, x)])
    check_implemented("ormqr_cpu", a)
    lu.charge(other, 4)
    vectors = reflectors(a)
    order = range(tau.shape[-1])
    out = other if left else adjoint(other)
    if transpose == left:
        tau = conjugate_of(tau)
    for k in order if transpose == left else reversed(order):
        out = reflect(out, vectors[..., k : k + 1], tau[..., k : k + 1])
    return lu.column_major(out if left else adjoint(out))


@rule
def ormqr_backward(
    g: Any, a: Any, tau: Any, other: Any, left: bool, transpose: bool, wanted: tuple[bool, bool, bool]
) -> tuple[Any, ...]:
    if not tau.shape[-1]:
        return None, None, g if wanted[2] else None
    g, start = (g, other) if left else (adjoint(g), adjoint(other))
    turned = transpose == left
    g_a, g_tau, g_other = product_backward(g, a, conjugate_of(tau) if turned else tau, start, not turned)
    g_tau = conjugate_of(g_tau) if turned else g_tau
    g_other = g_other if left else adjoint(g_other)
    return tuple(x if kept else None for x, kept in zip((g_a, g_tau, g_other), wanted, strict=True))


_TEX = (
    "-\\tau\\,\\bigl(G X^{\\mathsf T} + X G^{\\mathsf T}\\bigr) v",
    "-v^{\\mathsf T} G X^{\\mathsf T} v",
)
_SAYS = "the gradient goes back through one reflection after the other"
op(
    "linalg_householder_product(input, tau)", "LinalgHouseholderProductBackward0",
    "householder_product_kernel(input, tau)", inplace=False,
    together=("input tau", "householder_product_backward(g, input, tau, wanted)"), tex=_TEX, says=_SAYS, keeps="result",
    backward_cost=16, matmul_backward=True, wirtinger=True, autocast="fp32",
)
op(
    "ormqr(self, input2, input3, left=True, transpose=False)", "OrmqrBackward0",
    "ormqr_kernel(self, input2, input3, left, transpose)", inplace=False,
    together=("self input2 input3", "ormqr_backward(g, self, input2, input3, left, transpose, wanted)"),
    tex=(*_TEX, "Q^{\\mathsf T} G"), says=_SAYS, keeps="result", backward_cost=16, matmul_backward=True, wirtinger=True,
    autocast="fp32",
)
op(
    "geqrf(input)", "GeqrfBackward0", "geqrf_kernel(input)", outputs="a tau", inplace=False,
    input="unknown_derivative('geqrf')", says="PyTorch has no gradient for it", matmul_backward=True, autocast="fp32",
)
