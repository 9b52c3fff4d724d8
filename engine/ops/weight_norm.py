"""Weights as direction and length: w = g · v / ‖v‖ along one dimension (Salimans and Kingma, 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops


@kernel
def weight_norm_kernel(v: Any, g: Any, dim: int) -> tuple[Any, Any]:
    """The weight, and the norms of v outside `dim`, in the shape of g."""
    rows = v.reshape(v.shape[0], -1) if dim == 0 else v.reshape(-1, v.shape[-1])
    norms = np.sqrt(np.square(rows).sum(1 if dim == 0 else 0, dtype=v.dtype)).reshape(g.shape)
    return v * (g / norms), norms


@rule
def weight_norm_slopes(grad: Any, v: Any, g: Any, norms: Any, dim: int) -> tuple[Any, Any]:
    shape = norms.shape
    products = grad * v
    if dim == 0:
        sums = ops.view(ops.sum_dim(ops.view(products, (v.shape[0], -1)), 1), shape)
    else:
        sums = ops.view(ops.sum_dim(ops.view(products, (-1, v.shape[-1])), 0), shape)
    return (g / norms) * (grad - v * (sums / (norms * norms))), sums / norms


op(
    "_weight_norm_interface(v, g_, dim=0)", "WeightNormInterfaceBackward0", "weight_norm_kernel(v, g_, dim)",
    outputs="result norms!", inplace=False, together=("v g_", "weight_norm_slopes(g, v, g_, norms, dim)"),
    tex=r"\tfrac{g}{\lVert v\rVert}\Bigl(\mathrm{grad} - \tfrac{\sum \mathrm{grad}\cdot v}{\lVert v\rVert^2}\,v\Bigr)",
    says="the direction gets what is at right angles to it, the length what is along it",
)
