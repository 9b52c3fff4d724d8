"""The forms in which users call the copies of views."""

from __future__ import annotations

from typing import Any

from engine.codegen.publish import public, publish
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.core.views import geometry
from engine.types import dtypes
from engine.types.shapes import dims, integer, sizes

publish("torch", "alias_copy", "t_copy", "transpose_copy", "unsqueeze_copy", "unfold_copy", "select_copy", "slice_copy")
publish("torch", "unbind_copy", "split_copy", "split_with_sizes_copy", "diagonal_copy")
publish("method torch", "narrow_copy", "index_reduce", "as_strided_scatter")


@public("torch")
def view_copy(input: Tensor, size: Any = None, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """A copy in another shape, or of the same bytes read as another type."""
    kind = size if isinstance(size, dtypes.dtype) else dtype
    if kind is not None:
        return ops.clone(ops.view_dtype(input, kind.np), None)
    return ops.view_copy(input, sizes((size,)))


@public("torch")
def expand_copy(input: Tensor, size: Any, *, implicit: bool = False) -> Tensor:
    """A copy in which dimensions of size 1 are repeated."""
    return ops.expand_copy(input, sizes((size,)))


@public("torch")
def permute_copy(input: Tensor, dims: Any) -> Tensor:
    """A copy with the dimensions in another order."""
    return ops.permute_copy(input, sizes((dims,)))


@public("torch")
def squeeze_copy(input: Tensor, dim: Any = None) -> Tensor:
    """A copy without dimensions of size 1."""
    if dim is None:
        return ops.squeeze_copy(input)
    if isinstance(dim, tuple | list):
        return ops.squeeze_copy_dims(input, dims(dim))
    return ops.squeeze_copy_dim(input, integer(dim))


@public("torch")
def as_strided_copy(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A copy of what any sizes and strides show of the tensor's memory."""
    origin = geometry(input._array)[2] if input._array.ndim else 0
    return ops.as_strided_copy(input, sizes((size,)), sizes((stride,)), storage_offset, origin)


@public("torch")
def detach_copy(input: Tensor) -> Tensor:
    """A copy outside the graph."""
    return ops.clone(input.detach())


@public("torch")
def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Positions in a flattened tensor of `shape`, as positions along each dimension."""
    return ops.unravel_index(indices, dims(shape))
