"""What the variables of a program hold when it is over: names of tensors, and the modules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from .limits import shorten
from .recorder.recording import Recording
from .recorder.scopes import complete

_MEMBERS = 20
"""Members of lists, tuples and dicts that are named."""

_HELD = 1000
"""Tensors of a module in a local variable that are named."""

_MODULES = 20_000
"""Modules that are looked at for names."""


class Names:
    """`globals` and `modules` of the document. `every`: also tensors that nothing but a variable leads to."""

    def __init__(self, recording: Recording, variables: Mapping[str, Any], every: bool) -> None:
        self.recording, self.every = recording, every
        self.variables = {name: value for name, value in variables.items() if not name.startswith("__")}
        self.globals: dict[str, str] = {}
        self.modules: list[dict[str, Any]] = []
        self._left = _MODULES

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
        holders = [(_holds(name, value), value, variable) for name, value, variable in self.recording.holders.values()]
        # Variables before arguments such as `self`, and a whole model before its parts.
        for members, value, _ in sorted(holders, key=lambda holder: (not holder[2], -len(holder[0]))):
            self._held(members, isinstance(value, torch.nn.Module))
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

    def _held(self, members: list[tuple[str, torch.Tensor]], module: bool) -> None:
        """Names by what a variable holds; where a module keeps a parameter says more than the variable of a loop."""
        for path, tensor in members:
            row = self.recording.tensors.find(tensor)
            says_more = module and isinstance(tensor, torch.nn.Parameter)
            if row is not None and (row.name is None or says_more and "." not in row.name):
                row.name = path
                row.path = path if "." in path else None

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


def _holds(name: str, value: Any) -> list[tuple[str, torch.Tensor]]:
    """The tensors that a module or a container in a variable holds."""
    if not isinstance(value, torch.nn.Module):
        return list(_members(name, value))
    if not complete(value):
        return []
    held = (*value.named_parameters(), *value.named_buffers())
    return [(f"{name}.{path}", tensor) for path, tensor in held[:_HELD] if not is_lazy(tensor)]


def _members(name: str, value: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """The tensors that a container in a variable holds, as a reader of the program would write them."""
    pairs: Any = ()
    if isinstance(value, list | tuple) and len(value) <= _MEMBERS:
        pairs = enumerate(value)
    elif isinstance(value, dict) and len(value) <= _MEMBERS:
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
