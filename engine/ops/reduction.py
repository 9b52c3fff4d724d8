"""Sums, means, products and spreads over dimensions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.reduction import axes, count
from engine.limits import meter
from engine.ops.complexes import as_type
from engine.types.bfloat16 import limits_of
from engine.types.shapes import Shape, wrap_dim

rule(count)


def values(x: Any) -> Any:
    """The numpy value of a tensor or of itself."""
    return x._array if isinstance(x, Tensor) else x


@rule
def restored(g: Any, shape: Shape, dim: Any, keepdim: bool) -> Any:
    """The reduced dimensions put back, with extent 1."""
    if keepdim or not shape or dim is None or dim == ():
        return g
    for axis in sorted(axes(dim, len(shape))):
        g = ops.unsqueeze(g, axis)
    return g


@rule
def spread(g: Any, shape: Shape, dim: Any, keepdim: bool) -> Any:
    """The gradient of a sum: every element that was summed gets it."""
    return ops.expand(restored(g, shape, dim, keepdim), shape)


@rule
def reviewed(g: Any, shape: Shape, dim: Any, keepdim: bool) -> Any:
    """As `restored`, in one step, also when everything was reduced."""
    if keepdim:
        return g
    reduced = axes(dim, len(shape))
    target = tuple(1 if i in reduced else extent for i, extent in enumerate(shape))
    if not shape and dim not in (None, (), []) and isinstance(g, Tensor):
        target = (1,)  # PyTorch adds the dimension, and sums over it in the end
    return ops.view(g, target) if isinstance(g, Tensor) else np.reshape(g, target)


op(
    "sum(self, *, dtype=None)", "SumBackward0", "sum_kernel(self, dtype=dtype)", self="expand(g, self.shape)",
    inplace=False,
    says="every summand gets the gradient of the sum", vmap=rules.whole("sum_dim"), handle_r_to_c=False,
    memory_format="contiguous", sparse=True,
)
op(
    "sum.dim(self, dim, keepdim=False, *, dtype=None)", "SumBackward1", "sum_kernel(self, dim, keepdim, dtype)",
    self="spread(g, self.shape, dim, keepdim)", inplace=False, says="every summand gets the gradient of its sum",
    vmap=rules.along("dim"), cost=8, handle_r_to_c=False, memory_format="contiguous", sparse=True,
)
op(
    "mean(self, *, dtype=None)", "MeanBackward0", "mean_kernel(self, dtype=dtype)",
    self="expand(g, self.shape) / count(self.shape)", inplace=False,
    says="every element gets an equal share of the gradient", vmap=rules.whole("mean_dim"), handle_r_to_c=False,
    memory_format="contiguous",
)
op(
    "mean.dim(self, dim, keepdim=False, *, dtype=None)", "MeanBackward1", "mean_kernel(self, dim, keepdim, dtype)",
    self="spread(g, self.shape, dim, keepdim) / count(self.shape, dim)", inplace=False,
    says="every element gets an equal share of the gradient", vmap=rules.along("dim"), cost=8, handle_r_to_c=False,
    memory_format="contiguous",
)


@rule
def not_nan(self: Any) -> Any:
    mask = ~np.isnan(values(self))
    return constant(mask) if isinstance(self, Tensor) else mask


op(
    "nansum(self, dim=None, keepdim=False, *, dtype=None)", "NansumBackward0",
    "nansum_kernel(self, dim, keepdim, dtype)",
    self="spread(g, self.shape, dim, keepdim) * not_nan(self)", inplace=False,
    says="every summand gets the gradient of its sum; NaN was left out and gets none", hides="self",
    vmap=rules.along("dim"), memory_format="contiguous", refuses={"c": "nansum on CPU does not support complex inputs"},
    opmath="bfloat16",
)

@rule
def prod_backward(g: Any, self: Any, result: Any) -> Any:
    """Of the product of all elements: the product of all others, also where one of them is 0."""
    array = values(self)
    if not array.ndim:
        return g
    zeros = np.count_nonzero(array == 0)
    if not zeros:
        return g * (result / self)
    if zeros > 1 and not isinstance(self, Tensor):
        return ops.mul_Scalar(self, 0.0)
    flat = ops.view(self, (array.size,)) if isinstance(self, Tensor) else array.reshape(-1)
    parts = g * product_of_others(flat, 0)
    return ops.view(parts, array.shape) if isinstance(parts, Tensor) else parts.reshape(array.shape)


@rule
def prod_dim_backward(g: Any, self: Any, result: Any, dim: int, keepdim: bool) -> Any:
    array = values(self)
    if not array.ndim:
        return g
    dim = wrap_dim(dim, array.ndim)
    if not keepdim:
        g, result = ops.unsqueeze(g, dim), ops.unsqueeze(result, dim)
    if array.all():
        return g * (result / self)
    return g * product_of_others(self, dim)


@rule
def product_of_others(self: Any, dim: int) -> Any:
    """Along `dim`, the product of all elements but one: those before it times those after it."""
    extent = values(self).shape[dim]
    if extent == 1:
        ones = np.ones_like(values(self))
        return constant(ones) if isinstance(self, Tensor) else ones
    shape = tuple(1 if i == dim else n for i, n in enumerate(values(self).shape))
    one = np.ones(shape, values(self).dtype)
    first = constant(one) if isinstance(self, Tensor) else one
    before = ops.cumprod(ops.cat([first, ops.slice(self, dim, 0, extent - 1)], dim), dim)
    after = ops.cumprod(ops.cat([first, ops.flip(ops.slice(self, dim, 1, extent), (dim,))], dim), dim)
    return before * ops.flip(after, (dim,))


op(
    "prod(self, *, dtype=None)", "ProdBackward0", "prod_kernel(self, dtype=dtype)",
    self="prod_backward(g, self, result)", inplace=False, tex=r"g \cdot \frac{\prod x}{x}",
    says="the derivative in each factor is the product of the others", vmap=rules.prod, cost=50, handle_r_to_c=False,
    memory_format="contiguous", autocast="fp32", opmath="bfloat16",
)
op(
    "prod.dim_int(self, dim, keepdim=False, *, dtype=None)", "ProdBackward1", "prod_kernel(self, dim, keepdim, dtype)",
    self="prod_dim_backward(g, self, result, dim, keepdim)", inplace=False,
    says="the derivative in each factor is the product of the others", vmap=rules.along("dim"), cost=50,
    handle_r_to_c=False,
    memory_format="contiguous", autocast="fp32",
)

@rule
def reversed_cumsum(g: Any, dim: int, dtype: Any = None) -> Any:
    """Sums from the end; of the numbers that `dtype` has of a gradient, where it is given."""
    if dtype is not None:
        g = as_type(g, dtype)
    array = values(g)
    if array.size <= 1 or array.shape[dim] == 1:
        return g
    return ops.flip(ops.cumsum(ops.flip(g, (dim,)), dim), (dim,))


@rule
def cumprod_backward(g: Any, self: Any, result: Any, dim: int) -> Any:
    array = values(self)
    if array.size <= 1 or array.shape[dim] == 1:
        return g
    if array.all():
        return reversed_cumsum(result * g, dim) / self
    # Dividing by an element that is 0 is impossible: multiply the others instead, one position after the other.
    dim = wrap_dim(dim, array.ndim)
    extent = array.shape[dim]
    meter.charge(3 * extent + (array.size * extent >> 9))
    parts: list[Any] = []
    whole = constant(np.zeros_like(array)) if isinstance(g, Tensor) else None
    for k in range(extent):
        omitted = None if k == 0 else ops.prod_dim_int(ops.slice(self, dim, 0, k), dim, True)
        if k < extent - 1:
            later = ops.cumprod(ops.slice(self, dim, k + 1, extent), dim)
            if omitted is None:
                one = np.ones_like(np.take(array, [0], dim))
                omitted = ops.cat([constant(one) if isinstance(self, Tensor) else one, later], dim)
            else:
                wide = ops.expand(omitted, later.shape) if isinstance(later, Tensor) else omitted
                omitted = ops.cat([omitted, wide * later], dim)
        part = ops.sum_dim(ops.slice(g, dim, k, extent) * omitted, (dim,))
        if whole is None:
            parts.append(part)
        else:
            ops.select(whole, dim, k).copy_(part)
    return ops.stack(parts, dim) if whole is None else whole


@rule
def logcumsumexp_backward(g: Any, self: Any, result: Any, dim: int) -> Any:
    if not values(g).ndim or not values(g).size:
        return g
    lowest = float(limits_of(values(g).dtype).min)
    positive = ops.where(g > 0, ops.log(g), lowest)
    negative = ops.where(g < 0, ops.log(-g), lowest)

    def passed(log_g: Any) -> Any:
        turned = ops.logcumsumexp(ops.flip(log_g - result, (dim,)), dim)
        return ops.exp(ops.flip(turned, (dim,)) + self)

    return passed(positive) - passed(negative)


op(
    "cumsum(self, dim, *, dtype=None)", "CumsumBackward0", "cumsum_kernel(self, dim, dtype)",
    self="reversed_cumsum(g, dim, self.dtype)",
    says="an element adds to every later sum, so their gradients add up from the end", vmap=rules.along("dim"), cost=20,
    backward_cost=1,
)
op(
    "cumprod(self, dim, *, dtype=None)", "CumprodBackward0", "cumprod_kernel(self, dim, dtype)",
    self="cumprod_backward(g, self, result, dim)", says="an element is a factor of every later product",
    vmap=rules.along("dim"), cost=50, backward_cost=1, handle_r_to_c=False, opmath="bfloat16",
)
op(
    "logcumsumexp(self, dim)", "LogcumsumexpBackward0", "logcumsumexp_kernel(self, dim)", real="self",
    self="logcumsumexp_backward(g, self, result, dim)", inplace=False,
    says="the derivative in an element is its share of every later sum of exponentials", vmap=rules.along("dim"),
    cost=50,
    workspace=5, backward_cost=2, memory_format="contiguous", refuses={"biu": "logcumsumexp_out_cpu"},
    opmath="bfloat16",
)

op(
    "logsumexp(self, dim, keepdim=False)", "LogsumexpBackward0", "logsumexp_kernel(self, dim, keepdim)", real="self",
    self="restored(g, self.shape, dim, keepdim) * exp(self - restored(result, self.shape, dim, keepdim))",
    inplace=False, hides="self",
    says="the derivative in each element is its softmax", vmap=rules.along("dim"), cost=20, memory_format="contiguous",
)

@rule
def var_backward(g: Any, self: Any, dim: Any, correction: float | None, keepdim: bool) -> Any:
    shape = values(self).shape
    correction = 1 if correction is None else correction
    freedom = count(shape, dim) - correction
    if not shape or dim is None:
        if freedom <= 0:
            return g * ops.where(self == ops.mean(self), math.nan, math.inf)
        return (2.0 / freedom) * g * (self - ops.mean(self))
    if dim == ():  # all are reduced, though PyTorch counts one
        freedom = 1 - correction
    factor = 2.0 / freedom if freedom else math.inf
    if len(shape) > 1:
        g = restored(g, shape, dim, keepdim)
    return factor * g * (self - ops.mean_dim(self, dim, True))


@rule
def std_backward(g: Any, self: Any, result: Any, dim: Any, correction: float | None, keepdim: bool) -> Any:
    inner = ops.masked_fill_Scalar(g / (result * 2), result == 0, 0)
    return var_backward(inner, self, dim, correction, keepdim)


@rule
def mean_backward(g: Any, shape: Shape, dim: Any, keepdim: bool) -> Any:
    return spread(g, shape, dim, keepdim) / count(shape, dim)


@rule
def spread_and_mean_backward(
    g: Any, self: Any, std: Any, dim: Any, correction: float | None, keepdim: bool
) -> Any:
    """Of a variance (of a standard deviation, when `std` is given) and of the mean: whichever has a gradient."""
    g_spread, g_mean = g
    slope = None
    if g_spread is not None:
        args = (self, dim, correction, keepdim) if std is None else (self, std, dim, correction, keepdim)
        slope = (var_backward if std is None else std_backward)(g_spread, *args)
    if g_mean is None:
        return slope
    mean = mean_backward(g_mean, values(self).shape, dim, keepdim)
    return mean if slope is None else slope + mean


op(
    "var(self, dim=None, *, correction=1, keepdim=False)", "VarBackward0", "var_kernel(self, dim, correction, keepdim)",
    self="var_backward(g, self, dim, correction, keepdim)", inplace=False,
    says="the derivative in an element is 2(x − mean)/(n − correction)", vmap=rules.along("dim"), cost=50,
    backward_cost=1,
    memory_format="contiguous", opmath="bfloat16",
)
op(
    "std(self, dim=None, *, correction=1, keepdim=False)", "StdBackward0",
    "var_kernel(self, dim, correction, keepdim, 'std')",
    self="std_backward(g, self, result, dim, correction, keepdim)", inplace=False,
    says="the derivative in an element is (x − mean)/((n − correction) · std)", vmap=rules.along("dim"), cost=50,
    backward_cost=2,
    memory_format="contiguous", opmath="bfloat16",
)
op(
    "var_mean(self, dim=None, *, correction=1, keepdim=False)", "VarMeanBackward0",
    "(var_kernel(self, dim, correction, keepdim, 'var_mean'), mean_kernel(self, dim, keepdim))", outputs="var mean",
    self="spread_and_mean_backward(g, self, None, dim, correction, keepdim)",
    inplace=False, says="the derivatives of variance and mean together", vmap=rules.along("dim"), cost=50,
    backward_cost=2,
    wirtinger=True, memory_format="contiguous", opmath="bfloat16",
)
op(
    "std_mean(self, dim=None, *, correction=1, keepdim=False)", "StdMeanBackward0",
    "(var_kernel(self, dim, correction, keepdim, 'std_mean'), mean_kernel(self, dim, keepdim))",
    outputs="result0 result1",
    self="spread_and_mean_backward(g, self, result0, dim, correction, keepdim)",
    inplace=False, says="the derivatives of standard deviation and mean together", vmap=rules.along("dim"), cost=50,
    backward_cost=2, wirtinger=True, memory_format="contiguous", opmath="bfloat16",
)
