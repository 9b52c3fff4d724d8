"""Sums, products, powers, and their relatives.

Operands of `promote` take a common dtype as PyTorch's rules say; `real` makes integers floating point.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import pointwise, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant

add = pointwise(
    "add(self, other, *, alpha: Scalar = 1)", "AddBackward0",
    "self + other if alpha == 1 else plus_multiple(self, other, alpha)", promote="self other",
    self="g", other="g if alpha == 1 else g * alpha",
    says="addition passes the gradient on unchanged: its derivative is 1 in both inputs", sparse=True,
    fast_inplace="integral",
)
pointwise(
    "add.Scalar(self, other: Scalar)", "AddBackward1", "self + other", promote="self other", self="g", inplace=False,
    says="adding a number passes the gradient on unchanged", keeps_bdim=False,
)
sub = pointwise(
    "sub(self, other, *, alpha: Scalar = 1)", "SubBackward0",
    "self - other if alpha == 1 else plus_multiple(self, other, -alpha)",
    promote="self other", bools=False, self="g", other="-g if alpha == 1 else -g * alpha",
    says="the derivative is 1 in the first input, −1 in the second", sparse=True, fast_inplace="integral",
)
pointwise(
    "sub.Scalar(self, other: Scalar)", "SubBackward1", "self - other", promote="self other", self="g",
    says="subtracting a number passes the gradient on unchanged", keeps_bdim=False,
)
pointwise(
    "rsub(self, other, *, alpha: Scalar = 1)", "RsubBackward0",
    "other - self if alpha == 1 else plus_multiple(other, self, -alpha)",
    promote="self other", bools=False, self="-g if alpha == 1 else -g * alpha", other="g", inplace=False,
    says="the first input is subtracted from the second: derivatives −1 and 1", swapped=True,
)
pointwise(
    "rsub.Scalar(self, other: Scalar, alpha: Scalar = 1)", "RsubBackward1",
    "other - self if alpha == 1 else plus_multiple(other, self, -alpha)", promote="self other", bools=False,
    self="-g if alpha == 1 else -g * alpha", inplace=False,
    says="a number minus the input: the derivative is −1", swapped=True,
)
neg = pointwise(
    "neg(self)", "NegBackward0", "negated(self) if self.dtype.kind == 'c' else -self", bools=False, self="-g",
    says="the derivative is −1", sparse=True, fast_inplace="floating",
)

mul = pointwise(
    "mul(self, other)", "MulBackward0", "self * other", promote="self other",
    self="g * other", other="g * self",
    says="the derivative in each input is the other input", gradient_format="self other", gradient_follows="factor",
    wrapped_number="factors", sparse=True, fast_inplace="integral",
)
pointwise(
    "mul.Scalar(self, other: Scalar)", "MulBackward1", "self * other", self="g * other",
    says="the derivative is the number it was multiplied by", keeps_bdim=False, sparse=True, fast_inplace="floating",
    opmath="bfloat16",
)
div = pointwise(
    "div(self, other)", "DivBackward0", "self / other", promote="self other", real="self other",
    self="g / other", other="-g * (self / other / other)",
    says="in the numerator the derivative is 1/denominator; in the denominator −numerator/denominator²",
    gradient_format="self other", gradient_follows="factor", wrapped_number="quotient", sparse=True,
    fast_inplace="floating",
)
pointwise(
    "div.Scalar(self, other: Scalar)", "DivBackward1", "self / other", real="self", self="g / other", inplace=False,
    says="the derivative is 1 over the number it was divided by", keeps_bdim=False, sparse=True, opmath="bfloat16",
)
pointwise(
    "div.Tensor_mode(self, other, *, rounding_mode)", "DivBackward2", "rounded_quotient(self, other, rounding_mode)",
    promote="self other", self="g / other if rounding_mode is None else zero_like(g)",
    other="-g * (self / other / other) if rounding_mode is None else zero_like(g)",
    says="a rounded quotient is flat between its steps, so its derivative is 0", cost=20,
)
pointwise(
    "floor_divide(self, other)", "NotImplemented", "floor_quotient(self, other)", promote="self other",
    self="underivable('floor_divide')", other="underivable('floor_divide')",
    says="PyTorch has no gradient for it", cost=20, refuses={"bc": "div_floor_cpu"},
)
pointwise(
    "floor_divide.Scalar(self, other: Scalar)", "NotImplemented", "floor_quotient(self, other)", promote="self other",
    self="underivable('floor_divide')", says="PyTorch has no gradient for it", keeps_bdim=False, cost=20,
    refuses={"c": "div_floor_cpu"},
)
pointwise(
    "floor_divide.Scalar_Tensor(self: Scalar, other)", "NotImplemented", "floor_quotient(self, other)",
    promote="self other", other="underivable('floor_divide')", inplace=False, says="PyTorch has no gradient for it",
    keeps_bdim=False, cost=20,
)
pointwise(
    "remainder(self, other)", "RemainderBackward1", "modulo(self, other)", promote="self other",
    self="g", other="-g * div_Tensor_mode(self, other, rounding_mode='floor')",
    says="self − ⌊self/other⌋·other: the derivative in the first input is 1", cost=20, gradient_format="other",
    refuses={"bc": "remainder_cpu"},
)
pointwise(
    "remainder.Scalar(self, other: Scalar)", "RemainderBackward0", "modulo(self, other)", promote="self other",
    self="g",
    says="between its jumps the remainder grows with its input: the derivative is 1", cost=20,
    refuses={"c": "remainder_cpu"},
)
pointwise(
    "remainder.Scalar_Tensor(self: Scalar, other)", "NotImplemented", "modulo(self, other)", promote="self other",
    other="underivable('remainder')", inplace=False, says="PyTorch has no gradient for it", keeps_bdim=False, cost=20,
)
pointwise(
    "fmod(self, other)", "FmodBackward1", "truncated_modulo(self, other)", promote="self other",
    self="g", other="-g * div_Tensor_mode(self, other, rounding_mode='trunc')",
    says="self − trunc(self/other)·other: the derivative in the first input is 1", cost=20, gradient_format="other",
    refuses={"bc": "fmod_cpu"},
)
pointwise(
    "fmod.Scalar(self, other: Scalar)", "FmodBackward0", "truncated_modulo(self, other)", promote="self other",
    self="g",
    says="between its jumps the remainder grows with its input: the derivative is 1", cost=20,
    refuses={"c": "fmod_cpu"},
)
pointwise(
    "addcmul(self, tensor1, tensor2, *, value: Scalar = 1)", "AddcmulBackward0",
    "fused(tensor1 if value == 1 else value * tensor1, tensor2, self)",
    promote="self tensor1 tensor2", numbers=False,
    self="g", tensor1="g * (tensor2 * value)", tensor2="g * (tensor1 * value)",
    says="a sum and a product in one: 1 for the summand, value times the other factor for each factor",
    gradient_format="tensor1 tensor2", refuses={"b": "addcmul_cpu_out"}, converts="value", opmath="half",
    fast_inplace="floating",
)
pointwise(
    "addcdiv(self, tensor1, tensor2, *, value: Scalar = 1)", "AddcdivBackward0",
    "self + (tensor1 if value == 1 else value * tensor1) / tensor2",
    promote="self tensor1 tensor2", numbers=False,
    self="g", tensor1="g * (value / tensor2)", tensor2="-g * (value * tensor1 / (tensor2 * tensor2))",
    says="a sum and a quotient in one", gradient_format="tensor1 tensor2", converts="value", opmath="half",
    divides={"tensor1": "tensor2"}, fast_inplace="floating",
)
reciprocal = pointwise(
    "reciprocal(self)", "ReciprocalBackward0", "1 / self", real="self", self="-g * (result * result)",
    says="the derivative of 1/x is −1/x², the result squared",
)

power_number = pointwise(
    "pow.Tensor_Scalar(self, exponent: Scalar)", "PowBackward0", "power(self, exponent)",
    self="zero_like(g) if exponent == 0 else g * (exponent * self ** (exponent - 1))",
    says="the power rule: exponent · x^(exponent − 1)", cost=20, sparse=True,
)
power_tensor = pointwise(
    "pow.Tensor_Tensor(self, exponent)", "PowBackward1", "power_of(self, exponent)", promote="self exponent",
    self="where(exponent == 0.0, 0.0, g * (exponent * self ** (exponent - 1)))",
    exponent="g * where(zero_to(self, exponent), 0.0, result * log(base_of(self, result)))",
    tex=("", r"g \cdot \operatorname{where}\left(x = 0 \land n \ge 0, 0, \mathrm{out} \cdot \log\left(x\right)\right)"),
    says="the power rule in the base; in the exponent, the result times log of the base", cost=20, backward_cost=1,
    gradient_format="exponent", subtracts={"self": "exponent"},
)
number_power = pointwise(
    "pow.Scalar(self: Scalar, exponent)", "PowBackward2", "power_of(self, exponent)", promote="self exponent",
    exponent="pow_backward_exponent(g, self, exponent, result)", inplace=False,
    says="the derivative of an exponential is itself times log of its base",
    tex=r"g\,\log(\mathrm{self})\,\mathrm{result}",
    keeps_bdim=False, cost=20, memory_format="contiguous", wrapped_number="kept",
)
sqrt = pointwise(
    "sqrt(self)", "SqrtBackward0", "np.sqrt(self)", real="self", self="g / (2 * result)",
    says="the derivative of a root is 1/(2·root): steep near 0, infinite at 0", cost=8, sparse=True,
    fast_inplace="floating",
)
rsqrt = pointwise(
    "rsqrt(self)", "RsqrtBackward0", "reciprocal_root(self)", real="self", self="-0.5 * g * result ** 3",
    says="the derivative of 1/√x is −½ of its cube", cost=8,
)
pointwise(
    "hypot(self, other)", "HypotBackward0", "np.hypot(self, other)", promote="self other", numbers=False,
    self="g * self / result", other="g * other / result",
    says="the length of a vector: each derivative is the component over the length", cost=20,
    gradient_format="self other",
    refuses={"biuc": "hypot_cpu"}, opmath="bfloat16",
)

absolute = pointwise(
    "abs(self)", "AbsBackward0", "size_kernel(self)", self="g * sgn(self)",
    says="the derivative is the sign: 1 right of 0, −1 left of it, 0 at 0",
    says_of_complex="the derivative points away from 0: the number over its size, 0 at 0", memory_format="preserve",
    refuses_inplace={"c": "In-place abs is not supported for complex tensors."}, sparse=True,
)
pointwise(
    "sgn(self)", "SgnBackward0", "sign_kernel(self)", self="sgn_backward(g, self, result)",
    says="a step is flat: its derivative is 0", cost=20, wirtinger=True,
    says_of_complex="only what turns the number counts: its size changes nothing", sparse=True, opmath="bfloat16",
)
pointwise(
    "sign(self)", "SignBackward0", "sign_kernel(self)", self="zero_like(g)", says="a step is flat: its derivative is 0",
    refuses={"c": "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead."},
    sparse=True, opmath="bfloat16",
)
pointwise(
    "copysign(self, other)", "CopysignBackward0", "np.copysign(self, other)", promote="self other", real="self other",
    numbers=False, self="copysign_backward(g, self, result)", other="new_zeros(g, g.shape)",
    says="the derivative is 1 where the sign was kept, −1 where it was turned", cost=50, refuses={"c": "copysign_cpu"},
)
pointwise(
    "copysign.Scalar(self, other: Scalar)", "CopysignBackward1", "np.copysign(self, float(other)).astype(self.dtype)",
    real="self", self="copysign_backward(g, self, result)",
    says="the derivative is 1 where the sign was kept, −1 where it was turned",
)

@rule
def filled(g: Any, mask: Any) -> Any:
    """Zeros where the mask is true, in the memory of `g`."""
    if isinstance(g, Tensor):
        return ops.masked_fill_Scalar(g, mask, 0)
    return np.where(mask, g.dtype.type(0), g)[()]


pointwise(
    "maximum(self, other)", "MaximumBackward0", "np.maximum(self, other)", promote="self other", numbers=False,
    self="filled(where(self == other, g / 2, g), self < other)",
    other="filled(where(self == other, g / 2, g), self > other)", inplace=False,
    says="the gradient goes to the larger input; a tie is shared equally", gradient_format="self other",
    gradient_follows="operands", refuses={"c": "maximum not implemented for complex tensors."},
)
pointwise(
    "minimum(self, other)", "MinimumBackward0", "np.minimum(self, other)", promote="self other", numbers=False,
    self="filled(where(self == other, g / 2, g), self > other)",
    other="filled(where(self == other, g / 2, g), self < other)", inplace=False,
    says="the gradient goes to the smaller input; a tie is shared equally", gradient_format="self other",
    gradient_follows="operands", refuses={"c": "minimum not implemented for complex tensors."},
)
pointwise(
    "fmax(self, other)", "FmaxBackward0", "np.fmax(self, other)", promote="self other", numbers=False,
    self="masked_fill_Scalar(g, ~((self >= other) | (other != other)), 0)",
    other="masked_fill_Scalar(g, (self >= other) | (other != other), 0)", inplace=False,
    says="the gradient goes to the larger input; NaN never wins",
    refuses={"c": "fmax not implemented for complex tensors."},
)
pointwise(
    "fmin(self, other)", "FminBackward0", "np.fmin(self, other)", promote="self other", numbers=False,
    self="masked_fill_Scalar(g, ~((self <= other) | (other != other)), 0)",
    other="masked_fill_Scalar(g, (self <= other) | (other != other), 0)", inplace=False,
    says="the gradient goes to the smaller input; NaN never wins",
    refuses={"c": "fmin not implemented for complex tensors."},
)
pointwise(
    "lerp.Scalar(self, end, weight: Scalar)", "LerpBackward0", "interpolate(self, end, weight)", promote="self end",
    numbers=False, self="g * (1 - weight)", end="g * weight",
    says="between two points: derivative 1 − weight for the start, weight for the end", cost=20,
    refuses={"biu": "lerp_kernel_scalar"}, converts="weight", opmath="half", fast_inplace="floating",
)
pointwise(
    "lerp.Tensor(self, end, weight)", "LerpBackward1", "interpolate(self, end, weight)", promote="self end weight",
    numbers=False, self="g * (1 - weight)", end="g * weight", weight="g * (end - self)",
    says="between two points: derivative 1 − weight for the start, weight for the end, their distance for the weight",
    cost=20, workspace=3, gradient_format="self end weight", refuses={"biu": "lerp_kernel_tensor"},
    opmath="half",
)

@rule
def zero_like(g: Any) -> Any:
    """Zeros that do not require grad."""
    if not isinstance(g, Tensor):
        return np.zeros_like(g)[()]
    return constant(np.zeros_like(g._array)[()])


@rule
def underivable(name: str) -> None:
    raise errors.not_differentiable(name)


@rule
def zero_to(base: Any, exponent: Any) -> Any:
    """Where a power of 0 does not depend on its exponent."""
    return (base == 0) & not_negative(exponent)


@rule
def not_negative(x: Any) -> Any:
    """Where numbers are ≥ 0; complex ones, if they lie on the real axis."""
    array = x._array if isinstance(x, Tensor) else x
    if array.dtype.kind != "c":
        return x >= 0
    mask = (array.imag == 0) & (array.real >= 0)
    return constant(mask) if isinstance(x, Tensor) else mask


@rule
def base_of(base: Any, result: Any) -> Any:
    """The base in the type of its power."""
    kind = (result._array if isinstance(result, Tensor) else result).dtype
    return ops.to_dtype(base, kind) if kind.kind == "c" else base


@rule
def pow_backward_exponent(g: Any, base: Any, exponent: Any, result: Any) -> Any:
    if isinstance(base, complex) or (exponent._array if isinstance(exponent, Tensor) else exponent).dtype.kind == "c":
        slope = result * (complex(-math.inf) if base == 0 else cmath.log(base))
    else:
        slope = result * (-math.inf if base == 0 else math.log(base) if base > 0 else math.nan)
    return g * ops.where(not_negative(exponent), 0.0, slope) if base == 0 else g * slope


@rule
def copysign_backward(g: Any, self: Any, result: Any) -> Any:
    return g * ops.masked_fill_Scalar(result / self, self == 0, 0)
