"""`x[index]` and `x[index] = value`, step by step as PyTorch does them.

Integers, slices, None and `...` are views, one op each, in order; what remains of tensors, lists and masks is one
`index`. Assignment copies into such a view, or is one `index_put_`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import repeats
from engine.composites.from_python import from_data
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.types.dtypes import bool_, cast_number, int32, int64, uint8
from engine.types.shapes import is_index

_END = (1 << 63) - 1
_LONGEST_TUPLE = 32
"""A list shorter than this that holds tensors, slices or lists is read as a tuple."""
_INDEX_DTYPES = frozenset((int64, int32, uint8, bool_))


def getitem(self: Tensor, index: Any) -> Tensor:
    """`x[index]`."""
    kind = type(index)
    if kind is int:
        return _integer(self, 0, index)
    if kind is slice:
        return _sliced(self, 0, index, always=True)
    if index is None:
        return ops.unsqueeze(self, 0)
    if index is Ellipsis:
        return ops.alias(self)
    if kind is tuple:
        part = _plain(self, index)
        if part is not None:
            return ops.alias(part) if part is self else part
    part, tensors, places = _parts(self, index)
    if tensors:
        return ops.index(part, _indices(tensors), places)
    return ops.alias(part) if part is self else part


def _plain(x: Tensor, index: tuple[Any, ...]) -> Tensor | None:
    """`x[index]` for integers and slices only, the quick way; None for anything else."""
    for item in index:
        if type(item) is not int and type(item) is not slice:
            return None
    if len(index) > x._array.ndim:
        return None
    dim = 0
    for position, item in enumerate(index):
        if type(item) is int:
            x = _integer(x, dim, item, position)
        else:
            x = _sliced(x, dim, item, always=False)
            dim += 1
    return x


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """`x[index] = value`."""
    if self.is_sparse:
        raise errors.sparse_assignment()
    if not isinstance(value, Tensor):
        value = _assigned(self, value)
    kind = type(index)
    if index is False:
        return
    if index is Ellipsis:
        _copy_to(self, value)
    elif index is None or index is True:
        _copy_to(ops.unsqueeze(self, 0), value)
    elif kind is int:
        _copy_to(_integer(self, 0, index), value)
    elif kind is slice:
        _copy_to(_sliced(self, 0, index, always=False), value)
    else:
        if kind is tuple:
            target = _plain(self, index)
            if target is not None:
                _copy_to(target, value)
                return
        part, tensors, places = _parts(self, index)
        if tensors:
            fills = len(tensors) == 1 and value._array.size == 1
            if fills and _is_bytes(tensors[0]):
                raise errors.masked_fill_mask(uint8.cpp_name)
            fills = fills and tensors[0].dtype is bool_
            tensors = _indices(tensors)
            shape = _without_leading_ones(value._array.shape)
            ops.index_put_(part, tensors, value if shape == value._array.shape else ops.view(value, shape), places)
            if fills and repeats(part._array):  # which PyTorch leaves to masked_fill_
                errors.warn_expanded_write("masked_fill_")
        else:
            _copy_to(part, value)


def _assigned(self: Tensor, value: Any) -> Tensor:
    """A number as the 0-d tensor that is written."""
    if not isinstance(value, int | float | complex | np.integer):
        raise errors.assigned_type(value, self.dtype.tensor_type)
    plain = value.item() if isinstance(value, np.generic) else value
    return constant(cast_number(plain, self._array.dtype, scalar=True))


def _without_leading_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    start = next((i for i, extent in enumerate(shape) if extent != 1), len(shape))
    return shape[start:]


def _copy_to(target: Tensor, value: Tensor) -> None:
    own, shape = target._array.shape, value._array.shape
    if own == shape:
        ops.copy_(target, value)
    elif not shape:
        ops.fill_Tensor_(target, value)
    else:
        stripped = _without_leading_ones(shape)
        source = ops.view(value, stripped)
        ops.copy_(target, source if stripped == own else ops.expand(source, own))


def _integer(x: Tensor, dim: int, index: int, position: int = 0) -> Tensor:
    """One index; `position` in the whole index is what PyTorch calls the dimension when it is out of bounds."""
    shape = x._array.shape
    if not shape:
        raise errors.index_out_of_bounds(index, 0, 0) if index else errors.index_of_scalar()
    extent = shape[dim]
    if not -extent <= index < extent:
        if not -(1 << 63) <= index < 1 << 63:
            raise errors.integer_overflow()
        raise errors.index_out_of_bounds(index, position, extent)
    return ops.select(x, dim, index)


def _sliced(x: Tensor, dim: int, part: slice, always: bool) -> Tensor:
    """A slice; one that takes everything is the tensor itself unless `always`."""
    shape = x._array.shape
    start, stop, step = part.start, part.stop, part.step
    if start.__class__ is not int:
        start = _bound(start, 0)
    if stop.__class__ is not int:
        stop = _bound(stop, _END)
    if step is None:
        step = 1
    else:
        step = _bound(step, 1)
        if step <= 0:
            raise errors.negative_step() if step else ValueError("slice step cannot be zero")
    if not shape:
        raise errors.slice_scalar()
    if not always and start == 0 and step == 1 and stop >= shape[dim]:
        return x
    return ops.slice(x, dim, start, stop, step)


def _bound(value: Any, default: int) -> int:
    if value is None:
        return default
    if not is_index(value):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return max(-_END - 1, min(_END, int(value.__index__())))


def _parts(self: Tensor, index: Any) -> tuple[Tensor, list[Tensor], tuple[int, ...]]:
    """The view that the index's views lead to, its index tensors, and the dimensions they stand at."""
    given, ndim = _items(index), self._array.ndim
    if sum([_width(item) for item in given]) > ndim:  # before a look at what the items are
        raise errors.too_many_indices(ndim)
    items = [item if _is_simple(item) else _tensor(item) for item in given]
    used = sum([_width(item) for item in items])
    if used > ndim:
        raise errors.too_many_indices(ndim)
    x, dim = self, 0
    tensors: list[Tensor] = []
    places: list[int] = []
    for position, item in enumerate(items):
        if item is None:
            x = ops.unsqueeze(x, dim)
            dim += 1
        elif item is Ellipsis:
            dim += ndim - used
        elif isinstance(item, bool):
            x = ops.unsqueeze(x, dim)
            tensors.append(constant(np.zeros(int(item), np.int64)))
            places.append(dim)
            dim += 1
        elif isinstance(item, int):
            x = _integer(x, dim, item, position)
        elif isinstance(item, slice):
            x = _sliced(x, dim, item, always=False)
            dim += 1
        elif not item._array.ndim and item._array.dtype.kind in "iub" and item._batch is None:
            if item._array.dtype.kind == "i":
                x = _integer(x, dim, int(item._array), position)
                continue
            x = ops.unsqueeze(x, dim)
            tensors.append(constant(np.zeros(int(bool(item._array)), np.int64)))
            places.append(dim)
            dim += 1
        else:
            if item._batch is not None and item._array.dtype.kind == "b":
                raise errors.vmap_mask()
            tensors.append(item)
            places.append(dim)
            dim += max(_width(item), 1)
    return x, tensors, tuple(places)


