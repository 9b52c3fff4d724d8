"""Gamma and Dirichlet numbers, drawn as PyTorch draws them, and how they move with their parameters.

Gamma numbers are found by rejection (Marsaglia and Tsang, 2000), one after the other. Their slopes are those of
implicit reparameterisation, dx/dα = −(∂F/∂α) / f, by the same piecewise approximations as PyTorch's: a series for small
numbers, a saddle point expansion for large parameters, and a fitted rational function between them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import digamma

from engine import errors
from engine.kernels import random
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes

# u² and v³ in the exponent of the slope of a gamma number, u = log(x/α), v = log α: numerator, then denominator
GAMMA_FIT = np.array(
    [
        [0.16009398, -0.094634809, 0.025146376, -0.0030648343, 1, 0.32668115, 0.10406089, 0.0014179084],
        [0.53487893, 0.1298071, 0.065735949, -0.0015649758, 0.16639465, 0.020070113, -0.0035938915, -0.00058392623],
        [0.040121004, -0.0065914022, -0.0026286047, -0.0013441777, 0.017050642, -0.0021309326, 0.00085092367,
         -1.5247877e-07],
    ]
)  # fmt: skip
# [numerator, denominator][power of u][of a][of b] of the factor that corrects the slope of a Dirichlet number
DIRICHLET_FIT = np.array(
    [
        [[[1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
          [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
          [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013]],
         [[0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
          [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
          [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05]],
         [[-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
          [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
          [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05]]],
        [[[1, -0.02924021934, -0.04438342661, 0.007285809825],
          [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
          [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149]],
         [[0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
          [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
          [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05]],
         [[0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
          [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
          [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06]]],
    ]
)  # fmt: skip


def _gamma(alpha: Any, source: random.Generator) -> float:
    """One gamma number of shape `alpha`, a numpy scalar whose precision is kept where PyTorch keeps it."""
    if not alpha >= 0:
        return math.nan
    kind = type(alpha)
    scale = 1.0
    if alpha < 1:
        if alpha == 0:
            return 0.0
        scale = math.pow(1 - _uniform(source), float(kind(1) / alpha))
        alpha = alpha + kind(1)
    d = float(alpha - kind(np.float32(1) / np.float32(3)))
    c = 1 / math.sqrt(9 * d)
    while True:
        y = 0.0
        while y <= 0:
            meter.charge(1)
            x = source._single_normals(1)[0]
            y = 1 + c * x
        v = y * y * y
        u = 1 - _uniform(source)
        square = x * x
        if u < 1 - float(np.float32(0.0331)) * square * square:
            return scale * d * v
        if math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def _uniform(source: random.Generator) -> float:
    return float(source._uniform53(1)[0])


@kernel
def gamma_kernel(alpha: Any, generator: Any) -> Any:
    if alpha.dtype.char not in "fd":
        raise errors.not_implemented_for("gamma_cpu", dtypes.of(alpha.dtype).type_name)
    source = generator or random.default_generator
    found = np.array([_gamma(value, source) for value in np.asarray(alpha).flat], np.float64)
    smallest = np.finfo(alpha.dtype).tiny
    return np.maximum(found.astype(alpha.dtype), smallest).reshape(alpha.shape)[()]


@kernel
def dirichlet_kernel(alpha: Any, generator: Any) -> Any:
    if alpha.dtype.char not in "fd":
        raise errors.not_implemented_for("dirichlet", dtypes.of(alpha.dtype).type_name)
    source = generator or random.default_generator
    wide = np.asarray(alpha, np.float64)
    found = np.array([_gamma(value, source) for value in wide.flat], np.float64).reshape(wide.shape)
    shares = (found / found.sum(-1, keepdims=True)).astype(alpha.dtype)
    limits = np.finfo(alpha.dtype)
    return np.clip(shares, limits.tiny, 1 - limits.epsneg)[()]


@kernel
def standard_gamma_grad(alpha: Any, x: Any) -> Any:
    """How a gamma number moves with its shape."""
    a, value = np.broadcast_arrays(np.asarray(alpha, np.float64), np.asarray(x, np.float64))
    small, large = value < 0.8, a > 8
    middle = large & (0.9 * a <= value) & (value <= 1.1 * a)
    found = np.select(
        [small, middle, large],
        [_gamma_small(a, value), _gamma_middle(a, value), _gamma_large(a, value)],
        _gamma_fitted(a, value),
    )
    return found.astype(alpha.dtype)[()]


def _gamma_small(a: Any, x: Any) -> Any:
    numerator, denominator = np.ones_like(x), a
    first, second = 1 / a, 1 / (a * a)
    for i in range(1, 6):
        numerator = numerator * -x / i
        denominator = denominator + 1
        first = first + numerator / denominator
        second = second + numerator / (denominator * denominator)
    power = x**a
    density = x ** (a - 1) * np.exp(-x)
    slope = -((np.log(x) - digamma(a)) * power * first - power * second) / density
    return np.where(np.isnan(slope), 0, slope)


def _gamma_middle(a: Any, x: Any) -> Any:
    polynomial = 1440 * a * a + 6 * x * (53 - 120 * x) - 65 * x * x / a + a * (107 + 3600 * x)
    return (1 + 24 * a * (1 + 12 * a)) * polynomial / (1244160 * a**4)


def _gamma_large(a: Any, x: Any) -> Any:
    root, away = np.sqrt(8 * a), a - x
    bend = (x - a - a * np.log(x / a)) ** -1.5
    turned = root / away + np.where(x < a, -bend, bend)
    term = np.log(x / a) * turned - np.sqrt(2 / a) * (a + x) / (away * away)
    return -(1 + 1 / (12 * a) * (1 + 1 / (24 * a))) * x * term / root


def _gamma_fitted(a: Any, x: Any) -> Any:
    u, v = np.log(x / a), np.log(a)
    by_v = [c[0] + u * (c[1] + u * c[2]) for c in GAMMA_FIT.T]
    numerator, denominator = (k[0] + v * (k[1] + v * (k[2] + v * k[3])) for k in (by_v[:4], by_v[4:]))
    return np.exp(numerator / denominator)


@kernel
def dirichlet_grad(x: Any, alpha: Any, total: Any) -> Any:
    """How a share of a Dirichlet number moves with its own concentration, the whole being `total`."""
    value, a, whole = np.broadcast_arrays(*(np.asarray(v, np.float64) for v in (x, alpha, total)))
    b = whole - a
    edge = whole * value * (1 - value)
    found = np.select(
        [(value <= 0.5) & (edge < 2.5), (value >= 0.5) & (edge < 0.75), (a > 6) & (b > 6)],
        [_beta_near_0(value, a, b), -_beta_near_1(1 - value, b, a), _beta_middle(value, a, b)],
        _dirichlet_fitted(value, a, whole),
    )
    return found.astype(x.dtype)[()]


def _beta_near_0(x: Any, a: Any, b: Any) -> Any:
    factor = digamma(a) - digamma(a + b) - np.log(x)
    numerator = np.ones_like(x)
    series = (factor + 1 / a) / a
    for i in range(1, 11):
        numerator = numerator * (i - b) * x / i
        series = series + numerator / (a + i) * (factor + 1 / (a + i))
    slope = x * (1 - x) ** -b * series
    return np.where(np.isnan(slope), 0, slope)


def _beta_near_1(x: Any, a: Any, b: Any) -> Any:
    factor = digamma(a + b) - digamma(b)
    numerator = products = np.ones_like(x)
    slopes = np.zeros_like(x)
    series = factor / a
    for i in range(1, 9):
        numerator = numerator * -x / i
        slopes = slopes * (b - i) + products
        products = products * (b - i)
        series = series + numerator / (a + i) * (slopes + factor * products)
    slope = -((1 - x) ** (1 - b)) * series
    return np.where(np.isnan(slope), 0, slope)


def _beta_middle(x: Any, a: Any, b: Any) -> Any:
    total = a + b
    mean = a / total
    deviation = np.sqrt(a * b / (total + 1)) / total
    near = abs(x - mean) <= 0.1 * deviation
    polynomial = 47 * x * b**4 + a * (
        (43 + 20 * (16 + 27 * b) * x) * b**3
        + a * (
            3 * (59 + 180 * b - 90 * x) * b**2
            + a * ((453 + 1620 * b * (1 - x) - 455 * x) * b + a * 8 * (1 - x) * (135 * b - 11))
        )
    )  # fmt: skip
    at_mean = (1 + 12 * a) * (1 + 12 * b) / total**2 / (1 - x) * polynomial / (12960 * a**3 * b**2 * (1 + 12 * total))
    stirling = _stirling(a) * _stirling(b) / _stirling(total)
    away = a * (x - 1) + b * x
    first = (2 * a * a * (x - 1) + a * b * (x - 1) - x * b * b) / (np.sqrt(2 * a / b) * total**1.5 * away * away)
    bend = (b * np.log(b / (total * (1 - x))) + a * np.log(a / (total * x))) ** -1.5
    second = np.sqrt(8 * a * b / total) / away + np.where(x < mean, bend, -bend)
    elsewhere = stirling * -x / np.sqrt(2 * a * b / total) * (first + 0.5 * np.log(a / (total * x)) * second)
    return np.where(near, at_mean, elsewhere)


def _stirling(n: Any) -> Any:
    return 1 + 1 / (12 * n) + 1 / (288 * n * n)


def _dirichlet_fitted(x: Any, alpha: Any, total: Any) -> Any:
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(total) - a
    numerator, denominator = (
        sum(
            u**i * a**j * (k[0] + b * (k[1] + b * (k[2] + b * k[3])))
            for i, rows in enumerate(fit) for j, k in enumerate(rows)
        )
        for fit in DIRICHLET_FIT
    )  # fmt: skip
    return numerator / denominator * x * (digamma(total) - digamma(alpha)) / (total - alpha)
