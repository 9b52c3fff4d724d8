"""Softmax and its logarithm: shares of a whole."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.arithmetic import LARGEST_WIDE
from engine.kernels.exp import LANES, LARGEST, blocked_exp, vector_exp
from engine.kernels.extremes import largest
from engine.kernels.names import kernel
from engine.kernels.pointwise import log_values
from engine.kernels.reduction import added
from engine.kernels.rounding import SINGLE, fused
from engine.kernels.summation import row_sums
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, SHORT, in_single
from engine.types.shapes import wrap_dim

_MODERATE = 16
_maximum, _minimum = np.maximum.reduce, np.minimum.reduce


def _powers(a: Any, dim: int) -> Any:
    """e^a as PyTorch's kernels compute it: the last dimension in vectors, others a block of neighbours at a time."""
    if dim == a.ndim - 1:
        return vector_exp(a)
    inner = math.prod(a.shape[dim + 1 :])
    return blocked_exp(a.reshape(*a.shape[: dim + 1], inner), LANES).reshape(a.shape)


def _expect_real(a: Any, dim: int, name: str) -> None:
    if a.dtype.kind not in dtypes.FLOATING:
        where = "_lastdim" if dim == max(a.ndim, 1) - 1 else ""
        raise errors.not_implemented_for(f"{name}{where}_kernel_impl", dtypes.of(a.dtype).type_name)


