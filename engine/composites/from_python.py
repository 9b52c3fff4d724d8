"""Python data as arrays: what `torch.tensor` makes of numbers and nested sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo
from engine.types.dtypes import cast_number

_PLAIN, _FLOATS = {int, float, bool, complex}, {float}
_DEEPEST = 64


def from_data(data: Any, dtype: Any = None) -> Any:
    """A numpy value holding a copy of `data`; `dtype` None infers it. Raises PyTorch's errors for what is no data."""
    if type(data) is list and dtype is None and set(map(type, data)) == _FLOATS:  # the commonest data
        meter.allocate(len(data), 8)
        return np.array(data, dtypes.get_default().np)
    if isinstance(data, Tensor):
        return _copied(data._array, dtype, "K")
    if isinstance(data, np.ndarray | np.generic):
        dtypes.of_foreign(data.dtype)
        if data.ndim and any(stride < 0 for stride in data.strides):
            raise errors.negative_strides()
        return _copied(data, dtype)
    if type(data) in _PLAIN:
        kind = dtypes.of_number(data).np if dtype is None else dtype
        return converted(data, kind)
    if isinstance(data, str | bytes):
        raise errors.data_type(data)
    if not _is_sequence(data):
        if isinstance(data, int | float | complex):
            return converted(data, dtypes.of_number(data).np if dtype is None else dtype)
        if hasattr(data, "__array__"):
            return from_data(np.asarray(data), dtype)
        if dtype is None:
            raise errors.dtype_not_inferred(data)
        raise errors.not_of_dtype(data, dtype.kind in dtypes.INEXACT)
    shape = _shape(data)
    elements = 1
    for extent in shape:
        elements *= extent
    meter.allocate(elements, 8)
    if isinstance(data[0] if len(data) else None, np.ndarray):
        errors.warn_arrays_in_list()
    kind = _inferred(data) if dtype is None else dtype
    flat: list[Any] = []
    if elements:
        _collect(data, shape, 0, flat, kind.kind in dtypes.INEXACT)
    return _filled(flat, shape, kind)


def _copied(a: Any, dtype: Any, order: Any = "C") -> Any:
    if type(a) is Coo:
        return a.copy() if dtype is None or dtype == a.dtype else a.astype(dtype)
    meter.allocate(a.size, a.itemsize if dtype is None else dtype.itemsize)
    if dtype is None or dtype == a.dtype:
        return a.copy(order)
    if a.dtype.kind == "c" and dtype.kind != "c":
        a = a.real
    return a.astype(dtype, order)


def _is_sequence(data: Any) -> bool:
    return isinstance(data, list | tuple | range) or (
        hasattr(data, "__len__") and hasattr(data, "__getitem__") and not isinstance(data, dict | str | type)
    )


def _shape(data: Any) -> tuple[int, ...]:
    """The sizes along the first elements, as PyTorch finds them."""
    shape: list[int] = []
    while True:
        if isinstance(data, np.ndarray):
            if not data.ndim:
                raise errors.unsized_array()
            return (*shape, *data.shape)
        if isinstance(data, Tensor):
            return tuple(shape)
        if isinstance(data, str):
            if shape:
                raise errors.string_dimensions()
            raise errors.data_type(data)
        if not _is_sequence(data):
            return tuple(shape)
        if len(shape) > _DEEPEST:
            raise errors.too_deep(data)
        shape.append(len(data))
        if not len(data):
            return tuple(shape)
        data = data[0]


def _inferred(data: Any) -> Any:
    """The dtype of all the numbers together; of an empty sequence the default dtype."""
    found: dtypes.dtype | None = None
    todo = [data]
    kinds: set[type] = set()
    while todo:
        item = todo.pop()
        kind = type(item)
        if kind in _PLAIN:
            kinds.add(kind)
        elif isinstance(item, Tensor | np.ndarray | np.generic):
            dtype = dtypes.of(item._array.dtype) if isinstance(item, Tensor) else dtypes.of_foreign(item.dtype)
            found = dtype if found is None else dtypes.promote_types(found, dtype)
        elif isinstance(item, str | bytes):
            raise errors.data_type(item)
        elif _is_sequence(item):
            if not len(item):
                kinds.add(float)
            todo.extend(reversed(item) if isinstance(item, list) else list(item))
        elif isinstance(item, int | float | complex):
            kinds.add(next(base for base in (bool, int, float, complex) if isinstance(item, base)))
        else:
            raise errors.dtype_not_inferred(item)
    for kind in kinds:
        dtype = dtypes.of_number(kind())
        found = dtype if found is None else dtypes.promote_types(found, dtype)
    assert found is not None
    return found.np


def _collect(data: Any, shape: tuple[int, ...], dim: int, flat: list[Any], real: bool) -> None:
    """The numbers in order, checking that every sequence is as long as its first sibling; `real`: for no integers."""
    if dim == len(shape):
        flat.append(_scalar(data, real))
        return
    if isinstance(data, np.ndarray):
        data = data.tolist()
    if not _is_sequence(data):
        raise errors.not_a_sequence()
    if len(data) != shape[dim]:
        raise errors.sequence_length(shape[dim], dim, len(data))
    if dim + 1 == len(shape) and all([type(item) in _PLAIN for item in data]):
        flat.extend(data)
        return
    for item in data:
        _collect(item, shape, dim + 1, flat, real)


def _scalar(value: Any, real: bool) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Tensor):
        if value._array.size != 1:
            raise errors.not_one_element()
        if value._batch is not None:
            raise errors.vmap_item()
        if value.requires_grad and state.grad:
            errors.warn_scalar_of_grad()
        if state.observer is not None and (value._requires_grad or value._cut is not None):
            state.observer.left(value, "tensor")
        return value._array.item()
    if isinstance(value, np.ndarray | np.generic):
        if value.size != 1:
            raise errors.not_a_python_scalar()
        return value.item()
    if isinstance(value, int | float | complex):
        return value
    raise errors.not_of_dtype(value, real)


def _filled(flat: list[Any], shape: tuple[int, ...], dtype: Any) -> Any:
    kind = dtype.kind
    if kind in "iu":
        if set(map(type, flat)) == {int}:
            limits = np.iinfo(dtype)
            fits = limits.min <= min(flat) and max(flat) <= limits.max
        else:
            fits = not flat
        if not fits:
            meter.charge(len(flat) >> 2)
            flat = [converted(v, dtype) for v in flat]
    elif kind in dtypes.FLOATING and any([type(v) is complex for v in flat]):
        raise errors.conversion_overflow(dtypes.of(dtype).cpp_name)
    elif kind == "b":
        flat = [bool(v) for v in flat]
    return np.array(flat, dtype).reshape(shape)


def converted(value: Any, dtype: Any) -> Any:
    """A Python number as a numpy scalar of `dtype`. Raises when an integer type cannot hold it."""
    if isinstance(value, int) and not isinstance(value, bool) and dtype.kind in "iu":
        if not -(1 << 63) <= value < 1 << (64 if dtype.itemsize == 8 and dtype.kind == "u" else 63):
            raise errors.integer_overflow()
        if value < 0 and dtype == np.uint64:
            raise errors.negative_integer()
    return cast_number(value, dtype)
