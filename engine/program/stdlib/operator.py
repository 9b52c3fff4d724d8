"""`operator`: operators as functions, and what takes parts out of values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import operators
from engine.program.attributes import read
from engine.program.calls import CALLERS, call
from engine.program.charges import compared, made
from engine.program.items import assign_item, delete_item, subscript
from engine.program.operators import BINARY, COMPARE, CONTAINERS, IN_PLACE, TEXT, add, finite
from engine.program.tables import READERS
from engine.program.text import represent
from engine.program.values import Builtin, name_as


class Getter(Builtin):
    """`operator.itemgetter("a")`, `attrgetter`, `methodcaller`: shows what it was made of."""

    __slots__ = ("given",)

    def __init__(self, name: str, function: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]) -> None:
        super().__init__(name, function)
        self.given = *map(represent, given), *(f"{key}={represent(value)}" for key, value in named.items())

    def __repr__(self) -> str:
        return f"operator.{self.name}({', '.join(self.given)})"


name_as(Getter, "itemgetter")
Getter.__module__ = "operator"
READERS[Getter] = READERS[Builtin]
CALLERS[Getter] = CALLERS[Builtin]


def _of_each(name: str, get: Callable[[Any, Any], Any], keys: tuple[Any, ...]) -> Getter:
    if not keys:
        raise TypeError(f"{name} expected 1 argument, got 0")
    compared(4 * len(keys))
    if len(keys) == 1:
        return Getter(name, lambda obj, /: get(obj, keys[0]), keys, {})

    def get_each(obj: Any, /) -> Any:
        made(len(keys))
        return tuple([get(obj, key) for key in keys])

    return Getter(name, get_each, keys, {})


def _itemgetter(*keys: Any) -> Getter:
    return _of_each("itemgetter", subscript, keys)


def _attrgetter(*names: Any) -> Getter:
    def get(value: Any, path: str) -> Any:
        names = path.split(".")
        meter.charge(len(names) - 1)
        for name in names:
            value = read(value, name)
        return value

    if any(not isinstance(name, str) for name in names):
        raise TypeError("attribute name must be a string")
    return _of_each("attrgetter", get, names)


def _methodcaller(*given: Any, **kwargs: Any) -> Getter:
    if not given:
        raise TypeError("methodcaller needs at least one argument, the method name")
    name, *args = given
    if not isinstance(name, str):
        raise TypeError("method name must be a string")
    return Getter("methodcaller", lambda obj, /: call(read(obj, name), args, kwargs or None), given, kwargs)


def _binary(name: str, function: Callable[[Any, Any], Any]) -> Builtin:
    """An operator that says in Python's words how many operands it takes."""

    def run(*operands: Any) -> Any:
        if len(operands) != 2:
            raise TypeError(f"{name} expected 2 arguments, got {len(operands)}")
        return function(*operands)

    return Builtin(name, run)


def _concat(joined: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def concat(a: Any, b: Any) -> Any:
        if not hasattr(type(a), "__getitem__"):
            raise TypeError(f"'{type(a).__name__}' object can't be concatenated")
        return joined(a, b)

    return concat


_EQUAL = COMPARE[ast.Eq]


def _one_by_one(values: Any) -> Any:
    """The items, each of which is compared by a call."""
    if type(values) in CONTAINERS or type(values) in TEXT:
        meter.charge(len(values) >> 2)
    return finite(values)


def _count_of(a: Any, b: Any) -> int:
    return sum([1 for item in _one_by_one(a) if item is b or _EQUAL(item, b)])


def _index_of(a: Any, b: Any) -> int:
    for index, item in enumerate(_one_by_one(a)):
        if item is b or _EQUAL(item, b):
            return index
    raise ValueError("sequence.index(x): x not in sequence")


def _length_hint(obj: Any, default: Any = 0) -> Any:
    return operator.length_hint(obj, default)


_BINARY_NAMES = "add sub mul truediv floordiv mod pow matmul lshift rshift or_ and_ xor".split()
_COMPARE_NAMES = "eq ne lt le gt ge is_ is_not".split()
_UNARY = "neg pos invert inv index truth abs not_".split()
_OPERATORS: dict[str, Builtin] = {
    **{name: _binary(name, op) for name, op in zip(_BINARY_NAMES, BINARY.values(), strict=True)},
    **{
        name: _binary(name, op)
        for name, op in zip([f"i{name.rstrip('_')}" for name in _BINARY_NAMES], IN_PLACE.values(), strict=True)
    },
    **{name: _binary(name, op) for name, op in zip(_COMPARE_NAMES, list(COMPARE.values())[:8], strict=True)},
    **{name: Builtin(name, getattr(operator, name)) for name in _UNARY},
    "contains": Builtin("contains", operators.contains),
    "concat": _binary("concat", _concat(add)),
    "iconcat": _binary("iconcat", _concat(list(IN_PLACE.values())[0])),
    "getitem": Builtin("getitem", subscript),
    "setitem": Builtin("setitem", assign_item),
    "delitem": Builtin("delitem", delete_item),
}
_SPECIAL = {f"__{name.rstrip('_')}__": op for name, op in _OPERATORS.items() if name not in ("truth", "is_", "is_not")}

MODULES: dict[str, dict[str, Any]] = {
    "operator": {
        **_OPERATORS,
        **_SPECIAL,
        "countOf": Builtin("countOf", _count_of),
        "indexOf": Builtin("indexOf", _index_of),
        "length_hint": Builtin("length_hint", _length_hint),
        "call": Builtin("call", lambda obj, /, *args, **kwargs: call(obj, args, kwargs or None)),
        "itemgetter": Builtin("itemgetter", _itemgetter),
        "attrgetter": Builtin("attrgetter", _attrgetter),
        "methodcaller": Builtin("methodcaller", _methodcaller),
    }
}
