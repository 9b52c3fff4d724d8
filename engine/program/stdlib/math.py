"""`math` and `cmath`. Python's functions; those that can explode are checked first."""

from __future__ import annotations

import cmath
import math
from typing import Any

from engine.limits import meter
from engine.program.charges import as_integer, multiplied
from engine.program.operators import finite, items, mul
from engine.program.values import Builtin

_MATH = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf erfc exp exp2 expm1 fabs floor fmod"
    " frexp gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter pow"
    " radians remainder sin sinh sqrt tan tanh trunc ulp"
)
_CMATH = (
    "acos acosh asin asinh atan atanh cos cosh exp isclose isfinite isinf isnan log log10 phase polar rect sin sinh"
    " sqrt tan tanh"
)


def _factorial(n: Any) -> int:
    n = as_integer(n)
    if isinstance(n, int) and n > 1:
        bits = int(n * max(1.0, math.log2(n) - 1.4)) if n < 1 << 40 else n
        meter.check_bits(bits)
        multiplied(bits, bits)
    return math.factorial(n)


def _counting(name: str) -> Any:
    native = getattr(math, name)

    def count(n: Any, *more: Any) -> int:
        n, *k = map(as_integer, (n, *more))
        if isinstance(n, int) and n > 1:
            chosen = k[0] if k and isinstance(k[0], int) else n
            steps = max(min(chosen, n - chosen if name == "comb" else n), 0)
            bits = steps * n.bit_length() if name == "perm" else min(n, steps * n.bit_length())
            meter.check_bits(bits)
            multiplied(bits, bits)
        return int(native(n, *k))

    return count


def _prod(iterable: Any, *, start: Any = 1) -> Any:
    total = start
    for value in finite(iterable):
        total = mul(total, value)
    return total


def _fsum(iterable: Any) -> float:
    values = items(iterable)
    meter.charge(len(values) >> 4)
    return math.fsum(values)


def _dist(p: Any, q: Any) -> float:
    return math.dist(items(p), items(q))


_WHOLE = ("gcd", "lcm", "isqrt")


def _long(name: str) -> Any:
    """Functions of integers of any size."""
    native = getattr(math, name)

    def compute(*given: Any) -> Any:
        values = [as_integer(value) for value in given]
        bits = sum([value.bit_length() for value in values if isinstance(value, int)])
        if name == "lcm":
            meter.check_bits(bits)
        if bits > 64:
            for _ in values:
                multiplied(bits, 2 * bits)
        return native(*values)

    return compute


_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}

MODULES: dict[str, dict[str, Any]] = {
    "math": {
        **{name: Builtin(name, getattr(math, name)) for name in _MATH.split()},
        **{name: Builtin(name, _long(name)) for name in _WHOLE},
        **_CONSTANTS,
        "factorial": Builtin("factorial", _factorial),
        "comb": Builtin("comb", _counting("comb")),
        "perm": Builtin("perm", _counting("perm")),
        "prod": Builtin("prod", _prod),
        "fsum": Builtin("fsum", _fsum),
        "dist": Builtin("dist", _dist),
    },
    "cmath": {
        **{name: Builtin(name, getattr(cmath, name)) for name in _CMATH.split()},
        **_CONSTANTS,
        "infj": cmath.infj,
        "nanj": cmath.nanj,
    },
}
