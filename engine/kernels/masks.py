"""Reading and writing where a mask of bools is true."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Shape, broadcast_pair, expandable, expanded


@kernel
def masked_fill_kernel(a: Any, mask: Any, value: Any) -> Any:
    if mask.shape != a.shape:
        broadcast_pair(mask.shape, a.shape)
    if np.ndim(value):
        raise errors.fill_value_dimensions("masked_fill_", np.ndim(value))
    if mask.dtype.kind != "b":
        raise errors.masked_fill_mask(dtypes.of(mask.dtype).cpp_name)
    kind = a.dtype
    if isinstance(value, np.generic | np.ndarray):
        value = value.astype(kind)
    elif not isinstance(value, complex):
        value = dtypes.cast_number(value, kind, scalar=True)
    filled = np.where(mask, kind.type(value), a)
    return filled if filled.ndim else filled[()]


def is_one_value(operands: dict[str, Any]) -> bool:
    """Whether what masked elements get is a number: anything else is refused whatever its shape."""
    return not np.ndim(operands["value"])


@kernel
def masked_select_kernel(a: Any, mask: Any) -> Any:
    if mask.dtype.kind != "b":
        raise errors.masked_select_mask()
    shape = broadcast_pair(mask.shape, a.shape)
    meter.allocate(math.prod(shape), a.itemsize)
    return np.broadcast_to(a, shape)[np.broadcast_to(mask, shape)].reshape(-1)


@kernel
def masked_scatter_kernel(a: Any, mask: Any, source: Any) -> Any:
    shape = broadcast_pair(mask.shape, a.shape)
    if source.dtype != a.dtype:
        raise errors.masked_scatter_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    if mask.dtype.kind != "b":
        raise errors.masked_scatter_mask(dtypes.of(mask.dtype).type_name)
    places = np.broadcast_to(mask, shape)
    count = np.count_nonzero(places)
    if source.size < count:
        raise errors.masked_scatter_elements()
    whole = np.array(np.broadcast_to(a, shape))
    whole[places] = source.reshape(-1)[:count]
    return whole if whole.ndim else whole[()]


@kernel
def masked_scatter_backward_kernel(g: Any, mask: Any, sizes: Shape) -> Any:
    found = masked_select_kernel(g, mask)
    whole = np.zeros(math.prod(sizes), g.dtype)
    whole[: found.size] = found
    return whole.reshape(sizes) if sizes else whole[0]


def masked_scatter_sizes(operands: dict[str, Any]) -> None:
    """Refuse a mask that does not expand to what is written to."""
    own, mask = operands["self"], operands["mask"]
    if operands["source"].dtype == own.dtype and not expandable(mask.shape, own.shape):
        expanded(mask.shape, own.shape, dtypes.of(mask.dtype).cpp_type)
