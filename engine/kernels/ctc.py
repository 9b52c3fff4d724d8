"""Connectionist temporal classification (Graves et al., 2006): the chance of a label sequence over all alignments."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes

Lengths = tuple[int, ...]


def _extended(targets: Any, lengths: Lengths, blank: int) -> list[Any]:
    """Each row's labels with blanks around them; `targets` are padded rows or one row after the other."""
    starts = np.concatenate([[0], np.cumsum(lengths)]) if targets.ndim == 1 else None
    rows = []
    for row, length in enumerate(lengths):
        labels = targets[row, :length] if starts is None else targets[starts[row] : starts[row] + length]
        extended = np.full(2 * length + 1, blank)
        extended[1::2] = labels
        rows.append(extended)
    return rows


def _skips(labels: Any) -> Any:
    """Where a path may jump over a blank: between labels that differ."""
    allowed = np.zeros(len(labels), bool)
    allowed[2:] = labels[2:] != labels[:-2]
    return allowed


def _log_sum(*terms: Any) -> Any:
    """log(Σ e^x) of arrays that may hold −inf."""
    stacked = np.stack(terms)
    top = stacked.max(axis=0)
    safe = np.where(np.isneginf(top), 0, top)
    return np.log(np.exp(stacked - safe).sum(axis=0)) + safe


def _forward(logs: Any, labels: Any) -> Any:
    """log of the chance of all paths that end at each label after each step."""
    steps, width = len(logs), len(labels)
    alpha = np.full((steps, width), -np.inf, logs.dtype)
    if not steps:
        return alpha
    alpha[0, :2] = logs[0, labels[:2]]
    skips = _skips(labels)
    meter.reserve(steps * width, 8)
    for t in range(1, steps):
        meter.charge(20 + (width >> 4))
        before = alpha[t - 1]
        one = np.concatenate([[-np.inf], before[:-1]])
        two = np.where(skips, np.concatenate([[-np.inf, -np.inf], before[:-2]])[:width], -np.inf)
        alpha[t] = _log_sum(before, one, two) + logs[t, labels]
    return alpha


def _check_lengths(targets: Any, input_lengths: Lengths, target_lengths: Lengths, steps: int) -> None:
    for length in target_lengths:
        if length < 0:
            raise errors.ctc_length_negative("target_lengths", length)
    if targets.ndim == 1:
        if targets.shape[0] != sum(target_lengths):
            raise errors.ctc_targets_size(sum(target_lengths), 0, targets.shape[0])
    elif targets.ndim != 2:
        raise errors.ctc_targets_dimensions(targets.ndim)
    elif targets.shape[0] != len(target_lengths):
        raise errors.ctc_targets_size(len(target_lengths), 0, targets.shape[0])
    elif targets.shape[1] < max(target_lengths, default=0):
        raise errors.ctc_targets_size(max(target_lengths), 1, targets.shape[1], least=True)
    for length in input_lengths:
        if length < 0:
            raise errors.ctc_length_negative("input_lengths", length)
        if length > steps:
            raise errors.ctc_input_length(steps, length)


@kernel
def ctc_kernel(
    log_probs: Any, targets: Any, input_lengths: Lengths, target_lengths: Lengths, blank: int
) -> tuple[Any, Any]:
    """Minus the log-likelihood of each row, and the forward variables (N, T, 2·longest + 1)."""
    steps, batch, classes = log_probs.shape
    if log_probs.dtype.kind not in dtypes.FLOATING or log_probs.dtype.itemsize < 4:
        raise errors.not_implemented_for("ctc_loss_cpu", dtypes.of(log_probs.dtype).type_name)
    if not log_probs.size:
        raise errors.ctc_empty()
    if not 0 <= blank < classes:
        raise errors.ctc_blank()
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != batch:
            raise errors.ctc_lengths(name)
    _check_lengths(targets, input_lengths, target_lengths, steps)
    rows = _extended(targets, target_lengths, blank)
    for labels in rows:
        if not 0 <= labels.min() <= labels.max() < classes:
            raise errors.ctc_label(int(labels.max()), classes)
    alphas = np.full((batch, steps, max(map(len, rows))), -np.inf, log_probs.dtype)
    losses = np.empty(batch, log_probs.dtype)
    for row, labels in enumerate(rows):
        length = input_lengths[row]
        alpha = _forward(log_probs[:length, row], labels)
        alphas[row, :length, : len(labels)] = alpha
        if length:
            losses[row] = -_log_sum(*alpha[-1, -2:][:, None])[0]
        else:
            losses[row] = 0 if len(labels) == 1 else np.inf
    return losses, alphas


@kernel
def ctc_backward_kernel(
    g: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Lengths,
    target_lengths: Lengths,
    losses: Any,
    alphas: Any,
    blank: int,
    zero_infinity: bool,
) -> Any:
    """PyTorch's gradient, which takes the inputs to be log-probabilities: e^x minus the share of paths through x."""
    out = np.zeros_like(log_probs)
    for row, labels in enumerate(_extended(targets, target_lengths, blank)):
        length = input_lengths[row]
        if not length or zero_infinity and np.isinf(losses[row]):
            continue
        logs = log_probs[:length, row]
        beta = _forward(logs[::-1], labels[::-1])[::-1, ::-1]
        through = alphas[row, :length, : len(labels)] + beta
        gathered = np.full(logs.shape, -np.inf, logs.dtype)
        for label in np.unique(labels):
            gathered[:, label] = _log_sum(*through[:, labels == label].T)
        out[:length, row] = (np.exp(logs) - np.exp(gathered + losses[row] - logs)) * g[row]
    return out
