"""Views of whole tensors: the same elements under another shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import empty_laid_out, expanded, infer_size, restride, wrap_dim, wrap_dims


@kernel
def view_kernel(a: Any, size: tuple[int, ...]) -> Any:
    if a.flags.c_contiguous:
        return a.reshape(infer_size(size, a.size))
    try:
        return a.reshape(infer_size(size, a.size), copy=False)
    except ValueError:
        raise errors.not_viewable() from None


@kernel
def view_dtype_kernel(a: Any, dtype: Any) -> Any:
    if a.itemsize == dtype.itemsize:
        return a.view(dtype)
    own, other = dtypes.of(a.dtype).type_name, dtypes.of(dtype).type_name
    if not a.ndim:
        raise errors.view_dtype("self.dim() cannot be 0", own, other)
    if a.strides[-1] != a.itemsize:
        raise errors.view_dtype("self.stride(-1) must be 1", own, other, a.strides[-1] // a.itemsize)
    ratio = dtype.itemsize // a.itemsize
    if ratio > 1 and a.shape[-1] % ratio:
        raise errors.view_dtype(f"self.size(-1) must be divisible by {ratio}", own, other, a.shape[-1])
    return a.view(dtype)


@kernel
def unsafe_view_kernel(a: Any, size: tuple[int, ...]) -> Any:
    if not len(size):
        return a.reshape(())[()]
    return view_kernel(a, size)


@kernel
def expand_kernel(a: Any, size: tuple[int, ...]) -> Any:
    if type(a) is np.ndarray and a.shape == size:
        return a.view()
    if not a.ndim and size and min(size) >= 0:
        meter.allocate(math.prod(size), 0)
        return restride(np.asarray(a), size, (0,) * len(size))
    a = np.asarray(a)
    shape = expanded(a.shape, size, dtypes.of(a.dtype).cpp_type)
    if math.prod(shape) > a.size:
        meter.allocate(math.prod(shape), 0)  # it takes no memory, but what is computed from it does
    extra = len(shape) - a.ndim
    own = a.shape
    strides = [
        0 if i < extra or own[i - extra] == 1 != extent else a.strides[i - extra] for i, extent in enumerate(shape)
    ]
    if not a.size:  # of nothing numpy keeps no strides of ours
        return empty_laid_out(shape, tuple(strides), a.dtype) if 0 in strides else restride(a, shape, strides)
    if extra:  # a new leading dimension of extent 1 has the stride PyTorch gives it
        for i in range(extra - 1, -1, -1):
            if shape[i] == 1:
                strides[i] = (shape[i + 1] * strides[i + 1]) if i + 1 < len(shape) else a.itemsize
    return restride(a, shape, strides)


@kernel
def squeeze_kernel(a: Any, dim: tuple[int, ...] | None = None) -> Any:
    dropped = range(a.ndim) if dim is None else wrap_dims(dim, a.ndim)
    kept = [i for i, extent in enumerate(a.shape) if extent != 1 or i not in dropped]
    shape = tuple([a.shape[i] for i in kept])
    return restride(a, shape, [a.strides[i] for i in kept]) if 1 in shape else a.reshape(shape)


@kernel
def unsqueeze_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim + 1)
    shape = a.shape
    wider = a.reshape((*shape[:dim], 1, *shape[dim:]))
    if a.flags.c_contiguous and a.size:
        return wider
    own = a.strides
    stride = own[dim] * shape[dim] if dim < a.ndim else a.itemsize
    return restride(a, wider.shape, (*own[:dim], stride, *own[dim:]))


@kernel
def permute_kernel(a: Any, dims: tuple[int, ...]) -> Any:
    if len(dims) != a.ndim:
        raise errors.permute_length(a.ndim, len(dims))
    order = [wrap_dim(d, a.ndim) for d in dims]
    if len(set(order)) != len(order):
        raise errors.permute_duplicates()
    return a.transpose(order)


@kernel
def transpose_kernel(a: Any, dim0: int, dim1: int) -> Any:
    ndim = a.ndim
    if dim0.__class__ is dim1.__class__ is int and -ndim <= dim0 < ndim and -ndim <= dim1 < ndim:
        return a.swapaxes(dim0, dim1)
    dim0, dim1 = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
    return a.swapaxes(dim0, dim1) if ndim else a.reshape(())


@kernel
def t_kernel(a: Any) -> Any:
    if a.ndim > 2:
        raise errors.t_dimensions(a.ndim)
    return a.T
