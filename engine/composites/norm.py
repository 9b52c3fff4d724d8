"""Normalisation functions: `batch_norm`, `layer_norm`, `group_norm`, `instance_norm`, `rms_norm` and relatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine import errors
from engine.codegen.publish import FUNCTIONAL, public
from engine.composites.losses import check_weight
from engine.composites.to_python import cast, widened
from engine.core.registry import ops
from engine.core.tensor import Tensor, announce_write, number, report_write
from engine.kernels.shape import suggests
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import sizes, wrap_dim


def _batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    if not input.numel():
        return _empty_batch(input, weight, bias)
    if training and not input.ndim:
        _check_channels(input)
    if not training:
        for name, running in (("running_mean", running_mean), ("running_var", running_var)):
            if running is None:
                raise errors.batch_norm_running(name)
    features = input.shape[1] if input.ndim > 1 else 0
    for name, vector in (
        ("running_mean", running_mean),
        ("running_var", running_var),
        ("weight", weight),
        ("bias", bias),
    ):
        if vector is not None and vector.numel() != features:
            raise errors.batch_norm_features(name, features, vector.numel())
    if training:
        _check_channels(input)
    check_weight("native_batch_norm", running_mean=running_mean, running_var=running_var)
    updated = [t for t in (running_mean, running_var) if t is not None] if training else []
    if input._batch is not None and any(t._batch is None for t in updated):
        raise errors.vmap_running_statistics()
    for running in updated:
        announce_write(running)
    result: Tensor = ops.native_batch_norm(
        input, weight, bias, running_mean, running_var, bool(training), momentum, eps
    )[0]
    for running in updated:
        report_write(running)
    return result


def _check_channels(input: Tensor) -> None:
    """Refuse what has no dimension of channels."""
    if not input.ndim:
        raise errors.vector_capacity()
    wrap_dim(1, input.ndim)


def _empty_batch(input: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    out = input.clone()
    if weight is not None:
        out = out * weight[0]
    return out if bias is None else out + bias[0]


@public("nn")
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / √(var + eps) · weight + bias for each channel of (N, C, …); Ioffe and Szegedy, 2015.

    While training, mean and variance are the batch's, and the running ones move towards them by `momentum`.
    """
    if training:
        if not input.ndim:
            raise errors.batch_norm_scalar()
        if input.shape[0] * math.prod(input.shape[2:]) == 1:
            raise errors.batch_norm_single_value(tuple(input.shape))
        eps = number(eps) if isinstance(eps, Tensor) and not eps._array.ndim else eps
        if eps <= 0.0:
            raise errors.batch_norm_eps(eps)
    return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@public("torch", "batch_norm")
def torch_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    """`nn.functional.batch_norm` with the arguments in another order."""
    given = (input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)
    check("torch", "batch_norm", given, {})
    return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@public("torch")
def native_batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, ...]:
    """Batch norm with the means and inverse deviations it used."""
    check_weight("native_batch_norm", running_mean=running_mean, running_var=running_var)
    _check_channels(input)
    return ops.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


def _shape(function: str, normalized_shape: Any) -> tuple[int, ...]:
    if type(normalized_shape) is not tuple and not isinstance(normalized_shape, Sequence):
        raise errors.argument_type(function, "normalized_shape", 2, "tuple of ints", normalized_shape)
    return sizes((tuple(normalized_shape),))


@public("torch", "layer_norm")
def _layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Tensor:
    """As in `nn.functional`, with a switch that means nothing on a CPU."""
    return layer_norm(input, normalized_shape, weight, bias, eps)


