"""What nodes keep for their gradients: tensors, and the memory that these lie in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from .values import address_of, shape_of

WEIGHT = 150
"""Bytes that a kept tensor takes in a document, with its memory."""


Kept = tuple[str, int, Any, torch.dtype, int, Any]
"""A tensor that a node keeps: its name, the number of its storage, shape, dtype, bytes, and which elements it has, as
`tensors.key_of` tells, by which the row of the same tensor is found."""

Storage = tuple[int, StorageWeakRef | None, int]
"""Memory that nodes keep: its address while it is there, what tells whether it is, and its bytes."""


class Keeping:
    """What nodes keep, by their ids, read as long as it is there."""

    def __init__(self) -> None:
        self.of: dict[str, list[Kept]] = {}
        self.storages: list[Storage] = []
        self.weight = 0
        self._at: dict[int, tuple[int, StorageWeakRef]] = {}

    def keep(self, node: str, name: str, tensor: torch.Tensor) -> None:
        """A node keeps a tensor; nested ones, which have no shape of plain numbers, are not told."""
        if tensor.is_nested:
            return
        try:
            size, address = tensor.nbytes, address_of(tensor)
        except (NotImplementedError, RuntimeError, ValueError):
            self._keep_apart(node, name, tensor)
            return
        if not size:
            return
        known = self._at.get(address)
        if known is None or known[1].expired():
            memory = tensor.untyped_storage()
            known = self._at[address] = len(self.storages), StorageWeakRef(memory)
            self.storages.append((address, known[1], memory.nbytes()))
        shape = tensor.shape
        which = (address, tensor.storage_offset(), tensor.dtype, *shape, *tensor.stride())
        self.of.setdefault(node, []).append((name, known[0], shape, tensor.dtype, size, which))
        self.weight += WEIGHT

    def keep_list(self, node: str, name: str, items: Any) -> None:
        """A node keeps the tensors in a list."""
        for number, item in enumerate(items):
            if isinstance(item, torch.Tensor):
                self.keep(node, f"{name}[{number}]", item)

    def keep_packed(self, node: str, name: str, packed: Any) -> None:
        """A node keeps what a hook of the program made of a tensor: of that, only tensors are seen."""
        for item in packed if isinstance(packed, tuple | list) else (packed,):
            if isinstance(item, torch.Tensor):
                self.keep(node, name, item)

    def _keep_apart(self, node: str, name: str, tensor: torch.Tensor) -> None:
        """A sparse tensor, whose memory is its indices and values; those of transforms are not told."""
        if tensor.layout is not torch.sparse_coo or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return
        size = tensor._indices().nbytes + tensor._values().nbytes
        self.storages.append((id(tensor), None, size))
        kept = name, len(self.storages) - 1, shape_of(tensor), tensor.dtype, size, None
        self.of.setdefault(node, []).append(kept)
        self.weight += WEIGHT


NARROWER = {
    wide: torch.empty((), dtype=narrow)
    for wide, narrow in (
        (torch.float64, torch.float32), (torch.int64, torch.int32), (torch.complex128, torch.complex64)
    )
}  # fmt: skip
"""Tensors that tell a number of the program's text from a tensor without dimensions: it takes their dtype."""


ON_CTX = 64
"""Attributes of a custom Function's `ctx` that are looked at."""


def on_ctx(node: Any) -> Iterator[tuple[str, torch.Tensor]]:
    """Tensors that a program stored on the `ctx` of a custom Function, also in lists and dicts there."""
    for name, value in list(vars(node).items())[:ON_CTX]:
        if isinstance(value, torch.Tensor):
            yield f"ctx.{name}", value
            continue
        pairs: Any = value.items() if type(value) is dict else enumerate(value) if type(value) in (list, tuple) else ()
        for key, member in list(pairs)[:ON_CTX]:
            if isinstance(member, torch.Tensor):
                yield f"ctx.{name}[{key!r}]", member