def _items(index: Any) -> Sequence[Any]:
    """The index as a tuple. A short list that holds more than integers counts as one too, with a warning."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, list | str) and len(index) < _LONGEST_TUPLE:
        for item in index:
            if isinstance(item, Tensor | list | tuple | str | slice | np.ndarray):
                errors.warn_index_sequence()
                return index
            if item is None or item is Ellipsis:
                return index
    return (index,)


def _is_simple(item: Any) -> bool:
    return item is None or item is Ellipsis or isinstance(item, int | slice)


def _width(item: Any) -> int:
    """How many dimensions of the tensor an item stands for."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    if isinstance(item, Tensor) and item._array.dtype.kind in "bu" and item._array.dtype.itemsize == 1:
        return int(item._array.ndim)
    return 1


def _tensor(item: Any) -> Any:
    """An index tensor of what is neither a number nor a slice."""
    if isinstance(item, Tensor):
        return item
    if hasattr(item, "__array__"):
        item = np.asarray(item)[()]
    if isinstance(item, np.integer):
        return int(item)
    if isinstance(item, float | complex | dict | set | type) or not hasattr(item, "__len__"):
        if is_index(item):
            return int(item.__index__())
        raise errors.index_type(item)
    array = from_data(item)
    if array.dtype.kind != "b":
        array = array.astype(np.int64)
    return constant(array)


def _is_bytes(index: Tensor) -> bool:
    return index.dtype is uint8


def _indices(tensors: list[Tensor]) -> list[Tensor]:
    """Index tensors as an op takes them: integers of 32 or 64 bits, masks of bools."""
    if not all([index.dtype in _INDEX_DTYPES for index in tensors]):
        raise errors.index_dtype()
    return [_mask_of_bytes(index) if _is_bytes(index) else index for index in tensors]


def _mask_of_bytes(index: Tensor) -> Tensor:
    errors.warn_index_uint8()
    return constant(index._array != 0)


def index_arguments(function: str, indices: Any, ndim: int) -> tuple[list[Tensor], tuple[int, ...]]:
    """The index tensors and their dimensions of `index_put(indices, …)`."""
    if not isinstance(indices, tuple | list):
        raise errors.argument_type(function, "indices", 1, "tuple of Tensors", indices)
    for position, item in enumerate(indices):
        if not isinstance(item, Tensor):
            raise errors.expected_tensor_element(position, 0, item)
    if len(indices) > ndim:
        raise errors.too_many_indices(ndim, len(indices))
    tensors: list[Tensor] = []
    places: list[int] = []
    dim = 0
    for item in indices:
        tensors.append(item)
        places.append(dim)
        dim += max(_width(item), 1)
    return _indices(tensors), tuple(places)


def delitem(self: Tensor, index: Any) -> None:
    """`del tensor[index]`, which there is not."""
    raise errors.no_deletion()


for _name, _function in {"__getitem__": getitem, "__setitem__": setitem, "__delitem__": delitem}.items():
    setattr(Tensor, _name, _function)
