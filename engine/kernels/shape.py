"""Copies, joins, splits and rearrangements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.memory_format import alike, contiguous, empty_like, is_descending
from engine.kernels.names import kernel
from engine.kernels.parts import diagonal_kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo
from engine.types.shapes import Shape, integer, wrap_dim, wrap_dims

_LAST = {
    dtypes.channels_last: (4, (0, 2, 3, 1), (0, 3, 1, 2)),
    dtypes.channels_last_3d: (5, (0, 2, 3, 4, 1), (0, 4, 1, 2, 3)),
}


def of_its_rank(a: Any, memory_format: Any) -> bool:
    """Whether there are as many dimensions as a memory format is for."""
    return memory_format not in _LAST or a.ndim == _LAST[memory_format][0]


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


def suggests(a: Any, memory_format: Any) -> bool:
    """Whether strides show a memory format: images with one channel or one pixel may be `in_format` of two, and show
    channels last only if their channels are next to each other; what shows no other format counts as contiguous."""
    if memory_format is dtypes.contiguous_format:
        return not any([a.ndim == _LAST[each][0] and suggests(a, each) for each in _LAST])
    if not in_format(a, memory_format) or memory_format not in _LAST:
        return in_format(a, memory_format)
    least = 0
    for axis in (1, *range(a.ndim - 1, 1, -1), 0):
        stride, size = a.strides[axis], a.shape[axis]
        if stride < least or not size or axis == 0 and least == a.strides[1]:
            return False
        least = stride * size
    return True


def in_order(a: Any, memory_format: Any) -> Any:
    """An array as large as `a` that lies in memory as `memory_format` asks; without contents of its own."""
    if in_format(a, memory_format):
        return a
    if memory_format is dtypes.contiguous_format:
        return np.empty(a.shape, a.dtype)
    _, last, first = _LAST[memory_format]
    return np.empty([a.shape[axis] for axis in last], a.dtype).transpose(first)


@kernel
def clone_kernel(a: Any, memory_format: Any = None) -> Any:
    if type(a) is Coo:
        return a.copy()
    if memory_format in _LAST:
        ndim, last, first = _LAST[memory_format]
        if a.ndim != ndim:
            raise errors.channels_last_dimensions(ndim)
        return a.transpose(last).copy().transpose(first)
    if a.flags.c_contiguous or memory_format is dtypes.contiguous_format:
        copy = a.copy("C")
        if copy.strides == a.strides or memory_format is dtypes.contiguous_format:
            return copy if copy.ndim else copy[()]
    elif is_descending(a):
        return a.copy("C")
    copy = empty_like(a, a.dtype)
    copy[...] = a
    return copy


@kernel
def cat_kernel(tensors: Sequence[Any], dim: int = 0) -> Any:
    for position, a in enumerate(tensors):
        if not a.ndim:
            raise errors.cat_scalar(position)
    real = [a for a in tensors if a.shape != (0,)]
    first = real[0] if real else tensors[0]
    dim = wrap_dim(dim, first.ndim) if real else 0  # which nobody looks at where there is nothing
    dtype = first.dtype
    for position, a in enumerate(tensors):
        if a.dtype is not first.dtype:
            dtype = None
        if a.shape == (0,) and real:
            continue
        if a.ndim != first.ndim:
            raise errors.cat_dimensions(first.ndim, a.ndim)
        if a.shape != first.shape:
            for i, (expected, got) in enumerate(zip(first.shape, a.shape, strict=True)):
                if expected != got and i != dim:
                    raise errors.cat_sizes(dim, expected, got, position)
    if dtype is None:
        dtype = dtypes.result_type(*tensors).np
    meter.reserve(sum([a.size for a in tensors]), dtype.itemsize)
    joined = np.concatenate([a if a.dtype is dtype else a.astype(dtype) for a in real or tensors], axis=dim)
    return joined if joined.flags.c_contiguous else np.ascontiguousarray(joined)


@kernel
def stack_kernel(tensors: Sequence[Any], dim: int = 0) -> Any:
    first = tensors[0]
    shape, dtype = first.shape, first.dtype
    for position, a in enumerate(tensors):
        if a.shape != shape:
            wrap_dim(dim, first.ndim + 1)
            raise errors.stack_sizes(shape, a.shape, position)
        if a.dtype is not dtype:
            dtype = None
    dim = wrap_dim(dim, first.ndim + 1)
    if dtype is None:
        dtype = dtypes.result_type(*tensors).np
    meter.reserve(len(tensors) * first.size, dtype.itemsize)
    if not shape:
        return np.array(tensors, dtype)
    at = (*(slice(None),) * dim, None)
    stacked = np.concatenate([(a if a.dtype is dtype else a.astype(dtype))[at] for a in tensors], axis=dim)
    return stacked if stacked.flags.c_contiguous else np.ascontiguousarray(stacked)


@kernel
def block_diag_kernel(tensors: Sequence[Any]) -> Any:
    blocks = []
    for index, a in enumerate(tensors):
        if a.ndim > 2:
            raise errors.block_diag_dimensions(index, a.ndim)
        blocks.append(np.asarray(a).reshape(block_shape(a.shape)))
    rows, columns = sum(b.shape[0] for b in blocks), sum(b.shape[1] for b in blocks)
    dtype = dtypes.result_type(*tensors).np
    meter.allocate(rows * columns, dtype.itemsize)
    whole = np.zeros((rows, columns), dtype)
    row = column = 0
    for b in blocks:
        whole[row : row + b.shape[0], column : column + b.shape[1]] = b
        row, column = row + b.shape[0], column + b.shape[1]
    return whole


def block_shape(shape: Shape) -> tuple[int, int]:
    return (1, 1) if not shape else (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])


@kernel
def unbind_kernel(a: Any, dim: int = 0) -> list[Any]:
    if not a.ndim:
        wrap_dim(dim, 0)
        raise errors.dim_of_no_dims(dim)
    dim = wrap_dim(dim, a.ndim)
    meter.charge(a.shape[dim])
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
    meter.charge(3 * (extent // split_size))
    before = (slice(None),) * dim
    return [a[(*before, slice(i, i + split_size))] for i in range(0, extent or 1, split_size)]


@kernel
def unsafe_split_kernel(a: Any, split_size: int, dim: int = 0) -> list[Any]:
    """`split_kernel`, copied."""
    parts = split_kernel(a, split_size, dim)
    if a.flags.c_contiguous and parts and 1 not in parts[-1].shape:  # so that each is in the order of its own memory
        return [part.copy() for part in parts]
    return [clone_kernel(part) for part in parts]


@kernel
def split_with_sizes_kernel(a: Any, split_sizes: Sequence[int], dim: int = 0) -> list[Any]:
    if not a.ndim:
        raise errors.split_scalar("split")
    given, dim = dim, wrap_dim(dim, a.ndim)
    meter.charge(3 * len(split_sizes))
    if any(size < 0 for size in split_sizes):
        raise errors.split_sizes_negative(split_sizes)
    if sum(split_sizes) != a.shape[dim]:
        raise errors.split_sizes(a.shape[dim], given, split_sizes)
    before, parts, start = (slice(None),) * dim, [], 0
    for size in split_sizes:
        parts.append(a[(*before, slice(start, start + size))])
        start += size
    return parts


@kernel
def flip_kernel(a: Any, dims: Sequence[int]) -> Any:
    wrapped = wrap_dims(dims, a.ndim)
    if not a.ndim:
        return a.copy()
    flipped = np.flip(a, wrapped)
    if 1 in a.shape or not a.size:
        copy = empty_like(a, a.dtype)
        copy[...] = flipped
        return copy
    return flipped.copy()


@kernel
def roll_kernel(a: Any, shifts: Sequence[int], dims: Sequence[int] = ()) -> Any:
    if not shifts:
        raise errors.roll_empty()
    if not a.size and len(dims) == len(shifts) == 1:
        return clone_kernel(a)
    if not dims and len(shifts) == 1:
        return contiguous(np.roll(a, shifts[0])) if a.ndim else a.copy()
    if len(shifts) != len(dims):
        raise errors.roll_lengths(len(shifts), len(dims))
    if not a.ndim:
        raise errors.dim_of_no_dims(dims[0])
    return contiguous(np.roll(a, tuple(shifts), tuple([wrap_dim(d, a.ndim) for d in dims])))


@kernel
def rot90_kernel(a: Any, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    if len(dims) != 2:
        raise errors.rot90_dims(len(dims))
    if a.ndim < 2:
        raise errors.rot90_dimensions(a.ndim)
    first, second = wrap_dim(dims[0], a.ndim), wrap_dim(dims[1], a.ndim)
    if first == second:
        raise errors.rot90_same(dims[0], dims[1])
    turns = k % 4
    if not turns:
        return a.copy("C")
    if turns == 2:
        return alike(flip_kernel(a, (first, second)), a)
    flipped = alike(flip_kernel(a, (second if turns == 1 else first,)), a)
    return flipped.swapaxes(first, second)


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


def _triangle(function: Any, name: str) -> Any:
    def triangle(a: Any, diagonal: int = 0) -> Any:
        if a.ndim < 2:
            raise errors.too_few_dimensions(name)
        return function(a, integer(diagonal))

    return triangle


tril_kernel, triu_kernel = _triangle(np.tril, "tril"), _triangle(np.triu, "triu")


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
    diagonal_kernel(whole, offset, first, second)[...] = a
    return whole


@kernel
def constant_pad_kernel(a: Any, pad: Sequence[int], value: Any = 0) -> Any:
    if len(pad) % 2:
        raise errors.constant_pad_odd(len(pad))
    if len(pad) > 2 * a.ndim:
        raise errors.pad_too_long(len(pad), a.ndim)
    value = dtypes.cast_number(value, a.dtype, scalar=True)
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
    if max(pad, default=0) <= 0:
        return clone_kernel(a[tuple(inner)])
    padded = np.full(shape, value, a.dtype)
    padded[tuple(outer)] = a[tuple(inner)]
    return padded
