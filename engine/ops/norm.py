"""Normalisation over a batch, over the last dimensions, and over groups of channels.

All three subtract a mean and multiply by r = 1/√(variance + ε) over some axes: x̂ = (x - μ)·r, and with h = γ·g

    ∂/∂x = r·P(h),   P(v) = v - mean(v) - x̂·mean(v·x̂)

P removes from a gradient what a shift or a stretch of the whole group would undo. Second derivatives are in
`norm_curvature`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import OPS
from engine.kernels.summation import column_sums, ones, row_sums, zero_dim
from engine.types import dtypes

Ints = tuple[int, ...]


def _channels(vector: Any, ndim: int) -> Any:
    """A value for each channel, to be multiplied with (N, C, …)."""
    return vector.reshape(1, -1, *(1,) * (ndim - 2))


def _check_dtypes(input: Any, *parameters: Any) -> None:  # noqa: A002
    """Parameters have the input's dtype; float32 ones also serve float16 inputs."""
    given = [p for p in parameters if p is not None]
    if given and given[0].dtype != input.dtype:
        if any(p.dtype != np.float32 for p in given):
            raise errors.mixed_parameter()
        if input.dtype != np.float16:
            raise errors.mixed_inputs()
    for p in given:
        if p.dtype != given[0].dtype:
            raise errors.expected_scalar_type(dtypes.of(input.dtype).type_name, dtypes.of(p.dtype).type_name)


def _batch_axes(ndim: int) -> Ints:
    return (0, *range(2, ndim))


def _mean(x: Any, axes: Ints) -> Any:
    return np.add.reduce(x, axis=axes, keepdims=True) / math.prod(x.shape[a] for a in axes)


def _projected(v: Any, normal: Any, total: Any, product: Any, count: int) -> Any:
    """P(v); `normal` is x̂, `total` and `product` are the sums of v and of v·x̂, to be multiplied with them."""
    out = v - total / count
    out -= normal * (product / count)
    return out


def _channel_products(a: Any, b: Any) -> Any:
    """Σ a·b over everything but the channels."""
    if a.ndim == 2:
        return np.einsum("nc,nc->c", a, b)
    n, c = a.shape[:2]
    return np.add.reduce(np.vecdot(a.reshape(n, c, -1), b.reshape(n, c, -1)), axis=0)


def _check_length(what: str, vector: Any, features: int) -> None:
    if vector is not None and vector.size != features:
        raise errors.batch_norm_features(what, features, vector.size)


# --- batch norm


