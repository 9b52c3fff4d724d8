"""Weights as direction and length: w = g · v / ‖v‖ along one dimension (Salimans and Kingma, 2016)."""

from __future__ import annotations

from typing import Any

from engine.codegen.op import op, rule
from engine.core.registry import ops


@rule
def weight_norm_backward(grad: Any, v: Any, g: Any, norms: Any, dim: int) -> tuple[Any, Any]:
    shape = norms.shape
    products = grad * v
    if dim == 0:
        sums = ops.view(ops.sum_dim(ops.view(products, (v.shape[0], -1)), 1), shape)
    else:
        sums = ops.view(ops.sum_dim(ops.view(products, (-1, v.shape[-1])), 0), shape)
    return (g / norms) * (grad - v * (sums / (norms * norms))), sums / norms


op(
    "_weight_norm_interface(v, g_, dim=0)", "WeightNormInterfaceBackward0", "weight_norm_kernel(v, g_, dim)",
    outputs="result norms!", inplace=False, together=("v g_", "weight_norm_backward(g, v, g_, norms, dim)"),
    tex=r"\tfrac{g}{\lVert v\rVert}\Bigl(\mathrm{grad} - \tfrac{\sum \mathrm{grad}\cdot v}{\lVert v\rVert^2}\,v\Bigr)",
    says="the direction gets what is at right angles to it, the length what is along it", opmath="bfloat16",
)
