"""Activations and their backward helpers, which PyTorch has as ops: they name the nodes of a second derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, pointwise, rule
from engine.core.registry import ops
from engine.core.tensor import constant
from engine.kernels.activation import BELL, TANH_CUBIC, TANH_SCALE, halves, mish_backward_kernel, silu_backward_kernel
from engine.kernels.memory_format import alike
from engine.ops.arithmetic import zero_like

pointwise(
    "relu(self)", "ReluBackward0", "relu_kernel(self)", self="threshold_backward(g, result, 0)",
    says="where the input was positive the derivative is 1, elsewhere nothing passes",
    refuses={"c": "clamp is not supported for complex types"}, sparse=True,
)
pointwise(
    "threshold(self, threshold: Scalar, value: Scalar)", "ThresholdBackward0",
    "threshold_kernel(self, threshold, value)",
    inplace="ThresholdBackward1",
    self="threshold_backward(g, self, threshold)",
    says="above the threshold the derivative is 1, elsewhere nothing passes", refuses={"bc": "threshold_cpu"},
    converts="threshold value",
)
pointwise(
    "threshold_backward(grad_output, self, threshold)", "ThresholdBackwardBackward0",
    "threshold_backward_kernel(grad_output, self, threshold)", grad_output="threshold_backward(g, self, threshold)",
    self="zero_like(g)", inplace=False, says="the gradient passes where the forward did", keeps="self", sparse=True,
)
pointwise(
    "hardtanh(self, min_val: Scalar = -1, max_val: Scalar = 1)", "HardtanhBackward0",
    "clamp_kernel(self, min_val, max_val)",
    self="hardtanh_backward(g, self, min_val, max_val)",
    says="between the bounds the derivative is 1, elsewhere nothing passes",
    refuses={"c": "clamp is not supported for complex types", "b": "Bool inputs not supported for hardtanh"},
    opmath="bfloat16",
)
pointwise(
    "hardtanh_backward(grad_output, self, min_val, max_val)", "HardtanhBackwardBackward0",
    "hardtanh_backward_kernel(grad_output, self, min_val, max_val)",
    grad_output="hardtanh_backward(g, self, min_val, max_val)", self="zero_like(g)", inplace=False,
    says="the gradient passes where the forward did", opmath="bfloat16",
)
pointwise(
    "leaky_relu(self, negative_slope: Scalar = 0.01)", "LeakyReluBackward0", "leaky_relu_kernel(self, negative_slope)",
    self="leaky_relu_backward(g, self, negative_slope, False)", inplace=False,
    says="the derivative is 1 right of 0 and negative_slope left of it", refuses={"c": "leaky_relu_cpu"},
    converts="negative_slope", opmath="half",
)
pointwise(
    "leaky_relu_backward(grad_output, self, negative_slope, self_is_result)", "LeakyReluBackwardBackward0",
    "leaky_relu_backward_kernel(grad_output, self, negative_slope, self_is_result)",
    grad_output="leaky_relu_backward(g, self, negative_slope, self_is_result)", self="zero_like(g)", inplace=False,
    says="the derivative is 1 right of 0 and negative_slope left of it", opmath="bfloat16",
)
pointwise(
    "leaky_relu_(self, negative_slope: Scalar = 0.01)", "LeakyReluBackward1", "leaky_relu_kernel(self, negative_slope)",
    self="leaky_relu_backward(g, result, negative_slope, True)",
    says="the derivative is 1 right of 0 and negative_slope left of it", refuses={"c": "leaky_relu_cpu"}, opmath="half",
)
pointwise(
    "_prelu_kernel(self, weight)", "PreluKernelBackward0", "choose(self > 0, self, self * weight, self)",
    inplace=False,
    together=("self weight", "_prelu_kernel_backward(g, self, weight)"),
    says="the derivative is 1 right of 0 and weight left of it; in the weight it is the negative input",
    refuses={"c": "prelu_cpu"}, autocast="lower_precision_fp", opmath="bfloat16",
)
pointwise(
    "_prelu_kernel_backward(grad_output, self, weight)", "PreluKernelBackwardBackward0",
    "prelu_backward_kernel(grad_output, self, weight)", outputs="grad_input grad_weight", inplace=False,
    together=("grad_output self weight", "prelu_double_backward(g, grad_output, self, weight)"),
    says="the second derivative of prelu", opmath="bfloat16",
)


@rule
def prelu_double_backward(g: Any, grad_output: Any, self: Any, weight: Any) -> tuple[Any, Any, Any]:
    g_input, g_weight = g
    positive = self >= 0
    if g_weight is None:
        slope = ops.where(positive, 0.0, grad_output * g_input)
        return ops.where(positive, g_input, g_input * weight), zero_like(self), slope
    if g_input is None:
        return ops.where(positive, 0.0, g_weight * self), ops.where(positive, 0.0, grad_output * g_weight), None
    return (
        ops.where(positive, g_input, g_input * weight + g_weight * self),
        ops.where(positive, 0.0, grad_output * g_weight),
        ops.where(positive, 0.0, grad_output * g_input),
    )


op(
    "rrelu_with_noise(self, noise: Tensor, lower, upper, training)", "RreluWithNoiseBackward0",
    "rrelu_kernel(self, noise, lower, upper, training)", inplace=False,
    self="rrelu_with_noise_backward(g, self, noise, lower, upper, training, False)",
    says="the derivative is 1 right of 0 and the drawn number left of it", cost=20, memory_format="contiguous",
    refuses={"c": "leaky_relu_cpu"}, opmath="bfloat16",
)
op(
    "rrelu_with_noise_(self, noise: Tensor, lower, upper, training)", "RreluWithNoiseBackward1",
    "rrelu_kernel(self, noise, lower, upper, training)",
    self="rrelu_with_noise_backward(g, result, noise, lower, upper, training, True)",
    says="the derivative is 1 right of 0 and the drawn number left of it", refuses={"c": "leaky_relu_cpu"},
    opmath="bfloat16",
)
op(
    "rrelu_with_noise_backward(grad_output, self, noise: Tensor, lower, upper, training, self_is_result)",
    "RreluWithNoiseBackwardBackward0", "rrelu_backward_kernel(grad_output, self, noise, lower, upper, training)",
    grad_output="rrelu_with_noise_backward(g, self, noise, lower, upper, training, self_is_result)",
    self="zero_like(g)",
    inplace=False, says="the derivative is 1 right of 0 and the drawn number left of it", opmath="bfloat16",
)

@rule
def elu_double_backward(g: Any, alpha: float, scale: float, input_scale: float, is_result: bool, self: Any) -> Any:
    negative = (self < 0) * 1.0 if not hasattr(self, "_array") else ops.to_dtype(self < 0, self._array.dtype)
    if is_result:
        return g * input_scale * negative
    return ops.elu_backward(g * input_scale, alpha, scale, input_scale, is_result, self) * negative


ELU = "right of 0 the derivative is its scale, left of it an exponential that fades"
pointwise(
    "elu(self, alpha: Scalar = 1.0, scale=1, input_scale=1)", "EluBackward0",
    "elu_kernel(self, alpha, scale, input_scale)",
    self="elu_backward(g, alpha, scale, input_scale, False, self)", inplace=False, says=ELU, cost=20, backward_cost=1,
    refuses={"c": "elu_cpu"}, converts="alpha scale input_scale", opmath="half",
)
pointwise(
    "elu_(self, alpha: Scalar = 1.0, scale=1, input_scale=1)", "EluBackward1",
    "elu_kernel(self, alpha, scale, input_scale)",
    self="elu_backward(g, alpha, scale, input_scale, True, result)", says=ELU, refuses={"c": "elu_cpu"},
    converts="alpha scale input_scale", opmath="half",
)
pointwise(
    "celu(self, alpha: Scalar = 1.0)", "CeluBackward0", "elu_kernel(self, alpha, 1.0, 1.0 / alpha)",
    self="elu_backward(g, alpha, 1.0, 1.0 / alpha, False, self)", inplace=False, says=ELU, cost=20, backward_cost=1,
    refuses={"c": "elu_cpu"}, converts="alpha", converts_to="double", opmath="half",
)
pointwise(
    "celu_(self, alpha: Scalar = 1.0)", "CeluBackward1", "elu_kernel(self, alpha, 1.0, 1.0 / alpha)",
    self="elu_backward(g, alpha, 1.0, 1.0 / alpha, True, result)", says=ELU, refuses={"c": "elu_cpu"},
    opmath="bfloat16",
)
pointwise(
    "elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result)", "EluBackwardBackward0",
    "elu_backward_kernel(grad_output, alpha, scale, input_scale, is_result, self_or_result)",
    grad_output="elu_backward(g, alpha, scale, input_scale, is_result, self_or_result)",
    self_or_result="elu_double_backward(g * grad_output, alpha, scale, input_scale, is_result, self_or_result)",
    inplace=False,
    says=ELU, memory_format="preserve", formula_format="preserve", opmath="bfloat16",
)

@rule
def gelu_second_derivative(self: Any, approximate: str) -> Any:
    """The second derivative, by the product rule of its three factors for the approximation with tanh."""
    if approximate == "tanh":
        inner = TANH_SCALE * (self + TANH_CUBIC * self ** 3)
        t = ops.tanh(inner)
        decay = 1 / ops.cosh(inner)
        half = 0.5 * self
        bend = 1 - t * t
        rise = TANH_SCALE * (1 + 3 * TANH_CUBIC * self * self)
        first = 0.5 * bend * rise
        second = half * rise * ((2 * decay) * (-decay * t) * rise)
        return 2 * first + second + half * bend * (6 * TANH_CUBIC * self * TANH_SCALE)
    square = self * self
    density = BELL * ops.exp(-0.5 * square)
    return 2.0 * density - square * density


@rule
def silu_backward(g: Any, self: Any) -> Any:
    if not hasattr(self, "_array"):
        return alike(silu_backward_kernel(g, self), g, self)
    s = ops.sigmoid(self)
    rest = 1 + self * (1 - s)  # first, as compilers order the product
    return g * s * rest


@rule
def mish_backward(g: Any, self: Any) -> Any:
    if not hasattr(self, "_array"):
        return alike(mish_backward_kernel(g, self), g, self)
    s = ops.sigmoid(self)
    t = ops.tanh(ops.log1p(ops.exp(self)))
    rest = 1 - t * t
    return g * (t + self * s * rest)


pointwise(
    "gelu(self, *, approximate='none')", "GeluBackward0", "gelu_kernel(self, approximate)",
    self="gelu_backward(g, self, approximate=approximate)",
    tex=r"g \cdot \bigl(\Phi(x) + x\,\varphi(x)\bigr)",
    says="the input times the chance that a normal number is smaller: derivative Φ(x) + x·φ(x)", cost=8,
    backward_cost=1,
    opmath="bfloat16",
)
pointwise(
    "gelu_backward(grad_output, self, *, approximate='none')", "GeluBackwardBackward0",
    "gelu_backward_kernel(grad_output, self, approximate)",
    grad_output="gelu_backward(g, self, approximate=approximate)",
    self="g * grad_output * gelu_second_derivative(self, approximate)", inplace=False,
    says="the second derivative of gelu",
    opmath="bfloat16",
)
pointwise(
    "silu(self)", "SiluBackward0", "silu_kernel(self)", self="silu_backward(g, self)",
    tex=r"g \cdot \sigma(x)\bigl(1 + x\,(1 - \sigma(x))\bigr)", says="x · sigmoid(x): derivative s · (1 + x · (1 − s))",
    cost=8, backward_cost=2, fused_backward=True, memory_format="preserve", complex_grad=False, opmath="half",
)
pointwise(
    "mish(self)", "MishBackward0", "mish_kernel(self)", self="mish_backward(g, self)",
    says="x · tanh(softplus(x)), by the product rule", cost=8, backward_cost=2, fused_backward=True,
    memory_format="preserve", refuses={"c": "mish_cpu"}, opmath="half",
)
op(
    "glu(self, dim=-1)", "GluBackward0", "glu_kernel(self, dim)", self="glu_backward(g, self, dim)", inplace=False,
    says="the first half times the sigmoid of the second, by the product rule", vmap=rules.along("dim"),
    backward_cost=1, memory_format="preserve", opmath="bfloat16",
)
op(
    "glu_backward(grad_output, self, dim)", "GluBackwardBackward0", "glu_backward_kernel(grad_output, self, dim)",
    grad_output="glu_double_backward_grad_output(g, self, dim)", self="glu_double_backward(g, grad_output, self, dim)",
    inplace=False, says="the second derivative of glu", memory_format="preserve", formula_format="preserve",
)


@rule
def glu_double_backward(g: Any, grad_output: Any, self: Any, dim: int) -> Any:
    array = getattr(self, "_array", self)
    _, _, dim = halves(array, dim)
    half = array.shape[dim] // 2
    (a, b), (u, v) = ((ops.slice(x, dim, 0, half), ops.slice(x, dim, half, 2 * half)) for x in (self, g))
    s = ops.sigmoid(b)
    rest = 1 - s
    bend = s * rest
    through = v * a
    first = v * grad_output * bend
    return ops.cat([first, through * grad_output * (bend * rest - s * bend) + u * grad_output * bend], dim)


@rule
def glu_double_backward_grad_output(g: Any, self: Any, dim: int) -> Any:
    """The slope of glu's gradient in what arrived: the same slopes again, of which both halves add up."""
    array = getattr(self, "_array", self)
    _, _, dim = halves(array, dim)
    half = array.shape[dim] // 2
    one = np.ones_like(np.take(array, range(half), dim))
    slopes = g * ops.glu_backward(constant(one) if hasattr(self, "_array") else one, self, dim)
    return ops.slice(slopes, dim, 0, half) + ops.slice(slopes, dim, half, 2 * half)


