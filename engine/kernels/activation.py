"""Activations and their gradients, rounded as PyTorch rounds them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.exp import vector_exp
from engine.kernels.memory_format import alike
from engine.kernels.names import kernel
from engine.kernels.pointwise import (
    erf_values,
    exp_values,
    expm1_values,
    log1p_values,
    pairs_exp,
    sigmoid_kernel,
    tanh_values,
)
from engine.kernels.rounding import fused
from engine.kernels.sparse import masked_product
from engine.kernels.summation import zero_dim
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, SHORT, in_single
from engine.types.coo import Coo
from engine.types.shapes import wrap_dim

ROOT_HALF = math.sqrt(0.5)
BELL = 1 / math.sqrt(2 * math.pi)
TANH_SCALE = math.sqrt(2 / math.pi)
TANH_CUBIC = 0.044715
LARGE = 1 << 12
"""Above so many elements the passes over an array cost more than the calls."""


def choose(condition: Any, a: Any, b: Any, like: Any) -> Any:
    """`where` whose result has the dtype of `like`."""
    out = np.where(condition, a, b)
    return (out if out.dtype == like.dtype else out.astype(like.dtype))[()]


_BITS = {np.dtype(np.float32): np.dtype(np.int32), np.dtype(np.float64): np.dtype(np.int64)}


def passed(mask: Any, g: Any) -> Any:
    """`g` where the mask is set, elsewhere 0: multiplying its bits costs a third of choosing, and NaN does not leak."""
    bits = _BITS.get(g.dtype)
    if bits is None:
        return choose(mask, g, 0, g)
    return (g.view(bits) * mask).view(g.dtype)


@kernel
def relu_kernel(a: Any) -> Any:
    if a.dtype.kind == "b":
        raise errors.relu_bool()
    if a.size > LARGE and type(a) is not Coo and a.flags.c_contiguous:
        return np.maximum(np.zeros(a.shape, a.dtype), a)  # two arrays take vector instructions, a number does not
    return np.maximum(a.dtype.type(0), a)  # of equals it returns the second: PyTorch keeps negative zeros, too


@kernel
def threshold_kernel(a: Any, threshold: float, value: float) -> Any:
    return choose(a <= threshold, value, a, a)


@kernel
def threshold_backward_kernel(g: Any, a: Any, threshold: float) -> Any:
    if type(a) is Coo or type(g) is Coo:
        return masked_product(g, a, threshold)
    return passed(~(a <= threshold), g)


@kernel
def hardtanh_backward_kernel(g: Any, a: Any, low: float, high: float) -> Any:
    return passed(~((a <= low) | (a >= high)), g)


@kernel
def leaky_relu_kernel(a: Any, negative_slope: float) -> Any:
    dtypes.expect(a, "leaky_relu_cpu")
    return choose(a > 0, a, a * negative_slope, a)


@kernel
def leaky_relu_backward_kernel(g: Any, a: Any, negative_slope: float, is_result: bool = False) -> Any:
    if is_result and negative_slope < 0:
        raise errors.leaky_relu_in_place()
    return choose(a > 0, g, g * negative_slope, g)


@kernel
def prelu_backward_kernel(g: Any, a: Any, weight: Any) -> tuple[Any, Any]:
    return choose(a > 0, g, g * weight, g), choose(a > 0, 0, g * a, g)


@kernel
def rrelu_backward_kernel(g: Any, a: Any, noise: Any, lower: float, upper: float, training: bool) -> Any:
    if training and upper - lower > 1e-6:
        return g * noise
    passed = leaky_relu_backward_kernel(g, a, (lower + upper) / 2)
    return passed if training else alike(passed, a)


@kernel
def rrelu_kernel(a: Any, noise: Any, lower: float, upper: float, training: bool) -> Any:
    return choose(a <= 0, a * noise, a, a) if training else leaky_relu_kernel(a, (lower + upper) / 2)


@kernel
def elu_kernel(a: Any, alpha: float, scale: float, input_scale: float) -> Any:
    dtypes.expect(a, "elu_cpu")
    below = expm1_values(np.minimum(a, 0) * input_scale) * (alpha * scale)
    return choose(a < 0, below, a * scale, a)


@kernel
def elu_backward_kernel(g: Any, alpha: float, scale: float, input_scale: float, is_result: bool, a: Any) -> Any:
    if is_result:
        below = g * input_scale * (a + alpha * scale)
    else:
        below = g * (input_scale * alpha * scale) * pairs_exp(np.minimum(a, 0) * input_scale)
    return choose(a <= 0, below, g * scale, g)


_BEND = tuple(
    zero_dim(coefficient, np.float32)
    for coefficient in (
        7.97884941e-1,
        3.63330845e-2,
        -3.25949439e-5,
        -5.53062087e-5,
        3.96474748e-6,
        -1.32263607e-7,
        1.75617888e-9,
    )
)
"""Coefficients of P in Φ(x) = ½(1 + tanh(x·P(x²))), by least squares: within 3e-8, and saturated where the fit ends."""

_HALF, _MINUS_HALF, _BELL = (zero_dim(value, np.float32) for value in (0.5, -0.5, BELL))


def _normal(a: Any) -> tuple[Any, Any]:
    """Φ(a) and a² of a large float32 array, Φ within 1e-7.

    Every pass over the array writes to memory that is there already: allocation would cost as much as the arithmetic.
    """
    square = a * a
    phi = square * _BEND[-1]
    for coefficient in _BEND[-2:0:-1]:
        phi += coefficient
        phi *= square
    phi += _BEND[0]
    phi *= a
    np.tanh(phi, out=phi)
    phi *= _HALF
    phi += _HALF
    return phi, square


def _is_large_single(a: Any) -> bool:
    return bool(a.dtype == np.float32 and a.size > LARGE)


@kernel
def gelu_kernel(a: Any, approximate: str) -> Any:
    if approximate not in ("none", "tanh"):
        if not isinstance(approximate, str):
            raise errors.keyword_type("gelu", "approximate", "str", approximate)
        raise errors.gelu_approximate()
    dtypes.expect(a, "GeluKernelImpl", dtypes.FLOATING)
    if a.dtype.char in SHORT:  # computed in float32, and rounded once
        return gelu_kernel(a.astype(np.float32), approximate).astype(a.dtype)
    if approximate == "tanh":
        return 0.5 * a * (1 + tanh_values(TANH_SCALE * fused(a * a * a, TANH_CUBIC, a)))
    if _is_large_single(a):
        out = _normal(a)[0]
        out *= a
        return out
    return a * 0.5 * (1 + erf_values(a * ROOT_HALF))


@kernel
def gelu_backward_kernel(g: Any, a: Any, approximate: str) -> Any:
    if a.dtype.char in SHORT and g.dtype is a.dtype:
        return gelu_backward_kernel(g.astype(np.float32), a.astype(np.float32), approximate).astype(a.dtype)
    if approximate == "none" and _is_large_single(a):
        out, bell = _normal(a)
        bell *= _MINUS_HALF
        np.exp(bell, out=bell)
        bell *= a
        bell *= _BELL
        out += bell
        out *= g
        return out
    if approximate == "tanh":
        square = a * a
        t = tanh_values(TANH_SCALE * fused(square * a, TANH_CUBIC, a))
        inner = 0.5 * a * fused(-t, t, 1) * (TANH_SCALE * fused(square, 3 * TANH_CUBIC, 1))
        return g * (0.5 * (1 + t) + inner)
    slope = 0.5 * (1 + erf_values(a * ROOT_HALF)) + a * (BELL * exp_values(a * a * -0.5))
    return (g * slope).astype(g.dtype)


def mish_backward_kernel(g: Any, a: Any) -> Any:
    if g.dtype is BFLOAT16:
        return in_single(mish_backward_kernel, g, a)
    t = tanh_values(log1p_values(pairs_exp(a)))
    return g * fused(a * sigmoid_kernel(a), fused(-t, t, 1), t)


def silu_backward_kernel(g: Any, a: Any) -> Any:
    if g.dtype is BFLOAT16:
        return in_single(silu_backward_kernel, g, a)
    s = sigmoid_kernel(a)
    return g * s * fused(a, 1 - s, 1)


@kernel
def silu_kernel(a: Any) -> Any:
    dtypes.expect(a, "silu_cpu")
    return a / (1 + pairs_exp(-a))


@kernel
def mish_kernel(a: Any) -> Any:
    dtypes.expect(a, "mish_cpu")
    return a * tanh_values(np.where(a > 30, a, log1p_values(pairs_exp(np.minimum(a, 30)))).astype(a.dtype)[()])


def halves(a: Any, dim: int) -> tuple[Any, Any, int]:
    if not a.ndim:
        raise errors.glu_scalar()
    dim = wrap_dim(dim, a.ndim)
    if a.shape[dim] % 2:
        raise errors.glu_odd(dim, a.shape[dim])
    first, second = np.split(a, 2, axis=dim)
    return first, second, dim


@kernel
def glu_kernel(a: Any, dim: int) -> Any:
    first, second, _ = halves(a, dim)
    dtypes.expect(a, "glu_cpu")
    return first * sigmoid_kernel(second)


@kernel
def glu_backward_kernel(g: Any, a: Any, dim: int) -> Any:
    first, second, dim = halves(a, dim)
    if g.dtype is BFLOAT16:
        share = in_single(sigmoid_kernel, second)
        return np.concatenate([g * share, in_single(_glu_slope, g, first, share)], axis=dim)
    s = sigmoid_kernel(second)
    return np.concatenate([g * s, _glu_slope(g, first, s)], axis=dim)


def _glu_slope(g: Any, first: Any, s: Any) -> Any:
    return g * first * s * (1 - s)


@kernel
def softplus_kernel(a: Any, beta: float, threshold: float) -> Any:
    dtypes.expect(a, "softplus_cpu")
    scaled = a * beta
    return choose(scaled > threshold, a, log1p_values(pairs_exp(np.minimum(scaled, threshold))) / beta, a)


@kernel
def softplus_backward_kernel(g: Any, a: Any, beta: float, threshold: float) -> Any:
    scaled = a * beta
    power = pairs_exp(np.minimum(scaled, threshold))
    return choose(scaled > threshold, g, g * power / (power + 1), g)


@kernel
def log_sigmoid_kernel(a: Any) -> Any:
    return np.minimum(a, a.dtype.type(0)) - log1p_values(vector_exp(-np.abs(a)) if a.ndim else exp_values(-np.abs(a)))


@kernel
def log_sigmoid_backward_kernel(g: Any, a: Any) -> Any:
    if a.dtype is BFLOAT16:
        return in_single(_log_sigmoid_slope, g, a, in_single(pairs_exp, -np.abs(a)))
    return _log_sigmoid_slope(g, a, pairs_exp(-np.abs(a)))


def _log_sigmoid_slope(g: Any, a: Any, small: Any) -> Any:
    share = small / (1 + small)
    return g * choose(a < 0, 1 - share, share, a)


kernel(choose)


@kernel
def hardsigmoid_backward_kernel(g: Any, a: Any) -> Any:
    return choose((a > -3) & (a < 3), g / 6, 0, g)


@kernel
def hardswish_backward_kernel(g: Any, a: Any) -> Any:
    return choose(a <= -3, 0, np.where(a < 3, g * (a / 3 + 0.5), g), g)
