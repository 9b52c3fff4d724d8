"""Losses and their gradients. `reduction`: 0 none, 1 mean, 2 sum, as PyTorch saves it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels import summation
from engine.kernels.activation import choose
from engine.kernels.names import kernel
from engine.kernels.pointwise import exp_values, log1p_values, log_values
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16, in_single, rounded
from engine.types.shapes import broadcast_pair

MEAN, SUM = 1, 2


def _reduced(loss: Any, reduction: int) -> Any:
    if loss.dtype is BFLOAT16:
        return in_single(_reduced, loss, reduction)
    if reduction == MEAN:
        total = summation.total(loss)
        return total / loss.dtype.type(loss.size)
    if reduction == SUM:
        return summation.total(loss)
    return loss


def _expect_one_dtype(a: Any, *others: Any) -> None:
    for other in others:
        if other is not None and other.dtype != a.dtype:
            raise errors.found_dtype(dtypes.of(other.dtype).type_name, dtypes.of(a.dtype).type_name)


@kernel
def mse_kernel(a: Any, b: Any, reduction: int) -> Any:
    dtypes.expect(a, "mse_cpu")
    difference = a - b
    return _reduced(difference * difference, reduction)


@kernel
def mse_backward_kernel(g: Any, a: Any, b: Any, reduction: int) -> Any:
    share = 2.0 / max(a.size, b.size, 1) if reduction == MEAN else 2.0
    if a.dtype is BFLOAT16:
        return g * (rounded(share) * (a - b))
    return g * (a - b) * share


@kernel
def smooth_l1_kernel(a: Any, b: Any, reduction: int, beta: float) -> Any:
    dtypes.expect(a, "smooth_l1_cpu")
    return _reduced(in_single(_smooth_l1, a, b, beta) if a.dtype is BFLOAT16 else _smooth_l1(a, b, beta), reduction)


def _smooth_l1(a: Any, b: Any, beta: float) -> Any:
    size = np.abs(a - b)
    return choose(size < beta, 0.5 * size * size / beta, size - 0.5 * beta, size)


@kernel
def smooth_l1_backward_kernel(g: Any, a: Any, b: Any, reduction: int, beta: float) -> Any:
    costs.charge(np.size(a), 4)
    difference = a - b
    share = 1.0 / max(a.size, 1) if reduction == MEAN else 1.0
    sign = choose(difference <= -beta, -1, 1, difference)
    straight = np.abs(difference) >= beta  # not of NaN
    return g * share * choose(straight, sign, difference / beta if beta else difference, difference)


@kernel
def huber_kernel(a: Any, b: Any, reduction: int, delta: float) -> Any:
    dtypes.expect(a, "huber_cpu")
    size = np.abs(a - b).astype(a.dtype)
    inside, outside = a.dtype.type(0.5) * size * size, delta * (size - 0.5 * delta).astype(a.dtype)
    return _reduced(choose(size <= delta, inside, outside, size), reduction)


@kernel
def huber_backward_kernel(g: Any, a: Any, b: Any, reduction: int, delta: float) -> Any:
    _expect_one_dtype(a, b)
    share = 1.0 / max(a.size, 1) if reduction == MEAN else 1.0
    if a.dtype is BFLOAT16:
        difference, share = a - b, rounded(share)
        outside = np.sign(difference) * (share * g) * delta
        return choose(np.abs(difference) < delta, share * difference * g, outside, difference)
    return g * share * np.clip(a - b, -delta, delta)


def check_target(target: Any) -> None:
    """Classes are int64 or uint8 numbers. RuntimeError for others."""
    if target.dtype != np.int64 and target.dtype != np.uint8:
        raise errors.target_dtype(dtypes.of(target.dtype).type_name)


def _picked(a: Any, target: Any, ignore_index: int) -> tuple[Any, Any]:
    """The targets with ignored ones replaced by class 0, and which are not ignored: None for all of them."""
    if target.dtype != np.int64:
        check_target(target)
        target = target.astype(np.int64)
    classes = a.shape[1] if a.ndim > 1 else a.shape[0]
    if not 0 <= ignore_index < classes and target.size and target.min() >= 0 and target.max() < classes:
        return target, None
    kept = target != ignore_index
    bad = kept & ((target < 0) | (target >= classes))
    if np.any(bad):
        raise errors.target_out_of_bounds(int(np.asarray(target)[np.asarray(bad)].flat[0]))
    return np.where(kept, target, 0), kept


def _class_weights(a: Any, weight: Any, chosen: Any, kept: Any) -> Any:
    """What each target counts: a number where it is the same for all."""
    if kept is None:
        return a.dtype.type(1) if weight is None else weight[chosen]
    return np.where(kept, a.dtype.type(1) if weight is None else weight[chosen], a.dtype.type(0))


def _at_classes(a: Any, chosen: Any) -> Any:
    """The index of the chosen element of each row of (C), (N, C) or (N, C, …)."""
    if a.ndim == 1:
        return chosen
    if a.ndim == 2:
        return np.arange(a.shape[0]), chosen
    grid = np.ogrid[tuple([slice(n) for n in chosen.shape])]
    return grid[0], chosen, *grid[1:]


@kernel
def nll_kernel(a: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> tuple[Any, Any]:
    """Returns the loss and the total weight that a mean divides by. `a`: (C), (N, C) or (N, C, …)."""
    if a.ndim <= 2 and target.ndim > 1:
        raise errors.multi_target()
    check_target(target)
    classes = a.shape[1] if a.ndim > 1 else a.shape[0]
    if weight is not None and a.ndim > 2:
        if weight.size != classes:
            raise errors.class_weight_of_images()
        weight = weight.reshape(-1)
    elif weight is not None and weight.shape != (classes,):
        raise errors.class_weight(classes, weight.shape)
    if a.ndim > 2 and target.dtype.kind == "u":
        raise errors.expected_scalar_type("Long", "Byte")
    dtypes.expect(a, "nll_loss_out_frame")
    if weight is not None and weight.dtype != a.dtype:
        raise errors.expected_scalar_type(dtypes.of(a.dtype).type_name, dtypes.of(weight.dtype).type_name)
    if a.ndim == 1 and target.ndim == 1:
        target = target[0]
    costs.charge(target.size, PICKING)
    chosen, kept = _picked(a, target, ignore_index)
    weights = _class_weights(a, weight, chosen, kept)
    logs = a[_at_classes(a, chosen)]
    loss = -(logs * weights) if kept is None else np.where(kept, -(logs * weights), 0)
    if reduction == 0:
        return loss.astype(a.dtype, copy=False)[()], a.dtype.type(0)
    if weights.ndim or weight is not None:
        total = _total(weights, a.dtype)
    else:
        total = weights * a.dtype.type(chosen.size)
    loss = _total(loss, a.dtype)
    return (loss / total if reduction == MEAN else loss), total


PICKING = 50
"""Nanoseconds for looking up what one target says."""


def _total(terms: Any, dtype: Any) -> Any:
    """The sum of all terms; of bfloat16 in PyTorch's order, by sixteens, rounded after each term."""
    if dtype is not BFLOAT16:
        return np.add.reduce(terms, axis=None, dtype=dtype)
    sums = [rounded(0.0)] * 8
    meter.charge(terms.size)
    for number, term in enumerate(np.asarray(terms, dtype).reshape(-1)):
        sums[0] = sums[0] + term
        for level in range(7):
            if number >> 4 * level & 15:
                break
            sums[level + 1], sums[level] = sums[level + 1] + sums[level], rounded(0.0)
    total = sums[0]
    for part in sums[1:]:
        total = total + part
    return total


