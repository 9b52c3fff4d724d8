"""The values of a recording: kept by reference, copied before they are overwritten, described at the end."""

from __future__ import annotations

from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from ..document.numbers import plain
from ..document.sizes import VALUE
from ..limits import NUMBER, SUMMARY
from .summaries import LARGE, elements, summary, thumbnail

_NOTHING: dict[str, Any] = {"min": None, "max": None, "mean": None, "std": None, "norm": None}
UNREAD: dict[str, Any] = {"data": None, "stats": {**_NOTHING, "nan": 0, "inf": 0, "zeros": 0}}
"""A value that cannot be looked at."""

_next_sequence: Any = torch._C._autograd._get_sequence_nr
_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
address_of: Any = torch._C._storage_address  # type: ignore[attr-defined]
"""Which memory a tensor has, without an object for it, as `untyped_storage()` makes one that stays."""


class Values:
    """The `values` table. The same memory seen twice with nothing written in between gets the same id.

    `_objects`: what was seen, by the identity of a tensor, which `_alive` keeps; `_of_memory`: what was seen in each
    memory, the last one first, each with the one before. As tuples of texts and numbers alone they cost the garbage
    collector nothing. `_ids`: by which elements of which memory; the first in a memory, which mostly stays the only
    one, is there when a second comes. `_large`: what was seen in memory of large tensors, which are described at once
    and not kept; their storage is known weakly, so that no other gets its address.
    """

    def __init__(self, inline: int) -> None:
        self.inline = inline
        self.table: dict[str, dict[str, Any]] = {}
        self.weight = 0
        self.kept_bytes = 0
        self._kept: dict[str, torch.Tensor] = {}
        self._ids: dict[tuple[Any, ...], str] = {}
        self._written: dict[tuple[Any, ...], list[tuple[int, str]]] = {}
        self._alive: dict[int, torch.Tensor] = {}
        self._objects: dict[int, Any] = {}
        self._of_memory: dict[int, Any] = {}
        self._large: dict[int, _Large] = {}
        self._held: set[int] = set()

    def ref(self, value: torch.Tensor | None) -> str | None:
        """The id of what a tensor holds now; None for None."""
        if value is None:
            return None
        number = id(value)
        same = self._objects.get(number)
        if same is not None and same[2] == value.data_ptr():  # which `x.data = y` changes
            name: str = same[1]
            return name
        if value.layout is not torch.strided or _is_wrapped(value) or _is_odd(value):
            return self._apart(value)
        try:
            memory = address_of(value)
        except (NotImplementedError, RuntimeError, ValueError):
            return self._apart(value)
        if value.numel() >= LARGE and value.device.type != "meta":
            return self._large_ref(value, memory)
        before, key = self._of_memory.get(memory), None
        if before is None:
            name = self._add(value, value.detach() if value.requires_grad else value)
            self.kept_bytes += _bytes_of(value)
        else:
            if before[0] is None:
                before = (self._key_of(before[1]), *before[1:])
                self._ids[before[0]] = before[1]
            key = _key(value, memory)
            known = self._ids.get(key)
            if known is None:
                known = self._ids[key] = self._add(value, value.detach() if value.requires_grad else value)
            name = known
        self._of_memory[memory] = self._objects[number] = (key, name, value.data_ptr(), number, before)
        self._alive[number] = value
        return name

    def _large_ref(self, value: torch.Tensor, memory: int) -> str:
        """As `ref`, without keeping it: what a program has freed would be the larger part of a recording's memory."""
        seen = self._large.get(memory)
        if seen is None:
            seen = self._large[memory] = _Large(StorageWeakRef(value.untyped_storage()))
        key = _key(value, memory)
        name = seen.names.get(key)
        if name is None:
            name = seen.names[key] = self._add(value, None)
            self.table[name] = {**_kind(value), **self._same_elements(seen, value.detach())}
        return name

    def _same_elements(self, seen: _Large, value: torch.Tensor) -> dict[str, Any]:
        """The description of a large value; of what another view was described by, only its picture is made anew."""
        dense = sorted(value.stride()) == sorted(torch.empty(value.shape, device="meta").stride())
        which = (value.storage_offset(), value.numel(), value.dtype) if dense and not value.is_conj() else None
        known = None if which is None else seen.described.get(which)
        if known is not None:
            return {**known, "thumbnail": thumbnail(value)}
        found = self._described(value)
        if which is not None and "thumbnail" in found:
            seen.described[which] = found
        return found

    def held(self, tensor: torch.Tensor) -> None:
        """A large tensor stays in memory as long as the recording."""
        memory = memory_of(tensor)
        if memory not in self._held:
            self._held.add(memory)
            self.kept_bytes += _bytes_of(tensor)

    def before_write(self, tensor: torch.Tensor) -> None:
        """The memory of a tensor is about to be written: what was seen there is copied."""
        if tensor.layout is not torch.strided:
            return
        try:
            memory = address_of(tensor)
            seen = self._of_memory.pop(memory, None)
        except (NotImplementedError, RuntimeError, ValueError):
            return
        for key, name in self._large[memory].names.items() if memory in self._large else ():
            self._written.setdefault(key, []).append((_next_sequence(), name))
        self._large.pop(memory, None)
        while seen is not None:
            key, name, _, number, seen = seen
            self._objects.pop(number, None)
            self._alive.pop(number, None)
            if key is None:
                key = self._key_of(name)
            elif self._ids.pop(key, None) is None:
                continue
            if not is_freed(self._kept[name]):
                kept = self._kept[name] = self._kept[name].clone()
                self.kept_bytes += kept.untyped_storage().nbytes()
            self._written.setdefault(key, []).append((_next_sequence(), name))

    def when_saved(self, value: torch.Tensor, sequence: int) -> str | None:
        """What the memory of a tensor held when a node was made, by its sequence number: it was written since."""
        written = self._written.get(_key(value, address_of(value)), ())
        return next((name for at, name in written if at > sequence), None)

    def _key_of(self, name: str) -> tuple[Any, ...]:
        kept = self._kept[name]
        return _key(kept, address_of(kept))

    def describe(self) -> None:
        """Write the numbers down; nothing is kept any more."""
        for name, tensor in self._kept.items():
            self.table[name] = {**_kind(tensor), **self._described(tensor)}
        self._kept, self._ids, self._of_memory = {}, {}, {}
        self._objects, self._alive, self._large = {}, {}, {}

    def _apart(self, value: torch.Tensor) -> str | None:
        """Sparse tensors and those of transforms: what they stand for, as it is now; a batch with all its entries."""
        while _is_wrapped(value):
            value = torch._C._functorch.get_unwrapped(value)
        if _is_odd(value):
            return self._add(value, None)
        try:
            if (depth := _nesting()) > 0:
                value = torch._remove_batch_dim(value, depth, 1, 0)
            dense = value.detach() if value.layout is torch.strided else value.detach().to_dense()
            return self._add(value, dense.clone())
        except (NotImplementedError, RuntimeError, ValueError):  # inside transforms not everything can be looked at
            return self._add(value, None)

    def _add(self, value: torch.Tensor, kept: torch.Tensor | None) -> str:
        name = f"v{len(self.table)}"
        if kept is None:
            self.table[name] = {**_kind(value), **UNREAD}
        else:
            self.table[name] = UNREAD
            self._kept[name] = kept
        count = value.numel()
        self.weight += VALUE + (count * NUMBER if count <= self.inline else SUMMARY)
        return name

    def _described(self, tensor: torch.Tensor) -> dict[str, Any]:
        if tensor.device.type == "meta" or is_freed(tensor):
            return UNREAD
        if tensor.is_quantized:
            tensor = tensor.dequantize()
        if tensor._is_zerotensor():  # which has no memory
            tensor = torch.zeros(tensor.shape, dtype=tensor.dtype)
        tensor = tensor.resolve_conj().resolve_neg()
        try:
            if tensor.numel() <= self.inline:
                return {"data": elements(tensor)}
            return {"data": None, **summary(tensor)}
        except (NotImplementedError, RuntimeError, ValueError):  # a subclass that keeps its numbers to itself
            return UNREAD


