"""The memory behind a tensor: asked for, resized, and exchanged for another's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace, rebase
from engine.codegen.op import op, rule, watch
from engine.codegen.publish import public
from engine.composites.storage import Storage, TypedStorage, UntypedStorage
from engine.core.node import LEAF_SEQUENCE, Node
from engine.core.registry import OPS
from engine.core.state import state
from engine.core.tensor import Tensor, announce_write, bump_version, report_write
from engine.core.views import gradient_edge, share
from engine.kernels.names import kernel
from engine.kernels.strided import as_strided_kernel
from engine.limits import meter
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import address, contiguous_strides, root, sizes


@public("method")
def resize_(self: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """Another shape in place, of the elements in memory from the first on; new memory if it ends (zeros here)."""
    if self.requires_grad and not self._inference:
        raise errors.resize_with_grad()
    if not size:
        raise errors.missing_positional("resize_", "size")
    shape = sizes(size)
    count = math.prod(shape)
    if any(extent < 0 for extent in shape):
        raise errors.numel_overflow()
    if shape == self._array.shape:
        return self
    a = share(self)
    memory = root(a).reshape(-1)[(address(a) - address(root(a))) // a.itemsize :]
    if count > memory.size:
        meter.allocate(count, a.itemsize)
        grown = np.zeros(count, a.dtype)
        grown[: memory.size] = memory
        memory = grown
    announce_write(self)
    self._array = memory[:count].reshape(shape)
    bump_version(self)
    if state.watched:
        report_write(self)
    return self


@public("method")
def resize_as_(self: Tensor, other: Tensor, *, memory_format: Any = None) -> Tensor:
    """`resize_` to the shape of another."""
    return resize_(self, *other._array.shape)


@public("method")
def untyped_storage(self: Tensor) -> UntypedStorage:
    """The bytes that the tensor and its views share."""
    return UntypedStorage(self, 1)


@public("method")
def storage(self: Tensor) -> TypedStorage:
    """The elements that the tensor and its views share."""
    if self.is_sparse:
        raise errors.sparse_storage()
    errors.warn_typed_storage()
    return TypedStorage(self)


@public("method")
def set_(self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None) -> Tensor:
    """Other memory in place: that of a tensor or a storage, of which sizes and strides may be asked for.

    The gradient stops here: PyTorch has none for it.
    """
    array = _seen(self, source)
    if size is not None:
        shape = sizes((size,))
        array = as_strided_kernel(
            root(array), shape, contiguous_strides(shape) if stride is None else sizes((stride,)), storage_offset
        )
    given = (self, source) if isinstance(source, Tensor) else (self,)
    live = state.grad and any([t.requires_grad for t in given])
    check_inplace(self, live)
    node: Node | None = None
    if live:
        assert _SET.node_class is not None
        node = _SET.node_class()
        node.sequence_nr = LEAF_SEQUENCE
        node.next_edges, node.input_nrs = zip(*[gradient_edge(t) for t in given], strict=True)
        node.shape, node.dtype = array.shape, array.dtype
    announce_write(self)
    self._array = array
    self._grad_accumulator = None  # the graph so far ends where the memory was
    bump_version(self)
    if node is not None:
        rebase(self, node)
    if state.watched:
        watch(_SET, (self, source), self, node)
        report_write(self)
    return self


def _seen(self: Tensor, source: Any) -> Any:
    """The memory of what is given to `set_`, as elements of the tensor's type."""
    if source is None:
        return np.empty(0, self._array.dtype)
    if isinstance(source, Storage):
        return source.elements(self._array.dtype)
    if not isinstance(source, Tensor):
        check("Tensor", "set_", (source,), {})
    if source._array.dtype != self._array.dtype:
        raise errors.set_dtype(dtypes.of(source._array.dtype).cpp_name, dtypes.of(self._array.dtype).cpp_name)
    return share(source)


@kernel
def other_memory(self: Any, source: Any) -> Any:
    """What `set_` makes of a tensor."""
    return source


@rule
def set_backward(g: Any) -> None:
    """Raises: PyTorch has no gradient for it."""
    raise errors.set_not_differentiable()


op(
    "set_(self, source)",
    "NotImplemented",
    "other_memory(self, source)",
    self="set_backward(g)",
    source="set_backward(g)",
    inplace=False,
    says="PyTorch has no gradient for it",
)
_SET = OPS["set_"]