@kernel
def softmax_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim)
    _expect_real(a, dim, "softmax")
    if a.dtype.char in SHORT:
        return in_single(softmax_kernel, a, dim)
    if not a.ndim:
        return a.dtype.type(1) if not np.isnan(a) else +a
    if not a.size:
        return a.copy()
    if _is_large_single(a, dim):
        rows = a.reshape(-1, a.shape[-1])
        powers = np.exp(rows) if _is_moderate(rows) else np.exp(rows - _largest(rows, 1))
        shares = row_sums(powers)
        np.reciprocal(shares, shares)
        powers *= shares[:, None]
        return powers.reshape(a.shape)
    if _has_short_rows(a, dim):
        columns = _columns(a)
        powers = vector_exp(columns - largest(columns, axis=0))
        powers *= 1 / _total_of_columns(powers, 64 // a.dtype.itemsize)
        return np.ascontiguousarray(powers.T).reshape(a.shape)
    powers = _powers(a - _largest(a, dim), dim)
    if dim == a.ndim - 1:
        return powers * (1 / _total(powers, dim))  # PyTorch multiplies along the last dimension, divides along others
    powers /= _total(powers, dim)
    return powers


@kernel
def log_softmax_kernel(a: Any, dim: int) -> Any:
    dim = wrap_dim(dim, a.ndim)
    _expect_real(a, dim, "log_softmax")
    if a.dtype.char == "e":
        return in_single(log_softmax_kernel, a, dim)
    if a.dtype is BFLOAT16:
        return in_single(partial(_log_softmax, log=_rounded_log), a, dim)
    return _log_softmax(a, dim, log_values)


def _rounded_log(total: Any) -> Any:
    """PyTorch keeps sums of bfloat16, and their logarithms, in bfloat16."""
    return log_values(total.astype(BFLOAT16)).astype(total.dtype)


def _log_softmax(a: Any, dim: int, log: Callable[[Any], Any]) -> Any:
    if not a.ndim:
        return a - a
    if not a.size:
        return a.copy()
    if _is_large_single(a, dim) and log is log_values:
        rows = a.reshape(-1, a.shape[-1])
        out = rows - _largest(rows, 1)
        out -= np.log(row_sums(np.exp(out)))[:, None]
        return out.reshape(a.shape)
    if _has_short_rows(a, dim):
        columns = _columns(a)
        out = columns - largest(columns, axis=0)
        out -= log(_total_of_columns(vector_exp(out), 64 // a.dtype.itemsize))
        return np.ascontiguousarray(out.T).reshape(a.shape)
    out = a - _largest(a, dim)
    total = _total(_powers(out, dim), dim)
    out -= log(total) if dim == a.ndim - 1 else log_values(total)
    return out


def _total(a: Any, dim: int) -> Any:
    """The sum along a dimension; along the last one in the order of PyTorch's vectors of 64 bytes."""
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim:
        return a
    extent = a.shape[dim]
    if dim != a.ndim - 1 or extent < 8 or a.dtype.kind not in dtypes.FLOATING:
        return added(a, axis=dim, keepdims=True)
    return _total_of_columns(_columns(a), 64 // a.dtype.itemsize).reshape(*a.shape[:-1], 1)


def _is_large_single(a: Any, dim: int) -> bool:
    """Whether rows along the last dimension are so many that speed matters more than the last bit."""
    return a.size > LARGEST and dim == a.ndim - 1 and a.dtype is SINGLE


def _is_moderate(a: Any) -> bool:
    """Whether powers of e neither overflow nor vanish, so that no maximum need be taken off the exponents first."""
    flat = a.reshape(-1)
    return bool(_maximum(flat) < _MODERATE and _minimum(flat) > -_MODERATE)


def _has_short_rows(a: Any, dim: int) -> bool:
    """Whether the dimension is the last one and short: then the work is done on columns, which numpy does faster."""
    return bool(dim == a.ndim - 1 and 8 <= a.shape[-1] <= a.size // a.shape[-1] and a.dtype.kind in dtypes.FLOATING)


def _columns(a: Any) -> Any:
    """The rows along the last dimension as columns, copied where they are short."""
    extent = a.shape[-1]
    columns = a.reshape(-1, extent).T
    return np.ascontiguousarray(columns) if columns.shape[1] >= extent else columns


def _total_of_columns(columns: Any, lanes: int) -> Any:
    extent, count = columns.shape
    if extent < lanes:
        return np.add.accumulate(columns, axis=0)[-1]
    vectors = extent // lanes
    whole = vectors * lanes
    partial = columns[:lanes] if vectors == 1 else added(columns[:whole].reshape(vectors, lanes, count), axis=0)
    if whole < extent:
        rest = extent - whole
        partial = np.concatenate([partial[:rest] + columns[whole:], partial[rest:]])
    while lanes > 1:
        lanes //= 2
        partial = partial[:lanes] + partial[lanes:]
    return partial[0]


def _largest(a: Any, dim: int) -> Any:
    """The maximum along a dimension, which is kept."""
    if dim != a.ndim - 1:
        return largest(a, axis=dim, keepdims=True)
    return largest(_columns(a), axis=0).reshape(*a.shape[:-1], 1)


def _weighted_total(g: Any, output: Any, dim: int) -> Any:
    """Σ g · output; not along the last dimension it is a chain of fused multiply-adds."""
    dim = wrap_dim(dim, g.ndim)
    if g.dtype != np.float32 or dim == g.ndim - 1 or g.size > LARGEST or not g.ndim:
        return _total(g * output, dim)
    total: Any = 0
    for place in range(g.shape[dim]):
        total = fused(g.take([place], dim), output.take([place], dim), total)
    return total


@kernel
def softmax_backward_kernel(g: Any, output: Any, dim: int) -> Any:
    if g.dtype.char in SHORT and output.dtype is g.dtype:
        return in_single(softmax_backward_kernel, g, output, dim)
    if _is_large_single(output, wrap_dim(dim, output.ndim)):
        width = output.shape[-1]
        passed = row_sums((g * output).reshape(-1, width))
        out = g.reshape(-1, width) - passed[:, None]
        out *= output.reshape(-1, width)
        return out.reshape(g.shape)
    return (g - _weighted_total(g, output, dim)) * output


@kernel
def log_softmax_backward_kernel(g: Any, output: Any, dim: int) -> Any:
    """In float32 with one rounding, as a fused multiply-add does it."""
    if g.dtype.char in SHORT and output.dtype is g.dtype:
        return in_single(log_softmax_backward_kernel, g, output, dim)
    if output.size > LARGEST and _is_large_single(output, wrap_dim(dim, output.ndim)):
        width = output.shape[-1]
        share = np.exp(output).reshape(-1, width)
        share *= row_sums(g.reshape(-1, width))[:, None]
        return g - share.reshape(g.shape)
    share, total = _powers(output, wrap_dim(dim, output.ndim)) if output.ndim else np.exp(output), _total(g, dim)
    return fused(-share, total, g) if g.size <= LARGEST_WIDE else g - share * total
