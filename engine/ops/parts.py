"""Views of parts of a tensor: an index, a slice, a diagonal, windows; and where their gradients go."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.latex import WHERE_READ
from engine.codegen.op import kernel, op
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
    return a[part] if not dim else a[(*(slice(None),) * dim, part)]


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


op("select(self, dim, index)", "SelectBackward0", "select_kernel(self, dim, index)", view=True,
   self="select_backward(g, self.shape, dim, index)",
   tex=WHERE_READ, says="the gradient goes to the place that was picked; every other place gets 0")
op("select_backward(grad_output, sizes, dim, index)", "SelectBackwardBackward0", select_backward_kernel,
   inplace=False, grad_output="select(g, dim, index)")
op("slice(self, dim=0, start=None, end=None, step=1)", "SliceBackward0", slice_kernel, view=True,
   self="slice_backward(g, self.shape, dim, start, end, step)",
   tex=WHERE_READ, says="the gradient goes to the part that was taken; the rest gets 0")
op("slice_backward(grad_output, sizes, dim, start, end, step)", "SliceBackwardBackward0", slice_backward_kernel,
   inplace=False, grad_output="slice(g, dim, start, end, step)")
op("diagonal(self, offset=0, dim1=0, dim2=1)", "DiagonalBackward0", diagonal_kernel, view=True,
   self="diagonal_backward(g, self.shape, offset, dim1, dim2)",
   tex=WHERE_READ, says="the gradient goes to the diagonal; the rest gets 0")
op("diagonal_copy(self, offset=0, dim1=0, dim2=1)", "DiagonalBackward0_copy",
   "diagonal_kernel(self, offset, dim1, dim2).copy()", inplace=False,
   self="diagonal_backward(g, self.shape, offset, dim1, dim2)",
   says="the gradient goes to the diagonal; the rest gets 0")
op("diagonal_backward(grad_output, sizes, offset, dim1, dim2)", "DiagonalBackwardBackward0", diagonal_backward_kernel,
   inplace=False, grad_output="diagonal(g, offset, dim1, dim2)")
op("unfold(self, dimension, size, step)", "UnfoldBackward0", unfold_kernel, view=True,
   self="unfold_backward(g, self.shape, dimension, size, step)",
   says="each value collects the gradients of all windows it is part of")
op("unfold_backward(grad_output, sizes, dimension, size, step)", "UnfoldBackwardBackward0", unfold_backward_kernel,
   inplace=False, grad_output="unfold(g, dimension, size, step)")
