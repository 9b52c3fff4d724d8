"""What nodes keep for their gradients: tensors, and the memory that these lie in.

The program has ended: nothing that it can replace is called any more (`engine.trace.reading`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from engine.autograd.function import BackwardCFunction, stored
from engine.core.tensor import Tensor
from engine.document import rows
from engine.document.limits import shorten
from engine.trace import reading
from engine.trace.events import OpRecord, Scope, TensorRecord
from engine.trace.records import Records, owner
from engine.types.coo import Coo

BUFFER = "buffer"
"""What PyTorch's node of `logsigmoid` keeps besides its input, in the same shape; the engine computes it when asked."""

ON_CTX = 64
"""Attributes of a custom Function's `ctx` that are looked at."""


class Storages:
    """The memory that nodes keep, each once however many tensors lie in it. `ids`: of tensors, by their identities."""

    def __init__(self, records: Records, ids: Mapping[int, str], buffers: set[int]) -> None:
        self.rows: list[rows.Storage] = []
        self._records, self._ids, self._buffers = records, ids, buffers
        self._known: dict[int, tuple[Any, rows.Storage]] = {}
        self._kept: dict[int, tuple[Any, rows.Kept]] = {}
        self._tensors: dict[int, list[TensorRecord]] | None = None

    def of(self, record: OpRecord) -> list[rows.Kept]:
        """What the node that an op made keeps, in the order of its saved tensors, then what hangs on its `ctx`."""
        saved = list(_saved(record)) if record.kept else []
        kept = [self._row(name, t, array) for name, t, array in saved]
        if saved and BUFFER in getattr(record.op, "shows", ()):
            kept.append(self._row(BUFFER, None, np.empty_like(saved[0][2])))
        if isinstance(record.node, BackwardCFunction):
            kept += [self._row(name, t, reading.array(t)) for name, t in _on_ctx(record.node)]
        return [row for row in kept if row["bytes"]]

    def _row(self, name: str, t: Any, array: Any) -> rows.Kept:
        of = array if t is None else t
        known = self._kept.get(id(of))
        if known is None:
            size = _bytes(array)
            row: rows.Kept = {
                "name": name,
                "storage": self._storage(t, array)["id"] if size else "",
                "shape": list(array.shape),
                "dtype": reading.dtype_name(array.dtype),
                "bytes": size,
                "tensor": None if t is None else self._ids.get(id(t)),
            }
            known = self._kept[id(of)] = of, row
        return {**known[1], "name": name}

    def _storage(self, t: Any, array: Any) -> rows.Storage:
        memory = _memory(t, array)
        known = self._known.get(id(memory))
        if known is None:
            if self._tensors is None:
                self._tensors = {}
                for record in self._records.tensors.values():
                    found = reading.array(record.tensor)
                    self._tensors.setdefault(id(_memory(record.tensor, found)), []).append(record)
            known = self._known[id(memory)] = memory, self._described(array, self._tensors.get(id(memory), []))
            self.rows.append(known[1])
        return known[1]

    def _described(self, array: Any, tensors: list[TensorRecord]) -> rows.Storage:
        """The row of a memory in which `tensors` lie, the first one first."""
        first = min(tensors, key=lambda record: record.seen, default=None)
        found: rows.Storage = {"id": f"s{len(self.rows)}", "bytes": 0, "kind": "activation", "tensor": None}
        if first is not None:
            chosen, found["kind"] = self._kind(first, tensors)
            found["tensor"] = self._ids.get(id(chosen.tensor))
            array = reading.array(first.tensor)
        found["bytes"] = _block(array, first)
        return found

    def _kind(self, first: TensorRecord, tensors: list[TensorRecord]) -> tuple[TensorRecord, Any]:
        """The tensor that stands for a memory, and what that is."""
        if reading.grad_fn(first.tensor) is not None or id(first.tensor) in self._computed:
            return first, "activation"
        for record in tensors:
            if reading.is_leaf(record.tensor) and reading.view(record.tensor) is None:
                return record, "parameter"
        for record in tensors:
            if id(record.tensor) in self._buffers:
                return record, "buffer"
        return first, "activation" if _in_module(first.scope) else "input"

    @cached_property
    def _computed(self) -> set[int]:
        """Results of ops on tensors with a history."""
        found: set[int] = set()
        for record in self._records.ops:
            if record.node is not None:
                if record.several is not None:  # of which some may have no history
                    found.update(map(id, record.several))
            elif any([type(t) is Tensor and t._requires_grad for t in record.inputs]):
                written = set(map(id, record.inputs))
                found |= {id(t) for t in record.outputs if id(t) not in written}
        return found


