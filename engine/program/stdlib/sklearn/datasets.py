"""`sklearn.datasets`: the generators of samples, with scikit-learn's numbers for the same seed.

Of the data sets, those that are small are the measured ones. `load_diabetes` and `fetch_california_housing`
give random numbers of the same shapes and names, and say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import argument, as_array, wrap
from engine.program.operators import NESTING
from engine.program.stdlib.sklearn.base import real
from engine.program.stdlib.sklearn.measured import samples
from engine.program.stdlib.sklearn.random import generator, reserve, shuffled
from engine.program.values import Builtin

Samples = tuple[Any, ...]


def _halves(n_samples: Any) -> tuple[int, int]:
    given = argument(n_samples)
    if isinstance(given, int):
        reserve(given, 2)
        return given // 2, given - given // 2
    if len(given) != 2:
        raise ValueError("`n_samples` can be either an int or a two-element tuple.")
    reserve(sum(given), 2)
    return int(given[0]), int(given[1])


def _two_curves(outer: Any, inner: Any, shuffle: Any, noise: Any, random_state: Any) -> Samples:
    source = generator(random_state)
    X = np.hstack([outer, inner]).T  # noqa: N806 - scikit-learn's names
    y = np.repeat([0, 1], [outer.shape[1], inner.shape[1]])
    if shuffle:
        X, y = shuffled(source, X, y)  # noqa: N806
    if noise is not None:
        X = X + source.normal(scale=argument(noise), size=X.shape)  # noqa: N806
    return wrap(np.ascontiguousarray(X)), wrap(y)


def make_moons(n_samples: Any = 100, *, shuffle: Any = True, noise: Any = None, random_state: Any = None) -> Samples:
    out, into = _halves(n_samples)
    far, near = np.linspace(0, np.pi, out), np.linspace(0, np.pi, into)
    outer = np.array([np.cos(far), np.sin(far)])
    inner = np.array([1 - np.cos(near), 1 - np.sin(near) - 0.5])
    return _two_curves(outer, inner, shuffle, noise, random_state)


def make_circles(
    n_samples: Any = 100, *, shuffle: Any = True, noise: Any = None, random_state: Any = None, factor: float = 0.8
) -> Samples:
    out, into = _halves(n_samples)
    far = np.linspace(0, 2 * np.pi, out, endpoint=False)
    near = np.linspace(0, 2 * np.pi, into, endpoint=False)
    outer = np.array([np.cos(far), np.sin(far)])
    inner = np.array([np.cos(near), np.sin(near)]) * argument(factor)
    return _two_curves(outer, inner, shuffle, noise, random_state)


def make_blobs(
    n_samples: Any = 100, n_features: int = 2, *, centers: Any = None, cluster_std: Any = 1.0,
    center_box: Any = (-10.0, 10.0), shuffle: Any = True, random_state: Any = None, return_centers: Any = False,
) -> Samples:  # fmt: skip
    source, given = generator(random_state), argument(n_samples)
    counts = None if isinstance(given, int) else [int(count) for count in given]
    if centers is None:
        centers = 3 if counts is None else len(counts)
    if isinstance(centers, int):
        reserve(centers, n_features)
        low, high = (float(argument(side)) for side in center_box)
        middles = source.uniform(low, high, size=(centers, n_features))
    else:
        middles = as_array(centers)
    if counts is None:
        reserve(given, middles.shape[1])
        counts = [given // len(middles) + (i < given % len(middles)) for i in range(len(middles))]
    reserve(sum(counts), middles.shape[1])
    if len(counts) != len(middles):
        raise ValueError(
            "Length of `n_samples` not consistent with number of centers. Got n_samples ="
            f" {given} and centers = {middles}"
        )
    meter.charge(len(middles))
    widths = np.broadcast_to(np.asarray(argument(cluster_std), dtype=float), len(middles))
    clusters = [
        source.normal(loc=middle, scale=width, size=(count, len(middle)))
        for middle, width, count in zip(middles, widths, counts, strict=True)
    ]
    X, y = np.concatenate(clusters), np.repeat(np.arange(len(counts)), counts)  # noqa: N806
    if shuffle:
        X, y = shuffled(source, X, y)  # noqa: N806
    return (wrap(X), wrap(y), wrap(middles)) if return_centers else (wrap(X), wrap(y))


def _without_replacement(population: int, count: int, source: np.random.RandomState) -> Any:
    """Different numbers below `population`, drawn as `sample_without_replacement` does."""
    if 0.01 < count / population < 0.99:
        reserve(population)
        return source.permutation(population)[:count]
    if count == population:
        return np.arange(count)
    chosen: dict[int, None] = {}
    while len(chosen) < count:
        chosen[int(source.randint(population))] = None
    return np.array(list(chosen))


def _corners(count: int, dimensions: int, source: np.random.RandomState) -> Any:
    """Different corners of a cube."""
    if dimensions > 30:
        more = source.randint(2, size=(count, dimensions - 30))
        return np.hstack([more, _corners(count, 30, source)])
    numbers = _without_replacement(2**dimensions, count, source)
    return (numbers[:, None] >> np.arange(dimensions)[::-1]) & 1


def make_classification(
    n_samples: int = 100, n_features: int = 20, *, n_informative: int = 2, n_redundant: int = 2, n_repeated: int = 0,
    n_classes: int = 2, n_clusters_per_class: int = 2, weights: Any = None, flip_y: float = 0.01,
    class_sep: float = 1.0, hypercube: Any = True, shift: Any = 0.0, scale: Any = 1.0, shuffle: Any = True,
    random_state: Any = None,
) -> Samples:  # fmt: skip
    reserve(n_samples, n_features)
    n_classes = real("make_classification", "n_classes", n_classes, "an int in the range [1, inf)")
    n_clusters_per_class = real(
        "make_classification", "n_clusters_per_class", n_clusters_per_class, "an int in the range [1, inf)"
    )
    flip_y = real("make_classification", "flip_y", flip_y, "a float in the range [0.0, 1.0]")
    source = generator(random_state)
    if n_informative + n_redundant + n_repeated > n_features:
        raise ValueError(
            "Number of informative, redundant and repeated features must sum to less than the number of total features"
        )
    if n_informative < np.log2(n_classes * n_clusters_per_class):
        raise ValueError(
            f"n_classes({n_classes}) * n_clusters_per_class({n_clusters_per_class}) must be smaller or equal"
            f" 2**n_informative({n_informative})={2**n_informative}"
        )
    shares = [1.0 / n_classes] * n_classes if weights is None else [float(argument(w)) for w in argument(weights)]
    if len(shares) == n_classes - 1:
        shares.append(1.0 - sum(shares))
    clusters = n_classes * n_clusters_per_class
    reserve(clusters, n_informative)
    reserve(n_informative, n_informative + n_redundant)
    meter.work(n_samples * n_informative * (n_informative + n_redundant))
    meter.charge(clusters * (1 + (n_informative**2 >> 5)))
    counts = [int(n_samples * shares[k % n_classes] / n_clusters_per_class) for k in range(clusters)]
    for i in range(n_samples - sum(counts)):
        counts[i % clusters] += 1
    X, y = np.zeros((n_samples, n_features)), np.zeros(n_samples, dtype=int)  # noqa: N806
    middles = _corners(clusters, n_informative, source) * (2.0 * class_sep) - class_sep
    if not hypercube:
        middles = middles * source.uniform(size=(clusters, 1)) * source.uniform(size=(1, n_informative))
    informative = source.standard_normal(size=(n_samples, n_informative))
    stop = 0
    for k, middle in enumerate(middles):
        start, stop = stop, stop + counts[k]
        y[start:stop] = k % n_classes
        mixing = 2 * source.uniform(size=(n_informative, n_informative)) - 1
        informative[start:stop] = informative[start:stop] @ mixing + middle
    X[:, :n_informative] = informative
    used = n_informative + n_redundant
    if n_redundant:
        X[:, n_informative:used] = informative @ (2 * source.uniform(size=(n_informative, n_redundant)) - 1)
    if n_repeated:
        which = ((used - 1) * source.uniform(size=n_repeated) + 0.5).astype(int)
        X[:, used : used + n_repeated] = X[:, which]
    useless = n_features - used - n_repeated
    if useless:
        X[:, -useless:] = source.standard_normal(size=(n_samples, useless))
    flipped = source.uniform(size=n_samples) < flip_y
    y[flipped] = source.randint(n_classes, size=flipped.sum())
    X += (2 * source.uniform(size=n_features) - 1) * class_sep if shift is None else argument(shift)
    X *= 1 + 100 * source.uniform(size=n_features) if scale is None else argument(scale)
    if shuffle:
        X, y = shuffled(source, X, y)  # noqa: N806
        order = np.arange(n_features)
        source.shuffle(order)
        X = X[:, order]  # noqa: N806
    return wrap(np.ascontiguousarray(X)), wrap(y)


def make_regression(
    n_samples: int = 100, n_features: int = 100, *, n_informative: int = 10, n_targets: int = 1, bias: float = 0.0,
    noise: float = 0.0, shuffle: Any = True, coef: Any = False, random_state: Any = None,
) -> Samples:  # fmt: skip
    reserve(n_samples, n_features + n_targets)
    reserve(n_features, n_targets)
    n_informative = min(n_features, n_informative)
    source = generator(random_state)
    meter.work(n_samples * n_features * n_targets)
    X = source.standard_normal(size=(n_samples, n_features))  # noqa: N806
    truth = np.zeros((n_features, n_targets))
    truth[:n_informative] = 100 * source.uniform(size=(n_informative, n_targets))
    y = X @ truth + argument(bias)
    if argument(noise) > 0:
        y += source.normal(scale=argument(noise), size=y.shape)
    if shuffle:
        X, y = shuffled(source, X, y)  # noqa: N806
        order = np.arange(n_features)
        source.shuffle(order)
        X, truth = np.ascontiguousarray(X[:, order]), truth[order]  # noqa: N806
    found = wrap(X), wrap(np.squeeze(y))
    return (*found, wrap(np.squeeze(truth))) if coef else found


def make_s_curve(n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None) -> Samples:
    reserve(n_samples, 3)
    noise = real("make_s_curve", "noise", noise)
    source = generator(random_state)
    t = 3 * np.pi * (source.uniform(size=n_samples) - 0.5)
    X = np.column_stack([np.sin(t), 2.0 * source.uniform(size=n_samples), np.sign(t) * (np.cos(t) - 1)])  # noqa: N806
    return wrap(X + noise * source.standard_normal(size=(3, n_samples)).T), wrap(t)


def make_swiss_roll(
    n_samples: int = 100, *, noise: float = 0.0, random_state: Any = None, hole: Any = False
) -> Samples:
    reserve(n_samples, 3)
    noise = real("make_swiss_roll", "noise", noise)
    source = generator(random_state)
    if hole:
        corners = np.array([[np.pi * (1.5 + i), j * 7] for i in range(3) for j in range(3) if (i, j) != (1, 1)])
        places = corners[source.choice(8, n_samples)].T
        t, y = places + source.uniform(size=(2, n_samples)) * np.array([[np.pi], [7]])
    else:
        t = 1.5 * np.pi * (1 + 2 * source.uniform(size=n_samples))
        y = 21 * source.uniform(size=n_samples)
    X = np.vstack([t * np.cos(t), y, t * np.sin(t)]) + noise * source.standard_normal(size=(3, n_samples))  # noqa: N806
    return wrap(np.ascontiguousarray(X.T)), wrap(t)


def make_gaussian_quantiles(
    *, mean: Any = None, cov: float = 1.0, n_samples: int = 100, n_features: int = 2, n_classes: int = 3,
    shuffle: Any = True, random_state: Any = None,
) -> Samples:  # fmt: skip
    reserve(n_samples, n_features)
    reserve(n_features, n_features**2)
    cov = real("make_gaussian_quantiles", "cov", cov)
    source = generator(random_state)
    middle = np.zeros(n_features) if mean is None else as_array(mean)
    X = source.multivariate_normal(middle, cov * np.identity(n_features), (n_samples,))  # noqa: N806
    X = X[np.argsort(np.sum((X - middle) ** 2, axis=1))]  # noqa: N806
    y = np.minimum(np.arange(n_samples) // (n_samples // n_classes), n_classes - 1)
    if shuffle:
        X, y = shuffled(source, X, y)  # noqa: N806
    return wrap(X), wrap(y)


def make_friedman1(
    n_samples: int = 100, n_features: int = 10, *, noise: float = 0.0, random_state: Any = None
) -> Samples:
    reserve(n_samples, n_features)
    noise = real("make_friedman1", "noise", noise)
    source = generator(random_state)
    X = source.uniform(size=(n_samples, n_features))  # noqa: N806
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return wrap(X), wrap(y + noise * source.standard_normal(size=n_samples))


# --- data sets


class Bunch(dict[str, Any]):
    """`sklearn.utils.Bunch`: what a `load_…` function gives. Its attributes are its items."""

    __module__ = "sklearn.utils._bunch"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **values: Any) -> None:
        super().__init__(values)

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __dir__(self) -> list[str]:
        return list(self)


NESTING.add(Bunch)

_CANCER = "radius texture perimeter area smoothness compactness concavity points symmetry dimension".split()
_CANCER[7:] = ["concave points", "symmetry", "fractal dimension"]
_WINE = (
    "alcohol malic_acid ash alcalinity_of_ash magnesium total_phenols flavanoids nonflavanoid_phenols proanthocyanins"
    " color_intensity hue od280/od315_of_diluted_wines proline"
)


def _diabetes(source: np.random.RandomState) -> tuple[Any, Any]:
    X = source.standard_normal((442, 10))  # noqa: N806
    X = (X - X.mean(0)) / np.sqrt(((X - X.mean(0)) ** 2).sum(0))  # noqa: N806
    return X, np.clip(152 + X @ source.uniform(-300, 500, 10) + source.normal(0, 50, 442), 25, 346).round()


def _housing(source: np.random.RandomState) -> tuple[Any, Any]:
    income = source.lognormal(1.25, 0.45, 20640)
    rest = [
        source.randint(1, 53, 20640), source.lognormal(1.65, 0.25, 20640), source.lognormal(0.07, 0.1, 20640),
        source.lognormal(7.0, 0.7, 20640).round(), source.lognormal(1.05, 0.25, 20640),
        source.uniform(32.5, 42.0, 20640), source.uniform(-124.3, -114.3, 20640),
    ]  # fmt: skip
    return np.column_stack([income, *rest]), np.clip(0.42 * income + source.normal(0.4, 0.6, 20640), 0.15, 5.00001)


_FEATURES: dict[str, tuple[str, list[str], list[str]]] = {
    "load_iris": (
        "iris", [f"{part} {side} (cm)" for part in ("sepal", "petal") for side in ("length", "width")],
        ["setosa", "versicolor", "virginica"],
    ),
    "load_digits": ("digits", [f"pixel_{i}_{j}" for i in range(8) for j in range(8)], list("0123456789")),
    "load_breast_cancer": (
        "breast cancer", [f"{kind}{name}" for kind in ("mean ", "", "worst ") for name in _CANCER],
        ["malignant", "benign"],
    ),
    "load_wine": ("wine", _WINE.split(), ["class_0", "class_1", "class_2"]),
    "load_diabetes": ("diabetes", "age sex bmi bp s1 s2 s3 s4 s5 s6".split(), []),
    "fetch_california_housing": (
        "California housing",
        "MedInc HouseAge AveRooms AveBedrms Population AveOccup Latitude Longitude".split(), [],
    ),
}  # fmt: skip
"""Function → what its data are called, their features and their classes."""
_STAND_INS: dict[str, Callable[[np.random.RandomState], tuple[Any, Any]]] = {
    "diabetes": _diabetes, "California housing": _housing,
}  # fmt: skip
_CANCER_ERRORS = slice(10, 20)


_ORDER = "data target frame target_names DESCR feature_names"
_KEYS = {
    "iris": _ORDER + " filename data_module", "breast cancer": _ORDER + " filename data_module",
    "digits": "data target frame feature_names target_names images DESCR",
    "diabetes": "data target frame DESCR feature_names data_filename target_filename data_module",
    "California housing": "data target frame target_names feature_names DESCR",
}  # fmt: skip
"""What a `Bunch` has, in its order; of any other `_ORDER`."""
_FILES = {
    "iris": {"filename": "iris.csv"}, "breast cancer": {"filename": "breast_cancer.csv"},
    "diabetes": {"data_filename": "diabetes_data_raw.csv.gz", "target_filename": "diabetes_target.csv.gz"},
}  # fmt: skip


def _loader(function: str) -> Builtin:
    name, features, classes = _FEATURES[function]

    def load(*, return_X_y: Any = False, as_frame: Any = False, n_class: Any = 10, **options: Any) -> Any:  # noqa: N803
        if as_frame:
            raise ImportError("as_frame=True requires pandas, which is not available here")
        reserve(20640 if "housing" in name else 1797, 64 if name == "digits" else 30)
        if name in _STAND_INS:
            sessions.active.notice(
                f"{function}() is a random stand-in for the {name} data here: seeded numbers with their shapes and"
                " names, which nobody has measured."
            )
            described = f"Random stand-in for the {name} data: seeded numbers, nothing that was measured."
            X, y = _STAND_INS[name](np.random.RandomState(0))  # noqa: N806
        else:
            described = f"The {name} data of the UCI Machine Learning Repository, as scikit-learn has them."
            X, y = samples(name)  # noqa: N806
        if name == "digits" and argument(n_class) < 10:
            X, y = X[y < argument(n_class)], y[y < argument(n_class)]  # noqa: N806
        if return_X_y:
            return wrap(X), wrap(y)
        found = {
            "data": wrap(X), "target": wrap(y), "frame": None, "feature_names": list(features), "DESCR": described,
            "target_names": ["MedHouseVal"], "data_module": "sklearn.datasets.data",
        }  # fmt: skip
        if classes:
            found["target_names"] = wrap(np.arange(10) if name == "digits" else np.array(classes))
        if name == "breast cancer":
            found["feature_names"] = wrap(np.array(features))
        if name == "digits":
            found["images"] = wrap(X.reshape(-1, 8, 8))
        found |= _FILES.get(name, {})
        return Bunch(**{key: found[key] for key in _KEYS.get(name, _ORDER).split()})

    return Builtin(function, load)


_CANCER_NAMES = _FEATURES["load_breast_cancer"][1]
_CANCER_NAMES[_CANCER_ERRORS] = [f"{name} error" for name in _CANCER_NAMES[_CANCER_ERRORS]]

DATASETS: dict[str, Any] = {
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (
            make_moons, make_circles, make_blobs, make_classification, make_regression, make_s_curve, make_swiss_roll,
            make_gaussian_quantiles, make_friedman1,
        )
    },
    **{name: _loader(name) for name in _FEATURES},
}  # fmt: skip
