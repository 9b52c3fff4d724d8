"""`sklearn.preprocessing`: scalers and encoders of arrays."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.operators import items
from engine.program.stdlib.sklearn.base import Estimator, given, invalid, labels, names_out, published, table
from engine.program.stdlib.warnings import record
from engine.program.text import represent
from engine.program.values import Builtin


def _not_zero(scale: Any) -> Any:
    return np.where(np.abs(scale) < 10 * np.finfo(scale.dtype).eps, 1.0, scale).astype(scale.dtype)


class OneToOne(Estimator):
    """What gives as many features as it gets."""

    __program__ = True
    __module__ = "sklearn.base"
    _missing = True

    def _columns(self, X: Any) -> Any:  # noqa: N803
        return table(X, self, missing=True)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        self._check()
        known = range(self.n_features_in_)  # type: ignore[attr-defined]
        return names_out([f"x{n}" for n in known] if input_features is None else labels(input_features))


class StandardScaler(OneToOne):
    """Mean 0 and variance 1 for each feature."""

    __program__ = True
    _seen: Any
    mean_: Any
    var_: Any

    def __init__(self, *, copy: Any = True, with_mean: Any = True, with_std: Any = True) -> None:
        self.copy, self.with_mean, self.with_std = copy, with_mean, with_std

    def _fit(self, X: Any) -> None:  # noqa: N803
        self._fitted = False
        self.partial_fit(X)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:  # noqa: N803
        if sample_weight is not None:
            raise NotImplementedError("samples have no weights here")
        a = self._columns(X)
        count = (~np.isnan(a)).sum(0)
        mean, var = np.nanmean(a, 0, dtype=float), np.nanvar(a, 0, dtype=float)
        if self._fitted:
            self._check_width(a)
            before, m, v = self._seen, self.mean_._array, self.var_._array
            every = before + count
            mean, var = (before * m + count * mean) / every, (
                (before * v + count * var) / every + before * count * (m - mean) ** 2 / every**2
            )
            count = every
        self._seen = count
        self.mean_, self.var_ = wrap(mean), wrap(var)
        self.scale_ = wrap(_not_zero(np.sqrt(var))) if self.with_std else None
        self.n_features_in_ = a.shape[1]
        self.n_samples_seen_ = wrap(np.float64(count[0]) if (count == count[0]).all() else count)
        self._fitted = True
        return self

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        if self.with_mean:
            a = (a - self.mean_._array).astype(a.dtype)
        return wrap((a / self.scale_._array).astype(a.dtype) if self.scale_ is not None else a)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        if self.scale_ is not None:
            a = (a * self.scale_._array).astype(a.dtype)
        return wrap((a + self.mean_._array).astype(a.dtype) if self.with_mean else a)


class MinMaxScaler(OneToOne):
    """Each feature between two numbers."""

    __program__ = True

    def __init__(self, feature_range: Any = (0, 1), *, copy: Any = True, clip: Any = False) -> None:
        self.feature_range, self.copy, self.clip = feature_range, copy, clip

    def _fit(self, X: Any) -> None:  # noqa: N803
        low, high = self.feature_range
        if low >= high:
            raise ValueError(
                f"Minimum of desired feature range must be smaller than maximum. Got {represent(self.feature_range)}."
            )
        a = self._columns(X)
        self.n_features_in_, self.n_samples_seen_ = a.shape[1], len(a)
        least, most = np.nanmin(a, axis=0), np.nanmax(a, axis=0)
        scale = (high - low) / _not_zero(most - least)
        self.data_min_, self.data_max_, self.data_range_ = wrap(least), wrap(most), wrap(most - least)
        self.scale_, self.min_ = wrap(scale), wrap(low - least * scale)

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        a = (a * self.scale_._array + self.min_._array).astype(a.dtype)
        return wrap(np.clip(a, *self.feature_range) if self.clip else a)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        return wrap(((a - self.min_._array) / self.scale_._array).astype(a.dtype))


class MaxAbsScaler(OneToOne):
    """Each feature by its largest absolute value."""

    __program__ = True

    def __init__(self, *, copy: Any = True, clip: Any = False) -> None:
        self.copy, self.clip = copy, clip

    def _fit(self, X: Any) -> None:  # noqa: N803
        a = self._columns(X)
        most = np.nanmax(np.abs(a), axis=0)
        self.n_features_in_, self.n_samples_seen_ = a.shape[1], len(a)
        self.max_abs_, self.scale_ = wrap(most), wrap(_not_zero(most))

    def _transform(self, X: Any) -> Any:  # noqa: N803
        found = self._columns(X) / self.scale_._array
        return wrap(np.clip(found, -1, 1) if self.clip else found)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        return wrap(self._columns(X) * self.scale_._array)


class RobustScaler(OneToOne):
    """Median 0 and a distance of 1 between two quantiles of each feature."""

    __program__ = True

    def __init__(
        self, *, with_centering: Any = True, with_scaling: Any = True, quantile_range: Any = (25.0, 75.0),
        copy: Any = True, unit_variance: Any = False,
    ) -> None:  # fmt: skip
        self.with_centering, self.with_scaling, self.quantile_range = with_centering, with_scaling, quantile_range
        self.copy, self.unit_variance = copy, unit_variance

    def _fit(self, X: Any) -> None:  # noqa: N803
        if self.unit_variance:
            raise NotImplementedError("RobustScaler(unit_variance=True) is not available here")
        low, high = self.quantile_range
        if not 0 <= low <= high <= 100:
            raise ValueError(f"Invalid quantile range: {represent(self.quantile_range)}")
        a = self._columns(X)
        meter.charge((a.size >> 2) + 20 * a.shape[1])
        self.n_features_in_ = a.shape[1]
        self.center_ = wrap(np.nanmedian(a, axis=0)) if self.with_centering else None
        ends = np.nanpercentile(a, [low, high], axis=0)
        self.scale_ = wrap(_not_zero(ends[1] - ends[0])) if self.with_scaling else None

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        a = a - self.center_._array if self.center_ is not None else a
        return wrap(a / self.scale_._array if self.scale_ is not None else a)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = self._columns(X)
        a = a * self.scale_._array if self.scale_ is not None else a
        return wrap(a + self.center_._array if self.center_ is not None else a)


def _norms(a: Any, norm: Any, axis: int) -> Any:
    """By what samples (`axis` 1) or features (0) are divided."""
    orders = {"l1": 1, "l2": 2, "max": np.inf}
    if norm not in orders:
        raise invalid("normalize", "norm", norm, "a str among {'l1', 'l2', 'max'}")
    return _not_zero(np.linalg.norm(a, ord=orders[norm], axis=axis, keepdims=True))


def normalize(X: Any, norm: Any = "l2", *, axis: Any = 1, copy: Any = True, return_norm: Any = False) -> Any:  # noqa: N803
    """Each sample, or each feature, of norm 1."""
    if axis not in (0, 1):
        raise invalid("normalize", "axis", axis, "a int among {0, 1}")
    a = table(X)
    norms = _norms(a, norm, axis)
    return (wrap(a / norms), wrap(norms.ravel())) if return_norm else wrap(a / norms)


_FAR, _NEAR = (
    f"Numerical issues were encountered when {doing} the data and might not be solved. {cause}"
    for doing, cause in (
        ("centering", "Dataset may contain too large values. You may need to prescale your features."),
        ("scaling", "The standard deviation of the data is probably very close to 0. "),
    )
)


def scale(X: Any, *, axis: Any = 0, with_mean: Any = True, with_std: Any = True, copy: Any = True) -> Any:  # noqa: N803
    """Mean 0 and variance 1 for each feature, or for each sample (`axis` 1)."""
    if axis not in (0, 1):
        raise invalid("scale", "axis", axis, "a int among {0, 1}")
    a = given(X)
    a = a.copy() if a.dtype.kind == "f" else a.astype(float)
    meter.charge(a.size >> 6)
    columns = np.moveaxis(a, axis, 0)
    mean, spread = np.nanmean(columns, axis=0), np.nanstd(columns, axis=0)
    if with_mean:
        columns -= mean
        again = np.nanmean(columns, axis=0)
        if not np.allclose(again, 0):
            record(UserWarning, _FAR)
            columns -= again
    if with_std:
        columns /= _not_zero(spread)
        again = np.nanmean(columns, axis=0)
        if with_mean and not np.allclose(again, 0):
            record(UserWarning, _NEAR)
            columns -= again
    return wrap(a)


class Normalizer(OneToOne):
    """Each sample of norm 1."""

    __program__ = True
    _missing = False

    def __init__(self, norm: str = "l2", *, copy: Any = True) -> None:
        self.norm, self.copy = norm, copy
        self._fitted = True

    def _fit(self, X: Any) -> None:  # noqa: N803
        self.n_features_in_ = table(X, self).shape[1]

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X, self)
        return wrap(a / _norms(a, self.norm, 1))


class LabelEncoder(Estimator):
    """Labels as numbers from 0."""

    __program__ = True

    def __init__(self) -> None:
        pass

    def fit(self, y: Any) -> Any:  # type: ignore[override]
        return super().fit(y)

    def transform(self, y: Any) -> Any:
        self._check()
        return self._transform(y)

    def fit_transform(self, y: Any) -> Any:  # type: ignore[override]
        return self.fit(y)._transform(y)

    def _fit(self, y: Any) -> None:
        found = labels(y)
        meter.charge(len(found) >> 2)
        self._known = sorted(set(found))
        self.classes_ = wrap(as_array(self._known, texts=True))

    def _transform(self, y: Any) -> Any:
        numbers = {label: number for number, label in enumerate(self._known)}
        found = labels(y)
        meter.charge(len(found) >> 2)
        unseen = [label for label in found if label not in numbers]
        if unseen:
            texts = isinstance(unseen[0], str)  # numpy's names for them, as scikit-learn shows them
            said = f"np.str_({unseen[0]!r})" if texts else repr(list(np.unique(as_array(unseen, texts=True))))
            raise ValueError(f"y contains previously unseen labels: {said}")
        return wrap(np.array([numbers[label] for label in found], dtype=np.int64))

    def _inverse(self, y: Any) -> Any:
        found = given(y)
        unknown = np.setdiff1d(found, np.arange(len(self._known)))
        if len(unknown):
            raise ValueError(f"y contains previously unseen labels: {unknown}")
        return wrap(as_array(self._known, texts=True)[found.astype(np.int64)])


class OneHotEncoder(Estimator):
    """Each category of each feature as a column of its own."""

    __program__ = True

    def __init__(
        self, *, categories: Any = "auto", drop: Any = None, sparse_output: Any = True, dtype: Any = float,
        handle_unknown: Any = "error", min_frequency: Any = None, max_categories: Any = None,
        feature_name_combiner: Any = "concat",
    ) -> None:  # fmt: skip
        if min_frequency is not None or max_categories is not None or drop not in (None, "first", "if_binary"):
            raise NotImplementedError("OneHotEncoder keeps every category here, or drops the first of each feature")
        self.categories, self.drop, self.sparse_output, self.dtype = categories, drop, sparse_output, dtype
        self.handle_unknown, self.min_frequency, self.max_categories = handle_unknown, min_frequency, max_categories
        self.feature_name_combiner = feature_name_combiner

    def _columns(self, X: Any) -> list[list[Any]]:  # noqa: N803
        some = given(X) if isinstance(X, Array | np.ndarray) else items(X)
        if any([isinstance(row, str | int | float | np.generic) for row in some]):
            table(X, self)  # which says that rows are several
        rows = [labels(row) for row in some]
        meter.charge(sum(map(len, rows)) >> 2)
        return [list(column) for column in zip(*rows, strict=True)]

    def _fit(self, X: Any) -> None:  # noqa: N803
        if self.sparse_output:
            raise NotImplementedError("matrices are dense here: OneHotEncoder(sparse_output=False)")
        columns = self._columns(X)
        self._known = [sorted(set(column)) for column in columns]
        if self.categories != "auto":
            self._known = [labels(known) for known in items(self.categories)]
            if len(self._known) != len(columns):
                raise ValueError("Shape mismatch: if categories is an array, it has to be of shape (n_features,).")
        self.categories_ = [wrap(as_array(known, texts=True)) for known in self._known]
        self._kept = [
            known[1:] if self.drop == "first" or self.drop == "if_binary" and len(known) == 2 else known
            for known in self._known
        ]

    def _transform(self, X: Any) -> Any:  # noqa: N803
        columns = self._columns(X)
        meter.allocate(sum(map(len, self._known)) * len(columns[0] if columns else ()), 8)
        parts = []
        for index, (column, known, kept) in enumerate(zip(columns, self._known, self._kept, strict=True)):
            meter.charge(len(column) * len(known) >> 3)
            unseen = sorted({value for value in column if value not in known})
            if unseen and self.handle_unknown == "error":
                of_numpy = isinstance(X, Array)
                shown = [f"np.str_({v!r})" if of_numpy and isinstance(v, str) else repr(v) for v in unseen]
                raise ValueError(f"Found unknown categories [{', '.join(shown)}] in column {index} during transform")
            parts.append(np.array([[float(value == category) for category in kept] for value in column]))
        return wrap(np.hstack([part.reshape(len(part), -1) for part in parts]))

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        at, columns = 0, []
        for known, kept in zip(self._known, self._kept, strict=True):
            part = a[:, at : at + len(kept)]
            at += len(kept)
            chosen = part.argmax(1) + (len(known) - len(kept)) if len(kept) else np.zeros(len(a), int)
            columns.append([known[i if row.any() else 0] for i, row in zip(chosen.tolist(), part, strict=True)])
        meter.charge(a.size >> 3)
        return wrap(as_array([list(row) for row in zip(*columns, strict=True)], texts=True))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        self._check()
        before = [f"x{n}" for n in range(len(self._kept))] if input_features is None else labels(input_features)
        return names_out([f"{name}_{value}" for name, kept in zip(before, self._kept, strict=True) for value in kept])


class PolynomialFeatures(Estimator):
    """Products of the features, up to a degree."""

    __program__ = True

    def __init__(
        self, degree: Any = 2, *, interaction_only: Any = False, include_bias: Any = True, order: str = "C"
    ) -> None:
        self.degree, self.interaction_only = degree, interaction_only
        self.include_bias, self.order = include_bias, order

    def _fit(self, X: Any) -> None:  # noqa: N803
        self.n_features_in_ = width = table(X, self).shape[1]
        least, most = self.degree if isinstance(self.degree, tuple | list) else (0, self.degree)
        choose = combinations if self.interaction_only else combinations_with_replacement
        self._terms: list[tuple[int, ...]] = [()] if self.include_bias else []
        for degree in range(max(1, least), most + 1):
            for term in choose(range(width), degree):
                meter.charge(1 + degree // 8)
                self._terms.append(term)
        self.n_output_features_ = len(self._terms)
        meter.allocate(width * len(self._terms), 8)
        rows = [np.bincount(np.array(term, int), minlength=width) for term in self._terms]
        self.powers_ = wrap(np.array(rows).reshape(-1, width))

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        meter.allocate(len(a) * len(self._terms), 8)
        meter.charge(sum(map(len, self._terms)))
        found = np.ones((len(a), len(self._terms)), a.dtype)
        for column, term in enumerate(self._terms):
            for feature in reversed(term):
                found[:, column] *= a[:, feature]
        return wrap(found)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        self._check()
        given = [f"x{n}" for n in range(self.n_features_in_)] if input_features is None else labels(input_features)
        names = []
        for term in self._terms:
            powers = [(feature, term.count(feature)) for feature in sorted(set(term))]
            meter.charge(1 + len(term))
            names.append(" ".join([given[f] if n == 1 else f"{given[f]}^{n}" for f, n in powers]) or "1")
        return names_out(names)


class LabelBinarizer(Estimator):
    """A column for each class; one column where there are two."""

    __program__ = True

    def __init__(self, *, neg_label: int = 0, pos_label: int = 1, sparse_output: Any = False) -> None:
        self.neg_label, self.pos_label, self.sparse_output = neg_label, pos_label, sparse_output

    def _fit(self, y: Any) -> None:
        found = labels(y)
        meter.charge(len(found) >> 2)
        if not found:
            raise ValueError(f"y has 0 samples: {given(y)!r}")
        self._known = sorted(set(found))
        self.classes_ = wrap(as_array(self._known, texts=True))

    def _transform(self, y: Any) -> Any:
        return label_binarize(
            y, classes=self._known, neg_label=self.neg_label, pos_label=self.pos_label, sparse_output=self.sparse_output
        )

    def _inverse(self, Y: Any) -> Any:  # noqa: N803
        found = given(Y)
        middle = (self.pos_label + self.neg_label) / 2
        chosen = (found.reshape(-1) > middle).astype(int) if len(self._known) == 2 else found.argmax(1)
        return wrap(as_array(self._known, texts=True)[chosen])


def label_binarize(y: Any, *, classes: Any, neg_label: int = 0, pos_label: int = 1, sparse_output: Any = False) -> Any:
    """A column for each class; one column where there are two."""
    if sparse_output:
        raise NotImplementedError("matrices are dense here: label_binarize(sparse_output=False)")
    found, known = labels(y), labels(classes)
    meter.allocate(2 * len(found) * max(1, len(known)), 8)
    meter.charge(len(found) * len(known) >> 4)
    made = np.array([[pos_label if label == name else neg_label for name in known] for label in found], dtype=np.int64)
    made = made.reshape(len(found), len(known))
    return wrap(made[:, -1:].copy() if len(known) == 2 else made)


PREPROCESSING: dict[str, Any] = published(
    StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, Normalizer, LabelEncoder, OneHotEncoder,
    PolynomialFeatures, LabelBinarizer, module="sklearn.preprocessing",
)  # fmt: skip
PREPROCESSING["label_binarize"] = Builtin("label_binarize", label_binarize)
PREPROCESSING["scale"] = Builtin("scale", scale)
PREPROCESSING["normalize"] = Builtin("normalize", normalize)
