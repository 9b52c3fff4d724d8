"""What tensors and modules are called: by the program's variables, and by what holds them.

The program has ended: nothing that it can replace is called any more (`engine.trace.reading`). The names of a recording
of real PyTorch (`client/backlight/naming.py`) are given by the same rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.tensor import Tensor
from engine.document.limits import MEMBERS, NAME, NESTED, PARTS, shorten
from engine.document.sizes import TENSOR
from engine.nn.module import Module
from engine.trace import reading
from engine.trace.events import AccumulateEvent
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


class Names:
    """Finds the names of one run. `module_paths`: where modules are, by their ids."""

    def __init__(
        self, recorder: Recorder, variables: Mapping[str, Any], room: Room, tensor_id: Callable[[Tensor], str]
    ) -> None:
        self.recorder, self.records = recorder, recorder.records
        self.variables, self.room, self._tensor_id = variables, room, tensor_id
        self.module_paths: dict[int, str] = {}
        self._parts_left = self._members_left = PARTS
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
                        self._name_part(t, f"{name}.{path}")
                modules += self._modules(name, parts)
            else:
                for path, t in _members(name, value):
                    if self.room.affords(t, name):
                        named[shorten(path)] = t
        for name, t in named.items():
            self._called(t, name)
        self._name_held()
        for name, t in self.recorder.parameters.values():
            if self.room.affords(t, name):
                self._called(t, name)
        return named, modules

    def _parts(self, root: Module) -> list[reading.Part]:
        """A module and all below it, while there is time to look at modules; walked once, whoever holds it."""
        found = self._parts_of.get(id(root))
        if found is None:
            found = self._parts_of[id(root)] = list(reading.parts(root, self._parts_left))
        found = found[: self._parts_left]
        self._parts_left -= len(found)
        return found

    def _name_held(self) -> None:
        """Name tensors by what holds them, where no variable of their own does, or where one loop's variable was
        several of them in turn."""
        holders = self.recorder.holders.named.values()
        modules = [
            ([(f"{name}.{path}", t) for path, t in reading.held_tensors(self._parts(value))], variable)
            for name, value, variable in holders
            if issubclass(type(value), Module)
        ]
        # Variables before arguments such as `self`, and a whole model before its parts.
        for members, _ in sorted(modules, key=lambda holder: (not holder[1], -len(holder[0]))):
            for path, member in members:
                self._name_part(member, path)
        several = Counter([name for name, _, _ in holders])
        found: dict[int, tuple[tuple[Any, ...], str]] = {}
        for name, value, variable in holders:
            for path, t, depth, worded in self._held(name, value):
                rank = (not variable, several[name] > 1, not worded, depth)
                if id(t) not in found or rank < found[id(t)][0]:
                    found[id(t)] = rank, path
        mistakable = self._mistakable() if found else ()
        for key, ((_, unclear, _, _), path) in found.items():
            record = self.records.tensors.get(key)
            if record is not None and (record.name is None or (key in mistakable and not unclear)):
                record.name = path

    def _held(self, name: str, value: Any) -> Iterator[tuple[str, Tensor, int, bool]]:
        """The tensors that a container or an object in a variable holds, the nearest first: (path, tensor, how far
        from it, whether the path has a word). Of a module in a variable those that it did not register."""
        seen = {id(value)}
        todo: list[tuple[str, Any, int, bool]] = [(shorten(name), value, 0, False)]
        for path, holder, depth, worded in todo:
            spots = [(path, holder)]
            if issubclass(type(holder), Module):
                parts = self._parts(holder)
                if depth:
                    yield from ((f"{path}.{below}", t, depth, True) for below, t in reading.held_tensors(parts))
                spots = [(reading.join(path, part.path) if part.path else path, part.module) for part in parts]
            for at, kept in spots:
                count = reading.length(kept) + len(reading.attributes(kept) or ())
                if count > (self._members_left if depth else max(self._members_left, MEMBERS)):
                    continue
                self._members_left = max(self._members_left - count, 0)
                for step, word, member in reading.members(kept):
                    if reading.is_tensor(member):
                        yield at + step, member, depth, worded or word
                    elif depth < NESTED and id(member) not in seen and reading.holds(member):
                        seen.add(id(member))
                        todo.append((at + step, member, depth + 1, worded or word))

    def _mistakable(self) -> set[int]:
        """Leaves that have one name and get gradients in one pass."""
        passes: dict[tuple[int, str | None], set[int]] = {}
        for event in self.records.events:
            if type(event) is AccumulateEvent:
                record = self.records.tensors.get(id(event.tensor))
                if record is not None:
                    passes.setdefault((event.call, record.name), set()).add(id(event.tensor))
        return {key for (_, name), leaves in passes.items() if name is not None and len(leaves) > 1 for key in leaves}

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
                "type": shorten(type(part.module).__name__),
                "parameters": {shorten(k): self._tensor_id(t) for k, t in held.items()},
            }
            rows.append(row if part.whole else {**row, "unreadable": True})
        return rows

    def _name_part(self, t: Tensor, path: str) -> None:
        """Where a module keeps a parameter says more than the loop variable that once was it."""
        record = self.records.tensors.get(id(t))
        if record is not None and (record.name is None or reading.is_parameter(t) and "." not in record.name):
            record.name = path