@kernel
def nll_backward_kernel(
    g: Any, a: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total_weight: Any
) -> Any:
    if a.ndim == 1 and target.ndim == 1:
        raise errors.nll_sizes(a.shape, target.shape)
    costs.charge(target.size, PICKING)
    meter.charge(a.size >> 12)
    chosen, kept = _picked(a, target, ignore_index)
    if weight is not None and a.ndim > 2:
        weight = weight.reshape(-1)
    part = -_class_weights(a, weight, chosen, kept) * g
    if reduction == MEAN:
        part = part / total_weight
    if kept is not None:
        part = np.where(kept, part, 0)
    out = np.zeros_like(a)
    out[_at_classes(a, chosen)] = part
    return out


@kernel
def bce_kernel(a: Any, target: Any, weight: Any, reduction: int) -> Any:
    _expect_one_dtype(a, target, weight)
    dtypes.expect(a, "binary_cross_entropy")
    if not np.all((a >= 0) & (a <= 1)):
        raise errors.probability_range("input")
    if not np.all((target >= 0) & (target <= 1)):
        raise errors.probability_range("target")
    off = (target - 1) * np.maximum(log1p_values(-a), -100)
    loss = off - target * np.maximum(log_values(a), -100)
    _expect_within(loss, weight, (loss, weight))
    return _reduced(loss if weight is None else loss * weight, reduction)


