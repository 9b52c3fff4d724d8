"""Norms of vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels.extremes import largest, smallest
from engine.kernels.names import kernel
from engine.kernels.reduction import added, axes
from engine.kernels.rounding import LARGEST, SINGLE, sequential_total, squares_total
from engine.types import dtypes
from engine.types.coo import Coo
from engine.types.shapes import wrap_dim


@kernel
def distance_kernel(a: Any, b: Any, order: float) -> Any:
    difference = a - b
    if difference.dtype.kind not in dtypes.INEXACT:
        raise errors.norm_input_dtype(dtypes.of(difference.dtype).type_name)
    return vector_norm_kernel(difference, order, None, False)


@kernel
def vector_norm_kernel(a: Any, order: float, dim: Any, keepdim: bool, dtype: Any = None) -> Any:
    if isinstance(order, complex):
        raise errors.norm_order_complex()
    if type(a) is Coo:
        a, dim = a.coalesce().values, None
    if order == 2 and dim is None and dtype is None and not keepdim and type(a) is np.ndarray and a.dtype is SINGLE:
        if 0 < a.size <= LARGEST and a.flags.c_contiguous:
            return np.float32(math.sqrt(squares_total(a if a.ndim == 1 else a.ravel())))
    if dtype is not None:
        if dtype.np.kind not in dtypes.INEXACT:
            raise errors.norm_result_dtype(dtype.type_name)
        a = a.astype(dtype.np)
    if a.dtype.kind not in dtypes.INEXACT:
        raise errors.norm_dtype(dtypes.of(a.dtype).type_name)
    reduced = axes(dim, a.ndim)
    size = np.abs(a)
    empty = [axis for axis in reduced if not a.shape[axis]]
    if (order < 0 or order == math.inf) and empty:
        given = dim if isinstance(dim, tuple | list) else reduced
        raise errors.norm_of_empty(order, None if dim is None else given[reduced.index(empty[0])])
    if not a.ndim:
        return (size != 0).astype(size.dtype) if order == 0 else +size
    if order == math.inf:
        return largest(size, axis=reduced, keepdims=keepdim)
    if order == -math.inf:
        return smallest(size, axis=reduced, keepdims=keepdim)
    if order == 0:
        return added(size != 0, axis=reduced, keepdims=keepdim, dtype=size.dtype)
    if a.dtype == np.float32 and 0 < a.size <= LARGEST and a.flags.c_contiguous and reduced[-1:] == (a.ndim - 1,):
        if len(reduced) in (1, a.ndim):
            return _in_order(size, order, len(reduced), keepdim)
    if order == 1:
        return added(size, axis=reduced, keepdims=keepdim)
    if order == 2:
        return np.sqrt(added(size * size, axis=reduced, keepdims=keepdim))
    costs.charge(a.size, costs.POWER)
    return added(size**order, axis=reduced, keepdims=keepdim) ** (1.0 / order)


def _in_order(size: Any, order: float, dims: int, keepdim: bool) -> Any:
    """The norm along the last dimension (or all of them), added in PyTorch's order."""
    rows = np.ravel(size) if dims > 1 else size
    if order == 1:
        total = sequential_total(rows)
    elif order == 2:
        total = np.sqrt(squares_total(rows))
    else:
        costs.charge(rows.size, costs.POWER)
        powers = np.power(rows, float(np.float32(order)), dtype=np.float64).astype(np.float32)
        root = float(np.float32(1) / np.float32(order))
        total = np.power(sequential_total(powers), root, dtype=np.float64).astype(np.float32)
    return np.reshape(total, size.shape[: size.ndim - dims] + (1,) * dims) if keepdim else total[()]


@kernel
def renorm_kernel(a: Any, order: float, dim: int, maxnorm: float) -> Any:
    for name, number in (("p", order), ("maxnorm", maxnorm)):
        if isinstance(number, complex):
            raise errors.renorm_real(name)
    if order <= 0:
        raise errors.renorm_order()
    if maxnorm < 0:
        raise errors.renorm_maxnorm(maxnorm)
    if a.ndim < 2:
        raise errors.renorm_dimensions(a.ndim)
    others = tuple(i for i in range(a.ndim) if i != wrap_dim(dim, a.ndim))
    norm = vector_norm_kernel(a, order, others, True)
    return a * np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1).astype(a.dtype)
