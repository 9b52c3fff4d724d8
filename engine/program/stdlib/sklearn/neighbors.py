"""`sklearn.neighbors`: classes and numbers of the nearest samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import unwrap, wrap
from engine.program.stdlib.sklearn.base import Estimator, published, table, targets

_AT_ONCE = 1 << 20
"""Distances that are in memory at a time, about."""


class _Neighbors(Estimator):
    """Samples that were seen, and how far others are from them."""

    __program__ = True
    __module__ = "sklearn.neighbors"

    def __init__(
        self, n_neighbors: Any = 5, *, weights: Any = "uniform", algorithm: Any = "auto", leaf_size: Any = 30,
        p: Any = 2, metric: Any = "minkowski", metric_params: Any = None, n_jobs: Any = None,
    ) -> None:  # fmt: skip
        self.n_neighbors, self.weights, self.algorithm = n_neighbors, weights, algorithm
        self.leaf_size, self.p = leaf_size, p
        self.metric, self.metric_params, self.n_jobs = metric, metric_params, n_jobs

    def fit(self, X: Any, y: Any) -> Any:  # type: ignore[override]  # noqa: N803
        powers = {"manhattan": 1.0, "euclidean": 2.0, "minkowski": unwrap(self.p)}
        self._power = powers.get(self.metric)
        if self._power not in (1, 2) or self.weights not in ("uniform", "distance", None):
            raise NotImplementedError("neighbors are found by Euclidean or Manhattan distances here")
        self._seen = table(X, self).copy()
        self._learn(targets(y, len(self._seen)))
        self.n_features_in_, self.n_samples_fit_ = self._seen.shape[1], len(self._seen)
        self._fitted = True
        return self

    def _learn(self, y: Any) -> None:
        raise NotImplementedError

    def _nearest(self, X: Any, count: Any = None) -> tuple[Any, Any]:  # noqa: N803
        """Distances and numbers of the nearest samples, of equally far ones those that came first."""
        self._check()
        a = table(X, self)
        self._check_width(a)
        wanted = int(unwrap(self.n_neighbors if count is None else count))
        seen = len(self._seen)
        if wanted > seen:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {wanted}, n_samples_fit = {seen}, n_samples"
                f" = {len(a)}"
            )
        meter.allocate(2 * len(a) * wanted + min(len(a) * seen * a.shape[1], 2 * _AT_ONCE), 8)
        meter.work(6 * len(a) * seen * a.shape[1])
        meter.charge(len(a) * seen >> 4)
        step = max(1, _AT_ONCE // max(1, seen * a.shape[1]))
        far, which = np.empty((len(a), wanted)), np.empty((len(a), wanted), dtype=np.int64)
        for start in range(0, len(a), step):
            meter.charge(4)
            apart = np.abs(a[start : start + step, None, :] - self._seen)
            distances = np.sqrt((apart**2).sum(2)) if self._power == 2 else apart.sum(2)
            nearest = np.argsort(distances, axis=1, kind="stable")[:, : wanted + 1]
            ends = np.take_along_axis(distances, nearest[:, wanted - 1 :], 1)
            if (ends[:, 0] == ends[:, -1]).any() and wanted < seen:
                sessions.active.notice("Some neighbors are equally far: scikit-learn may choose others of them.")
            nearest = nearest[:, :wanted]
            which[start : start + step] = nearest
            far[start : start + step] = np.take_along_axis(distances, nearest, 1)
        return far, which

    def kneighbors(self, X: Any = None, n_neighbors: Any = None, return_distance: Any = True) -> Any:  # noqa: N803
        if X is None:
            raise NotImplementedError("kneighbors() is of given samples here")
        far, which = self._nearest(X, n_neighbors)
        return (wrap(far), wrap(which)) if return_distance else wrap(which)

    def _shares(self, far: Any) -> Any:
        """How much each neighbor counts."""
        if self.weights != "distance":
            return np.ones_like(far)
        same = far == 0
        with np.errstate(divide="ignore"):
            return np.where(same.any(1, keepdims=True), same, 1 / far)


class KNeighborsClassifier(_Neighbors):
    """The class that most of the nearest samples have."""

    __program__ = True
    _classifies = True

    def _learn(self, y: Any) -> None:
        self._classes, self._numbers = np.unique(y.reshape(-1), return_inverse=True)
        self.classes_ = wrap(self._classes)

    def _votes(self, X: Any) -> Any:  # noqa: N803
        far, which = self._nearest(X)
        shares, votes = self._shares(far), np.zeros((len(far), len(self._classes)))
        meter.allocate(votes.size, 8)
        for place in range(far.shape[1]):
            meter.charge(1 + (len(far) >> 7))
            votes[np.arange(len(far)), self._numbers[which[:, place]]] += shares[:, place]
        return votes

    def predict(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._predicted(X))

    def _predicted(self, X: Any) -> Any:  # noqa: N803
        votes = self._votes(X)
        return self._classes[votes.argmax(1)]

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        votes = self._votes(X)
        return wrap(votes / votes.sum(1, keepdims=True))

    def score(self, X: Any, y: Any) -> float:  # noqa: N803
        predicted = self._predicted(X)
        return float(np.mean(predicted == targets(y, len(predicted)).reshape(-1)))


class KNeighborsRegressor(_Neighbors):
    """The average of the nearest samples."""

    __program__ = True

    def _learn(self, y: Any) -> None:
        self._targets = y.astype(float)

    def _predicted(self, X: Any) -> Any:  # noqa: N803
        far, which = self._nearest(X)
        shares = self._shares(far)
        meter.allocate(which.size * (self._targets.size // max(1, len(self._targets))), 8)
        several = self._targets[which]
        if several.ndim == 3:
            shares = shares[:, :, None]
        return (several * shares).sum(1) / shares.sum(1)

    def predict(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._predicted(X))

    def score(self, X: Any, y: Any) -> float:  # noqa: N803
        predicted = self._predicted(X)
        true = targets(y, len(predicted)).astype(float)
        return float(np.mean(1 - ((true - predicted) ** 2).sum(0) / ((true - true.mean(0)) ** 2).sum(0)))


NEIGHBORS: dict[str, Any] = published(KNeighborsClassifier, KNeighborsRegressor, module="sklearn.neighbors")