@kernel
def batch_norm_kernel(
    input: Any,  # noqa: A002 - PyTorch's name
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Any, Any, Any]:
    """The normalised batch, its means and its r, one per channel. Running statistics are brought up to date."""
    features = input.shape[1] if input.ndim > 1 else 0
    for name, vector in (
        ("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias),
    ):
        _check_length(name, vector, features)
    if input.dtype.kind != "f":
        raise errors.not_implemented_for("batch_norm", dtypes.of(input.dtype).type_name)
    _check_dtypes(input, weight, bias, running_mean, running_var)
    ndim, axes = input.ndim, _batch_axes(input.ndim)
    if training:
        mean = _mean(input, axes)
        centred = input - mean
        variance = _channels(_channel_products(centred, centred) / (input.size // features), ndim)
        if running_mean is not None:
            count = input.size // features
            _blend(running_mean, mean.reshape(-1), momentum)
            _blend(running_var, variance.reshape(-1) * (count / max(count - 1, 1)), momentum)
    else:
        mean, variance = _channels(running_mean, ndim), _channels(running_var, ndim)
        centred = input - mean
    invstd = 1 / np.sqrt(variance + eps)
    centred *= invstd if weight is None else invstd * _channels(weight, ndim)
    if bias is not None:
        centred += _channels(bias, ndim)
    if not training:
        return centred, np.empty(0, input.dtype), np.empty(0, input.dtype)
    return centred, mean.reshape(-1), invstd.reshape(-1)


def _blend(running: Any, now: Any, momentum: float) -> None:
    running *= 1 - momentum
    running += now * momentum


def _batch_statistics(
    x: Any, running_mean: Any, running_var: Any, save_mean: Any, save_invstd: Any, train: bool, eps: float
) -> tuple[Any, Any]:
    """Mean and r of each channel, as they were used, to be multiplied with the batch."""
    ndim = len(x.shape)
    if train:
        return _channels(save_mean, ndim), _channels(save_invstd, ndim)
    return _channels(running_mean, ndim), _channels((running_var + eps) ** -0.5, ndim)


@kernel
def batch_norm_backward_kernel(
    grad_out: Any,
    input: Any,  # noqa: A002
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    axes = _batch_axes(input.ndim)
    mean, invstd = _batch_statistics(input, running_mean, running_var, save_mean, save_invstd, train, eps)
    grad_input = None
    normal = input - mean
    normal *= invstd
    product, total = _channel_products(grad_out, normal), np.add.reduce(grad_out, axis=axes)
    if output_mask[0]:
        scale = invstd if weight is None else invstd * _channels(weight, input.ndim)
        if train:
            ndim, count = input.ndim, input.size // max(1, input.shape[1])
            grad_input = _projected(grad_out, normal, _channels(total, ndim), _channels(product, ndim), count)
            grad_input *= scale
        else:
            grad_input = grad_out * scale
    return grad_input, product if output_mask[1] else None, total if output_mask[2] else None


# --- layer norm


@kernel
def layer_norm_kernel(
    input: Any,  # noqa: A002
    normalized_shape: Ints,
    weight: Any,
    bias: Any,
    eps: float,
) -> tuple[Any, Any, Any]:
    """The normalised input, and mean and r of each group of its last dimensions."""
    if not normalized_shape:
        raise errors.layer_norm_empty()
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None and vector.shape != normalized_shape:
            raise errors.layer_norm_parameter(name, vector.shape, normalized_shape)
    if input.shape[-len(normalized_shape) :] != normalized_shape:
        raise errors.layer_norm_shape(normalized_shape, input.shape)
    _check_dtypes(input, weight, bias)
    if input.dtype.kind != "f":
        raise errors.not_implemented_for("LayerNormKernelImpl", dtypes.of(input.dtype).type_name)
    inner = len(normalized_shape)
    size = math.prod(normalized_shape)
    rows = input.reshape(-1, size)
    count = zero_dim(size, rows.dtype)
    mean = row_sums(rows)
    mean /= count
    out = np.subtract(rows, mean[:, None], order="C")
    invstd = np.vecdot(out, out)
    invstd /= count
    invstd += zero_dim(eps, rows.dtype)
    np.sqrt(invstd, invstd)
    np.reciprocal(invstd, invstd)
    out *= invstd[:, None]
    if weight is not None:
        out *= weight.reshape(-1)
    if bias is not None:
        out += bias.reshape(-1)
    shape = (*input.shape[: input.ndim - inner], *(1,) * inner)
    return out.reshape(input.shape), mean.reshape(shape), invstd.reshape(shape)


@kernel
def layer_norm_backward_kernel(
    grad_out: Any,
    input: Any,  # noqa: A002
    normalized_shape: Ints,
    mean: Any,
    rstd: Any,
    weight: Any,
    bias: Any,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    size = math.prod(normalized_shape)
    rows, scale = grad_out.reshape(-1, size), rstd.reshape(-1, 1)
    normal = input.reshape(-1, size) - mean.reshape(-1, 1)
    normal *= scale
    products = rows * normal
    grad_input = grad_weight = grad_bias = None
    if output_mask[1]:
        grad_weight = column_sums(products).reshape(normalized_shape)
    if output_mask[2]:
        grad_bias = column_sums(rows).reshape(normalized_shape)
    if output_mask[0]:
        factors = ones(size, rows.dtype) if weight is None else weight.reshape(-1)
        count = zero_dim(size, rows.dtype)
        grad_input = rows * factors
        grad_input -= (rows.dot(factors) / count)[:, None]
        normal *= (products.dot(factors) / count)[:, None]
        grad_input -= normal
        grad_input *= scale
        grad_input = grad_input.reshape(input.shape)
    return grad_input, grad_weight, grad_bias


# --- group norm


@kernel
def group_norm_kernel(
    input: Any,  # noqa: A002
    weight: Any,
    bias: Any,
    N: int,  # noqa: N803 - PyTorch's names
    C: int,  # noqa: N803
    HxW: int,  # noqa: N803
    group: int,
    eps: float,
) -> tuple[Any, Any, Any]:
    """The normalised input, and mean and r of each group (N, groups)."""
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None and vector.shape != (C,):
            raise errors.group_norm_parameter(name, vector.shape, input.shape)
    _check_dtypes(input, weight, bias)
    grouped = input.reshape(N, group, C // group * HxW)
    mean = _mean(grouped, (2,))
    out = grouped - mean
    rstd = 1 / np.sqrt(np.vecdot(out, out)[..., None] / out.shape[2] + eps)
    out *= rstd
    out = out.reshape(input.shape)
    if weight is not None:
        out *= _channels(weight, input.ndim)
    if bias is not None:
        out += _channels(bias, input.ndim)
    return out, mean[..., 0], rstd[..., 0]


@kernel
def group_norm_backward_kernel(
    grads: Any,
    input: Any,  # noqa: A002
    mean: Any,
    rstd: Any,
    weight: Any,
    sizes: Ints,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    n, c, extent, group = sizes
    normal = input.reshape(n, group, c // group * extent) - mean[..., None]
    normal *= rstd[..., None]
    axes = _batch_axes(input.ndim)
    grad_out, grad_mean, grad_rstd = grads
    grad_input = grad_weight = grad_bias = None
    if output_mask[0]:
        grad_input = np.zeros_like(normal)
        if grad_out is not None:
            scaled = grad_out if weight is None else grad_out * _channels(weight, input.ndim)
            v = scaled.reshape(normal.shape)
            total = np.add.reduce(v, axis=2, keepdims=True)
            grad_input = _projected(v, normal, total, np.vecdot(v, normal)[..., None], v.shape[2])
            grad_input *= rstd[..., None]
        if grad_mean is not None:
            grad_input += grad_mean[..., None] / normal.shape[2]
        if grad_rstd is not None:
            grad_input -= normal * (grad_rstd * rstd * rstd)[..., None] / normal.shape[2]
        grad_input = grad_input.reshape(input.shape)
    if grad_out is not None and output_mask[1]:
        grad_weight = _channel_products(grad_out, normal.reshape(input.shape))
    if grad_out is not None and output_mask[2]:
        grad_bias = np.add.reduce(grad_out, axis=axes)
    return grad_input, grad_weight, grad_bias


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
        parts = 2.0 / count * variance * (values - OPS["mean_dim"].call(values, (2, 3), True))
    if grad_mean is not None:
        spread = OPS["expand"].call(grad_mean.reshape(one_each), tuple(values.shape)) / count
        parts = spread if parts is None else parts + spread
    return parts


# --- rows

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
    outputs="result save_mean! save_invstd!", inplace=False,
    together=(
        "input weight bias",
        "native_batch_norm_backward(g, input, weight, running_mean, running_var, save_mean, save_invstd, training, "
        "eps, wanted)",
    ),
    says=_SAYS,
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
    ),
)
op(
    "native_layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5)", "NativeLayerNormBackward0",
    "layer_norm_kernel(input, normalized_shape, weight, bias, eps)", outputs="result mean! rstd!", inplace=False,
    together=(
        "input weight bias",
        "native_layer_norm_backward(g, input, normalized_shape, mean, rstd, weight, bias, wanted)",
    ),
    tex=_LAYER_TEX, says=_SAYS,
)
op(
    "native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight=None, bias=None, "
    "output_mask=(True, True, True))",
    "NativeLayerNormBackwardBackward0", layer_norm_backward_kernel,
    outputs="grad_input? grad_weight? grad_bias?", inplace=False,
    together=(
        "grad_out input mean rstd weight bias",
        "layer_norm_double_backward(g, grad_out, input, normalized_shape, mean, rstd, weight)",
    ),
)
op(
    "native_group_norm(input, weight=None, bias=None, N=1, C=1, HxW=1, group=1, eps=1e-5)", "NativeGroupNormBackward0",
    "group_norm_kernel(input, weight, bias, N, C, HxW, group, eps)", outputs="result mean rstd", inplace=False,
    together=(
        "input weight bias", "group_norm_backward(g, input, mean, rstd, weight, (N, C, HxW, group), eps, wanted)",
    ),
    tex=_LAYER_TEX, says=_SAYS,
)
