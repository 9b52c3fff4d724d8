"""Losses as users call them: checks of the target, `reduction`, and losses that are made of other ops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.autocast import widened
from engine.codegen.publish import FUNCTIONAL, TORCH, public
from engine.composites.activations import log_softmax
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.kernels.loss import check_target
from engine.types import dtypes
from engine.types.shapes import wrap_dim

NONE, MEAN, SUM = 0, 1, 2


def reduction_number(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """PyTorch's number for a reduction, or for the two flags it replaced. Raises ValueError for other texts."""
    if size_average is not None or reduce is not None:
        average, kept = size_average is None or size_average, reduce is None or reduce
        reduction = "mean" if average and kept else "sum" if kept else "none"
        errors.warn_size_average(reduction)
    if reduction == "elementwise_mean":
        errors.warn_elementwise_mean()
        return MEAN
    try:
        return {"none": NONE, "mean": MEAN, "sum": SUM}[reduction]
    except (KeyError, TypeError):
        raise errors.reduction_name(reduction) from None


def _pair(input: Tensor, target: Tensor, *reduction: Any) -> tuple[int, Tensor, Tensor]:
    """The number of a reduction, and both operands in their common shape, of which PyTorch complains first."""
    try:
        kind = reduction_number(*reduction)
    except ValueError:
        _broadcast(input, target)
        raise
    return kind, *_broadcast(input, target)


def check_weight(function: str, **weights: Tensor | None) -> None:
    """Refuse weights that want a gradient, which PyTorch has no formula for."""
    for name, weight in weights.items():
        if weight is not None and weight.requires_grad and state.grad:
            raise errors.not_differentiable_in(function, name)


def reduced(loss: Tensor, reduction: int) -> Any:
    if reduction == MEAN:
        return ops.mean(loss)
    return ops.sum(loss) if reduction == SUM else loss


def _broadcast(input: Tensor, target: Tensor) -> Any:
    """Both in their common shape, with PyTorch's warning when they differ."""
    for value in (input, target):
        if not isinstance(value, Tensor):
            raise errors.no_attribute(f"'{type(value).__name__}' object", "size")
    if input._array.shape == target._array.shape:
        return input, target
    errors.warn_target_size(target.shape, input.shape)
    return TORCH["broadcast_tensors"](input, target)


def _weighted(loss: Tensor, weight: Tensor, reduction: int) -> Any:
    if weight._array.shape != loss._array.shape:
        raise errors.loss_weight_size()
    loss = ops.mul(loss, weight)
    if reduction == MEAN:
        return ops.div(ops.sum(loss), ops.sum(weight))
    return reduced(loss, reduction)


@public("nn")
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    """The squared difference."""
    kind, given, wanted = _pair(input, target, reduction, size_average, reduce)
    if weight is not None:
        return _weighted(ops.pow_Tensor_Scalar(ops.sub(given, wanted), 2), weight, kind)
    return ops.mse_loss(given, wanted, kind)


@public("nn")
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    """The absolute difference."""
    kind, given, wanted = _pair(input, target, reduction, size_average, reduce)
    given, wanted = widened(given, wanted)
    loss = ops.abs(ops.sub(given, wanted))
    return reduced(loss, kind) if weight is None else _weighted(loss, weight, kind)


@public("nn")
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    """A parabola for differences up to `beta`, a straight line beyond."""
    kind, given, wanted = _pair(input, target, reduction, size_average, reduce)
    if beta < 0:
        raise errors.negative_beta()
    if beta == 0:
        return reduced(ops.abs(ops.sub(given, wanted)), kind)
    return ops.smooth_l1_loss(given, wanted, kind, beta)


@public("nn")
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Any:
    """A parabola for differences up to `delta`, a straight line beyond."""
    kind, given, wanted = _pair(input, target, reduction)
    if delta <= 0:
        raise errors.delta_not_positive()
    if weight is None:
        return ops.huber_loss(given, wanted, kind, delta)
    if weight._array.shape != given._array.shape:
        raise errors.loss_weight_size()
    return reduced(ops.mul(ops.huber_loss(given, wanted, NONE, delta), weight), kind)


