"""Batch norm in evaluation mode folded into the layer before it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.tensor import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(layer: Any, bn: Any, weights: Any, *args: Any) -> Any:
    if layer.training or bn.training:
        raise errors.fusion_training()
    made = deepcopy(layer)
    made.weight, made.bias = weights(
        made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, *args
    )
    return made


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that does what it and the batch norm after it do."""
    return _fused(conv, bn, fuse_conv_bn_weights, transpose)


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Parameter, Parameter]:
    """Weight and bias of that convolution."""
    conv_b, bn_w, bn_b = _numbers(bn_rm, conv_b, bn_w, bn_b)
    shape = ([1, -1] if transpose else [-1, 1]) + [1] * (len(conv_w.shape) - 2)
    narrow = TORCH["rsqrt"](bn_rv + bn_eps)
    weight = conv_w * (bn_w * narrow).reshape(shape)
    return _parameters(conv_w, conv_b, weight, (conv_b - bn_rm) * narrow * bn_w + bn_b)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that does what it and the batch norm after it do."""
    if bn.num_features != linear.out_features and bn.num_features != 1:
        raise errors.fusion_features()
    return _fused(linear, bn, fuse_linear_bn_weights)


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """Weight and bias of that layer."""
    linear_b, bn_w, bn_b = _numbers(bn_rm, linear_b, bn_w, bn_b)
    factor = bn_w * TORCH["rsqrt"](bn_rv + bn_eps)
    return _parameters(linear_w, linear_b, linear_w * factor.unsqueeze(-1), (linear_b - bn_rm) * factor + bn_b)


def _numbers(mean: Any, bias: Any, scale: Any, shift: Any) -> tuple[Any, Any, Any]:
    """A layer's bias, and what a batch norm multiplies by and adds, where they have none."""
    bias = TORCH["zeros_like"](mean) if bias is None else bias
    scale = TORCH["ones_like"](mean) if scale is None else scale
    return bias, scale, TORCH["zeros_like"](mean) if shift is None else shift


def _parameters(weight: Any, bias: Any, *fused: Any) -> tuple[Parameter, Parameter]:
    """Parameters of what is fused, which require grad where those before do."""
    return tuple(Parameter(new.detach(), old.requires_grad) for old, new in zip((weight, bias), fused, strict=True))  # type: ignore[return-value]
