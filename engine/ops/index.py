"""Reading and writing by index tensors: what was read collects the gradients of all places it went to."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import costs
from engine.batching import rules
from engine.codegen.latex import ADDED_UP
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.index import (
    gather_kernel,
    index_add_kernel,
    index_copy_kernel,
    index_fill_kernel,
    index_select_kernel,
    put_kernel,
    scatter_add_kernel,
    take_kernel,
)
from engine.kernels.memory_format import alike
from engine.ops.shape import new_zeros
from engine.types.shapes import Shape

op("index(self, indices: Tensors, places)", "IndexBackward0", "index_kernel(self, indices, places)", inplace=False,
   self="_index_put_impl(new_zeros(g, self.shape), indices, g, places, True)",
   tex=ADDED_UP, says="the gradient goes back to the places that were read, adding up where one was read twice",
   vmap=rules.index, cost=costs.READ, workspace=3, backward_cost=1, gathers=True)
_WRITTEN: dict[str, Any] = {"backward_cost": 1, "internal_overlap": "warn", "overlap": "any"}
for _name, _node, _traits in (
    ("index_put", "IndexPutBackward0", _WRITTEN),
    ("_index_put_impl", "IndexPutImplBackward0", {}),  # only formulas call it
):
    op(f"{_name}(self, indices: Tensors, values, places, accumulate=False)", _node,
       "index_put_kernel(self, indices, values, places, accumulate)",
       self="g if accumulate else index_put(g, indices, new_zeros(g, ()), places, False)",
       values="index(g, indices, places)",
       says="what was overwritten gets 0; the values get the gradient of the places they went to", vmap=rules.index_put,
       vmap_inplace=rules.index_put_, cost=costs.WRITTEN, **_traits, opmath="bfloat16")

op("gather(self, dim, index: Tensor, *, sparse_grad=False)", "GatherBackward0", gather_kernel, inplace=False,
   self="gather_backward(g, self, dim, index, sparse_grad)",
   tex=ADDED_UP, says="each element collects the gradients of all places it was read into", vmap=rules.gather,
   cost=costs.READ, backward_cost=1, gathers=True, memory_format="contiguous")


@rule
def gather_backward(g: Any, self: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    """`g` added into zeros where the index points."""
    return ops.scatter_add(new_zeros(g, self.shape), dim, index, g)


op("scatter.src(self, dim, index: Tensor, src)", "ScatterBackward0", "scatter_kernel(self, dim, index, src)",
   self="scatter_value(g, dim, index, 0)", src="gather(g, dim, index)",
   says="what was overwritten gets 0; the values get the gradient of the places they went to", vmap=rules.gather,
   cost=50, backward_cost=1, memory_format="contiguous", overlap="any", memory_last=True)
op("scatter.value(self, dim, index: Tensor, value: Scalar)", "ScatterBackward1",
   "scatter_kernel(self, dim, index, None, value)", self="scatter_value(g, dim, index, 0)",
   says="what was overwritten gets 0", vmap=rules.gather, cost=50, backward_cost=1, memory_format="contiguous",
   overlap="any", memory_last=True)
op("scatter.src_reduce(self: Tensor, dim, index: Tensor, src: Tensor, *, reduce)", None,
   "scatter_with_kernel(self, dim, index, src, None, reduce)", vmap=rules.gather, cost=150, workspace=4,
   memory_format="contiguous", overlap="any", memory_last=True)
op("scatter.value_reduce(self: Tensor, dim, index: Tensor, value: Scalar, *, reduce)", None,
   "scatter_with_kernel(self, dim, index, None, value, reduce)", vmap=rules.gather, cost=150,
   memory_format="contiguous", overlap="any", memory_last=True)
op("scatter_add(self, dim, index: Tensor, src)", "ScatterAddBackward0", scatter_add_kernel,
   self="g", src="gather(g, dim, index)", says="each value gets the gradient of the place it was added to",
   vmap=rules.gather, cost=50, backward_cost=1, memory_format="contiguous", overlap="any", memory_last=True,
   opmath="bfloat16")

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
   tex=ADDED_UP, says="each slice collects the gradients of all places it was copied to", vmap=rules.index_select,
   cost=costs.READ, backward_cost=1, gathers=True)
op("index_add(self, dim, index: Tensor, source, *, alpha: Scalar = 1)", "IndexAddBackward0", index_add_kernel,
   self="g",
   source="selected_source(g, dim, index, source, source.ndim) if alpha == 1 else "
   "selected_source(g, dim, index, source, source.ndim) * alpha",
   says="each slice gets the gradient of the place it was added to", vmap=rules.index_add, cost=50, backward_cost=1,
   memory_format="contiguous", overlap="any", memory_last=True, opmath="bfloat16")
op("index_copy(self, dim, index: Tensor, source)", "IndexCopyBackward0", index_copy_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", source="selected_source(g, dim, index, source, source.ndim)",
   says="what was overwritten gets 0; the source gets the gradient of the places it went to", vmap=rules.index_add,
   cost=50, backward_cost=2, memory_format="contiguous", overlap="any")
op("index_fill.int_Scalar(self, dim, index: Tensor, value: Scalar)", "IndexFillBackward0", index_fill_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", says="what was overwritten gets 0", vmap=rules.index_fill, cost=50,
   internal_overlap="warn", overlap="any", memory_last=True)


@rule
def distinct(index: Any) -> Any:
    """The index without repetitions."""
    if isinstance(index, Tensor):
        return Tensor._from_array(np.unique(index._array))
    return np.unique(index)


op("index_fill.int_Tensor(self, dim, index: Tensor, value)", "IndexFillBackward1", index_fill_kernel,
   self="index_fill_int_Scalar(g, dim, index, 0)", value="sum(index_select(g, dim, distinct(index)))",
   says="what was overwritten gets 0; the value gets the sum of the gradients of the places it went to", cost=50,
   backward_cost=4, internal_overlap="warn", overlap="any", memory_last=True)

@rule
def take_backward(g: Any, self: Any, index: Any) -> Any:
    """`g` added into zeros."""
    found = ops.put(new_zeros(g, self.shape), index, g, True)
    return found if isinstance(found, Tensor) else alike(found, self)


@rule
def put_source(g: Any, index: Any, source: Any) -> Any:
    """The gradient of the places, in the shape of the source."""
    return ops.view(ops.take(g, index), source.shape)


op("take(self, index: Tensor)", "TakeBackward0", take_kernel, inplace=False,
   self="take_backward(g, self, index)",
   says="each element collects the gradients of all places it was read into", cost=costs.READ, gathers=True)
op("put(self, index: Tensor, source, accumulate=False)", "PutBackward0", put_kernel,
   self="g if accumulate else put(g, index, new_zeros(g, source.shape), False)",
   source="put_source(g, index, source)", hides="source",
   says="what was overwritten gets 0; the values get the gradient of the places they went to", cost=50,
   memory_format="preserve", overlap="any", memory_last=True, opmath="bfloat16")
