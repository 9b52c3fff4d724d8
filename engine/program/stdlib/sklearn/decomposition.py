"""`sklearn.decomposition.PCA`: the directions in which samples differ most."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import python_number, unwrap, wrap
from engine.program.stdlib.sklearn.base import Estimator, invalid, names_out, published, table

_SOLVERS = "{'covariance_eigh', 'auto', 'full', 'arpack', 'randomized'}"


class PCA(Estimator):
    """Principal components, from the covariances of many samples or the singular values of few."""

    __program__ = True

    def __init__(
        self, n_components: Any = None, *, copy: Any = True, whiten: Any = False, svd_solver: Any = "auto",
        tol: Any = 0.0, iterated_power: Any = "auto", n_oversamples: Any = 10,
        power_iteration_normalizer: Any = "auto", random_state: Any = None,
    ) -> None:  # fmt: skip
        self.n_components, self.copy, self.whiten = n_components, copy, whiten
        self.svd_solver, self.tol = svd_solver, tol
        self.iterated_power, self.n_oversamples = iterated_power, n_oversamples
        self.power_iteration_normalizer, self.random_state = power_iteration_normalizer, random_state

    def _solver(self, rows: int, columns: int, wanted: Any) -> str:
        if self.svd_solver != "auto":
            if type(self.svd_solver) is not str or f"'{self.svd_solver}'" not in _SOLVERS:
                raise invalid("PCA", "svd_solver", self.svd_solver, f"a str among {_SOLVERS}")
            return str(self.svd_solver)
        if columns <= 1000 and rows >= 10 * columns:
            return "covariance_eigh"
        if max(rows, columns) > 500 and 1 <= wanted < 0.8 * min(rows, columns):
            return "randomized"
        return "full"

    def _fit(self, X: Any) -> None:  # noqa: N803
        a = table(X, self)
        rows, columns = a.shape
        most = min(rows, columns)
        wanted = most if self.n_components is None else python_number(unwrap(self.n_components))
        if not isinstance(wanted, int | float):
            raise NotImplementedError("PCA(n_components=…) is a number here")
        solver = self._solver(rows, columns, wanted)
        if not 0 <= wanted <= most:
            raise ValueError(
                f"n_components={wanted} must be between 0 and min(n_samples, n_features)={most} with"
                f" svd_solver={solver!r}"
            )
        if solver == "randomized":
            sessions.active.notice("PCA is computed exactly here, where scikit-learn approximates it by chance.")
        meter.allocate(3 * a.size + 2 * columns * most, 8)
        meter.work(80 * a.size * most)
        meter.charge(a.size >> 4)
        mean = a.mean(0)
        if solver == "covariance_eigh":
            covariance = (a.T @ a - rows * np.outer(mean, mean)) / (rows - 1)
            values, vectors = np.linalg.eigh(covariance)
            variances, directions = np.maximum(values[::-1], 0), vectors[:, ::-1].T
            lengths = np.sqrt(variances * (rows - 1))
        else:
            _, lengths, directions = np.linalg.svd(a - mean, full_matrices=False)
            variances = lengths**2 / (rows - 1)
        largest = np.abs(directions).argmax(1)
        directions = directions * np.sign(directions[np.arange(len(directions)), largest])[:, None]
        shares = variances / (variances.sum() if solver != "randomized" else a.var(0, ddof=1).sum())
        if isinstance(wanted, float) and 0 < wanted < 1:
            wanted = int(np.searchsorted(np.cumsum(shares), wanted, side="right")) + 1
        kept = int(wanted)
        self._mean, self._directions = mean, directions[:kept].copy()
        self._lengths = np.sqrt(variances[:kept]) if self.whiten else None
        self.mean_, self.components_ = wrap(mean), wrap(directions[:kept].copy())
        self.explained_variance_, self.singular_values_ = wrap(variances[:kept].copy()), wrap(lengths[:kept].copy())
        self.explained_variance_ratio_ = wrap(shares[:kept].copy())
        self.noise_variance_ = wrap(variances[kept:].mean()) if kept < most else 0.0
        self.n_components_, self.n_samples_, self.n_features_in_ = kept, rows, columns

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X, self)
        meter.work(2 * a.size * len(self._directions))
        found = a @ self._directions.T - self._mean @ self._directions.T
        if self._lengths is not None:
            found = found / np.maximum(self._lengths, np.finfo(self._lengths.dtype).eps)
        return wrap(found)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = table(X, self)
        meter.work(2 * a.size * self._directions.shape[1])
        directions = self._directions if self._lengths is None else self._lengths[:, None] * self._directions
        return wrap(a @ directions + self._mean)

    def get_covariance(self) -> Any:
        self._check()
        meter.allocate(self.n_features_in_**2, 8)
        meter.work(2 * self.n_features_in_**2 * self.n_components_)
        noise = float(unwrap(self.noise_variance_))
        found = (self._directions.T * np.maximum(self.explained_variance_._array - noise, 0)) @ self._directions
        return wrap(found + noise * np.eye(self.n_features_in_))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        self._check()
        return names_out([f"pca{n}" for n in range(self.n_components_)])


DECOMPOSITION: dict[str, Any] = published(PCA, module="sklearn.decomposition")
