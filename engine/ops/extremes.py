"""Largest, smallest and middle elements: whose the gradient is when several are equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.reduction import added, axes
from engine.ops.reduction import reviewed, values


@rule
def to_selected(g: Any, dim: int, indices: Any, shape: tuple[int, ...], keepdim: bool) -> Any:
    """The gradient of a selection along `dim`: each result's gradient goes to the element it came from."""
    if not shape and not isinstance(g, Tensor):
        return g
    if not keepdim and shape:
        g, indices = ops.unsqueeze(g, dim), ops.unsqueeze(indices, dim)
    if isinstance(g, Tensor):
        return ops.scatter_src(constant(np.zeros(shape, g._array.dtype)), dim, indices, g)
    out = np.zeros(shape, g.dtype)
    np.put_along_axis(out, indices, g, dim)
    return out


@rule
def shared(g: Any, self: Any, result: Any) -> Any:
    """The gradient of an extreme of all elements, in equal parts to those that equal it."""
    array, extreme = values(self), values(result)
    mask = np.isnan(array) if np.isnan(extreme) else array == extreme
    number = np.int64(np.count_nonzero(mask))
    if not isinstance(g, Tensor):
        return np.ascontiguousarray(np.where(mask, g / g.dtype.type(number), g.dtype.type(0)))[()]
    return ops.masked_fill_Tensor(constant(np.zeros_like(array)), constant(mask), g / constant(number))


@rule
def shared_along(g: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """As `shared`, along dimensions."""
    array = values(self)
    reduced = axes(dim, array.ndim)
    extreme = np.reshape(values(result), [1 if i in reduced else n for i, n in enumerate(array.shape)])
    mask = array == extreme
    number = added(np.asarray(mask), axis=reduced, keepdims=True, dtype=np.int64)[()]
    if isinstance(g, Tensor):
        return reviewed(g, array.shape, dim, keepdim) / constant(number) * constant(mask)
    return (reviewed(g, array.shape, dim, keepdim) / number.astype(g.dtype) * mask)[()]


CHOSEN = "the gradient goes to the element that was chosen"
SHARED = "the gradient goes to the chosen element; equals share it"
for _name, _title in (("max", "Max"), ("min", "Min")):
    op(
        f"{_name}.dim(self, dim, keepdim=False)", f"{_title}Backward0", f"{_name}_along(self, dim, keepdim)",
        outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
        vmap=rules.along("dim"), cost=20, memory_format="contiguous",
        refuses={"c": f"{_name}(): does not support complex input"}, dim_first=True, opmath="bfloat16",
    )
    op(
        f"{_name}(self)", f"{_title}Backward1", f"extreme(self, {_name!r})", self="shared(g, self, result)",
        inplace=False,
        says=SHARED, vmap=rules.flattened, cost=8, refuses={"c": f"{_name}_all"}, opmath="bfloat16",
    )
    op(
        f"a{_name}(self, dim=(), keepdim=False)", f"A{_name}Backward0",
        f"extreme_along(self, dim, keepdim, 'a{_name}')",
        self="shared_along(g, self, result, dim, keepdim)", inplace=False, says=SHARED, vmap=rules.along("dim"), cost=8,
        backward_cost=1, memory_format="contiguous", refuses={"c": f"{_name}_values_cpu"}, dim_first=True,
        opmath="bfloat16",
    )
    op(
        f"cum{_name}(self, dim)", f"Cum{_name}Backward0", f"running_extreme(self, dim, {_name == 'max'})",
        outputs="values indices!", self="to_running(g, dim, indices, self)", inplace=False,
        says="the gradient goes to the element that was the extreme so far", vmap=rules.along("dim"), cost=50,
        workspace=3, memory_format="contiguous", refuses={"c": f"cum{_name}_cpu"}, dim_first=True, opmath="bfloat16",
    )
for _name, _title in (("median", "Median"), ("nanmedian", "Nanmedian")):
    op(
        f"{_name}(self)", f"{_title}Backward0", f"median_of_all(self, {_name == 'nanmedian'})",
        self="shared(g, self, result)",
        inplace=False, says=SHARED, vmap=rules.flattened, cost=250, backward_cost=int(_name == "median"),
        refuses={"bc": "median_cpu"}, opmath="bfloat16",
    )
    op(
        f"{_name}.dim(self, dim, keepdim=False)", f"{_title}Backward1", f"{_name}_along(self, dim, keepdim)",
        outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
        vmap=rules.along("dim"), cost=250, workspace=3, memory_format="contiguous", refuses={"bc": "median_out"},
        opmath="bfloat16",
    )
op(
    "mode(self, dim=-1, keepdim=False)", "ModeBackward0", "mode_along(self, dim, keepdim)", outputs="values indices!",
    self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN, vmap=rules.along("dim"),
    cost=3000, workspace=4, memory_format="contiguous", refuses={"c": "mode_cpu"}, dim_first=True, opmath="bfloat16",
)
op(
    "kthvalue(self, k, dim=-1, keepdim=False)", "KthvalueBackward0", "kthvalue_along(self, k, dim, keepdim)",
    outputs="values indices!", self="to_selected(g, dim, indices, self.shape, keepdim)", inplace=False, says=CHOSEN,
    vmap=rules.along("dim"), cost=250, workspace=4, memory_format="contiguous", refuses={"bc": "kthvalue_cpu"},
    dim_first=True, opmath="bfloat16",
)
op(
    "aminmax(self, *, dim=None, keepdim=False)", "AminmaxBackward0", "aminmax_kernel(self, dim, keepdim)",
    outputs="min max",
    self="aminmax_backward(g, self, min, max, dim, keepdim)", inplace=False, says=SHARED, vmap=rules.over, cost=50,
    backward_cost=2, memory_format="contiguous", refuses={"c": "aminmax_cpu"}, dim_first=True, opmath="bfloat16",
)


@rule
def to_running(g: Any, dim: int, indices: Any, x: Any) -> Any:
    shape = x.shape
    if 0 in shape or not shape and not isinstance(g, Tensor):
        return g
    if isinstance(g, Tensor):
        return ops.scatter_add(constant(np.zeros(shape, g._array.dtype)), dim, indices, g)
    out = np.zeros(shape, g.dtype)
    place = list(np.indices(shape, sparse=True))
    place[dim] = indices
    np.add.at(out, tuple(place), g)
    return out


@rule
def aminmax_backward(g: Any, self: Any, low: Any, high: Any, dim: int | None, keepdim: bool) -> Any:
    parts = [
        shared_along(part, self, result, dim, keepdim)
        for part, result in zip(g, (low, high), strict=True)
        if part is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]
