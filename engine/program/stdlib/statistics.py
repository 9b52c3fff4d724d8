"""`statistics`."""

from __future__ import annotations

import random
import statistics
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import STEP, as_integer, clashed
from engine.program.exceptions import class_of
from engine.program.methods import sorting
from engine.program.operators import items
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.fractions import Decimal, Fraction
from engine.program.stdlib.random import drawn
from engine.program.text import represent
from engine.program.values import Builtin

_EXACT = frozenset("mean pstdev pvariance stdev variance geometric_mean harmonic_mean".split())
"""Functions that calculate with fractions."""


_SQUARING = frozenset("pstdev pvariance stdev variance".split())
_LONG = 256


def _weigh(name: str, values: list[Any]) -> None:
    """Charge for exact sums of long integers and fractions, and check how long what comes of them can be."""
    longest = max([value.bit_length() for value in values if isinstance(value, int)], default=0)
    below = {value.as_integer_ratio()[1] for value in values if isinstance(value, Fraction | Decimal)}
    bits = max(longest, sum(map(int.bit_length, below)))
    if bits > _LONG:
        bits *= 2 if name in _SQUARING else 1
        meter.check_bits(bits)
        meter.charge((len(values) + 8) * (bits * bits // STEP["square"]))


def _statistic(name: str) -> Builtin:
    native = getattr(statistics, name)

    def compute(data: Any, *more: Any, **options: Any) -> Any:
        values = list(items(data))
        options = {key: list(items(value)) if key == "weights" and value is not None else value
                   for key, value in options.items()}
        meter.charge(len(values) * (6 if name in _EXACT else 1))
        sorting(values, True)
        clashed(values, len(values)) if name in ("mode", "multimode") else None
        if name in _EXACT:
            _weigh(name, [*values, *filter(None, more), *filter(None, options.values())])
        return native(values, *more, **options)

    return Builtin(name, compute)


def _quantiles(data: Any, *, n: int = 4, method: str = "exclusive") -> list[Any]:
    values = list(items(data))
    if method not in ("inclusive", "exclusive"):
        raise ValueError(f"Unknown method: {represent(method)}")
    meter.check_length(n)
    meter.charge(len(values) + n)
    sorting(values, True)
    return statistics.quantiles(values, n=n, method=method)  # type: ignore[arg-type]


def _paired(name: str) -> Builtin:
    """A statistic of two variables."""
    native = getattr(statistics, name)

    def compute(x: Any, y: Any, /, **options: Any) -> Any:
        xs, ys = list(items(x)), list(items(y))
        meter.charge(2 * (len(xs) + len(ys)))
        return native(xs, ys, **options)

    return Builtin(name, compute)


class NormalDist:
    """`statistics.NormalDist`."""

    __module__ = "statistics"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, mu: Any = 0.0, sigma: Any = 1.0) -> None:
        self._normal = statistics.NormalDist(mu, sigma)

    @classmethod
    def from_samples(cls, data: Any) -> Any:
        values = list(items(data))
        meter.charge(6 * len(values))
        made = statistics.NormalDist.from_samples(values)
        return cls(made.mean, made.stdev)

    def samples(self, n: Any, *, seed: Any = None) -> list[float]:
        count = as_integer(n)
        drawn(count)
        gauss = sessions.active.random.gauss if seed is None else random.Random(seed).gauss
        return [gauss(self.mean, self.stdev) for _ in range(count)]

    def pdf(self, x: Any) -> float:
        return self._normal.pdf(x)

    def cdf(self, x: Any) -> float:
        return self._normal.cdf(x)

    def inv_cdf(self, p: Any) -> float:
        return self._normal.inv_cdf(p)

    def zscore(self, x: Any) -> float:
        return self._normal.zscore(x)

    def quantiles(self, n: Any = 4) -> list[float]:
        meter.check_length(n)
        meter.charge(n)
        return self._normal.quantiles(n)

    def overlap(self, other: Any) -> float:
        return self._normal.overlap(other._normal if isinstance(other, NormalDist) else other)

    @property
    def mean(self) -> float:
        return self._normal.mean

    median = mode = mean

    @property
    def stdev(self) -> float:
        return self._normal.stdev

    @property
    def variance(self) -> float:
        return self._normal.variance

    def _with(self, name: str, other: Any) -> Any:
        native: Any = getattr(self._normal, name)
        made = native(other._normal if isinstance(other, NormalDist) else other)
        return NormalDist(made.mean, made.stdev) if isinstance(made, statistics.NormalDist) else made

    def __add__(self, other: Any) -> Any:
        return self._with("__add__", other)

    def __sub__(self, other: Any) -> Any:
        return self._with("__sub__", other)

    def __mul__(self, other: Any) -> Any:
        return self._with("__mul__", other)

    def __truediv__(self, other: Any) -> Any:
        return self._with("__truediv__", other)

    def __rsub__(self, other: Any) -> Any:
        return -(self - other)

    def __neg__(self) -> Any:
        return NormalDist(-self.mean, self.stdev)

    def __pos__(self) -> Any:
        return NormalDist(self.mean, self.stdev)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NormalDist) and self._normal == other._normal

    def __hash__(self) -> int:
        return hash(self._normal)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mu={self.mean!r}, sigma={self.stdev!r})"


_FITTED: Any = make_namedtuple("LinearRegression", ["slope", "intercept"], {})


def _linear_regression(x: Any, y: Any, /, *, proportional: Any = False) -> Any:
    xs, ys = list(items(x)), list(items(y))
    meter.charge(2 * (len(xs) + len(ys)))
    return _FITTED(*statistics.linear_regression(xs, ys, proportional=bool(proportional)))


_NAMES = (
    "mean fmean median median_low median_high median_grouped mode multimode pstdev pvariance stdev variance"
    " geometric_mean harmonic_mean"
)

MODULES: dict[str, dict[str, Any]] = {
    "statistics": {
        **{name: _statistic(name) for name in _NAMES.split()},
        **{name: _paired(name) for name in ("correlation", "covariance")},
        "quantiles": Builtin("quantiles", _quantiles),
        "linear_regression": Builtin("linear_regression", _linear_regression),
        "NormalDist": NormalDist,
        "StatisticsError": class_of(statistics.StatisticsError),
    }
}
