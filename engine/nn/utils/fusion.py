"""Batch norm in evaluation mode folded into the layer before it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.tensor import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(layer: Any, bn: Any, shape: list[int]) -> Any:
    if layer.training or bn.training:
        raise errors.fusion_training()
    made = deepcopy(layer)
    made.weight, made.bias = _weights(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, shape
    )
    return made


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that does what it and the batch norm after it do."""
    return _fused(conv, bn, _shape(conv.weight, transpose))


def _shape(weight: Any, transpose: bool) -> list[int]:
    """The shape in which numbers of output channels multiply a weight."""
    return ([1, -1] if transpose else [-1, 1]) + [1] * (len(weight.shape) - 2)


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Parameter, Parameter]:
    """Weight and bias of that convolution."""
    return _weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, _shape(conv_w, transpose))


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that does what it and the batch norm after it do."""
    if bn.num_features != linear.out_features and bn.num_features != 1:
        raise errors.fusion_features()
    return _fused(linear, bn, [-1, 1])


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """Weight and bias of that layer."""
    return _weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, [-1, 1])


def _weights(
    weight: Any, bias: Any, mean: Any, variance: Any, eps: float, scale: Any, shift: Any, shape: list[int]
) -> tuple[Parameter, Parameter]:
    bias = TORCH["zeros_like"](mean) if bias is None else bias
    scale = TORCH["ones_like"](mean) if scale is None else scale
    shift = TORCH["zeros_like"](mean) if shift is None else shift
    factor = scale * TORCH["rsqrt"](variance + eps)
    fused = (weight * factor.reshape(shape)).detach(), ((bias - mean) * factor + shift).detach()
    return Parameter(fused[0], weight.requires_grad), Parameter(fused[1], getattr(bias, "requires_grad", False))
