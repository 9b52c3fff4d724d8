"""`sklearn.metrics`: scores of labels and numbers."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.charges import grow, made
from engine.program.exceptions import EXCEPTIONS
from engine.program.operators import items
from engine.program.stdlib.sklearn.base import given, invalid, labels
from engine.program.stdlib.warnings import record
from engine.program.text import represent, to_text
from engine.program.values import Builtin, Module


def check(true: Any, predicted: Any) -> None:
    if len(true) != len(predicted):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(true), len(predicted)]}")
    meter.charge(1 + (len(true) >> 1))


UNDEFINED: Any = type("UndefinedMetricWarning", (EXCEPTIONS["UserWarning"],), {"__module__": "sklearn.exceptions"})
_MANY = "multilabel-indicator"


def _kind(value: Any) -> str:
    """What scikit-learn calls a target that looks so."""
    if value.ndim not in (1, 2):
        return "unknown"
    several = value.ndim == 2 and value.shape[1] > 1
    if value.dtype.kind == "f" and bool(np.any(value != np.trunc(value))):
        return "continuous-multioutput" if several else "continuous"
    different = len(np.unique(value))
    if several:
        return _MANY if different <= 2 else "multiclass-multioutput"
    return "binary" if different <= 2 else "multiclass"


def _targets(y_true: Any, y_pred: Any) -> tuple[list[Any], list[Any], str]:
    """Two targets as labels, each a list of them where samples have many, and their kind."""
    true, predicted = given(y_true), given(y_pred)
    check(true, predicted)
    for name, value in (("y_true", true), ("y_pred", predicted)):
        if value.dtype.kind == "f" and bool(np.isnan(value).any()):
            raise ValueError(f"Input {name} contains NaN.")
    kinds = _kind(true), _kind(predicted)
    kind = kinds[0] if kinds[0] != "binary" else kinds[1]
    if kinds[0] != kinds[1] and {*kinds} != {"binary", "multiclass"}:
        raise ValueError(f"Classification metrics can't handle a mix of {kinds[0]} and {kinds[1]} targets")
    if kind not in ("binary", "multiclass", _MANY):
        raise ValueError(f"{kind} is not supported")
    if kind != _MANY:
        true, predicted = true.ravel(), predicted.ravel()
    return true.tolist(), predicted.tolist(), kind


def accuracy_score(y_true: Any, y_pred: Any, *, normalize: Any = True) -> Any:
    true, predicted, _ = _targets(y_true, y_pred)
    right = sum(a == b for a, b in zip(true, predicted, strict=True))
    return right / len(true) if normalize else float(right)


def table_of(y_true: Any, y_pred: Any, known: Any) -> tuple[Any, list[Any]]:
    true, predicted, kind = _targets(y_true, y_pred)
    if kind == _MANY:
        raise NotImplementedError("Scores of samples with several labels are not available in Backlight yet")
    names = sorted({*true, *predicted}) if known is None else labels(known)
    meter.allocate(len(names) ** 2, 8)
    where = {name: i for i, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)), dtype=np.int64)
    for a, b in zip(true, predicted, strict=True):
        if a in where and b in where:
            counts[where[a], where[b]] += 1
    return counts, names


def confusion_matrix(y_true: Any, y_pred: Any, *, labels: Any = None, normalize: Any = None) -> Any:
    if _targets(y_true, y_pred)[2] == _MANY:
        raise ValueError(f"{_MANY} is not supported")
    counts = table_of(y_true, y_pred, labels)[0]
    if normalize is None:
        return wrap(counts)
    if normalize not in ("true", "pred", "all"):
        raise ValueError(
            "The 'normalize' parameter of confusion_matrix must be a str among {'all', 'true', 'pred'} or None. Got"
            f" {represent(normalize)} instead."
        )
    totals = {"true": counts.sum(1, keepdims=True), "pred": counts.sum(0, keepdims=True), "all": counts.sum()}
    with np.errstate(all="ignore"):
        return wrap(np.nan_to_num(counts / totals[normalize]))


def divided(a: Any, b: Any, otherwise: float) -> Any:
    return np.where(b > 0, a / np.where(b > 0, b, 1), otherwise)


def scores_of_classes(counts: Any, otherwise: float = 0.0, beta: float = 1.0) -> dict[str, Any]:
    """Precision, recall and F1, or F of another `beta`, of every class."""
    hits = np.diag(counts).astype(float)
    said, there = counts.sum(0), counts.sum(1)
    return {
        "precision": divided(hits, said, otherwise),
        "recall": divided(hits, there, otherwise),
        "f1": divided((1 + beta**2) * hits, said + beta**2 * there, otherwise),
    }


def averaged(values: Any, counts: Any, names: list[Any], average: Any, pos_label: Any) -> Any:
    """The scores of classes as one number, or that of one class; all of them where `average` is None.

    Raises ValueError for more than two classes where it is `binary`.
    """
    if average == "binary":
        if len(names) > 2:
            raise ValueError(
                "Target is multiclass but average='binary'. Please choose another average setting, one of [None,"
                " 'micro', 'macro', 'weighted']."
            )
        return float(values[names.index(pos_label)]) if pos_label in names else 0.0
    if average is None:
        return wrap(values)
    if not len(values):
        return 0.0
    return float(np.average(values, weights=counts.sum(1) if average == "weighted" and counts.sum() else None))


def _scoring(kind: str) -> Builtin:
    def score(
        y_true: Any, y_pred: Any, *, labels: Any = None, pos_label: Any = 1, average: Any = "binary",
        zero_division: Any = 0.0,
    ) -> Any:  # fmt: skip
        counts, names = table_of(y_true, y_pred, labels)
        if average == "micro":
            return float(np.trace(counts) / max(1, counts.sum()))
        values = scores_of_classes(counts, 0.0 if zero_division == "warn" else float(zero_division))[kind]
        return averaged(values, counts, names, average, pos_label)

    return Builtin(f"{kind}_score", score)


def numbers(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    true, predicted = as_array(y_true).astype(float), as_array(y_pred).astype(float)
    meter.allocate(4 * (true.size + predicted.size), 8)
    check(true, predicted)
    columns = [a.reshape(len(a), -1) for a in (true, predicted)]
    if columns[0].shape != columns[1].shape:
        ours, theirs = (a.shape[1] for a in columns)
        raise ValueError(f"y_true and y_pred have different number of output ({ours}!={theirs})")
    return columns[0], columns[1]


def mean_squared_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    return float(np.average(np.average((true - predicted) ** 2, axis=0)))


def root_mean_squared_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    return float(np.average(np.sqrt(np.average((true - predicted) ** 2, axis=0))))


def mean_absolute_error(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    return float(np.average(np.average(np.abs(predicted - true), axis=0)))


def r2_score(y_true: Any, y_pred: Any) -> float:
    true, predicted = numbers(y_true, y_pred)
    if len(true) < 2:
        record(UNDEFINED, "R^2 score is not well-defined with less than two samples.")
        return math.nan
    missed = ((true - predicted) ** 2).sum(0)
    spread = ((true - true.mean(0)) ** 2).sum(0)
    return float(np.mean(np.where(spread > 0, 1 - missed / np.where(spread > 0, spread, 1), missed == 0)))


def _area(positive: Any, scores: Any) -> float:
    """The share of pairs that the scores put into the right order; NaN where all are of one class."""
    p = int(positive.sum())
    if p in (0, len(positive)):
        record(UNDEFINED, "Only one class is present in y_true. ROC AUC score is not defined in that case.")
        return math.nan
    meter.charge(1 + (len(scores) >> 3))
    _, where, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[where]
    return float((ranks[positive].sum() - p * (p + 1) / 2) / (p * (len(positive) - p)))


def roc_auc_score(
    y_true: Any, y_score: Any, *, average: Any = "macro", sample_weight: Any = None, max_fpr: Any = None,
    multi_class: Any = "raise", labels: Any = None,
) -> Any:  # fmt: skip
    """The area under the curve of two classes, or the average of those of several."""
    if sample_weight is not None or max_fpr is not None or labels is not None:
        raise NotImplementedError("roc_auc_score() takes neither weights nor labels nor a part of the curve here")
    true, scores = as_array(y_true, texts=True), as_array(y_score).astype(float)
    classes = np.unique(true)
    several = true.ndim < 2 and (len(classes) > 2 or scores.ndim == 2 and scores.shape[1] > 2)
    if not several and true.ndim < 2:
        if scores.ndim > 1 and scores.shape[1] > 1:
            raise ValueError(f"y should be a 1d array, got an array of shape {scores.shape} instead.")
        check(true.ravel(), scores.ravel())
        return _area(true.ravel() == classes[-1], scores.ravel())
    if several and multi_class == "raise":
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    if scores.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got"
            f" `y_score.shape={scores.shape}`."
        )
    if several and not np.allclose(1, scores.sum(1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    if several and len(classes) != scores.shape[1]:
        raise ValueError("Number of classes in y_true not equal to the number of columns in 'y_score'")
    check(true[:, 0] if true.ndim == 2 else true, scores[:, 0])
    meter.allocate(2 * scores.size, 8)
    member = true == 1 if true.ndim == 2 else true[:, None] == classes
    if several and multi_class == "ovo":
        return _one_against_one(member, scores, average)
    if average == "micro":
        return _area(member.ravel(), scores.ravel())
    areas = np.array([_area(member[:, k], scores[:, k]) for k in range(scores.shape[1])])
    if average is None:
        return wrap(areas)
    return float(np.average(areas, weights=member.sum(0) if average == "weighted" else None))


def _one_against_one(member: Any, scores: Any, average: Any) -> Any:
    areas, weights = [], []
    count = member.shape[1]
    meter.charge(count**2 * (1 + (len(member) >> 5)))
    for i in range(count):
        for j in range(i + 1, count):
            rows = member[:, i] | member[:, j]
            areas.append((_area(member[rows, i], scores[rows, i]) + _area(member[rows, j], scores[rows, j])) / 2)
            weights.append(rows.mean())
    return wrap(np.average(areas, weights=weights if average == "weighted" else None))


def label_of(pos_label: Any) -> Any:
    """The class that counts as positive."""
    found = pos_label._array if isinstance(pos_label, Array) else pos_label
    if found is not None and not isinstance(found, int | float | str | np.number):
        raise invalid("roc_curve", "pos_label", pos_label, "an int, a float, a bool, a str or None")
    return 1 if found is None else found


def ranked(y_true: Any, y_score: Any, pos_label: Any) -> tuple[Any, Any, Any]:
    """False and true positives at each threshold, falling."""
    true, scores = as_array(y_true).ravel(), as_array(y_score).ravel()
    check(true, scores)
    meter.allocate(8 * scores.size, 8)
    meter.charge(scores.size >> 3)
    order = np.argsort(scores, kind="stable")[::-1]
    positive, scores = (true == label_of(pos_label))[order], scores[order]
    last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)
    hits = np.cumsum(positive, dtype=float)[last]
    return 1 + last - hits, hits, scores[last]


def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: Any = True
) -> tuple[Any, Any, Any]:
    """False and true positives' rates at each threshold, of which those on a line are left out."""
    if sample_weight is not None:
        raise NotImplementedError("roc_curve here knows no sample_weight")
    misses, hits, thresholds = ranked(y_true, y_score, pos_label)
    if drop_intermediate and len(hits) > 2:
        bends = (np.diff(misses, 2) != 0) | (np.diff(hits, 2) != 0)
        kept = np.flatnonzero(np.r_[True, bends, True])
        misses, hits, thresholds = misses[kept], hits[kept], thresholds[kept]
    hits, misses = np.r_[0, hits], np.r_[0, misses]
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = [values / values[-1] if values[-1] > 0 else np.full(len(values), np.nan) for values in (misses, hits)]
    thresholds = np.r_[np.inf, thresholds].astype(thresholds.dtype if thresholds.dtype.kind == "f" else float)
    return wrap(rates[0]), wrap(rates[1]), wrap(thresholds)


