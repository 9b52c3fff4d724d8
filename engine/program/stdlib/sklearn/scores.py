"""More of `sklearn.metrics`: scores of labels, of probabilities and of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import as_array, wrap
from engine.program.stdlib.sklearn.base import labels as as_labels
from engine.program.stdlib.sklearn.metrics import (
    averaged,
    check,
    divided,
    label_of,
    numbers,
    ranked,
    scores_of_classes,
    table_of,
)
from engine.program.text import represent
from engine.program.values import Builtin


def balanced_accuracy_score(y_true: Any, y_pred: Any, *, adjusted: Any = False) -> float:
    counts = table_of(y_true, y_pred, None)[0]
    there = counts.sum(1)
    recalls = np.diag(counts)[there > 0] / there[there > 0]
    chance = 1 / len(recalls)
    return float((np.mean(recalls) - chance) / (1 - chance) if adjusted else np.mean(recalls))


def matthews_corrcoef(y_true: Any, y_pred: Any) -> float:
    counts = table_of(y_true, y_pred, None)[0].astype(float)
    there, said, total = counts.sum(1), counts.sum(0), counts.sum()
    both = np.trace(counts) * total - there @ said
    spread = (total**2 - said @ said) * (total**2 - there @ there)
    return float(both / np.sqrt(spread)) if spread else 0.0


def cohen_kappa_score(y1: Any, y2: Any, *, labels: Any = None, weights: Any = None) -> float:
    counts = table_of(y1, y2, labels)[0].astype(float)
    size = len(counts)
    meter.allocate(size * size, 64)
    expected = np.outer(counts.sum(0), counts.sum(1)) / counts.sum()
    apart = np.abs(np.arange(size)[:, None] - np.arange(size))
    kinds = {None: (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}
    if weights not in kinds:
        raise ValueError(
            "The 'weights' parameter of cohen_kappa_score must be a str among {'linear', 'quadratic'} or None. Got"
            f" {represent(weights)} instead."
        )
    return float(1 - (kinds[weights] * counts).sum() / (kinds[weights] * expected).sum())


def hamming_loss(y_true: Any, y_pred: Any) -> float:
    counts = table_of(y_true, y_pred, None)[0]
    return float(1 - np.trace(counts) / counts.sum())


def zero_one_loss(y_true: Any, y_pred: Any, *, normalize: Any = True) -> float:
    counts = table_of(y_true, y_pred, None)[0]
    wrong = counts.sum() - np.trace(counts)
    return float(wrong / counts.sum()) if normalize else float(wrong)


def precision_recall_fscore_support(
    y_true: Any, y_pred: Any, *, beta: Any = 1.0, labels: Any = None, pos_label: Any = 1, average: Any = None,
    zero_division: Any = 0.0,
) -> tuple[Any, ...]:  # fmt: skip
    counts, names = table_of(y_true, y_pred, labels)
    if average == "micro":
        share = float(np.trace(counts) / max(1, counts.sum()))
        return share, share, share, None
    otherwise = 0.0 if zero_division == "warn" else float(zero_division)
    scores = scores_of_classes(counts, otherwise, float(beta))
    parts = [averaged(scores[kind], counts, names, average, pos_label) for kind in ("precision", "recall", "f1")]
    return (*parts, wrap(counts.sum(1)) if average is None else None)


def fbeta_score(
    y_true: Any, y_pred: Any, *, beta: Any, labels: Any = None, pos_label: Any = 1, average: Any = "binary",
    zero_division: Any = 0.0,
) -> Any:  # fmt: skip
    return precision_recall_fscore_support(
        y_true, y_pred, beta=beta, labels=labels, pos_label=pos_label, average=average, zero_division=zero_division
    )[2]


def jaccard_score(
    y_true: Any, y_pred: Any, *, labels: Any = None, pos_label: Any = 1, average: Any = "binary",
    zero_division: Any = 0.0,
) -> Any:  # fmt: skip
    counts, names = table_of(y_true, y_pred, labels)
    hits = np.diag(counts).astype(float)
    either = counts.sum(0) + counts.sum(1) - np.diag(counts)
    if average == "micro":
        return float(hits.sum() / max(1, either.sum()))
    return averaged(divided(hits, either, 0.0), counts, names, average, pos_label)


# --- of probabilities


def log_loss(y_true: Any, y_proba: Any, *, normalize: Any = True, labels: Any = None) -> float:
    true, given = as_labels(y_true), as_array(y_proba)
    check(true, given)
    meter.allocate(4 * given.size, 8)
    names = sorted(set(true if labels is None else as_labels(labels)))
    if len(names) < 2:
        raise ValueError(
            f"y_true contains only one label ({names[0]}). Please provide the list of all expected class labels"
            " explicitly through the labels argument."
        )
    given = given if given.dtype.kind == "f" else given.astype(float)
    shares = given[:, None] if given.ndim == 1 else given
    if shares.shape[1] == 1:
        shares = np.append(1 - shares, shares, axis=1)
    if shares.shape[1] != len(names):
        raise ValueError(
            f"The number of classes in labels is different from that in y_pred. Classes found in labels:"
            f" {np.array(names)}"
            if labels is not None
            else f"y_true and y_prob contain different number of classes: {len(names)} vs {shares.shape[1]}. Please"
            f" provide the true labels explicitly through the labels argument. Classes found in y_true:"
            f" {np.array(names)}"
        )
    tiny = np.finfo(shares.dtype).eps
    places = {name: i for i, name in enumerate(names)}
    said = np.clip(shares, tiny, 1 - tiny)[np.arange(len(true)), [places[name] for name in true]]
    losses = -np.log(said)
    return float(np.average(losses) if normalize else losses.sum())


def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, drop_intermediate: Any = False
) -> tuple[Any, Any, Any]:
    misses, hits, thresholds = ranked(y_true, y_score, pos_label)
    if drop_intermediate and len(hits) > 2:
        bends = np.concatenate([[True], (np.diff(hits[:-1]) > 0) | (np.diff(hits[1:]) > 0), [True]])
        misses, hits, thresholds = misses[bends], hits[bends], thresholds[bends]
    precision = hits / (hits + misses)
    recall = hits / hits[-1] if hits[-1] else np.ones_like(hits)
    return wrap(np.append(precision[::-1], 1.0)), wrap(np.append(recall[::-1], 0.0)), wrap(thresholds[::-1])


def average_precision_score(y_true: Any, y_score: Any, *, pos_label: Any = 1) -> float:
    precision, recall, _ = precision_recall_curve(y_true, y_score, pos_label=pos_label)
    return float(max(0.0, -np.sum(np.diff(recall._array) * precision._array[:-1])))


def brier_score_loss(y_true: Any, y_proba: Any, *, pos_label: Any = None) -> float:
    true, shares = as_array(y_true).ravel(), as_array(y_proba).ravel().astype(float)
    check(true, shares)
    if shares.size and shares.max() > 1:
        raise ValueError(f"y_prob contains values greater than 1: {shares.max()}")
    if shares.size and shares.min() < 0:
        raise ValueError(f"y_prob contains values less than 0: {shares.min()}")
    return float(np.average(((true == label_of(pos_label)) - shares) ** 2))


def top_k_accuracy_score(y_true: Any, y_score: Any, *, k: int = 2, normalize: Any = True, labels: Any = None) -> float:
    true, scores = as_labels(y_true), as_array(y_score)
    check(true, scores)
    names = sorted(set(true if labels is None else as_labels(labels)))
    places = {name: i for i, name in enumerate(names)}
    if scores.ndim != 2 or scores.shape[1] != len(names):
        raise ValueError(
            f"Number of classes in 'y_true' ({len(names)}) not equal to the number of classes in 'y_score'"
            f" ({scores.shape[-1] if scores.ndim == 2 else 2})."
        )
    meter.allocate(scores.size, 8)
    meter.charge(scores.size >> 3)
    best = np.argsort(scores, axis=1, kind="stable")[:, ::-1][:, : int(k)]
    hits = (best == np.array([places[name] for name in true])[:, None]).any(1)
    return float(np.average(hits) if normalize else hits.sum())


# --- of numbers


def max_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    if true.shape[1] > 1:
        raise ValueError("Multioutput not supported in max_error")
    return float(np.max(np.abs(true - predicted)))


def explained_variance_score(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    missed, spread = np.var(true - predicted, axis=0), np.var(true, axis=0)
    return float(np.mean(np.where(spread > 0, 1 - missed / np.where(spread > 0, spread, 1), missed == 0)))


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    return float(np.mean(np.abs(predicted - true) / np.maximum(np.abs(true), np.finfo(np.float64).eps)))


def median_absolute_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    meter.charge(true.size >> 3)
    return float(np.average(np.median(np.abs(predicted - true), axis=0)))


def mean_squared_log_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    if (true <= -1).any() or (predicted <= -1).any():
        raise ValueError(
            "Mean Squared Logarithmic Error cannot be used when targets contain values less than or equal to -1."
        )
    return float(np.mean((np.log1p(true) - np.log1p(predicted)) ** 2))


SCORES: dict[str, Any] = {
    function.__name__: Builtin(function.__name__, function)
    for function in (
        balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score, hamming_loss, zero_one_loss,
        precision_recall_fscore_support, fbeta_score, jaccard_score, log_loss, precision_recall_curve,
        average_precision_score, brier_score_loss, top_k_accuracy_score, max_error, explained_variance_score,
        mean_absolute_percentage_error, median_absolute_error, mean_squared_log_error,
    )
}  # fmt: skip
