"""`sklearn.cluster.KMeans`: centers that samples are nearest to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import unwrap, wrap
from engine.program.stdlib.sklearn.base import Estimator, published, table
from engine.program.stdlib.sklearn.logistic import CONVERGENCE
from engine.program.stdlib.sklearn.random import generator
from engine.program.stdlib.warnings import record


class KMeans(Estimator):
    """Lloyd's turns from centers that k-means++ has drawn."""

    __program__ = True

    def __init__(
        self, n_clusters: Any = 8, *, init: Any = "k-means++", n_init: Any = "auto", max_iter: Any = 300,
        tol: Any = 1e-4, verbose: Any = 0, random_state: Any = None, copy_x: Any = True, algorithm: Any = "lloyd",
    ) -> None:  # fmt: skip
        self.n_clusters, self.init, self.n_init, self.max_iter, self.tol = n_clusters, init, n_init, max_iter, tol
        self.verbose, self.random_state, self.copy_x, self.algorithm = verbose, random_state, copy_x, algorithm

    def _fit(self, X: Any) -> None:  # noqa: N803
        a = table(X, self)
        count = int(unwrap(self.n_clusters))
        if len(a) < count:
            raise ValueError(f"n_samples={len(a)} should be >= n_clusters={count}.")
        source, mean = generator(self.random_state), a.mean(0)
        a = np.ascontiguousarray(a - mean)
        meter.allocate(4 * len(a) * count + 2 * a.size, 8)
        start = None if isinstance(self.init, str) else table(self.init, self) - mean
        if start is None and self.init not in ("k-means++", "random"):
            raise NotImplementedError("KMeans begins with 'k-means++', 'random' or an array here")
        if start is not None and start.shape != (count, a.shape[1]):
            raise ValueError(
                f"The shape of the initial centers {start.shape} does not match the number of clusters {count}."
            )
        turns = self.n_init
        if turns == "auto":
            turns = 10 if start is None and self.init == "random" else 1
        close = float(np.var(a, 0).mean()) * float(unwrap(self.tol))
        best: tuple[Any, float, Any, int] | None = None
        for _ in range(int(unwrap(turns)) if start is None else 1):
            meter.charge(50)
            centers = start if start is not None else self._drawn(a, count, source)
            found = self._lloyd(a, centers.copy(), close)
            if best is None or found[1] < best[1] and not _same(found[0], best[0], count):
                best = found
        assert best is not None
        labels, inertia, centers, self.n_iter_ = best
        if len(np.unique(labels)) < count:
            record(
                CONVERGENCE,
                f"Number of distinct clusters ({len(np.unique(labels))}) found smaller than n_clusters ({count})."
                " Possibly due to duplicate points in X.",
            )
        self._centers = centers + mean
        self.cluster_centers_, self.labels_ = wrap(self._centers.copy()), wrap(labels.astype(np.int32))
        self.inertia_, self.n_features_in_ = float(inertia), a.shape[1]

    def _drawn(self, a: Any, count: int, source: Any) -> Any:
        """Centers among the samples."""
        weights = np.ones(len(a), a.dtype)
        if self.init == "random":
            return a[source.choice(len(a), size=count, replace=False, p=weights / weights.sum())]
        squares, tries = (a * a).sum(1), 2 + int(math.log(count))
        chosen = [int(source.choice(len(a), p=weights / weights.sum()))]
        nearest = _squared(a[chosen], a, squares)
        total = nearest @ weights
        for _ in range(1, count):
            meter.charge(20 + (len(a) * tries >> 8))
            meter.work(4 * a.size * tries)
            wanted = source.uniform(size=tries) * total
            candidates = np.minimum(np.searchsorted(np.cumsum(weights * nearest), wanted), len(a) - 1)
            near = np.minimum(nearest, _squared(a[candidates], a, squares))
            totals = near @ weights.reshape(-1, 1)
            best = int(np.argmin(totals))
            total, nearest = totals[best], near[best]
            chosen.append(int(candidates[best]))
        return a[chosen]

    def _lloyd(self, a: Any, centers: Any, close: float) -> tuple[Any, float, Any, int]:
        """Labels, the sum of squared distances, the centers, and after how many turns."""
        before, stays, turns = None, False, 0
        while turns < max(1, int(unwrap(self.max_iter))):
            turns += 1
            labels = self._nearest(a, centers)
            new = self._means(a, labels, centers)
            moved = ((new - centers) ** 2).sum()
            centers = new
            if before is not None and np.array_equal(labels, before):
                stays = True
                break
            if moved <= close:
                break
            before = labels
        if not stays:
            labels = self._nearest(a, centers)
        return labels, float(((a - centers[labels]) ** 2).sum()), centers, turns

    def _nearest(self, a: Any, centers: Any) -> Any:
        meter.charge(20 + (len(a) * len(centers) >> 8))
        meter.work(4 * a.size * len(centers))
        return ((centers * centers).sum(1) - 2 * (a @ centers.T)).argmin(1)

    def _means(self, a: Any, labels: Any, centers: Any) -> Any:
        """The middle of each center's samples; one that has none goes where a sample is far from its own."""
        meter.charge(len(centers) + (a.size >> 6))
        sizes = np.bincount(labels, minlength=len(centers)).astype(float)
        sums = np.zeros_like(centers)
        np.add.at(sums, labels, a)
        empty = np.flatnonzero(sizes == 0)
        if len(empty):
            apart = ((a - centers[labels]) ** 2).sum(1)
            for center, row in zip(empty, np.argpartition(apart, -len(empty))[: -len(empty) - 1 : -1], strict=True):
                sums[labels[row]] -= a[row]
                sizes[labels[row]] -= 1
                sums[center], sizes[center] = a[row], 1
        return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centers)

    def _labels(self, X: Any) -> tuple[Any, Any]:  # noqa: N803
        self._check()
        a = table(X, self)
        self._check_width(a)
        meter.allocate(2 * len(a) * len(self._centers), 8)
        return a, self._nearest(a, self._centers)

    def predict(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._labels(X)[1].astype(np.int32))

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        return self.fit(X).labels_

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X, self)
        meter.allocate(2 * len(a) * len(self._centers), 8)
        meter.work(4 * a.size * len(self._centers))
        return wrap(np.sqrt(np.maximum(_squared(a, self._centers, (self._centers**2).sum(1)), 0)))

    def score(self, X: Any, y: Any = None) -> float:  # noqa: N803
        a, labels = self._labels(X)
        return -float(((a - self._centers[labels]) ** 2).sum())


def _squared(rows: Any, a: Any, squares: Any) -> Any:
    """Squared distances of rows to samples, of which the squared lengths are known."""
    meter.allocate(len(rows) * len(a), 8)
    return np.maximum((rows * rows).sum(1)[:, None] - 2 * (rows @ a.T) + squares, 0)


def _same(left: Any, right: Any, count: int) -> bool:
    """Whether two labellings differ in nothing but the numbers of their labels."""
    names = np.full(count, -1)
    names[left] = right
    return bool((names[left] == right).all())


CLUSTERS: dict[str, Any] = published(KMeans, module="sklearn.cluster")
