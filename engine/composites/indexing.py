"""The forms in which users call ops that read and write by index, mask or position."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.publish import TORCH, public, publish
from engine.composites.subscripts import index_arguments
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.core.views import geometry, share
from engine.types import dtypes
from engine.types.shapes import broadcast_pair, sizes, wrap_dim

publish("method torch", "gather", "scatter_add", "index_select", "index_add", "index_copy", "take", "put")
publish("method torch", "masked_select", "masked_scatter", "topk")


@public("method", "index")
def at_positions(self: Tensor, positions: Any, dims: Any) -> Tensor:
    """The elements at `dims` of the dimensions `positions`, each an int or several."""
    pairs = [tuple(given) if isinstance(given, tuple | list) else (given,) for given in (positions, dims)]
    for value in (*pairs[0], *pairs[1]):
        if not isinstance(value, int):
            raise errors.dimension_specifier(value)
    out = self
    for place, number in sorted(zip(*pairs, strict=True), key=lambda pair: -wrap_dim(pair[0], self.ndim)):
        out = ops.select(out, wrap_dim(place, self.ndim), number)
    return out


def _with_twin(name: str, choose: Any, doc: str) -> None:
    """Publish `name` and `name_`: `choose(x, *args)` gives the row and its arguments; the twin writes into `x`."""

    @public("method torch", name, doc=doc)
    def function(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        row, given, named = choose(input, *args, **kwargs)
        return getattr(ops, row)(input, *given, **named)

    @public("method torch", name + "_", doc=f"In-place `{name}`.")
    def twin(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_inplace(input, input.requires_grad)  # before what is written there is looked at
        row, given, named = choose(input, *args, **kwargs)
        return getattr(ops, row + "_")(input, *given, **named)


def _scatter(
    x: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None
) -> Any:
    given = value if src is None else src
    form = "src" if isinstance(given, Tensor) else "value"
    if reduce is None:
        return f"scatter_{form}", (dim, index, given), {}
    if form == "src":
        errors.warn_scatter_reduce()
    return ("scatter_src_reduce" if form == "src" else "scatter_value_reduce"), (dim, index, given), {"reduce": reduce}


_with_twin("scatter", _scatter, "Values written where an index points along a dimension.")


def _masked_fill(x: Tensor, mask: Tensor, value: Any) -> Any:
    return ("masked_fill_Tensor" if isinstance(value, Tensor) else "masked_fill_Scalar"), (mask, value), {}


_with_twin("masked_fill", _masked_fill, "One value written where a mask is true.")


def _index_fill(x: Tensor, dim: int, index: Tensor, value: Any) -> Any:
    return ("index_fill_int_Tensor" if isinstance(value, Tensor) else "index_fill_int_Scalar"), (dim, index, value), {}


_with_twin("index_fill", _index_fill, "One value written into slices.")


def _index_put(x: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Any:
    tensors, places = index_arguments("index_put", indices, x.ndim)
    if not tensors:
        given, own = values._array.shape, x._array.shape
        if len(given) > len(own) or any(n not in (1, m) for n, m in zip(given[::-1], own[::-1], strict=False)):
            raise errors.index_value_shape(given, own)
        if values._array.size != 1 or accumulate:
            if values.dtype is not x.dtype:
                raise errors.index_put_dtypes(x.dtype.type_name, values.dtype.type_name)
            raise errors.index_put_everywhere()
        raise errors.index_put_nothing() if own else errors.index_put_mask()
    return "index_put", (tensors, values, places, accumulate), {}


_with_twin("index_put", _index_put, "Values written to the places that index tensors name.")


@public("method torch")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """`gather` whose index and input broadcast outside `dim`; without one, of the flattened tensors."""
    if dim is None:
        return ops.gather(ops.view(input, (-1,)), 0, ops.view(indices, (-1,)))
    if input._array.ndim != indices._array.ndim:
        raise errors.take_along_dimensions(indices._array.ndim, input._array.ndim)
    if indices.dtype not in (dtypes.int64, dtypes.int32):
        raise errors.take_along_dtype(indices.dtype.type_name)
    axis = wrap_dim(dim, input._array.ndim)
    own, index = list(input._array.shape), list(indices._array.shape)
    extent, count = own[axis] if own else 1, index[axis] if index else 1
    if not own:
        return ops.gather(input, axis, indices)
    if extent and indices._array.size and not 0 <= indices._array.min() <= indices._array.max() < extent:
        indices = Tensor._from_array(indices._array % extent)
    own[axis] = index[axis] = 1
    shape = list(broadcast_pair(tuple(own), tuple(index)))
    wide = [*shape[:axis], extent, *shape[axis + 1 :]]
    places = [*shape[:axis], count, *shape[axis + 1 :]]
    return ops.gather(ops.expand(input, wide), axis, ops.expand(indices, places))


@public("method")
def copy_(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """Overwrite with another tensor's values, broadcast and converted, or with a number."""
    if isinstance(src, int | float | complex | np.generic):
        src = Tensor._from_array(np.asarray(src)[()])
    if not isinstance(non_blocking, bool):
        raise errors.argument_type("copy_", "non_blocking", 2, "bool", non_blocking)
    if not isinstance(src, Tensor):
        raise errors.argument_type("copy_", "other", 1, "Tensor", src)
    return ops.copy_(self, src)


