"""The tensors of a recording: which row of the document a tensor of the program is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..document.sizes import TENSOR
from .positions import Place
from .scopes import Scope
from .summaries import LARGE
from .values import Values, address_of, memory_of, node_of, shape_of

_BIRTHS = 64
"""Tensors of factories that are remembered until the program does something with them."""


class Seen:
    """One tensor. `tensor` is None until the program holds one: views are met before autograd hands them out.

    `cut`: why it has no gradient; `sequence`, `number`: which output of which node it is, and `shape`, while `tensor`
    is None.
    """

    __slots__ = (
        "cut", "detached_from", "device", "dtype", "id", "name", "number", "path", "place", "requires_grad", "scope",
        "sequence", "shape", "tensor", "value", "view_of",
    )  # fmt: skip

    def __init__(self, id: str, tensor: torch.Tensor, value: str | None, place: Place | None, scope: Scope) -> None:
        self.id, self.value, self.place, self.scope = id, value, place, scope
        self.tensor: torch.Tensor | None = tensor
        self.dtype, self.device = tensor.dtype, tensor.device
        self.shape: tuple[int, ...] = ()
        self.requires_grad = False
        self.name: str | None = None
        self.path: str | None = None
        self.cut: str | None = None
        self.view_of: str | None = None
        self.detached_from: str | None = None
        self.sequence: int | None = None
        self.number = 0


class Tensors:
    """Rows by tensor. `noticed` is called with each tensor of the program that is met."""

    def __init__(self, values: Values, noticed: Callable[[torch.Tensor, Seen], None]) -> None:
        self.rows: list[Seen] = []
        self.values = values
        self.noticed = noticed
        self.weight = 0
        self.by_id: dict[int, Seen] = {}
        self._by_name: dict[str, Seen] = {}
        self._births: dict[int, tuple[Place | None, Scope, StorageWeakRef | None, bool]] = {}
        self._by_output: dict[tuple[int, int], Seen] = {}
        self._by_memory: dict[Any, Seen] = {}

    def held(self, tensor: torch.Tensor) -> Seen | None:
        """The row of a tensor of the program that was met before."""
        row = self.by_id.get(id(tensor))
        return row if row is not None and row.tensor is tensor else None

    def find(self, tensor: torch.Tensor) -> Seen | None:
        """The row of a tensor, if it has one."""
        row = self.by_id.get(id(tensor))
        if row is not None and row.tensor is tensor:
            return row
        node = node_of(tensor) if tensor.requires_grad else None
        if node is not None:
            row = self._by_output.get((node._sequence_nr(), tensor.output_nr))
        else:
            row = self._by_memory.get(_memory(tensor))
        if row is not None and row.tensor is None:
            return self._hold(row, tensor)
        return None

    def by_name(self, name: str) -> Seen:
        """The row with this id."""
        return self._by_name[name]

    def of(self, tensor: torch.Tensor, place: Place | None, scope: Scope) -> Seen:
        """The row of a tensor, made now if it has none."""
        return self.find(tensor) or self.add(tensor, place, scope)

    def born(self, tensor: torch.Tensor, place: Place | None, scope: Scope, *, unset: bool = False) -> None:
        """A factory made a tensor. It is not held: PyTorch would hand out an alias of one that others hold.

        `unset`: nothing was written to it yet.

        Only its storage is known weakly, so that no other gets the address while this is remembered.
        """
        if len(self._births) >= _BIRTHS:
            del self._births[next(iter(self._births))]
        self._births[memory_of(tensor)] = (place, scope, _weakly(tensor), unset)

    def unset(self, tensor: torch.Tensor) -> bool:
        """Whether this is the whole of a tensor to which nothing was written yet, nor asked."""
        born = self._births.get(memory_of(tensor))
        return born is not None and born[-1] and tensor.untyped_storage().nbytes() == tensor.nbytes

    def add(self, tensor: torch.Tensor, place: Place | None, scope: Scope, hold: bool = True) -> Seen:
        """A new row; without `hold` it waits for the tensor that the program gets for this one."""
        born = self._births.pop(memory_of(tensor), None) if self._births else None
        if born is not None:
            place, scope, _, _ = born
        row = Seen(f"t{len(self._by_name)}", tensor, self.values.ref(tensor), place, scope)
        self.rows.append(row)
        self._by_name[row.id] = row
        self.weight += TENSOR
        if hold:
            self._hold(row, tensor)
        else:
            row.tensor, row.shape, row.requires_grad = None, tuple(shape_of(tensor)), tensor.requires_grad
            self._by_memory[_memory(tensor)] = row
        return row

    def await_output(self, row: Seen, sequence: int, number: int) -> None:
        """The program's tensor for a row will be this output of the node with this sequence number."""
        row.sequence, row.number = sequence, number
        self._by_output[sequence, number] = row

    def _hold(self, row: Seen, tensor: torch.Tensor) -> Seen:
        row.tensor = tensor
        if tensor.numel() >= LARGE and not (tensor.requires_grad and tensor.is_leaf):
            self.values.held(tensor)
        row.requires_grad = tensor.requires_grad
        self.by_id[id(tensor)] = row
        if row.requires_grad:
            self.noticed(tensor, row)
        return row


def _weakly(tensor: torch.Tensor) -> StorageWeakRef | None:
    try:
        return StorageWeakRef(tensor.untyped_storage())
    except (NotImplementedError, RuntimeError, ValueError):
        return None


def _memory(tensor: torch.Tensor) -> Any:
    try:
        return key_of(tensor, address_of(tensor))
    except (NotImplementedError, RuntimeError, ValueError):
        return id(tensor)


def key_of(tensor: torch.Tensor, memory: int) -> tuple[Any, ...]:
    """Which elements of which memory a tensor has."""
    return (memory, tensor.storage_offset(), tensor.dtype, *tensor.shape, *tensor.stride())