class _Large:
    """What was seen in one memory: names by the elements, descriptions by where these begin and how many there are."""

    def __init__(self, storage: StorageWeakRef) -> None:
        self.storage = storage
        self.names: dict[tuple[Any, ...], str] = {}
        self.described: dict[tuple[Any, ...], dict[str, Any]] = {}


def is_freed(value: torch.Tensor) -> bool:
    """Whether its memory was given back, as FSDP does with parameters that it gathered: to read it ends the process."""
    try:
        return value.numel() > 0 and not value.untyped_storage().nbytes()
    except (NotImplementedError, RuntimeError, ValueError):
        return False


def _bytes_of(value: torch.Tensor) -> int:
    """The memory that a tensor keeps alive."""
    whole = value.is_contiguous() and not value.storage_offset()
    return value.nbytes if whole else value.untyped_storage().nbytes()


def _nesting() -> int:
    """How many transforms of `is_grads_batched` run, each inside the other."""
    depth = int(torch._C._vmapmode_increment_nesting())
    torch._C._vmapmode_decrement_nesting()
    return depth - 1


def _key(value: torch.Tensor, memory: int) -> tuple[Any, ...]:
    """Which elements of which memory a tensor has; one tuple of numbers, so that the garbage collector lets it be."""
    return (
        memory, value.storage_offset(), value.dtype, value.is_conj(), value.is_neg(), *value.shape, *value.stride(),
    )  # fmt: skip


def _is_odd(value: torch.Tensor) -> bool:
    """Whether a tensor has no numbers of its own: a nested one, a compiler's."""
    return value.is_nested or type(value).__name__ == "FakeTensor"


def _kind(value: torch.Tensor) -> dict[str, Any]:
    return {"shape": shape_of(value), "dtype": str(value.dtype)[6:]}


def shape_of(tensor: torch.Tensor) -> list[int]:
    """The sizes of a tensor; of a nested one, whose tensors have different ones, how many it holds."""
    return [int(tensor.size(0))] if tensor.is_nested else [int(n) for n in tensor.shape]


def node_of(tensor: torch.Tensor) -> Any:
    """The `grad_fn` of a tensor; None also for a view that PyTorch forbids to ask."""
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


def grad_of(tensor: torch.Tensor) -> torch.Tensor | None:
    """The gradient that a leaf has, or another tensor retains; None also for a view that PyTorch forbids to ask."""
    try:
        return tensor.grad if tensor.is_leaf or tensor.retains_grad else None
    except RuntimeError:
        return None


def memory_of(tensor: torch.Tensor) -> int:
    """Which memory a tensor has; its own where it has no storage."""
    try:
        return int(address_of(tensor))
    except (NotImplementedError, RuntimeError, ValueError):
        return id(tensor)


def argument(value: Any, depth: int = 0) -> Any:
    """An argument as JSON: numbers and strings as they are, tensors by shape, everything else as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, float | complex):
        return plain(value)
    if isinstance(value, torch.Tensor):
        return f"tensor{tuple(shape_of(value))}"
    if isinstance(value, tuple | list):
        return [argument(item, depth + 1) for item in value[: 64 >> 2 * depth]] if depth < 4 else "…"
    if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
        return str(value)
    return str(value) if isinstance(value, torch.dtype | torch.device | torch.layout) else type(value).__name__
