"""Largest, smallest, middle and most frequent elements, and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.reduction import axes
from engine.kernels.std_sort import kth_place, sort
from engine.types import dtypes
from engine.types.shapes import wrap_dim

Pair = tuple[Any, Any]
largest: Any = np.maximum.reduce
smallest: Any = np.minimum.reduce


def _expect_elements(a: Any, name: str, dim: int | None) -> None:
    if dim is None:
        if not a.size:
            raise errors.reduction_of_nothing(name)
    elif a.ndim and not a.shape[dim]:
        raise errors.reduction_of_empty_dim(f"{name}()", dim)


def _selecting(name: str, find: Callable[[Any, int], Any]) -> Callable[..., Pair]:
    """A kernel that returns elements and their positions along a dimension; `find` gives the positions."""

    def function(a: Any, dim: int, keepdim: bool) -> Pair:
        dim = wrap_dim(dim, a.ndim)
        _expect_elements(a, name, dim)
        if not a.ndim:
            return +a if a.dtype.kind != "b" else a, np.int64(0)
        indices = np.expand_dims(find(a, dim), dim)
        picked = np.take_along_axis(a, indices, dim)
        return (picked, indices) if keepdim else (np.squeeze(picked, dim)[()], np.squeeze(indices, dim)[()])

    function.__name__ = function.__qualname__ = f"{name}_along"
    return kernel(function)


def _middle(a: Any, dim: int, skip_nan: bool) -> Any:
    """Positions of the lower medians."""
    order = np.argsort(a, axis=dim, kind="stable")
    extent = a.shape[dim]
    floating = a.dtype.kind in dtypes.FLOATING
    nans = np.isnan(a).sum(axis=dim, keepdims=True) if floating else np.zeros_like(order.take([0], dim))
    if skip_nan:
        place = np.maximum(extent - nans - 1, 0) // 2
    else:
        place = np.where(nans > 0, extent - nans, (extent - 1) // 2)
    return np.squeeze(np.take_along_axis(order, place, dim), dim)


def _most_frequent(a: Any, dim: int) -> Any:
    """Positions of one of the most frequent elements, the smallest of several: the last in PyTorch's sorted order."""
    moved = np.moveaxis(a, dim, -1)
    out = np.empty(moved.shape[:-1], np.int64)
    for place in np.ndindex(*out.shape):
        row = moved[place].tolist()
        order = list(range(len(row)))
        sort(order, 0, len(row), lambda i, j, row=row: row[i] < row[j])  # type: ignore[misc]
        ranked = [row[i] for i in order]
        ends = [i for i, value in enumerate(ranked, 1) if i == len(row) or value != ranked[i]]
        longest = max(range(len(ends)), key=lambda i: ends[i] - (ends[i - 1] if i else 0))
        out[place] = order[ends[longest] - 1]
    return out


_selecting("max", lambda a, dim: a.argmax(axis=dim))
_selecting("min", lambda a, dim: a.argmin(axis=dim))
_selecting("median", lambda a, dim: _middle(a, dim, skip_nan=False))
_selecting("nanmedian", lambda a, dim: _middle(a, dim, skip_nan=True))
_selecting("mode", _most_frequent)


@kernel
def kthvalue_along(a: Any, k: int, dim: int, keepdim: bool) -> Pair:
    dim = wrap_dim(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if not extent:
        raise errors.arg_reduce_empty_dim("kthvalue", dim)
    if not 1 <= k <= extent:
        raise errors.kth_out_of_range(dim)
    if not a.ndim:
        return +a, np.int64(0)
    rows = np.moveaxis(a, dim, -1)
    ranks = np.argsort(rows, axis=-1, kind="stable")
    found = ranks[..., k - 1].copy()
    ranked = np.take_along_axis(rows, ranks, -1)
    kth = ranked[..., k - 1, None]
    # Distinct elements have one order; where there are equal ones, PyTorch's is that of its algorithm.
    tied = ((ranked == kth) | ((ranked != ranked) & (kth != kth))).sum(-1) > 1
    for place in map(tuple, np.argwhere(tied)) if tied.ndim else [()] * bool(tied):
        found[place] = kth_place(rows[place].tolist(), k - 1)
    indices = np.expand_dims(found, dim)
    picked = np.take_along_axis(a, indices, dim)
    return (picked, indices) if keepdim else (np.squeeze(picked, dim)[()], np.squeeze(indices, dim)[()])


@kernel
def extreme(a: Any, name: str) -> Any:
    _expect_elements(a, name, None)
    return a.max() if name == "max" else a.min()


@kernel
def extreme_along(a: Any, dim: Any, keepdim: bool, name: str) -> Any:
    reduced = axes(tuple(dim) if isinstance(dim, list) else dim, a.ndim)
    if not a.size:
        for axis in (None,) if dim in (None, (), []) else dim if isinstance(dim, tuple | list) else (dim,):
            _expect_elements(a, name, axis)
    function = largest if name == "amax" else smallest
    return function(a, axis=reduced, keepdims=keepdim) if a.ndim else +a


@kernel
def median_of_all(a: Any, skip_nan: bool) -> Any:
    flat = np.sort(np.ravel(a))
    if not flat.size:
        return np.asarray(np.nan).astype(a.dtype)[()]
    nans = np.count_nonzero(np.isnan(flat)) if a.dtype.kind in dtypes.FLOATING else 0
    if nans and (not skip_nan or nans == flat.size):
        return flat[-1]
    return flat[(flat.size - nans - 1) // 2]


@kernel
def running_extreme(a: Any, dim: int, largest: bool) -> Pair:
    """Running extremes and the latest positions that hold them."""
    if not a.ndim and dim not in (-1, 0):
        raise errors.scalar_dim("cummax" if largest else "cummin", dim)
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim or not a.size:
        return a.copy(), np.zeros_like(a, dtype=np.int64)[()]
    found = (np.maximum if largest else np.minimum).accumulate(a, axis=dim)
    shape = [1] * a.ndim
    shape[dim] = a.shape[dim]
    positions = np.arange(a.shape[dim]).reshape(shape)
    is_new = a == found if a.dtype.kind not in dtypes.FLOATING else (a == found) | np.isnan(a)
    return found, np.maximum.accumulate(np.where(is_new, positions, 0), axis=dim)


@kernel
def aminmax_kernel(a: Any, dim: int | None, keepdim: bool) -> Pair:
    if dim is None and not a.size:
        raise errors.aminmax_empty()
    reduced = axes(dim, a.ndim)
    for axis in reduced:
        if not a.shape[axis]:
            raise errors.reduction_of_empty_dim("aminmax", axis)
    if not a.ndim:
        return +a, +a
    return smallest(a, axis=reduced, keepdims=keepdim), largest(a, axis=reduced, keepdims=keepdim)
