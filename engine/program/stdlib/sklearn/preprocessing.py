"""`sklearn.preprocessing`: scalers and encoders of arrays."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import items
from engine.program.values import Builtin

NOT_FITTED: Any = type(
    "NotFittedError", (EXCEPTIONS["ValueError"], EXCEPTIONS["AttributeError"]), {"__module__": "sklearn.exceptions"}
)


def given(value: Any) -> Any:
    """An array of numbers, as methods get it: wrapped or not."""
    found = value if isinstance(value, np.ndarray) else as_array(value, texts=True)
    meter.allocate(2 * found.size, 8)
    return found


def table(value: Any) -> Any:
    """Samples by features. Raises ValueError for another number of dimensions."""
    found = given(value)
    if found.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {found.ndim}D array instead:\narray={found}.\nReshape your data either using"
            " array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single"
            " sample."
        )
    return found if found.dtype.kind == "f" else found.astype(float)


def labels(value: Any) -> list[Any]:
    """Labels, as numbers or texts of Python."""
    if isinstance(value, Array | np.ndarray) or hasattr(value, "numpy"):
        found = given(value).tolist()
        return found if isinstance(found, list) else [found]
    found = list(items(value))
    return [item._array.item() if isinstance(item, Array) else item for item in found]


class Estimator:
    """What is fitted first and then applied."""

    __module__ = "sklearn.preprocessing"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _fitted = False
    _shown = ""

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803 - scikit-learn's names
        self._fit(X)
        self._fitted = True
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        self._check()
        expected = getattr(self, "n_features_in_", None)
        if expected is not None and (shape := table(X).shape)[1] != expected:
            raise ValueError(
                f"X has {shape[1]} features, but {type(self).__name__} is expecting {expected} features as input."
            )
        return self._transform(X)

    def inverse_transform(self, X: Any) -> Any:  # noqa: N803
        self._check()
        return self._inverse(X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        self.fit(X)
        return self._transform(X)

    def _check(self) -> None:
        if not self._fitted:
            kind = type(self).__name__
            raise host_exception(
                NOT_FITTED(
                    f"This {kind} instance is not fitted yet. Call 'fit' with appropriate arguments before using this"
                    " estimator."
                )
            )

    def _fit(self, X: Any) -> None:  # noqa: N803
        raise NotImplementedError

    def _transform(self, X: Any) -> Any:  # noqa: N803
        raise NotImplementedError

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown})"


def _not_zero(scale: Any) -> Any:
    return np.where(np.abs(scale) < 10 * np.finfo(scale.dtype).eps, 1.0, scale).astype(scale.dtype)


class StandardScaler(Estimator):
    """Mean 0 and variance 1 for each feature."""

    __program__ = True

    def __init__(self, *, copy: Any = True, with_mean: Any = True, with_std: Any = True) -> None:
        self.with_mean, self.with_std = bool(with_mean), bool(with_std)

    def _fit(self, X: Any) -> None:  # noqa: N803
        a = table(X)
        self.mean_, self.var_ = wrap(a.mean(0, dtype=float)), wrap(a.var(0, dtype=float))
        self.scale_ = wrap(_not_zero(np.sqrt(self.var_._array))) if self.with_std else None
        self.n_features_in_, self.n_samples_seen_ = a.shape[1], wrap(np.int64(len(a)))

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        if self.with_mean:
            a = (a - self.mean_._array).astype(a.dtype)
        return wrap((a / self.scale_._array).astype(a.dtype) if self.scale_ is not None else a)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        if self.scale_ is not None:
            a = (a * self.scale_._array).astype(a.dtype)
        return wrap((a + self.mean_._array).astype(a.dtype) if self.with_mean else a)


class MinMaxScaler(Estimator):
    """Each feature between two numbers."""

    __program__ = True

    def __init__(self, feature_range: Any = (0, 1), *, copy: Any = True, clip: Any = False) -> None:
        self.feature_range, self.clip = tuple(feature_range), bool(clip)

    def _fit(self, X: Any) -> None:  # noqa: N803
        a = table(X)
        self.n_features_in_, self.n_samples_seen_ = a.shape[1], len(a)
        low, high = self.feature_range
        least, most = np.nanmin(a, axis=0), np.nanmax(a, axis=0)
        scale = (high - low) / _not_zero(most - least)
        self.data_min_, self.data_max_, self.data_range_ = wrap(least), wrap(most), wrap(most - least)
        self.scale_, self.min_ = wrap(scale), wrap(low - least * scale)

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        a = (a * self.scale_._array + self.min_._array).astype(a.dtype)
        return wrap(np.clip(a, *self.feature_range) if self.clip else a)

    def _inverse(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        return wrap(((a - self.min_._array) / self.scale_._array).astype(a.dtype))


def _norms(a: Any, norm: Any, axis: int) -> Any:
    """By what samples (`axis` 1) or features (0) are divided."""
    orders = {"l1": 1, "l2": 2, "max": np.inf}
    if norm not in orders:
        raise ValueError(
            f"The 'norm' parameter of normalize must be a str among {{'l1', 'l2', 'max'}}. Got {norm!r} instead."
        )
    return _not_zero(np.linalg.norm(a, ord=orders[norm], axis=axis, keepdims=True))


def normalize(X: Any, norm: Any = "l2", *, axis: Any = 1, copy: Any = True, return_norm: Any = False) -> Any:  # noqa: N803
    """Each sample, or each feature, of norm 1."""
    if axis not in (0, 1):
        raise ValueError(f"The 'axis' parameter of normalize must be an int among {{0, 1}}. Got {axis!r} instead.")
    a = table(X)
    norms = _norms(a, norm, axis)
    return (wrap(a / norms), wrap(norms.ravel())) if return_norm else wrap(a / norms)


class Normalizer(Estimator):
    """Each sample of norm 1."""

    __program__ = True

    def __init__(self, norm: str = "l2", *, copy: Any = True) -> None:
        self.norm = norm
        self._fitted = True

    def _fit(self, X: Any) -> None:  # noqa: N803
        table(X)

    def _transform(self, X: Any) -> Any:  # noqa: N803
        a = table(X)
        return wrap(a / _norms(a, self.norm, 1))


class LabelEncoder(Estimator):
    """Labels as numbers from 0."""

    __program__ = True

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
        return wrap(as_array(self._known, texts=True)[given(y)])


class OneHotEncoder(Estimator):
    """Each category of each feature as a column of its own."""

    __program__ = True

    def __init__(self, *, sparse_output: Any = True, handle_unknown: str = "error", **options: Any) -> None:
        if sparse_output:
            raise NotImplementedError("matrices are dense here: OneHotEncoder(sparse_output=False)")
        self._ignoring = handle_unknown == "ignore"

    def _columns(self, X: Any) -> list[list[Any]]:  # noqa: N803
        rows = [labels(row) for row in (given(X) if isinstance(X, Array | np.ndarray) else items(X))]
        meter.charge(sum(map(len, rows)) >> 2)
        return [list(column) for column in zip(*rows, strict=True)]

    def _fit(self, X: Any) -> None:  # noqa: N803
        self._known = [sorted(set(column)) for column in self._columns(X)]
        self.categories_ = [wrap(as_array(known, texts=True)) for known in self._known]

    def _transform(self, X: Any) -> Any:  # noqa: N803
        columns = self._columns(X)
        meter.allocate(sum(map(len, self._known)) * len(columns[0] if columns else ()), 8)
        parts = []
        for index, (column, known) in enumerate(zip(columns, self._known, strict=True)):
            unseen = [value for value in column if value not in known]
            if unseen and not self._ignoring:
                raise ValueError(f"Found unknown categories {unseen[:1]} in column {index} during transform")
            parts.append([[float(value == category) for category in known] for value in column])
        return wrap(np.hstack(parts))


class PolynomialFeatures(Estimator):
    """Products of the features, up to a degree."""

    __program__ = True

    def __init__(
        self, degree: Any = 2, *, interaction_only: Any = False, include_bias: Any = True, order: str = "C"
    ) -> None:
        self.degree, self.interaction_only, self.include_bias = degree, bool(interaction_only), bool(include_bias)

    def _fit(self, X: Any) -> None:  # noqa: N803
        self.n_features_in_ = width = table(X).shape[1]
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
        return wrap(as_array(names, texts=True))

    def __repr__(self) -> str:
        shown = [] if self.degree == 2 else [f"degree={self.degree!r}"]
        shown += ["include_bias=False"] if not self.include_bias else []
        shown += ["interaction_only=True"] if self.interaction_only else []
        return f"PolynomialFeatures({', '.join(shown)})"


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


_KINDS = (StandardScaler, MinMaxScaler, Normalizer, LabelEncoder, OneHotEncoder, PolynomialFeatures)
for _kind in _KINDS:
    _kind.__module__, _kind.__qualname__ = "sklearn.preprocessing", _kind.__name__

PREPROCESSING: dict[str, Any] = {kind.__name__: kind for kind in _KINDS}
PREPROCESSING["label_binarize"] = Builtin("label_binarize", label_binarize)
PREPROCESSING["normalize"] = Builtin("normalize", normalize)
