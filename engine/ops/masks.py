"""Reading and writing where a mask of bools is true."""

from __future__ import annotations

from typing import Any

from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.masks import (
    masked_fill_kernel,
    masked_scatter_backward_kernel,
    masked_scatter_kernel,
    masked_select_kernel,
)
from engine.kernels.memory_format import alike
from engine.ops.shape import new_zeros
from engine.types.shapes import broadcast_pair


@rule
def masked_select_backward(g: Any, self: Any, mask: Any) -> Any:
    """`g` put into zeros where the mask is true."""
    found = ops.masked_scatter(new_zeros(g, broadcast_pair(self.shape, mask.shape)), mask, g)
    return alike(found, self) if not isinstance(found, Tensor) and found.shape == self.shape else found


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
