"""`sklearn.linear_model`: least squares, plain and with a penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.stdlib.sklearn.base import Estimator, given, published, table, targets


class LinearModel(Estimator):
    """A weight for each feature, and an intercept."""

    __program__ = True
    __module__ = "sklearn.linear_model"
    fit_intercept = True

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any = None  # noqa: N803 - scikit-learn's names
    ) -> Any:
        if sample_weight is not None:
            raise NotImplementedError("samples have no weights here")
        a = table(X, self, floats=False)
        b = targets(y, len(a)).astype(float)
        meter.charge(a.size * min(a.shape) >> 10)
        middle, level = (a.mean(0, dtype=float), b.mean(0)) if self.fit_intercept else (np.zeros(a.shape[1]), 0.0)
        weights = self._solve(a - middle, b - level).T
        self.coef_, self.n_features_in_ = wrap(weights), a.shape[1]
        self.intercept_ = wrap(level - weights @ middle) if self.fit_intercept else 0.0
        self._weights, self._level = weights, level - weights @ middle
        self._fitted = True
        return self

    def _solve(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def _predicted(self, X: Any) -> Any:  # noqa: N803
        self._check()
        a = table(X, self, floats=False)
        self._check_width(a)
        meter.charge(a.size * max(1, self._weights.size // self._weights.shape[-1]) >> 10)
        return a @ self._weights.T + self._level

    def predict(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._predicted(X))

    def score(self, X: Any, y: Any) -> Any:  # noqa: N803
        b = given(y).astype(float)
        missed, all_there_is = ((b - self._predicted(X)) ** 2).sum(0), ((b - b.mean(0)) ** 2).sum(0)
        return float(np.mean(1 - missed / all_there_is))


class LinearRegression(LinearModel):
    """Least squares."""

    __program__ = True

    def __init__(
        self, *, fit_intercept: Any = True, copy_X: Any = True, tol: Any = 1e-6, n_jobs: Any = None,  # noqa: N803
        positive: Any = False,
    ) -> None:  # fmt: skip
        if positive:
            raise NotImplementedError("LinearRegression(positive=True) is not available here")
        self.fit_intercept, self.copy_X, self.tol, self.n_jobs = fit_intercept, copy_X, tol, n_jobs
        self.positive = positive

    def _solve(self, a: Any, b: Any) -> Any:
        found, _, self.rank_, singular = np.linalg.lstsq(a, b, rcond=None)
        self.singular_ = wrap(singular)
        return found


class Ridge(LinearModel):
    """Least squares, with a penalty on the squares of the weights."""

    __program__ = True

    def __init__(
        self, alpha: Any = 1.0, *, fit_intercept: Any = True, copy_X: Any = True, max_iter: Any = None,  # noqa: N803
        tol: Any = 1e-4, solver: Any = "auto", positive: Any = False, random_state: Any = None,
    ) -> None:  # fmt: skip
        if positive:
            raise NotImplementedError("Ridge(positive=True) is not available here")
        self.alpha, self.fit_intercept, self.copy_X, self.max_iter = alpha, fit_intercept, copy_X, max_iter
        self.tol, self.solver, self.positive, self.random_state = tol, solver, positive, random_state

    def _solve(self, a: Any, b: Any) -> Any:
        return np.linalg.solve(a.T @ a + self.alpha * np.eye(a.shape[1]), a.T @ b)


LINEAR_MODEL: dict[str, Any] = published(LinearRegression, Ridge, module="sklearn.linear_model")