def auc(x: Any, y: Any) -> float:
    """The area under a curve, by trapezia."""
    places, heights = as_array(x).ravel(), as_array(y).ravel()
    check(places, heights)
    if len(places) < 2:
        raise ValueError(
            f"At least 2 points are needed to compute area under curve, but x.shape = {(len(places),)}"
        )
    steps = np.diff(places)
    if (steps < 0).any() and not (steps <= 0).all():
        raise ValueError(f"x is neither increasing nor decreasing : {places}.")
    return float((-1 if (steps < 0).any() else 1) * np.trapezoid(heights, places))


# --- clusters


def _contingency(labels_true: Any, labels_pred: Any) -> Any:
    """How many samples are of each class and in each cluster."""
    true, predicted = labels(labels_true), labels(labels_pred)
    check(true, predicted)
    classes, clusters = sorted(set(true)), sorted(set(predicted))
    meter.allocate(4 * len(classes) * len(clusters), 8)
    rows = {name: i for i, name in enumerate(classes)}
    columns = {name: i for i, name in enumerate(clusters)}
    counts = np.zeros((len(classes), len(clusters)), dtype=np.int64)
    for a, b in zip(true, predicted, strict=True):
        counts[rows[a], columns[b]] += 1
    return counts


def _mutual_information(counts: Any) -> float:
    total = counts.sum()
    rows, columns = np.nonzero(counts)
    found = counts[rows, columns]
    classes, clusters = counts.sum(1), counts.sum(0)
    outer = -np.log(classes[rows] * clusters[columns]) + np.log(classes.sum()) + np.log(clusters.sum())
    shares = found / total
    parts = shares * (np.log(found) - np.log(total)) + shares * outer
    return max(0.0, float(np.where(np.abs(parts) < np.finfo(float).eps, 0.0, parts).sum()))


