"""Normalisation over a batch, over the last dimensions, and over groups of channels.

All three subtract a mean and multiply by r = 1/√(variance + ε) over some axes: x̂ = (x - μ)·r, and with h = γ·g

    ∂/∂x = r·P(h),   P(v) = v - mean(v) - x̂·mean(v·x̂)

P removes from a gradient what a shift or a stretch of the whole group would undo.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.memory_format import channels_last, contiguous
from engine.kernels.names import kernel
from engine.kernels.summation import column_sums, ones, row_sums, zero_dim
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, SHORT, rounded
from engine.types.shapes import Ints


def _channels(vector: Any, ndim: int) -> Any:
    """A value for each channel, to be multiplied with (N, C, …)."""
    return vector.reshape(1, -1, *(1,) * (ndim - 2))


def _check_dtypes(input: Any, *parameters: Any) -> bool:
    """Whether bfloat16 is to be computed in float32. Parameters have the input's dtype; float32 ones also serve inputs
    of 16 bits."""
    given = [p for p in parameters if p is not None]
    if given and given[0].dtype != input.dtype:
        if any(p.dtype != np.float32 for p in given):
            raise errors.mixed_parameter()
        if input.dtype.char not in SHORT:
            raise errors.mixed_inputs()
    for p in given:
        if p.dtype != given[0].dtype:
            raise errors.expected_scalar_type(dtypes.of(input.dtype).type_name, dtypes.of(p.dtype).type_name)
    return bool(given) and input.dtype is BFLOAT16 and given[0].dtype is not BFLOAT16


def _single(value: Any) -> Any:
    """Numbers of 16 bits as float32; others as they are."""
    if isinstance(value, tuple):
        return tuple([_single(v) for v in value])
    return value.astype(np.float32) if getattr(getattr(value, "dtype", None), "char", "") in SHORT else value


def _short(kernel: Callable[..., Any], own: np.dtype[Any], *given: Any) -> tuple[Any, Any, Any]:
    """The results of a kernel of 16 bits, computed in float32; beside float32 parameters only the first is rounded."""
    rest = np.float32 if any(isinstance(x, np.ndarray) and x.dtype == np.float32 for x in given) else own
    first, second, third = kernel(*[_single(value) for value in given])
    return (
        None if first is None else first.astype(own),
        None if second is None else second.astype(rest),
        None if third is None else third.astype(rest),
    )


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
    n, c, *extents = a.shape
    extent = math.prod(extents)
    return np.add.reduce(np.vecdot(a.reshape(n, c, extent), b.reshape(n, c, extent)), axis=0)


@kernel
def batch_norm_kernel(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> tuple[Any, Any, Any]:
    """The normalised batch, its means and its r, one per channel. Running statistics are brought up to date."""
    features = input.shape[1]
    dtypes.expect(input, "batch_norm", dtypes.FLOATING)
    if _check_dtypes(input, weight, bias, running_mean, running_var):
        given = input, weight, bias, running_mean, running_var, training, momentum, eps
        return _short(batch_norm_kernel, BFLOAT16, *given)
    for name, vector in (("weight", weight), ("bias", bias)):  # where PyTorch reads what lies beside it
        if vector is not None and vector.size != features:
            raise errors.batch_norm_features(name, features, vector.size)
    if input.dtype is BFLOAT16:
        return _short_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
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
    centred = channels_last(centred, input) if ndim == 4 else contiguous(centred)
    if not training:
        return centred, np.empty(0, input.dtype), np.empty(0, input.dtype)
    return centred, mean.reshape(-1), invstd.reshape(-1)


def _short_batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> tuple[Any, Any, Any]:
    """`batch_norm_kernel` of bfloat16, in which PyTorch keeps all statistics."""
    ndim, axes = input.ndim, _batch_axes(input.ndim)
    wide = input.astype(np.float32)
    if training:
        mean = _mean(wide, axes)
        centred = wide - mean
        mean, squares = rounded(mean), rounded(_channel_products(centred, centred))
        count = input.size // input.shape[1]
        variance = _channels(rounded(_single(squares) / count), ndim)
        if running_mean is not None:
            _blend(running_mean, mean.reshape(-1), momentum)
            _blend(running_var, _single(squares) / max(count - 1, 1), momentum)
    else:
        mean, variance = _channels(running_mean, ndim), _channels(running_var, ndim)
    invstd = rounded(1 / np.sqrt(_single(variance) + eps))
    out = wide - _single(mean)
    out *= _single(invstd) if weight is None else _single(invstd) * _single(_channels(weight, ndim))
    if bias is not None:
        out += _single(_channels(bias, ndim))
    out = out.astype(input.dtype)
    out = channels_last(out, input) if ndim == 4 else contiguous(out)
    if not training:
        return out, np.empty(0, input.dtype), np.empty(0, input.dtype)
    return out, mean.reshape(-1), invstd.reshape(-1)


def _blend(running: Any, now: Any, momentum: float) -> None:
    if running.dtype is BFLOAT16:
        share = rounded(momentum)
        running[...] = share * rounded(now) + (1 - share) * running
        return
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
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    if input.dtype is BFLOAT16:
        given = grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask
        return _short(batch_norm_backward_kernel, BFLOAT16, *given)
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
    if grad_input is not None and input.ndim == 4:
        grad_input = channels_last(grad_input, input)
    return grad_input, product if output_mask[1] else None, total if output_mask[2] else None


@kernel
def layer_norm_kernel(input: Any, normalized_shape: Ints, weight: Any, bias: Any, eps: float) -> tuple[Any, Any, Any]:
    """The normalised input, and mean and r of each group of its last dimensions."""
    first = bias if weight is None else weight
    if first is not None and first.dtype != input.dtype:
        _check_dtypes(input, weight, bias)
    if not normalized_shape:
        raise errors.layer_norm_empty()
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None and vector.shape != normalized_shape:
            raise errors.layer_norm_parameter(name, vector.shape, normalized_shape)
    _check_dtypes(input, weight, bias)
    if input.shape[-len(normalized_shape) :] != normalized_shape:
        raise errors.layer_norm_shape(normalized_shape, input.shape)
    if input.dtype.char in SHORT:
        return _short(layer_norm_kernel, input.dtype, input, normalized_shape, weight, bias, eps)
    dtypes.expect(input, "LayerNormKernelImpl", dtypes.FLOATING)
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
    input: Any,
    normalized_shape: Ints,
    mean: Any,
    rstd: Any,
    weight: Any,
    bias: Any,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    if input.dtype.char in SHORT:
        given = grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask
        return _short(layer_norm_backward_kernel, input.dtype, *given)
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


@kernel
def group_norm_kernel(
    input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Any, Any, Any]:
    """The normalised input, and mean and r of each group (N, groups)."""
    _check_dtypes(input, weight, bias)
    if input.dtype is BFLOAT16:
        return _short(group_norm_kernel, BFLOAT16, input, weight, bias, N, C, HxW, group, eps)
    dtypes.expect(input, "GroupNormKernelImpl", dtypes.FLOATING)
    if type(input) is np.ndarray and not input.flags.c_contiguous:
        if input.ndim != 4 or not input.transpose(0, 2, 3, 1).flags.c_contiguous:
            raise errors.unworded_check("X.is_contiguous(memory_format)")
    if input.size != N * C * HxW:
        raise errors.unworded_check("X.numel() == N * C * HxW")
    grouped = input.reshape(N, group, C // group * HxW)
    mean = _mean(grouped, (2,))
    out = grouped - mean
    rstd = 1 / np.sqrt(np.vecdot(out, out)[..., None] / out.shape[2] + eps)
    out *= rstd
    out = out.reshape(N, C, HxW)
    if weight is not None:
        out *= _channels(weight, 3)
    if bias is not None:
        out += _channels(bias, 3)
    return out.reshape(input.shape), mean[..., 0], rstd[..., 0]


@kernel
def group_norm_backward_kernel(
    grads: Any, input: Any, mean: Any, rstd: Any, weight: Any, sizes: Ints, output_mask: tuple[bool, ...]
) -> tuple[Any, Any, Any]:
    if input.dtype is BFLOAT16:
        return _short(group_norm_backward_kernel, BFLOAT16, grads, input, mean, rstd, weight, sizes, output_mask)
    n, c, extent, group = sizes
    normal = input.reshape(n, group, c // group * extent) - mean[..., None]
    normal *= rstd[..., None]
    grad_out, grad_mean, grad_rstd = grads
    if grad_mean is None or grad_rstd is None:  # PyTorch looks at the gradients of both statistics or of neither
        grad_mean = grad_rstd = None
    if grad_out is None and grad_mean is None:
        return None, None, None
    grad_input = grad_weight = grad_bias = None
    if output_mask[0]:
        grad_input = np.zeros_like(normal)
    if grad_out is not None:
        grad_out = grad_out.reshape(n, c, extent)
        if output_mask[0]:
            v = (grad_out if weight is None else grad_out * _channels(weight, 3)).reshape(normal.shape)
            total = np.add.reduce(v, axis=2, keepdims=True)
            grad_input = _projected(v, normal, total, np.vecdot(v, normal)[..., None], v.shape[2])
            grad_input *= rstd[..., None]
        if output_mask[1]:
            grad_weight = _channel_products(grad_out, normal.reshape(n, c, extent))
        if output_mask[2]:
            grad_bias = np.add.reduce(grad_out, axis=(0, 2))
    if grad_input is not None:
        if grad_mean is not None and grad_rstd is not None:
            grad_input += grad_mean[..., None] / normal.shape[2]
            grad_input -= normal * (grad_rstd * rstd * rstd)[..., None] / normal.shape[2]
        grad_input = grad_input.reshape(input.shape)
        grad_input = channels_last(grad_input, input) if input.ndim == 4 else grad_input
    return grad_input, grad_weight, grad_bias
