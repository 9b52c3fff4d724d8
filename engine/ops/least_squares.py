"""What stands in for the inverse where there is none: the pseudoinverse, and least squares."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.least_squares import pseudoinverse
from engine.kernels.memory_format import alike
from engine.kernels.names import kernel
from engine.ops.solve import adjoint, total_of
from engine.types.bfloat16 import limits_of


@rule
def pinv_backward(g: Any, pinv: Any, a: Any) -> Any:
    """Golub and Pereyra, 1973; products are ordered so that the smaller matrices come first."""
    turned, g = adjoint(pinv), adjoint(g)
    if a.shape[-2] <= a.shape[-1]:
        k = g @ pinv
        k_turned = k @ turned
        first = -adjoint(pinv @ k)
        whole = first + k_turned - (a @ pinv) @ k_turned + (turned @ pinv) @ (g - k @ a)
    else:
        k = pinv @ g
        turned_k = turned @ k
        first = -adjoint(k @ pinv)
        whole = first + (g - a @ k) @ pinv @ turned + turned_k - (turned_k @ pinv) @ a
    return whole if isinstance(whole, Tensor) else alike(whole, first)


@kernel
def pinv_kernel(a: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    return pseudoinverse(a, _level(atol), _level(rtol), hermitian)


def _level(tolerance: Any) -> Any:
    return tolerance._array if isinstance(tolerance, Tensor) else tolerance


op(
    "linalg_pinv(self, *, atol=0.0, rtol=0.0, hermitian=False)", "LinalgPinvBackward0",
    "pinv_kernel(self, atol, rtol, hermitian)", inplace=False, self="pinv_backward(g, result, self)",
    tex="-A^{+\\mathsf T} G A^{+\\mathsf T} + (I - A A^+)\\,G^{\\mathsf T} A^+ A^{+\\mathsf T} + "
    "A^{+\\mathsf T} A^+ G^{\\mathsf T}\\,(I - A^+ A)",
    says="as for the inverse, plus what the directions without an inverse add", vmap=rules.same, backward_cost=2,
    matmul_backward=True, wirtinger=True,
)


@rule
def lstsq_backward(g: Any, a: Any, b: Any, x: Any, wanted: tuple[bool, bool]) -> tuple[Any, Any]:
    """Through X = A⁺ B, and through the squares of A X − B."""
    g_x, g_residuals = g[:2]
    vector = a.ndim - 1 == b.ndim and b.shape == a.shape[:-1]
    if vector:
        b, x = ops.unsqueeze(b, -1), ops.unsqueeze(x, -1)
        g_x = None if g_x is None else ops.unsqueeze(g_x, -1)
    g_a = g_b = None
    if g_x is not None:
        pinv = ops.linalg_pinv(a, rtol=float(limits_of(x._array.dtype if isinstance(x, Tensor) else x.dtype).eps))
        if wanted[0]:
            g_a = pinv_backward(g_x @ adjoint(b), pinv, a)
        if wanted[1]:
            g_b = adjoint(pinv) @ g_x
    if g_residuals is not None and g_residuals.shape[-1]:
        rest = ops.unsqueeze(g_residuals, -2) * (a @ x - b)
        if wanted[0]:
            g_a = total_of(g_a, 2 * (rest @ adjoint(x)))
        if wanted[1]:
            g_b = total_of(g_b, -2 * rest)
    if vector and g_b is not None:
        g_b = ops.squeeze_dim(g_b, -1)
    return g_a, g_b


op(
    "linalg_lstsq(self, b, rcond=None, *, driver='gelsy')", "LinalgLstsqBackward0",
    "lstsq_kernel(self, b, rcond, driver)", outputs="solution residuals rank! singular_values!", inplace=False,
    together=("self b", "lstsq_backward(g, self, b, solution, wanted)"),
    tex=("\\Bigl(\\frac{\\partial A^+}{\\partial A}\\Bigr)^{\\mathsf T}\\! G\\,B^{\\mathsf T}", "A^{+\\mathsf T} G"),
    says="the solution is A⁺ B, so it passes its gradient on as a product with the pseudoinverse does", backward_cost=8,
    matmul_backward=True, wirtinger=True,
)
