"""What scikit-learn's estimators have in common: their parameters, how they are shown, and the data that they check."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import items
from engine.program.text import represent

NOT_FITTED: Any = type(
    "NotFittedError", (EXCEPTIONS["ValueError"], EXCEPTIONS["AttributeError"]), {"__module__": "sklearn.exceptions"}
)
INVALID: Any = type(
    "InvalidParameterError", (EXCEPTIONS["ValueError"], EXCEPTIONS["TypeError"]),
    {"__module__": "sklearn.utils._param_validation"},
)  # fmt: skip


def given(value: Any) -> Any:
    """An array of numbers, as methods get it: wrapped or not."""
    found = value if isinstance(value, np.ndarray) else as_array(value, texts=True)
    meter.allocate(2 * found.size, 8)
    return found


def table(value: Any, of: Any = None, *, floats: bool = True, missing: bool = False) -> Any:
    """Samples by features, as floats. Raises ValueError for another number of dimensions, and for no numbers.

    `of`: the estimator that they are for; `floats`: whether it has them as floats from the first; `missing`: whether
    it takes NaN.
    """
    found = given(value)
    if found.dtype.kind == "U":
        found = np.array([float(text) for text in found.ravel().tolist()]).reshape(found.shape)
    if floats and found.dtype.kind != "f":
        found = found.astype(float)
    if found.ndim != 2:
        what = "scalar" if found.ndim == 0 else f"{found.ndim}D"
        if found.ndim > 2:
            whose = f" by {type(of).__name__}" if of is not None else ""
            raise ValueError(f"Found array with dim {found.ndim}, while dim <= 2 is required{whose}.")
        raise ValueError(
            f"Expected 2D array, got {what} array instead:\narray={found}.\nReshape your data either using"
            " array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single"
            " sample."
        )
    if of is not None:
        _check_numbers(found, of, missing)
    return found if found.dtype.kind == "f" else found.astype(float)


_ADVICE = (
    "For supervised learning, you might want to consider sklearn.ensemble.HistGradientBoostingClassifier and Regressor"
    " which accept missing values encoded as NaNs natively. Alternatively, it is possible to preprocess the data, for"
    " instance by using an imputer transformer in a pipeline or drop samples with missing values. See"
    " https://scikit-learn.org/stable/modules/impute.html You can find a list of all estimators that handle NaN values"
    " at the following page: https://scikit-learn.org/stable/modules/impute.html#estimators-that-handle-nan-values"
)


def _check_numbers(found: Any, of: Any, missing: bool) -> None:
    name = type(of).__name__
    for axis, what in ((0, "sample"), (1, "feature")):
        if found.shape[axis] == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={found.shape}) while a minimum of 1 is required by {name}."
            )
    if found.dtype.kind != "f":
        return
    if not missing and np.isnan(found).any():
        raise ValueError(
            f"Input X contains NaN.\n{name} does not accept missing values encoded as NaN natively. {_ADVICE}"
        )
    if np.isinf(found).any():
        raise ValueError(f"Input X contains infinity or a value too large for dtype('{found.dtype}').")


def targets(y: Any, rows: int) -> Any:
    """What is to be learned, of as many rows. Raises ValueError."""
    found = given(y)
    if found.ndim == 0:
        raise TypeError(f"Expected sequence or array-like, got {type(y)}")
    if len(found) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[rows, len(found)]}")
    if found.dtype.kind == "f" and np.isnan(found).any():
        raise ValueError("Input y contains NaN.")
    return found


def labels(value: Any) -> list[Any]:
    """Labels, as numbers or texts of Python."""
    if isinstance(value, Array | np.ndarray) or hasattr(value, "numpy"):
        found = given(value).tolist()
        return found if isinstance(found, list) else [found]
    found = list(items(value))
    return [item._array.item() if isinstance(item, Array) else item for item in found]


def names_out(names: list[str]) -> Any:
    """Names of features, as an array of texts."""
    meter.charge(1 + (len(names) >> 2))
    return wrap(as_array(names, texts=True))


class Estimator:
    """What is fitted first and then applied."""

    __module__ = "sklearn.base"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _fitted = False
    _missing = False
    _classifies = False
    _defaults: dict[str, Any] = {}

    def get_params(self, deep: Any = True) -> dict[str, Any]:
        return {name: getattr(self, name, default) for name, default in sorted(self._defaults.items())}

    def set_params(self, **params: Any) -> Any:
        for name, value in params.items():
            if name not in self._defaults:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are:"
                    f" {sorted(self._defaults)!r}."
                )
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803 - scikit-learn's names
        self._fit(X)
        self._fitted = True
        return self

    def transform(self, X: Any) -> Any:  # noqa: N803
        self._check()
        if getattr(self, "n_features_in_", None) is not None:
            self._check_width(table(X, self, missing=self._missing))
        return self._transform(X)

    def inverse_transform(self, X: Any) -> Any:  # noqa: N803
        self._check()
        return self._inverse(X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        self.fit(X)
        return self._transform(X)

    def _check_width(self, a: Any) -> None:
        expected = self.n_features_in_  # type: ignore[attr-defined]
        if a.shape[1] != expected:
            raise ValueError(
                f"X has {a.shape[1]} features, but {type(self).__name__} is expecting {expected} features as input."
            )

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

    def _changed(self) -> list[str]:
        """The parameters that are not what they are if nobody says so, as they are shown."""
        shown = [(name, represent(value), self._defaults[name]) for name, value in self.get_params().items()]
        return [f"{name}={text}" for name, text, default in shown if text != represent(default)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._changed())})"


def invalid(of: str, name: str, value: Any, wanted: str) -> BaseException:
    """What scikit-learn says of a parameter that is not what it must be. `of`: the function or class that it is of."""
    return host_exception(INVALID(f"The {name!r} parameter of {of} must be {wanted}. Got {represent(value)} instead."))


def real(of: str, name: str, value: Any, wanted: str = "a float in the range [0.0, inf)") -> Any:
    """A parameter that must be one number."""
    found = value._array if isinstance(value, Array) else value
    if not isinstance(found, int | float | np.number):
        raise invalid(of, name, value, wanted)
    return found


def published(*kinds: type, module: str) -> dict[str, Any]:
    """Estimators by name, which know their parameters and what these are if nobody says so."""
    for kind in kinds:
        parameters = list(signature(kind.__init__).parameters.values())[1:]  # type: ignore[misc]
        kind._defaults = {  # type: ignore[attr-defined]
            known.name: known.default for known in parameters if known.kind is not Parameter.VAR_KEYWORD
        }
        kind.__module__, kind.__qualname__ = module, kind.__name__
    return {kind.__name__: kind for kind in kinds}
