"""`obj.__dict__` and `vars(obj)`: an object's own attributes as a mapping, under the program's attribute rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from engine.autograd.function import BackwardCFunction
from engine.nn.compiled import OptimizedModule
from engine.nn.module import Module as Layer
from engine.program import session as sessions
from engine.program.arrays import wrapped
from engine.program.attributes import SHARED_DICT, shown, write, write_past
from engine.program.attributes import erase as erase_attribute
from engine.program.charges import made
from engine.program.exceptions import ExceptionValue
from engine.program.kinds import (
    DEFINABLE,
    ENGINE,
    EXTRA,
    MIXED,
    OWN,
    check_name,
    check_value,
    is_dunder,
    is_extra,
    is_private,
    kind_of,
    missing,
    replaced_attributes,
    reserved,
)
from engine.program.operators import BINARY, equal
from engine.program.shared import made_here
from engine.program.special import VALUES
from engine.program.tables import METHODS
from engine.program.text import represent
from engine.program.values import Function, name_as


class Namespace:
    """A live view of the attributes of one object."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def _held(self) -> dict[str, Any]:
        held: dict[str, Any] = getattr(self.owner, "__dict__", {})
        made(len(held))
        kind = type(self.owner)
        if isinstance(self.owner, BackwardCFunction):
            return dict(self.owner.attributes)
        if kind_of(kind) != ENGINE:
            kept_apart = "args" if issubclass(kind, ExceptionValue) else None
            return {
                key: value
                for key, value in held.items()
                if not is_dunder(key) and not is_private(kind, key) and key != kept_apart
            }
        hidden = reserved(kind)
        seen = {
            key: value
            for key, value in held.items()
            if not is_dunder(key) and (key not in hidden or key not in EXTRA and self._shows(kind, key))
        }
        return wrapped(seen) if sessions.active.arrays else seen

    def _shows(self, kind: type, key: str) -> bool:
        """Whether a name that our class uses is in `__dict__`; of a module, where it can be set as well."""
        return shown(self.owner, kind, key) and not (
            key[0] == "_" and issubclass(kind, Layer) and not is_extra(kind, key, writable=True)
        )

    def __getitem__(self, name: str) -> Any:
        return self._held()[name]

    def __setitem__(self, name: str, value: Any) -> None:
        if kind_of(type(self.owner)) in (OWN, MIXED):  # past properties and __setattr__, as in Python
            check_name(self.owner, name)
            check_value(self.owner, name)
            self.owner.__dict__[name] = value
        elif isinstance(self.owner, Layer) and type(self.owner) is not OptimizedModule:
            write_past(self.owner, name, value)
        else:
            write(self.owner, name, value)

    def __delitem__(self, name: str) -> None:
        self.pop(name)

    def __contains__(self, name: object) -> bool:
        return name in self._held()

    def __iter__(self) -> Iterator[str]:
        return iter(self._held())

    def __len__(self) -> int:
        return len(self._held())

    def __eq__(self, other: object) -> bool:
        return equal(self._held(), other._held() if isinstance(other, Namespace) else other)

    __hash__ = None  # type: ignore[assignment]

    def __or__(self, other: Any) -> Any:
        return BINARY[ast.BitOr](self._held(), other._held() if isinstance(other, Namespace) else other)

    def __ror__(self, other: Any) -> Any:
        return BINARY[ast.BitOr](other, self._held())

    def __repr__(self) -> str:
        return represent(self._held())

    def keys(self) -> Any:
        return self._held().keys()

    def values(self) -> Any:
        return self._held().values()

    def items(self) -> Any:
        return self._held().items()

    def copy(self) -> dict[str, Any]:
        return self._held()

    def get(self, name: str, default: Any = None) -> Any:
        return self._held().get(name, default)

    def update(self, *others: Any, **named: Any) -> None:
        for other in others:
            pairs = [(key, other[key]) for key in other] if hasattr(type(other), "keys") else list(other)
            for key, value in pairs:
                self[key] = value
        for key, value in named.items():
            self[key] = value

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self._held():
            self[name] = default
        return self._held()[name]

    def clear(self) -> None:
        for name in self._held():
            del self[name]

    def pop(self, name: str, *default: Any) -> Any:
        held = self._held()
        if name not in held:
            if default:
                return default[0]
            raise KeyError(name)
        if kind_of(type(self.owner)) in (OWN, MIXED):  # past descriptors and __delattr__, as in Python
            check_name(self.owner, name)
            del self.owner.__dict__[name]
        else:
            erase_attribute(self.owner, name)
        return held[name]


name_as(Namespace, "dict")

METHODS[Namespace] = {
    name: getattr(Namespace, name) for name in "keys values items copy get update setdefault pop clear".split()
}


def _members_of(cls: type) -> dict[str, Any]:
    """What a class of the program says about itself; of special names, what the program wrote."""
    made(len(cls.__dict__))
    return {
        key.rstrip(): item
        for key, item in cls.__dict__.items()
        if not is_dunder(key) or key in DEFINABLE and type(getattr(item, "__func__", item)) in _WRITTEN
    }


_WRITTEN = (Function, str, tuple, dict, type(None))


def _dict_of(value: Any) -> Any:
    if type(value) is Function:
        if value.attributes is None:
            value.attributes = {}
        return value.attributes
    if value is object:
        return MappingProxyType({})
    if isinstance(value, type) and made_here(value):
        return MappingProxyType(_members_of(value))
    if isinstance(value, type) or kind_of(type(value)) not in (OWN, ENGINE, MIXED):
        raise missing(value, "__dict__")
    if kind_of(type(value)) == OWN and not hasattr(value, "__dict__"):
        raise missing(value, "__dict__")
    held = replaced_attributes(value)
    return Namespace(value) if held is None else held


SHARED_DICT[Namespace] = lambda namespace: namespace.owner
VALUES["__dict__"] = _dict_of
