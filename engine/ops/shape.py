"""Copies, joins and rearrangements: ops that put elements elsewhere, so their gradients are put back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import costs
from engine.batching import rules
from engine.codegen.op import op, pointwise, rule
from engine.core.registry import GRAPH, NUMPY, ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.core.validate_outputs import sum_to_array
from engine.kernels.memory_format import empty_like
from engine.kernels.names import kernel
from engine.kernels.shape import (
    block_diag_kernel,
    block_shape,
    cat_kernel,
    clone_kernel,
    constant_pad_kernel,
    diag_embed_kernel,
    flip_kernel,
    in_format,
    repeat_kernel,
    roll_kernel,
    rot90_kernel,
    split_kernel,
    split_with_sizes_kernel,
    stack_kernel,
    suggests,
    tril_kernel,
    triu_kernel,
    unbind_kernel,
    unsafe_split_kernel,
)
from engine.limits import meter
from engine.types.coo import Coo
from engine.types.shapes import Shape, wrap_dim


@kernel
def cast_kernel(a: Any, dtype: Any, memory_format: Any = None) -> Any:
    if a.dtype.kind == "c" and dtype.kind not in "cb":
        a = a.real
    elif dtype.kind == "c":
        state.complex = True
    if type(a) is Coo:
        return a.astype(dtype)
    cast = a.astype(dtype, order="C" if 0 in a.strides else "K")
    if (1 in a.shape or not a.size) and cast.ndim > 1 and a.ndim:
        laid = empty_like(a, dtype)
        laid[...] = cast
        cast = laid
    if not in_format(cast, memory_format) or not suggests(cast, memory_format):
        return clone_kernel(cast, memory_format)
    return cast if cast.ndim else cast[()]


op("clone(self, memory_format=None)", "CloneBackward0", "clone_kernel(self, memory_format)", inplace=False, self="g",
   says="a copy: the gradient passes unchanged", vmap=rules.same, keeps_bdim=True, cost=costs.COPIED, sparse=True,
   composed=True)
op("to.dtype(self, dtype, memory_format=None)", "ToCopyBackward0", "cast_kernel(self, dtype, memory_format)",
   inplace=False, self="as_type(g, self.dtype)",
   says="the numbers changed type; the gradient takes the old type again", vmap=rules.same, keeps_bdim=True, cost=8,
   sparse=True, composed=True)
pointwise(
    "to.integer(self: Tensor, dtype, memory_format=None)", None, "cast_kernel(self, dtype, memory_format)",
    inplace=False, says="whole numbers have no gradient: the graph ends here", cost=8, sparse=True, composed=True,
)

def sum_to(g: Any, shape: Sequence[int]) -> Any:
    """The tensor summed over what broadcasting `shape` to it added."""
    shape = tuple(shape)
    own = g._array.shape
    if not shape:
        return ops.sum(g)
    if own == shape:
        return g
    extra = len(own) - len(shape)
    dims = (*range(extra), *(i + extra for i, n in enumerate(shape) if n == 1 != own[i + extra]))
    if dims:
        g = ops.sum_dim(g, dims, True)
    return ops.view(g, shape) if extra else g


NUMPY["sum_to_size"] = sum_to_array
GRAPH["sum_to_size"] = sum_to

@rule
def cat_backward(g: Any, shapes: Sequence[Shape], dim: int) -> tuple[Any, ...]:
    """The parts of `g` that belong to the inputs."""
    parts, start = [], 0
    for shape in shapes:
        if shape == (0,):
            parts.append(new_zeros(g, shape))
            continue
        extent = shape[wrap_dim(dim, len(shape))]
        parts.append(ops.slice(g, dim, start, start + extent))
        start += extent
    return tuple(parts)


@rule
def stack_backward(g: Any, count: int, dim: int) -> tuple[Any, ...]:
    """The slices of `g` along the stacked dimension."""
    return tuple([ops.select(g, dim, i) for i in range(count)])


op("cat(tensors: Tensors, dim=0)", "CatBackward0", cat_kernel, tensors="cat_backward(g, tensors.shape, dim)",
   tex=r"\text{its part of } g", says="each input gets its part of the gradient back", vmap=rules.cat, cost=8,
   memory_format="channels_last")
op("stack(tensors: Tensors, dim=0)", "StackBackward0", stack_kernel,
   tensors="stack_backward(g, len(tensors.shape), dim)", tex=r"\text{its slice of } g",
   says="each input gets its slice of the gradient back", vmap=rules.stack, cost=8, memory_format="contiguous",
   formula_format="contiguous")


@rule
def block_diag_backward(g: Any, shapes: Sequence[Shape]) -> tuple[Any, ...]:
    """The blocks of `g`, in shapes that are summed up to those of the inputs."""
    parts = []
    row = column = 0
    for shape in shapes:
        rows, columns = block_shape(shape)
        part = ops.slice(ops.slice(g, 0, row, row + rows), 1, column, column + columns)
        for _ in range(2 - len(shape)):
            part = ops.squeeze_dim(part, -1)
        parts.append(part)
        row, column = row + rows, column + columns
    return tuple(parts)


op("block_diag(tensors: Tensors)", "BlockDiagBackward0", block_diag_kernel, inplace=False,
   tensors="block_diag_backward(g, tensors.shape)", says="each block gets its part of the gradient back")


def new_zeros(like: Any, shape: Shape) -> Any:
    """Zeros of the dtype of `like`: a Tensor for a Tensor, an array for an array."""
    meter.allocate(math.prod(shape), 4)
    if isinstance(like, Tensor):
        return Tensor._from_array(np.zeros(shape, like._array.dtype))
    return np.zeros(shape, like.dtype)


GRAPH["new_zeros"] = NUMPY["new_zeros"] = new_zeros

@rule
def unbind_backward(g: Sequence[Any], dim: int) -> Any:
    """The parts stacked again, zeros where a part was not used."""
    meter.charge(len(g) >> 3)
    some = next(part for part in g if part is not None)
    unused = new_zeros(some, some.shape) if any([part is None for part in g]) else None
    return ops.stack([unused if part is None else part for part in g], dim)


@rule
def split_backward(g: Sequence[Any], split_sizes: Sequence[int], dim: int, shape: Shape) -> Any:
    """The parts joined again, zeros where a part was not used."""
    meter.charge(len(g))
    dim = wrap_dim(dim, len(shape))
    some = g[0]
    if type(some) is np.ndarray and not any([part is None for part in g]):
        meter.allocate(math.prod(shape), some.itemsize)
        joined = np.concatenate(g, axis=dim)
        return joined if joined.flags.c_contiguous else np.ascontiguousarray(joined)
    some = next(part for part in g if part is not None)
    parts = [
        new_zeros(some, (*shape[:dim], size, *shape[dim + 1 :])) if part is None else part
        for part, size in zip(g, split_sizes, strict=True)
    ]
    return ops.cat(parts, dim)


@rule
def equal_parts(count: int, split_size: int, extent: int) -> list[int]:
    """Sizes of `count` parts of `split_size`, the last one smaller."""
    return [*[split_size] * (count - 1), extent - split_size * (count - 1)]


_SPLIT_SAYS = "the parts' gradients are joined again; a part nobody used counts as 0"
op("unbind(self, dim=0)", "UnbindBackward0", unbind_kernel, outputs="*", view=True,
   self="unbind_backward(g, dim)", tex=r"\text{all } g \text{, stacked again}", says=_SPLIT_SAYS,
   vmap=rules.along("dim"))
for _name, _node, _view in (
    ("split", "SplitBackward0", True),
    ("unsafe_split", "UnsafeSplitBackward0", False),
):
    op(f"{_name}(self, split_size, dim=0)", _node, split_kernel if _view else unsafe_split_kernel,
       outputs="*", view=_view, inplace=False, says=_SPLIT_SAYS,
       self="split_backward(g, equal_parts(len(g), split_size, self.shape[dim]), dim, self.shape)",
       vmap=rules.along("dim"))
for _name, _node, _view in (
    ("split_with_sizes", "SplitWithSizesBackward0", True),
    ("unsafe_split_with_sizes", "UnsafeSplitWithSizesBackward0", False),
):
    op(f"{_name}(self, split_sizes, dim=0)", _node, split_with_sizes_kernel if _view else
       (lambda self, split_sizes, dim=0: list(map(clone_kernel, split_with_sizes_kernel(self, split_sizes, dim)))),
       outputs="*", view=_view, inplace=False, says=_SPLIT_SAYS,
       self="split_backward(g, split_sizes, dim, self.shape)", vmap=rules.along("dim"))

@rule
def repeat_backward(g: Any, repeats: Sequence[int], shape: Shape) -> Any:
    """The sum over the copies."""
    if 0 in repeats:
        return new_zeros(g, shape)
    extra = len(repeats) - len(shape)
    for _ in range(extra):
        g = ops.sum_dim(g, (0,), False)
    split: list[int] = []
    copies: list[int] = []
    for n, r in zip(shape, repeats[extra:], strict=True):
        if r != 1:
            copies.append(len(split))
            split.append(r)
        split.append(n)
    if not copies:
        return g
    g = g.reshape(tuple(split))
    return ops.sum_dim(g, tuple(copies), False)


op("flip(self, dims)", "FlipBackward0", flip_kernel, inplace=False, self="flip(g, dims)",
   says="the order was reversed; the gradient is reversed back", vmap=rules.flip, cost=8, memory_format="preserve",
   formula_format="preserve")
op("roll(self, shifts, dims=())", "RollBackward0", roll_kernel, inplace=False,
   self="roll(g, [-s for s in reversed(shifts)], tuple(reversed(dims)))",
   says="elements were shifted; the gradient is shifted back", vmap=rules.roll, cost=20, memory_format="channels_last",
   formula_format="channels_last")
op("rot90(self, k=1, dims=(0, 1))", "Rot90Backward0", rot90_kernel, inplace=False, self="rot90(g, -k, dims)",
   says="the tensor was turned; the gradient is turned back", vmap=rules.along("dims"))
op("repeat(self, repeats)", "RepeatBackward0", repeat_kernel, inplace=False,
   self="repeat_backward(g, repeats, self.shape)", says="every copy sends its gradient back: they are summed",
   vmap=rules.repeat)

op("tril(self, diagonal=0)", "TrilBackward0", tril_kernel, self="tril(g, diagonal)",
   says="what was cut off gets no gradient", vmap=rules.same, cost=20, memory_format="contiguous")
op("triu(self, diagonal=0)", "TriuBackward0", triu_kernel, self="triu(g, diagonal)",
   says="what was cut off gets no gradient", vmap=rules.same, cost=20, memory_format="contiguous")
op("diag_embed(self, offset=0, dim1=-2, dim2=-1)", "DiagEmbedBackward0", diag_embed_kernel, inplace=False,
   self="diagonal(g, offset, dim1, dim2)", says="the gradient is read off the diagonal again", vmap=rules.diag_embed)

op("constant_pad_nd(self, pad, value: Scalar = 0)", "ConstantPadNdBackward0", constant_pad_kernel, inplace=False,
   self="constant_pad_nd(g, [-p for p in pad], 0)", says="the padding is cut off the gradient again",
   vmap=rules.constant_pad_nd, cost=8, memory_format="channels_last")
