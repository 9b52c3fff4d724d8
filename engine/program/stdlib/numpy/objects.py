"""What numpy's elementwise functions do with objects of a program's classes: they ask them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program.arrays import Scalar, is_object, no_ufuncs
from engine.program.calls import call
from engine.program.kinds import NO_UFUNCS
from engine.program.stdlib.fractions import Decimal, Fraction

_ALONE: dict[str, Callable[[Any], Any]] = {
    "negative": operator.neg, "positive": operator.pos, "absolute": abs, "square": lambda x: x * x,
    "reciprocal": lambda x: 1 / x, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc,
}  # fmt: skip
_ASKED = frozenset(
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt"
    " cbrt fabs rint degrees radians rad2deg deg2rad conjugate".split()
)
"""Functions that call the method of their name."""
_PAIRS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "floor_divide": operator.floordiv, "power": operator.pow, "remainder": operator.mod,
    "maximum": lambda a, b: a if a >= b else b, "minimum": lambda a, b: a if a <= b else b,
}  # fmt: skip


def is_scalar(element: Any) -> bool:
    """`numpy.isscalar`, of whatever there is."""
    return isinstance(element, Scalar | Fraction | Decimal | int | float | complex | str | bytes)


def asking(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of this name, which leaves to objects among its arguments what is theirs to compute."""
    known = name in _ASKED or name in _ALONE or name in _PAIRS
    needs = 2 if name in _PAIRS else 1

    def run(*args: Any, **kwargs: Any) -> Any:
        if len(args) == needs and any(map(is_object, args)) and all(map(_single, args)) and not kwargs:
            return _asked(name, args)
        return function(*args, **kwargs)

    return run if known else function


def _single(value: Any) -> bool:
    return type(value) in (int, float, bool, complex) or isinstance(value, Scalar) or is_object(value)


def _asked(name: str, args: tuple[Any, ...]) -> Any:
    """What the objects compute. Raises TypeError for those that cannot."""
    meter.charge(1)
    for value in args:
        if hasattr(type(value), NO_UFUNCS):
            raise no_ufuncs(value)
    if len(args) == 2:
        return _PAIRS[name](*[value.number if isinstance(value, Scalar) else value for value in args])
    if name in _ALONE:
        return _ALONE[name](args[0])
    method = getattr(args[0], name, None)
    if not callable(method):
        raise TypeError(
            f"loop of ufunc does not support argument 0 of type {type(args[0]).__name__} which has no callable {name}"
            " method"
        )
    return call(method, (), None)
