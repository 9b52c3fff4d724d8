"""Hashes, and the order of sets, as the program sees them: the same in every process.

Python hashes whatever has no hash of its own by its address: classes, functions, bound methods, nodes of the graph,
NaN, before 3.12 None. Such elements are called odd here. A program sees identities of the session in place of
addresses; and since a set with an odd element lies in an order that no two processes share, what iterates over one goes
by the hashes that the program sees. Sets without odd elements keep Python's order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from operator import ne
from types import MethodType
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.values import NativeMethod

NONE = 0xFCA86420
"""What Python hashes None to since 3.12."""

_PLAIN: frozenset[type] = frozenset({int, bool, str, bytes})
"""Types that are hashed by value, whatever the value."""
_NUMBERS = _PLAIN | {float}
_NONE_IS_ODD = sys.version_info < (3, 12)


class _Hashed:
    """An element of a tuple or frozenset, with the hash that the program sees."""

    __slots__ = ("code",)

    def __init__(self, code: int) -> None:
        self.code = code

    def __hash__(self) -> int:
        return self.code


def identity(value: Any) -> int:
    """`id(value)`."""
    return sessions.active.identity(value)


def _address(value: Any) -> int:
    return identity(value) >> 4


def _number(value: Any) -> int:
    return _address(value) if value != value else hash(value)


def _tuple(value: Any) -> int:
    return hash(tuple([_Hashed(stable_hash(item)) for item in value]))


def _frozenset(value: Any) -> int:
    return hash(frozenset([_Hashed(stable_hash(item)) for item in value]))


def _method(value: Any) -> int:
    return _address(value.__self__) ^ stable_hash(value.__func__)


def _range(value: range) -> int:
    first = value.start if value else None
    return _tuple((len(value), first, value.step if len(value) > 1 else None))


def _slice(value: slice) -> int:
    hash(value)  # which raises before Python 3.12
    return _tuple((value.start, value.stop, value.step))


_BY_VALUE: set[Any] = {kind.__hash__ for kind in (int, str, bytes)}
_INSIDE: dict[Any, Callable[[Any], int]] = {
    object.__hash__: _address,
    float.__hash__: _number,
    complex.__hash__: _number,
    tuple.__hash__: _tuple,
    frozenset.__hash__: _frozenset,
    range.__hash__: _range,
    MethodType.__hash__: _method,
    NativeMethod.__hash__: lambda value: _method(value.function),
    **({slice.__hash__: _slice} if slice.__hash__ is not None else {}),
}
"""`__hash__` of a type → the hash without addresses. Types of C that are not here are hashed by value."""
_BUILTIN_FUNCTION: Any = type(len).__hash__
_INSIDE[_BUILTIN_FUNCTION] = _address


def stable_hash(value: Any) -> int:
    """`hash(value)`. Raises TypeError for what has none."""
    kind = type(value)
    if kind in _PLAIN:
        return hash(value)
    if value is None:
        return NONE
    own: Any = kind.__hash__
    inside = None if own is None else _INSIDE.get(own)
    return hash(value) if inside is None or not odd(value) else inside(value)


def native_hash(found: Any) -> Callable[..., int] | None:
    """What the program gets for `__hash__` of one of Python's own types, bound or not; None for those by value."""
    inside = _INSIDE.get(found.__objclass__.__hash__) if hasattr(found, "__objclass__") else None
    if inside is None:
        return None
    return (lambda: inside(found.__self__)) if hasattr(found, "__self__") else inside


def odd(value: Any) -> bool:
    """Whether Python's own hash of a value depends on addresses."""
    kind = type(value)
    if kind in _PLAIN:
        return False
    if value is None:
        return _NONE_IS_ODD
    inside = _INSIDE.get(kind.__hash__)
    if inside is _tuple or inside is _frozenset:
        return any(map(odd, value))
    if inside is _number:
        return bool(value != value)
    if inside is _range:
        return _NONE_IS_ODD and len(value) < 2
    if inside is _slice:
        return _NONE_IS_ODD or any(map(odd, (value.start, value.stop, value.step)))
    return inside is not None