def _nll(input: Tensor, target: Tensor, weight: Tensor | None, kind: int, ignore_index: int) -> Any:
    """`nll_loss` of an input (C), (N, C) or (N, C, d1, …)."""
    if input.ndim < 1:
        raise errors.nll_of_scalar(input.ndim)
    batch = target.shape[0] if target.ndim else 0
    if input.ndim < 3 and (input.ndim == 1 or input.shape[0] == batch):
        check_weight("nll_loss_forward", weight=weight)
    if input.ndim == 1 and target.ndim == 1 and target.shape[0] != 1:
        check_target(target._array)
        raise errors.target_of_vector(target.shape[0])
    if input.ndim > 1 and input.shape[0] != batch:
        raise errors.batch_sizes(input.shape[0], batch)
    if input.ndim <= 2:
        return ops.nll_loss(input, target, weight, kind, ignore_index)[0]
    n, c, *sizes = input._array.shape
    if input.ndim == 4:
        check_target(target._array)
        if target.ndim != 3:
            raise errors.spatial_target(target.ndim)
        if list(target._array.shape[1:]) != sizes:
            raise errors.spatial_sizes(tuple(input._array.shape), tuple(target._array.shape))
    if list(target._array.shape[1:]) != sizes:
        raise errors.target_size((n, *sizes), tuple(target._array.shape))
    check_weight("nll_loss2d_forward", weight=weight)
    if input.ndim == 4:
        return ops.nll_loss2d(input, target, weight, kind, ignore_index)[0]
    flat = (n, c, 1, -1) if input._array.size else (n, c, 0, 0)
    folded = (n, 1, -1) if input._array.size else (n, 0, 0)
    loss = ops.nll_loss2d(TORCH["reshape"](input, flat), TORCH["reshape"](target, folded), weight, kind, ignore_index)[
        0
    ]
    return ops.view(loss, (n, *sizes)) if kind == NONE else loss


@public("nn")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """Minus the log-probability of the target class."""
    return _nll(input, target, weight, reduction_number(reduction, size_average, reduce), ignore_index)


@public("nn")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """`nll_loss` of `log_softmax`; targets of the input's own shape are probabilities."""
    kind = reduction_number(reduction, size_average, reduce)
    if state.autocast is not None:
        input, target, weight = widened(input, target, weight)
    axis = 0 if input.ndim == 1 else 1
    if not isinstance(target, Tensor):
        raise errors.argument_type("cross_entropy_loss", "target", 2, "Tensor", target)
    if target._array.shape == input._array.shape:
        return _cross_entropy_of_probabilities(input, target, weight, kind, ignore_index, label_smoothing, axis)
    if label_smoothing > 0:
        check_smoothing(label_smoothing)
    logs = log_softmax(input, axis)
    loss = _nll(logs, target, weight, kind, ignore_index)
    if label_smoothing <= 0:
        return loss
    smooth = _uniform_loss(logs, target, weight, kind, ignore_index, axis)
    smooth = ops.mul_Scalar(smooth, label_smoothing / input.shape[axis])  # first, as compilers order the sum
    return ops.add(ops.mul_Scalar(loss, 1 - label_smoothing), smooth)


def check_smoothing(amount: float) -> None:
    if not 0.0 <= amount <= 1.0:
        raise errors.label_smoothing_range(amount)


def _along_classes(weight: Tensor, ndim: int, axis: int) -> Any:
    size = tuple(weight.shape[0] if d == axis else 1 for d in range(ndim))
    return weight if weight._array.shape == size else ops.view(weight, size)


@by_entry
def _uniform_loss(logs: Tensor, target: Tensor, weight: Tensor | None, kind: int, ignore_index: int, axis: int) -> Any:
    """The loss against equal probabilities, which label smoothing mixes in."""
    scaled = logs if weight is None else ops.mul(logs, _along_classes(weight, logs.ndim, axis))
    ignored = np.asarray(target._array) == ignore_index
    loss = ops.masked_fill_Scalar(ops.neg(ops.sum_dim(scaled, (axis,))), constant(ignored[()]), 0.0)
    if kind == MEAN:
        kept = ~ignored
        if weight is None:
            total = np.int64(kept.sum())
        else:
            total = weight._array[np.asarray(target._array)[kept]].sum()
        return ops.div(ops.sum(loss), constant(total))
    return ops.sum(loss) if kind == SUM else loss


