"""Normalisation over a batch, over the last dimensions, and over groups of channels.

Second derivatives of the first two are in `norm_double_backward`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.kernels.norm import batch_norm_backward_kernel, group_norm_backward_kernel, layer_norm_backward_kernel
from engine.types.shapes import Ints


@rule
def group_norm_backward(
    grads: Any,
    x: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    sizes: Ints,
    eps: float,
    wanted: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    """Gradients of input, weight and bias of group norm.

    Recorded, they are written with plain ops, as in PyTorch, so that they can be differentiated as often as one likes.
    """
    if isinstance(x, np.ndarray):
        return group_norm_backward_kernel(grads, x, mean, rstd, weight, sizes, wanted)
    n, c, extent, group = sizes
    depth = c // group
    share = 1.0 / (depth * extent)
    g, grad_mean, grad_rstd = grads
    values = x.reshape(n, group, depth, extent)
    means, rstds = mean.reshape(n, group, 1, 1), rstd.reshape(n, group, 1, 1)
    on_x = on_weight = on_bias = None
    if g is not None:
        gs = g.reshape(n, group, depth, extent)
        ds, db = (gs * values).sum(3).unsqueeze_(-1), gs.sum(3).unsqueeze_(-1)
        if wanted[0]:
            gamma = None if weight is None else weight.reshape(1, group, depth, 1)
            cube = rstds * rstds * rstds
            a = rstds if gamma is None else rstds * gamma
            b = (ds if gamma is None else ds * gamma).sum(2).unsqueeze_(-2)
            d = (db if gamma is None else db * gamma).sum(2).unsqueeze_(-2)
            b = (d * means - b) * cube * share
            d = -b * means - d * rstds * share
            on_x = a * gs + b * values + d
        if wanted[1]:
            on_weight = ((ds - db * means) * rstds).sum(0).reshape(c)
        if wanted[2]:
            on_bias = db.sum(0).reshape(c)
    if wanted[0]:
        on_x = None if on_x is None else on_x.reshape(tuple(x.shape))
        parts = through_statistics(grad_mean, grad_rstd, x.reshape(n, group, depth, extent), rstd)
        if parts is not None:
            parts = parts.reshape(tuple(x.shape))
            on_x = parts if on_x is None else on_x + parts
    return on_x, on_weight, on_bias


@rule
def through_statistics(grad_mean: Any, grad_rstd: Any, values: Any, rstd: Any) -> Any:
    """What the gradients of the means and of 1/σ of groups pass on to their elements; None where there are none."""
    n, group, *rest = values.shape
    one_each = (n, group, 1, 1)
    count = math.prod(rest)
    parts = None
    if grad_rstd is not None:
        each = rstd.reshape(one_each)
        variance = -0.5 * (each * each * each) * grad_rstd.reshape(one_each)
        parts = 2.0 / count * variance * (values - ops.mean_dim(values, (2, 3), True))
    if grad_mean is not None:
        spread = ops.expand(grad_mean.reshape(one_each), tuple(values.shape)) / count
        parts = spread if parts is None else parts + spread
    return parts


_LAYER_TEX = (
    r"\frac{1}{\sigma}\bigl(g w - \overline{g w} - \hat x\,\overline{g w\,\hat x}\bigr)", r"\textstyle\sum g\,\hat x",
    r"\textstyle\sum g",
)
_SAYS = "what a shift or a stretch of the whole group would undo is taken out of the gradient"

op(
    "native_batch_norm(input, weight=None, bias=None, running_mean: Tensor = None, running_var: Tensor = None, "
    "training=False, momentum=0.1, eps=1e-5)",
    "NativeBatchNormBackward0",
    "batch_norm_kernel(input, weight, bias, running_mean, running_var, training, momentum, eps)",
    outputs="result result1! result2!", inplace=False,
    together=(
        "input weight bias",
        "native_batch_norm_backward(g, input, weight, running_mean, running_var, result1, result2, training, eps, "
        "wanted)",
    ),
    says=_SAYS, vmap=rules.native_batch_norm, cost=8, backward_cost=1,
)
op(
    "native_batch_norm_backward(grad_out, input, weight=None, running_mean: Tensor = None, "
    "running_var: Tensor = None, save_mean=None, save_invstd=None, train=True, eps=1e-5, "
    "output_mask=(True, True, True))",
    "NativeBatchNormBackwardBackward0", batch_norm_backward_kernel,
    outputs="grad_input? grad_weight? grad_bias?", inplace=False,
    together=(
        "grad_out input weight save_mean save_invstd",
        "batch_norm_double_backward(g, grad_out, input, weight, (running_mean, running_var), "
        "(save_mean, save_invstd), train, eps)",
    ), cost=8,
)
op(
    "native_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5)", "NativeLayerNormBackward0",
    "layer_norm_kernel(input, normalized_shape, weight, bias, eps)", outputs="result result1! result2!", inplace=False,
    together=(
        "input weight bias",
        "native_layer_norm_backward(g, input, normalized_shape, result1, result2, weight, bias, wanted)",
    ),
    tex=_LAYER_TEX, says=_SAYS, vmap=rules.native_layer_norm, cost=8, backward_cost=1,
)
op(
    "native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight=None, bias=None, "
    "output_mask=(True, True, True))",
    "NativeLayerNormBackwardBackward0", layer_norm_backward_kernel,
    outputs="grad_input? grad_weight? grad_bias?", inplace=False,
    together=(
        "grad_out input mean rstd weight bias",
        "layer_norm_double_backward(g, grad_out, input, normalized_shape, mean, rstd, weight)",
    ), cost=8,
)
op(
    "native_group_norm(input, weight=None, bias=None, N=1, C=1, HxW=1, group=1, eps=1e-5)", "NativeGroupNormBackward0",
    "group_norm_kernel(input, weight, bias, N, C, HxW, group, eps)", outputs="result result1 result2", inplace=False,
    together=(
        "input weight bias", "group_norm_backward(g, input, result1, result2, weight, (N, C, HxW, group), eps, wanted)",
    ),
    tex=_LAYER_TEX, says=_SAYS, vmap=rules.native_group_norm, cost=8, backward_cost=1, memory_format="channels_last",
    refuses={"c": "GroupNormKernelImpl"},
)
