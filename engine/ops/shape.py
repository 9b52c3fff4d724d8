"""Copies, joins and rearrangements: ops that put elements elsewhere, so their gradients are put back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.graph_task import sum_to_array
from engine.core.registry import GRAPH, NUMPY
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Shape, wrap_dim, wrap_dims

# --- copies


_LAST = {
    dtypes.channels_last: (4, (0, 2, 3, 1), (0, 3, 1, 2)),
    dtypes.channels_last_3d: (5, (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)),
}


def in_format(a: Any, memory_format: Any) -> bool:
    """Whether the elements already lie in memory in the order that `memory_format` asks for."""
    if memory_format is None or memory_format is dtypes.preserve_format:
        return True
    if memory_format is dtypes.contiguous_format:
        return bool(a.flags.c_contiguous)
    ndim, last, _ = _LAST[memory_format]
    if a.ndim != ndim:
        raise errors.channels_last_dimensions(ndim)
    return bool(a.transpose(last).flags.c_contiguous)


@kernel
def clone_kernel(a: Any, memory_format: Any = None) -> Any:
    if memory_format in _LAST:
        ndim, last, first = _LAST[memory_format]
        if a.ndim != ndim:
            raise errors.channels_last_dimensions(ndim)
        return a.transpose(last).copy().transpose(first)
    # Only memory without gaps and repetitions keeps its order.
    ordered = memory_format is dtypes.contiguous_format or 0 in a.strides
    copy = a.copy("C" if ordered else "K")
    return copy if copy.ndim else copy[()]


@kernel
def cast_kernel(a: Any, dtype: Any, memory_format: Any = None) -> Any:
    if a.dtype.kind == "c" and dtype.kind != "c":
        a = a.real
    elif dtype.kind == "c":
        state.complex = True
    cast = a.astype(dtype, order="C" if 0 in a.strides else "K")
    if not in_format(cast, memory_format):
        return clone_kernel(cast, memory_format)
    return cast if cast.ndim else cast[()]


op("clone(self, memory_format=None)", "CloneBackward0", "clone_kernel(self, memory_format)", inplace=False, self="g",
   says="a copy: the gradient passes unchanged")
op("to.dtype(self, dtype, memory_format=None)", "ToCopyBackward0", "cast_kernel(self, dtype, memory_format)",
   inplace=False, self="as_type(g, self.dtype)",
   says="the numbers changed type; the gradient takes the old type again")
op("to.integer(self: Tensor, dtype, memory_format=None)", None, "cast_kernel(self, dtype, memory_format)",
   inplace=False, says="whole numbers have no gradient: the graph ends here")

# --- sums that undo broadcasting


def _sum_to_size(g: Any, shape: Sequence[int]) -> Any:
    """The tensor summed over what broadcasting `shape` to it added."""
    shape = tuple(shape)
    own = g._a.shape
    if not shape:
        return GRAPH["sum"](g)
    if own == shape:
        return g
    extra = len(own) - len(shape)
    dims = (*range(extra), *(i + extra for i, n in enumerate(shape) if n == 1 != own[i + extra]))
    if dims:
        g = GRAPH["sum_dim"](g, dims, True)
    return GRAPH["view"](g, shape) if extra else g


NUMPY["sum_to_size"] = sum_to_array
GRAPH["sum_to_size"] = _sum_to_size

# --- joins


@kernel
def cat_kernel(tensors: Sequence[Any], dim: int = 0) -> Any:
    for position, a in enumerate(tensors):
        if not a.ndim:
            raise errors.cat_scalar(position)
    real = [a for a in tensors if a.shape != (0,)]
    first = real[0] if real else tensors[0]
    dim = wrap_dim(dim, first.ndim)
    dtype = first.dtype
    for position, a in enumerate(tensors):
        if a.shape == (0,) and real:
            continue
        if a.ndim != first.ndim:
            raise errors.cat_dimensions(first.ndim, a.ndim)
        if a.shape != first.shape:
            for i, (expected, got) in enumerate(zip(first.shape, a.shape, strict=True)):
                if expected != got and i != dim:
                    raise errors.cat_sizes(dim, expected, got, position)
        if a.dtype is not dtype:
            dtype = None
    if dtype is None:
        dtype = dtypes.result_type(*tensors).np
    meter.allocate(sum([a.size for a in tensors]), dtype.itemsize)
    joined = np.concatenate([a if a.dtype is dtype else a.astype(dtype) for a in real or tensors], axis=dim)
    return joined if joined.flags.c_contiguous else np.ascontiguousarray(joined)


@rule
def cat_backward(g: Any, shapes: Sequence[Shape], dim: int) -> tuple[Any, ...]:
    """The parts of `g` that belong to the inputs."""
    take = GRAPH["slice"]
    parts, start = [], 0
    for shape in shapes:
        if shape == (0,):
            parts.append(new_zeros(g, shape))
            continue
        extent = shape[wrap_dim(dim, len(shape))]
        parts.append(take(g, dim, start, start + extent))
        start += extent
    return tuple(parts)


@kernel
def stack_kernel(tensors: Sequence[Any], dim: int = 0) -> Any:
    first = tensors[0]
    shape, dtype = first.shape, first.dtype
    for position, a in enumerate(tensors):
        if a.shape != shape:
            raise errors.stack_sizes(shape, a.shape, position)
        if a.dtype is not dtype:
            dtype = None
    dim = wrap_dim(dim, first.ndim + 1)
    if dtype is None:
        dtype = dtypes.result_type(*tensors).np
    meter.allocate(len(tensors) * first.size, dtype.itemsize)
    if not shape:
        return np.array(tensors, dtype)
    return np.stack([a if a.dtype is dtype else a.astype(dtype) for a in tensors], axis=dim)


@rule
def stack_backward(g: Any, count: int, dim: int) -> tuple[Any, ...]:
    """The slices of `g` along the stacked dimension."""
    take = GRAPH["select"]
    return tuple([take(g, dim, i) for i in range(count)])


op("cat(tensors: Tensors, dim=0)", "CatBackward0", cat_kernel, tensors="cat_backward(g, tensors.shape, dim)",
   tex=r"\text{its part of } g", says="each input gets its part of the gradient back")
op("stack(tensors: Tensors, dim=0)", "StackBackward0", stack_kernel,
   tensors="stack_backward(g, len(tensors.shape), dim)", tex=r"\text{its slice of } g",
   says="each input gets its slice of the gradient back")


@kernel
def block_diag_kernel(tensors: Sequence[Any]) -> Any:
    blocks = []
    for index, a in enumerate(tensors):
        if a.ndim > 2:
            raise errors.block_diag_dimensions(index, a.ndim)
        blocks.append(np.asarray(a).reshape(_block_shape(a.shape)))
    rows, columns = sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)
    dtype = dtypes.result_type(*tensors).np
    meter.allocate(rows * columns, dtype.itemsize)
    whole = np.zeros((rows, columns), dtype)
    row = column = 0
    for b in blocks:
        whole[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return whole


def _block_shape(shape: Shape) -> tuple[int, int]:
    return (1, 1) if not shape else (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])


@rule
def block_diag_backward(g: Any, shapes: Sequence[Shape]) -> tuple[Any, ...]:
    """The blocks of `g`, in shapes that are summed up to those of the inputs."""
    take = GRAPH["slice"]
    parts = []
    row = column = 0
    for shape in shapes:
        rows, columns = _block_shape(shape)
        part = take(take(g, 0, row, row + rows), 1, column, column + columns)
        for _ in range(2 - len(shape)):
            part = GRAPH["squeeze_dim"](part, -1)
        parts.append(part)
        row, column = row + rows, column + columns
    return tuple(parts)


op("block_diag(tensors: Tensors)", "BlockDiagBackward0", block_diag_kernel, inplace=False,
   tensors="block_diag_backward(g, tensors.shape)", says="each block gets its part of the gradient back")


def new_zeros(like: Any, shape: Shape) -> Any:
    """Zeros of the dtype of `like`: a Tensor for a Tensor, an array for an array."""
    meter.allocate(math.prod(shape), 4)
    if isinstance(like, Tensor):
        return Tensor._from_array(np.zeros(shape, like._a.dtype))
    return np.zeros(shape, like.dtype)


GRAPH["new_zeros"] = NUMPY["new_zeros"] = new_zeros

# --- splits


@kernel
def unbind_kernel(a: Any, dim: int = 0) -> list[Any]:
    if not a.ndim:
        raise errors.dim_of_no_dims(dim)
    dim = wrap_dim(dim, a.ndim)
    meter.check_length(a.shape[dim])
    meter.charge(3 * a.shape[dim])
    before = (slice(None),) * dim
    return [a[(*before, i, ...)] for i in range(a.shape[dim])]


@kernel
def split_kernel(a: Any, split_size: int, dim: int = 0) -> list[Any]:
    if not a.ndim:
        raise errors.split_scalar("split")
    if split_size < 0:
        raise errors.split_size_negative(split_size)
    dim = wrap_dim(dim, a.ndim)
    extent = a.shape[dim]
    if not split_size:
        if extent:
            raise errors.split_size_zero(extent)
        return [a[...]]
    meter.check_length(extent // split_size)
    meter.charge(3 * (extent // split_size))
    before = (slice(None),) * dim
    return [a[(*before, slice(i, i + split_size))] for i in range(0, extent or 1, split_size)]


@kernel
def split_with_sizes_kernel(a: Any, split_sizes: Sequence[int], dim: int = 0) -> list[Any]:
    if not a.ndim:
        raise errors.split_scalar("split")
    dim = wrap_dim(dim, a.ndim)
    meter.check_length(len(split_sizes))
    meter.charge(3 * len(split_sizes))
    if any(size < 0 for size in split_sizes):
        raise errors.split_sizes_negative(split_sizes)
    if sum(split_sizes) != a.shape[dim]:
        raise errors.split_sizes(a.shape[dim], dim, split_sizes)
    before, parts, start = (slice(None),) * dim, [], 0
    for size in split_sizes:
        parts.append(a[(*before, slice(start, start + size))])
        start += size
    return parts


def _present(g: Sequence[Any]) -> Any:
    return next(part for part in g if part is not None)


@rule
def unbind_backward(g: Sequence[Any], dim: int) -> Any:
    """The parts stacked again, zeros where a part was not used."""
    some = _present(g)
    unused = new_zeros(some, some.shape) if any([part is None for part in g]) else None
    return GRAPH["stack"]([unused if part is None else part for part in g], dim)


@rule
def split_backward(g: Sequence[Any], split_sizes: Sequence[int], dim: int, shape: Shape) -> Any:
    """The parts joined again, zeros where a part was not used."""
    some = _present(g)
    dim = wrap_dim(dim, len(shape))
    if isinstance(some, np.ndarray) and all([part is not None for part in g]):
        meter.allocate(math.prod(shape), some.itemsize)
        return np.concatenate(g, axis=dim)
    parts = [
        new_zeros(some, (*shape[:dim], size, *shape[dim + 1 :])) if part is None else part
        for part, size in zip(g, split_sizes, strict=True)
    ]
    return GRAPH["cat"](parts, dim)


@rule
def equal_parts(count: int, split_size: int, extent: int) -> list[int]:
    """Sizes of `count` parts of `split_size`, the last one smaller."""
    return [*[split_size] * (count - 1), extent - split_size * (count - 1)]


_SPLIT_SAYS = "the parts' gradients are joined again; a part nobody used counts as 0"
op("unbind(self, dim=0)", "UnbindBackward0", unbind_kernel, outputs="*", view=True,
   self="unbind_backward(g, dim)", tex=r"\text{all } g \text{, stacked again}", says=_SPLIT_SAYS)
for _name, _node, _view in (
    ("split", "SplitBackward0", True),
    ("unsafe_split", "UnsafeSplitBackward0", False),
):
    op(f"{_name}(self, split_size, dim=0)", _node, split_kernel if _view else
       (lambda self, split_size, dim=0: [part.copy() for part in split_kernel(self, split_size, dim)]),
       outputs="*", view=_view, inplace=False, says=_SPLIT_SAYS,
       self="split_backward(g, equal_parts(len(g), split_size, self.shape[dim]), dim, self.shape)")
for _name, _node, _view in (
    ("split_with_sizes", "SplitWithSizesBackward0", True),
    ("unsafe_split_with_sizes", "UnsafeSplitWithSizesBackward0", False),
):
    op(f"{_name}(self, split_sizes, dim=0)", _node, split_with_sizes_kernel if _view else
       (lambda self, split_sizes, dim=0: [part.copy() for part in split_with_sizes_kernel(self, split_sizes, dim)]),
       outputs="*", view=_view, inplace=False, says=_SPLIT_SAYS,
       self="split_backward(g, split_sizes, dim, self.shape)")

# --- rearrangements


@kernel
def flip_kernel(a: Any, dims: Sequence[int]) -> Any:
    wrapped = wrap_dims(dims, a.ndim)
    return np.flip(a, wrapped).copy() if a.ndim else a.copy()


@kernel
def roll_kernel(a: Any, shifts: Sequence[int], dims: Sequence[int] = ()) -> Any:
    if not shifts:
        raise errors.roll_empty()
    if not dims and len(shifts) == 1:
        return np.roll(a, shifts[0]) if a.ndim else a.copy()
    if len(shifts) != len(dims):
        raise errors.roll_lengths(len(shifts), len(dims))
    if not a.ndim:
        raise errors.dim_of_no_dims(dims[0])
    return np.roll(a, tuple(shifts), tuple([wrap_dim(d, a.ndim) for d in dims]))


@kernel
def rot90_kernel(a: Any, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    if len(dims) != 2:
        raise errors.rot90_dims(len(dims))
    if a.ndim < 2:
        raise errors.rot90_dimensions(a.ndim)
    first, second = wrap_dim(dims[0], a.ndim), wrap_dim(dims[1], a.ndim)
    if first == second:
        raise errors.rot90_same(dims[0], dims[1])
    return np.rot90(a, k, (first, second)).copy()


@kernel
def repeat_kernel(a: Any, repeats: Sequence[int]) -> Any:
    if len(repeats) < a.ndim:
        raise errors.repeat_too_few()
    padded = (1,) * (len(repeats) - a.ndim) + a.shape
    shape = tuple([n * r for n, r in zip(padded, repeats, strict=True)])
    if any(r < 0 for r in repeats):
        raise errors.negative_dimension(next(n for n in shape if n < 0), shape)
    meter.allocate(math.prod(shape), a.itemsize)
    return np.tile(a, repeats) if repeats else a.copy()


@rule
def repeat_backward(g: Any, repeats: Sequence[int], shape: Shape) -> Any:
    """The sum over the copies."""
    if 0 in repeats:
        return new_zeros(g, shape)
    extra = len(repeats) - len(shape)
    total = GRAPH["sum_dim"]
    for _ in range(extra):
        g = total(g, (0,), False)
    split: list[int] = []
    copies: list[int] = []
    for n, r in zip(shape, repeats[extra:], strict=True):
        if r != 1:
            copies.append(len(split))
            split.append(r)
        split.append(n)
    if not copies:
        return g
    g = (GRAPH if isinstance(g, Tensor) else NUMPY)["reshape"](g, tuple(split))
    return total(g, tuple(copies), False)


op("flip(self, dims)", "FlipBackward0", flip_kernel, inplace=False, self="flip(g, dims)",
   says="the order was reversed; the gradient is reversed back")
op("roll(self, shifts, dims=())", "RollBackward0", roll_kernel, inplace=False,
   self="roll(g, [-s for s in reversed(shifts)], tuple(reversed(dims)))",
   says="elements were shifted; the gradient is shifted back")
op("rot90(self, k=1, dims=(0, 1))", "Rot90Backward0", rot90_kernel, inplace=False, self="rot90(g, -k, dims)",
   says="the tensor was turned; the gradient is turned back")
op("repeat(self, repeats)", "RepeatBackward0", repeat_kernel, inplace=False,
   self="repeat_backward(g, repeats, self.shape)", says="every copy sends its gradient back: they are summed")

# --- triangles and diagonals


def _triangle(function: Any, name: str) -> Any:
    def triangle(a: Any, diagonal: int = 0) -> Any:
        if a.ndim < 2:
            raise errors.too_few_dimensions(name)
        return function(a, diagonal)

    return triangle


@kernel
def diag_embed_kernel(a: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    ndim = a.ndim + 1
    first, second = wrap_dim(dim1, ndim), wrap_dim(dim2, ndim)
    if first == second:
        raise errors.diagonal_dims(dim1, dim2)
    extent = a.shape[-1] + abs(offset)
    shape = list(a.shape[:-1])
    for d in sorted((first, second)):
        shape.insert(d, extent)
    meter.allocate(math.prod(shape), a.itemsize)
    whole = np.zeros(shape, a.dtype)
    NUMPY["diagonal"](whole, offset, first, second)[...] = a
    return whole


op("tril(self, diagonal=0)", "TrilBackward0", _triangle(np.tril, "tril"), self="tril(g, diagonal)",
   says="what was cut off gets no gradient")
op("triu(self, diagonal=0)", "TriuBackward0", _triangle(np.triu, "triu"), self="triu(g, diagonal)",
   says="what was cut off gets no gradient")
op("diag_embed(self, offset=0, dim1=-2, dim2=-1)", "DiagEmbedBackward0", diag_embed_kernel, inplace=False,
   self="diagonal(g, offset, dim1, dim2)", says="the gradient is read off the diagonal again")


@kernel
def constant_pad_kernel(a: Any, pad: Sequence[int], value: Any = 0) -> Any:
    if len(pad) % 2:
        raise errors.pad_odd()
    if len(pad) > 2 * a.ndim:
        raise errors.pad_too_long(len(pad), a.ndim)
    inner: list[Any] = [slice(None)] * a.ndim
    outer: list[Any] = [slice(None)] * a.ndim
    shape = list(a.shape)
    for i in range(len(pad) // 2):
        d, before, after = a.ndim - 1 - i, pad[2 * i], pad[2 * i + 1]
        shape[d] += before + after
        if shape[d] < 0 or a.shape[d] + min(before, 0) + min(after, 0) < 0:
            raise errors.narrow_negative()
        inner[d] = slice(max(-before, 0), a.shape[d] + min(after, 0))
        outer[d] = slice(max(before, 0), shape[d] + min(-after, 0))
    meter.allocate(math.prod(shape), a.itemsize)
    padded = np.full(shape, value, a.dtype)
    padded[tuple(outer)] = a[tuple(inner)]
    return padded


op("constant_pad_nd(self, pad, value: Scalar = 0)", "ConstantPadNdBackward0", constant_pad_kernel, inplace=False,
   self="constant_pad_nd(g, [-p for p in pad], 0)", says="the padding is cut off the gradient again")
