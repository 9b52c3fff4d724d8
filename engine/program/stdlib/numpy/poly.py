"""`numpy.poly1d` and the functions of polynomials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, unwrap, wrap
from engine.program.values import Builtin

_DEGREE = 1000


def _coefficients(value: Any) -> Any:
    found = np.atleast_1d(value._poly.coeffs if isinstance(value, Poly1d) else as_array(value))
    if found.size > _DEGREE:
        raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
    meter.charge(1 + (found.size >> 4))
    return found


class Poly1d:
    """`numpy.poly1d`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    __hash__: Any = None

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        given = _coefficients(c_or_r)
        meter.charge(given.size**2 >> 9 if r else 0)
        self._poly = np.poly1d(given, bool(r), variable if isinstance(variable, str) else None)

    @property
    def coeffs(self) -> Any:
        return wrap(self._poly.coeffs)

    c = coef = coefficients = coeffs

    @property
    def order(self) -> int:
        return int(self._poly.order)

    o = order

    @property
    def roots(self) -> Any:
        meter.work(160 * self._poly.order**3)
        return wrap(self._poly.roots)

    r = roots

    @property
    def variable(self) -> str:
        return self._poly.variable

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Poly1d):
            meter.charge((self._poly.order + 1) * (value._poly.order + 1) ** 2 >> 6)
            return _made(self._poly(value._poly))
        at = value if isinstance(value, int | float | complex) else as_array(value)
        meter.allocate(np.size(at), 8)
        meter.charge((self._poly.order + 1) * (1 + (np.size(at) >> 10)))
        return wrap(self._poly(at))

    def deriv(self, m: int = 1) -> Poly1d:
        return _made(self._poly.deriv(min(int(m), _DEGREE)))

    def integ(self, m: int = 1, k: Any = 0) -> Poly1d:
        return _made(self._poly.integ(min(int(m), _DEGREE), unwrap(k)))

    def __neg__(self) -> Poly1d:
        return _made(-self._poly)

    def __getitem__(self, power: int) -> Any:
        return wrap(self._poly[power])

    def __len__(self) -> int:
        return len(self._poly)

    def __eq__(self, other: object) -> bool:
        meter.charge(1 + (self._poly.order >> 5))
        return isinstance(other, Poly1d) and bool(self._poly == other._poly)

    def __repr__(self) -> str:
        meter.charge(1 + self._poly.order)
        return repr(self._poly)

    def __str__(self) -> str:
        meter.charge(16 + self._poly.order)
        return str(self._poly)


Poly1d.__name__ = Poly1d.__qualname__ = "poly1d"


def _made(poly: Any) -> Poly1d:
    _coefficients(wrap(poly.coeffs))
    made = object.__new__(Poly1d)
    made._poly = poly
    return made


def _operand(other: Any) -> Any:
    if isinstance(other, Poly1d):
        return other._poly
    return unwrap(other) if isinstance(other, int | float | complex | Array) else None


def _operator(name: str) -> Callable[[Poly1d, Any], Any]:
    native = getattr(np.poly1d, name)

    def apply(self: Poly1d, other: Any) -> Any:
        value = _operand(other)
        if value is None:
            return NotImplemented
        size = len(value.coeffs) if isinstance(value, np.poly1d) else 1
        if name == "__pow__":
            if not isinstance(value, int) or value * self._poly.order > _DEGREE:
                raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
            meter.charge(value * (self._poly.order * value) ** 2 >> 9)
        meter.charge(len(self._poly.coeffs) * size >> 9)
        result = native(self._poly, value)
        return tuple(map(_made, result)) if isinstance(result, tuple) else _made(result)

    return apply


for _name in "add radd sub rsub mul rmul truediv pow".split():
    setattr(Poly1d, f"__{_name}__", _operator(f"__{_name}__"))


def _function(name: str) -> Builtin:
    native = getattr(np, name)

    def run(*args: Any) -> Any:
        given = [_coefficients(arg) if isinstance(arg, Poly1d | Array | list | tuple) else unwrap(arg) for arg in args]
        sizes = [int(np.size(arg)) for arg in given]
        if name in ("polyder", "polyint") and len(given) > 1:
            given[1] = min(int(given[1]), _DEGREE)
        meter.charge(8 + (sizes[0] * max(sizes) >> 9))
        meter.work(160 * sizes[0] ** 3 if name == "roots" else 0)
        result = wrap(native(*given))
        if any(isinstance(arg, Poly1d) for arg in args):
            parts = tuple(_made(np.poly1d(unwrap(part))) for part in (result if type(result) is tuple else (result,)))
            return parts if type(result) is tuple else parts[0] if name != "roots" else result
        return result

    return Builtin(name, run)


POLYNOMIALS: dict[str, Any] = {
    "poly1d": Poly1d,
    **{name: _function(name) for name in "roots poly polyadd polysub polymul polydiv polyder polyint".split()},
}