@rule
def softplus_double_backward(g: Any, self: Any, beta: float, threshold: float) -> Any:
    scaled = self * beta
    inside: Any = (getattr(scaled, "_array", scaled) < threshold).astype(getattr(self, "_array", self).dtype)
    inside = constant(inside) if hasattr(self, "_array") else inside
    return ops.sigmoid_backward(g, ops.sigmoid(scaled)) * inside * beta


@rule
def log_sigmoid_double_backward(g: Any, self: Any) -> Any:
    s = ops.sigmoid(self)
    return g * (s - 1) * s


pointwise(
    "softplus(self, beta: Scalar = 1, threshold: Scalar = 20)", "SoftplusBackward0",
    "softplus_kernel(self, beta, threshold)",
    self="softplus_backward(g, self, beta, threshold)", inplace=False, tex=r"g \cdot \sigma(\beta x)",
    says="the derivative of log(1 + e^x) is the sigmoid", cost=8, memory_format="preserve",
    refuses={"c": "softplus_cpu"},
    converts="beta threshold", converts_to="opmath_t", opmath="half",
)
pointwise(
    "softplus_backward(grad_output, self, beta, threshold)", "SoftplusBackwardBackward0",
    "softplus_backward_kernel(grad_output, self, beta, threshold)",
    grad_output="softplus_backward(g, self, beta, threshold)",
    self="softplus_double_backward(g * grad_output, self, beta, threshold)", inplace=False,
    says="the derivative of a sigmoid", memory_format="preserve", formula_format="preserve", opmath="bfloat16",
)
pointwise(
    "log_sigmoid(self)", "LogSigmoidBackward0", "log_sigmoid_kernel(self)", self="log_sigmoid_backward(g, self)",
    shows={"buffer": "exp(-abs(self))"},
    inplace=False,
    tex=r"g \cdot \sigma(-x)", says="the derivative is the sigmoid of −x", keeps_bdim=False, cost=20,
    memory_format="contiguous", refuses={"biuc": "log_sigmoid_cpu"}, opmath="half",
)
pointwise(
    "log_sigmoid_backward(grad_output, self)", "LogSigmoidBackwardBackward0",
    "log_sigmoid_backward_kernel(grad_output, self)", grad_output="log_sigmoid_backward(g, self)",
    self="log_sigmoid_double_backward(g * grad_output, self)", inplace=False,
    says="the second derivative of log sigmoid",
    cost=20,
)
pointwise(
    "hardsigmoid(self)", "HardsigmoidBackward0", "np.clip(self + 3, 0, 6) / 6", self="hardsigmoid_backward(g, self)",
    says="the derivative is 1/6 between −3 and 3, elsewhere nothing passes", refuses={"biuc": "hardsigmoid_cpu"},
    opmath="half",
)
pointwise(
    "hardsigmoid_backward(grad_output, self)", "NotImplemented", "hardsigmoid_backward_kernel(grad_output, self)",
    grad_output="underivable('hardsigmoid_backward')", self="underivable('hardsigmoid_backward')", inplace=False,
    says="PyTorch has no gradient for it", opmath="bfloat16",
)
pointwise(
    "hardswish(self)", "HardswishBackward0", "self * np.clip(self + 3, 0, 6) / 6", self="hardswish_backward(g, self)",
    says="0 below −3, 1 above 3, and x/3 + ½ between", refuses={"biuc": "hardswish_cpu"}, opmath="half",
)
pointwise(
    "hardswish_backward(grad_output, self)", "HardswishBackwardBackward0",
    "hardswish_backward_kernel(grad_output, self)",
    grad_output="hardswish_backward(g, self)",
    self="where((self > -3.0) & (self < 3.0), g * grad_output / 3.0, 0.0)", inplace=False,
    says="the second derivative of hardswish", opmath="bfloat16",
)
pointwise(
    "hardshrink(self, lambd: Scalar = 0.5)", "HardshrinkBackward0",
    "choose((self >= -lambd) & (self <= lambd), 0, self, self)",
    self="hardshrink_backward(g, self, lambd)", inplace=False,
    says="near 0 nothing passes, elsewhere the derivative is 1",
    refuses={"biuc": "hardshrink_cpu"}, converts="lambd", opmath="bfloat16",
)
pointwise(
    "hardshrink_backward(grad_out, self, lambd)", "HardshrinkBackwardBackward0",
    "choose((self >= -lambd) & (self <= lambd), 0, grad_out, grad_out)",
    grad_out="hardshrink_backward(g, self, lambd)",
    self="zero_like(g)", inplace=False, says="the gradient passes where the forward did", opmath="bfloat16",
)
pointwise(
    "softshrink(self, lambd: Scalar = 0.5)", "SoftshrinkBackward0",
    "choose(self > lambd, self - lambd, np.where(self < -lambd, self + lambd, self * 0), self)",
    self="softshrink_backward(g, self, lambd)", inplace=False,
    says="near 0 nothing passes, elsewhere the derivative is 1",
    refuses={"biuc": "softshrink_check"}, converts="lambd", converts_to="double", opmath="half",
)
pointwise(
    "softshrink_backward(grad_output, self, lambd)", "SoftshrinkBackwardBackward0",
    "choose((self >= -lambd) & (self <= lambd), 0, grad_output, grad_output)",
    grad_output="softshrink_backward(g, self, lambd)", self="zero_like(g)", inplace=False,
    says="the gradient passes where the forward did", opmath="bfloat16",
)
