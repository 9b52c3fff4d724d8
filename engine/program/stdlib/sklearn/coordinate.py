"""`sklearn.linear_model`'s Lasso and ElasticNet: one weight after the other, in turn, until none moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.stdlib.sklearn.base import invalid, published
from engine.program.stdlib.sklearn.linear_model import LinearModel
from engine.program.stdlib.sklearn.logistic import CONVERGENCE
from engine.program.stdlib.warnings import record

_FAILED = (
    "Objective did not converge. You might want to increase the number of iterations, check the scale of the features"
    " or consider increasing regularisation. Duality gap: {gap:.6e}, tolerance: {least:.3e}"
)


class ElasticNet(LinearModel):
    """Least squares, with a penalty on the weights and on their squares."""

    __program__ = True
    l1_ratio: Any = 1.0

    def __init__(
        self, alpha: Any = 1.0, *, l1_ratio: Any = 0.5, fit_intercept: Any = True, precompute: Any = False,
        max_iter: Any = 1000, copy_X: Any = True, tol: Any = 1e-4, warm_start: Any = False,  # noqa: N803
        positive: Any = False, random_state: Any = None, selection: Any = "cyclic",
    ) -> None:  # fmt: skip
        if positive or warm_start or selection == "random":
            raise NotImplementedError("positive=True, warm_start=True and selection='random' are not available here")
        self.alpha, self.l1_ratio, self.fit_intercept, self.precompute = alpha, l1_ratio, fit_intercept, precompute
        self.max_iter, self.copy_X, self.tol, self.warm_start = max_iter, copy_X, tol, warm_start
        self.positive, self.random_state, self.selection = positive, random_state, selection

    def _check_parameters(self) -> None:
        kind = type(self).__name__
        if isinstance(self.alpha, bool) or not isinstance(self.alpha, int | float) or self.alpha < 0:
            raise invalid(kind, "alpha", self.alpha, "a float in the range [0.0, inf)")
        if not isinstance(self.l1_ratio, int | float) or not 0 <= self.l1_ratio <= 1:
            raise invalid(kind, "l1_ratio", self.l1_ratio, "a float in the range [0.0, 1.0]")
        if not isinstance(self.max_iter, int) or self.max_iter < 1:
            raise invalid(kind, "max_iter", self.max_iter, "an int in the range [1, inf) or None")
        if self.selection != "cyclic":
            raise invalid(kind, "selection", self.selection, "a str among {'cyclic', 'random'}")

    def _solve(self, a: Any, b: Any) -> Any:
        self._check_parameters()
        columns = b.reshape(len(b), -1)
        meter.charge(5 * columns.shape[1] + (columns.size >> 8))
        found = [self._descended(a, columns[:, index]) for index in range(columns.shape[1])]
        steps, gaps = [step for _, step, _ in found], [gap for _, _, gap in found]
        self.n_iter_ = steps[0] if len(steps) == 1 else steps
        self.dual_gap_ = gaps[0] if len(gaps) == 1 else wrap(np.array(gaps))
        weights = np.stack([weights for weights, _, _ in found], 1)
        return weights[:, 0] if weights.shape[1] == 1 else weights

    def _descended(self, a: Any, y: Any) -> tuple[Any, int, float]:
        """The weights, how often each was looked at, and how far from the least they may be at most."""
        count, features = a.shape
        flat, round_ = self.alpha * self.l1_ratio * count, self.alpha * (1.0 - self.l1_ratio) * count
        columns, squares = np.asfortranarray(a), (a**2).sum(0)
        weights, rest = np.zeros(features), y.copy()
        least, gap, step = self.tol * float(y @ y), _gap(a, y, rest, weights, flat, round_), 0
        if gap <= least:
            return weights, step, gap / count
        for step in range(1, self.max_iter + 1):
            meter.charge(4 * features + (a.size >> 10))
            moved = largest = 0.0
            for index in range(features):
                if squares[index] == 0.0:
                    continue
                column, before = columns[:, index], weights[index]
                pull = column @ rest + before * squares[index]
                weights[index] = np.sign(pull) * max(abs(pull) - flat, 0.0) / (squares[index] + round_)
                if weights[index] != before:
                    rest += (before - weights[index]) * column
                moved, largest = max(moved, abs(weights[index] - before)), max(largest, abs(weights[index]))
            if largest == 0.0 or moved / largest <= self.tol or step == self.max_iter:
                gap = _gap(a, y, rest, weights, flat, round_)
                if gap <= least:
                    break
        else:
            record(CONVERGENCE, _FAILED.format(gap=gap, least=least))
        return weights, step, gap / count


def _gap(a: Any, y: Any, rest: Any, weights: Any, flat: float, round_: float) -> float:
    """How much lower the penalised sum of squares could be at most."""
    steepest = float(np.abs(a.T @ rest - round_ * weights).max(initial=0.0))
    share = flat / steepest if steepest > flat else 1.0
    squares = float(rest @ rest)
    return float(
        0.5 * squares * (1.0 + share**2) + flat * np.abs(weights).sum() - share * (rest @ y)
        + 0.5 * round_ * (1.0 + share**2) * (weights @ weights)
    )  # fmt: skip


class Lasso(ElasticNet):
    """Least squares, with a penalty on the weights, which makes some of them zero."""

    __program__ = True

    def __init__(
        self, alpha: Any = 1.0, *, fit_intercept: Any = True, precompute: Any = False, copy_X: Any = True,  # noqa: N803
        max_iter: Any = 1000, tol: Any = 1e-4, warm_start: Any = False, positive: Any = False, random_state: Any = None,
        selection: Any = "cyclic",
    ) -> None:  # fmt: skip
        super().__init__(
            alpha, l1_ratio=1.0, fit_intercept=fit_intercept, precompute=precompute, max_iter=max_iter, copy_X=copy_X,
            tol=tol, warm_start=warm_start, positive=positive, random_state=random_state, selection=selection,
        )  # fmt: skip


COORDINATE: dict[str, Any] = published(ElasticNet, Lasso, module="sklearn.linear_model._coordinate_descent")
