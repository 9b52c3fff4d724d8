"""Quotients, remainders, powers, signs and interpolation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels.exp import LANES
from engine.kernels.names import kernel
from engine.kernels.rounding import fused
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, SHORT, by_vectors, in_single, rounded
from engine.types.coo import Coo

LARGEST_WIDE = 1 << 16
"""Above so many elements speed matters more than the last bit."""


def _check_divisor(b: Any) -> None:
    if not np.all(b):
        raise errors.zero_division()


def _is_integer(*operands: Any) -> bool:
    return all(x.dtype.kind in "iub" if hasattr(x, "dtype") else isinstance(x, int) for x in operands)


@kernel
def floor_quotient(a: Any, b: Any) -> Any:
    if _is_integer(a, b):
        _check_divisor(b)
    _expect_real("div_floor_cpu", a, b)
    a, b = _as_operands(a, b)
    return a // b


def _expect_real(name: str, *operands: Any) -> None:
    """Raise for operands that have become complex."""
    for x in operands:
        kind = getattr(x, "dtype", None)
        if kind is not None and kind.kind == "c":
            raise errors.not_implemented_for(name, dtypes.of(kind).type_name)


def _as_operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Both, of which a number becomes a bfloat16 if the other is one."""
    if getattr(a, "dtype", None) is BFLOAT16 and isinstance(b, float | int):
        return a, rounded(b)
    if getattr(b, "dtype", None) is BFLOAT16 and isinstance(a, float | int):
        return rounded(a), b
    return a, b


@kernel
def plus_multiple(a: Any, b: Any, factor: Any) -> Any:
    """`a + factor · b`."""
    if type(a) is Coo or type(b) is Coo:
        return a + b * factor
    a, b = _as_operands(a, b)
    common = np.result_type(a, b)
    if common.kind == "b":
        if isinstance(factor, float):
            raise errors.alpha_kind("floating point", "integral")
        return a | b if factor else a | (b & False)
    if common.kind in "iu" and not isinstance(factor, int):
        raise errors.alpha_kind("floating point", "integral")
    if common.kind in dtypes.FLOATING and isinstance(factor, complex):
        raise errors.alpha_kind("complex", "non-complex")
    if common.char not in SHORT:
        return fused(b, factor, a)
    if common.char == "e":
        factor = common.type(factor)
        product = b * factor
        in_order = all(np.ndim(x) == 0 or x.flags.c_contiguous and x.shape == product.shape for x in (a, b))
        return by_vectors(fused(b, factor, a), a + product, in_order)
    product = b.astype(np.float32) * np.float32(rounded(factor))
    in_order = all(np.ndim(x) == 0 or x.flags.c_contiguous and x.shape == product.shape for x in (a, b))
    return by_vectors(a + product, a + rounded(product), in_order)


@kernel
def modulo(a: Any, b: Any) -> Any:
    if _is_integer(a, b):
        _check_divisor(b)
        return a % b
    _expect_real("remainder_cpu", a, b)
    a, b = _as_operands(a, b)
    rest = a % b
    return np.where(rest == 0, np.copysign(rest, a), rest)[()]  # where nothing is left, PyTorch keeps the sign


@kernel
def truncated_modulo(a: Any, b: Any) -> Any:
    if _is_integer(a, b):
        _check_divisor(b)
    _expect_real("fmod_cpu", a, b)
    a, b = _as_operands(a, b)
    return np.fmod(a, b)


@kernel
def rounded_quotient(a: Any, b: Any, mode: str | None) -> Any:
    if mode is None:
        return a / b if not _is_integer(a, b) else (a / b).astype(dtypes.get_default().np)
    if mode == "floor":
        return floor_quotient(a, b)
    if mode != "trunc":
        raise errors.rounding_mode(mode)
    _expect_real("div_trunc_cpu", a, b)
    if not _is_integer(a, b):
        return np.trunc(a / b)
    _check_divisor(b)
    quotient = a // b
    return quotient + ((quotient < 0) & (quotient * b != a))


@kernel
def size_kernel(a: Any) -> Any:
    dtypes.expect(a, "abs_cpu", dtypes.NUMBERS)
    return np.abs(a)