def _in_module(scope: Scope | None) -> bool:
    while scope is not None and scope.kind != "module":
        scope = scope.parent
    return scope is not None


def _memory(t: Any, array: Any) -> Any:
    """What a tensor shares with others in the same memory; of a number that nothing aliases, the tensor itself."""
    return owner(array) if type(array) is np.ndarray or t is None else array if type(array) is Coo else t


def _bytes(array: Any) -> int:
    return int(array.nbytes if type(array) is Coo else array.size * array.itemsize)


def _block(array: Any, first: TensorRecord | None) -> int:
    """Bytes of a memory, by the array of the first tensor in it.

    It is what PyTorch takes for such a tensor: an array of our kernels may be a part of one that they computed in.
    """
    if type(array) is not np.ndarray:
        return _bytes(array)
    if first is not None and (reading.view(first.tensor) is not None or reading.cut(first.tensor) is not None):
        memory = owner(array)  # that of a tensor of which nobody knows
        return int(memory.size * memory.itemsize)
    steps = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
    return int(sum(map(abs, steps)) + array.itemsize) if array.size else 0


def _saved(record: OpRecord) -> Iterator[tuple[str, Any, Any]]:
    """(name, tensor or None, its numpy value) of what the node of an op saved."""
    op, kept = record.op, record.kept
    names = op.saved_tensors + op.saved_outputs or [f"saved_tensors[{number}]" for number in range(len(kept or ()))]
    for name, value in zip(names, kept or (), strict=False):
        if value is None:
            continue
        if type(value) is Tensor or reading.is_tensor(value):
            yield name, value, reading.array(value)
        elif type(value) is tuple and value and reading.is_tensor(value[0]):
            several = op.saved_tensors and op.by_name.get(name) is not None and op.by_name[name].kind == "tensors"
            for number, t in enumerate(value):
                if reading.is_tensor(t):
                    yield f"{name}[{number}]" if several else name, t, reading.array(t)
        else:
            array = value[0] if type(value) is tuple else value
            t = _tensor(record, name, array)
            if t is not None:
                yield name, t, reading.array(t)
            elif type(array) is np.ndarray or isinstance(array, np.generic | Coo):
                yield name, None, array


def _tensor(record: OpRecord, name: str, array: Any) -> Any:
    """The result or argument of an op whose value its node saved."""
    if name == "result" and record.several is None:
        return record.tensor
    for t in record.outputs:
        found = reading.array(t)
        if found is array or type(array) is np.ndarray and found is not None and _same(found, array):
            return t
    outputs = [output.name for output in getattr(record.op, "outputs", ())]
    if name in outputs and len(outputs) == len(record.outputs):
        return record.outputs[outputs.index(name)]
    for parameter, value in zip(record.op.parameters, record.inputs, strict=False):
        if parameter.name == name and reading.is_tensor(value):
            return value
    return None


def _same(one: Any, other: Any) -> bool:
    """Whether two arrays are the same elements of one memory."""
    if type(one) is not np.ndarray or type(other) is not np.ndarray:
        return False
    where, there = one.__array_interface__, other.__array_interface__
    return bool(where["data"] == there["data"] and one.shape == other.shape and one.dtype == other.dtype)


def _on_ctx(node: BackwardCFunction) -> Iterator[tuple[str, Any]]:
    """Tensors that a program stored on the `ctx` of a custom Function, also in lists and dicts there."""
    vars(node)
    for name, value in list(stored(node).items())[:ON_CTX]:
        path = f"ctx.{shorten(name)}"
        if reading.is_tensor(value):
            yield path, value
        else:
            for key, member in list(reading.items(value))[:ON_CTX]:
                if reading.is_tensor(member):
                    yield f"{path}[{reading.key_text(key)}]", member
