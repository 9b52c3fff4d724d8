"""Activations as users call them: `torch.nn.functional` with its in-place flags, and those made of other ops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.batching.level import draws
from engine.codegen.publish import FUNCTIONAL, TORCH, public, publish
from engine.composites.to_python import cast
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels import random
from engine.types import dtypes, shapes
from engine.types.bfloat16 import BFLOAT16

SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805


publish("method torch", "relu")
FUNCTIONAL["relu_"] = TORCH["relu_"]


@public("nn")
def relu6(input: Tensor, inplace: bool = False) -> Any:
    """x within [0, 6]."""
    return hardtanh(input, 0, 6, inplace)


@public("nn")
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """x within bounds."""
    if min_val > max_val:
        raise errors.hardtanh_bounds()
    return (ops.hardtanh_ if inplace else ops.hardtanh)(input, *_bounds(input, min_val, max_val))


def _bounds(input: Tensor, low: float, high: float) -> tuple[float, float]:
    """The bounds in the type of the input."""
    return (int(low), int(high)) if isinstance(input, Tensor) and input._array.dtype.kind in "iu" else (low, high)


@public("nn", "hardtanh_")
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """In-place `hardtanh`."""
    return ops.hardtanh_(input, *_bounds(input, min_val, max_val))


@public("nn torch", "threshold")
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Any:
    """x above the threshold, elsewhere `value`."""
    return (_threshold_ if inplace else ops.threshold)(input, *_converted(input, threshold, value))


def _converted(input: Tensor, *numbers: Any) -> tuple[Any, ...]:
    """Numbers as a kernel of whole numbers takes them; RuntimeError for those that the type of `input` cannot hold."""
    kind = input._array.dtype
    if kind.kind not in "iufV" or any(isinstance(x, complex) for x in numbers):
        return numbers
    if kind.char == "e":  # which compares in float32
        dtypes.cast_number(numbers[1], kind, scalar=True)
        return numbers
    held = [dtypes.cast_number(x, kind, scalar=True) for x in numbers]
    return numbers if kind.kind in dtypes.FLOATING else tuple([int(x) for x in held])


@public("nn torch", "threshold_")
def _threshold_(input: Tensor, threshold: float, value: float) -> Any:
    """In-place `threshold`."""
    return ops.threshold_(input, *_converted(input, threshold, value))


@public("nn")
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """x right of 0, `negative_slope`·x left of it."""
    return (ops.leaky_relu_ if inplace else ops.leaky_relu)(input, negative_slope)


@public("nn", "leaky_relu_")
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    """In-place `leaky_relu`."""
    return leaky_relu(input, negative_slope, True)


@public("nn torch method")
def prelu(input: Tensor, weight: Tensor) -> Any:
    """x right of 0, weight·x left of it; one weight, or one per channel."""
    if weight._array.dtype != input._array.dtype:
        raise errors.prelu_dtypes(input.dtype.type_name, weight.dtype.type_name)
    count = int(weight._array.size)
    if count != 1 and not input.ndim:
        raise errors.prelu_scalar()
    channels = input.shape[1] if input.ndim > 1 else 1
    if count not in (1, channels):
        raise errors.prelu_weights(count, channels)
    size = tuple(count if axis == 1 else 1 for axis in range(input.ndim))
    return ops._prelu_kernel(input, weight if weight.shape == size else ops.view(weight, size))


@public("nn torch")
def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Any:
    """x right of 0, left of it x times a number drawn for each element (their mean when not training)."""
    for name, bound in (("lower", lower), ("upper", upper)):
        if isinstance(bound, complex):
            raise errors.conversion_overflow("double")
        if not math.isfinite(bound):
            raise errors.rrelu_bound(name, bound)
    if lower > upper:
        raise errors.rrelu_bounds()
    row = ops.rrelu_with_noise_ if inplace else ops.rrelu_with_noise
    if training:
        return _with_drawn_noise(row, input, lower, upper)
    return row(input, constant(np.ones_like(input._array)), lower, upper, False)


@draws()
def _with_drawn_noise(row: Any, input: Tensor, lower: float, upper: float) -> Any:
    kind = input._array.dtype
    if kind.char not in "fdE":
        raise errors.not_implemented_for("rrelu_with_noise_out_cpu", input.dtype.type_name)
    negative = np.asarray(input._array) <= 0
    drawn = random.default_generator.uniform((int(negative.sum()),), lower, upper, np.dtype(np.float64))
    noise = np.ones(negative.shape, np.float32 if kind == BFLOAT16 else kind)  # PyTorch does not round this factor
    noise[negative] = drawn
    return row(input, constant(noise[()]), lower, upper, True)


@public("nn torch", "rrelu_")
def rrelu_(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Any:
    """In-place `rrelu`."""
    return rrelu(input, lower, upper, training, True)


@public("nn")
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """x right of 0, alpha·(e^x − 1) left of it."""
    return (ops.elu_ if inplace else ops.elu)(input, alpha)


@public("nn", "elu_")
def elu_(input: Tensor, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> Any:
    """In-place `elu`, scaled before and after."""
    return ops.elu_(input, alpha, scale, input_scale)


@public("nn torch")
def selu(input: Tensor, inplace: bool = False) -> Any:
    """`elu` with the constants that keep mean 0 and variance 1."""
    return (ops.elu_ if inplace else ops.elu)(input, SELU_ALPHA, SELU_SCALE)


@public("nn torch", "selu_")
def selu_(input: Tensor) -> Any:
    """In-place `selu`."""
    return selu(input, True)


@public("nn torch")
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """x right of 0, alpha·(e^(x/alpha) − 1) left of it."""
    if inplace:
        check_inplace(input, input.requires_grad)
        if isinstance(alpha, complex):
            raise errors.conversion_overflow("double")
    if alpha == 0:
        raise errors.celu_alpha()
    return (ops.celu_ if inplace else ops.celu)(input, alpha)


@public("nn torch", "celu_")
def celu_(input: Tensor, alpha: float = 1.0) -> Any:
    """In-place `celu`."""
    return celu(input, alpha, True)


publish("nn", "gelu", inplace=False)
publish("nn", "log_sigmoid", names="logsigmoid", inplace=False)
publish("nn torch method", "hardshrink", inplace=False)
publish("nn", "softplus", "glu", inplace=False)


@public("nn")
def softshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """x moved toward 0 by `lambd`, 0 within it."""
    if input._array.dtype.kind in dtypes.FLOATING:
        largest = dtypes.finfo(input.dtype).max
        if not 0 <= lambd <= largest:
            raise errors.softshrink_bound(lambd, largest, input.dtype.type_name)
    return ops.softshrink(input, lambd)


def _switched(name: str, doc: str) -> None:
    row, write = getattr(ops, name), getattr(ops, f"{name}_")

    @public("nn", name, doc=doc)
    def function(input: Tensor, inplace: bool = False) -> Any:
        return write(input) if inplace else row(input)


_switched("relu", "max(x, 0).")
_switched("silu", "x · sigmoid(x).")
_switched("mish", "x · tanh(softplus(x)).")
_switched("hardsigmoid", "x/6 + ½, within [0, 1].")
_switched("hardswish", "x · hardsigmoid(x).")


@public("nn")
def softsign(input: Tensor) -> Any:
    """x / (1 + |x|)."""
    return ops.div(input, ops.add(ops.abs(input), 1))


@public("nn")
def tanhshrink(input: Tensor) -> Any:
    """x − tanh(x)."""
    return ops.sub(input, ops.tanh(input))


def _softmax_dim(name: str, dim: int | None, ndim: int) -> int:
    """The dimension PyTorch guesses when none is given, with a warning."""
    if dim is not None:
        return shapes.integer(dim)
    errors.warn_implicit_dim(name)
    return 0 if ndim in (0, 1, 3) else 1


def _in_dtype(input: Any, dtype: Any, function: str) -> Tensor:
    if not isinstance(input, Tensor):
        raise errors.argument_type(function, "input", 1, "Tensor", input)
    return input if dtype is None else cast(input, dtypes.asked(dtype).np)


@public("method torch special", "softmax")
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """e^x over the sum of e^x along a dimension."""
    return ops.softmax(_in_dtype(input, dtype, "softmax"), shapes.integer(dim))


@public("method torch special", "log_softmax")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """The logarithm of `softmax`, computed without overflow."""
    return ops.log_softmax(_in_dtype(input, dtype, "log_softmax"), shapes.integer(dim))


@public("nn", "softmax")
def functional_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """`torch.softmax`, guessing the dimension."""
    if dim.__class__ is int and dtype is None and isinstance(input, Tensor):
        return ops.softmax(input, dim)
    return softmax(input, _softmax_dim("softmax", dim, input.ndim), dtype)


@public("nn", "log_softmax")
def functional_log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """`torch.log_softmax`, guessing the dimension."""
    return log_softmax(input, _softmax_dim("log_softmax", dim, input.ndim), dtype)


@public("nn")
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """`softmax` of −x."""
    return softmax(ops.neg(input), _softmax_dim("softmin", dim, input.ndim), dtype)


@public("nn")
@draws()
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """A random choice that can be differentiated: softmax of logits plus Gumbel noise."""
    if logits.is_sparse:
        raise errors.sparse_unavailable("gumbel_softmax()")
    drawn = random.default_generator.exponential(logits._array.shape, 1.0, logits._array.dtype)
    soft = softmax(ops.div(ops.add(logits, constant(-np.log(drawn))), tau), dim)
    if not hard:
        return soft
    best = ops.max_dim(soft, dim, True)[1]
    chosen = ops.scatter_value(constant(np.zeros_like(logits._array)), dim, best, 1.0)
    return ops.add(ops.sub(chosen, soft.detach()), soft)
