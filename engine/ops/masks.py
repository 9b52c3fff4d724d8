"""Reading and writing where a mask of bools is true."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, pointwise, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.masks import (
    is_one_value,
    masked_fill_kernel,
    masked_scatter_backward_kernel,
    masked_scatter_kernel,
    masked_scatter_sizes,
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


pointwise(
    "masked_fill.Scalar(self, mask: Tensor, value: Scalar)", "MaskedFillBackward0", masked_fill_kernel,
    self="masked_fill_Scalar(g, mask, 0)", says="what was overwritten gets 0", broadcasts=True, cost=20,
    memory_format="contiguous", formula_format="contiguous", converts="value", internal_overlap="warn", overlap="none",
    inplace_broadcast=is_one_value,
)
op("masked_fill.Tensor(self, mask: Tensor, value)", "MaskedFillBackward1", masked_fill_kernel,
   self="masked_fill_Scalar(g, mask, 0)", value="sum(masked_select(g, mask))",
   says="what was overwritten gets 0; the value gets the sum of the gradients of the places it went to",
   vmap=rules.masked_fill, broadcasts=True, cost=20, backward_cost=1, memory_format="contiguous",
   internal_overlap="warn", overlap="none", inplace_broadcast=is_one_value)
op("masked_select(self, mask: Tensor)", "MaskedSelectBackward0", masked_select_kernel, inplace=False,
   self="masked_select_backward(g, self, mask)",
   says="the gradient goes back to where the mask is true; the rest gets 0", vmap_error=errors.vmap_masked_select,
   cost=50)
op("masked_scatter(self, mask: Tensor, source)", "MaskedScatterBackward0", masked_scatter_kernel,
   self="masked_fill_Scalar(g, mask, 0)", source="masked_scatter_backward(g, mask, source.shape)",
   says="what was overwritten gets 0; the source gets the gradient of the places it went to", cost=50, backward_cost=2,
   memory_format="contiguous", inplace_check=masked_scatter_sizes)
op("masked_scatter_backward(grad_output, mask: Tensor, sizes)", "MaskedScatterBackwardBackward0",
   masked_scatter_backward_kernel, inplace=False,
   grad_output="masked_scatter(new_zeros(g, grad_output.shape), mask, g)", cost=50)
