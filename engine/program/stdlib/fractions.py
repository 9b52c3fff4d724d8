"""`fractions` and `decimal`: exact numbers. Operations are Python's, paid for by the digits of their operands."""

from __future__ import annotations

import decimal
import fractions
import numbers
import re
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import STEP, as_integer, digits, multiplied, written
from engine.program.exceptions import class_of
from engine.program.stdlib.collections import make_namedtuple
from engine.program.values import Builtin

_LONGEST = 4300
"""Characters of a text that a number is read from."""
_PLAIN = (int, float, complex)


def _native(value: Any) -> Any:
    """A number as Python's modules know it, or NotImplemented."""
    if isinstance(value, _Exact):
        return value._value
    return value if isinstance(value, _PLAIN) else NotImplemented


def _bits(value: Any) -> int:
    if isinstance(value, fractions.Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length()
    if isinstance(value, decimal.Decimal):
        return 4 * len(value.as_tuple().digits)
    return value.bit_length() if isinstance(value, int) else 64


_CALL = 2
"""Steps that any operation is charged: `sum` and `sorted` call as many as they have items."""


def _paid(*values: Any) -> None:
    meter.charge(_CALL)
    bits = sum(map(_bits, values))
    if bits > 128:
        meter.check_bits(bits)
        for _ in range(8):  # a product or two, and what they have in common
            multiplied(bits, bits)


def _read(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError(f"no more than {_LONGEST} characters are read as a number here")
    written(16 * len(text))
    return text


_EXPONENT = re.compile(r"[eE][-+]?([0-9_]+)\s*\Z")


def _read_fraction(text: str) -> str:
    """A text that a fraction is read from: unlike a decimal number it has all the digits that an exponent says."""
    found = _EXPONENT.search(_read(text))
    if found is not None:
        bits = int(found[1].replace("_", "") or 0) * 10 // 3
        meter.check_bits(bits)
        multiplied(bits, bits)
    return text


class _Exact:
    """A number of one of Python's modules, as programs have it."""

    __module__ = "numbers"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _value: Any

    def __hash__(self) -> int:
        _paid(self._value)
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __float__(self) -> float:
        _paid(self._value)
        return float(self._value)

    def __complex__(self) -> complex:
        return complex(float(self))

    def __int__(self) -> int:
        return int(self._whole())

    def __trunc__(self) -> int:
        return int(self._whole())

    def __floor__(self) -> Any:
        return self._whole().__floor__()

    def __ceil__(self) -> Any:
        return self._whole().__ceil__()

    def __round__(self, *ndigits: Any) -> Any:
        return _wrapped(round(self._whole(), *ndigits))

    def _whole(self) -> Any:
        """The number, before an integer is made of it."""
        _paid(self._value)
        return self._value

    def __str__(self) -> str:
        _paid(self._value)
        return str(self._value)

    def __repr__(self) -> str:
        _paid(self._value)
        return repr(self._value)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def _wrapped(value: Any) -> Any:
    kind = _KINDS.get(type(value))
    if kind is None:
        return tuple(map(_wrapped, value)) if type(value) is tuple else value
    made: Any = object.__new__(kind)
    made._value = value
    return made


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def run(self: Any, other: Any) -> Any:
        given = _native(other)
        if given is NotImplemented:
            return NotImplemented
        _paid(self._value, given)
        if name in ("__pow__", "__rpow__"):
            _powered(*((self._value, given) if name == "__pow__" else (given, self._value)))
        with decimal.localcontext(_context()):
            return _wrapped(getattr(self._value, name)(given))

    run.__name__ = run.__qualname__ = name
    return run


def _powered(base: Any, exponent: Any) -> None:
    numbers = [value for value in (base, exponent) if isinstance(value, decimal.Decimal)]
    if numbers:
        _approximated(*numbers)
    whole = exponent.numerator if isinstance(exponent, fractions.Fraction) else exponent
    if isinstance(base, fractions.Fraction | int) and isinstance(whole, int):
        bits = _bits(base) * min(abs(whole), 1 << 40)
        meter.check_bits(bits)
        multiplied(bits, bits)


def _unary(name: str) -> Callable[[Any], Any]:
    def run(self: Any) -> Any:
        _paid(self._value)
        with decimal.localcontext(_context()):
            return _wrapped(getattr(self._value, name)())

    run.__name__ = run.__qualname__ = name
    return run


_ARITHMETIC = "add sub mul truediv floordiv mod divmod pow"
for _name in _ARITHMETIC.split():
    for _special in (f"__{_name}__", f"__r{_name}__"):
        setattr(_Exact, _special, _binary(_special))
for _name in "eq lt le gt ge".split():
    setattr(_Exact, f"__{_name}__", _binary(f"__{_name}__"))
for _name in "neg pos abs".split():
    setattr(_Exact, f"__{_name}__", _unary(f"__{_name}__"))


class Fraction(_Exact):
    """`fractions.Fraction`."""

    __module__ = "fractions"
    __program__ = True
    __invisible__ = False

    def __init__(self, numerator: Any = 0, denominator: Any = None) -> None:
        parts = [_read_fraction(part) if isinstance(part, str) else part for part in (numerator, denominator)]
        parts = [part._value if isinstance(part, _Exact) else as_integer(part) for part in parts]
        if isinstance(parts[0], decimal.Decimal):
            _written_out(parts[0])
        _paid(*[part for part in parts if part is not None and not isinstance(part, str)])
        self._value = fractions.Fraction(*parts)
        meter.check_bits(_bits(self._value))

    @classmethod
    def from_float(cls, f: Any) -> Any:
        return _wrapped(fractions.Fraction.from_float(f))

    @property
    def numerator(self) -> int:
        return int(self._value.numerator)

    @property
    def denominator(self) -> int:
        return int(self._value.denominator)

    real = property(lambda self: self)
    imag = 0

    def as_integer_ratio(self) -> tuple[int, int]:
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator: Any = 1000000) -> Any:
        _paid(self._value, max_denominator)
        return _wrapped(self._value.limit_denominator(max_denominator))


_DIGITS = 1000
"""Digits that a context may calculate with."""
_LARGEST = 10_000
"""The exponent up to which a decimal number is written out, or made an integer."""


class Context:
    """`decimal.Context`: how many digits there are, and how they are rounded."""

    __module__ = "decimal"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, prec: Any = 28, rounding: Any = decimal.ROUND_HALF_EVEN, **options: Any) -> None:
        self._context = decimal.Context()
        self.prec, self.rounding = prec, rounding

    @property
    def prec(self) -> int:
        return self._context.prec

    @prec.setter
    def prec(self, places: int) -> None:
        if isinstance(places, int) and places > _DIGITS:
            raise ValueError(f"prec is limited to {_DIGITS} here")
        self._context.prec = places

    @property
    def rounding(self) -> str:
        return self._context.rounding

    @rounding.setter
    def rounding(self, how: str) -> None:
        self._context.rounding = how

    def copy(self) -> Context:
        return Context(self.prec, self.rounding)


