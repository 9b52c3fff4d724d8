"""Largest, smallest and middle elements: whose the gradient is when several are equal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.std_sort import kth_place, sort
from engine.ops.reduction import added, axes, reviewed, values
from engine.types.shapes import wrap_dim

Pair = tuple[Any, Any]
largest: Any = np.maximum.reduce
smallest: Any = np.minimum.reduce

# --- pieces of formulas


@rule
def to_selected(g: Any, dim: int, indices: Any, shape: tuple[int, ...], keepdim: bool) -> Any:
    """The gradient of a selection along `dim`: each result's gradient goes to the element it came from."""
    if not shape and not isinstance(g, Tensor):
        return g
    if not keepdim and shape:
        g, indices = ops.unsqueeze(g, dim), ops.unsqueeze(indices, dim)
    if isinstance(g, Tensor):
        return ops.scatter_src(constant(np.zeros(shape, g._a.dtype)), dim, indices, g)
    out = np.zeros(shape, g.dtype)
    np.put_along_axis(out, indices, g, dim)
    return out


@rule
def shared(g: Any, self: Any, result: Any) -> Any:
    """The gradient of an extreme of all elements, in equal parts to those that equal it."""
    array, extreme = values(self), values(result)
    mask = np.isnan(array) if np.isnan(extreme) else array == extreme
    number = np.int64(np.count_nonzero(mask))
    if not isinstance(g, Tensor):
        return np.where(mask, g / g.dtype.type(number), g.dtype.type(0))[()]
    return ops.masked_fill_Tensor(constant(np.zeros_like(array)), constant(mask), g / constant(number))


@rule
def shared_along(g: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """As `shared`, along dimensions."""
    array = values(self)
    reduced = axes(dim, array.ndim)
    extreme = np.reshape(values(result), [1 if i in reduced else n for i, n in enumerate(array.shape)])
    mask = array == extreme
    number = added(np.asarray(mask), axis=reduced, keepdims=True, dtype=np.int64)[()]
    if isinstance(g, Tensor):
        return reviewed(g, array.shape, dim, keepdim) / constant(number) * constant(mask)
    return (reviewed(g, array.shape, dim, keepdim) / number.astype(g.dtype) * mask)[()]


# --- kernels


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
    nans = np.isnan(a).sum(axis=dim, keepdims=True) if a.dtype.kind == "f" else np.zeros_like(order.take([0], dim))
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
    reduced = axes(dim, a.ndim)
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
    nans = np.count_nonzero(np.isnan(flat)) if a.dtype.kind == "f" else 0
    if nans and (not skip_nan or nans == flat.size):
        return flat[-1]
    return flat[(flat.size - nans - 1) // 2]


@kernel
def running_extreme(a: Any, dim: int, largest: bool) -> Pair:
    """Running extremes and the latest positions that hold them."""
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim or not a.size:
        return +a, np.zeros_like(a, dtype=np.int64)[()]
    found = (np.maximum if largest else np.minimum).accumulate(a, axis=dim)
    shape = [1] * a.ndim
    shape[dim] = a.shape[dim]
    positions = np.arange(a.shape[dim]).reshape(shape)
    is_new = a == found if a.dtype.kind != "f" else (a == found) | np.isnan(a)
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


# --- rows

CHOSEN = "the gradient goes to the element that was chosen"
SHARED = "the gradient goes to the chosen element; equals share it"
for _name, _title in (("max", "Max"), ("min", "Min")):
    op(
        f"{_name}.dim(self, dim, keepdim=False)", f"{_title}Backward0", f"{_name}_along(self, dim, keepdim)",
        outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
    )
    op(
        f"{_name}(self)", f"{_title}Backward1", f"extreme(self, {_name!r})", self="shared(g, self, result)",
        inplace=False,
        says=SHARED,
    )
    op(
        f"a{_name}(self, dim=(), keepdim=False)", f"A{_name}Backward0",
        f"extreme_along(self, dim, keepdim, 'a{_name}')",
        self="shared_along(g, self, result, dim, keepdim)", inplace=False, says=SHARED,
    )
    op(
        f"cum{_name}(self, dim)", f"Cum{_name}Backward0", f"running_extreme(self, dim, {_name == 'max'})",
        outputs="values indices!", self="to_running(g, dim, indices, self)", inplace=False,
        says="the gradient goes to the element that was the extreme so far",
    )
for _name, _title in (("median", "Median"), ("nanmedian", "Nanmedian")):
    op(
        f"{_name}(self)", f"{_title}Backward0", f"median_of_all(self, {_name == 'nanmedian'})",
        self="shared(g, self, result)",
        inplace=False, says=SHARED,
    )
    op(
        f"{_name}.dim(self, dim, keepdim=False)", f"{_title}Backward1", f"{_name}_along(self, dim, keepdim)",
        outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
    )
op(
    "mode(self, dim=-1, keepdim=False)", "ModeBackward0", "mode_along(self, dim, keepdim)", outputs="values indices!",
    self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
)
op(
    "kthvalue(self, k, dim=-1, keepdim=False)", "KthvalueBackward0", "kthvalue_along(self, k, dim, keepdim)",
    outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
)
op(
    "aminmax(self, *, dim=None, keepdim=False)", "AminmaxBackward0", "aminmax_kernel(self, dim, keepdim)",
    outputs="min max",
    self="aminmax_slope(g, self, min, max, dim, keepdim)", inplace=False, says=SHARED,
)


@rule
def to_running(g: Any, dim: int, indices: Any, x: Any) -> Any:
    shape = x.shape
    if 0 in shape or not shape and not isinstance(g, Tensor):
        return g
    if isinstance(g, Tensor):
        return ops.scatter_add(constant(np.zeros(shape, g._a.dtype)), dim, indices, g)
    out = np.zeros(shape, g.dtype)
    place = list(np.indices(shape, sparse=True))
    place[dim] = indices
    np.add.at(out, tuple(place), g)
    return out


@rule
def aminmax_slope(g: Any, self: Any, low: Any, high: Any, dim: int | None, keepdim: bool) -> Any:
    parts = [
        shared_along(part, self, result, dim, keepdim)
        for part, result in zip(g, (low, high), strict=True)
        if part is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]
