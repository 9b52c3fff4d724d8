"""Losses that want scores or distances apart by a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.autocast import widened
from engine.codegen.publish import FUNCTIONAL, public
from engine.composites.losses import check_weight, reduced, reduction_number
from engine.core.registry import ops
from engine.core.tensor import Tensor, bump_version, constant
from engine.types import dtypes


@public("nn")
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Any:
    """log(1 + e^(−target·input)) of targets ±1."""
    kind = reduction_number(reduction, size_average, reduce)
    if target._requires_grad:
        raise errors.not_differentiable_in("soft_margin_loss", "target")
    return ops.soft_margin_loss(input, target, kind)


@public("nn")
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """How far other classes come within the margin of the target's score."""
    kind = reduction_number(reduction, size_average, reduce)
    if p not in (1, 2):
        raise errors.margin_power()
    if weight is not None and weight.ndim != 1:
        raise errors.margin_weight()
    rows = input.shape[0] if input.ndim == 2 else 1
    if input.ndim < 3 and input.numel() and (target.ndim > 1 or target.numel() != rows):
        raise errors.multi_margin_target(rows, tuple(target.shape), tuple(input.shape))
    if weight is not None and input.ndim in (1, 2) and weight._array.shape != input._array.shape[-1:]:
        raise errors.margin_weight_size(input._array.shape[-1], weight._array.shape)
    check_weight("multi_margin_loss", weight=weight)
    return ops.multi_margin_loss(input, target, p, float(margin), weight, kind)


@public("nn")
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean"
) -> Any:
    """As `multi_margin_loss` with several target classes, listed up to the first −1."""
    return ops.multilabel_margin_loss(input, target, reduction_number(reduction, size_average, reduce))


@public("nn")
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """Two-class cross entropy of each class, averaged over classes."""
    if reduction not in ("none", "mean", "sum"):
        raise errors.plain_reduction_name(reduction)
    kind = reduction_number(reduction, size_average, reduce)
    hit = ops.mul(target, ops.log_sigmoid(input))
    missed = ops.mul(ops.rsub_Scalar(target, 1), ops.log_sigmoid(ops.neg(input)))
    loss = ops.neg(ops.add(hit, missed))
    if weight is not None:
        loss = ops.mul(loss, weight)
    axis = input.ndim - 1
    return reduced(ops.div(ops.sum_dim(loss, (axis,)), input.shape[axis]), kind)


@public("nn")
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """Distances where the target is 1; how far they fall short of the margin where it is −1."""
    kind = reduction_number(reduction, size_average, reduce)
    input, target = widened(input, target)
    own, nothing = input._array.dtype, 0.0
    least: Any = margin
    if own.kind in "biu":  # all of it in their own type
        least, nothing = constant(dtypes.cast_number(margin, own)), 0
    shortfall = ops.clamp_min(ops.sub(least, input), 0)
    apart = ops.where(_differs(target, 1), shortfall, nothing)
    together = ops.where(_differs(target, -1), input, nothing)
    return reduced(ops.add(apart, together), kind)


@by_entry
def _differs(target: Tensor, value: int) -> Tensor:
    array = np.asarray(target._array)
    return constant((array != (np.asarray(value).astype(array.dtype) if array.dtype.kind == "u" else value))[()])


@by_entry
def _equals(target: Tensor, value: int) -> Tensor:
    return constant((np.asarray(target._array) == value)[()])


@public("nn")
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """How far the first input fails to be larger (target 1) or smaller (−1) by a margin."""
    kind = reduction_number(reduction, size_average, reduce)
    if not input1.ndim == input2.ndim == target.ndim:
        raise errors.ranking_sizes(input1.shape, input2.shape, target.shape)
    return ranked(input1, input2, target, margin, kind)


def ranked(input1: Tensor, input2: Tensor, target: Tensor, margin: float, kind: int) -> Any:
    """`margin_ranking_loss` of inputs of any number of dimensions."""
    input1, input2, target = widened(input1, input2, target)
    difference = ops.sub(input1, input2)
    gap = ops.mul(ops.neg(target), difference)
    loss = ops.clamp_min(ops.add_Scalar(gap, margin), 0)
    bump_version(loss)  # PyTorch clamps in place
    return reduced(loss, kind)


@public("nn")
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """1 − cosine where the target is 1, the cosine beyond the margin where it is −1."""
    kind = reduction_number(reduction, size_average, reduce)
    axis = (target.ndim,)
    if target.ndim > 1:
        raise errors.multi_target()
    if not input1.ndim == input2.ndim == target.ndim + 1:
        raise errors.cosine_inputs(target.ndim, input1.shape, input2.shape)
    input1, input2, target = widened(input1, input2, target)
    tiny = 1e-12
    product = ops.sum_dim(ops.mul(input1, input2), axis)
    first = ops.add_Scalar(ops.sum_dim(ops.mul(input1, input1), axis), tiny)
    second = ops.add_Scalar(ops.sum_dim(ops.mul(input2, input2), axis), tiny)
    cosine = ops.div(product, ops.sqrt(ops.mul(first, second)))
    gap = ops.sub(1, cosine)
    apart = ops.clamp_min(ops.sub_Scalar(cosine, margin), 0)
    together = ops.where(_equals(target, 1), gap, 0.0)
    return reduced(ops.add(together, ops.where(_equals(target, -1), apart, 0.0)), kind)


@public("nn")
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """How far the positive fails to be nearer to the anchor than the negative, by a margin."""
    kind = reduction_number(reduction, size_average, reduce)
    if margin <= 0:
        raise errors.triplet_margin(margin)
    return of_triplets(anchor, positive, negative, margin, p, eps, swap, kind)


def of_triplets(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float, p: float, eps: float, swap: bool, kind: int
) -> Any:
    """`triplet_margin_loss` with any margin."""
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise errors.triplet_dimensions(anchor.ndim, positive.ndim, negative.ndim)
    distance = FUNCTIONAL["pairwise_distance"]
    anchor, positive, negative = widened(anchor, positive, negative)
    near, far = distance(anchor, positive, p, eps), distance(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, distance(positive, negative, p, eps))
    return reduced(ops.clamp_min(ops.sub(ops.add_Scalar(near, margin), far), 0), kind)


@public("nn")
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """As `triplet_margin_loss`, with a distance of the caller's."""
    kind = reduction_number(reduction)
    if margin <= 0:
        raise errors.triplet_margin(margin)
    distance = FUNCTIONAL["pairwise_distance"] if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = ops.minimum(far, distance(positive, negative))
    return reduced(ops.clamp_min(ops.sub(ops.add(near, margin), far), 0), kind)