@public("method", "fill_")
def fill_(self: Tensor, value: Any) -> Tensor:
    """Overwrite with one value."""
    if isinstance(value, Tensor):
        return ops.fill_Tensor_(self, value)
    if not isinstance(value, int | float | complex | np.generic):
        raise errors.fill_arguments(value)
    return ops.fill_Scalar_(self, value)


TORCH["fill_"] = fill_


@public("torch")
def fill(input: Tensor, value: Any) -> Tensor:
    """A tensor of one value in the shape of another."""
    return (ops.fill_Tensor if isinstance(value, Tensor) else ops.fill_Scalar)(input, value)


public("method", "zero_")(ops.zero_)
TORCH["zero_"] = ops.zero_


@public("method torch")
def sort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> Any:
    """The values in order along a dimension, and where they were."""
    if stable is None:
        return ops.sort(input, dim, descending)
    return ops.sort_stable(input, stable=stable, dim=dim, descending=descending)


@public("method torch")
def msort(input: Tensor) -> Tensor:
    """The values in order along the first dimension."""
    return ops.sort(input, 0)[0]


@public("method torch")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False) -> Tensor:
    """Where the values in order along a dimension were."""
    return ops.argsort(input, dim, descending)


publish("method torch", "scatter_reduce", "diagonal_scatter")


@public("method torch")
def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy in which one slice is another tensor."""
    return ops.select_scatter(input, src, dim, index)


@public("method torch")
def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A copy in which a range of slices is another tensor."""
    return ops.slice_scatter(input, src, dim, start, end, step)


@public("method torch")
def as_strided(input: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A view with any sizes and strides over the tensor's memory."""
    for place, (name, value) in enumerate((("size", size), ("stride", stride)), 2):
        if not isinstance(value, tuple | list):
            raise errors.argument_type("as_strided", name, place, "tuple of ints", value)
    origin = geometry(input._array)[2] if isinstance(input._array, np.ndarray) else 0
    return ops.as_strided(input, sizes((size,)), sizes((stride,)), storage_offset, origin)


@public("method")
def fill_diagonal_(self: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """Overwrite the diagonal with one value."""
    if self._array.ndim < 2:
        raise errors.fill_diagonal_dimensions()
    shape, strides, offset = geometry(share(self))
    length = min(shape)
    if wrap and self._array.ndim == 2:
        length = -(-self._array.size // (shape[1] + 1))
    ops.fill_Scalar_(ops.as_strided(self, (length,), (sum(strides),), offset, offset), fill_value)
    return self