@public("nn")
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises over the last dimensions, which have `normalized_shape`; Ba, Kiros and Hinton, 2016."""
    shape = _shape("layer_norm", normalized_shape)
    return ops.native_layer_norm(input, shape, weight, bias, eps)[0]


@public("torch")
def native_layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None, bias: Tensor | None, eps: float
) -> tuple[Tensor, ...]:
    """Layer norm with the means and inverse deviations it used."""
    shape = _shape("native_layer_norm", normalized_shape)
    return ops.native_layer_norm(input, shape, weight, bias, eps)


@public("nn")
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalises over groups of channels of (N, C, …); Wu and He, 2018."""
    if input.ndim < 2:
        raise errors.group_norm_dimensions(input.ndim)
    n, c, *spatial = input.shape
    per_group = [n * c // num_groups, num_groups, *spatial]
    if per_group[0] * math.prod(spatial) == 1:
        raise errors.group_norm_single_value(per_group)
    return _group_norm(input, num_groups, weight, bias, eps)


def _check_groups(input: Tensor, channels: int, groups: int, weight: Tensor | None, bias: Tensor | None) -> None:
    if groups <= 0:
        raise errors.group_norm_groups(groups)
    shape = tuple(input.shape)
    if channels % groups:
        raise errors.group_norm_input(shape, groups)
    if weight is not None and tuple(weight.shape) != (channels,):
        raise errors.group_norm_parameter("weight", tuple(weight.shape), shape)
    if bias is not None and tuple(bias.shape) != (channels,):  # of which PyTorch shows the weight's shape
        raise errors.group_norm_parameter("bias", (0,) if weight is None else tuple(weight.shape), shape)


@public("torch", "group_norm")
def _group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Tensor:
    """As in `nn.functional`, with a switch that means nothing on a CPU."""
    n, c = input.size(0), input.size(1)
    _check_groups(input, c, num_groups, weight, bias)
    last = input._array.ndim == 4 and suggests(input._array, dtypes.channels_last)
    given = input if last else input.contiguous()
    return ops.native_group_norm(given, weight, bias, n, c, math.prod(input.shape[2:]), num_groups, eps)[0]


@public("torch")
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, ...]:
    """Group norm with the means and inverse deviations it used."""
    _check_groups(input, C, group, weight, bias)
    if N < 0:
        raise errors.negative_dimension(N, (N, group))
    return ops.native_group_norm(input, weight, bias, N, C, HxW, group, eps)


@public("nn")
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalises every channel of every sample by itself; Ulyanov et al., 2016. Made of `batch_norm`."""
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise errors.instance_norm_single_value(tuple(input.shape))
    return by_instance(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def by_instance(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None,
    bias: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    """`instance_norm` of inputs with any number of elements."""
    n, c = input.size(0), input.size(1)
    spatial = input.shape[2:]
    repeated = [None if t is None else t.repeat(n) for t in (weight, bias, running_mean, running_var)]
    flat = input.contiguous().view(1, n * c, *spatial)
    out = _batch_norm(flat, repeated[2], repeated[3], repeated[0], repeated[1], use_input_stats, momentum, eps)
    for running, used in ((running_mean, repeated[2]), (running_var, repeated[3])):
        if running is not None and used is not None and use_input_stats:
            running.copy_(used.view(n, c).mean(0))
    return out.view(n, c, *spatial)


@public("nn torch")
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """x / √(mean(x²) + eps) · weight over the last dimensions; Zhang and Sennrich, 2019."""
    shape = _shape("rms_norm", normalized_shape)
    if not shape:
        raise errors.layer_norm_empty()
    if weight is not None and tuple(weight.shape) != shape:
        raise errors.layer_norm_parameter("weight", tuple(weight.shape), shape)
    if input.ndim < len(shape):
        raise errors.rms_norm_dimensions(len(shape), input.ndim)
    if tuple(input.shape[-len(shape) :]) != shape:
        raise errors.rms_norm_shape(shape, tuple(input.shape))
    dtypes.expect(input._array, "rms_norm")
    x = widened(input)
    small = dtypes.finfo(x.dtype).eps if eps is None else eps
    dims = tuple(range(input.ndim - len(shape), input.ndim))
    scale = ops.add_Scalar(x.pow(2).mean(dims, keepdim=True), small).rsqrt()
    out = x * scale
    if weight is not None:
        out = out * weight
    return cast(out.contiguous(), input._array.dtype)


@public("nn")
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Divides by a power of the mean square over `size` neighbouring channels; Krizhevsky et al., 2012."""
    ndim = input.ndim
    if ndim < 3:
        raise errors.local_response_dimensions(ndim)
    if not input.numel():
        return input
    square = input * input
    before, after = size // 2, (size - 1) // 2
    if ndim == 3:
        padded = FUNCTIONAL["pad"](square.unsqueeze(1), (0, 0, before, after))
        mean = FUNCTIONAL["avg_pool2d"](padded, (size, 1), stride=1).squeeze(1)
    else:
        n, c, first, *rest = input.shape
        volume = square.view(n, 1, c, first, -1)
        padded = FUNCTIONAL["pad"](volume, (0, 0, 0, 0, before, after))
        mean = FUNCTIONAL["avg_pool3d"](padded, (size, 1, 1), stride=1).squeeze(1).view(n, c, first, *rest)
    return input / mean.mul(alpha).add(k).pow(beta)


@public("nn")
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Vectors along `dim` divided by their p-norm, but by no less than `eps`."""
    norm = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    result = input / norm
    return result if out is None else out.copy_(result)
