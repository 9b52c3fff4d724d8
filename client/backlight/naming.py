"""What the variables of a program hold when it is over: names of tensors, and the modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from .document.limits import MEMBERS, NESTED, PARTS, shorten
from .recorder.recording import Recording
from .recorder.scopes import complete
from .recorder.tensors import Seen

_HELD = 1000
"""Tensors of a module in a local variable that are named."""


class Names:
    """`globals` and `modules` of the document. `every`: also tensors that nothing but a variable leads to."""

    def __init__(self, recording: Recording, variables: Mapping[str, Any], every: bool) -> None:
        self.recording, self.every = recording, every
        self.variables = {name: value for name, value in variables.items() if not name.startswith("__")}
        self.globals: dict[str, str] = {}
        self.modules: list[dict[str, Any]] = []
        self._left = self._members_left = PARTS

    def find(self) -> None:
        """Name tensors by variables first, then by members of containers and by where modules keep them."""
        for name, value in self.variables.items():
            if isinstance(value, torch.Tensor):
                self._name(name, value)
        for name, value in self.variables.items():
            if isinstance(value, torch.nn.Module):
                self._module(name, value)
            elif not isinstance(value, torch.Tensor):
                for path, member in _members(name, value):
                    self._name(path, member)
        self._name_held()
        for name, tensor in self.recording.parameters.values():
            row = self.recording.tensors.find(tensor)
            if row is not None:
                row.name = row.name or name

    def _name(self, name: str, tensor: torch.Tensor, path: bool = False, every: bool = False) -> str | None:
        recording = self.recording
        row = recording.tensors.find(tensor)
        if row is None:
            if not (self.every or every) or recording.truncated is not None:
                return None
            row = recording.tensor(tensor)
        if path:
            if row.name is None or "." not in row.name:
                row.name = name
            row.path = row.name
            self.globals.setdefault(shorten(name), row.id)
        else:
            row.name = row.name or name
            self.globals[shorten(name)] = row.id
        return row.id

    def _name_held(self) -> None:
        """Name tensors by what holds them, where no variable of their own does, or where one loop's variable was
        several of them in turn."""
        holders = self.recording.holders.values()
        modules = [(_parts(name, value), variable) for name, value, variable in holders if _is_module(value)]
        # Variables before arguments such as `self`, and a whole model before its parts.
        for members, _ in sorted(modules, key=lambda holder: (not holder[1], -len(holder[0]))):
            for path, tensor in members:
                row = self.recording.tensors.find(tensor)
                says_more = isinstance(tensor, torch.nn.Parameter)
                if row is not None and (row.name is None or says_more and "." not in row.name):
                    row.name = row.path = path
        several = Counter([name for name, _, _ in holders])
        found: dict[str, tuple[tuple[Any, ...], str, Seen]] = {}
        for name, value, variable in holders:
            for path, tensor, depth, worded in self._held(name, value):
                row = self.recording.tensors.find(tensor)
                rank = (not variable, several[name] > 1, not worded, depth)
                if row is not None and (row.id not in found or rank < found[row.id][0]):
                    found[row.id] = rank, path, row
        mistakable = self._mistakable() if found else ()
        for key, ((_, unclear, _, _), path, row) in found.items():
            if row.name is None or (key in mistakable and not unclear):
                row.name, row.path = path, path if "." in path else None

    def _held(self, name: str, value: Any) -> Iterator[tuple[str, torch.Tensor, int, bool]]:
        """The tensors that a container or an object in a variable holds, the nearest first: (path, tensor, how far
        from it, whether the path has a word). Of a module in a variable those that it did not register."""
        holding, seen = self.recording.holding, {id(value)}
        todo: list[tuple[str, Any, int, bool]] = [(name, value, 0, False)]
        for path, holder, depth, worded in todo:
            spots = [(path, holder)]
            if _is_module(holder):
                if not complete(holder):
                    continue
                if depth:
                    yield from ((below, tensor, depth, True) for below, tensor in _parts(path, holder))
                modules = islice(holder.named_modules(), self._members_left)
                spots = [(f"{path}.{below}" if below else path, module) for below, module in modules]
            for at, kept in spots:
                count = holding.length(kept)
                if count > (self._members_left if depth else max(self._members_left, MEMBERS)):
                    continue
                self._members_left = max(self._members_left - count, 0)
                for step, word, member in holding.members(kept):
                    if isinstance(member, torch.Tensor):
                        yield at + step, member, depth, worded or word
                    elif depth < NESTED and id(member) not in seen and holding.holds(member):
                        seen.add(id(member))
                        todo.append((at + step, member, depth + 1, worded or word))

    def _mistakable(self) -> set[str]:
        """Leaves that have one name and get gradients in one pass."""
        name_of = {row.id: row.name for row in self.recording.tensors.rows}
        passes: dict[tuple[int, str], set[str]] = {}
        for event in self.recording.events:
            if event["kind"] == "accumulate":
                name = name_of.get(event["tensor"])
                if name is not None:
                    passes.setdefault((event["call"], name), set()).add(event["tensor"])
        return {key for leaves in passes.values() if len(leaves) > 1 for key in leaves}

    def _module(self, name: str, module: torch.nn.Module) -> None:
        """A module, if the recording met something of it, with all below it."""
        if not complete(module):
            return
        known = self.every or any(self.recording.tensors.find(p) is not None for p in module.parameters())
        if not known:
            return
        for path, part in module.named_modules():
            self._left -= 1
            if self._left < 0:
                return
            held = {**part._parameters, **part._buffers}
            ids: dict[str, str] = {}
            for key, tensor in held.items():
                if isinstance(tensor, torch.Tensor) and not is_lazy(tensor):
                    id = self._name(".".join(filter(None, (name, path, key))), tensor, path=True)
                    if id is not None and key in part._parameters:
                        ids[shorten(key)] = id
            row = {"path": shorten(f"{name}.{path}" if path else name), "type": shorten(type(part).__name__)}
            self.modules.append({**row, "parameters": ids})


def _is_module(value: Any) -> bool:
    return isinstance(value, torch.nn.Module)


def _parts(name: str, module: torch.nn.Module) -> list[tuple[str, torch.Tensor]]:
    """The parameters and buffers of a module in a variable."""
    if not complete(module):
        return []
    held = (*module.named_parameters(), *module.named_buffers())
    return [(f"{name}.{path}", tensor) for path, tensor in held[:_HELD] if not is_lazy(tensor)]


def _members(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors that a container in a variable holds, as a reader of the program would write them."""
    pairs: Any = ()
    if isinstance(value, list | tuple) and len(value) <= MEMBERS:
        pairs = enumerate(value)
    elif isinstance(value, dict) and len(value) <= MEMBERS:
        pairs = value.items()
    for key, member in pairs:
        if isinstance(member, torch.Tensor) and isinstance(key, int | str | float | tuple):
            yield f"{name}[{key!r}]", member


def module_paths(variables: Mapping[str, Any]) -> dict[int, str]:
    """Where modules are, by id: `net.fc1`."""
    found: dict[int, str] = {}
    for name, value in variables.items():
        if isinstance(value, torch.nn.Module) and complete(value):
            for path, part in value.named_modules():
                found.setdefault(id(part), f"{name}.{path}" if path else name)
    return found
