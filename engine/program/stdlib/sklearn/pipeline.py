"""`sklearn.pipeline`: transformers one after the other, and an estimator at the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.limits import meter
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import written
from engine.program.operators import items
from engine.program.stdlib.sklearn.base import Estimator, published
from engine.program.text import represent
from engine.program.values import Builtin, class_of_value

MOST_STEPS = 50


def clone(estimator: Any) -> Any:
    """`sklearn.base.clone`: the same estimator, not fitted. TypeError for what is none of those that are here."""
    meter.charge(20)
    if isinstance(estimator, Pipeline):
        return Pipeline([(name, clone(step)) for name, step in estimator.steps])
    if not isinstance(estimator, Estimator) or not type(estimator).__module__.startswith("sklearn."):
        raise TypeError(
            f"Cannot clone object '{represent(estimator)}' (type {represent(class_of_value(estimator))}): it does not"
            " seem to be a scikit-learn estimator as it does not implement a 'get_params' method."
        )
    return type(estimator)(**estimator.get_params(False))


class Pipeline(Estimator):
    """`sklearn.pipeline.Pipeline`."""

    __program__ = True

    def __init__(
        self, steps: Any, *, transform_input: Any = None, memory: Any = None, verbose: Any = False
    ) -> None:
        self.steps = [tuple(items(step)) for step in items(steps)]
        self.transform_input, self.memory, self.verbose = transform_input, memory, verbose
        names = [step[0] for step in self.steps]
        if not names:
            raise ValueError("The pipeline is empty. Please add steps.")
        if len(names) > MOST_STEPS:
            raise ValueError(f"a pipeline has at most {MOST_STEPS} steps here")
        if len(set(names)) != len(names):
            raise ValueError(f"Names provided are not unique: {represent(names)}")

    @property
    def named_steps(self) -> dict[str, Any]:
        return dict(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Pipeline(self.steps[index])
        return dict(self.steps)[index] if isinstance(index, str) else self.steps[index][1]

    def _ask(self, estimator: Any, name: str, *args: Any) -> Any:
        meter.charge(4)
        return call(read(estimator, name), list(args), None)

    def _through(self, X: Any) -> Any:  # noqa: N803
        """What the last step gets."""
        self._check()
        for _, step in self.steps[:-1]:
            if step is not None and step != "passthrough":
                X = self._ask(step, "transform", X)  # noqa: N806
        return X

    def _fitted_through(self, X: Any, y: Any) -> Any:  # noqa: N803
        for _, step in self.steps[:-1]:
            if step is not None and step != "passthrough":
                X = self._ask(step, "fit_transform", X, y)  # noqa: N806
        return X

    @property
    def _classifies(self) -> bool:  # type: ignore[override]
        return bool(getattr(self._last, "_classifies", False))

    @property
    def _last(self) -> Any:
        return self.steps[-1][1]

    def fit(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        self._ask(self._last, "fit", *[value for value in (self._fitted_through(X, y), y) if value is not None])
        self._fitted = True
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        found = self._fitted_through(X, y)
        self._fitted = True
        return self._ask(self._last, "fit_transform", found, *([] if y is None else [y]))

    def fit_predict(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        found = self._fitted_through(X, y)
        self._fitted = True
        return self._ask(self._last, "fit_predict", found, *([] if y is None else [y]))

    def transform(self, X: Any) -> Any:  # noqa: N803
        return self._ask(self._last, "transform", self._through(X))

    def inverse_transform(self, X: Any) -> Any:  # noqa: N803
        for _, step in reversed(self.steps):
            X = self._ask(step, "inverse_transform", X)  # noqa: N806
        return X

    def predict(self, X: Any) -> Any:  # noqa: N803
        return self._ask(self._last, "predict", self._through(X))

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        return self._ask(self._last, "predict_proba", self._through(X))

    def decision_function(self, X: Any) -> Any:  # noqa: N803
        return self._ask(self._last, "decision_function", self._through(X))

    def score(self, X: Any, y: Any = None) -> Any:  # noqa: N803
        return self._ask(self._last, "score", self._through(X), *([] if y is None else [y]))

    @property
    def classes_(self) -> Any:
        return read(self._last, "classes_")

    def get_params(self, deep: Any = True) -> dict[str, Any]:
        found = {"memory": self.memory, "steps": self.steps, "transform_input": self.transform_input}
        found["verbose"] = self.verbose
        meter.charge(len(self.steps))
        for name, step in self.steps if deep else []:
            found[name] = step
            if isinstance(step, Estimator):
                inner = step.get_params()
                written(sum([len(name) + len(key) for key in inner]))
                found |= {f"{name}__{key}": value for key, value in inner.items()}
        return found

    def set_params(self, **params: Any) -> Any:
        known = dict(self.steps)
        for key, value in params.items():
            name, _, rest = key.partition("__")
            if name in known and rest:
                known[name].set_params(**{rest: value})
            elif name in known:
                self.steps = [(step, value if step == name else of) for step, of in self.steps]
            else:
                super().set_params(**{key: value})
        return self

    def __repr__(self) -> str:
        shown = [f"({name!r}, {represent(step)})" for name, step in self.steps]
        flat = f"Pipeline(steps=[{', '.join(shown)}])"
        return flat if len(flat) <= 79 else f"Pipeline(steps=[{(',' + chr(10) + 16 * ' ').join(shown)}])"


def make_pipeline(*steps: Any, memory: Any = None, transform_input: Any = None, verbose: Any = False) -> Pipeline:
    """A pipeline whose steps are called as their classes are, in small letters."""
    names = [type(step).__name__.lower() for step in steps]
    counts, seen = Counter(names), Counter[str]()
    for place, name in enumerate(names):
        if counts[name] > 1:
            seen[name] += 1
            names[place] = f"{name}-{seen[name]}"
    return Pipeline(list(zip(names, steps, strict=True)), memory=memory, verbose=verbose)


PIPELINE: dict[str, Any] = {
    **published(Pipeline, module="sklearn.pipeline"), "make_pipeline": Builtin("make_pipeline", make_pipeline),
}  # fmt: skip
