"""Functions of each element: exponentials, logarithms, trigonometry, rounding, clamping and choosing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.codegen.op import pointwise, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant

exp = pointwise(
    "exp(self)", "ExpBackward0", "exp_kernel(self)", real="self", self="g * result",
    says="the exponential is its own derivative", cost=8,
)
pointwise(
    "exp2(self)", "Exp2Backward0", "exp2_kernel(self)", real="self", self="g * result * 0.6931471805599453",
    says="the derivative of 2^x is 2^x · ln 2", cost=8,
)
pointwise(
    "expm1(self)", "Expm1Backward0", "expm1_kernel(self)", real="self", self="g * (result + 1)",
    says="the derivative is e^x", cost=20, sparse=True,
)
log = pointwise(
    "log(self)", "LogBackward0", "log_kernel(self)", real="self", self="g / self", says="the derivative is 1/x", cost=8,
)
pointwise(
    "log2(self)", "Log2Backward0", "log2_kernel(self)", real="self", self="g / (self * 0.6931471805599453)",
    says="the derivative is 1/(x · ln 2)", cost=20,
)
pointwise(
    "log10(self)", "Log10Backward0", "log10_kernel(self)", real="self", self="g / (self * 2.3025850929940456)",
    says="the derivative is 1/(x · ln 10)", cost=20,
)
pointwise(
    "log1p(self)", "Log1PBackward0", "log1p_kernel(self)", real="self", self="g / (self + 1)",
    says="the derivative is 1/(1 + x)", cost=20, sparse=True,
)
pointwise(
    "logaddexp(self, other)", "LogaddexpBackward0", "logaddexp_values(self, other)", promote="self other",
    numbers=False, self="g / (1 + exp(other - self))", other="g / (1 + exp(self - other))", inplace=False,
    says="the derivative in each input is its share of the sum of exponentials", cost=20, handle_r_to_c=False,
    gradient_format="self other", refuses={"biu": "logaddexp_cpu"}, subtracts={"self": "other", "other": "self"},
    opmath="bfloat16",
)
pointwise(
    "logaddexp2(self, other)", "Logaddexp2Backward0", "np.logaddexp2(self, other)", promote="self other", numbers=False,
    self="g / (1 + 2 ** (other - self))", other="g / (1 + 2 ** (self - other))", inplace=False,
    says="the derivative in each input is its share of the sum of powers of two", cost=20, gradient_format="self other",
    refuses={"biuc": "logaddexp2_cpu"}, subtracts={"self": "other", "other": "self"}, opmath="bfloat16",
)
pointwise(
    "ldexp(self, other)", "LdexpBackward0", "self * power_of_two(other)", promote="self other", real="self other",
    numbers=False, self="g * pow_Scalar(2, other)", other="g * result * 0.6931471805599453",
    says="self · 2^other: derivative 2^other for the factor, result · ln 2 for the exponent", cost=50,
    handle_r_to_c=False,
    memory_format="preserve_self", refuses_inplace={"biu": "ldexp can't be cast to the desired output type {type}"},
    opmath="bfloat16",
)
pointwise(
    "logit(self, eps=None)", "LogitBackward0", "logit_kernel(self, eps)", real="self",
    self="logit_backward(g, self, eps)", says="the derivative of log(x/(1 − x)) is 1/(x · (1 − x))", cost=20,
    refuses={"c": "logit_cpu"},
)
sigmoid = pointwise(
    "sigmoid(self)", "SigmoidBackward0", "sigmoid_kernel(self)", real="self", self="sigmoid_backward(g, result)",
    says="the derivative is result · (1 − result), at most ¼", cost=8, memory_format="preserve", opmath="half",
)
pointwise(
    "sigmoid_backward(grad_output, output)", "SigmoidBackwardBackward0", "sigmoid_backward_kernel(grad_output, output)",
    grad_output="sigmoid_backward(g, output)", output="g * grad_output * (-2 * output + 1)", inplace=False,
    says="the second derivative of a sigmoid", opmath="bfloat16",
)

pointwise(
    "sin(self)", "SinBackward0", "sin_kernel(self)", real="self", self="g * cos(self)",
    says="the derivative of sin is cos",
    cost=20, sparse=True,
)
pointwise(
    "cos(self)", "CosBackward0", "cos_kernel(self)", real="self", self="g * -sin(self)",
    says="the derivative of cos is −sin", cost=20,
)
pointwise(
    "tan(self)", "TanBackward0", "tan_kernel(self)", real="self", self="g * (1 + result ** 2)",
    says="the derivative of tan is 1 + tan²", cost=20, sparse=True,
)
pointwise(
    "asin(self)", "AsinBackward0", "asin_kernel(self)", real="self", self="g * rsqrt(-self * self + 1)",
    says="the derivative is 1/√(1 − x²)", cost=20, sparse=True,
)
pointwise(
    "acos(self)", "AcosBackward0", "acos_kernel(self)", real="self", self="g * -rsqrt(-self * self + 1)",
    says="the derivative is −1/√(1 − x²)", cost=20,
)
pointwise(
    "atan(self)", "AtanBackward0", "atan_kernel(self)", real="self", self="g / (self * self + 1)",
    says="the derivative is 1/(1 + x²)", cost=20, sparse=True,
)
pointwise(
    "atan2(self, other)", "Atan2Backward0", "wide_atan2(self, other)", promote="self other", real="self other",
    numbers=False, self="g * other * square_reciprocal(self, other)",
    other="g * -self * square_reciprocal(self, other)",
    says="the angle turns with the side-step over the squared distance", cost=20, workspace=3, backward_cost=2,
    gradient_format="self other", gradient_follows="operands", refuses={"c": "atan2_cpu"}, opmath="bfloat16",
)
pointwise(
    "sinh(self)", "SinhBackward0", "sinh_kernel(self)", real="self", self="g * cosh(self)",
    says="the derivative of sinh is cosh", cost=20, sparse=True,
)
pointwise(
    "cosh(self)", "CoshBackward0", "cosh_kernel(self)", real="self", self="g * sinh(self)",
    says="the derivative of cosh is sinh", cost=20,
)
tanh = pointwise(
    "tanh(self)", "TanhBackward0", "tanh_kernel(self)", real="self", self="tanh_backward(g, result)",
    says="the derivative is 1 − result²", cost=8, sparse=True,
)
pointwise(
    "tanh_backward(grad_output, output)", "TanhBackwardBackward0", "tanh_backward_kernel(grad_output, output)",
    grad_output="tanh_backward(g, output)", output="g * (-2 * output * grad_output)", inplace=False,
    says="the second derivative of tanh", opmath="bfloat16",
)
pointwise(
    "asinh(self)", "AsinhBackward0", "asinh_kernel(self)", real="self", self="g * rsqrt(self ** 2 + 1)",
    inplace="AsinhBackward1",
    says="the derivative is 1/√(x² + 1)", cost=20, sparse=True, inplace_grad=False,
)
pointwise(
    "acosh(self)", "AcoshBackward0", "acosh_kernel(self)", real="self", self="g * rsqrt(self * self - 1)",
    inplace="AcoshBackward1",
    says="the derivative is 1/√(x² − 1)", cost=20, inplace_grad=False,
)
pointwise(
    "atanh(self)", "AtanhBackward0", "atanh_kernel(self)", real="self", self="g * 1 / (1 - self ** 2)",
    inplace="AtanhBackward1",
    says="the derivative is 1/(1 − x²)", cost=20, sparse=True, inplace_grad=False,
)
pointwise(
    "sinc(self)", "SincBackward0", "np.sinc(self)", real="self", self="sinc_backward(g, self)",
    says="the derivative of sin(πx)/(πx)", cost=50, backward_cost=1, opmath="half",
)
pointwise(
    "deg2rad(self)", "Deg2RadBackward0", "self * 0.017453292519943295", real="self", self="g * 0.017453292519943295",
    says="the derivative is π/180", refuses={"c": "deg2rad is not supported for complex tensors."}, opmath="half",
    sparse=True,
)
pointwise(
    "rad2deg(self)", "Rad2DegBackward0", "self * 57.29577951308232", real="self", self="g * 57.29577951308232",
    says="the derivative is 180/π", refuses={"c": "rad2deg is not supported for complex tensors."}, opmath="half",
    sparse=True,
)
pointwise(
    "angle(self)", "AngleBackward0", "angle_kernel(self)",
    real="self",
    self="angle_backward(g, self)", inplace=False, says="the angle of a real number is a step: its derivative is 0",
    cost=20,
    memory_format="preserve",
)

FLAT = "a step is flat: its derivative is 0"
pointwise(
    "floor(self)", "FloorBackward0", "whole(self, np.floor)", self="zero_like(g)", says=FLAT,
    refuses={"b": "floor_vml_cpu", "c": "floor is not supported for complex inputs"}, sparse=True,
)
pointwise(
    "ceil(self)", "CeilBackward0", "whole(self, np.ceil)", self="zero_like(g)", says=FLAT,
    refuses={"b": "ceil_vml_cpu", "c": "ceil is not supported for complex inputs"}, sparse=True,
)
pointwise(
    "trunc(self)", "TruncBackward0", "whole(self, np.trunc)", self="zero_like(g)", says=FLAT,
    refuses={"b": "trunc_vml_cpu", "c": "trunc is not supported for complex inputs"}, sparse=True,
)
pointwise(
    "round(self)", "RoundBackward0", "whole(self, np.rint)", self="zero_like(g)", says=FLAT,
    refuses={"bc": "round_vml_cpu"},
)
pointwise(
    "round.decimals(self, *, decimals)", "RoundBackward1", "np.round(self, decimals)", self="zero_like(g)", says=FLAT,
    cost=20, memory_format="preserve", refuses={"biuc": "round_cpu"}, opmath="bfloat16",
)
pointwise(
    "frac(self)", "FracBackward0", "self - np.trunc(self)", self="g",
    says="between its jumps the fraction grows with its input: the derivative is 1", refuses={"biuc": "frac_cpu"},
)

pointwise(
    "clamp(self, min=None, max=None)", "ClampBackward1", "clamp_kernel(self, min, max)",
    self="where(inside(self, min, max), g, 0.0)",
    tex=r"\begin{cases} g & \text{inside} \\ 0 & \text{outside} \end{cases}",
    says="inside the bounds the derivative is 1, outside nothing passes",
    refuses={"c": "clamp is not supported for complex types"}, names_cpp_type=True, opmath="bfloat16",
)
pointwise(
    "clamp.Tensor(self, min=None, max=None)", "ClampBackward0", "clamp_kernel(self, min, max)", promote="self min max",
    self="where(inside(self, min, max), g, 0.0)",
    min="where(below(self, min, max), g, 0.0)", max="where(above(self, min, max), g, 0.0)",
    says="the gradient goes to whichever of input and bounds became the result", gradient_format="self min max",
)
pointwise(
    "clamp_min(self, min: Scalar)", "ClampMinBackward0", "clamp_kernel(self, min, None)",
    self="where(self >= min, g, 0.0)", says="at or above the bound the derivative is 1, below it nothing passes",
    refuses={"c": "clamp is not supported for complex types"}, names_cpp_type=True, opmath="bfloat16",
)
pointwise(
    "clamp_max(self, max: Scalar)", "ClampMaxBackward0", "clamp_kernel(self, None, max)",
    self="where(self <= max, g, 0.0)", says="at or below the bound the derivative is 1, above it nothing passes",
    refuses={"c": "clamp is not supported for complex types"}, names_cpp_type=True, opmath="bfloat16",
)
pointwise(
    "clamp_min.Tensor(self, min)", "ClampMinBackward1", "np.maximum(self, min)", promote="self min",
    self="where(self >= min, g, 0.0)", min="where(self < min, g, 0.0)",
    says="the gradient goes to whichever of input and bound became the result", gradient_format="self min",
    refuses={"c": "maximum_cpu"},
)
pointwise(
    "clamp_max.Tensor(self, max)", "ClampMaxBackward1", "np.minimum(self, max)", promote="self max",
    self="where(self <= max, g, 0.0)", max="where(self > max, g, 0.0)",
    says="the gradient goes to whichever of input and bound became the result", gradient_format="self max",
    refuses={"c": "minimum_cpu"},
)
where = pointwise(
    "where(condition: Tensor, self, other)", "WhereBackward0", "where_kernel(condition, self, other)",
    promote="self other", self="where(condition, g, 0.0)", other="where(condition, 0.0, g)", inplace=False,
    says="the gradient goes to the input that was chosen, element by element", cost=8, workspace=3, handle_r_to_c=False,
    formula_format="preserve",
)
pointwise(
    "nan_to_num(self, nan=None, posinf=None, neginf=None)", "NanToNumBackward0",
    "nan_to_num_kernel(self, nan, posinf, neginf)", self="g * finite(self)",
    says="nothing passes where a value was replaced", cost=20, complex_grad=False, opmath="bfloat16",
)

pointwise(
    "nextafter(self, other)", "NextafterBackward0", "np.nextafter(self, other)", promote="self other", numbers=False,
    self="where(differs(self, other), g, 0.0)", other="new_zeros(g, g.shape)",
    says="the next number toward another moves with the first", cost=50, workspace=4, gradient_format="self",
    refuses={"biuc": "nextafter_cpu"},
)
pointwise(
    "frexp(self)", "FrexpBackward0", "mantissa_and_exponent(self)", outputs="mantissa exponent!",
    self="g / power_of_two(exponent)", inplace=False, says="the derivative of x/2^e is 1/2^e", keeps_bdim=False,
    cost=50,
    workspace=3,
)

@rule
def differs(self: Any, other: Any) -> Any:
    return self != other


@rule
def power_of_two(exponent: Any) -> Any:
    """2^exponent, which does not require grad."""
    if not isinstance(exponent, Tensor):
        return np.exp2(exponent)
    return constant(np.exp2(exponent._array))


@rule
def inside(self: Any, low: Any, high: Any) -> Any:
    if low is None:
        return self <= high
    return self >= low if high is None else (self >= low) & (self <= high)


@rule
def below(self: Any, low: Any, high: Any) -> Any:
    """Where the lower bound became the result."""
    return self < low if high is None else (low < high) & (self < low)


@rule
def above(self: Any, low: Any, high: Any) -> Any:
    """Where the upper bound became the result."""
    return self > high if low is None else (self > high) | (high < low)


@rule
def finite(self: Any) -> Any:
    if not isinstance(self, Tensor):
        return np.isfinite(self)
    return constant(np.isfinite(self._array))


@rule
def logit_backward(g: Any, self: Any, eps: float | None) -> Any:
    if eps is not None and eps < 0:
        eps = None
    low = 0.0 if eps is None else eps
    if not isinstance(self, Tensor):
        self = self + self.dtype.type(0)  # no negative zeros
    return where((self >= low) & (self <= 1.0 - low), g / (self * (1 - self)), math.nan if eps is None else 0.0)


@rule
def square_reciprocal(self: Any, other: Any) -> Any:
    """1/(self² + other²), and 0 at the origin."""
    squared = self * self + other * other
    return ops.masked_fill_Scalar(ops.reciprocal(squared), squared == 0, 0)


@rule
def sinc_backward(g: Any, self: Any) -> Any:
    turns = self * math.pi
    squared = self * self * math.pi
    sine = ops.sin(turns)
    return where(squared == 0.0, 0.0, g * ((turns * ops.cos(turns) - sine) / squared))
