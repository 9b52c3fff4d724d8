"""Softmax and its logarithm: shares of a whole."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.op import kernel, op, ops, rule
from engine.ops.activation import expect_float
from engine.ops.arithmetic import LARGEST_WIDE
from engine.ops.extremes import largest
from engine.ops.pointwise import exp_values, log_values
from engine.ops.reduction import added
from engine.shapes import wrap_dim


@kernel
def softmax_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim)
    expect_float(a, "softmax_lastdim_kernel_impl")
    if not a.ndim:
        return a.dtype.type(1) if not np.isnan(a) else +a
    if not a.size:
        return a.copy()
    powers = exp_values(a - largest(a, axis=dim, keepdims=True))
    if dim == a.ndim - 1:
        return powers * (1 / _total(powers, dim))  # PyTorch multiplies along the last dimension, divides along others
    powers /= _total(powers, dim)
    return powers


@kernel
def log_softmax_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim)
    expect_float(a, "log_softmax_lastdim_kernel_impl")
    if not a.ndim:
        return a - a
    if not a.size:
        return a.copy()
    out = a - largest(a, axis=dim, keepdims=True)
    out -= log_values(_total(exp_values(out), dim))
    return out


def _total(a: Any, dim: int) -> Any:
    """The sum along a dimension; along the last one in the order of PyTorch's vectors of 64 bytes."""
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim:
        return a
    lanes = 64 // a.dtype.itemsize
    extent = a.shape[dim]
    if dim != a.ndim - 1 or extent < 8 or a.dtype.kind != "f":
        return added(a, axis=dim, keepdims=True)
    if extent < lanes:
        return np.add.accumulate(a, axis=-1)[..., -1:]
    vectors = extent // lanes
    whole = vectors * lanes
    if vectors == 1:
        partial = a[..., :lanes].copy()
    else:
        partial = added(a[..., :whole].reshape(*a.shape[:-1], vectors, lanes), axis=-2)
    if whole < extent:
        partial[..., : extent - whole] += a[..., whole:]
    while lanes > 1:
        lanes //= 2
        partial = partial[..., :lanes] + partial[..., lanes:]
    return partial


@kernel
def softmax_backward_kernel(g: Any, output: Any, dim: int) -> Any:
    return (g - _total(g * output, dim)) * output


@kernel
def log_softmax_backward_kernel(g: Any, output: Any, dim: int) -> Any:
    """In float32 with one rounding, as a fused multiply-add does it."""
    share, total = exp_values(output), _total(g, dim)
    if g.dtype == np.float32 and g.size <= LARGEST_WIDE:
        return (g - share.astype(np.float64) * total.astype(np.float64)).astype(np.float32)
    return g - share * total


@rule
def softmax_curvature(g: Any, grad_output: Any, output: Any, dim: int) -> Any:
    passed = ops.sum_dim(output * grad_output, (dim,), True)
    return grad_output * g - passed * g - grad_output * ops.sum_dim(output * g, (dim,), True)


op(
    "softmax(self, dim)", "SoftmaxBackward0", "softmax_kernel(self, dim)",
    self="_softmax_backward_data(g, result, dim)", inplace=False,
    says="shares compete: an element's gradient is its share times what it gets beyond the average",
)
op(
    "_softmax_backward_data(grad_output, output, dim)", "SoftmaxBackwardDataBackward0",
    "softmax_backward_kernel(grad_output, output, dim)", grad_output="_softmax_backward_data(g, output, dim)",
    output="softmax_curvature(g, grad_output, output, dim)", inplace=False, says="the slope of softmax's slope",
)
op(
    "log_softmax(self, dim)", "LogSoftmaxBackward0", "log_softmax_kernel(self, dim)",
    self="_log_softmax_backward_data(g, result, dim)", inplace=False,
    says="the gradient minus the element's share of all gradients together",
)
op(
    "_log_softmax_backward_data(grad_output, output, dim)", "LogSoftmaxBackwardDataBackward0",
    "log_softmax_backward_kernel(grad_output, output, dim)",
    grad_output="g - sum_dim(g * exp(output), (dim,), True)",
    output="-sum_dim(grad_output, (dim,), True) * exp(output) * g",
    inplace=False, says="the slope of log-softmax's slope",
)
