"""Values of variables that may hold tensors: modules, containers and objects, for the names that they give.

They end when they end in Python: where nothing but this refers to one, what names are found in it is copied, and it is
let go of.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from gc import get_referents
from itertools import islice
from sys import getrefcount
from types import FrameType
from typing import Any

from engine.nn.module import Module
from engine.trace import reading

MOST = 10_000
"""Values remembered."""
NESTED = 5
"""Containers and objects within a value that are copied, one in the other."""

_LATEST = 6
"""Values looked at each time, beside those of a frame that ends; others are when their name gets another value."""
_OF_FRAME = 50
"""Values of one frame that are let go of when it ends, at most."""
_FEW = 100
"""Members of a value that are counted as referred to by it."""
_ONLY_HERE = 2
"""References to a value that is only in `named`, while it is looked at."""

Named = tuple[str, Any, bool]
"""Name and value of a variable or a parameter, and whether it is a variable."""


class Holders:
    """Values by the order in which they got names; those that still are the program's in `alive`, by their ids, with
    the frame that bound them."""

    __slots__ = ("_by_name", "_made", "alive", "named")

    def __init__(self) -> None:
        self.named: dict[int, Named] = {}
        self.alive: dict[int, tuple[int, int]] = {}
        self._by_name: dict[str, int] = {}
        self._made = 0

    def add(self, name: str, value: Any, variable: bool) -> None:
        """A variable has a value, or a parameter: what calls the caller is called by the program."""
        key = id(value)
        known = self.alive.get(key)
        if known is None and len(self.named) < MOST:
            place, self._made = self._made, self._made + 1
        elif known is None or not variable:
            return
        else:
            place = known[0]
        self.alive[key] = place, id(sys._getframe(4))
        self.named[place] = name, value, variable
        before = self._by_name.get(name)
        self._by_name[name] = key
        if before is not None and before != key:
            self._look(before)

    def let_go(self, frame: FrameType | None = None) -> None:
        """Let go of what nothing else refers to, but for a variable of the frame that is about to end."""
        ending = (-1, ()) if frame is None else (id(frame), frame.f_code.co_cellvars)
        while ended := self._ended(*ending):
            for key in ended:
                self._release(key)
        if frame is not None:  # another one may get its address
            for key in [key for key, (_, bound_in) in self._latest() if bound_in == ending[0]]:
                self.alive[key] = self.alive[key][0], 0

    def _latest(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Those of the innermost frames, the last first."""
        return islice(reversed(self.alive.items()), _OF_FRAME)

    def _ended(self, frame: int, shared: tuple[str, ...]) -> list[int]:
        found: list[int] = []
        named, left, within = self.named, _LATEST, dict[int, int]()
        for key, (place, bound_in) in self._latest():
            ends = bound_in == frame
            if not ends:
                left -= 1
                if left < 0:
                    break
            if ends and shared and named[place][0] in shared:  # with functions that may go on
                ends = False
            if getrefcount(named[place][1]) <= _ONLY_HERE + ends + (within.get(key, 0) if within else 0):
                found.append(key)
                if ends and reading.length(named[place][1]) <= _FEW:  # which is there until the frame has ended
                    for member in map(id, get_referents(named[place][1])):
                        within[member] = within.get(member, 0) + 1
        return found

    def _release(self, key: int) -> None:
        known = self.alive.pop(key, None)
        if known is not None:
            name, value, variable = self.named[known[0]]
            self.named[known[0]] = name, outline(value), variable

    def deleted(self, names: Sequence[str]) -> None:
        """Variables were deleted, or members of something."""
        for name in names:
            self._look(self._by_name.get(name, 0))
        self.let_go()

    def _look(self, key: int) -> None:
        known = self.alive.get(key)
        if known is not None and getrefcount(self.named[known[0]][1]) <= _ONLY_HERE:
            self._release(key)

    def collect(self) -> None:
        """Let go of all that holds no tensor, which only what it refers to itself may refer to."""
        for key, (place, _) in tuple(self.alive.items()):
            name, value, variable = self.named[place]
            if outline(value) is None:
                del self.alive[key]
                self.named[place] = name, None, variable

    def forget(self) -> None:
        """Let go of what nothing else refers to, and of its names: memory is short."""
        for key, (place, _) in tuple(self.alive.items()):
            if getrefcount(self.named[place][1]) <= _ONLY_HERE:
                del self.alive[key], self.named[place]
        alive = {place for place, _ in self.alive.values()}
        self.named = {place: named for place, named in self.named.items() if place in alive}


class _Object:
    """An object of a program's class."""

    __module__ = "__main__"


class _List(list[Any]):
    __module__ = "__main__"


class _Dict(dict[Any, Any]):
    __module__ = "__main__"


def outline(value: Any, depth: int = NESTED, made: dict[int, Any] | None = None) -> Any:
    """The tensors in a value, where they are found in it; None where it has none."""
    made = {} if made is None else made
    key = id(value)
    if key in made:
        return made[key]
    made[key] = None
    if issubclass(type(value), Module):
        return _outline_of_module(value, depth, made)
    own = reading.attributes(value) or {}
    members = {name: _kept(member, depth, made) for name, member in own.items()}
    members = {name: member for name, member in members.items() if member is not None}
    found = [(k, _kept(member, depth, made)) for k, member in reading.items(value) if type(k) in (int, str)]
    if not members and all(member is None for _, member in found):
        return None
    copy: Any = _Object()
    if issubclass(type(value), dict):
        copy = _Dict(found)
    elif found:
        copy = _List([member for _, member in found])
    vars(copy).update(members)
    made[key] = copy
    return copy


def _kept(member: Any, depth: int, made: dict[int, Any]) -> Any:
    if reading.is_tensor(member):
        return member
    return outline(member, depth - 1, made) if depth and reading.holds(member) else None


def _outline_of_module(module: Module, depth: int, made: dict[int, Any]) -> Module:
    copy = made[id(module)] = Module.__new__(Module)
    fields = vars(copy)
    for name, member in reading.module_fields(module).items():
        if name in ("_parameters", "_buffers"):
            fields[name] = dict(member) if issubclass(type(member), dict) else member
        elif name == "_modules" and issubclass(type(member), dict):
            fields[name] = {below: child and outline(child, depth, made) for below, child in dict.items(member)}
        elif not name.startswith("_"):
            kept = _kept(member, depth, made)
            if kept is not None:
                fields[name] = kept
    return copy
