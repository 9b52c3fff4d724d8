"""Norms of vectors and distances between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import costs
from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.reduction import added, axes
from engine.ops.complexes import real_part
from engine.ops.reduction import restored, values
from engine.ops.solve import conjugate_of
from engine.types.shapes import wrap_dim


@rule
def norm_backward(g: Any, self: Any, order: float, result: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of a p-norm: 0 where the norm is 0 and PyTorch says so."""
    shape = values(self).shape
    g, result = restored(g, shape, dim, keepdim), restored(result, shape, dim, keepdim)
    if order == 0:
        return None
    if order == 1:
        return ops.sgn(self) * g
    if order == 2:
        return g * ops.masked_fill_Scalar(self / result, result == 0, 0)
    if math.isinf(order):
        size = np.abs(values(self))
        extreme = (size == values(result)) | np.isnan(size)
        number = added(np.asarray(extreme), axis=axes(dim, len(shape)), keepdims=True, dtype=np.int64)[()]
        if isinstance(self, Tensor):
            return ops.sgn(self) * (g / constant(number) * constant(extreme))
        return ops.sgn(self) * (g / number.astype(g.dtype) * extreme)
    if not isinstance(self, Tensor):
        costs.charge(self.size, costs.POWER)
    if order < 1:
        size = ops.masked_fill_Scalar(ops.abs(self) ** (order - 1), self == 0, 0)
        return ops.sgn(self) * size * g * result ** (1 - order)
    scale = ops.masked_fill_Scalar(g / result ** (order - 1), result == 0, 0)
    if order < 2:
        size = ops.abs(self) ** (order - 1)
        return ops.sgn(self) * size * scale
    return self * ops.abs(self) ** (order - 2) * scale


@rule
def renorm_backward(g: Any, self: Any, order: float, dim: int, maxnorm: float) -> Any:
    ndim = values(self).ndim
    others = tuple(i for i in range(ndim) if i != wrap_dim(dim, ndim))
    norm = ops.linalg_vector_norm(self, order, others, True)
    product = real_part(conjugate_of(self) * g)
    along = norm_backward(ops.sum_dim(product, others, True), self, order, norm, others, True)
    inverse = ops.reciprocal(norm + 1e-7)
    return ops.where(norm > maxnorm, maxnorm * inverse * (g - inverse * along), g)


NORM = "a norm grows along each element in proportion to its size^(p − 1); for p = inf the largest share it"
op(
    "linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None)", "LinalgVectorNormBackward0",
    "vector_norm_kernel(self, ord, dim, keepdim, dtype)", self="norm_backward(g, self, ord, result, dim, keepdim)",
    inplace=False, says=NORM, vmap=rules.along("dim"), cost=20, memory_format="contiguous", opmath="bfloat16",
)
op(
    "norm.Scalar(self, p=2)", "NormBackward0", "vector_norm_kernel(self, p, None, False)",
    self="norm_backward(g, self, p, result, None, False)", inplace=False, says=NORM, vmap=rules.norm, cost=20,
    opmath="bfloat16",
)
op(
    "norm.ScalarOpt_dim(self, p, dim, keepdim=False)", "NormBackward1", "vector_norm_kernel(self, p, dim, keepdim)",
    self="norm_backward(g, self, p, result, dim, keepdim)", inplace=False, says=NORM, vmap=rules.along("dim"), cost=20,
    backward_cost=1, memory_format="contiguous", sparse=True, opmath="bfloat16",
)
op(
    "dist(self, other, p=2)", "DistBackward0", "distance_kernel(self, other, p)", promote="self other", bools=False,
    numbers=False, inplace=False, self="norm_backward(g, self - other, p, result, None, False)",
    other="-norm_backward(g, self - other, p, result, None, False)", says=NORM, broadcasts=True, workspace=3,
    backward_cost=2, opmath="bfloat16",
)
op(
    "renorm(self, p, dim, maxnorm)", "RenormBackward0", "renorm_kernel(self, p, dim, maxnorm)",
    self="renorm_backward(g, self, p, dim, maxnorm)", says="slices beyond the largest norm are scaled down to it",
    cost=20, backward_cost=4, wirtinger=True, memory_format="contiguous", opmath="bfloat16",
)