@kernel
def negated(a: Any) -> Any:
    """Minus complex numbers. PyTorch subtracts whole pairs of vectors from zeros, so that 0 becomes 0, not -0."""
    out = -a
    if a.ndim and a.flags.c_contiguous:
        pairs = slice(0, a.size - a.size % (64 // a.itemsize))
        out.reshape(-1)[pairs] = 0 - a.reshape(-1)[pairs]
    return out


@kernel
def sign_kernel(a: Any) -> Any:
    if a.dtype.kind == "b":
        return a.copy()
    signs = np.sign(a)
    if a.dtype.kind not in dtypes.FLOATING or type(a) is Coo:
        return signs
    return np.nan_to_num(signs)  # the sign of NaN is 0


@kernel
def power(a: Any, exponent: Any) -> Any:
    """A power with a number; PyTorch multiplies small whole powers out."""
    if type(a) is Coo:
        return np.power(a, exponent)
    if a.dtype.kind not in dtypes.INEXACT or isinstance(exponent, complex):
        a, exponent = dtypes.promote(a, exponent)
        if a.dtype.kind in "iub":
            if a.dtype.kind == "b":
                return a | (not exponent)
            if exponent < 0:
                raise errors.negative_integer_power()
            return a**exponent
    if exponent == 2:
        return a * a
    if exponent == 3:
        return a * a * a
    if exponent == 1:
        return +a
    if exponent == 0.5:
        return np.sqrt(a)
    if exponent == -0.5:
        return 1 / np.sqrt(a)
    if exponent == -1:
        return 1 / a
    if exponent == -2:
        return 1 / (a * a)
    return _raised(a, exponent)


@kernel
def raised(a: Any, exponent: Any) -> Any:
    """A power in a formula."""
    return power_of(a, exponent) if isinstance(exponent, np.ndarray | np.generic) else power(a, exponent)


def _raised(a: Any, exponent: Any) -> Any:
    """A float32 power is computed in float64 and rounded, which nearly always gives PyTorch's last bit."""
    kind = type(a)
    if (kind is np.float32 or kind is np.float64) and not isinstance(exponent, np.ndarray | complex):
        try:
            return kind(math.pow(a, exponent))
        except (ValueError, OverflowError):
            return kind(np.power(np.float64(a), np.float64(exponent)))
    costs.charge(np.broadcast(a, exponent).size, costs.POWER)
    a, exponent = _as_operands(a, exponent)
    result = np.result_type(a, exponent)
    if result.kind == "c" and not isinstance(exponent, float | int):
        undefined = (np.asarray(a) == 0) & (np.asarray(exponent) == 0)  # to C++, 0⁰ is none of complex numbers
        return np.where(undefined, complex(math.nan, math.nan), np.power(a, exponent)).astype(result)[()]
    if result is BFLOAT16:
        return in_single(np.power, a, exponent)
    single = result == np.float32
    if not single or max(np.size(a), np.size(exponent)) > LARGEST_WIDE:
        return a**exponent
    wide = np.power(a, exponent, dtype=np.float64)
    if isinstance(exponent, float) and np.size(a) >= 2 * LANES:
        # Whole vectors take the exponent as float32.
        whole = np.size(a) // (2 * LANES) * 2 * LANES
        np.ravel(wide)[:whole] = np.power(np.ravel(a)[:whole], float(np.float32(exponent)), dtype=np.float64)
    return wide.astype(np.float32)


@kernel
def reciprocal_root(a: Any) -> Any:
    root = np.sqrt(a)
    if root.dtype is not BFLOAT16:
        return 1 / root
    return by_vectors(1 / np.sqrt(a.astype(np.float32)), 1 / root, np.ndim(a) == 0 or a.flags.c_contiguous)


@kernel
def power_of(a: Any, exponent: Any) -> Any:
    """A power with a tensor; whole numbers to negative powers are 0, or ±1 for the base ±1."""
    if getattr(exponent, "dtype", None) == np.bool_ and getattr(a, "dtype", bool) == np.bool_:
        raise errors.not_implemented_for("pow", "Bool")
    if _is_integer(a, exponent) and np.any(np.asarray(exponent) < 0):
        negative = np.asarray(exponent) < 0
        inverse = np.where(np.abs(a) == 1, a ** (np.abs(exponent) % 2), 0)
        return np.where(negative, inverse, a ** np.where(negative, 0, exponent))[()]
    return a**exponent if _is_integer(a, exponent) else _raised(a, exponent)


@kernel
def power_of_two(exponent: Any) -> Any:
    """Always laid out in order, as PyTorch's powers of a number are."""
    return np.array(power_of(2.0, exponent), order="C")[()]


@kernel
def interpolate(start: Any, end: Any, weight: Any) -> Any:
    """From the nearer end, as PyTorch does, so that weight 1 gives exactly `end`."""
    distance = end - start
    if isinstance(weight, float | int | complex):
        own = distance.dtype.type(weight) if distance.dtype.kind in dtypes.FLOATING else weight
        return fused(own, distance, start) if abs(weight) < 0.5 else fused(-distance, 1 - own, end)
    near = np.abs(weight) < 0.5
    return np.where(near, fused(weight, distance, start), fused(-distance, 1 - weight, end))[()]
