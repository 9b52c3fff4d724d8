"""The `keeps` of nodes, and the `storages` that these tensors lie in, from what a recorder read."""

from __future__ import annotations

from typing import Any, cast

from .document.rows import Kept, Storage
from .recorder.recording import Recording
from .recorder.scopes import Scope
from .recorder.tensors import Seen, key_of
from .recorder.values import address_of, node_of


class Storages:
    """Rows of storages in the order in which nodes that are told of keep them. `buffers`: ids of modules' buffers."""

    def __init__(self, recording: Recording, buffers: set[str]) -> None:
        self.rows: list[Storage] = []
        self._keeping, self._buffers = recording.nodes.keeping, buffers
        self._ids: dict[int, str] = {}
        self._tensors: dict[int, list[Seen]] = {}
        self._same: dict[Any, str] = {}
        if not self._keeping.of:
            return
        for row in recording.tensors.rows:
            if row.tensor is None:
                continue
            try:
                memory = address_of(row.tensor)
                key = key_of(row.tensor, memory)
            except (NotImplementedError, RuntimeError, ValueError):  # it has no memory, or no shape, of its own
                continue
            self._tensors.setdefault(memory, []).append(row)
            self._same.setdefault(key, row.id)
        self._computed = _computed(recording)
        self._made = {output for op in recording.ops for output in op.outputs}

    def of(self, node: str) -> list[Kept]:
        """What the node of an id keeps."""
        return [
            {
                "name": name,
                "storage": self._ids.get(storage) or self._storage(storage),
                "shape": list(shape),
                "dtype": str(dtype)[6:],
                "bytes": size,
                "tensor": self._same.get(which) if self._is_there(storage) else None,
            }
            for name, storage, shape, dtype, size, which in self._keeping.of.get(node, ())
        ]

    def _is_there(self, number: int) -> bool:
        """Whether the memory is still what its address leads to."""
        alive = self._keeping.storages[number][1]
        return alive is not None and not alive.expired()

    def _storage(self, number: int) -> str:
        address, _, size = self._keeping.storages[number]
        found = self._ids[number] = f"s{len(self._ids)}"
        chosen, kind = self._kind(self._tensors.get(address, []) if self._is_there(number) else [])
        row = {"id": found, "bytes": size, "kind": kind, "tensor": None if chosen is None else chosen.id}
        self.rows.append(cast(Storage, row))
        return found

    def _kind(self, tensors: list[Seen]) -> tuple[Seen | None, str]:
        """The tensor that stands for a memory, and what that is; `tensors` lie in it, the first one first."""
        if not tensors:
            return None, "activation"
        first = tensors[0]
        assert first.tensor is not None
        if node_of(first.tensor) is not None or first.id in self._computed:
            return first, "activation"
        for row in tensors:
            if row.tensor is not None and row.tensor.requires_grad and row.tensor.is_leaf and not row.tensor._is_view():
                return row, "parameter"
        for row in tensors:
            if row.id in self._buffers:
                return row, "buffer"
        return first, "activation" if first.id in self._made and _in_module(first.scope) else "input"


def _in_module(scope: Scope | None) -> bool:
    while scope is not None and scope.kind != "module":
        scope = scope.parent
    return scope is not None


def _computed(recording: Recording) -> set[str]:
    """Ids of the results of ops on tensors with a history."""
    wanted = {row.id for row in recording.tensors.rows if row.requires_grad}
    return {
        output
        for op in recording.ops
        if op.node is not None or not wanted.isdisjoint(op.inputs)
        for output in op.outputs
        if output not in op.inputs
    }
