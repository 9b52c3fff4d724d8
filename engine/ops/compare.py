"""Ops that answer rather than compute: comparisons, tests, logic, positions, counts. None of them has a gradient."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import broadcast_pair, wrap_dim, wrap_dims

_SAYS = "true or false has no gradient: the graph ends here"
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    op(f"{_name}(self: Tensor, other: Tensor)", None, f"self {_symbol} other", promote="self other", says=_SAYS)

# --- tests of each element


@kernel
def test_kernel(a: Any, function: str) -> Any:
    if a.dtype.kind in "fc":
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
    if equal_nan and a.dtype.kind in "fc":
        close = close | (np.isnan(a) & np.isnan(b))
    if rtol == 0 and atol == 0:
        return close
    if a.dtype.kind not in "fc":
        a, b = a.astype(np.float64), b.astype(np.float64)
    allowed = atol + np.abs(rtol * b)
    distance = np.abs(a - b)
    return close | (np.isfinite(distance) & (distance <= allowed))


@kernel
def equal_kernel(a: Any, b: Any) -> bool:
    return bool(a.shape == b.shape and np.all(a == b))


for _name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf"):
    _function = "isinf" if _name in ("isposinf", "isneginf") else _name
    _sign = {"isposinf": " & (self > 0)", "isneginf": " & (self < 0)"}.get(_name, "")
    op(f"{_name}(self: Tensor)", None, f"test_kernel(self, {_function!r}){_sign}", inplace=False, says=_SAYS)
op("isreal(self: Tensor)", None, "self.imag == 0 if self.dtype.kind == 'c' else self == self.real", inplace=False,
   says=_SAYS)
op("signbit(self: Tensor)", None, "np.signbit(self) if self.dtype.kind == 'f' else self < 0", inplace=False, says=_SAYS)
op("isclose(self: Tensor, other: Tensor, rtol=1e-05, atol=1e-08, equal_nan=False)", None, isclose_kernel, inplace=False,
   says=_SAYS)

# --- logic and bits


@kernel
def bits_kernel(a: Any, b: Any, function: str, name: str) -> Any:
    kind = np.result_type(a, b) if isinstance(a, np.ndarray | np.generic) else b.dtype
    if kind.kind not in "iub" or (kind.kind == "b" and "shift" in name):
        raise errors.not_implemented_for(f"{name}_cpu", dtypes.of(kind).type_name)
    return getattr(np, function)(a, b)


@kernel
def invert_kernel(a: Any) -> Any:
    if a.dtype.kind not in "iub":
        raise errors.not_implemented_for("bitwise_not_cpu", dtypes.of(a.dtype).type_name)
    return ~a


for _name in ("and", "or", "xor"):
    op(f"bitwise_{_name}(self: Tensor, other: Tensor)", None,
       f"bits_kernel(self, other, 'bitwise_{_name}', 'bitwise_{_name}')", promote="self other", says=_SAYS)
    op(f"logical_{_name}(self: Tensor, other: Tensor)", None, f"np.logical_{_name}(self, other)", says=_SAYS)
for _name in ("left", "right"):
    op(f"bitwise_{_name}_shift(self: Tensor, other: Tensor)", None,
       f"bits_kernel(self, other, '{_name}_shift', '{_name[0]}shift')", promote="self other", says=_SAYS)
op("bitwise_not(self: Tensor)", None, "invert_kernel(self)", says=_SAYS)
op("logical_not(self: Tensor)", None, "np.logical_not(self)", says=_SAYS)
for _name in ("gcd", "lcm"):
    op(f"{_name}(self: Tensor, other: Tensor)", None, f"bits_kernel(self, other, '{_name}', '{_name}')",
       promote="self other", says=_SAYS)


@kernel
def heaviside_kernel(a: Any, values: Any) -> Any:
    if a.dtype != values.dtype:
        raise errors.heaviside_dtypes()
    return np.where(a == 0, values, (a > 0).astype(a.dtype))[()]


op(
    "heaviside(self, values)", "NotImplemented", heaviside_kernel, self="underivable('heaviside')",
    values="underivable('heaviside')", says="PyTorch has no gradient for it",
)

# --- answers about many elements


def _axes(a: Any, dim: Any) -> Any:
    if dim is None:
        return None
    given = dim if isinstance(dim, tuple | list) else (dim,)
    return wrap_dims(given, a.ndim) if a.ndim else (wrap_dims(given, 0) and None)


@kernel
def all_any_kernel(a: Any, function: str, dim: Any = None, keepdim: bool = False) -> Any:
    answer = getattr(np, function)(a, axis=_axes(a, dim), keepdims=keepdim and a.ndim > 0)
    return answer.astype(a.dtype) if a.dtype == np.uint8 else answer


for _name in ("all", "any"):
    op(f"{_name}(self: Tensor, dim=None, keepdim=False)", None, f"all_any_kernel(self, '{_name}', dim, keepdim)",
       inplace=False, says=_SAYS)


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


_POSITIONS = "a position is a whole number and has no gradient: the graph ends here"
op("argmax(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmax', dim, keepdim)", inplace=False,
   says=_POSITIONS)
op("argmin(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmin', dim, keepdim)", inplace=False,
   says=_POSITIONS)


@kernel
def nonzero_kernel(a: Any) -> Any:
    if not a.ndim:
        return np.zeros((int(bool(a)), 0), np.int64)
    return np.stack(a.nonzero()).T


op("nonzero(self: Tensor)", None, nonzero_kernel, inplace=False, says=_POSITIONS)
op("count_nonzero(self: Tensor, dim=None)", None, "count_kernel(self, dim)", inplace=False, says=_POSITIONS)


@kernel
def count_kernel(a: Any, dim: Any = None) -> Any:
    found = np.count_nonzero(a, axis=_axes(a, dim))
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


op("unravel_index(indices: Tensor, shape)", None, unravel_kernel, outputs="*", inplace=False, says=_POSITIONS)

# --- sorted sequences and sets


@kernel
def searchsorted_kernel(boundaries: Any, values: Any, out_int32: bool, right: bool) -> Any:
    kind = np.int32 if out_int32 else np.int64
    side: Literal["right", "left"] = "right" if right else "left"
    if boundaries.ndim == 1:
        return np.searchsorted(boundaries, values, side).astype(kind)
    if boundaries.ndim != np.ndim(values) or boundaries.shape[:-1] != values.shape[:-1]:
        raise errors.searchsorted_shapes(boundaries.shape, np.shape(values))
    found = np.empty(values.shape, kind)
    for row in np.ndindex(boundaries.shape[:-1]):
        found[row] = np.searchsorted(boundaries[row], values[row], side)
    return found


op("searchsorted(sorted_sequence: Tensor, self: Tensor, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS)
op("searchsorted.Scalar(sorted_sequence: Tensor, self: Scalar, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS)


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
    return np.moveaxis(values, 0, wrap_dim(dim, a.ndim)).copy(), inverse, counts


for _signature, _node in (
    ("_unique2(self", "Unique2Backward0"),
    ("unique_dim(self, dim", "UniqueDimBackward0"),
    ("unique_consecutive(self, dim=None", "UniqueConsecutiveBackward0"),
):
    _name = _signature.partition("(")[0]
    _kernel = "unique_consecutive_kernel" if "consecutive" in _name else "unique_kernel"
    op(f"{_signature})", _node, f"{_kernel}(self{', dim' if 'dim' in _signature else ''})",
       outputs="output inverse_indices! counts!", inplace=False, self=f"unavailable('{_name}')",
       says="PyTorch has no gradient for it")


@kernel
def isin_kernel(elements: Any, test_elements: Any, invert: bool = False) -> Any:
    return np.isin(elements, test_elements, invert=invert)[()]


op("isin(elements: Tensor, test_elements: Tensor, *, assume_unique=False, invert=False)", None,
   "isin_kernel(elements, test_elements, invert)", inplace=False, says=_SAYS)

# --- counting


@kernel
def bincount_kernel(a: Any, weights: Any = None, minlength: int = 0) -> Any:
    if a.dtype.kind not in "iu":
        raise errors.not_implemented_for("bincount_cpu", dtypes.of(a.dtype).type_name)
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
    if a.dtype.kind != "f":
        raise errors.not_implemented_for("histogram_cpu", dtypes.of(a.dtype).type_name)
    if bins <= 0:
        raise errors.histc_bins()
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


_COUNTS = "a count has no gradient: the graph ends here"
op("bincount(self: Tensor, weights: Tensor = None, minlength=0)", None, bincount_kernel, inplace=False, says=_COUNTS)
op("histc(self: Tensor, bins=100, min=0, max=0)", None, histc_kernel, inplace=False, says=_COUNTS)


@kernel
def one_hot_kernel(a: Any, num_classes: int = -1) -> Any:
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
    elif num_classes < 1:
        raise errors.one_hot_classes()
    elif largest >= num_classes:
        raise errors.one_hot_too_few()
    meter.allocate(a.size * num_classes, 8)
    return (np.asarray(a)[..., None] == np.arange(num_classes)).astype(np.int64)


op("one_hot(self: Tensor, num_classes=-1)", None, one_hot_kernel, inplace=False, says=_POSITIONS)
