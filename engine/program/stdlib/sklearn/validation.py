"""`sklearn.model_selection.cross_val_score` and kin: an estimator judged on parts of the data that it has not seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib.sklearn.base import given, table, targets
from engine.program.stdlib.sklearn.metrics import METRICS
from engine.program.stdlib.sklearn.model_selection import KFold, StratifiedKFold
from engine.program.stdlib.sklearn.pipeline import clone
from engine.program.stdlib.sklearn.scores import SCORES
from engine.program.text import represent
from engine.program.values import Builtin

_SCORERS: dict[str, tuple[str, int, dict[str, Any]]] = {
    "accuracy": ("accuracy_score", 1, {}), "r2": ("r2_score", 1, {}), "f1": ("f1_score", 1, {}),
    "neg_mean_squared_error": ("mean_squared_error", -1, {}),
    "neg_mean_absolute_error": ("mean_absolute_error", -1, {}), "precision": ("precision_score", 1, {}),
    "recall": ("recall_score", 1, {}), "balanced_accuracy": ("balanced_accuracy_score", 1, {}),
    **{
        f"{name}_{average}": (f"{name}_score", 1, {"average": average})
        for name in ("f1", "precision", "recall")
        for average in ("macro", "micro", "weighted")
    },
}  # fmt: skip


def _folds(estimator: Any, cv: Any, X: Any, y: Any) -> list[tuple[Any, Any]]:  # noqa: N803
    """The rows to learn from and the rows to judge by, of each part."""
    if cv is None or isinstance(cv, int):
        whole = y is not None and (y.dtype.kind in "biuU" or (y == np.floor(y)).all())
        kind = StratifiedKFold if estimator._classifies and whole else KFold
        cv = kind(5 if cv is None else cv)
    pairs = items(call(read(cv, "split"), [wrap(X), None if y is None else wrap(y)], None))
    return [(given(train), given(test)) for train, test in map(items, pairs)]


def _judged(estimator: Any, scoring: Any, X: Any, y: Any) -> float:  # noqa: N803
    if scoring is None:
        return float(call(read(estimator, "score"), [wrap(X), wrap(y)], None))
    if not isinstance(scoring, str):
        return float(call(scoring, [estimator, wrap(X), wrap(y)], None))
    if scoring not in _SCORERS:
        raise NotImplementedError(f"scoring={represent(scoring)} is not available here: {sorted(_SCORERS)} are")
    name, sign, options = _SCORERS[scoring]
    score = {**METRICS, **SCORES}[name]
    return sign * float(call(score, [wrap(y), call(read(estimator, "predict"), [wrap(X)], None)], options))


def cross_val_score(
    estimator: Any, X: Any, y: Any = None, *, groups: Any = None, scoring: Any = None, cv: Any = None,  # noqa: N803
    n_jobs: Any = None, verbose: Any = 0, params: Any = None, pre_dispatch: Any = None, error_score: Any = None,
) -> Any:  # fmt: skip
    """The scores of an estimator on each part, after it has learned from the others."""
    fresh = clone(estimator)
    a = table(X)
    b = targets(y, len(a))
    scores = []
    for train, test in _folds(fresh, cv, a, b):
        meter.allocate(2 * a.size, 8)
        meter.charge(20 + (a.size >> 8))
        one = clone(estimator)
        call(read(one, "fit"), [wrap(a[train]), wrap(b[train])], None)
        scores.append(_judged(one, scoring, a[test], b[test]))
    return wrap(np.array(scores))


def cross_val_predict(
    estimator: Any, X: Any, y: Any = None, *, cv: Any = None, method: Any = "predict", **options: Any  # noqa: N803
) -> Any:
    """What an estimator says of each part, after it has learned from the others."""
    fresh = clone(estimator)
    a = table(X)
    b = targets(y, len(a))
    found: list[tuple[Any, Any]] = []
    for train, test in _folds(fresh, cv, a, b):
        meter.allocate(2 * a.size, 8)
        meter.charge(20 + (a.size >> 8))
        one = clone(estimator)
        call(read(one, "fit"), [wrap(a[train]), wrap(b[train])], None)
        found.append((test, given(call(read(one, method), [wrap(a[test])], None))))
    made = np.zeros((len(a), *found[0][1].shape[1:]), found[0][1].dtype)
    for rows, values in found:
        made[rows] = values
    return wrap(made)


VALIDATION: dict[str, Any] = {
    function.__name__: Builtin(function.__name__, function) for function in (cross_val_score, cross_val_predict)
}
