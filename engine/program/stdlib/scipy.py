"""`scipy.special`, and of `scipy.stats` the normal distribution, over numpy's arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from engine.costs import STEP
from engine.limits import meter
from engine.program.arrays import as_array, heeding, unwrap, weigh_argument, wrap
from engine.program.calls import call
from engine.program.stdlib.math import MODULES as OF_MATH
from engine.program.stdlib.numpy.ufuncs import UFunc
from engine.program.stdlib.sklearn.random import generator, reserve
from engine.program.values import Builtin, Module

_NANOSECONDS = 400
"""What one element may cost: series that converge slowly."""
_SLOW = {
    "hyp2f1": 350_000, "betaincinv": 12_000, "jv": 8000, "yn": 4000, "erfinv": 2500, "gammaincinv": 2000, "kn": 1500,
}  # fmt: skip
"""The same of functions that search for their result, or add up far more."""
_ORDERS = 700
"""How many orders `yn` goes up in a step."""

_ELEMENTWISE = (
    "agm bei beta betainc betaincinv betaln binom boxcox boxcox1p cbrt chdtr chdtrc cosm1 digamma ellipe ellipk entr"
    " erf erfc erfcinv erfcx erfinv exp1 exp10 exp2 expi expit expm1 exprel gamma gammainc gammaincc gammaincinv"
    " gammaln gammasgn huber hyp2f1 i0 i0e i1 i1e inv_boxcox iv ive j0 j1 jv k0 k0e k1 k1e kl_div kn kv log1p log_expit"
    " log_ndtr loggamma logit ndtr ndtri owens_t poch pseudo_huber psi rel_entr rgamma spence stdtr wrightomega xlog1py"
    " xlogy y0 y1"
).split()


def _weighed(values: tuple[Any, ...], nanoseconds: int = _NANOSECONDS) -> list[Any]:
    """What a function of scipy gets, paid for: as many elements as all arguments have together."""
    given = []
    for value in values:
        weigh_argument(value)
        plain = type(value) in (int, float, bool, complex) or isinstance(value, np.ndarray | np.generic)
        given.append(value if plain else as_array(value))
    size = math.prod(np.broadcast_shapes(*(np.shape(value) for value in given)))
    meter.allocate(4 * size, 8)
    meter.charge(1 + size * nanoseconds // STEP)
    return given


def _elementwise(native: np.ufunc) -> UFunc:
    nanoseconds = _SLOW.get(native.__name__, _NANOSECONDS)

    def run(*args: Any) -> Any:
        given = _weighed(args, nanoseconds)
        with heeding():
            return wrap(native(*given))

    return UFunc(native, run, nanoseconds)


def _neumann() -> UFunc:
    """`yn`, which goes through all orders up to the one that is asked for; its methods go another way."""

    def run(n: Any, x: Any) -> Any:
        orders, given = _weighed((n, x), _SLOW["yn"])
        each, _ = np.broadcast_arrays(orders, given)
        meter.charge(int(np.nansum(np.minimum(np.abs(each), 1e15))) // _ORDERS)
        with heeding():
            return wrap(special.yn(orders, given))

    made = UFunc(special.yv, run, _SLOW["yn"])
    made.name = "yn"
    return made


def _whole(name: str, native: Callable[..., Any], arrays: int) -> Builtin:
    """A function of whole arrays: its first arguments, the rest are options."""

    def run(*args: Any, **options: Any) -> Any:
        further = {key: unwrap(value) for key, value in options.items() if value is not None}
        for value in options.values():
            weigh_argument(value)
        given = [*_weighed(args[:arrays]), *map(unwrap, args[arrays:])]
        with heeding():
            return wrap(native(*given, **further))

    return Builtin(name, run)


def _log_sum(a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False) -> Any:
    given, factors = (_weighed((a,))[0], None) if b is None else _weighed((a, b))
    with heeding():
        found: Any = special.logsumexp
        return wrap(found(given, unwrap(axis), factors, bool(keepdims), bool(return_sign)))


def _log_gamma(a: Any, d: Any) -> Any:
    """The logarithm of the gamma function of several dimensions, each of which is a sum of its own."""
    size = unwrap(d)
    if isinstance(size, int | float) and size > 1:
        meter.check_length(int(size))
        meter.allocate(int(size) * (1 + int(np.size(as_array(a)))), 8)
        meter.charge(int(size) * (1 + int(np.size(as_array(a)))) * _NANOSECONDS // STEP + int(size))
    (given,) = _weighed((a,))
    with heeding():
        return wrap(special.multigammaln(given, size))


def _comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:  # noqa: N803 - scipy's names
    if exact:
        n, chosen = int(unwrap(N)), int(unwrap(k))
        if repetition:
            n = n + chosen - 1 if n or chosen else 1
        return 0 if chosen < 0 or n < 0 else call(OF_MATH["math"]["comb"], [n, chosen], None)
    return wrap(special.comb(*_weighed((N, k)), repetition=bool(repetition)))


def _factorial(n: Any, exact: bool = False) -> Any:
    if exact and type(n) is int:
        return 0 if n < 0 else call(OF_MATH["math"]["factorial"], [n], None)
    if exact:
        raise NotImplementedError("exact=True is for one integer here")
    return wrap(special.factorial(*_weighed((n,))))


SPECIAL: dict[str, Any] = {
    **{name: _elementwise(getattr(special, name)) for name in _ELEMENTWISE},
    "softmax": _whole("softmax", special.softmax, 1), "log_softmax": _whole("log_softmax", special.log_softmax, 1),
    "logsumexp": Builtin("logsumexp", _log_sum), "polygamma": _whole("polygamma", special.polygamma, 2),
    "multigammaln": Builtin("multigammaln", _log_gamma), "yn": _neumann(), "zeta": _whole("zeta", special.zeta, 2),
    "sinc": _whole("sinc", special.sinc, 1),
    "comb": Builtin("comb", _comb), "factorial": Builtin("factorial", _factorial),
}  # fmt: skip

# --- the normal distribution

_HALF_LOG = 0.5 * math.log(2 * math.pi)


class _Normal:
    """Normal distributions, each function with a mean and a scale of its own."""

    __module__ = "scipy.stats._continuous_distns"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __call__(self, loc: Any = 0, scale: Any = 1) -> _Frozen:
        return _Frozen(loc, scale)

    def pdf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """How dense it is."""
        return _scaled(lambda z, s: np.exp(-(z**2) / 2.0) / math.sqrt(2 * math.pi) / s, x, loc, scale)

    def logpdf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: -(z**2) / 2.0 - _HALF_LOG - np.log(s), x, loc, scale)

    def cdf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """How much lies below."""
        return _scaled(lambda z, s: special.ndtr(z), x, loc, scale)

    def logcdf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: special.log_ndtr(z), x, loc, scale)

    def sf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """How much lies above."""
        return _scaled(lambda z, s: special.ndtr(-z), x, loc, scale)

    def logsf(self, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: special.log_ndtr(-z), x, loc, scale)

    def ppf(self, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """What so much lies below."""
        return _placed(lambda q: special.ndtri(q), q, loc, scale)

    def isf(self, q: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """What so much lies above."""
        return _placed(lambda q: -special.ndtri(q), q, loc, scale)

    def interval(self, confidence: Any, loc: Any = 0, scale: Any = 1) -> Any:
        """The middle with so much in it."""
        least = (1.0 - confidence) / 2
        return self.ppf(least, loc, scale), self.ppf(1.0 - least, loc, scale)

    def rvs(self, loc: Any = 0, scale: Any = 1, size: Any = None, random_state: Any = None) -> Any:
        """Random numbers, from numpy's generator unless another is given."""
        loc, scale = _weighed((loc, scale))
        shape = np.broadcast_shapes(np.shape(loc), np.shape(scale)) if size is None else unwrap(size)
        reserve(math.prod(shape) if isinstance(shape, tuple | list) else shape)
        drawn = generator(random_state).standard_normal(shape)
        return wrap(np.float64(drawn * scale + loc) if shape == () else drawn * scale + loc)

    def mean(self, loc: Any = 0, scale: Any = 1) -> Any:
        return _placed(lambda q: q * 0.0, 0.0, loc, scale)

    def median(self, loc: Any = 0, scale: Any = 1) -> Any:
        return self.mean(loc, scale)

    def std(self, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: s + 0.0 * z, 0.0, loc, scale)

    def var(self, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: s * s + 0.0 * z, 0.0, loc, scale)

    def entropy(self, loc: Any = 0, scale: Any = 1) -> Any:
        return _scaled(lambda z, s: 0.5 + _HALF_LOG + np.log(s) + 0.0 * z, 0.0, loc, scale)

    def fit(self, data: Any) -> Any:
        """The mean and the scale that make numbers the likeliest."""
        (given,) = _weighed((data,))
        return wrap((np.mean(given), np.std(given)))


