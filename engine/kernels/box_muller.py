"""Normal numbers from uniform ones (Box and Muller's transform), rounded as PyTorch's compiled kernels round."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.limits import meter

Array = npt.NDArray[Any]
FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)


PIECE = 1 << 16
"""Numbers that are made at a time, where what is needed on the way takes several times as much memory."""


def in_pieces(count: int, dtype: np.dtype[Any], make: Callable[[int], Array]) -> Array:
    """`count` numbers of which `make` makes so many as it is asked for, one piece after the other."""
    if count <= PIECE:
        return make(count)
    made = np.empty(count, dtype)
    for first in range(0, count, PIECE):
        made[first : first + PIECE] = make(min(PIECE, count - first))
    return made


def normal_blocks64(blocks: Array, mean: float, std: float) -> Array:
    """Float64 normal numbers from rows of 16 uniform ones: 8 radii, then 8 angles."""
    radius = np.sqrt(-2.0 * libm(math.log, (1.0 - blocks[:, :8]).ravel()))
    theta = (2.0 * math.pi * blocks[:, 8:]).ravel()
    halves = (fma64(radius * libm(function, theta), std, mean) for function in (math.cos, math.sin))
    return np.concatenate([half.reshape(-1, 8) for half in halves], axis=1)


def normal_blocks32(blocks: Array, mean: float, std: float) -> Array:
    """Float32 normal numbers from rows of 16 uniform ones: 8 radii, then 8 angles."""
    single = np.float32
    blocks = blocks.astype(single)
    radius = np.sqrt(single(-2) * log32(single(1) - blocks[:, :8]))
    sine, cosine = sincos32(single(2.0 * math.pi) * blocks[:, 8:])
    halves = [fma32(radius * part, single(std), single(mean)) for part in (cosine, sine)]
    return np.concatenate(halves, axis=1)


def fma32(a: Any, b: Any, c: Any) -> Array:
    """a * b + c, rounded once: the product of two float32 is exact in float64."""
    result: Array = (np.multiply(a, b, dtype=FLOAT64) + c).astype(FLOAT32)
    return result


def fma64(a: Array, b: float, c: float) -> Array:
    """a * b + c in float64, rounded once, from the exact error terms of product and sum (Dekker, Knuth)."""
    with np.errstate(over="ignore", invalid="ignore"):
        product = a * b
        a_high, a_low = _split(a)
        b_high, b_low = _split(np.float64(b))
        product_error = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
        total = product + c
        kept = total - product
        error = (product - (total - kept)) + (c - kept) + product_error
    # Beyond 2**996 splitting overflows; there the plain sum has to do.
    return np.where(np.isfinite(error), total + error, total)


def _split(x: Any) -> tuple[Any, Any]:
    scaled = x * (2.0**27 + 1.0)
    high = scaled - (scaled - x)
    return high, x - high


def libm(function: Callable[[float], float], values: Array) -> Array:
    """A function of ``math`` on each element: the C library's, as PyTorch calls it; numpy's differ in the last bit."""
    meter.charge(values.size >> 5)
    pieces = iter([values[first : first + PIECE] for first in range(0, max(values.size, 1), PIECE)])
    return in_pieces(values.size, FLOAT64, lambda n: np.fromiter(map(function, next(pieces).tolist()), FLOAT64, n))


# PyTorch's vectorised normal kernel uses the polynomials of the Cephes library (S. Moshier, logf.c and sinf.c), with
# every multiply-add fused.


def _singles(*constants: float) -> list[np.float32]:
    return [np.float32(constant) for constant in constants]


def _horner(x: Array, coefficients: Iterable[np.float32]) -> Array:
    first, second, *rest = coefficients
    value = fma32(x, first, second)
    for coefficient in rest:
        value = fma32(value, x, coefficient)
    return value


_LOG = _singles(
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SINE = _singles(-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = _singles(2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_LN2_HIGH, _LN2_LOW = _singles(0.693359375, -2.12194440e-4)
_QUARTER_TURNS = _singles(-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_FOUR_OVER_PI, _SQRT_HALF, _HALF, _ONE = _singles(1.27323954473516, 0.707106781186547524, 0.5, 1.0)


def log32(x: Array) -> Array:
    """Natural logarithm of positive normal float32."""
    mantissa, exponent = np.frexp(x)
    below = mantissa < _SQRT_HALF
    scale = (exponent - below).astype(FLOAT32)
    x = np.where(below, mantissa + mantissa, mantissa) - _ONE
    square = x * x
    tail = _horner(x, _LOG) * x
    tail = fma32(tail, square, scale * _LN2_LOW)
    tail = fma32(square, -_HALF, tail)
    return fma32(scale, _LN2_HIGH, x + tail)


def sincos32(x: Array) -> tuple[Array, Array]:
    """Sine and cosine of float32 angles that are not negative."""
    octant = ((x * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    turns = octant.astype(FLOAT32)
    for part in _QUARTER_TURNS:
        x = fma32(turns, part, x)
    square = x * x
    cosine = fma32(_horner(square, _COSINE) * square, square, square * -_HALF) + _ONE
    sine = fma32(_horner(square, _SINE) * square, x, x)
    swapped = (octant & 2) != 0
    negative_sine = (octant & 4) != 0
    negative_cosine = ((octant - 2) & 4) == 0
    sines = np.where(swapped, cosine, sine)
    cosines = np.where(swapped, sine, cosine)
    return np.where(negative_sine, -sines, sines), np.where(negative_cosine, -cosines, cosines)
