"""What tensors are called: by the program's variables, and by what holds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Generic, Protocol, TypeVar

from .limits import MEMBERS, NESTED, PARTS, shorten

Tensor = TypeVar("Tensor")


class Named(Protocol):
    """What a recorder knows of a tensor."""

    name: str | None


Row = TypeVar("Row", bound=Named)


class Naming(ABC, Generic[Tensor, Row]):
    """The rules of names, over the tensors, modules and objects of either recorder."""

    def __init__(self) -> None:
        self._members_left = PARTS

    @abstractmethod
    def row_of(self, tensor: Tensor) -> Row | None:
        """What is known of a tensor that is in the document."""

    @abstractmethod
    def accumulated(self) -> Iterable[tuple[int, Row]]:
        """Each leaf to whose gradient a pass added, with that pass."""

    @abstractmethod
    def call(self, row: Row, path: str) -> None:
        """Give a tensor its name."""

    @abstractmethod
    def is_tensor(self, value: Any) -> bool: ...

    @abstractmethod
    def is_parameter(self, tensor: Tensor) -> bool: ...

    @abstractmethod
    def is_module(self, value: Any) -> bool: ...

    @abstractmethod
    def inside(self, path: str, module: Any) -> tuple[Iterable[tuple[str, Tensor]], Iterable[tuple[str, Any]]]:
        """What a module registered, with all below it: parameters and buffers, and the modules, itself among them."""

    @abstractmethod
    def holds(self, value: Any) -> bool:
        """Whether names are found in it: a module, a container, or an object of a program's class."""

    @abstractmethod
    def count(self, value: Any) -> int:
        """How many members it has."""

    @abstractmethod
    def members(self, value: Any) -> Iterable[tuple[str, bool, Any]]:
        """What it holds: (how a program goes on to it, whether by a word, it). Of a module what it did not register."""

    def name_held(self, holders: Iterable[tuple[str, Any, bool]]) -> None:
        """Name tensors by what holds them, where no variable of their own does, or where one loop's variable was
        several of them in turn. `holders`: (name, value, whether it is a variable)."""
        holders = list(holders)
        modules = [
            (list(self.inside(name, value)[0]), variable) for name, value, variable in holders if self.is_module(value)
        ]
        # Variables before arguments such as `self`, and a whole model before its parts.
        for tensors, _ in sorted(modules, key=lambda module: (not module[1], -len(module[0]))):
            for path, tensor in tensors:
                self.name_part(tensor, path)
        several = Counter([name for name, _, _ in holders])
        found: dict[int, tuple[tuple[Any, ...], str, Row]] = {}
        for name, value, variable in holders:
            for path, tensor, depth, worded in self._held(name, value):
                row = self.row_of(tensor)
                rank = (not variable, several[name] > 1, not worded, depth)
                if row is not None and (id(row) not in found or rank < found[id(row)][0]):
                    found[id(row)] = rank, path, row
        mistakable = self._mistakable() if found else ()
        for key, ((_, unclear, _, _), path, row) in found.items():
            if row.name is None or (key in mistakable and not unclear):
                self.call(row, path)

    def name_part(self, tensor: Tensor, path: str) -> None:
        """Where a module keeps a parameter says more than the loop variable that once was it."""
        row = self.row_of(tensor)
        if row is not None and (row.name is None or self.is_parameter(tensor) and "." not in row.name):
            self.call(row, path)

    def _held(self, name: str, value: Any) -> Iterator[tuple[str, Tensor, int, bool]]:
        """The tensors that a container or an object in a variable holds, the nearest first: (path, tensor, how far
        from it, whether the path has a word). Of a module in a variable those that it did not register."""
        seen = {id(value)}
        todo: list[tuple[str, Any, int, bool]] = [(shorten(name), value, 0, False)]
        for path, holder, depth, worded in todo:
            spots: Iterable[tuple[str, Any]] = [(path, holder)]
            if self.is_module(holder):
                registered, spots = self.inside(path, holder)
                if depth:
                    yield from ((below, tensor, depth, True) for below, tensor in registered)
            for at, kept in spots:
                count = self.count(kept)
                if count > (self._members_left if depth else max(self._members_left, MEMBERS)):
                    continue
                self._members_left = max(self._members_left - count, 0)
                for step, word, member in self.members(kept):
                    if self.is_tensor(member):
                        yield at + step, member, depth, worded or word
                    elif depth < NESTED and id(member) not in seen and self.holds(member):
                        seen.add(id(member))
                        todo.append((at + step, member, depth + 1, worded or word))

    def _mistakable(self) -> set[int]:
        """Leaves that have one name and get gradients in one pass."""
        passes: dict[tuple[int, str], set[int]] = {}
        for call, row in self.accumulated():
            if row.name is not None:
                passes.setdefault((call, row.name), set()).add(id(row))
        return {key for leaves in passes.values() if len(leaves) > 1 for key in leaves}
