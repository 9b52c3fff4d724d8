"""Comparisons, tests, logic, positions and counts."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import broadcast_pair, empty_laid_out, integer, wrap_dim, wrap_dims


@kernel
def test_kernel(a: Any, function: str) -> Any:
    if a.dtype.kind in dtypes.INEXACT:
        return getattr(np, function)(a)
    answer = function == "isfinite"
    return np.full(a.shape, answer) if a.ndim else np.bool_(answer)


@kernel
def isclose_kernel(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    if a.dtype != b.dtype:
        raise errors.dtypes_differ(dtypes.of(a.dtype).type_name, dtypes.of(b.dtype).type_name)
    if rtol < 0:
        raise errors.negative_tolerance("rtol", rtol)
    if atol < 0:
        raise errors.negative_tolerance("atol", atol)
    broadcast_pair(a.shape, b.shape)
    close = a == b
    if equal_nan and a.dtype.kind in dtypes.INEXACT:
        close = close | (np.isnan(a) & np.isnan(b))
    if rtol == 0 and atol == 0:
        return close
    if a.dtype.kind not in dtypes.INEXACT:
        a, b = a.astype(np.float64), b.astype(np.float64)
    allowed = atol + np.abs(rtol * b)
    distance = np.abs(a - b)
    return close | (np.isfinite(distance) & (distance <= allowed))


@kernel
def equal_kernel(a: Any, b: Any) -> bool:
    return bool(a.shape == b.shape and np.all(a == b))


@kernel
def bits_kernel(a: Any, b: Any, function: str, name: str) -> Any:
    kind = np.result_type(a, b) if isinstance(a, np.ndarray | np.generic) else b.dtype
    broadcast_pair(np.shape(a), np.shape(b))
    if kind.kind not in "iub" or (kind.kind == "b" and "shift" in name):
        raise errors.not_implemented_for(f"{name}_cpu", dtypes.of(kind).type_name)
    return getattr(np, function)(a, b)


@kernel
def invert_kernel(a: Any) -> Any:
    dtypes.expect(a, "bitwise_not_cpu", "iub")
    return ~a


@kernel
def heaviside_kernel(a: Any, values: Any) -> Any:
    _refuse_two_types(a, values)
    broadcast_pair(a.shape, values.shape)
    return np.where(a == 0, values, (a > 0).astype(a.dtype))[()]


def heaviside_types(operands: dict[str, Any]) -> bool:
    """Refuse two types of elements, which comes before their shapes."""
    _refuse_two_types(operands["self"], operands["values"])
    return True


def _refuse_two_types(a: Any, values: Any) -> None:
    if a.dtype != values.dtype:
        raise errors.heaviside_dtypes()


def _axes(a: Any, dim: Any) -> Any:
    if dim is None:
        return None
    given = dim if isinstance(dim, tuple | list) else (dim,)
    return wrap_dims(given, a.ndim) if a.ndim else (wrap_dims(given, 0) and None)


@kernel
def all_any_kernel(a: Any, function: str, dim: Any = None, keepdim: bool = False) -> Any:
    answer = getattr(np, function)(a, axis=_axes(a, dim), keepdims=keepdim and a.ndim > 0)
    return answer.astype(a.dtype) if a.dtype == np.uint8 else answer


@kernel
def arg_kernel(a: Any, name: str, dim: int | None = None, keepdim: bool = False) -> Any:
    if a.dtype.kind == "b":
        raise errors.arg_of_bools(name)
    function = getattr(np, name)
    if dim is not None:
        dim = wrap_dim(dim, a.ndim)
        if a.ndim and not a.shape[dim]:
            raise errors.arg_reduce_empty_dim(name, dim)
        return function(a, axis=dim, keepdims=keepdim) if a.ndim else np.int64(0)
    if not a.size:
        raise errors.arg_reduce_empty(name)
    position = np.int64(function(a))
    return np.full((1,) * a.ndim, position) if keepdim and a.ndim else position


@kernel
def nonzero_kernel(a: Any) -> Any:
    if not a.ndim:
        return np.zeros((int(bool(a)), 0), np.int64)
    places = np.stack(a.nonzero()).T
    return places if places.size else empty_laid_out((0, a.ndim), (8, 0), np.dtype(np.int64))


@kernel
def count_kernel(a: Any, dim: Any = None) -> Any:
    found = np.count_nonzero(a, axis=_axes(a, dim) or None)
    return found.astype(np.int64) if isinstance(found, np.ndarray) else np.int64(found)


@kernel
def unravel_kernel(indices: Any, shape: Any) -> list[Any]:
    if indices.dtype.kind not in "iu":
        raise errors.unravel_index_type(dtypes.of(indices.dtype).name)
    found, rest = [], indices
    for extent in reversed(shape):
        found.append(rest % extent)
        rest = rest // extent
    return found[::-1]


@kernel
def searchsorted_kernel(boundaries: Any, values: Any, out_int32: bool, right: bool) -> Any:
    kind = np.int32 if out_int32 else np.int64
    side: Literal["right", "left"] = "right" if right else "left"
    if not boundaries.ndim:
        raise errors.searchsorted_without_dimension()
    if boundaries.dtype.kind == "c" or np.iscomplexobj(values):
        raise errors.not_implemented_for("searchsorted_out_cpu", "ComplexFloat")
    if boundaries.ndim == 1:
        return np.searchsorted(boundaries, values, side).astype(kind)
    if not np.ndim(values):
        raise errors.searchsorted_scalar(boundaries.ndim)
    if boundaries.ndim != np.ndim(values) or boundaries.shape[:-1] != values.shape[:-1]:
        raise errors.searchsorted_shapes(boundaries.shape, np.shape(values))
    found = np.empty(values.shape, kind)
    for row in np.ndindex(boundaries.shape[:-1]):
        found[row] = np.searchsorted(boundaries[row], values[row], side)
    return found


@kernel
def unique_kernel(a: Any, dim: int | None = None) -> tuple[Any, Any, Any]:
    if dim is None:
        values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True, equal_nan=False)
        return values, inverse.reshape(a.shape), counts
    axis = wrap_dim(dim, a.ndim)
    if not a.ndim:
        raise errors.dim_of_no_dims(dim)
    values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True, axis=axis)
    return values, inverse.reshape(-1), counts


@kernel
def unique_consecutive_kernel(a: Any, dim: int | None = None) -> tuple[Any, Any, Any]:
    if a.dtype.kind == "c":
        name = "unique" if dim is None or a.ndim == 1 else "unique_dim"
        raise errors.not_implemented_for(name, dtypes.of(a.dtype).type_name)
    flat = a.reshape(-1, 1) if dim is None else np.moveaxis(a, wrap_dim(dim, a.ndim), 0)
    rows = flat.reshape(len(flat), -1)
    fresh = np.ones(len(rows), bool)
    fresh[1:] = (rows[1:] != rows[:-1]).any(1)
    starts = np.flatnonzero(fresh)
    inverse = np.cumsum(fresh) - 1
    counts = np.diff(np.append(starts, len(rows)))
    values = flat[starts]
    if dim is None:
        return values.reshape(-1), inverse.reshape(a.shape), counts
    return np.moveaxis(np.ascontiguousarray(values), 0, wrap_dim(dim, a.ndim)), inverse, counts


@kernel
def isin_kernel(elements: Any, test_elements: Any, invert: bool = False) -> Any:
    return np.isin(elements, test_elements, invert=invert)[()]


@kernel
def bincount_kernel(a: Any, weights: Any = None, minlength: int = 0) -> Any:
    dtypes.expect(a, "bincount_cpu", "iu")
    if a.ndim != 1 or a.size and a.min() < 0:
        raise errors.bincount_input()
    if minlength < 0:
        raise errors.bincount_minlength()
    if weights is not None and weights.shape != a.shape:
        raise errors.bincount_weights()
    meter.allocate(max(minlength, int(a.max()) + 1 if a.size else 0), 8)
    counts = np.bincount(a, weights, minlength)
    if weights is None:
        return counts.astype(np.int64)
    return counts.astype(weights.dtype if weights.dtype == np.float32 else np.float64)


@kernel
def histc_kernel(a: Any, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    if bins <= 0:
        raise errors.histogram_bin_count(bins, 0)
    if isinstance(min, complex) or isinstance(max, complex):
        raise errors.conversion_overflow("double")
    if min > max:
        finite = np.isfinite(min) and np.isfinite(max)
        raise errors.histc_order() if finite else errors.histc_range(float(min), float(max))
    if a.dtype.kind not in dtypes.FLOATING:
        function = "linspace_cpu" if a.dtype.kind == "b" else "histogram_cpu"
        if a.dtype.kind == "c" and min == max:
            function = "aminmax_cpu"
        raise errors.not_implemented_for(function, dtypes.of(a.dtype).type_name)
    low, high = float(min), float(max)
    if low == high and a.size:
        low, high = float(a.min()), float(a.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (np.isfinite(low) and np.isfinite(high)):
        raise errors.histc_range(low, high)
    if low > high:
        raise errors.histc_order()
    meter.allocate(bins, a.itemsize)
    return np.histogram(a, bins, (low, high))[0].astype(a.dtype)


@kernel
def one_hot_kernel(a: Any, num_classes: int = -1) -> Any:
    num_classes = integer(num_classes)
    if a.dtype != np.int64:
        raise errors.one_hot_dtype()
    if not a.size:
        if num_classes <= 0:
            raise errors.one_hot_empty()
        return np.zeros((*a.shape, num_classes), np.int64)
    if a.min() < 0:
        raise errors.one_hot_negative()
    largest = int(a.max())
    if num_classes == -1:
        num_classes = largest + 1
    elif largest >= num_classes:
        raise errors.one_hot_too_few()
    meter.allocate(a.size * num_classes, 8)
    return (np.asarray(a)[..., None] == np.arange(num_classes)).astype(np.int64)
