"""Functions of each element; those of float32 nearly always to PyTorch's last bit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from engine import errors
from engine.kernels.arithmetic import LARGEST_WIDE
from engine.kernels.exp import LANES, LARGEST, blocked_exp, whole_vectors_exp
from engine.kernels.names import kernel
from engine.kernels.rounding import DOUBLE, SINGLE, fused
from engine.kernels.summation import zero_dim
from engine.types import dtypes
from engine.types.bfloat16 import SHORT, limits_of
from engine.types.coo import Coo

_ONE, _WIDE_ONE = zero_dim(1, SINGLE), zero_dim(1, DOUBLE)
LARGEST_SINGLE = float(np.finfo(np.float32).max)


def _wide(
    name: str, array: Callable[..., Any], scalar: Callable[[float], float] | None = None, largest: int = LARGEST_WIDE
) -> Callable[[Any], Any]:
    """A float32 function computed in float64 and rounded, which nearly always gives PyTorch's last bit.

    `scalar` is the function of `math`, several times faster on one number; above `largest` elements speed matters more
    than the last bit.
    """

    def function(a: Any) -> Any:
        kind = type(a)
        if scalar is not None and (kind is np.float32 or kind is np.float64):
            try:
                return kind(scalar(a))
            except (ValueError, OverflowError):
                return array(a)
        if kind is Coo:
            return array(a)
        if 0 in a.strides:  # repeats have no order in memory
            a = np.ascontiguousarray(a)
        if a.dtype is SINGLE and a.size <= largest:
            return array(a.astype(DOUBLE)).astype(SINGLE)
        if a.dtype.char in SHORT:
            return array(a.astype(np.float32)).astype(a.dtype)
        return array(a)

    function.__name__ = function.__qualname__ = f"{name}_kernel"
    return kernel(function)


def _arccos(a: Any, **keywords: Any) -> Any:
    """For pairs of doubles by way of the arcsine, which decides the sign of zeros."""
    return math.pi / 2 - np.arcsin(a) if a.dtype.char == "D" else np.arccos(a, **keywords)


exp_values = _wide("exp", np.exp, math.exp)
_wide("exp2", np.exp2, math.exp2)
expm1_values = _wide("expm1", np.expm1, math.expm1)
log_values = _wide("log", np.log, math.log)
_wide("log2", np.log2, math.log2)
_wide("log10", np.log10, math.log10)
log1p_values = _wide("log1p", np.log1p, math.log1p)
_wide("sin", np.sin, math.sin, largest=1 << 12)
_wide("cos", np.cos, math.cos, largest=1 << 12)
_wide("tan", np.tan, math.tan)
_wide("sinh", np.sinh, math.sinh)
_wide("cosh", np.cosh, math.cosh)
tanh_values = _wide("tanh", np.tanh, math.tanh)
_wide("asin", np.arcsin, math.asin)
_wide("acos", _arccos, math.acos)
_wide("atan", np.arctan, math.atan)
_wide("asinh", np.arcsinh, math.asinh)
_wide("acosh", np.arccosh, math.acosh)
_wide("atanh", np.arctanh, math.atanh)
erf_values = _wide("erf", special.erf, math.erf)
_wide("erfc", special.erfc, math.erfc)


@kernel
def sigmoid_kernel(a: Any) -> Any:
    if type(a) is np.float32 or type(a) is np.float64:
        try:
            return 1 / (1 + type(a)(math.exp(-a)))
        except OverflowError:
            return type(a)(0)
    power = pairs_exp(-a)
    if type(power) is not np.ndarray or power.dtype is not SINGLE:
        return 1 / (1 + power)
    return _from_power(power)


def _from_power(power: Any) -> Any:
    """σ from e^(-a), in its memory."""
    power += _ONE
    return np.reciprocal(power, power)


def sigmoids(a: Any, width: int) -> list[Any]:
    """σ of parts of a float32 matrix, each of `width` columns, to the bit as `sigmoid_kernel` gives it.

    Few numbers in whole vectors are computed in one pass: it takes little longer for several parts than for one.
    """
    places = [slice(start, start + width) for start in range(0, a.shape[1], width)]
    size = len(a) * width
    if size > LARGEST or size % (2 * LANES):
        return [sigmoid_kernel(np.ascontiguousarray(a[:, place])) for place in places]
    power = _from_power(whole_vectors_exp(-a))
    return [power[:, place].copy() for place in places]


def _alike_singles(g: Any, result: Any) -> bool:
    """Whether a gradient and a result are float32 arrays that lie in memory in the same way."""
    if type(g) is not np.ndarray or type(result) is not np.ndarray or g.shape != result.shape or not g.ndim:
        return False
    return g.dtype is result.dtype is SINGLE and g.flags.c_contiguous and result.flags.c_contiguous


@kernel
def sigmoid_backward_kernel(g: Any, result: Any) -> Any:
    """`g * (1 - result) * result`."""
    if not _alike_singles(g, result):
        return g * (1 - result) * result
    slope = np.subtract(_ONE, result)
    slope *= g
    slope *= result
    return slope


@kernel
def tanh_backward_kernel(g: Any, result: Any) -> Any:
    """`g * (1 - result²)`, the difference rounded once."""
    if not _alike_singles(g, result):
        return g * fused(-result, result, 1)
    wide = result.astype(DOUBLE)
    wide *= wide
    slope = np.subtract(_WIDE_ONE, wide, wide).astype(SINGLE)
    slope *= g
    return slope


@kernel
def logaddexp_values(a: Any, b: Any) -> Any:
    """log(e^a + e^b); of complex numbers, the one with the larger real part is taken out."""
    if a.dtype.kind != "c":
        return np.logaddexp(a, b)
    nan = np.isnan(a) | np.isnan(b)
    low, high = np.where(a.real < b.real, a, b), np.where(a.real < b.real, b, a)
    together = np.isinf(high.real) & (low.real == high.real)
    out = high + np.log(1 + np.exp(np.where(together, 0, low - high)))
    out = np.where(together, np.where(high.real < 0, low, np.log(np.exp(low) + np.exp(high))), out)
    return np.where(nan, complex(math.nan, math.nan), out).astype(a.dtype)[()]


def pairs_exp(a: Any) -> Any:
    """e^a as elementwise kernels compute it, which take two vectors at a time."""
    if a.ndim == 1:
        return blocked_exp(a, 2 * LANES)
    return blocked_exp(a.reshape(-1), 2 * LANES).reshape(a.shape) if a.ndim else exp_values(a)


@kernel
def wide_atan2(a: Any, b: Any) -> Any:
    if a.dtype == np.float32 and a.size <= LARGEST_WIDE:
        return np.arctan2(a, b, dtype=np.float64).astype(np.float32)
    return np.arctan2(a, b)


@kernel
def clamp_kernel(a: Any, low: Any, high: Any) -> Any:
    """Within bounds that are numbers or tensors; where they cross, `high` wins."""
    numbers = [x for x in (low, high) if x is not None]
    if not numbers:
        raise errors.clamp_without_bounds()
    if a.dtype == SINGLE:
        for bound in numbers:
            if type(bound) is float and LARGEST_SINGLE < abs(bound) < math.inf:
                raise errors.conversion_overflow("float")
    if a.dtype.kind in "iu" and all([type(x) is int for x in numbers]):
        numbers = [dtypes.cast_number(x, a.dtype, scalar=True) for x in numbers]
        low, high = (None if x is None else numbers.pop(0) for x in (low, high))
    elif a.dtype.kind not in dtypes.FLOATING or not all(isinstance(x, float | int) for x in numbers):
        a, *numbers = dtypes.promote_all(a, *numbers)
        low, high = (None if x is None else numbers.pop(0) for x in (low, high))
    if low is not None:
        a = np.maximum(low, a)  # of equals it returns the second
    return a if high is None else np.minimum(high, a)


@kernel
def where_kernel(condition: Any, a: Any, b: Any) -> Any:
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise errors.where_condition(dtypes.of(condition.dtype).type_name)
        errors.warn_where_uint8()
        condition = condition.astype(bool)
    return np.where(condition, a, b)[()]


@kernel
def whole(a: Any, function: Callable[[Any], Any]) -> Any:
    """Rounding leaves integers alone."""
    return function(a) if a.dtype.kind in dtypes.FLOATING else a.copy()


@kernel
def nan_to_num_kernel(a: Any, nan: float | None, posinf: float | None, neginf: float | None) -> Any:
    for value in (nan, posinf, neginf):
        if value is not None and not isinstance(value, int | float | np.generic):
            raise errors.expected_number(value)
    if a.dtype.kind not in dtypes.FLOATING:
        return a.copy()
    limits = limits_of(a.dtype)
    high, low = (limits.max if posinf is None else posinf), (limits.min if neginf is None else neginf)
    out = np.where(
        np.isnan(a), 0.0 if nan is None else nan, np.where(a == np.inf, high, np.where(a == -np.inf, low, a))
    )
    return out.astype(a.dtype)[()]


@kernel
def mantissa_and_exponent(a: Any) -> tuple[Any, Any]:
    if a.dtype.kind not in dtypes.FLOATING:
        raise errors.frexp_dtype()
    mantissa, exponent = np.frexp(a)
    return mantissa, exponent.astype(np.int32)


@kernel
def angle_kernel(a: Any) -> Any:
    turned = np.angle(a) if a.dtype.kind == "c" else np.where(a < 0, math.pi, 0.0)
    return np.where(np.isnan(a), a.real, turned).astype(a.real.dtype)[()]


@kernel
def logit_kernel(a: Any, eps: float | None) -> Any:
    if isinstance(eps, complex):
        raise errors.argument_type("logit", "eps", 2, "float", eps)
    if eps is not None and eps >= 0:
        low, high = a.dtype.type(eps), a.dtype.type(1 - eps)
        a = np.where(a < low, low, np.where(a > high, high, a))
    return np.log(a / (1 - a))  # PyTorch rounds every step
