"""Softmax and its logarithm: shares of a whole."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops


@rule
def softmax_double_backward(g: Any, grad_output: Any, output: Any, dim: int) -> Any:
    passed = ops.sum_dim(output * grad_output, (dim,), True)
    return grad_output * g - passed * g - grad_output * ops.sum_dim(output * g, (dim,), True)


op(
    "softmax(self, dim)", "SoftmaxBackward0", "softmax_kernel(self, dim)",
    self="_softmax_backward_data(g, result, dim)", inplace=False,
    says="shares compete: an element's gradient is its share times what it gets beyond the average",
    vmap=rules.along("dim"), cost=8, memory_format="contiguous",
)
op(
    "_softmax_backward_data(grad_output, output, dim)", "SoftmaxBackwardDataBackward0",
    "softmax_backward_kernel(grad_output, output, dim)", grad_output="_softmax_backward_data(g, output, dim)",
    output="softmax_double_backward(g, grad_output, output, dim)", inplace=False,
    says="the second derivative of softmax",
    cost=8,
)
op(
    "log_softmax(self, dim)", "LogSoftmaxBackward0", "log_softmax_kernel(self, dim)",
    self="_log_softmax_backward_data(g, result, dim)", inplace=False,
    says="the gradient minus the element's share of all gradients together", vmap=rules.along("dim"), cost=8,
    backward_cost=2, memory_format="contiguous",
)
op(
    "_log_softmax_backward_data(grad_output, output, dim)", "LogSoftmaxBackwardDataBackward0",
    "log_softmax_backward_kernel(grad_output, output, dim)",
    grad_output="g - sum_dim(g * exp(output), (dim,), True)",
    output="-sum_dim(grad_output, (dim,), True) * exp(output) * g",
    inplace=False, says="the second derivative of log-softmax", cost=8,
)
