"""Scatter with a reduction, and copies of a tensor with one of its parts replaced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.op import NUMPY, kernel, op, ops, rule
from engine.ops.index import scatter_target
from engine.tensor import Tensor

# --- scatter_reduce

_START: dict[str, Callable[[Any], Any]] = {
    "sum": lambda dtype: 0, "mean": lambda dtype: 0, "prod": lambda dtype: 1,
    "amax": lambda dtype: -np.inf if dtype.kind == "f" else np.iinfo(dtype).min if dtype.kind != "b" else False,
    "amin": lambda dtype: np.inf if dtype.kind == "f" else np.iinfo(dtype).max if dtype.kind != "b" else True,
}
_REDUCE = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


@kernel
def scatter_reduce_kernel(a: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    if reduce not in _REDUCE:
        raise errors.scatter_reduce_modes(reduce)
    whole, (flat, places), part = scatter_target("scatter", a, dim, index, src)
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


op("scatter_reduce(self, dim, index: Tensor, src, reduce, *, include_self=True)", "ScatterReduceBackward0",
   scatter_reduce_kernel, together=(
       "self src", "scatter_reduce_backward(g, self, dim, index, src, reduce, include_self, result)"),
   says="each value gets the share of the gradient that the reduction gives it")


@rule
def scatter_reduce_backward(
    g: Any, self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool, result: Any
) -> tuple[Any, Any]:
    """The gradients of the tensor scattered into and of the source, as PyTorch composes them."""
    if reduce == "sum":
        own, other = g, ops.gather(g, dim, index)
    elif reduce == "prod":
        own, other = _of_product(g, self, dim, index, src, include_self, result)
    elif reduce == "mean":
        counts = ops.scatter_add(_filled(self, float(include_self)), dim, index, _filled(src, 1.0))
        counts = ops.masked_fill_Scalar(counts, counts == 0, 1)
        own = g / counts
        other = ops.gather(g, dim, index) / ops.gather(counts, dim, index)
    else:
        mine = _as_numbers(self == result, g)
        theirs = _as_numbers(src == ops.gather(result, dim, index), g)
        shared = g / ops.scatter_add(mine, dim, index, theirs)
        own, other = mine * shared, theirs * ops.gather(shared, dim, index)
    if not include_self:
        own = ops.scatter_value(own, dim, index, 0)
    return own, other


@rule
def _of_product(g: Any, self: Any, dim: int, index: Any, src: Any, include_self: bool, result: Any) -> tuple[Any, Any]:
    """Quotients of the product, with the product of the others computed anew where a factor is 0."""
    reduce = ops.scatter_reduce
    masked_self = ops.masked_fill_Scalar(self, self == 0, 1)
    own = g * reduce(masked_self, dim, index, src, "prod", include_self=include_self) / masked_self
    zero = src == 0
    zeros = ops.gather(ops.scatter_add(_filled(self, 0.0), dim, index, _as_numbers(zero, g)), dim, index)
    single = zero & (zeros == 1)
    others = reduce(self, dim, index, ops.masked_fill_Scalar(src, single, 1), "prod", include_self=include_self)
    exact = ops.gather(g * others, dim, index)
    quotient = ops.gather(g * result, dim, index) / ops.masked_fill_Scalar(src, zero, 1)
    return own, ops.where(single, exact, quotient)


def _filled(like: Any, value: float) -> Any:
    """A constant in the shape and type of `like`."""
    array = like._a if isinstance(like, Tensor) else like
    filled = np.full(array.shape, value, array.dtype)
    return Tensor._from_array(filled) if isinstance(like, Tensor) else filled


def _as_numbers(mask: Any, like: Any) -> Any:
    """Bools as 0 and 1 of the type of `like`."""
    if isinstance(mask, Tensor):
        return Tensor._from_array(mask._a.astype(like._a.dtype))
    return mask.astype(like.dtype)


# --- a part replaced


def _replaced(part: str) -> Callable[..., Any]:
    """A kernel that copies `a` and writes `src` into the part that the view kernel `part` names."""

    def replace(a: Any, src: Any, *arguments: Any) -> Any:
        whole = np.array(a)
        target = NUMPY[part](whole, *arguments)
        if target.shape != src.shape:
            raise errors.scattered_shape(src.shape, target.shape)
        target[...] = src
        return whole

    return replace


NUMPY["select_scatter_kernel"] = _replaced("select")
NUMPY["slice_scatter_kernel"] = _replaced("slice")
NUMPY["diagonal_scatter_kernel"] = _replaced("diagonal")

for _name, _node, _parameters, _arguments in (
    ("select", "SelectScatterBackward0", "dim, index", "dim, index"),
    ("slice", "SliceScatterBackward0", "dim=0, start=None, end=None, step=1", "dim, start, end, step"),
    ("diagonal", "DiagonalScatterBackward0", "offset=0, dim1=0, dim2=1", "offset, dim1, dim2"),
):
    op(f"{_name}_scatter(self, src, {_parameters})", _node, f"{_name}_scatter_kernel(self, src, {_arguments})",
       inplace=False, self=f"{_name}_scatter(g, new_zeros(g, src.shape), {_arguments})",
       src=f"{_name}(g, {_arguments})",
       says="the part that was replaced gets 0; the source gets the gradient of that part")
