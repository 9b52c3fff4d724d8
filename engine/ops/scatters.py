"""Scatter with a reduction, and copies of a tensor with one of its parts replaced."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.node import Error
from engine.core.registry import ops
from engine.core.tensor import Tensor, output_tensor
from engine.kernels.scatters import as_strided_scatter_kernel, index_reduce_kernel, scatter_reduce_kernel
from engine.kernels.strided import as_strided_kernel
from engine.ops.shape import new_zeros
from engine.types import dtypes
from engine.types.shapes import Shape, contiguous_strides

_SAYS = "each value gets the share of the gradient that the reduction gives it"
op("scatter_reduce(self, dim, index: Tensor, src, reduce, *, include_self=True)", "ScatterReduceBackward0",
   scatter_reduce_kernel, says=_SAYS, together=(
       "self src", "reduction_backward(g, self, dim, index, src, reduce, include_self, result, False)"),
   vmap=rules.gather, cost=150, workspace=4, backward_cost=4, memory_format="contiguous", overlap="any",
   memory_last=True, opmath="bfloat16")
op("index_reduce(self, dim, index: Tensor, source, reduce, *, include_self=True)", "IndexReduceBackward0",
   index_reduce_kernel, says=_SAYS, together=(
       "self source", "reduction_backward(g, self, dim, index, source, reduce, include_self, result, True)"), cost=150,
   workspace=4, backward_cost=4, overlap="any", memory_last=True, opmath="bfloat16")


@rule
def reduction_backward(
    g: Any, self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool, result: Any, slices: bool
) -> tuple[Any, Any]:
    """The gradients of the tensor reduced into and of the source, as PyTorch composes them.

    `slices`: the index names slices (`index_reduce`), not elements (`scatter_reduce`).
    """
    if reduce in ("max", "min"):
        raise errors.scatter_reduce_derivable(reduce)
    take, add = (ops.index_select, ops.index_add) if slices else (ops.gather, ops.scatter_add)
    if reduce == "sum":
        own, other = g, take(g, dim, index)
    elif reduce == "prod":
        own, other = product_backward(g, self, dim, index, src, include_self, result, slices)
    elif reduce == "mean":
        counts = add(_filled(self, float(include_self)), dim, index, _filled(src, 1.0))
        counts = ops.masked_fill_Scalar(counts, counts == 0, 1)
        own = g / counts
        other = take(g, dim, index) / take(counts, dim, index)
    else:
        mine = _as_numbers(self == result, g)
        theirs = _as_numbers(src == take(result, dim, index), g)
        shared = g / add(mine, dim, index, theirs)
        own, other = mine * shared, theirs * take(shared, dim, index)
    if not include_self:
        own = ops.index_fill_int_Scalar(own, dim, index, 0) if slices else ops.scatter_value(own, dim, index, 0)
    return own, other


@rule
def product_backward(
    g: Any, self: Any, dim: int, index: Any, src: Any, include_self: bool, result: Any, slices: bool
) -> tuple[Any, Any]:
    """Quotients of the product, with the product of the others computed anew where a factor is 0."""
    take, add = (ops.index_select, ops.index_add) if slices else (ops.gather, ops.scatter_add)
    reduce = ops.index_reduce if slices else ops.scatter_reduce
    masked_self = ops.masked_fill_Scalar(self, self == 0, 1)
    own = g * reduce(masked_self, dim, index, src, "prod", include_self=include_self) / masked_self
    zero = src == 0
    zeros = take(add(_filled(self, 0.0), dim, index, _as_numbers(zero, g)), dim, index)
    single = zero & (zeros == 1)
    others = reduce(self, dim, index, ops.masked_fill_Scalar(src, single, 1), "prod", include_self=include_self)
    factors = ops.masked_fill_Scalar(src, zero, 1)
    quotient = take(g * result, dim, index) / factors
    exact = take(g * others, dim, index)
    other = ops.where(single, exact, quotient)
    if isinstance(other, Tensor) and other._requires_grad and np.any(zero._array & (zeros._array > 1)):
        name, source = ("index_reduce", "source") if slices else ("scatter_reduce", "src")
        refusing = Error(partial(errors.reduced_zeros, name, source), (other._grad_fn,))
        refusing.shape, refusing.dtype = other._array.shape, other._array.dtype
        other = output_tensor(other._array, refusing, 0, None)
    return own, other


def _filled(like: Any, value: float) -> Any:
    """A constant in the shape and type of `like`."""
    array = like._array if isinstance(like, Tensor) else like
    filled = np.full(array.shape, value, array.dtype)
    return Tensor._from_array(filled) if isinstance(like, Tensor) else filled


def _as_numbers(mask: Any, like: Any) -> Any:
    """Bools as 0 and 1 of the type of `like`."""
    if isinstance(mask, Tensor):
        return Tensor._from_array(mask._array.astype(like._array.dtype))
    return mask.astype(like.dtype)


for _name, _node, _parameters, _arguments in (
    ("select", "SelectScatterBackward0", "dim, index", "dim, index"),
    ("slice", "SliceScatterBackward0", "dim=0, start=None, end=None, step=1", "dim, start, end, step"),
    ("diagonal", "DiagonalScatterBackward0", "offset=0, dim1=0, dim2=1", "offset, dim1, dim2"),
):
    op(f"{_name}_scatter(self, src, {_parameters})", _node, f"{_name}_scatter_kernel(self, src, {_arguments})",
       inplace=False, self=f"{_name}_scatter(g, new_zeros(g, src.shape), {_arguments})",
       src=f"{_name}(g, {_arguments})", hides="src",
       says="the part that was replaced gets 0; the source gets the gradient of that part", opmath="bfloat16")

op("as_strided_scatter(self, src, size, stride, storage_offset=None)", "AsStridedScatterBackward0",
   as_strided_scatter_kernel, inplace=False,
   self="as_strided_scatter_backward(g, self.shape, size, stride, storage_offset or 0)",
   src="as_strided(in_order(g), size, stride, storage_offset)", hides="self",
   says="the source gets the gradient of its part", opmath="bfloat16")


@rule
def as_strided_scatter_backward(g: Any, shape: Shape, size: Shape, stride: Shape, offset: int) -> Any:
    """Zeros with the gradient of the part in its place: what PyTorch computes, though the input does not reach it."""
    memory = new_zeros(g, (math.prod(shape),))
    part = ops.as_strided(in_order(g), size, stride, offset)
    if isinstance(g, Tensor):
        ops.as_strided(memory, size, stride, offset).copy_(part)
        return ops.as_strided(memory, shape, contiguous_strides(shape), 0)
    as_strided_kernel(memory, size, stride, offset)[...] = part
    return memory.reshape(shape)


@rule
def in_order(g: Any) -> Any:
    """The gradient with its memory in C order."""
    array = g._array if isinstance(g, Tensor) else g
    return g if array.flags.c_contiguous else ops.clone(g, dtypes.contiguous_format)
