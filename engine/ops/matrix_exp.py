"""The exponential of a matrix."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.ops.shape import new_zeros
from engine.ops.solve import adjoint


@rule
def matrix_exp_backward(g: Any, a: Any) -> Any:
    """The upper right block of the exponential of [[Aᴴ, G], [0, Aᴴ]] (Al-Mohy and Higham, 2009)."""
    if not a.shape[-1]:
        return g
    n = a.shape[-1]
    turned = adjoint(a)
    blocks = new_zeros(g, (*a.shape[:-2], 2 * n, 2 * n))
    for row, column, block in ((0, 0, turned), (n, n, turned), (0, n, g)):
        place = ops.slice(ops.slice(blocks, -2, row, row + n), -1, column, column + n)
        if isinstance(place, Tensor):
            place.copy_(block)
        else:
            place[...] = block
    whole = ops.linalg_matrix_exp(blocks)
    return ops.slice(ops.slice(whole, -2, 0, n), -1, n, 2 * n)


op(
    "linalg_matrix_exp(self)", "LinalgMatrixExpBackward0", "matrix_exp_kernel(self)", inplace=False,
    self="matrix_exp_backward(g, self)", tex="\\int_0^1 e^{tA^{\\mathsf T}} G\\, e^{(1-t)A^{\\mathsf T}}\\,dt",
    says="the derivative of the exponential of a matrix, taken from that of a matrix twice as large", vmap=rules.same,
    backward_cost=8, wirtinger=True, opmath="bfloat16",
)
