"""What tensors and modules are called: by the program's variables, and by what holds them.

The program has ended: nothing that it can replace is called any more (`engine.trace.reading`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.tensor import Tensor
from engine.document.limits import MEMBERS, NAME, PARTS, class_name, shorten
from engine.document.names import Naming
from engine.document.sizes import TENSOR
from engine.nn.module import Module
from engine.trace import reading
from engine.trace.events import AccumulateEvent, TensorRecord
from engine.trace.recorder import Recorder
from engine.trace.sizes import NUMBER, SUMMARY


def _members(name: str, value: Any) -> list[tuple[str, Tensor]]:
    """The tensors that a container in a variable holds, as a reader of the program would write them."""
    if reading.length(value) > MEMBERS:
        return []
    return [(f"{name}[{reading.key_text(key)}]", t) for key, t in reading.items(value) if reading.is_tensor(t)]


_OWN_NAME = re.compile(r"(?:.*\.)?([^\W\d]\w*(?:\[[^]]*\])*)", re.DOTALL)


def own_name(path: str) -> str:
    """`w[0]` of `net.layers[1].w[0]`."""
    if path.isidentifier():
        return path
    found = _OWN_NAME.fullmatch(path)
    return found[1] if found else path


class Room:
    """Bytes of a document for what only names lead to. `left`: how many; `whole`: whether there was room for all."""

    def __init__(self, recorder: Recorder, left: float) -> None:
        self.left, self.whole = left, True
        self._records, self._inline = recorder.records, recorder.limits.inline_values

    def take(self, size: int) -> bool:
        """Whether there is room for something that is told of in so many bytes."""
        self.left -= size
        self.whole = self.whole and self.left > 0
        return self.left > 0

    def affords(self, t: Tensor, name: str) -> bool:
        """Whether there is room for a name, and for its tensor if nothing else tells of that."""
        size = 2 * min(len(name), NAME) + 12
        if id(t) not in self._records.tensors:
            array = reading.array(t)
            few = array.size <= self._inline
            size += TENSOR + 2 * (array.size * NUMBER.get(array.itemsize, 42) if few else SUMMARY)
        return self.take(size)


class Names(Naming[Tensor, TensorRecord]):
    """Finds the names of one run. `module_paths`: where modules are, by their ids."""

    def __init__(
        self, recorder: Recorder, variables: Mapping[str, Any], room: Room, tensor_id: Callable[[Tensor], str]
    ) -> None:
        super().__init__()
        self.recorder, self.records = recorder, recorder.records
        self.variables, self.room, self._tensor_id = variables, room, tensor_id
        self.module_paths: dict[int, str] = {}
        self._parts_left = PARTS
        self._parts_of: dict[int, list[reading.Part]] = {}

    def find(self) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
        """What top-level names hold at the end; modules with the ids of their parameters."""
        named: dict[str, Tensor] = {}
        modules: list[dict[str, Any]] = []
        for name, value in self.variables.items():
            if reading.is_tensor(value) and self.room.affords(value, name):
                named[shorten(name)] = value
                self._called(value, name)
        for name, value in self.variables.items():
            if issubclass(type(value), Module):
                parts = self._parts(value)
                for path, t in reading.held_tensors(parts):
                    if self.room.affords(t, path):
                        named.setdefault(shorten(f"{name}.{path}"), t)
                        self.name_part(t, f"{name}.{path}")
                modules += self._modules(name, parts)
            else:
                for path, t in _members(name, value):
                    if self.room.affords(t, name):
                        named[shorten(path)] = t
        for name, t in named.items():
            self._called(t, name)
        self.name_held(self.recorder.holders.named.values())
        for name, t in self.recorder.parameters.values():
            if self.room.affords(t, name):
                self._called(t, name)
        return named, modules

    def buffers(self) -> set[int]:
        """Identities of the buffers of the modules that were looked at."""
        return {id(t) for parts in self._parts_of.values() for part in parts for t in part.buffers.values()}

    def _parts(self, root: Module) -> list[reading.Part]:
        """A module and all below it, while there is time to look at modules; walked once, whoever holds it."""
        found = self._parts_of.get(id(root))
        if found is None:
            found = self._parts_of[id(root)] = list(reading.parts(root, self._parts_left))
        found = found[: self._parts_left]
        self._parts_left -= len(found)
        return found

    def _called(self, t: Tensor, name: str) -> None:
        record = self.recorder.tensor(t)
        record.name = record.name or name

    def _modules(self, name: str, parts: list[reading.Part]) -> list[dict[str, Any]]:
        """The rows of a module and all below it."""
        rows: list[dict[str, Any]] = []
        for part in parts:
            path = shorten(f"{name}.{part.path}" if part.path else name)
            self.module_paths.setdefault(id(part.module), path)
            held = {k: t for k, t in part.parameters.items() if self.room.affords(t, k)}
            if not self.room.take(60 + 2 * len(path)):
                break
            row = {
                "path": path,
                "type": shorten(class_name(type(part.module))),
                "parameters": {shorten(k): self._tensor_id(t) for k, t in held.items()},
            }
            rows.append(row if part.whole else {**row, "unreadable": True})
        return rows

    # What the rules of names ask for

    def row_of(self, tensor: Tensor) -> TensorRecord | None:
        return self.records.tensors.get(id(tensor))

    def accumulated(self) -> Iterator[tuple[int, TensorRecord]]:
        for event in self.records.events:
            if type(event) is AccumulateEvent:
                record = self.records.tensors.get(id(event.tensor))
                if record is not None:
                    yield event.call, record

    def call(self, row: TensorRecord, path: str) -> None:
        row.name = path

    def is_tensor(self, value: Any) -> bool:
        return reading.is_tensor(value)

    def is_parameter(self, tensor: Tensor) -> bool:
        return reading.is_parameter(tensor)

    def is_module(self, value: Any) -> bool:
        return issubclass(type(value), Module)

    def inside(self, path: str, module: Any) -> tuple[Iterator[tuple[str, Tensor]], list[tuple[str, Any]]]:
        parts = self._parts(module)
        spots = [(reading.join(path, part.path) if part.path else path, part.module) for part in parts]
        return _registered(path, parts), spots

    def holds(self, value: Any) -> bool:
        return reading.holds(value)

    def count(self, value: Any) -> int:
        return reading.length(value) + len(reading.attributes(value) or ())

    def members(self, value: Any) -> Iterator[tuple[str, bool, Any]]:
        return reading.members(value)


def _registered(path: str, parts: list[reading.Part]) -> Iterator[tuple[str, Tensor]]:
    for below, tensor in reading.held_tensors(parts):
        yield f"{path}.{below}", tensor
