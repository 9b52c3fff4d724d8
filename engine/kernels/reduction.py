"""Sums, means, products and spreads over dimensions.

`dim` is None (all of them) or a tuple; negative dimensions count from the end. Kernels return numpy scalars where
nothing is left of the shape.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels import summation
from engine.kernels.names import kernel
from engine.kernels.pointwise import exp_values, log_values, logaddexp_values
from engine.kernels.sparse import sparse_sum_kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, SHORT, in_single
from engine.types.coo import Coo
from engine.types.shapes import Shape, wrap_dim, wrap_dims

added: Any = np.add.reduce
multiplied: Any = np.multiply.reduce


def axes(dim: Any, ndim: int) -> Shape:
    """The dimensions that are reduced, as non-negative ints: all of them for None, () and []."""
    if dim is None or isinstance(dim, tuple | list) and not dim:
        return tuple(range(ndim))
    wrapped = wrap_dims(dim, ndim) if isinstance(dim, tuple | list) else (wrap_dim(dim, ndim),)
    return wrapped if ndim else ()


def count(shape: Shape, dim: Any = None) -> int:
    """How many elements are reduced into one."""
    return math.prod(shape if dim is None else [shape[axis] for axis in axes(dim, len(shape))])


@kernel
def sum_kernel(a: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dtype is not None:
        target = dtype.np
    elif a.dtype.kind in "iub":
        target = dtypes.int64.np
    else:
        target = None
    if type(a) is Coo:
        whole = a if target is None else a.astype(target)
        return sparse_sum_kernel(whole, range(a.ndim) if dim is None else dim, keepdim)
    if not a.ndim:
        axes(dim, 0)
        return +a if target is None else a.astype(target)
    axis = None if dim is None else axes(dim, a.ndim)
    if target is BFLOAT16:
        a, target = a.astype(target), None
    if a.dtype.char in SHORT and target is None:
        return added(a, axis=axis, dtype=np.float32, keepdims=keepdim).astype(a.dtype)
    if a.dtype.char in "fd" and (target is None or target == a.dtype):
        return summation.total(a, axis, keepdim)
    return added(a, axis=axis, dtype=target, keepdims=keepdim)


@kernel
def mean_kernel(a: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dtype is not None:
        a = a.astype(dtype.np)
    if a.dtype.kind not in dtypes.INEXACT:
        raise errors.mean_dtype(dtypes.of(a.dtype).type_name, given=dtype is not None)
    if a.dtype is BFLOAT16:
        return in_single(mean_kernel, a, dim, keepdim)
    return sum_kernel(a, dim, keepdim) / (a.size if dim is None else count(a.shape, dim))


@kernel
def nansum_kernel(a: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if dtype is not None and dtype.is_complex:
        raise errors.not_implemented_for("nansum_cpu", dtype.type_name)
    return sum_kernel(
        np.where(np.isnan(a), 0, a).astype(a.dtype)[()] if a.dtype.kind in dtypes.FLOATING else a, dim, keepdim, dtype
    )


@kernel
def prod_kernel(a: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dtype is not None:
        a = a.astype(dtype.np)
    elif a.dtype.kind in "iub":
        a = a.astype(np.int64)
    if not a.ndim:
        axes(dim, 0)
        return +a
    axis = None if dim is None else wrap_dim(dim, a.ndim)
    product = multiplied(a, axis=axis, keepdims=keepdim)
    return product if dtype is None or product.dtype == dtype.np else product.astype(dtype.np)


def _accumulated(a: Any, dim: int, dtype: Any, function: Any, wide: Any) -> Any:
    dim = wrap_dim(dim, a.ndim)
    if dtype is not None:
        a = a.astype(dtype.np)
    whole = np.int64 if dtype is None else a.dtype
    if not a.ndim:
        return +a if a.dtype.kind not in "iub" else a.astype(whole)
    a = np.ascontiguousarray(a)
    if a.dtype.kind in "iub":
        return function(a, axis=dim, dtype=whole)
    if a.dtype.char in "feE":
        return function(a, axis=dim, dtype=wide).astype(a.dtype)
    return function(a, axis=dim)


@kernel
def cumsum_kernel(a: Any, dim: int, dtype: Any = None) -> Any:
    """PyTorch accumulates float32 in float64."""
    return _accumulated(a, dim, dtype, np.cumsum, np.float64)


@kernel
def cumprod_kernel(a: Any, dim: int, dtype: Any = None) -> Any:
    return _accumulated(a, dim, dtype, np.cumprod, np.float64)


@kernel
def logcumsumexp_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim or not a.size:
        return +a
    if a.dtype.kind in dtypes.FLOATING:
        return np.logaddexp.accumulate(a, axis=dim)
    out = np.moveaxis(a.copy(), dim, 0)
    for k in range(1, len(out)):
        meter.charge(1)
        out[k] = logaddexp_values(out[k], out[k - 1])
    return np.ascontiguousarray(np.moveaxis(out, 0, dim))


@kernel
def logsumexp_kernel(a: Any, dim: Any, keepdim: bool) -> Any:
    reduced = axes(dim, a.ndim)
    if not a.ndim and a.dtype.kind in dtypes.FLOATING:
        return +a
    if not a.size:
        return np.log(sum_kernel(np.exp(a), dim, keepdim))
    top = np.asarray(a).real.max(axis=reduced, keepdims=True)
    top = np.where(np.isinf(top), top.dtype.type(0), top)
    powers = exp_values(a - top)
    total = log_values(sum_kernel(powers, dim, True)) + top
    return (total if keepdim else total.reshape([n for i, n in enumerate(a.shape) if i not in reduced]))[()]


@kernel
def var_kernel(a: Any, dim: Any, correction: float | None, keepdim: bool, function: str = "var") -> Any:
    """Accumulated in float64, as PyTorch does."""
    correction = 1 if correction is None else correction
    if a.dtype.kind not in dtypes.INEXACT:
        raise errors.spread_dtype(function)
    reduced = axes(dim, a.ndim)
    wide = np.asarray(a, np.complex128 if a.dtype.kind == "c" else np.float64)
    number = count(a.shape, dim)
    if number - correction <= 0:
        errors.warn_degrees_of_freedom(function)
    deviation = np.abs(wide - wide.mean(axis=reduced, keepdims=True)) if number else wide
    squares: Any = np.square(deviation)  # to numpy's types, `keepdims` is True or False, not either
    total = squares.sum(axis=reduced, keepdims=keepdim)
    out = total / np.float64(max(number - correction, 0.0))
    return np.asarray(np.sqrt(out) if function.startswith("std") else out, a.real.dtype)[()]
