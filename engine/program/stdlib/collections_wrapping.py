"""`collections.UserDict`, `UserList` and `UserString`: classes to derive from, around a `data` of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.limits import meter
from engine.program.abstract import MutableMapping, MutableSequence, Sequence
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import written
from engine.program.items import assign_item, delete_item, subscript
from engine.program.operators import burning, contains, gather, items
from engine.program.special import GUARDED
from engine.program.tables import METHODS
from engine.program.text import represent, to_text


class Wrapping:
    """What looks like the `data` that it holds."""

    __module__ = "collections"
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] = ()
    data: Any

    def __repr__(self) -> str:
        return represent(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, item: Any) -> bool:
        return contains(self.data, item)


def _plain(value: Any) -> Any:
    return value.data if isinstance(value, Wrapping) else value


class UserDict(Wrapping, MutableMapping):
    """`collections.UserDict`."""

    __module__ = "collections"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, dict: Any = None, /, **kwargs: Any) -> None:
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __getitem__(self, key: Any) -> Any:
        if contains(self.data, key):
            return subscript(self.data, key)
        missing = getattr(type(self), "__missing__", None)
        if missing is None:
            raise KeyError(key)
        return call(missing, (self, key), None)

    def __setitem__(self, key: Any, item: Any) -> None:
        assign_item(self.data, key, item)

    def __delitem__(self, key: Any) -> None:
        delete_item(self.data, key)

    def __iter__(self) -> Iterator[Any]:
        return burning(self.data)

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default

    def _joined(self, left: Any, right: Any) -> Any:
        if not isinstance(left, dict) or not isinstance(right, dict):
            return NotImplemented
        gather(len(left) + len(right), left, right)
        return type(self)({**left, **right})

    def __or__(self, other: Any) -> Any:
        return self._joined(self.data, _plain(other))

    def __ror__(self, other: Any) -> Any:
        return self._joined(_plain(other), self.data)

    def __ior__(self, other: Any) -> Any:
        self.data = GUARDED["__ior__"](self.data, _plain(other))
        return self

    def copy(self) -> Any:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        gather(len(self.data), self.data)
        made.data = dict(self.data)
        return made

    __copy__ = copy


class UserList(Wrapping, MutableSequence):
    """`collections.UserList`."""

    __module__ = "collections"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, initlist: Any = None) -> None:
        self.data = [] if initlist is None else list(items(_plain(initlist)))

    def __getitem__(self, i: Any) -> Any:
        found = subscript(self.data, i)
        return type(self)(found) if isinstance(i, slice) else found

    def __setitem__(self, i: Any, item: Any) -> None:
        assign_item(self.data, i, item)

    def __delitem__(self, i: Any) -> None:
        delete_item(self.data, i)

    def __add__(self, other: Any) -> Any:
        return type(self)(GUARDED["__add__"](self.data, list(items(_plain(other)))))

    def __radd__(self, other: Any) -> Any:
        return type(self)(GUARDED["__add__"](list(items(_plain(other))), self.data))

    def __iadd__(self, other: Any) -> Any:
        self.data = GUARDED["__iadd__"](self.data, _plain(other))
        return self

    def __mul__(self, n: Any) -> Any:
        return type(self)(GUARDED["__mul__"](self.data, n))

    __rmul__ = __mul__

    def __imul__(self, n: Any) -> Any:
        self.data = GUARDED["__imul__"](self.data, n)
        return self

    def copy(self) -> Any:
        return type(self)(self)

    __copy__ = copy


class UserString(Wrapping, Sequence):
    """`collections.UserString`."""

    __module__ = "collections"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, seq: Any) -> None:
        self.data = _plain(seq) if isinstance(_plain(seq), str) else to_text(seq)

    def __str__(self) -> str:
        return str(self.data)

    def __getitem__(self, index: Any) -> Any:
        return type(self)(subscript(self.data, index))

    def __contains__(self, char: Any) -> bool:
        return contains(self.data, _plain(char))

    def __hash__(self) -> int:
        written(len(self.data))
        return hash(self.data)

    def __int__(self) -> int:
        return int(call(int, (self.data,), None))

    def __float__(self) -> float:
        return float(self.data)

    def __add__(self, other: Any) -> Any:
        other = _plain(other)
        return type(self)(GUARDED["__add__"](self.data, other if isinstance(other, str) else to_text(other)))

    def __radd__(self, other: Any) -> Any:
        return type(self)(GUARDED["__add__"](other if isinstance(other, str) else to_text(other), self.data))

    def __mul__(self, n: Any) -> Any:
        return type(self)(GUARDED["__mul__"](self.data, n))

    __rmul__ = __mul__

    def __mod__(self, args: Any) -> Any:
        return type(self)(GUARDED["__mod__"](self.data, args))


def _compare(name: str) -> Any:
    operation = GUARDED[name]

    def compare(self: Any, other: Any) -> Any:
        meter.charge(1)  # it may hold others that wrap
        return operation(self.data, _plain(other))

    return compare


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(UserList, _name, _compare(_name))
    setattr(UserString, _name, _compare(_name))


def _handed_on(name: str, again: bool) -> Any:
    """A method of the data; where it makes a text, of the class of the object, as `again` says."""

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = call(read(self.data, name), tuple(map(_plain, args)), kwargs or None)
        return type(self)(found) if again and type(found) is str else found

    run.__name__, run.__qualname__ = name, name
    return run


for _name in "append insert pop remove clear count index reverse sort extend".split():
    setattr(UserList, _name, _handed_on(_name, False))
for _name in METHODS[str]:
    if not _name.startswith("_") and _name != "maketrans":
        setattr(UserString, _name, _handed_on(_name, _name not in ("join", "format", "format_map")))
