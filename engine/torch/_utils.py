"""How tensors are pickled, as `torch._utils` has it: their memory once, and where in it each lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from engine.codegen.publish import TORCH
from engine.core.tensor import Parameter, Tensor
from engine.signatures.complaints import PUBLISHED
from engine.types.coo import Coo
from engine.types.shapes import address, restride, root


class Memory:
    """What tensors share that are views of each other; pickled as its bytes."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_memory, (self.array.dtype.name, self.array.tobytes())


_memories: WeakValueDictionary[int, Memory] = WeakValueDictionary()
"""Those that are being pickled, by the identity of their arrays."""


def _memory_of(array: np.ndarray[Any, Any]) -> tuple[Memory, int]:
    """The memory that an array lies in, and its first byte there."""
    whole = root(array)
    known = _memories.get(id(whole))
    if known is None or known.array is not whole:
        known = _memories[id(whole)] = Memory(whole)
    return known, address(array) - address(whole) if array.size else 0


def _reduce_ex(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    if type(self._array) is Coo:
        make: Any = _rebuild_sparse_tensor
        args: tuple[Any, ...] = self._indices(), self._values(), tuple(self.shape), self._requires_grad
    else:
        array = np.asarray(self._array)
        make, args = _rebuild_tensor_v2, (*_memory_of(array), array.shape, array.strides, self._requires_grad)
    kind = type(self)
    held = {name: value for name, value in self.__dict__.items() if not hasattr(Tensor, name)}
    if kind is Parameter and not held:
        return _rebuild_parameter, (make, args[:-1], self._requires_grad)
    if kind is Tensor and not held:
        return make, args
    return _rebuild_from_type_v2, (make, args, kind, held)


def _rebuild_memory(kind: str, data: bytes) -> Memory:
    return Memory(np.frombuffer(bytearray(data), kind))


def _rebuild_tensor_v2(
    memory: Memory, offset: int, size: Sequence[int], stride: Sequence[int], requires_grad: bool = False
) -> Tensor:
    """A leaf that lies in memory; strides are in bytes."""
    return Tensor._from_array(restride(memory.array, size, stride, offset), requires_grad)


def _rebuild_sparse_tensor(indices: Tensor, values: Tensor, size: Sequence[int], requires_grad: bool = False) -> Any:
    made = TORCH["sparse_coo_tensor"](indices, values, size)
    return made.requires_grad_() if requires_grad else made


def _rebuild_parameter(make: Any, args: tuple[Any, ...], requires_grad: bool) -> Parameter:
    return Parameter(make(*args), requires_grad)


def _rebuild_from_type_v2(make: Any, args: tuple[Any, ...], kind: type, held: dict[str, Any]) -> Any:
    """A tensor of a derived class, with its attributes."""
    made = make(*args)
    made.__class__ = kind
    made.__dict__.update(held)
    return made


def published(space: str, name: str) -> Any:
    """A function by where PyTorch has it."""
    return PUBLISHED[space][name]


REBUILD = (_rebuild_memory, _rebuild_tensor_v2, _rebuild_sparse_tensor, _rebuild_parameter, _rebuild_from_type_v2)
"""What a file of weights may call."""

setattr(Tensor, "__reduce_ex__", _reduce_ex)  # noqa: B010 - of which mypy need not know
