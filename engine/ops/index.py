"""Reading and writing by index tensors: what was read collects the gradients of all places it went to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import costs, errors
from engine.codegen.latex import ADDED_UP
from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.ops.shape import new_zeros
from engine.types import dtypes
from engine.types.shapes import Shape, wrap_dim

_FEW = 1 << 16
"""Elements that are read or written without being counted first: an index may take them all for each of its own."""

# --- x[indices]
#
# `indices` are the index tensors, `places` the dimensions they stand at; the other dimensions are kept whole.


def _key(shape: Shape, indices: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    """The numpy index, after the checks that numpy words differently."""
    key: list[Any] = []
    shapes = []
    for index, place in zip(indices, places, strict=True):
        key += [slice(None)] * (place - len(key))
        if index.dtype.kind == "b":
            for offset, extent in enumerate(index.shape):
                if place + offset >= len(shape):
                    raise errors.too_many_indices(len(shape))
                if shape[place + offset] != extent:
                    raise errors.mask_shape(index.shape, offset, shape, place + offset)
            columns = index.nonzero() if index.ndim else np.atleast_1d(index).nonzero()
            key += columns
            shapes.append((len(columns[0]),))
            continue
        if place >= len(shape):
            raise errors.too_many_indices(len(shape), len(indices))
        extent = shape[place]
        if index.size and not extent:
            raise errors.index_of_nothing()
        if 0 in shape:  # nothing is read, wherever it would be
            index = np.clip(index, -extent, extent - 1)
        elif index.size:
            low, high = index.min(), index.max()
            if low < -extent or high >= extent:
                wrong = index[(index < -extent) | (index >= extent)].flat[0] if index.ndim else index
                raise errors.index_out_of_bounds(int(wrong), place, extent)
        key.append(index)
        shapes.append(index.shape)
    if len(shapes) > 1 and any(s != shapes[0] for s in shapes):
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise errors.index_shapes(*shapes) from None
    return tuple(key)


def _count(shape: Shape, key: tuple[Any, ...]) -> int:
    """How many elements a numpy index as `_key` makes it reads or writes."""
    given = [place for place, index in enumerate(key) if not isinstance(index, slice)]
    whole = [extent for place, extent in enumerate(shape) if place not in given]
    return math.prod(np.broadcast_shapes(*[key[place].shape for place in given])) * math.prod(whole)


@kernel
def index_kernel(a: Any, indices: Sequence[Any], places: Sequence[int]) -> Any:
    key = _key(a.shape, indices, places)
    many = a.size * max([index.size for index in indices]) > _FEW
    if many:
        meter.allocate(_count(a.shape, key), a.itemsize)
    found = a[key]
    if not many:
        meter.allocate(found.size, found.itemsize)
    return found if found.flags.c_contiguous else np.ascontiguousarray(found)


@kernel
def index_put_kernel(
    a: Any, indices: Sequence[Any], values: Any, places: Sequence[int], accumulate: bool = False
) -> Any:
    a = np.array(a)
    if values.dtype != a.dtype:
        raise errors.index_put_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(values.dtype).type_name)
    key = _key(a.shape, indices, places)
    if a.size * max([index.size for index in indices]) > _FEW:
        costs.charge(_count(a.shape, key), costs.rate("index_put"))
    if values.shape[:1] == (1,) and values.ndim > a[key].ndim:  # numpy would overlook it
        raise errors.index_value_shape(values.shape, a[key].shape)
    try:
        if accumulate:
            np.add.at(a, key, values)
        else:
            a[key] = values
    except ValueError:
        raise errors.index_value_shape(values.shape, a[key].shape) from None
    return a if a.ndim else a[()]


op("index(self, indices: Tensors, places)", "IndexBackward0", "index_kernel(self, indices, places)", inplace=False,
   self="_index_put_impl(new_zeros(g, self.shape), indices, g, places, True)",
   tex=ADDED_UP, says="the gradient goes back to the places that were read, adding up where one was read twice")
for _name, _node in (("index_put", "IndexPutBackward0"), ("_index_put_impl", "IndexPutImplBackward0")):
    op(f"{_name}(self, indices: Tensors, values, places, accumulate=False)", _node,
       "index_put_kernel(self, indices, values, places, accumulate)",
       self="g if accumulate else index_put(g, indices, new_zeros(g, ()), places, False)",
       values="index(g, indices, places)",
       says="what was overwritten gets 0; the values get the gradient of the places they went to")

# --- gather and scatter: an index for every element, along one dimension


def _check_index(function: str, a: Any, dim: int, index: Any) -> int:
    """The wrapped dimension. RuntimeError for an index of the wrong type, shape or range."""
    if index.size and (index.dtype.kind != "i" or index.itemsize < 4):
        raise errors.gather_dtype(function)
    dim = wrap_dim(dim, a.ndim)
    extent = a.shape[dim] if a.ndim else 1
    if index.size:
        if max(index.ndim, 1) != max(a.ndim, 1):
            raise errors.gather_dimensions("input" if function == "gather" else "self")
        low, high = int(index.min()), int(index.max())
        if low < 0 or high >= extent:
            raise errors.gather_index(low if low < 0 else high, dim, extent)
    return dim


def _places(index: Any, dim: int) -> tuple[Any, ...]:
    """The numpy index of the elements that `index` points at along `dim`."""
    grid: list[Any] = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    grid[dim] = index if index.size else index.astype(np.int64)
    return tuple(grid)


@kernel
def gather_kernel(a: Any, dim: int, index: Any, sparse_grad: bool = False) -> Any:
    dim = _check_index("gather", a, dim, index)
    if not index.size:
        return np.empty(index.shape, a.dtype)
    if not a.ndim:
        return a.copy() if not index.ndim else np.full(index.shape, a)
    if not index.ndim:
        return a[int(index)]
    for d, extent in enumerate(index.shape):
        if d != dim and extent > a.shape[d]:
            raise errors.gather_size(d, index.shape, a.shape, dim)
    meter.allocate(index.size, a.itemsize)
    return a[_places(index, dim)]


def scatter_target(function: str, a: Any, dim: int, index: Any, source: Any = None) -> tuple[Any, Any, Any]:
    """A copy to write to, the numpy index, and the part of `source` that is written."""
    dim = _check_index(function, a, dim, index)
    whole = np.array(a)
    if not index.size:
        empty = np.zeros(0, np.int64)
        return whole, (whole.reshape(-1), (empty,)), np.zeros(0, a.dtype)
    if source is not None and source.dtype != a.dtype:
        raise errors.scatter_dtype(function)
    if source is not None and max(source.ndim, 1) > max(index.ndim, 1):
        raise errors.gather_dimensions("src")
    flat = whole.reshape(-1) if not whole.ndim else whole
    index = np.asarray(index).reshape(-1) if not index.ndim else index
    wrong = any(n > flat.shape[d] for d, n in enumerate(index.shape) if d != dim)
    if source is None:
        if wrong:
            raise errors.scatter_size(index.shape, a.shape, dim, None)
        return whole, (flat, _places(index, dim)), None
    if not wrong and source.ndim:
        extents = source.shape
        if index.ndim > source.ndim and all(n <= m for n, m in zip(index.shape, extents, strict=False)):
            raise errors.dim_out_of_range(source.ndim, source.ndim)
        wrong = any(n > m for n, m in zip(index.shape, extents, strict=False))
    if max(source.ndim, 1) != index.ndim:
        raise errors.gather_dimensions("src")
    if wrong or not source.ndim and index.size > 1:
        raise errors.scatter_size(index.shape, a.shape, dim, source.shape)
    part = np.atleast_1d(source)[tuple([slice(n) for n in index.shape])]
    return whole, (flat, _places(index, dim)), part


@kernel
def scatter_kernel(a: Any, dim: int, index: Any, source: Any, value: Any = None) -> Any:
    whole, (flat, places), part = scatter_target("scatter", a, dim, index, source)
    flat[places] = value if part is None else part
    return whole if whole.ndim else whole[()]


@kernel
def scatter_add_kernel(a: Any, dim: int, index: Any, source: Any) -> Any:
    whole, (flat, places), part = scatter_target("scatter", a, dim, index, source)
    np.add.at(flat, places, part)
    return whole if whole.ndim else whole[()]


@kernel
def scatter_with_kernel(a: Any, dim: int, index: Any, source: Any, value: Any, reduce: str) -> Any:
    whole, (flat, places), part = scatter_target("scatter", a, dim, index, source)
    if reduce not in ("add", "multiply"):
        raise errors.scatter_reduce_argument("add, multiply")
    (np.add if reduce == "add" else np.multiply).at(flat, places, value if part is None else part)
    return whole if whole.ndim else whole[()]


op("gather(self, dim, index: Tensor, *, sparse_grad=False)", "GatherBackward0", gather_kernel, inplace=False,
   self="gather_backward(g, self, dim, index, sparse_grad)",
   tex=ADDED_UP, says="each element collects the gradients of all places it was read into")


@rule
def gather_backward(g: Any, self: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    """`g` added into zeros where the index points."""
    return ops.scatter_add(new_zeros(g, self.shape), dim, index, g)


op("scatter.src(self, dim, index: Tensor, src)", "ScatterBackward0", "scatter_kernel(self, dim, index, src)",
   self="scatter_value(g, dim, index, 0)", src="gather(g, dim, index)",
   says="what was overwritten gets 0; the values get the gradient of the places they went to")
op("scatter.value(self, dim, index: Tensor, value: Scalar)", "ScatterBackward1",
   "scatter_kernel(self, dim, index, None, value)", self="scatter_value(g, dim, index, 0)",
   says="what was overwritten gets 0")
op("scatter.src_reduce(self: Tensor, dim, index: Tensor, src: Tensor, *, reduce)", None,
   "scatter_with_kernel(self, dim, index, src, None, reduce)")
op("scatter.value_reduce(self: Tensor, dim, index: Tensor, value: Scalar, *, reduce)", None,
   "scatter_with_kernel(self, dim, index, None, value, reduce)")
op("scatter_add(self, dim, index: Tensor, src)", "ScatterAddBackward0", scatter_add_kernel,
   self="g", src="gather(g, dim, index)", says="each value gets the gradient of the place it was added to")

# --- index_select and its kin: whole slices along one dimension


def _check_slices(function: str, a: Any, dim: int, index: Any) -> int:
    if index.ndim > 1:
        raise errors.index_not_vector(function)
    if index.dtype.kind != "i" or index.itemsize < 4:
        raise errors.gather_dtype(function, "int32 or int64" if function == "index_select" else "int32/int64")
    return wrap_dim(dim, a.ndim)


def _out_of_range(index: Any, extent: int, negative: bool = False) -> int | None:
    """An index that is out of range, or None."""
    if not index.size:
        return None
    low, high = int(index.min()), int(index.max())
    if low < (-extent if negative else 0):
        return low
    return high if high >= extent else None


@kernel
def index_select_kernel(a: Any, dim: int, index: Any) -> Any:
    dim = _check_slices("index_select", a, dim, index)
    if _out_of_range(index, a.shape[dim] if a.ndim else 1) is not None:
        raise errors.index_in_self()
    if not a.ndim:
        if index.size != 1:
            raise errors.index_to_scalar(index.size)
        return a.copy()
    meter.allocate(a.size // max(a.shape[dim], 1) * index.size, a.itemsize)
    return np.take(a, index.reshape(-1), dim)


def _check_copied(a: Any, dim: int, index: Any, source: Any) -> None:
    """What `index_copy` asks of its index and source."""
    if index.ndim > 1:
        raise errors.index_copy_index(index.ndim)
    if not source.ndim and index.size != 1:
        raise errors.index_copy_scalar(index.size)
    if source.ndim != a.ndim and source.ndim and a.ndim:
        raise errors.index_copy_dimensions(source.ndim, a.ndim)
    if index.dtype != np.int64:
        raise errors.index_copy_index_dtype(dtypes.of(index.dtype).type_name)
    if a.dtype != source.dtype:
        raise errors.index_copy_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    own, other = ([n for d, n in enumerate(x.shape) if d != dim] for x in (a, source))
    if own != other:
        raise errors.index_copy_slices(own, dim, other)
    if source.ndim and index.size != source.shape[dim]:
        raise errors.index_copy_count(index.size, source.shape[dim])
    extent = a.shape[dim] if a.ndim else 1
    if _out_of_range(index, extent) is not None:
        raise errors.index_copy_out_of_bounds(next(n for n in index.flat if not 0 <= n < extent), dim, extent)


def _check_source(function: str, a: Any, dim: int, index: Any, source: Any) -> None:
    if a.dtype != source.dtype:
        raise errors.index_add_dtypes(function, dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    if not source.ndim and index.size != 1:
        raise errors.dim_of_no_dims(dim)
    own, other = list(a.shape) or [1], list(source.shape) or [1]
    if index.size != other[dim if source.ndim else 0]:
        raise errors.index_count(function, index.size, other[dim if source.ndim else 0], dim)
    if function == "index_add_" and a.ndim != source.ndim:
        raise errors.index_source_shape(a.shape, source.shape)
    if source.ndim and [n for d, n in enumerate(own) if d != dim] != [n for d, n in enumerate(other) if d != dim]:
        raise errors.index_source_shape(a.shape, source.shape)


def check_slices(function: str, a: Any, dim: int, index: Any, source: Any) -> int:
    """The wrapped dimension. Raises for an index or a source that does not fit."""
    dim = _check_slices(function, a, dim, index)
    _check_source(f"{function}_", a, dim, index, source)
    wrong = _out_of_range(index, a.shape[dim] if a.ndim else 1)
    if wrong is not None:
        raise errors.gather_index(wrong, dim, a.shape[dim] if a.ndim else 1)
    return dim


@kernel
def index_add_kernel(a: Any, dim: int, index: Any, source: Any, alpha: Any = 1) -> Any:
    dim = check_slices("index_add", a, dim, index, source)
    whole = np.array(a)
    flat = whole.reshape(-1) if not whole.ndim else whole
    source = np.asarray(source if alpha == 1 else source * alpha, a.dtype)
    np.add.at(np.moveaxis(flat, dim, 0), index.reshape(-1), np.moveaxis(np.atleast_1d(source), dim, 0))
    return whole if whole.ndim else whole[()]


@kernel
def index_copy_kernel(a: Any, dim: int, index: Any, source: Any) -> Any:
    dim = wrap_dim(dim, a.ndim)
    _check_copied(a, dim, index, source)
    whole = np.array(a)
    flat = whole.reshape(-1) if not whole.ndim else whole
    np.moveaxis(flat, dim, 0)[index.reshape(-1)] = np.moveaxis(np.atleast_1d(source), dim, 0)
    return whole if whole.ndim else whole[()]


@kernel
def index_fill_kernel(a: Any, dim: int, index: Any, value: Any) -> Any:
    dim = _check_slices("index_fill", a, dim, index)
    extent = a.shape[dim] if a.ndim else 1
    wrong = _out_of_range(index, extent, negative=True)
    if wrong is not None:
        raise errors.index_out_of_bounds(wrong, dim, extent)
    if np.ndim(value):
        raise errors.fill_value_dimensions("index_fill_", np.ndim(value))
    whole = np.array(a)
    flat = whole.reshape(-1) if not whole.ndim else whole
    np.moveaxis(flat, dim, 0)[index.reshape(-1)] = value
    return whole if whole.ndim else whole[()]


@rule
def index_select_backward(g: Any, shape: Shape, dim: int, index: Any) -> Any:
    """The slices of `g` added into zeros."""
    return ops.index_add(new_zeros(g, shape), dim, index, g)


@rule
def selected_source(g: Any, dim: int, index: Any, source: Any, ndim: int) -> Any:
    """The slices of `g` that the source went to."""
    if not ndim:
        return ops.index_select(g, dim, ops.squeeze_dim(index, 0) if index.ndim else index)
    return ops.expand(ops.index_select(g, dim, index), source.shape)


op("index_select(self, dim, index: Tensor)", "IndexSelectBackward0", index_select_kernel, inplace=False,
   self="index_select_backward(g, self.shape, dim, index)",
   tex=ADDED_UP, says="each slice collects the gradients of all places it was copied to")
op("index_add(self, dim, index: Tensor, source, *, alpha: Scalar = 1)", "IndexAddBackward0", index_add_kernel,
   self="g",
   source="selected_source(g, dim, index, source, source.ndim) if alpha == 1 else "
   "selected_source(g, dim, index, source, source.ndim) * alpha",
   says="each slice gets the gradient of the place it was added to")
op("index_copy(self, dim, index: Tensor, source)", "IndexCopyBackward0", index_copy_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", source="selected_source(g, dim, index, source, source.ndim)",
   says="what was overwritten gets 0; the source gets the gradient of the places it went to")
op("index_fill.int_Scalar(self, dim, index: Tensor, value: Scalar)", "IndexFillBackward0", index_fill_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", says="what was overwritten gets 0")
@rule
def distinct(index: Any) -> Any:
    """The index without repetitions."""
    if isinstance(index, Tensor):
        return Tensor._from_array(np.unique(index._a))
    return np.unique(index)


op("index_fill.int_Tensor(self, dim, index: Tensor, value)", "IndexFillBackward1", index_fill_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", value="sum(index_select(g, dim, distinct(index)))",
   says="what was overwritten gets 0; the value gets the sum of the gradients of the places it went to")

# --- take and put: indices into the flattened tensor


def _flat_index(function: str, a: Any, index: Any) -> Any:
    if index.dtype != np.int64:
        raise errors.take_dtype(function, dtypes.of(index.dtype).type_name)
    wrong = _out_of_range(np.asarray(index), a.size, negative=True)
    if wrong is not None:
        raise errors.take_out_of_range(wrong, a.size)
    return index


@kernel
def take_kernel(a: Any, index: Any) -> Any:
    meter.allocate(index.size, a.itemsize)
    return a.reshape(-1)[_flat_index("take", a, index)]


@kernel
def put_kernel(a: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    if source.dtype != a.dtype:
        raise errors.put_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    if source.size != index.size:
        raise errors.put_sizes(source.size, index.size)
    index = np.asarray(_flat_index("put_", a, index)).reshape(-1)
    flat = np.array(a).reshape(-1)
    if accumulate:
        np.add.at(flat, index, source.reshape(-1))
    else:
        flat[index] = source.reshape(-1)
    return flat.reshape(a.shape) if a.ndim else flat[0]


@rule
def take_backward(g: Any, self: Any, index: Any) -> Any:
    """`g` added into zeros."""
    return ops.put(new_zeros(g, self.shape), index, g, True)


@rule
def put_source(g: Any, index: Any, source: Any) -> Any:
    """The gradient of the places, in the shape of the source."""
    return ops.view(ops.take(g, index), source.shape)


op("take(self, index: Tensor)", "TakeBackward0", take_kernel, inplace=False,
   self="take_backward(g, self, index)",
   says="each element collects the gradients of all places it was read into")
op("put(self, index: Tensor, source, accumulate=False)", "PutBackward0", put_kernel,
   self="g if accumulate else put(g, index, new_zeros(g, source.shape), False)",
   source="put_source(g, index, source)", hides="source",
   says="what was overwritten gets 0; the values get the gradient of the places they went to")