@kernel
def bce_backward_kernel(g: Any, a: Any, target: Any, weight: Any, reduction: int) -> Any:
    out = g * (a - target) / np.maximum((1 - a) * a, a.dtype.type(1e-12))
    if weight is not None:
        out = out * weight
    return out / a.size if reduction == MEAN else out


def _expect_within(whole: Any, weight: Any, operands: tuple[Any, Any]) -> None:
    """Refuse a weight that does not broadcast to the shape of `whole`; `operands` is the order of both in the op."""
    if weight is None or weight.shape == whole.shape:
        return
    shape = broadcast_pair(operands[0].shape, operands[1].shape)
    if shape != whole.shape:
        raise errors.inplace_shape(whole.shape, shape)


@kernel
def bce_logits_kernel(a: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    if target.dtype == np.bool_:
        raise errors.subtract_bools()
    kept, given = dtypes.of(target.dtype), dtypes.of(a.dtype)  # PyTorch calculates in the memory of 1 − target
    if not dtypes.can_cast(given, kept):
        raise errors.inplace_dtype(given.type_name, kept.type_name)
    _expect_within(target, pos_weight, (pos_weight, target))
    _expect_within(target, weight, (target, weight))
    log_sigmoid = in_single(_log_sigmoid, a) if a.dtype is BFLOAT16 else _log_sigmoid(a)
    if pos_weight is not None:
        log_sigmoid = ((pos_weight - 1) * target + 1) * log_sigmoid
    loss = (1 - target) * a - log_sigmoid
    return _reduced((loss if weight is None else loss * weight).astype(target.dtype), reduction)


def _log_sigmoid(a: Any) -> Any:
    return np.minimum(a, 0) - log1p_values(exp_values(-np.abs(a)))


@kernel
def soft_margin_kernel(a: Any, target: Any, reduction: int) -> Any:
    shape = broadcast_pair(a.shape, target.shape)
    if shape != a.shape:
        raise errors.inplace_shape(a.shape, shape)
    if a.dtype.kind in "iub":
        raise errors.inplace_dtype("Float", dtypes.of(a.dtype).type_name)
    losses = in_single(_soft_margin, target, a) if a.dtype is BFLOAT16 else _soft_margin(target, a)
    return _reduced(losses.astype(a.dtype), reduction)


def _soft_margin(target: Any, a: Any) -> Any:
    return np.log1p(np.exp((target * a) * a.dtype.type(-1)))


@kernel
def soft_margin_backward_kernel(g: Any, a: Any, target: Any, reduction: int) -> Any:
    if target.dtype == np.bool_:
        raise errors.negate_bool()
    z = np.exp(-target * a)
    share = -1 / a.size if reduction == MEAN else -1
    return (target * z * share / (1 + z) * g).astype(a.dtype)


@kernel
def multi_margin_kernel(a: Any, target: Any, p: float, margin: float, weight: Any, reduction: int) -> Any:
    rows, targets, cells = _margins(a, target, margin)
    loss = np.where(cells > 0, cells, 0) ** p
    if weight is not None:
        loss = loss * weight[targets][:, None]
    loss[np.arange(len(targets)), targets] = 0
    out = _reduced(loss.sum(1) / rows.shape[1], reduction)
    return out if a.ndim > 1 or np.ndim(target) or reduction else out[0]


def _check_matrix(a: Any) -> None:
    if a.ndim > 2 or 0 in a.shape[1:] or a.shape == (0,):
        raise errors.margin_input(a.shape)


def _expect_long(target: Any) -> None:
    if target.dtype != np.int64:
        raise errors.expected_scalar_type("Long", dtypes.of(target.dtype).type_name)


def _margins(a: Any, target: Any, margin: float) -> tuple[Any, Any, Any]:
    _check_matrix(a)
    rows = np.atleast_2d(a)
    targets = np.atleast_1d(target)
    if targets.ndim > 1 or len(targets) != len(rows):
        raise errors.multi_margin_target(len(rows), target.shape, a.shape)
    dtypes.expect(a, "multi_margin_loss_cpu_kernel", dtypes.FLOATING)
    _expect_long(target)
    if np.any((targets < 0) | (targets >= rows.shape[1])):
        raise errors.margin_target()
    return rows, targets, margin - rows[np.arange(len(targets)), targets][:, None] + rows


@kernel
def multi_margin_backward_kernel(
    g: Any, a: Any, target: Any, p: float, margin: float, weight: Any, reduction: int
) -> Any:
    rows, targets, cells = _margins(a, target, margin)
    slope = np.where(cells > 0, 1.0 if p == 1 else 2 * cells, 0.0) / rows.shape[1]
    if weight is not None:
        slope = slope * weight[targets][:, None]
    everyone = np.arange(len(targets))
    slope[everyone, targets] = 0
    slope[everyone, targets] = 0 - slope.sum(1)  # zero, not -0, where all keep their margin
    slope = slope / len(targets) if reduction == MEAN else slope
    out = slope * (np.reshape(g, (-1, 1)) if np.ndim(g) else g)
    return out.reshape(a.shape).astype(a.dtype)


def _label_pairs(a: Any, target: Any) -> tuple[Any, Any, list[tuple[int, int, int]]]:
    """Rows of scores, a mask of the labels, and all (row, label, other class) that do not keep their margin."""
    _check_matrix(a)
    if a.shape != target.shape:
        raise errors.multilabel_target(target.shape, a.shape)
    if target.size and (target.min() < -1 or target.max() >= (a.shape or (1,))[-1]):
        raise errors.multilabel_range()
    dtypes.expect(a, "multilabel_margin_loss_forward_out_frame", dtypes.FLOATING)
    _expect_long(target)
    rows, labels = np.atleast_2d(a), np.atleast_2d(target)
    mask = np.zeros(rows.shape, bool)
    pairs: list[tuple[int, int, int]] = []
    for row, wanted in enumerate(labels):
        end = np.flatnonzero(wanted < 0)
        wanted = wanted[: end[0]] if len(end) else wanted
        mask[row, wanted] = True
        others = np.flatnonzero(~mask[row])
        meter.charge(8 + len(wanted) * (2 + len(others) // 4))
        for label in wanted:
            pairs += [(row, int(label), int(other)) for other in others if 1 - rows[row, label] + rows[row, other] > 0]
    return rows, mask, pairs


@kernel
def listed_labels(a: Any, target: Any) -> Any:
    """1 for every class that is a label, in the shape of the targets."""
    return _label_pairs(a, target)[1].reshape(target.shape).astype(a.dtype)


@kernel
def multilabel_margin_kernel(a: Any, target: Any, reduction: int) -> Any:
    rows, _, pairs = _label_pairs(a, target)
    loss = np.zeros(len(rows), a.dtype)
    for row, label, other in pairs:
        loss[row] += (1 - rows[row, label] + rows[row, other]) / rows.shape[1]
    return _reduced(loss if a.ndim > 1 else loss[0], reduction)


@kernel
def multilabel_margin_backward_kernel(g: Any, a: Any, target: Any, reduction: int) -> Any:
    rows, _, pairs = _label_pairs(a, target)
    out = np.zeros_like(rows)
    share = 1 / rows.shape[1]
    for row, label, other in pairs:
        out[row, label] -= share
        out[row, other] += share
    out = out / len(rows) if reduction == MEAN else out
    return (out * (np.reshape(g, (-1, 1)) if np.ndim(g) else g)).reshape(a.shape).astype(a.dtype)
