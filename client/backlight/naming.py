"""What the variables of a program hold when it is over: names of tensors, and the modules."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from .document.limits import MEMBERS, PARTS, shorten
from .document.names import Naming
from .recorder.holding import attributes_of
from .recorder.positions import USER
from .recorder.recording import Recording
from .recorder.scopes import complete
from .recorder.tensors import Seen

_HELD = 1000
"""Tensors of a module in a local variable that are named."""


class Names(Naming[torch.Tensor, Seen]):
    """`globals` and `modules` of the document. `every`: also tensors that nothing but a variable leads to; `ran`: the
    modules that the program called, whatever holds them."""

    def __init__(
        self, recording: Recording, variables: Mapping[str, Any], every: bool, ran: list[torch.nn.Module]
    ) -> None:
        super().__init__()
        self.recording, self.every, self.ran = recording, every, ran
        self.variables = {name: value for name, value in variables.items() if not name.startswith("__")}
        self.globals: dict[str, str] = {}
        self.modules: list[dict[str, Any]] = []
        self.buffers: set[str] = set()
        self._left = PARTS
        self._listed: set[int] = set()

    def find(self) -> None:
        """Name tensors by variables first, then by members of containers and by where modules keep them."""
        for name, value in self.variables.items():
            if isinstance(value, torch.Tensor):
                self._name(name, value)
        for name, value in sorted(self.variables.items(), key=lambda variable: not self._wraps(variable[1])):
            if isinstance(value, torch.nn.Module):
                self._module(name, value)
            elif not isinstance(value, torch.Tensor):
                for path, member in _members(name, value):
                    self._name(path, member)
        self.name_held(self.recording.holders.values())
        for name, tensor in self.recording.parameters.values():
            row = self.recording.tensors.find(tensor)
            if row is not None:
                row.name = row.name or name
        self._others()

    def _name(self, name: str, tensor: torch.Tensor, path: bool = False, variable: bool = True) -> str | None:
        recording = self.recording
        row = recording.tensors.find(tensor)
        if row is None:
            if not self.every or recording.truncated is not None:
                return None
            row = recording.tensor(tensor)
        if path:
            if row.name is None or "." not in row.name:
                row.name = name
            row.path = row.name
            if variable:
                self.globals.setdefault(shorten(name), row.id)
        else:
            row.name = row.name or name
            self.globals[shorten(name)] = row.id
        return row.id

    # What the rules of names ask for

    def row_of(self, tensor: torch.Tensor) -> Seen | None:
        return self.recording.tensors.find(tensor)

    def accumulated(self) -> Iterator[tuple[int, Seen]]:
        for event in self.recording.events:
            if event["kind"] == "accumulate":
                yield event["call"], self.recording.tensors.by_name(event["tensor"])

    def call(self, row: Seen, path: str) -> None:
        row.name, row.path = path, path if "." in path else None

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, torch.Tensor)

    def is_parameter(self, tensor: torch.Tensor) -> bool:
        return isinstance(tensor, torch.nn.Parameter)

    def is_module(self, value: Any) -> bool:
        return isinstance(value, torch.nn.Module)

    def inside(self, path: str, module: Any) -> tuple[Iterator[tuple[str, torch.Tensor]], list[tuple[str, Any]]]:
        if not complete(module):
            return iter(()), []
        modules = islice(module.named_modules(), self._members_left)
        return _registered(path, module), [(f"{path}.{below}" if below else path, part) for below, part in modules]

    def holds(self, value: Any) -> bool:
        return self.recording.holding.holds(value)

    def count(self, value: Any) -> int:
        return self.recording.holding.length(value)

    def members(self, value: Any) -> list[tuple[str, bool, Any]]:
        return self.recording.holding.members(value)

    # Modules in variables

    def _wraps(self, value: Any) -> bool:
        """Whether a library's module ran around the program's, as PEFT's do: its names are the whole ones."""
        if not any(value is module for module in self.ran):
            return False
        home = type(value).__module__
        file = getattr(sys.modules.get(home), "__file__", None)
        users = home == "__main__" or file is None or self.recording.positions.kind_of(file) == USER
        return not users and home.partition(".")[0] != "torch"

    def _others(self) -> None:
        """The modules that ran and that no variable holds, by what holds them, or else by their class."""
        taken: set[str] = {row["path"] for row in self.modules}
        for module in self.ran:
            if id(module) in self._listed or not complete(module):
                continue
            inside = [id(tensor) for tensor in module.parameters()]
            if inside and self._listed.issuperset(inside):  # another one is only around it
                continue
            path = kind = self._held_at(module) or type(module).__name__
            number = 1
            while path in taken:
                number += 1
                path = f"{kind} {number}"
            taken.add(path)
            self._module(path, module, variable=False)

    def _held_at(self, module: torch.nn.Module) -> str | None:
        """Where a module is, as a program would write it: known of its parameters, or of objects in variables."""
        for below, tensor in islice(module.named_parameters(), _HELD):
            row = self.recording.tensors.find(tensor)
            if row is not None and row.name is not None and row.name.endswith(f".{below}"):
                return row.name[: -len(below) - 1]
        for name, value in self.variables.items():
            held = attributes_of(value) if not isinstance(value, torch.Tensor | type) else None
            for attribute, member in (held or {}).items():
                if member is module and not attribute.startswith("_"):
                    return f"{name}.{attribute}"
        return None

    def _module(self, name: str, module: torch.nn.Module, variable: bool = True) -> None:
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
            self._listed |= {id(part), *[id(tensor) for tensor in part._parameters.values()]}
            held = {**part._parameters, **part._buffers}
            ids: dict[str, str] = {}
            for key, tensor in held.items():
                if isinstance(tensor, torch.Tensor) and not is_lazy(tensor):
                    row = self._name(".".join(filter(None, (name, path, key))), tensor, True, variable)
                    if row is not None and key in part._parameters:
                        ids[shorten(key)] = row
                    elif row is not None:
                        self.buffers.add(row)
            found = {"path": shorten(f"{name}.{path}" if path else name), "type": shorten(type(part).__name__)}
            self.modules.append({**found, "parameters": ids})


def _registered(path: str, module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """The parameters and buffers of a module in a variable."""
    for below, tensor in [*module.named_parameters(), *module.named_buffers()][:_HELD]:
        if not is_lazy(tensor):
            yield f"{path}.{below}", tensor


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
