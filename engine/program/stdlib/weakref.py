"""`weakref`. What is referred to lives until the run ends, whoever else refers to it: objects are never collected while
a program could notice when."""

from __future__ import annotations

from collections.abc import Iterator
from types import MethodType
from typing import Any

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.abstract import MutableMapping, MutableSet
from engine.program.calls import callable_value
from engine.program.charges import probed
from engine.program.kinds import ENGINE, OWN, kind_of
from engine.program.operators import burning, equal, guard_key, items
from engine.program.text import default_repr
from engine.program.values import Builtin, Function, fake_address, name_as

_KEPT = "What weakref refers to is kept here until the run ends: a weak reference never becomes None."


def _referred(value: Any) -> Any:
    """A value that Python refers to weakly. Raises TypeError for others."""
    kind = type(value)
    if not (isinstance(value, type | Tensor | set | frozenset) or kind in (Function, MethodType)):
        if kind_of(kind) not in (OWN, ENGINE) and not (hasattr(value, "__dict__") and "__program__" in kind.__dict__):
            raise TypeError(f"cannot create weak reference to '{kind.__name__}' object")
    sessions.active.notice(_KEPT)
    return value


class Ref:
    """`weakref.ref`."""

    __module__ = "weakref"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, object: Any, callback: Any = None, /) -> None:
        if callback is not None and not callable_value(callback):
            raise TypeError(f"'{type(callback).__name__}' object is not callable")
        self._to = _referred(object)

    def __call__(self) -> Any:
        return self._to

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ref) and (self._to is other._to or equal(self._to, other._to))

    def __hash__(self) -> int:
        return hash(self._to)

    def __repr__(self) -> str:
        to = self._to
        shown = f"<weakref at {fake_address(self)}; to '{type(to).__name__}' at {fake_address(to)}"
        name = getattr(to, "__name__", None)
        return f"{shown} ({name})>" if isinstance(name, str) else f"{shown}>"


name_as(Ref, "ReferenceType")
Ref.__module__ = "weakref"


_PUT = 2
"""Steps for what is put into one of these, which checks it: others may do so item by item."""


class _Held(MutableMapping):
    """A dict that refers weakly to what it is asked to."""

    __module__ = "weakref"
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] = ()

    def __init__(self, dict: Any = None, /, **kwargs: Any) -> None:
        self.data: Any = {}
        if dict is not None or kwargs:
            self.update({} if dict is None else dict, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        self._look(key)
        return self.data[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._look(key)
        meter.charge(_PUT)
        meter.check_length(len(self.data) + 1)
        self._check(key, value)
        self.data[key] = value

    def __delitem__(self, key: Any) -> None:
        self._look(key)
        del self.data[key]

    def __iter__(self) -> Iterator[Any]:
        return burning(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return default_repr(self)

    def copy(self) -> Any:
        return type(self)(self.data)

    def _look(self, key: Any) -> None:
        guard_key(key)
        probed(key, len(self.data))

    def _check(self, key: Any, value: Any) -> None:
        """Raises TypeError for what cannot be referred to weakly."""


class WeakKeyDictionary(_Held):
    """`weakref.WeakKeyDictionary`."""

    __module__ = "weakref"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def _check(self, key: Any, value: Any) -> None:
        _referred(key)


class WeakValueDictionary(_Held):
    """`weakref.WeakValueDictionary`."""

    __module__ = "weakref"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def _check(self, key: Any, value: Any) -> None:
        _referred(value)


class WeakSet(MutableSet):
    """`weakref.WeakSet`."""

    __module__ = "weakref"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, data: Any = None) -> None:
        self.data: dict[Any, None] = {}
        for item in items(() if data is None else data):
            self.add(item)

    def __contains__(self, item: Any) -> bool:
        guard_key(item)
        probed(item, len(self.data))
        return item in self.data

    def __iter__(self) -> Iterator[Any]:
        return burning(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def add(self, item: Any) -> None:
        guard_key(item)
        probed(item, len(self.data))
        meter.charge(_PUT)
        meter.check_length(len(self.data) + 1)
        self.data[_referred(item)] = None

    def discard(self, item: Any) -> None:
        guard_key(item)
        probed(item, len(self.data))
        self.data.pop(item, None)


MODULES: dict[str, dict[str, Any]] = {
    "weakref": {
        "ref": Ref,
        "ReferenceType": Ref,
        "WeakMethod": Ref,
        "proxy": Builtin("proxy", lambda object, callback=None, /: _referred(object)),
        "WeakKeyDictionary": WeakKeyDictionary,
        "WeakValueDictionary": WeakValueDictionary,
        "WeakSet": WeakSet,
    }
}