class _Frozen:
    """A normal distribution with its mean and its scale."""

    __module__ = "scipy.stats._distn_infrastructure"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, loc: Any, scale: Any) -> None:
        self.args = (loc, scale)

    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        return NORM.rvs(*self.args, size, random_state)


def _held(name: str) -> Callable[..., Any]:
    def method(self: _Frozen, *args: Any) -> Any:
        return getattr(NORM, name)(*args, *self.args)

    method.__name__ = name
    return method


for _name in "pdf logpdf cdf logcdf sf logsf ppf isf interval mean median std var entropy".split():
    setattr(_Frozen, _name, _held(_name))


def _scaled(function: Callable[[Any, Any], Any], x: Any, loc: Any, scale: Any) -> Any:
    given, middle, wide = (np.asarray(value, np.float64) for value in _weighed((x, loc, scale)))
    with np.errstate(all="ignore"):
        wide = np.where(wide > 0, wide, np.nan)
        return wrap(np.asarray(function((given - middle) / wide, wide))[()])


def _placed(function: Callable[[Any], Any], q: Any, loc: Any, scale: Any) -> Any:
    given, middle, wide = (np.asarray(value, np.float64) for value in _weighed((q, loc, scale)))
    with np.errstate(all="ignore"):
        return wrap(np.asarray(function(given) * np.where(wide > 0, wide, np.nan) + middle)[()])


_Normal.__name__ = _Normal.__qualname__ = "norm_gen"
_Frozen.__name__ = _Frozen.__qualname__ = "rv_continuous_frozen"
for _name, _method in vars(_Normal).items():
    if callable(_method) and not _name.startswith("_"):
        _method.__qualname__ = f"rv_continuous.{_name}"
NORM = _Normal()
STATS: dict[str, Any] = {"norm": NORM}
MODULES: dict[str, dict[str, Any]] = {
    "scipy": {
        "special": Module.of("scipy.special", SPECIAL), "stats": Module.of("scipy.stats", STATS),
        "__version__": "1.17.1",
    },
    "scipy.special": SPECIAL,
    "scipy.stats": STATS,
}  # fmt: skip
