"""Sorting: the gradient follows each value back to where it was."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.order import sort_kernel, topk_kernel
from engine.ops.shape import new_zeros
from engine.types.shapes import Shape


@rule
def ordered_backward(g: Any, dim: int, indices: Any, shape: Shape) -> Any:
    """`g` put back to the positions the values came from."""
    if not shape and not isinstance(g, Tensor):
        return g
    return ops.scatter_src(new_zeros(g, shape), dim, indices, g)


_SAYS = "each value's gradient goes back to the place the value came from"
op("sort(self, dim=-1, descending=False)", "SortBackward0", sort_kernel, outputs="values indices!", says=_SAYS,
   self="ordered_backward(g, dim, indices, self.shape)", vmap=rules.along("dim"), cost=250, workspace=3,
   backward_cost=1, memory_format="preserve", refuses={"c": " Sort does not support complex dtypes on CPU"},
   dim_first=True, opmath="bfloat16")
op("sort.stable(self, *, stable, dim=-1, descending=False)", "SortBackward1",
   lambda self, stable, dim=-1, descending=False: sort_kernel(self, dim, descending), outputs="values indices!",
   says=_SAYS, self="ordered_backward(g, dim, indices, self.shape)", vmap=rules.along("dim"), cost=250, workspace=3,
   backward_cost=2, memory_format="preserve", refuses={"c": " Sort does not support complex dtypes on CPU"},
   dim_first=True, opmath="bfloat16")
op("topk(self, k, dim=-1, largest=True, sorted=True)", "TopkBackward0", topk_kernel, outputs="values indices!",
   says=_SAYS + "; the others get 0", self="ordered_backward(g, dim, indices, self.shape)", vmap=rules.along("dim"),
   cost=250, workspace=3, backward_cost=1, memory_format="contiguous",
   refuses={"c": " topk does not support complex dtypes on CPU", "b": "topk does not support bool dtypes on CPU"},
   dim_first=True, opmath="bfloat16")
op("argsort(self: Tensor, dim=-1, descending=False)", None, "sort_kernel(self, dim, descending)[1]", inplace=False,
   vmap=rules.along("dim"), cost=250, workspace=3, memory_format="preserve",
   refuses={"c": " Sort does not support complex dtypes on CPU"}, dim_first=True, opmath="bfloat16")
