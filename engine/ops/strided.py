"""Views by strides: PyTorch's `as_strided`, which is also how a view finds its gradient after a write to its base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.latex import ADDED_UP
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.strided import as_strided_kernel, overlaps, span
from engine.ops.shape import new_zeros
from engine.types.shapes import Shape

op(
    "as_strided(self, size, stride, storage_offset=None, origin=0)", "AsStridedBackward0",
    "as_strided_kernel(self, size, stride, storage_offset)", view=True,
    self="as_strided_backward(g, self.shape, [s // self.dtype.itemsize for s in self.strides], origin, "
    "size, stride, origin if storage_offset is None else storage_offset)",
    tex=ADDED_UP, says="the gradient goes back to the places in memory that were read", hides="self",
    vmap=rules.as_strided, backward_cost=1, storage_view=True,
)


@rule
def as_strided_backward(
    g: Any, shape: Shape, strides: Sequence[int], origin: int, size: Shape, stride: Shape, offset: int
) -> Any:
    """Write `g` into memory laid out as the input's, adding where an element was read twice; then read the input.

    `origin` is the offset of the input, `offset` that of the view. Elements that the input itself sees several times
    share the gradient equally.
    """
    graph = isinstance(g, Tensor)
    if not all(size) or not all(shape):
        return new_zeros(g, shape) if graph else np.zeros(shape, g.dtype)
    shared = min(origin, offset)
    origin, offset = origin - shared, offset - shared
    kept = [i for i, n in enumerate(size) if n != 1 and stride[i]]
    for i in range(len(size) - 1, -1, -1):
        if size[i] == 1:
            g = ops.squeeze_dim(g, i)
        elif not stride[i]:
            g = ops.sum_dim(g, (i,), False)
    size, stride = tuple([size[i] for i in kept]), tuple([stride[i] for i in kept])
    seen = [i for i, n in enumerate(shape) if n != 1]
    own_shape, own_strides = [shape[i] for i in seen], [strides[i] for i in seen]
    length = 1 + max(origin + span(own_shape, own_strides), offset + span(size, stride))
    read_twice, seen_twice = overlaps(size, stride), overlaps(own_shape, own_strides)
    places = np.arange(length) if read_twice or seen_twice else None
    counts = None
    if seen_twice:
        counts = np.bincount(as_strided_kernel(places, own_shape, own_strides, origin).ravel(), minlength=length)
    if graph:
        memory = new_zeros(g, (length,))
        if read_twice:
            index = Tensor._from_array(as_strided_kernel(places, size, stride, offset).reshape(-1))
            memory.index_add_(0, index, g.reshape(-1))
        else:
            ops.as_strided(memory, size, stride, offset).copy_(g)
        if counts is not None:
            memory.div_(Tensor._from_array(counts.astype(memory._array.dtype)))
        return ops.as_strided(memory, shape, tuple(strides), origin)
    memory = np.zeros(length, g.dtype)
    if read_twice:
        np.add.at(memory, as_strided_kernel(places, size, stride, offset), g)
    else:
        as_strided_kernel(memory, size, stride, offset)[...] = g
    if counts is not None:
        memory /= counts.astype(memory.dtype)
    return as_strided_kernel(memory, shape, strides, origin)
