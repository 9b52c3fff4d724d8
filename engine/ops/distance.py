"""Norms of vectors and distances between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.rounding import LARGEST, SINGLE, sequential_total, squares_total
from engine.ops.extremes import largest, smallest
from engine.ops.reduction import added, axes, restored, values
from engine.types import dtypes
from engine.types.shapes import wrap_dim

# --- kernels


@kernel
def vector_norm_kernel(a: Any, order: float, dim: Any, keepdim: bool, dtype: Any = None) -> Any:
    if order == 2 and dim is None and dtype is None and not keepdim and type(a) is np.ndarray and a.dtype is SINGLE:
        if 0 < a.size <= LARGEST and a.flags.c_contiguous:
            return np.float32(math.sqrt(squares_total(a if a.ndim == 1 else a.ravel())))
    if dtype is not None:
        a = a.astype(dtype.np)
    if a.dtype.kind not in "fc":
        raise errors.norm_dtype(dtypes.of(a.dtype).type_name)
    reduced = axes(dim, a.ndim)
    size = np.abs(a)
    empty = [axis for axis in reduced if not a.shape[axis]]
    if (order < 0 or order == math.inf) and empty:
        raise errors.norm_of_empty(order, None if dim is None else empty[0])
    if not a.ndim:
        return (size != 0).astype(size.dtype) if order == 0 else +size
    if order == math.inf:
        return largest(size, axis=reduced, keepdims=keepdim)
    if order == -math.inf:
        return smallest(size, axis=reduced, keepdims=keepdim)
    if order == 0:
        return added(size != 0, axis=reduced, keepdims=keepdim, dtype=size.dtype)
    if a.dtype == np.float32 and a.size <= LARGEST and a.flags.c_contiguous and reduced[-1:] == (a.ndim - 1,):
        if len(reduced) in (1, a.ndim):
            return _in_order(size, order, len(reduced), keepdim)
    if order == 1:
        return added(size, axis=reduced, keepdims=keepdim)
    if order == 2:
        return np.sqrt(added(size * size, axis=reduced, keepdims=keepdim))
    return added(size**order, axis=reduced, keepdims=keepdim) ** (1.0 / order)


def _in_order(size: Any, order: float, dims: int, keepdim: bool) -> Any:
    """The norm along the last dimension (or all of them), added in PyTorch's order."""
    rows = np.ravel(size) if dims > 1 else size
    if order == 1:
        total = sequential_total(rows)
    elif order == 2:
        total = np.sqrt(squares_total(rows))
    else:
        powers = np.power(rows, float(np.float32(order)), dtype=np.float64).astype(np.float32)
        root = float(np.float32(1) / np.float32(order))
        total = np.power(sequential_total(powers), root, dtype=np.float64).astype(np.float32)
    return np.reshape(total, size.shape[: size.ndim - dims] + (1,) * dims) if keepdim else total[()]


# --- pieces of formulas


@rule
def norm_slope(g: Any, self: Any, order: float, result: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of a p-norm: 0 where the norm is 0 and PyTorch says so."""
    shape = values(self).shape
    g, result = restored(g, shape, dim, keepdim), restored(result, shape, dim, keepdim)
    if order == 0:
        return None
    if order == 1:
        return ops.sgn(self) * g
    if order == 2:
        return g * ops.masked_fill_Scalar(self / result, result == 0, 0)
    if math.isinf(order):
        size = np.abs(values(self))
        extreme = (size == values(result)) | np.isnan(size)
        number = added(np.asarray(extreme), axis=axes(dim, len(shape)), keepdims=True, dtype=np.int64)[()]
        if isinstance(self, Tensor):
            return ops.sgn(self) * (g / constant(number) * constant(extreme))
        return ops.sgn(self) * (g / number.astype(g.dtype) * extreme)
    if order < 1:
        size = ops.masked_fill_Scalar(ops.abs(self) ** (order - 1), self == 0, 0)
        return ops.sgn(self) * size * g * result ** (1 - order)
    scale = ops.masked_fill_Scalar(g / result ** (order - 1), result == 0, 0)
    if order < 2:
        size = ops.abs(self) ** (order - 1)
        return ops.sgn(self) * size * scale
    return self * ops.abs(self) ** (order - 2) * scale


@rule
def renorm_slope(g: Any, self: Any, order: float, dim: int, maxnorm: float) -> Any:
    ndim = values(self).ndim
    others = tuple(i for i in range(ndim) if i != wrap_dim(dim, ndim))
    norm = ops.linalg_vector_norm(self, order, others, True)
    along = norm_slope(ops.sum_dim(self * g, others, True), self, order, norm, others, True)
    inverse = ops.reciprocal(norm + 1e-7)
    return ops.where(norm > maxnorm, maxnorm * inverse * (g - inverse * along), g)


@kernel
def renorm_kernel(a: Any, order: float, dim: int, maxnorm: float) -> Any:
    if a.ndim < 2:
        raise errors.renorm_dimensions(a.ndim)
    others = tuple(i for i in range(a.ndim) if i != wrap_dim(dim, a.ndim))
    norm = vector_norm_kernel(a, order, others, True)
    return a * np.where(norm > maxnorm, maxnorm / (norm + 1e-7), 1).astype(a.dtype)


# --- rows

NORM = "a norm grows along each element in proportion to its size^(p − 1)"
op(
    "linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None)", "LinalgVectorNormBackward0",
    "vector_norm_kernel(self, ord, dim, keepdim, dtype)", self="norm_slope(g, self, ord, result, dim, keepdim)",
    inplace=False, says=NORM,
)
op(
    "norm.Scalar(self, p=2)", "NormBackward0", "vector_norm_kernel(self, p, None, False)",
    self="norm_slope(g, self, p, result, None, False)", inplace=False, says=NORM,
)
op(
    "norm.ScalarOpt_dim(self, p, dim, keepdim=False)", "NormBackward1", "vector_norm_kernel(self, p, dim, keepdim)",
    self="norm_slope(g, self, p, result, dim, keepdim)", inplace=False, says=NORM,
)
op(
    "dist(self, other, p=2)", "DistBackward0", "vector_norm_kernel(self - other, p, None, False)", promote="self other",
    numbers=False, inplace=False, self="norm_slope(g, self - other, p, result, None, False)",
    other="-norm_slope(g, self - other, p, result, None, False)", says=NORM,
)
op(
    "renorm(self, p, dim, maxnorm)", "RenormBackward0", "renorm_kernel(self, p, dim, maxnorm)",
    self="renorm_slope(g, self, p, dim, maxnorm)", says="slices beyond the largest norm are scaled down to it",
)