def note(value: Any) -> None:
    """Before something goes into a set: odd elements get their identities in the order of the program."""
    kind = type(value)
    if kind in _PLAIN:
        return
    inside = _INSIDE.get(kind.__hash__)
    if inside is _tuple or inside is _frozenset:
        for item in value:
            if type(item) not in _PLAIN:
                note(item)
    elif odd(value):
        session = sessions.active
        session.odd = session.arrays = True
        session.identity(value)
    elif inside is None and kind.__hash__ not in _BY_VALUE and kind.__hash__ is not None:
        sessions.active.identity(value)  # which tells apart what a program hashes alike


def note_all(values: Any, kinds: set[type] | None = None) -> None:
    """The same for all elements of a collection; `kinds`: their types, where they are known."""
    if kinds is None:
        kinds = set(map(type, values))
    if kinds <= _PLAIN or kinds <= _NUMBERS and not _nan_among(values, kinds):
        return
    for value in values:
        if type(value) not in _PLAIN:
            note(value)


def _nan_among(values: Any, kinds: set[type]) -> bool:
    if len(kinds) == 1:
        total = sum(values)
        if total == total:
            return False
    return any(map(ne, values, values))


def arranged(values: Any) -> Any:
    """A set as it is to be iterated: itself, or its elements in an order without addresses."""
    if not sessions.active.odd or type(values).__iter__ not in _ITERATES:
        return values
    return _order(values) if _is_odd(values) else values


def walked(values: Any) -> Iterable[Any]:
    """The same, lazily: a set that changes meanwhile is an error, as in Python."""
    found = arranged(values)
    return found if found is values else _watching(values, found)


_ITERATES = frozenset({set.__iter__, frozenset.__iter__})
SETS = (set, frozenset)


def _is_odd(values: Any) -> bool:
    return not set(map(type, values)) <= _PLAIN and any(map(odd, values))


def _watching(values: Any, order: list[Any]) -> Iterator[Any]:
    size = len(values)
    for value in order:
        if len(values) != size:
            raise RuntimeError("Set changed size during iteration")
        yield value
    if len(values) != size:
        raise RuntimeError("Set changed size during iteration")


def _order(values: Any) -> list[Any]:
    meter.charge(len(values) >> 2)
    unknown = [value for value in values if value is not None and _unnamed(value)]
    for value in sorted(unknown, key=_description):
        note(value)
    found = [(stable_hash(value), value) for value in values]
    found.sort(key=_code)
    if any(before[0] == after[0] for before, after in pairwise(found)):
        found.sort(key=_precisely)
    return [value for _, value in found]


def _unnamed(value: Any) -> bool:
    return _INSIDE.get(type(value).__hash__) is _address and id(value) not in sessions.active.identities


def _description(value: Any) -> tuple[str, ...]:
    return (type(value).__name__, *(str(getattr(value, name, "")) for name in ("__module__", "__qualname__")))


def _code(entry: tuple[int, Any]) -> int:
    return entry[0]


def _precisely(entry: tuple[int, Any]) -> tuple[Any, ...]:
    code, value = entry
    known = sessions.active.identities.get(id(value))
    text = repr(value) if type(value) in _NUMBERS or type(value) is tuple and not odd(value) else ""
    return code, type(value).__name__, 0 if known is None else known[0], text


def take(values: set[Any]) -> Any:
    """`values.pop()`."""
    found = arranged(values)
    if found is values or not values:
        return values.pop()
    values.discard(found[0])
    return found[0]


class Arranged(set[Any]):
    """A set on its way to the engine, which iterates in the order the program sees."""

    __slots__ = ("order",)

    def __init__(self, order: list[Any]) -> None:
        super().__init__(order)
        self.order = order

    def __iter__(self) -> Iterator[Any]:
        return iter(self.order)


Arranged.__name__ = Arranged.__qualname__ = "set"


def carried(values: Any) -> Any:
    """A set of the program as the engine gets it."""
    found = arranged(values)
    return values if found is values else Arranged(found)
