"""`sklearn.impute`: what stands in for numbers that are missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import unwrap, wrap
from engine.program.stdlib.sklearn.base import invalid, published, table
from engine.program.stdlib.sklearn.preprocessing import OneToOne
from engine.program.text import represent

_COLUMN = 10
"""Steps that a feature costs, besides its numbers."""
_STRATEGIES = ("mean", "median", "most_frequent", "constant")


def _commonest(column: Any) -> Any:
    values, counts = np.unique(column, return_counts=True)
    return values[counts.argmax()]


class SimpleImputer(OneToOne):
    """The mean, the median or the commonest number of a feature in the place of those that are missing."""

    __program__ = True

    def __init__(
        self, *, missing_values: Any = np.nan, strategy: Any = "mean", fill_value: Any = None, copy: Any = True,
        add_indicator: Any = False, keep_empty_features: Any = False,
    ) -> None:  # fmt: skip
        if add_indicator or keep_empty_features:
            raise NotImplementedError("add_indicator=True and keep_empty_features=True are not available here")
        self.missing_values, self.strategy, self.fill_value, self.copy = missing_values, strategy, fill_value, copy
        self.add_indicator, self.keep_empty_features = add_indicator, keep_empty_features

    def _absent(self, a: Any) -> Any:
        wanted = unwrap(self.missing_values)
        return np.isnan(a) if isinstance(wanted, float) and np.isnan(wanted) else a == wanted

    def _fit(self, X: Any) -> None:  # noqa: N803
        if self.strategy not in _STRATEGIES:
            wanted = "a str among {'most_frequent', 'mean', 'median', 'constant'} or a callable"
            raise invalid("SimpleImputer", "strategy", self.strategy, wanted)
        a = table(X, self, missing=True)
        meter.charge(1 + (a.size >> 4) + _COLUMN * a.shape[1])
        absent = self._absent(a)
        if absent.all(0).any():
            raise NotImplementedError("a feature of which all numbers are missing cannot be filled here: leave it out")
        if self.strategy == "constant":
            filling = 0 if self.fill_value is None else unwrap(self.fill_value)
            if not isinstance(filling, int | float | np.generic):
                raise NotImplementedError(f"{represent(filling)} is no number, and only numbers can be filled in here")
            found = np.full(a.shape[1], filling)
        else:
            choose: Any = {"mean": np.mean, "median": np.median, "most_frequent": _commonest}[self.strategy]
            found = np.array([choose(a[~absent[:, n], n]) for n in range(a.shape[1])])
        self.statistics_, self.n_features_in_ = wrap(found), a.shape[1]

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X, self, missing=True)
        self._check_width(a)
        return np.where(self._absent(a), self.statistics_._array, a)


IMPUTE: dict[str, Any] = published(SimpleImputer, module="sklearn.impute._base")