_CURRENT = "decimal", "context"


def _current() -> Context:
    found: Context = sessions.active.settings.setdefault(_CURRENT, Context())
    return found


def _context() -> decimal.Context:
    return _current()._context


def _set_context(c: Any) -> None:
    if not isinstance(c, Context):
        raise TypeError("optional argument must be a context")
    sessions.active.settings[_CURRENT] = c


class _LocalContext:
    """`decimal.localcontext`."""

    __module__ = "decimal"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, ctx: Any = None, *, prec: Any = None, rounding: Any = None) -> None:
        self._new = (_current() if ctx is None else ctx).copy()
        self._new.prec = self._new.prec if prec is None else prec
        self._new.rounding = self._new.rounding if rounding is None else rounding

    def __enter__(self) -> Context:
        self._before = _current()
        _set_context(self._new)
        return self._new

    def __exit__(self, *exception: object) -> None:
        _set_context(self._before)


def _written_out(value: decimal.Decimal) -> decimal.Decimal:
    """A decimal number that is not too long to be written out, which is paid for here."""
    if value.is_finite() and value:
        if abs(value.adjusted()) > _LARGEST:
            raise ValueError(f"only numbers with exponents up to {_LARGEST} are written out here")
        bits = (len(value.as_tuple().digits) + abs(value.adjusted())) * 10 // 3
        meter.charge(2 * bits * bits // STEP["digits"])
    return value


class Decimal(_Exact):
    """`decimal.Decimal`."""

    __module__ = "decimal"
    __program__ = True
    __invisible__ = False

    def __init__(self, value: Any = "0", context: Any = None) -> None:
        if isinstance(value, str):
            _read(value)
        given = value._value if isinstance(value, Decimal) else value
        if not isinstance(given, int | float | str | tuple | decimal.Decimal):
            raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
        if isinstance(given, int):
            digits(given)
            _paid(given)
        elif isinstance(given, tuple) and (count := sum([len(part) for part in given if isinstance(part, tuple)])):
            meter.charge(count >> 3)
            if count > _LONGEST:
                raise ValueError(f"no more than {_LONGEST} digits are read as a number here")
        self._value = decimal.Decimal(given)

    def _whole(self) -> Any:
        if self._value.is_finite():
            meter.check_bits(self._value.adjusted() * 10 // 3)
        return _written_out(self._value)

    def __format__(self, spec: str) -> str:
        if len(spec) > 8:
            raise ValueError("no more than 8 characters say here how a decimal number is written")
        with decimal.localcontext(_context()):
            return format(_written_out(self._value), spec)

    @classmethod
    def from_float(cls, f: Any) -> Any:
        return _wrapped(decimal.Decimal.from_float(f))

    def quantize(self, exp: Any, rounding: Any = None, context: Any = None) -> Any:
        with decimal.localcontext(_context()):
            return _wrapped(self._value.quantize(_decimal(exp), rounding))

    def as_tuple(self) -> Any:
        return _TUPLE(*self._value.as_tuple())

    def as_integer_ratio(self) -> tuple[int, int]:
        ratio = self._whole().as_integer_ratio()
        meter.check_bits(max(map(int.bit_length, ratio)))
        return ratio  # type: ignore[no-any-return]


_TUPLE: Any = make_namedtuple("DecimalTuple", ["sign", "digits", "exponent"], {})


def _decimal(value: Any) -> Any:
    found = _native(value)
    if not isinstance(found, decimal.Decimal | int):
        raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
    return found


_TRANSCENDENT = frozenset({"exp", "ln", "log10"})


def _approximated(*values: decimal.Decimal) -> None:
    """Charge for a function that is approximated in so many turns as the result has digits."""
    places = max(_context().prec, *[len(value.as_tuple().digits) for value in values])
    meter.charge(4 + (places * places >> 8))


def _calculated(name: str) -> Callable[..., Any]:
    def run(self: Any, *others: Any) -> Any:
        given = [_decimal(other) for other in others]
        _paid(self._value, *given)
        meter.charge(_context().prec >> 3)
        if name in _TRANSCENDENT:
            _approximated(self._value)
        with decimal.localcontext(_context()):
            return _wrapped(getattr(self._value, name)(*given))

    run.__name__, run.__qualname__ = name, f"Decimal.{name}"
    return run


_METHODS = (
    "sqrt exp ln log10 is_nan is_infinite is_finite is_zero is_signed normalize to_integral_value to_integral_exact"
    " copy_abs copy_negate copy_sign compare max min adjusted fma number_class scaleb to_eng_string"
)
for _name in _METHODS.split():
    setattr(Decimal, _name, _calculated(_name))

_KINDS: dict[type, type] = {fractions.Fraction: Fraction, decimal.Decimal: Decimal}
numbers.Rational.register(Fraction)
numbers.Number.register(Decimal)
_ERRORS = (
    "DecimalException Clamped InvalidOperation DivisionByZero Inexact Rounded Subnormal Overflow Underflow"
    " FloatOperation"
)
_ROUNDINGS = "CEILING DOWN FLOOR HALF_DOWN HALF_EVEN HALF_UP UP 05UP"

MODULES: dict[str, dict[str, Any]] = {
    "fractions": {"Fraction": Fraction},
    "decimal": {
        "Decimal": Decimal,
        "Context": Context,
        "getcontext": Builtin("getcontext", _current),
        "setcontext": Builtin("setcontext", _set_context),
        "localcontext": Builtin("localcontext", _LocalContext),
        **{name: class_of(getattr(decimal, name)) for name in _ERRORS.split()},
        **{f"ROUND_{name}": f"ROUND_{name}" for name in _ROUNDINGS.split()},
    },
}
