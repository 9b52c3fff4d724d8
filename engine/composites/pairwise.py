"""Similarities and distances of vectors, and bilinear forms."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.codegen.autocast import widened
from engine.codegen.publish import LINALG, public
from engine.core.grad_mode import no_grad
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types import dtypes
from engine.types.shapes import broadcast_pair, wrap_dim

_MODES = {
    "use_mm_for_euclid_dist_if_necessary": None,
    "use_mm_for_euclid_dist": True,
    "donot_use_mm_for_euclid_dist": False,
}
_MANY_ROWS = 25


@public("nn torch")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Cosine of the angle between vectors along `dim`; norms count as at least `eps`."""
    if eps < 0:
        raise errors.cosine_eps(eps)
    common = dtypes.result_type(x1._array, x2._array)
    if not common.is_floating_point:
        raise errors.cosine_dtype(common.type_name)
    pair = [t if t.dtype.is_floating_point else t.to(common) for t in (x1, x2)]
    if x1.shape != x2.shape:
        shape = broadcast_pair(tuple(x1.shape), tuple(x2.shape))
        pair = [t.expand(shape) for t in reversed(pair)][::-1]
    norms = [LINALG["vector_norm"](t, 2, dim, keepdim=True).clone() for t in pair]
    with no_grad():
        for norm in norms:
            norm.clamp_min_(eps)
    second = pair[1] / norms[1]  # first, as compilers order the product
    return (pair[0] / norms[0] * second).sum(dim)


@public("nn torch")
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of x1 - x2 + eps, row by row."""
    for position, (name, value) in enumerate((("x1", x1), ("x2", x2)), 1):
        if not isinstance(value, Tensor):
            raise errors.argument_type("pairwise_distance", name, position, "Tensor", value)
    shifted = ops.add_Scalar(x1 - x2, float(eps))
    return ops.norm_ScalarOpt_dim(shifted, p, (shifted.ndim - 1,), keepdim)


@public("torch")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary") -> Tensor:
    """Distances between all rows: x1 (*, P, M), x2 (*, R, M) → (*, P, R)."""
    if compute_mode not in _MODES:
        raise errors.cdist_mode(compute_mode)
    for number, x in ((1, x1), (2, x2)):
        if x.ndim < 2:
            raise errors.cdist_dimensions(number, x.ndim)
    if x1.shape[-1] != x2.shape[-1]:
        raise errors.cdist_columns(x1.shape[-1], x2.shape[-1])
    if p < 0:
        raise errors.cdist_power()
    x1, x2 = widened(x1, x2)
    for number, x in ((1, x1), (2, x2)):
        if x._array.dtype.kind not in dtypes.FLOATING:
            raise errors.cdist_dtype(number, x.dtype.type_name)
    by_product = _MODES[compute_mode]
    many = x1.shape[-2] > _MANY_ROWS or x2.shape[-2] > _MANY_ROWS
    batch = broadcast_pair(tuple(x1.shape[:-2]), tuple(x2.shape[:-2]))
    size = math.prod(batch)
    empty = 0 in (size, *x1.shape[-2:], *x2.shape[-2:])
    if p != 2 or by_product is False or (by_product is None and not many) or empty:
        return ops._cdist_forward(x1, x2, float(p))
    if size == 1:
        distance = ops._euclidean_dist(x1, x2)
    else:
        first, second = (x.expand(*batch, *x.shape[-2:]).contiguous().view(size, *x.shape[-2:]) for x in (x1, x2))
        distance = ops._euclidean_dist(first, second)
    return distance.view(*batch, x1.shape[-2], x2.shape[-2])


@public("nn torch")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances between all pairs of rows of a matrix, each pair once."""
    if input.ndim != 2:
        raise errors.pdist_dimensions(input.ndim)
    if input._array.dtype.kind not in dtypes.FLOATING:
        raise errors.pdist_dtype()
    if p < 0:
        raise errors.pdist_power()
    return ops._pdist_forward(input.contiguous(), float(p))


@public("nn torch")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1ᵀ A x2 + b for each output feature: (*, in1), (*, in2), weight (out, in1, in2) → (*, out)."""
    given = {"input1": input1, "input2": input2, "weight": weight}
    if bias is not None:
        given["bias"] = bias
    if len({x.dtype for x in given.values()}) > 1:
        raise errors.bilinear_dtypes({name: x.dtype.cpp_name for name, x in given.items()})
    if input1.ndim != input2.ndim:
        raise errors.bilinear_dimensions(input1.ndim, input2.ndim)
    for dim in range(input1.ndim - 1):
        if input1.shape[dim] != input2.shape[dim]:
            raise errors.bilinear_batch(dim, input1.shape[dim], input2.shape[dim])
    for number, x in ((1, input1), (2, input2)):
        wanted, own = weight.size(number), x.size(-1)
        if own != wanted:
            raise errors.bilinear_size(f"input{number}", own, wanted)
    if bias is not None and bias.size(0) != weight.size(0):
        raise errors.bilinear_size("bias", bias.size(0), weight.size(0))
    flat = [x.reshape(-1, x.shape[-1]) for x in (input1, input2)]
    product = ops._trilinear(flat[0], weight, flat[1], (1, 3), (0,), (1, 2), (2, 3))
    output = product.reshape(*input1.shape[:-1], weight.shape[0])
    return output if bias is None else output + bias


@public("linalg", "cross")
def linalg_cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """Cross product of vectors of 3 along `dim`, with broadcasting."""
    if input.ndim == other.ndim == 0:
        raise errors.dim_of_no_dims(dim)
    if input.dtype is not other.dtype and input.ndim == other.ndim > 0:
        for x in (input, other):
            if x.shape[wrap_dim(dim, x.ndim)] != 3:
                raise errors.cross_sizes(dim, *[y.shape[dim] for y in (input, other)])
        raise errors.expected_scalar_type(input.dtype.type_name, other.dtype.type_name)
    return ops.linalg_cross(input, other, dim=dim)


@public("method torch", "cross")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    """Cross product along `dim`, by default the first dimension of size 3."""
    if dim is None:
        errors.warn_cross_without_dim()
        dim = next((axis for axis, size in enumerate(input.shape) if size == 3), None)
        if dim is None:
            raise errors.cross_no_dimension()
    return linalg_cross(input, other, dim=dim)
