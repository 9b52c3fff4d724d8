"""What holds tensors besides variables: modules, containers, and objects of the user's classes.

Nothing here runs the user's code: no property, no `__getattr__`, no `__iter__`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import GetSetDescriptorType, MemberDescriptorType, SimpleNamespace
from typing import Any

import torch

from .positions import USER, Positions

_HOLDING = (torch.nn.Module, list, tuple, dict)
_class_members, _ancestors = [type.__dict__[name].__get__ for name in ("__dict__", "__mro__")]


class Holding:
    """Tells the user's classes from others, by where they were made."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._known: dict[type, bool] = {}

    def holds(self, value: Any) -> bool:
        """Whether names are found in it."""
        return isinstance(value, _HOLDING) or self._attributes(value) is not None

    def members(self, value: Any) -> list[tuple[str, bool, Any]]:
        """What a container or an object holds: (how a program goes on to it, whether by a word, it). Of a module what
        it did not register."""
        return list(_members(value, self._attributes(value) or {}))

    def length(self, value: Any) -> int:
        """How many members it has."""
        count = len(self._attributes(value) or ())
        if isinstance(value, dict):
            return count + dict.__len__(value)
        if isinstance(value, list):
            return count + list.__len__(value)
        return count + tuple.__len__(value) if isinstance(value, tuple) else count

    def _attributes(self, value: Any) -> dict[str, Any] | None:
        """What an object of a class of the user's keeps by name; None for what keeps nothing so."""
        kind = type(value)
        users = self._known.get(kind)
        if users is None:
            users = self._known[kind] = self._users(kind)
        return attributes_of(value) if users else None

    def _users(self, kind: type) -> bool:
        if kind is SimpleNamespace or kind is getattr(sys.modules.get("argparse"), "Namespace", None):
            return True
        module = _class_members(kind).get("__module__")
        if type(module) is not str or issubclass(kind, torch.Tensor | type):
            return False
        file = getattr(sys.modules.get(module), "__file__", None)
        return module == "__main__" or (type(file) is str and self._positions.kind_of(file) == USER)


def attributes_of(value: Any) -> dict[str, Any] | None:
    """What an object of any class keeps by name; None for what keeps nothing so."""
    for base in _ancestors(type(value)):
        own = _class_members(base).get("__dict__")
        if type(own) is GetSetDescriptorType or type(own) is MemberDescriptorType:
            return own.__get__(value)  # type: ignore[no-any-return]
    return None


def _members(value: Any, attributes: dict[str, Any]) -> Iterator[tuple[str, bool, Any]]:
    own = "_" if isinstance(value, torch.nn.Module) else "__"
    for name, member in attributes.items():
        if not name.startswith(own):
            yield f".{name}", True, member
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = dict.items(value)
    elif isinstance(value, list):
        pairs = enumerate(list.__iter__(value))
    elif isinstance(value, tuple):
        pairs = enumerate(tuple.__iter__(value))
    for key, member in pairs:
        if type(key) in (int, str):
            yield f"[{key!r}]", type(key) is str, member