def _entropy(counts: Any) -> float:
    counts = counts[counts > 0].astype(float)
    return 0.0 if counts.size < 2 else float(-np.sum(counts / counts.sum() * (np.log(counts) - np.log(counts.sum()))))


def mutual_info_score(labels_true: Any, labels_pred: Any) -> float:
    return _mutual_information(_contingency(labels_true, labels_pred))


def normalized_mutual_info_score(labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic") -> float:
    """Mutual information over a mean of both entropies."""
    means: dict[str, Any] = {
        "min": min, "max": max, "geometric": lambda a, b: np.sqrt(a * b), "arithmetic": lambda a, b: (a + b) / 2,
    }  # fmt: skip
    if average_method not in means:
        raise ValueError("'average_method' must be 'min', 'geometric', 'arithmetic', or 'max'")
    counts = _contingency(labels_true, labels_pred)
    if counts.shape in ((1, 1), (0, 0)):
        return 1.0
    information = _mutual_information(counts)
    if information <= np.finfo(float).eps:
        return 0.0
    return float(information / means[average_method](_entropy(counts.sum(1)), _entropy(counts.sum(0))))


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """The share of pairs on which both agree, with 0 for chance."""
    counts = _contingency(labels_true, labels_pred)
    total, classes, clusters = (int(n) for n in (counts.sum(), (counts.sum(1) ** 2).sum(), (counts.sum(0) ** 2).sum()))
    both = int((counts**2).sum())
    together, apart, joined = both - total, clusters - both, classes - both
    neither = total**2 - apart - joined - both
    if not apart and not joined:
        return 1.0
    pairs = (together + joined) * (joined + neither) + (together + apart) * (apart + neither)
    return 2.0 * (together * neither - joined * apart) / pairs


def classification_report(
    y_true: Any, y_pred: Any, *, labels: Any = None, target_names: Any = None, digits: int = 2,
    output_dict: Any = False, zero_division: Any = 0.0,
) -> Any:  # fmt: skip
    counts, names = table_of(y_true, y_pred, labels)
    scores, there = scores_of_classes(counts), counts.sum(1)
    meter.charge(4 * len(names))
    wanted = items(target_names if target_names is not None else names)
    made(len(wanted))
    shown = [to_text(name) for name in wanted]
    if len(shown) != len(names):
        if labels is None:
            raise ValueError(
                f"Number of classes, {len(names)}, does not match size of target_names, {len(shown)}. Try specifying"
                " the labels parameter"
            )
        warnings.warn(
            f"labels size, {len(names)}, does not match size of target_names, {len(shown)}", UserWarning, stacklevel=1
        )
        shown = shown[: len(names)]
    digits = max(0, min(digits, 20))
    rows = [(name, *(scores[k][i] for k in scores), there[i]) for i, name in enumerate(shown)]
    total = int(there.sum())
    if output_dict:
        return _report(rows, scores, there)
    width = max([*map(len, shown), len("weighted avg"), digits])
    grow((len(rows) + 5) * (width + 50))
    lines = [f"{'':>{width}s} " + "".join(f" {head:>9}" for head in ("precision", "recall", "f1-score", "support")), ""]
    line = "{:>{w}s} " + " {:>9.{d}f}" * 3 + " {:>9}"
    lines += [line.format(*row, w=width, d=digits) for row in rows]
    accuracy = np.trace(counts) / max(1, total)
    lines += ["", f"{'accuracy':>{width}s} " + " " * 20 + f" {accuracy:>9.{digits}f} {total:>9}"]
    for name, weights in (("macro avg", None), ("weighted avg", there)):
        means = [np.average(scores[kind], weights=weights) for kind in scores]
        lines.append(line.format(name, *means, total, w=width, d=digits))
    return "\n".join(lines) + "\n"


def _report(rows: list[tuple[Any, ...]], scores: dict[str, Any], there: Any) -> dict[str, Any]:
    heads = ("precision", "recall", "f1-score", "support")
    found: dict[str, Any] = {name: dict(zip(heads, map(float, row), strict=True)) for name, *row in rows}
    total = float(there.sum())
    found["accuracy"] = float((scores["recall"] * there).sum() / max(1.0, total))
    for name, weights in (("macro avg", None), ("weighted avg", there)):
        means = [float(np.average(scores[kind], weights=weights)) for kind in scores]
        found[name] = dict(zip(heads, (*means, total), strict=True))
    return found


CLUSTER: dict[str, Any] = {
    function.__name__: Builtin(function.__name__, function)
    for function in (mutual_info_score, normalized_mutual_info_score, adjusted_rand_score)
}
METRICS: dict[str, Any] = {
    **CLUSTER,
    "cluster": Module.of("sklearn.metrics.cluster", CLUSTER),
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (
            accuracy_score, confusion_matrix, mean_squared_error, root_mean_squared_error, mean_absolute_error,
            r2_score, roc_auc_score, roc_curve, auc, classification_report,
        )
    },
    **{f"{kind}_score": _scoring(kind) for kind in ("precision", "recall", "f1")},
}  # fmt: skip
