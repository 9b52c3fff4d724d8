"""`numpy.polynomial`: series of powers and of orthogonal polynomials, as classes and as functions of coefficients."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, unwrap, weigh_argument, wrap
from engine.program.values import Builtin, Module

_DEGREE = 1000


def _array(value: Any) -> Any:
    """An array of what a function or a class method got, wrapped or not."""
    return value if isinstance(value, np.ndarray) else as_array(value)


def _ends(value: Any) -> Any:
    """A domain or a window; an empty list asks for that of the class."""
    return value if value is None or (isinstance(value, list) and not value) else _array(value)


def _short(value: Any) -> Any:
    """Coefficients. Raises ValueError for too many."""
    found = np.atleast_1d(_array(value))
    if found.size > _DEGREE:
        raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
    meter.charge(1 + found.size)
    return found


def _degree(value: Any) -> Any:
    """A degree, or some of them."""
    found = unwrap(value)
    if np.size(found) and np.max(np.abs(found)) > _DEGREE:
        raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
    return found if np.ndim(found) else int(found)


def _fitting(points: Any, degree: Any) -> None:
    columns = int(np.max(degree, initial=0)) + 1
    meter.allocate(np.size(points) * columns * 2, 8)
    meter.work(64 * np.size(points) * columns * columns)
    meter.charge(columns)


class Series:
    """What all kinds of series have."""

    __module__ = "numpy.polynomial"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    __hash__: Any = None
    _kind: Any = None
    _room = ""

    def __init__(self, coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> None:
        ends = [_ends(end) for end in (domain, window)]
        self._poly = self._kind(_short(coef), *ends, symbol)

    @property
    def coef(self) -> Any:
        return wrap(self._poly.coef)

    @property
    def domain(self) -> Any:
        return wrap(self._poly.domain)

    @property
    def window(self) -> Any:
        return wrap(self._poly.window)

    @property
    def symbol(self) -> str:
        return str(self._poly.symbol)

    @classmethod
    def _of(cls, poly: Any) -> Any:
        if poly.coef.size > _DEGREE:
            raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
        made = object.__new__(cls)
        made._poly = poly
        return made

    @classmethod
    def fit(
        cls, x: Any, y: Any, deg: Any, domain: Any = None, rcond: Any = None, full: Any = False, w: Any = None,
        window: Any = None, symbol: str = "x",
    ) -> Any:  # fmt: skip
        points, degree = _array(x), _degree(deg)
        _fitting(points, degree)
        given = [_ends(value) for value in (domain, w, window)]
        found = cls._kind.fit(points, _array(y), degree, given[0], unwrap(rcond), bool(full), *given[1:], symbol)
        return (cls._of(found[0]), wrap(list(found[1]))) if full else cls._of(found)

    @classmethod
    def fromroots(cls, roots: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> Any:
        given = _short(roots)
        meter.charge(_products("mul", given.size, given.size, cls._room))
        ends = [[] if domain is None else _ends(domain), _ends(window)]
        return cls._of(cls._kind.fromroots(given, *ends, symbol))

    @classmethod
    def basis(cls, deg: int, domain: Any = None, window: Any = None, symbol: str = "x") -> Any:
        ends = [_ends(end) for end in (domain, window)]
        return cls._of(cls._kind.basis(_degree(deg), *ends, symbol))

    @classmethod
    def identity(cls, domain: Any = None, window: Any = None, symbol: str = "x") -> Any:
        ends = [_ends(end) for end in (domain, window)]
        return cls._of(cls._kind.identity(*ends, symbol))

    def degree(self) -> int:
        return int(self._poly.degree())

    def roots(self) -> Any:
        meter.work(200 * len(self._poly.coef) ** 3)
        return wrap(self._poly.roots())

    def deriv(self, m: int = 1) -> Any:
        meter.charge(len(self._poly.coef) * (1 + min(int(m), _DEGREE)) >> 2)
        return self._of(self._poly.deriv(min(int(m), _DEGREE)))

    def integ(self, m: int = 1, k: Any = (), lbnd: Any = None) -> Any:
        times = min(int(m), _DEGREE)
        meter.charge((len(self._poly.coef) + times) * (1 + times) >> 1)
        constants = _array(k).tolist() if isinstance(k, Array | list | tuple) else unwrap(k)
        return self._of(self._poly.integ(times, constants, unwrap(lbnd)))

    def linspace(self, n: int = 100, domain: Any = None) -> Any:
        count = max(0, int(unwrap(n)))
        meter.allocate(3 * count, 8)
        meter.charge(len(self._poly.coef) * (1 + (count >> 10)))
        return wrap(self._poly.linspace(count, _ends(domain)))

    def convert(self, domain: Any = None, kind: Any = None, window: Any = None) -> Any:
        cls = type(self) if kind is None else kind
        if not (isinstance(cls, type) and issubclass(cls, Series) and cls._kind is not None):
            raise TypeError("kind is a class of numpy.polynomial here")
        meter.charge(20 * len(self._poly.coef) + (len(self._poly.coef) ** 2 >> 6))
        ends = [_ends(end) for end in (domain, window)]
        return cls._of(self._poly.convert(ends[0], cls._kind, ends[1]))

    def copy(self) -> Any:
        meter.charge(1 + (len(self._poly.coef) >> 5))
        return self._of(self._poly.copy())

    def trim(self, tol: Any = 0) -> Any:
        return self._of(self._poly.trim(unwrap(tol)))

    def truncate(self, size: int) -> Any:
        return self._of(self._poly.truncate(int(size)))

    def cutdeg(self, deg: int) -> Any:
        return self._of(self._poly.cutdeg(int(deg)))

    def __call__(self, arg: Any) -> Any:
        if isinstance(arg, Series):
            size = len(self._poly.coef) * len(arg._poly.coef)
            if size > _DEGREE:
                raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
            meter.charge(16 * len(self._poly.coef) + (size * size >> 6))
            return type(arg)._of(self._poly(arg._poly))
        weigh_argument(arg)
        at = arg if isinstance(arg, int | float | complex) else _array(arg)
        meter.allocate(2 * np.size(at), 8)
        meter.charge(len(self._poly.coef) * (1 + (np.size(at) >> 10)))
        return wrap(self._poly(at))

    def __neg__(self) -> Any:
        return self._of(-self._poly)

    def __pos__(self) -> Any:
        return self

    def __len__(self) -> int:
        return len(self._poly)

    def __eq__(self, other: object) -> bool:
        meter.charge(1 + (len(self._poly.coef) >> 5))
        return type(other) is type(self) and bool(self._poly == other._poly)

    def __repr__(self) -> str:
        meter.charge(1 + len(self._poly.coef))
        return repr(self._poly)

    def __str__(self) -> str:
        meter.charge(16 + 2 * len(self._poly.coef))
        return str(self._poly)


_DIVIDING = ("__floordiv__", "__mod__", "__divmod__", "div")


_FAST = "polynomial", "chebyshev"
"""Rooms whose products and divisions are convolutions; in others numpy makes a few calls for each coefficient."""


def _products(does: str, length: int, size: int, room: str) -> int:
    """Steps of a product or a division."""
    if room in _FAST:
        return 4 + (4 * length if does in _DIVIDING else 0) + (length * size >> 6)
    return 20 * (1 + length * size) if does in _DIVIDING else 80 * min(length, size) + (length * size >> 6)


def _operator(name: str) -> Callable[[Series, Any], Any]:
    def apply(self: Series, other: Any) -> Any:
        if isinstance(other, Series):
            value: Any = other._poly
            size = len(value.coef)
        elif isinstance(other, int | float | complex | Array | list | tuple):
            value = other if isinstance(other, int | float | complex) else _short(other)
            size = int(np.size(value))
        else:
            return NotImplemented
        length = len(self._poly.coef)
        if name == "__pow__":
            if not isinstance(value, int) or abs(value) * length > _DEGREE:
                raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
            size = length * max(1, value)
        meter.charge(_products(name, length, size, self._room))
        native = getattr(self._poly, name)
        result = native(value)
        if result is NotImplemented:
            return result
        return tuple(map(self._of, result)) if isinstance(result, tuple) else self._of(result)

    return apply


for _name in "add radd sub rsub mul rmul truediv floordiv mod divmod pow".split():
    setattr(Series, f"__{_name}__", _operator(f"__{_name}__"))


_ROOMS = {
    "polynomial": ("poly", "Polynomial"), "chebyshev": ("cheb", "Chebyshev"), "legendre": ("leg", "Legendre"),
    "hermite": ("herm", "Hermite"), "hermite_e": ("herme", "HermiteE"), "laguerre": ("lag", "Laguerre"),
}  # fmt: skip
KINDS: dict[str, type[Series]] = {
    kind: type(kind, (Series,), {
        "__module__": f"numpy.polynomial.{room}", "__program__": True, "__invisible__": False, "__abstract__": (),
        "__hash__": None, "_kind": getattr(np.polynomial, kind), "_room": room,
    })
    for room, (_, kind) in _ROOMS.items()
}  # fmt: skip


def _function(room: Any, name: str, does: str) -> Builtin:
    native = getattr(room, name)
    signature = inspect.signature(native)

    def run(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            weigh_argument(value)
        plain = [_array(arg) if isinstance(arg, Array | list | tuple) else unwrap(arg) for arg in args]
        options = {
            key: _array(value) if isinstance(value, Array | list | tuple) else unwrap(value)
            for key, value in kwargs.items()
        }
        try:
            bound = signature.bind(*plain, **options).arguments
        except TypeError:
            native(*plain, **options)  # which says it in Python's words
            raise
        _pay(does, list(bound.values()), bound, native.__module__.rpartition(".")[2])
        result = native(*plain, **options)
        return wrap(list(result) if isinstance(result, list) else result)

    return Builtin(name, run)


def _pay(does: str, args: list[Any], options: dict[str, Any], room: str) -> None:
    sizes = [int(np.size(arg)) for arg in args]
    if does == "val":
        coefficients = np.shape(args[1])[0] if np.ndim(args[1]) else 1
        meter.allocate(2 * sizes[0] * max(1, sizes[1] // max(1, coefficients)), 8)
        meter.charge(2 * coefficients + (sizes[0] * sizes[1] >> 9))
    elif does == "fit":
        _fitting(args[0], _degree(options.get("deg", args[2] if len(args) > 2 else 1)))
    elif does == "vander":
        columns = _degree(options.get("deg", args[1] if len(args) > 1 else 1)) + 1
        meter.allocate(2 * sizes[0] * columns, 8)
        meter.charge(2 * columns)
    elif does == "gauss":
        degree = _degree(args[0] if args else options.get("deg", 1))
        meter.work(60 * degree**3)
        meter.charge(8 + 4 * degree)
    else:
        if max(sizes, default=0) > _DEGREE:
            raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
        length = max(sizes, default=1)
        times = abs(_degree(options.get("m", args[1] if len(args) > 1 and sizes[1] == 1 else 1)))
        if does == "pow":
            if times * length > _DEGREE:
                raise ValueError(f"polynomials are limited to {_DEGREE} coefficients here")
            length *= max(1, times)
        meter.charge(8 + (20 if does == "mul" else 4) * length + (length * length >> 6))
        if does in ("mul", "div", "pow", "fromroots"):
            two = does in ("mul", "div") and len(sizes) > 1
            meter.charge(_products(does, sizes[0] if two else length, sizes[1] if two else length, room))
        if does in ("der", "int"):
            meter.charge((length + times) * times)
        meter.work(200 * length**3 if does == "roots" else 0)


def _functions(room: str, prefix: str) -> dict[str, Any]:
    native = getattr(np.polynomial, room)
    found = {}
    for does in "val fit vander gauss weight add sub mul div pow der int roots fromroots trim mulx".split():
        name = prefix + does
        if hasattr(native, name):
            found[name] = _function(native, name, does)
    for name in (f"poly2{prefix}", f"{prefix}2poly"):
        if hasattr(native, name):
            found[name] = _function(native, name, "mul")
    return found


ROOMS: dict[str, dict[str, Any]] = {
    room: {**_functions(room, prefix), kind: KINDS[kind]} for room, (prefix, kind) in _ROOMS.items()
}
POLYNOMIAL: dict[str, Any] = {
    **KINDS, **{room: Module.of(f"numpy.polynomial.{room}", contents) for room, contents in ROOMS.items()},
}  # fmt: skip
