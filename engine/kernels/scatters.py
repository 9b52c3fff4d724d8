"""Scatter with a reduction, and copies of a tensor with one of its parts replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.index import check_slices, scatter_target
from engine.kernels.names import NUMPY, kernel
from engine.kernels.parts import diagonal_kernel, select_kernel, slice_kernel
from engine.kernels.strided import as_strided_kernel
from engine.types.bfloat16 import FLOATING
from engine.types.shapes import wrap_dim

_START: dict[str, Callable[[Any], Any]] = {
    "sum": lambda dtype: 0,
    "mean": lambda dtype: 0,
    "prod": lambda dtype: 1,
    "amax": lambda dtype: -np.inf if dtype.kind in FLOATING else np.iinfo(dtype).min if dtype.kind != "b" else False,
    "amin": lambda dtype: np.inf if dtype.kind in FLOATING else np.iinfo(dtype).max if dtype.kind != "b" else True,
}
_REDUCE = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


@kernel
def scatter_reduce_kernel(a: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    whole, (flat, places), part = scatter_target("scatter", a, dim, index, src)
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    if reduce not in _REDUCE:
        raise errors.reduce_modes(reduce)
    if not include_self:
        flat[places] = _START[reduce](whole.dtype)
    _REDUCE[reduce].at(flat, places, part)
    if reduce == "mean":
        counts = np.full(flat.shape, int(include_self), np.int64)
        np.add.at(counts, places, 1)
        np.maximum(counts, 1, out=counts)
        if whole.dtype.kind == "i":
            np.floor_divide(flat, counts, out=flat)
        else:
            np.divide(flat, counts.astype(whole.dtype), out=flat)
    return whole if whole.ndim else whole[()]


@kernel
def index_reduce_kernel(a: Any, dim: int, index: Any, source: Any, reduce: str, *, include_self: bool = True) -> Any:
    if reduce not in _REDUCE or reduce == "sum":
        raise errors.index_reduce_modes(reduce)
    dim = wrap_dim(dim, a.ndim)
    check_slices("index_reduce", a, dim, index, source)
    errors.warn_index_reduce()
    shape = [1] * max(a.ndim, 1)
    shape[dim] = index.size
    places = np.broadcast_to(index.reshape(shape), np.atleast_1d(source).shape)
    if not a.ndim:
        places = places.reshape(())
    return scatter_reduce_kernel(a, dim, places, source, reduce, include_self=include_self)


def _replaced(view: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that copies `a` and writes `src` into the part that the kernel `view` shows."""

    def replace(a: Any, src: Any, *arguments: Any) -> Any:
        whole = np.array(a)
        target = view(whole, *arguments)
        if target.shape != src.shape:
            raise errors.scattered_shape(src.shape, target.shape)
        target[...] = src
        return whole

    return replace


NUMPY["select_scatter_kernel"] = _replaced(select_kernel)
NUMPY["slice_scatter_kernel"] = _replaced(slice_kernel)
NUMPY["diagonal_scatter_kernel"] = _replaced(diagonal_kernel)


@kernel
def as_strided_scatter_kernel(a: Any, src: Any, size: Any, stride: Any, storage_offset: int | None = None) -> Any:
    whole = np.array(a)
    target = as_strided_kernel(whole, size, stride, storage_offset)
    if target.shape != src.shape:
        raise errors.scattered_shape(src.shape, target.shape)
    target[...] = src
    return whole if whole.ndim else whole[()]
