"""Reading and writing where a mask of bools is true."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.limits import meter
from engine.ops.shape import new_zeros
from engine.types import dtypes
from engine.types.shapes import Shape, broadcast_pair


@kernel
def masked_fill_kernel(a: Any, mask: Any, value: Any) -> Any:
    if mask.dtype.kind != "b":
        raise errors.masked_fill_mask(_cpp_name(mask))
    if np.ndim(value):
        raise errors.fill_value_dimensions("masked_fill_", np.ndim(value))
    if mask.shape != a.shape:
        broadcast_pair(mask.shape, a.shape)
    kind = a.dtype
    if isinstance(value, np.generic | np.ndarray):
        value = value.astype(kind)
    elif isinstance(value, float) and kind.kind in "iu":
        value = int(value)
    filled = np.where(mask, kind.type(value), a)
    return filled if filled.ndim else filled[()]


def _cpp_name(a: Any) -> str:
    return {"int64": "long int", "uint8": "unsigned char"}.get(a.dtype.name, dtypes.of(a.dtype).cpp_name)


@kernel
def masked_select_kernel(a: Any, mask: Any) -> Any:
    if mask.dtype.kind != "b":
        raise errors.masked_select_mask()
    shape = broadcast_pair(mask.shape, a.shape)
    meter.allocate(math.prod(shape), a.itemsize)
    return np.broadcast_to(a, shape)[np.broadcast_to(mask, shape)].reshape(-1)


@kernel
def masked_scatter_kernel(a: Any, mask: Any, source: Any) -> Any:
    if mask.dtype.kind != "b":
        raise errors.masked_scatter_mask()
    if source.dtype != a.dtype:
        raise errors.masked_scatter_dtypes(dtypes.of(a.dtype).type_name, dtypes.of(source.dtype).type_name)
    shape = broadcast_pair(mask.shape, a.shape)
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


@rule
def masked_select_backward(g: Any, self: Any, mask: Any) -> Any:
    """`g` put into zeros where the mask is true."""
    return ops.masked_scatter(new_zeros(g, broadcast_pair(self.shape, mask.shape)), mask, g)


op("masked_fill.Scalar(self, mask: Tensor, value: Scalar)", "MaskedFillBackward0", masked_fill_kernel,
   self="masked_fill_Scalar(g, mask, 0)", says="what was overwritten gets 0")
op("masked_fill.Tensor(self, mask: Tensor, value)", "MaskedFillBackward1", masked_fill_kernel,
   self="masked_fill_Scalar(g, mask, 0)", value="sum(masked_select(g, mask))",
   says="what was overwritten gets 0; the value gets the sum of the gradients of the places it went to")
op("masked_select(self, mask: Tensor)", "MaskedSelectBackward0", masked_select_kernel, inplace=False,
   self="masked_select_backward(g, self, mask)",
   says="the gradient goes back to where the mask is true; the rest gets 0")
op("masked_scatter(self, mask: Tensor, source)", "MaskedScatterBackward0", masked_scatter_kernel,
   self="masked_fill_Scalar(g, mask, 0)", source="masked_scatter_backward(g, mask, source.shape)",
   says="what was overwritten gets 0; the source gets the gradient of the places it went to")
op("masked_scatter_backward(grad_output, mask: Tensor, sizes)", "MaskedScatterBackwardBackward0",
   masked_scatter_backward_kernel, inplace=False,
   grad_output="masked_scatter(new_zeros(g, grad_output.shape), mask, g)")