def _cross_entropy_of_probabilities(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    kind: int,
    ignore_index: int,
    label_smoothing: float,
    axis: int,
) -> Any:
    if target._array.dtype.kind not in dtypes.FLOATING:
        raise errors.probabilities_dtype(target.dtype.type_name)
    if ignore_index >= 0:
        raise errors.ignored_probabilities()
    if not input.ndim:
        raise errors.dim_of_no_dims(1)
    classes = input.shape[axis]
    if weight is not None and weight._array.shape != (classes,):
        raise errors.class_weight(classes, weight._array.shape, "cross_entropy: ")
    logs = log_softmax(input, axis)
    if label_smoothing > 0:
        check_smoothing(label_smoothing)
        target = ops.add_Scalar(ops.mul_Scalar(target, 1 - label_smoothing), label_smoothing / classes)
    product = ops.mul(logs, target)
    if weight is not None:
        product = ops.mul(product, _along_classes(weight, input.ndim, axis))
    if kind == NONE:
        return ops.neg(ops.sum_dim(product, (axis,)))
    loss = ops.neg(ops.sum(product))
    if kind == SUM:
        return loss
    return ops.div_Scalar(loss, input._array.size // classes if input._array.size else math.nan)


@public("nn")
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """Cross entropy of probabilities of two classes."""
    kind = reduction_number(reduction, size_average, reduce)
    if target._array.shape != input._array.shape:
        raise errors.bce_target_size(target._array.shape, input._array.shape)
    if weight is not None and weight._array.shape != input._array.shape:
        shape = TORCH["broadcast_shapes"](target.shape, weight.shape)
        weight = TORCH["broadcast_to"](weight, shape)
    check_weight("binary_cross_entropy", weight=weight)
    return ops.binary_cross_entropy(input, target, weight, kind)


@public("nn")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Any:
    """Cross entropy of two classes, of scores before the sigmoid."""
    kind = reduction_number(reduction, size_average, reduce)
    if target._array.shape != input._array.shape:
        raise errors.logits_target_size(target._array.shape, input._array.shape)
    check_weight("binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight)
    return ops.binary_cross_entropy_with_logits(input, target, weight, pos_weight, kind)


@public("nn")
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """The Kullback–Leibler divergence of log-probabilities from probabilities."""
    kind = SUM
    if size_average is not None or reduce is not None or reduction != "batchmean":
        if size_average is None and reduce is None and reduction == "mean":
            errors.warn_kl_div_mean()
        kind = reduction_number(reduction, size_average, reduce)
    if input.is_complex() or target.is_complex():
        raise errors.kl_div_complex()
    if not (input.is_floating_point() and target.is_floating_point()):
        raise errors.kl_div_integers()
    input, target = widened(input, target)
    if log_target:
        gap = ops.sub(target, input)
        loss = ops.mul(ops.exp(target), gap)
    else:
        product = ops.mul(target, input)  # PyTorch runs the second operand first, which orders the backward pass
        loss = ops.sub(ops.xlogy(target, target), product)
    loss = reduced(loss, kind)
    batch = reduction == "batchmean" and input.ndim and size_average is None and reduce is None
    return ops.div(loss, input.shape[0]) if batch else loss


@public("nn")
def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Any:
    """`cross_entropy` of a linear layer."""
    features = linear_weight.shape[-1]
    out = linear_weight._array.shape[:-1]
    shape = (*input._array.shape[:-1], *out)
    if len(out) > 1:
        linear_weight = TORCH["reshape"](linear_weight, (math.prod(out), features))
        linear_bias = None if linear_bias is None else TORCH["reshape"](linear_bias, (math.prod(out),))
    logits = TORCH["reshape"](FUNCTIONAL["linear"](input, linear_weight, linear_bias), shape)
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        logits, target, weight=weight, reduction=reduction, ignore_index=ignored, label_smoothing=label_smoothing
    )


def _lengths(name: str, value: Any) -> tuple[int, ...]:
    """Lengths given as a tensor of integers or as ints."""
    if isinstance(value, Tensor):
        if value._array.dtype.kind not in "iu":
            raise errors.ctc_integral(name)
        return tuple(int(n) for n in np.ravel(value._array))
    return tuple(value)


@public("nn")
@by_entry
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """Minus the log-likelihood of label sequences, over all their alignments with the steps (T, N, C) or (T, C)."""
    kind = reduction_number(reduction)
    lengths = (input_lengths, target_lengths)
    if len({isinstance(each, Tensor) for each in lengths}) > 1 or any(isinstance(each, int) for each in lengths):
        given = (log_probs, targets, input_lengths, target_lengths, blank, kind, zero_infinity)
        raise errors.ctc_arguments([type(argument).__name__ for argument in given])
    if log_probs.ndim not in (2, 3):
        wrap_dim(1, log_probs.ndim + 1)
        if log_probs._array.dtype.kind not in dtypes.FLOATING and log_probs.ndim:
            raise errors.not_implemented_for("ctc_loss_cpu", log_probs.dtype.type_name)
        raise errors.ctc_log_probs(log_probs.ndim + 1)
    (log_probs,) = widened(log_probs)
    single = log_probs.ndim == 2
    if single:
        log_probs = ops.unsqueeze(log_probs, 1)
    steps, wanted = _lengths("input_lengths", input_lengths), _lengths("target_lengths", target_lengths)
    loss = ops._ctc_loss(log_probs, targets, steps, wanted, blank, zero_infinity)[0]
    if zero_infinity:
        loss = ops.where(constant(np.isinf(loss._array)), 0.0, loss)
    if kind == MEAN:
        return ops.mean(ops.div(loss, constant(np.maximum(wanted, 1).astype(loss._array.dtype))))
    if kind == SUM:
        return ops.sum(loss)
    return ops.squeeze_dim(loss, 0) if single else loss


@public("nn")
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Any:
    """Minus the log-likelihood of counts under a Poisson rate (or its logarithm)."""
    kind = reduction_number(reduction, size_average, reduce)
    if not isinstance(target, Tensor):
        raise errors.argument_type("poisson_nll_loss", "target", 2, "Tensor", target)
    input, target = widened(input, target)
    if log_input:
        product = ops.mul(target, input)
        loss = ops.sub(ops.exp(input), product)
    else:
        loss = ops.sub(input, ops.mul(target, ops.log(ops.add_Scalar(input, eps))))
    if full:
        logarithm = ops.mul_Scalar(ops.log(ops.mul_Scalar(target, 2 * math.pi)), 0.5)
        stirling = ops.add(ops.sub(ops.mul(target, ops.log(target)), target), logarithm)
        loss = ops.add(loss, ops.masked_fill_Scalar(stirling, _at_most_one(target), 0))
    return reduced(loss, kind)


@by_entry
def _at_most_one(counts: Tensor) -> Tensor:
    return constant((np.asarray(counts._array) <= 1)[()])


@public("nn")
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Any:
    """Minus the log-likelihood under normal distributions of the given variances."""
    if isinstance(var, float):
        var = constant(np.full(input._array.shape, var, input._array.dtype)[()])
    if np.any(var._array < 0):
        raise errors.variance_negative()
    if var._array.shape != input._array.shape:
        if input._array.shape[:-1] == var._array.shape:
            var = ops.unsqueeze(var, -1)
        elif input.ndim != var.ndim or sum(v for i, v in zip(input.shape, var.shape, strict=True) if i != v) != 1:
            raise errors.variance_size()
    if reduction not in ("none", "mean", "sum"):
        raise errors.plain_reduction_name(reduction)
    var = ops.clone(var)
    if var._array.dtype.kind not in dtypes.INEXACT:
        ops.clamp_(var, eps, None)
    var._array = np.maximum(var._array, var._array.dtype.type(eps))
    error = ops.pow_Tensor_Scalar(ops.sub(input, target), 2)
    loss = ops.mul(ops.add(ops.log(var), ops.div(error, var)), 0.5)
    if full:
        loss = ops.add(loss, 0.5 * math.log(2 * math.pi))
    return reduced(loss, reduction_number(reduction))
