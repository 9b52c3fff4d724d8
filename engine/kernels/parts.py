"""Views of parts of an array: an index, a slice, a diagonal, windows; and gradients put in their places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types.shapes import restride, wrap_dim


@kernel
def select_kernel(a: Any, dim: int, index: int) -> Any:
    if not a.ndim:
        raise errors.select_scalar()
    dim = wrap_dim(dim, a.ndim)
    extent = a.shape[dim]
    if not -extent <= index < extent:
        raise errors.select_out_of_range(index, a.shape, dim)
    return a[index, ...] if not dim else a[(*(slice(None),) * dim, index, ...)]


@kernel
def slice_kernel(a: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Any:
    if not a.ndim:
        raise errors.slice_scalar()
    if step <= 0:
        raise errors.slice_step()
    part = slice(start, end, step)
    dim = wrap_dim(dim, a.ndim)
    found = a[part] if not dim else a[(*(slice(None),) * dim, part)]
    if not found.shape[dim]:  # numpy lets nothing begin where the memory does, and forgets its steps
        offset = part.indices(a.shape[dim])[0] * a.strides[dim] if a.size else 0
        strides = [s * step if place == dim else s for place, s in enumerate(a.strides)]
        return restride(a, found.shape, strides, offset)
    return found


@kernel
def narrow_copy_kernel(a: Any, dim: int, start: int, length: int) -> Any:
    return slice_kernel(a, dim, start, start + length).copy()


@kernel
def diagonal_kernel(a: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    first, second = wrap_dim(dim1, a.ndim), wrap_dim(dim2, a.ndim)
    if first == second:
        raise errors.diagonal_dims(dim1, dim2)
    view = a.diagonal(offset, first, second)
    if a.flags.writeable:
        view.flags.writeable = True  # numpy marks diagonals read-only
    return view


@kernel
def unfold_kernel(a: Any, dimension: int, size: int, step: int) -> Any:
    dim = wrap_dim(dimension, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if size < 0:
        raise errors.unfold_negative(size)
    if size > extent:
        raise errors.unfold_size(dim, extent, size)
    if step <= 0:
        raise errors.unfold_step(step)
    if not a.ndim:
        return restride(a, (size,), (a.itemsize,))
    stride = a.strides[dim]
    shape = (*a.shape[:dim], (extent - size) // step + 1, *a.shape[dim + 1 :], size)
    strides = (*a.strides[:dim], stride * step, *a.strides[dim + 1 :], stride)
    meter.allocate(math.prod(shape), 0)
    return restride(a, shape, strides)


def zeros(shape: tuple[int, ...], like: Any) -> Any:
    """Zeros that a gradient is written into."""
    meter.allocate(math.prod(shape), like.itemsize)
    return np.zeros(shape, like.dtype)


@kernel
def select_backward_kernel(g: Any, sizes: tuple[int, ...], dim: int, index: int) -> Any:
    total = zeros(sizes, g)
    select_kernel(total, dim, index)[...] = g
    return total


@kernel
def slice_backward_kernel(g: Any, sizes: tuple[int, ...], dim: int, start: int, end: int, step: int) -> Any:
    total = zeros(sizes, g)
    slice_kernel(total, dim, start, end, step)[...] = g
    return total


@kernel
def diagonal_backward_kernel(g: Any, sizes: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Any:
    total = zeros(sizes, g)
    diagonal_kernel(total, offset, dim1, dim2)[...] = g
    return total


@kernel
def unfold_backward_kernel(g: Any, sizes: tuple[int, ...], dimension: int, size: int, step: int) -> Any:
    total = zeros(sizes, g)
    if not total.ndim:
        return g.sum()
    dim = wrap_dim(dimension, total.ndim)
    windows = g.shape[dim]
    along = np.moveaxis(total, dim, 0)
    parts = np.moveaxis(g, (-1, dim), (0, 1))
    for i in range(size):
        along[i : i + (windows - 1) * step + 1 : step] += parts[i]
    return total
