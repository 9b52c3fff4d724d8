"""Reading and writing by index tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels.memory_format import contiguous, ordered
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Shape, expandable, wrap_dim

_FEW = 1 << 16
"""Elements that are read or written without being counted first: an index may take them all for each of its own."""


#
# `indices` are the index tensors, `places` the dimensions they stand at; the other dimensions are kept whole.
def _key(shape: Shape, indices: Sequence[Any], places: Sequence[int]) -> tuple[Any, ...]:
    """The numpy index, after the checks that numpy words differently."""
    key: list[Any] = []
    shapes = []
    outside = False
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
                outside = True
        key.append(index)
        shapes.append(index.shape)
    if len(shapes) > 1 and any(s != shapes[0] for s in shapes):
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise errors.index_shapes(*shapes) from None
    if outside:
        raise _outside(shape, key)
    return tuple(key)


def _outside(shape: Shape, key: Sequence[Any]) -> IndexError:
    """The complaint about the first element that lies outside; of dimensions only those with an index are counted."""
    pairs = [(index, extent) for index, extent in zip(key, shape, strict=False) if not isinstance(index, slice)]
    ndim = max(index.ndim for index, _ in pairs)
    found = []
    for dim, (index, extent) in enumerate(pairs):
        wrong = (index < -extent) | (index >= extent)
        if wrong.any():
            where = np.unravel_index(np.argmax(wrong), index.shape)
            found.append(((0,) * (ndim - index.ndim) + where, dim, int(index[where]), extent))
    _, dim, wrong, extent = min(found)
    return errors.index_out_of_bounds(wrong, dim, extent)


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
        costs.gathered(costs.READ, _count(a.shape, key), a.dtype)
    found = a[key]
    if not many:
        costs.gathered(costs.READ, found.size, a.dtype)
    if a.flags.c_contiguous or found.ndim < 2:
        return contiguous(found)
    return ordered(found, _index_strides(a, key))


def _index_strides(a: Any, key: tuple[Any, ...]) -> list[list[int]]:
    """How an indexed tensor, and each index, advances along the dimensions of the result."""
    places = [place for place, index in enumerate(key) if not isinstance(index, slice)]
    kept = [stride for place, stride in enumerate(a.strides) if place not in places]
    given = np.broadcast_arrays(*[key[place] for place in places])
    first = places[0] if places[-1] - places[0] == len(places) - 1 else 0
    before, after = kept[:first], kept[first:]
    return [
        [*before, *[0] * given[0].ndim, *after],
        *[[*[0] * len(before), *index.strides, *[0] * len(after)] for index in given],
    ]


def _written(shape: Shape, indices: Sequence[Any], places: Sequence[int]) -> Shape | None:
    """The shape of what is written to, were all indices in range; None where they do not fit at all."""
    inside = [index if index.dtype.kind == "b" else np.zeros_like(index) for index in indices]
    try:
        written: Shape = np.broadcast_to(np.int8(0), shape)[_key(shape, inside, places)].shape
    except IndexError:
        return None
    return written


@kernel
def index_put_kernel(
    a: Any, indices: Sequence[Any], values: Any, places: Sequence[int], accumulate: bool = False
) -> Any:
    a = np.array(a)
    masked = len(indices) == 1 and indices[0].dtype.kind == "b" and values.size == 1 and not accumulate
    if values.dtype != a.dtype and masked:
        values = values.astype(a.dtype)  # PyTorch fills, and filling converts
    try:
        key = _key(a.shape, indices, places)
    except IndexError:
        wanted = _written(a.shape, indices, places)
        if wanted is not None and not expandable(values.shape, wanted):
            raise errors.index_value_shape(values.shape, wanted) from None
        raise
    if a.size * max([index.size for index in indices]) > _FEW:
        costs.charge(_count(a.shape, key), costs.WRITTEN)
    if values.dtype != a.dtype:
        if not expandable(values.shape, a[key].shape):
            raise errors.index_value_shape(values.shape, a[key].shape)
        raise errors.index_put_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(values.dtype).type_name)
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


def _copied(a: Any) -> None:
    """Charge the copy that numpy makes of an array which is not contiguous, before it picks from it."""
    if not a.flags.c_contiguous:
        meter.reserve(a.size, a.itemsize)
        costs.work(costs.COPIED, a)


def _check_index(function: str, a: Any, dim: int, index: Any) -> int:
    """The wrapped dimension. RuntimeError for an index of the wrong type, shape or range."""
    dim = wrap_dim(dim, a.ndim)
    if index.size and (index.dtype.kind != "i" or index.itemsize < 4):
        raise errors.gather_dtype(function)
    extent = a.shape[dim] if a.ndim else 1
    if index.size:
        if max(index.ndim, 1) != max(a.ndim, 1):
            raise errors.gather_dimensions("input" if function == "gather" else "self")
        low, high = int(index.min()), int(index.max())
        if low < 0 or high >= extent:
            raise errors.gather_index(_out_of_range(index, extent) or 0, dim, extent)
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
    costs.gathered(costs.READ, index.size, a.dtype)
    return a[_places(index, dim)]


def scatter_target(function: str, a: Any, dim: int, index: Any, source: Any = None) -> tuple[Any, Any, Any]:
    """A copy to write to, the numpy index, and the part of `source` that is written."""
    if index.size and source is not None:
        wrap_dim(dim, a.ndim)
        if index.dtype.kind != "i" or index.itemsize < 4:
            raise errors.gather_dtype(function)
        if source.dtype != a.dtype:
            raise errors.scatter_dtype(function)
        if max(index.ndim, 1) == max(a.ndim, 1) < max(source.ndim, 1):
            raise errors.gather_dimensions("src")
        if not a.ndim and not source.ndim and index.ndim == 1 < index.size:
            raise errors.scatter_size(index.shape, (), 0, ())
    dim = _check_index(function, a, dim, index)
    whole = np.array(a)
    if not index.size:
        empty = np.zeros(0, np.int64)
        return whole, (whole.reshape(-1), (empty,)), np.zeros(0, a.dtype)
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
    flat[places] = dtypes.cast_number(value, a.dtype, scalar=True) if part is None else part
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


def _check_slices(function: str, a: Any, dim: int, index: Any) -> int:
    dim = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        if function in ("index_add", "index_reduce"):
            raise errors.index_add_vector(function, dtypes.of(index.dtype).type_name, index.shape)
        raise errors.index_not_vector(function)
    if index.dtype.kind != "i" or index.itemsize < 4:
        if function in ("index_add", "index_reduce"):
            raise errors.index_add_index(function, dtypes.of(index.dtype).type_name)
        raise errors.gather_dtype(function, "int32 or int64" if function == "index_select" else "int32/int64")
    return dim


def _out_of_range(index: Any, extent: int, negative: bool = False) -> int | None:
    """The first index that is out of range, or None."""
    lowest = -extent if negative else 0
    if not index.size or lowest <= index.min() and index.max() < extent:
        return None
    return int(index[(index < lowest) | (index >= extent)].flat[0]) if index.ndim else int(index)


@kernel
def index_select_kernel(a: Any, dim: int, index: Any) -> Any:
    if not a.ndim and index.size != 1 and index.ndim < 2:
        wrap_dim(dim, 0)
        raise errors.index_to_scalar(index.size)
    dim = _check_slices("index_select", a, dim, index)
    wrong = _out_of_range(index, a.shape[dim] if a.ndim else 1)
    if wrong is not None:
        raise errors.indices_outside(wrong, a.shape[1]) if dim == 1 else errors.index_in_self()
    if not a.ndim:
        return a.copy()
    costs.gathered(costs.READ, a.size // max(a.shape[dim], 1) * index.size, a.dtype)
    _copied(a)
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
    wrong = _out_of_range(index, extent)
    if wrong is not None:
        raise errors.index_copy_out_of_bounds(wrong, dim, extent)


def _check_source(function: str, a: Any, dim: int, index: Any, source: Any) -> None:
    if a.dtype != source.dtype:
        raise errors.index_add_dtypes(function, dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    if not source.ndim and index.size != 1:
        raise errors.dim_of_no_dims(dim)
    if function == "index_add_" and dim >= max(source.ndim, 1):
        raise errors.index_source_dim(dim, source.ndim)
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
        scattered = function == "index_add" and a.ndim > 1 and dim in (0, a.ndim - 1)
        raise errors.gather_index(wrong, dim, a.shape[dim]) if scattered else errors.index_in_self()
    return dim


@kernel
def index_add_kernel(a: Any, dim: int, index: Any, source: Any, alpha: Any = 1) -> Any:
    dim = check_slices("index_add", a, dim, index, source)
    alpha = dtypes.cast_number(alpha, a.dtype, scalar=True)
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
    if np.ndim(value):
        raise errors.fill_value_dimensions("index_fill_", np.ndim(value))
    if index.dtype != np.int64:
        raise errors.index_fill_dtype()
    dim = wrap_dim(dim, a.ndim)
    if index.ndim > 1:
        raise errors.index_fill_vector()
    if isinstance(value, complex) and a.dtype.kind != "c":
        raise errors.index_fill_complex()
    extent = a.shape[dim] if a.ndim else 1
    wrong = _out_of_range(index, extent, negative=True)
    if wrong is not None:
        raise errors.index_out_of_bounds(wrong, dim, extent)
    if not isinstance(value, np.generic | np.ndarray):
        value = dtypes.cast_number(value, a.dtype, scalar=True)
    whole = np.array(a)
    flat = whole.reshape(-1) if not whole.ndim else whole
    np.moveaxis(flat, dim, 0)[index.reshape(-1)] = value
    return whole if whole.ndim else whole[()]


def _flat_index(function: str, a: Any, index: Any) -> Any:
    if index.dtype != np.int64:
        raise errors.take_dtype(function, dtypes.of(index.dtype).type_name)
    wrong = _out_of_range(np.asarray(index), a.size, negative=True)
    if wrong is not None:
        raise errors.take_out_of_range(wrong, a.size)
    return index


@kernel
def take_kernel(a: Any, index: Any) -> Any:
    if index.dtype != np.int64:
        raise errors.take_dtype("take", dtypes.of(index.dtype).type_name)
    if not a.size and index.size:
        raise errors.take_from_empty()
    costs.gathered(costs.READ, index.size, a.dtype)
    _copied(a)
    return a.reshape(-1)[_flat_index("take", a, index)]


@kernel
def put_kernel(a: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    if index.dtype != np.int64:
        raise errors.take_dtype("put_", dtypes.of(index.dtype).type_name)
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
