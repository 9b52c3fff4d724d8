"""What classes inherit from those of `collections.abc`: methods made of the few that they define themselves."""

from __future__ import annotations

from collections.abc import Iterator as Iterates
from typing import Any

from engine.program import session as sessions
from engine.program.calls import keep
from engine.program.charges import keyed
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import burning, contains, guard_key, items, pairs_clash
from engine.program.text import default_repr, represent
from engine.program.values import UNSET


class Based:
    """The invisible base of all of them, which takes the place of a plain class's (`classes.Instance`)."""

    __slots__ = ()
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return default_repr(self)

    def __hash__(self) -> int:
        return sessions.active.identity(self) >> 4


def _abstract(names: str = "") -> Any:
    """A class with methods that those derived from it have to define."""

    def mark(cls: Any) -> Any:
        cls.__program__, cls.__invisible__, cls.__module__ = True, False, "collections.abc"
        cls.__abstract__ = tuple(names.split())
        return cls

    return mark


@_abstract("__hash__")
class Hashable(Based):
    __slots__ = ()


@_abstract("__call__")
class Callable(Based):
    __slots__ = ()


@_abstract("__len__")
class Sized(Based):
    __slots__ = ()


@_abstract("__contains__")
class Container(Based):
    __slots__ = ()


@_abstract("__iter__")
class Iterable(Based):
    __slots__ = ()


@_abstract("__next__")
class Iterator(Iterable):
    __slots__ = ()

    def __iter__(self) -> Any:
        return self


@_abstract("send throw")
class Generator(Iterator):
    __slots__ = ()
    send: Any
    throw: Any

    def __next__(self) -> Any:
        return self.send(None)

    def close(self) -> None:
        try:
            self.throw(EXCEPTIONS["GeneratorExit"])
        except (GeneratorExit, StopIteration):
            return
        raise RuntimeError("generator ignored GeneratorExit")


@_abstract("__iter__ __reversed__")
class Reversible(Iterable):
    __slots__ = ()


@_abstract("__contains__ __iter__ __len__")
class Collection(Sized, Iterable, Container):
    __slots__ = ()


@_abstract("__getitem__ __len__")
class Sequence(Reversible, Collection):
    __slots__ = ()
    __getitem__: Any
    __len__: Any

    def __iter__(self) -> Iterates[Any]:
        return burning(self._each())

    def _each(self) -> Iterates[Any]:
        place = 0
        try:
            while True:
                yield self[place]
                place += 1
        except IndexError:
            return

    def __contains__(self, value: Any) -> bool:
        return any(item is value or item == value for item in burning(self))

    def __reversed__(self) -> Iterates[Any]:
        return burning(self[place] for place in reversed(range(len(self))))

    def index(self, value: Any, start: Any = 0, stop: Any = None) -> int:
        if start is not None and start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        place = start
        while stop is None or place < stop:
            try:
                item = self[place]
            except IndexError:
                break
            if item is value or item == value:
                return int(place)
            place += 1
        raise ValueError

    def count(self, value: Any) -> int:
        return sum(1 for item in burning(self) if item is value or item == value)


@_abstract("__delitem__ __getitem__ __len__ __setitem__ insert")
class MutableSequence(Sequence):
    __slots__ = ()
    __delitem__: Any
    __setitem__: Any
    insert: Any

    def append(self, value: Any) -> None:
        self.insert(len(self), value)

    def clear(self) -> None:
        try:
            while True:
                self.pop()
        except IndexError:
            return

    def reverse(self) -> None:
        length = len(self)
        for place in range(length // 2):
            self[place], self[length - place - 1] = self[length - place - 1], self[place]

    def extend(self, values: Any) -> None:
        for value in list(items(values)) if values is self else burning(values):
            self.append(value)

    def pop(self, index: Any = -1) -> Any:
        value = self[index]
        del self[index]
        return value

    def remove(self, value: Any) -> None:
        del self[self.index(value)]

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self


@_abstract("__contains__ __iter__ __len__")
class Set(Collection):
    __slots__ = ()
    __contains__: Any
    __len__: Any
    __iter__: Any

    @classmethod
    def _from_iterable(cls, it: Any) -> Any:
        return cls(it)  # type: ignore[call-arg]

    def __le__(self, other: Any) -> bool:
        if not isinstance(other, SETS):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in burning(self))

    def __lt__(self, other: Any) -> bool:
        return len(self) < len(other) and self.__le__(other) if isinstance(other, SETS) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        return len(self) > len(other) and self.__ge__(other) if isinstance(other, SETS) else NotImplemented

    def __ge__(self, other: Any) -> bool:
        if not isinstance(other, SETS):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in burning(other))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SETS):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    __hash__ = None  # type: ignore[assignment]

    def __and__(self, other: Any) -> Any:
        if not hasattr(type(other), "__iter__"):
            return NotImplemented
        return self._from_iterable([item for item in burning(other) if item in self])

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if not hasattr(type(other), "__iter__"):
            return NotImplemented
        return self._from_iterable([*items(self), *items(other)])

    __ror__ = __or__

    def _other(self, other: Any) -> Any:
        return other if isinstance(other, SETS) else self._from_iterable(items(other))

    def __sub__(self, other: Any) -> Any:
        if not hasattr(type(other), "__iter__"):
            return NotImplemented
        other = self._other(other)
        return self._from_iterable([item for item in burning(self) if item not in other])

    def __rsub__(self, other: Any) -> Any:
        if not hasattr(type(other), "__iter__"):
            return NotImplemented
        return self._from_iterable([item for item in burning(other) if item not in self])

    def __xor__(self, other: Any) -> Any:
        if not hasattr(type(other), "__iter__"):
            return NotImplemented
        other = self._other(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def isdisjoint(self, other: Any) -> bool:
        return not any(item in self for item in burning(other))


@_abstract("__contains__ __iter__ __len__ add discard")
class MutableSet(Set):
    __slots__ = ()
    add: Any
    discard: Any

    def remove(self, value: Any) -> None:
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self) -> Any:
        value = next(iter(self), UNSET)
        if value is UNSET:
            raise host_exception(EXCEPTIONS["KeyError"]())
        self.discard(value)
        return value

    def clear(self) -> None:
        while len(self):
            self.pop()

    def __ior__(self, other: Any) -> Any:
        for value in items(other):
            self.add(value)
        return self

    def __iand__(self, other: Any) -> Any:
        for value in items(self - other):
            self.discard(value)
        return self

    def __ixor__(self, other: Any) -> Any:
        if other is self:
            self.clear()
            return self
        for value in items(self._other(other)):
            self.discard(value) if value in self else self.add(value)
        return self

    def __isub__(self, other: Any) -> Any:
        for value in items(other):
            self.discard(value)
        return self


