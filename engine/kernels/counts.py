"""Random counts: Poisson and binomial numbers, drawn as PyTorch draws them.

Small means are counted out; large ones use transformed rejection (Hörmann, 1993). Numbers are drawn one after the
other, because how many uniform numbers one takes depends on chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.kernels import random
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes

Uniform = Callable[[], float]
LARGE = 10
"""From this mean on numbers are found by rejection."""
TAIL = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip
"""What Stirling's formula lacks of log k!, for small k."""


def _uniform(generator: Any) -> Uniform:
    source = generator or random.default_generator

    def draw() -> float:
        meter.charge(1)
        return float(source.uniform((), dtype=np.dtype(np.float64)))

    return draw


def _poisson(rate: float, uniform: Uniform) -> float:
    if rate == 0:
        return 0.0
    if rate < LARGE:
        bound, count, product = math.exp(-rate), 0, uniform()
        while product > bound:
            count += 1
            product *= uniform()
        return float(count)
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    v_r = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= v_r:
            return float(k)
        if k < 0 or us < 0.013 and v > us:
            continue
        level = math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if level <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return float(k)


def _binomial(count: Any, p: Any, uniform: Uniform) -> float:
    """Successes among `count` trials; numbers of the tensor's own precision decide what is large."""
    one = p.dtype.type(1)
    if np.isnan(p) or np.isnan(count):
        return math.nan
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return float(count)
    q = p if p <= 0.5 else one - p
    found = (_rejected if count * q >= LARGE else _counted)(count, q, uniform)
    return found if p <= 0.5 else float(count) - found


def _counted(count: Any, p: Any, uniform: Uniform) -> float:
    """How many waits for a success fit into the trials."""
    log_q, waited, successes = float(np.log1p(-p)), 0.0, 0
    while True:
        u = uniform()
        waited += math.ceil(math.log(u) / log_q) if u else math.inf
        if waited > count:
            return float(successes)
        successes += 1


def _rejected(trials: Any, p: Any, uniform: Uniform) -> float:
    one = p.dtype.type(1)
    deviation = float(np.sqrt(trials * p * (one - p)))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * float(p)
    c = float(trials * p) + 0.5
    v_r = 0.92 - 4.2 / b
    r = float(p / (one - p))
    alpha = (2.83 + 5.1 / b) * deviation
    m = math.floor((trials + one) * p)
    count = float(trials)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c)
        if not 0 <= k <= count:
            continue
        if us >= 0.07 and v <= v_r:
            return float(k)
        level = math.log(v * alpha / (a / (us * us) + b))
        bound = (
            (m + 0.5) * math.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * math.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * math.log(r * (count - k + 1) / (k + 1))
            + _tail(m)
            + _tail(count - m)
            - _tail(k)
            - _tail(count - k)
        )
        if level <= bound:
            return float(k)


def _tail(k: float) -> float:
    if k < len(TAIL):
        return TAIL[int(k)]
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


@kernel
def poisson_kernel(rate: Any, generator: Any) -> Any:
    dtypes.expect(rate, "poisson_cpu", dtypes.FLOATING)
    if (rate < 0).any():
        raise errors.poisson_rate()
    uniform = _uniform(generator)
    found = [_poisson(value, uniform) for value in np.asarray(rate, np.float64).ravel().tolist()]
    return np.array(found, rate.dtype).reshape(rate.shape)[()]


@kernel
def binomial_kernel(count: Any, prob: Any, generator: Any) -> Any:
    for name, operand in (("count", count), ("prob", prob)):
        if operand.dtype.kind not in dtypes.FLOATING:
            raise errors.binomial_dtype(name, dtypes.of(operand.dtype).type_name)
    if count.dtype != prob.dtype:
        raise errors.found_dtype(dtypes.of(prob.dtype).type_name, dtypes.of(count.dtype).type_name)
    if count.dtype.itemsize == 2:
        raise errors.not_implemented_for("binomial_cpu", dtypes.of(count.dtype).type_name)
    uniform = _uniform(generator)
    counts, probabilities = np.broadcast_arrays(count, prob)
    found = [_binomial(n, p, uniform) for n, p in zip(counts.flat, probabilities.flat, strict=True)]
    return np.array(found, count.dtype).reshape(counts.shape)[()]
