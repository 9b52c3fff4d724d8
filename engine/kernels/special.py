"""The gamma family and the inverse of erf."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import SHORT


@kernel
def digamma_kernel(a: Any) -> Any:
    """ψ, with PyTorch's values at the poles: ∓inf at ±0, NaN at negative whole numbers."""
    out = np.where((a < 0) & (a == np.floor(a)), np.nan, special.digamma(a))
    return np.where(a == 0, np.copysign(np.inf, -a), out).astype(a.dtype)[()]


@kernel
def times_log(a: Any, b: Any) -> Any:
    """a · log b, 0 where a is."""
    return _times(a, b, np.log, special.xlogy)


@kernel
def times_log1p(a: Any, b: Any) -> Any:
    """a · log(1 + b), 0 where a is."""
    return _times(a, b, np.log1p, special.xlog1py)


def _times(a: Any, b: Any, function: Any, whole: Any) -> Any:
    """Of types of 16 bits both steps are rounded; `whole` computes the others."""
    own = (a if hasattr(a, "dtype") else b).dtype
    if own.char not in SHORT:
        return whole(a, b).astype(own)
    a, b = (x if hasattr(x, "dtype") else np.asarray(x, np.float32).astype(own) for x in (a, b))
    return np.where((a == 0) & ~np.isnan(b), 0, a * function(b))[()]


@kernel
def polygamma_kernel(order: int, a: Any) -> Any:
    """The derivative of ψ of that order."""
    if order < 0:
        raise errors.polygamma_order()
    if a.dtype.kind == "c":
        name = {0: "digamma", 1: "trigamma"}.get(order, "polygamma")
        raise errors.not_implemented_for(name, dtypes.of(a.dtype).type_name)
    if order == 0:
        return digamma_kernel(a)
    if order == 1:
        return trigamma(a)
    factor = (-1.0) ** (order + 1) * math.gamma(order + 1.0)
    return (factor * special.zeta(order + 1.0, a.astype(np.float64))).astype(a.dtype)


@kernel
def trigamma(a: Any) -> Any:
    """ψ′, continued to negative numbers by reflection."""
    wide = a.astype(np.float64)
    low = wide < 0.5
    positive = special.zeta(2.0, np.where(low, 1 - wide, wide))
    sine = np.sin((math.pi * wide).astype(a.dtype)).astype(np.float64)  # which is no 0 at whole numbers
    reflected = -positive + (math.pi / sine) ** 2
    return np.where(low, reflected, positive).astype(a.dtype)[()]


@kernel
def log_gamma(a: Any) -> Any:
    found = special.gammaln(a)
    return np.where(np.isinf(a), np.inf, found).astype(found.dtype)[()] if np.isneginf(a).any() else found


@kernel
def erfinv_kernel(a: Any) -> Any:
    """The inverse of erf; NaN outside [-1, 1], where scipy takes a thousand times as long to say so."""
    inside = np.abs(a) <= 1
    if inside.all():
        return special.erfinv(a)
    return np.where(inside, special.erfinv(np.where(inside, a, a.dtype.type(0))), a.dtype.type(np.nan))[()]


@kernel
def mvlgamma_kernel(a: Any, p: int) -> Any:
    if a.dtype.kind == "c":
        raise errors.not_implemented_for("arange_cpu", dtypes.of(a.dtype).type_name)
    if p < 1:
        raise errors.mvlgamma_order()
    meter.reserve(a.size * p, 8)
    meter.charge(a.size * p >> 5)
    shifts = np.arange(p, dtype=np.float64) / 2
    total = special.gammaln(np.asarray(a)[..., None].astype(np.float64) - shifts).sum(-1)
    return (total + p * (p - 1) / 4 * math.log(math.pi)).astype(a.dtype)