@_abstract()
class MappingView(Sized):
    def __init__(self, mapping: Any) -> None:
        self._mapping = mapping

    def __len__(self) -> int:
        return len(self._mapping)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({represent(self._mapping)})"


@_abstract()
class KeysView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it: Any) -> Any:
        return set(items(it))

    def __contains__(self, key: Any) -> bool:
        return contains(self._mapping, key)

    def __iter__(self) -> Iterates[Any]:
        return burning(self._mapping)


@_abstract()
class ItemsView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, it: Any) -> Any:
        return set(items(it))

    def __contains__(self, item: Any) -> bool:
        key, value = item
        found = _found(self._mapping, key)
        return found is not UNSET and (found is value or bool(found == value))

    def __iter__(self) -> Iterates[Any]:
        return burning((key, self._mapping[key]) for key in burning(self._mapping))


@_abstract()
class ValuesView(MappingView, Collection):
    def __contains__(self, value: Any) -> bool:
        return any(found is value or found == value for found in self)

    def __iter__(self) -> Iterates[Any]:
        return burning(self._mapping[key] for key in burning(self._mapping))


def _found(mapping: Any, key: Any) -> Any:
    guard_key(key)
    try:
        return mapping[key]
    except KeyError:
        return UNSET


@_abstract("__getitem__ __iter__ __len__")
class Mapping(Collection):
    __slots__ = ()
    __getitem__: Any
    __len__: Any

    def get(self, key: Any, default: Any = None) -> Any:
        found = _found(self, key)
        return default if found is UNSET else found

    def __contains__(self, key: Any) -> bool:
        return _found(self, key) is not UNSET

    def keys(self) -> Any:
        return KeysView(self)

    def items(self) -> Any:
        return ItemsView(self)

    def values(self) -> Any:
        return ValuesView(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping | dict):
            return NotImplemented
        return _as_dict(self) == _as_dict(other)

    __hash__ = None  # type: ignore[assignment]
    __reversed__ = None


def _as_dict(mapping: Any) -> dict[Any, Any]:
    pairs = items(mapping.items())
    pairs_clash(pairs)
    keyed(2 * len(pairs))
    return dict(pairs)


@_abstract("__delitem__ __getitem__ __iter__ __len__ __setitem__")
class MutableMapping(Mapping):
    __slots__ = ()
    __setitem__: Any
    __delitem__: Any

    def pop(self, key: Any, default: Any = UNSET) -> Any:
        guard_key(key)
        try:
            value = self[key]
        except KeyError:
            if default is UNSET:
                raise
            return default
        del self[key]
        return value

    def popitem(self) -> Any:
        key = next(iter(self), UNSET)
        if key is UNSET:
            raise host_exception(EXCEPTIONS["KeyError"]())
        value = self[key]
        del self[key]
        return key, value

    def clear(self) -> None:
        try:
            while True:
                self.popitem()
        except KeyError:
            return

    def update(self, other: Any = (), /, **named: Any) -> None:
        if isinstance(other, dict | Mapping) or hasattr(type(other), "keys"):
            for key in items(other if isinstance(other, dict | Mapping) else other.keys()):
                self[key] = other[key]
        else:
            for key, value in items(other):
                self[key] = value
        for key, value in named.items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        found = _found(self, key)
        if found is UNSET:
            self[key] = default
            return default
        return found


SETS: Any = (Set, set, frozenset, type({}.keys()), type({}.items()))
MIXINS: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        Hashable, Callable, Sized, Container, Iterable, Iterator, Generator, Reversible, Collection, Sequence,
        MutableSequence, Set, MutableSet, MappingView, KeysView, ItemsView, ValuesView, Mapping, MutableMapping,
    )
}  # fmt: skip
"""Name in `collections.abc` → class."""
keep(Based)
