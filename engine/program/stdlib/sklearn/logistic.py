"""`sklearn.linear_model.LogisticRegression`, by the L-BFGS method."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import python_number, unwrap, wrap
from engine.program.exceptions import EXCEPTIONS
from engine.program.stdlib.sklearn.base import Estimator, given, invalid, published, table, targets
from engine.program.stdlib.sklearn.lbfgs import minimize
from engine.program.stdlib.warnings import record

CONVERGENCE: Any = type(
    "ConvergenceWarning", (EXCEPTIONS["UserWarning"],), {"__module__": "sklearn.exceptions"}
)
_SURE = 60
"""Steps after which rounding shows in three digits of features that are not scaled."""
_FLAT = 64 * float(np.finfo(float).eps)


class LogisticRegression(Estimator):
    """Classes by the linear functions whose softmax makes what was seen likeliest, with a penalty on their squares."""

    __program__ = True
    _classifies = True

    def __init__(
        self, penalty: Any = "deprecated", *, C: Any = 1.0, l1_ratio: Any = 0.0, dual: Any = False,  # noqa: N803
        tol: Any = 1e-4, fit_intercept: Any = True, intercept_scaling: Any = 1, class_weight: Any = None,
        random_state: Any = None, solver: Any = "lbfgs", max_iter: Any = 100, verbose: Any = 0,
        warm_start: Any = False, n_jobs: Any = None,
    ) -> None:  # fmt: skip
        self.penalty, self.C, self.l1_ratio, self.dual, self.tol = penalty, C, l1_ratio, dual, tol
        self.fit_intercept, self.intercept_scaling, self.class_weight = fit_intercept, intercept_scaling, class_weight
        self.random_state, self.solver, self.max_iter, self.verbose = random_state, solver, max_iter, verbose
        self.warm_start, self.n_jobs = warm_start, n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]  # noqa: N803
        strength = self._strength()
        a = table(X, self)
        labels = targets(y, len(a)).reshape(-1)
        if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
            raise ValueError(
                "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete"
                " classes on a regression target with continuous values."
            )
        classes, numbers = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains only one class:"
                f" {classes[0]!r}"
            )
        weights = np.ones(len(a)) if sample_weight is None else given(sample_weight).astype(float)
        weights = weights * self._weights_of(classes, numbers)
        found, steps, arrived = self._solve(a.astype(float), classes, numbers, weights, 1 / (strength * weights.sum()))
        if not arrived:
            record(CONVERGENCE, _FAILED.format(steps=steps, most=self.max_iter))
        if steps > _SURE:
            sessions.active.notice(
                f"LogisticRegression took {steps} steps: after so many its weights are near scikit-learn's, not the"
                " same. Scaled features need fewer."
            )
        self._fitted, self.n_features_in_ = True, a.shape[1]
        self._rows, self._levels = found[:, : a.shape[1]], found[:, a.shape[1]]
        self._classes = classes
        self.classes_, self.coef_, self.intercept_ = wrap(classes), wrap(self._rows.copy()), wrap(self._levels.copy())
        self.n_iter_ = wrap(np.array([steps], dtype=np.int32))
        return self

    def _strength(self) -> float:
        """C, where it can be had. Raises NotImplementedError for solvers and penalties that are not here."""
        strength = python_number(unwrap(self.C))
        if not isinstance(strength, int | float) or not strength > 0:
            raise invalid(type(self).__name__, "C", self.C, "a float in the range (0.0, inf]")
        if self.solver != "lbfgs":
            raise NotImplementedError("LogisticRegression has one solver here: solver='lbfgs'")
        if self.penalty not in ("deprecated", "l2", None) or self.l1_ratio not in (0, None) or self.warm_start:
            raise NotImplementedError("LogisticRegression has the penalty 'l2' or none here, and no warm start")
        if self.penalty != "deprecated":
            warnings.warn(_DEPRECATED, FutureWarning, stacklevel=1)
        return math.inf if self.penalty is None else float(strength)

    def _weights_of(self, classes: Any, numbers: Any) -> Any:
        if self.class_weight is None:
            return 1.0
        if self.class_weight == "balanced":
            return (len(numbers) / (len(classes) * np.bincount(numbers)))[numbers]
        known = {unwrap(key): float(python_number(unwrap(value))) for key, value in self.class_weight.items()}
        return np.array([known.get(name, 1.0) for name in classes.tolist()])[numbers]

    def _solve(self, a: Any, classes: Any, numbers: Any, weights: Any, penalty: float) -> tuple[Any, int, bool]:
        """A row of weights and a level for each class, or one for two; how many steps it took; whether it got there."""
        (count, width), total = a.shape, weights.sum()
        rows = 1 if len(classes) == 2 else len(classes)
        levels = bool(self.fit_intercept)
        wanted = (numbers == 1).astype(float)[:, None] if rows == 1 else np.eye(rows)[numbers]
        meter.allocate(8 * count * rows, 8)

        def function(x: Any) -> tuple[float, Any]:
            meter.charge(20)
            meter.work(4 * count * rows * (width + 8))
            w = x.reshape(rows, -1)
            raw = a @ w[:, :width].T + (w[:, width] if levels else 0.0)
            if rows == 1:
                losses = np.logaddexp(0, raw[:, 0]) - wanted[:, 0] * raw[:, 0]
                with np.errstate(over="ignore"):
                    shares = 1 / (1 + np.exp(-raw))
            else:
                raw = raw - raw.max(1, keepdims=True)
                shares = np.exp(raw)
                sums = shares.sum(1, keepdims=True)
                losses = np.log(sums[:, 0]) - (raw * wanted).sum(1)
                shares = shares / sums
            missed = (shares - wanted) * (weights / total)[:, None]
            gradient = np.zeros_like(w)
            gradient[:, :width] = missed.T @ a + penalty * w[:, :width]
            if levels:
                gradient[:, width] = missed.sum(0)
            value = losses @ weights / total + 0.5 * penalty * (w[:, :width] ** 2).sum()
            return float(value), gradient.reshape(-1)

        start = np.zeros(rows * (width + levels))
        most, small = int(unwrap(self.max_iter)), float(unwrap(self.tol))
        found, steps, arrived = minimize(function, start, most, small, _FLAT)
        found = found.reshape(rows, -1)
        return found if levels else np.hstack([found, np.zeros((rows, 1))]), steps, arrived

    def _scores(self, X: Any) -> Any:  # noqa: N803
        self._check()
        a = table(X, self)
        self._check_width(a)
        meter.work(2 * a.size * len(self._rows))
        return a @ self._rows.T + self._levels

    def decision_function(self, X: Any) -> Any:  # noqa: N803
        scores = self._scores(X)
        return wrap(scores[:, 0].copy() if len(self._rows) == 1 else scores)

    def predict(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._predicted(X))

    def _predicted(self, X: Any) -> Any:  # noqa: N803
        scores = self._scores(X)
        return self._classes[(scores[:, 0] > 0).astype(int) if len(self._rows) == 1 else scores.argmax(1)]

    def _shares(self, X: Any) -> Any:  # noqa: N803
        scores = self._scores(X)
        if len(self._rows) == 1:
            scores = np.hstack([-scores / 2, scores / 2])
        scores = np.exp(scores - scores.max(1, keepdims=True))
        return scores / scores.sum(1, keepdims=True)

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._shares(X))

    def predict_log_proba(self, X: Any) -> Any:  # noqa: N803
        return wrap(np.log(self._shares(X)))

    def score(self, X: Any, y: Any) -> float:  # noqa: N803
        predicted = self._predicted(X)
        return float(np.mean(predicted == targets(y, len(predicted)).reshape(-1)))


_FAILED = (
    "lbfgs failed to converge after {steps} iteration(s) (status=1):\nSTOP: TOTAL NO. OF ITERATIONS REACHED LIMIT\n\n"
    "Increase the number of iterations to improve the convergence (max_iter={most}).\nYou might also want to scale the"
    " data as shown in:\n    https://scikit-learn.org/stable/modules/preprocessing.html\nPlease also refer to the"
    " documentation for alternative solver options:\n"
    "    https://scikit-learn.org/stable/modules/linear_model.html#logistic-regression"
)
_DEPRECATED = (
    "'penalty' was deprecated in version 1.8 and will be removed in 1.10. To avoid this warning, leave 'penalty' set to"
    " its default value and use 'l1_ratio' or 'C' instead. Use l1_ratio=0 instead of penalty='l2', l1_ratio=1 instead"
    " of penalty='l1', l1_ratio set to a float between 0 and 1 instead of penalty='elasticnet', and C=np.inf instead of"
    " penalty=None."
)
LOGISTIC: dict[str, Any] = published(LogisticRegression, module="sklearn.linear_model")
