"""`sklearn.model_selection`: splitting data."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program.arrays import Array, unwrap, wrap
from engine.program.operators import items
from engine.program.stdlib.sklearn.base import given, invalid
from engine.program.stdlib.sklearn.random import generator, reserve
from engine.program.values import Builtin


def _rows(value: Any, order: Any) -> Any:
    """The rows of these numbers, as what was given: an array, a tensor or a list."""
    meter.charge(1 + (len(order) >> 3))
    if isinstance(value, Tensor):
        return value[Tensor._from_array(np.ascontiguousarray(order))]
    if isinstance(value, Array | np.ndarray):
        a = unwrap(value)
        meter.allocate(len(order) * math.prod(a.shape[1:]), a.itemsize)
        return wrap(a[order])
    listed = items(value)
    return [listed[i] for i in order.tolist()]


def _counts(n: int, test_size: Any, train_size: Any) -> tuple[int, int]:
    test, train = unwrap(test_size), unwrap(train_size)
    if test is None and train is None:
        test = 0.25
    for name, value in (("test_size", test), ("train_size", train)):
        if value is not None and (isinstance(value, float) and not 0 < value < 1 or value <= 0):
            wanted = "a float in the range (0.0, 1.0), an int in the range [1, inf) or None"
            raise invalid("train_test_split", name, value, wanted)
        if value is not None and (isinstance(value, float) and not 0 < value < 1 or value <= 0 or value >= max(n, 1)):
            raise ValueError(
                f"{name}={value} should be either positive and smaller than the number of samples {n} or a float in the"
                " (0, 1) range"
            )
    in_test = None if test is None else math.ceil(test * n) if isinstance(test, float) else int(test)
    in_train = None if train is None else math.floor(train * n) if isinstance(train, float) else int(train)
    if in_test is None:
        in_test = n - (in_train or 0)
    elif in_train is None:
        in_train = n - in_test
    if in_train is None or in_train + in_test > n:
        raise ValueError(
            f"The sum of train_size and test_size = {(in_train or 0) + in_test}, should be smaller than the number of"
            f" samples {n}. Reduce test_size and/or train_size."
        )
    if in_train == 0:
        raise ValueError(
            f"With n_samples={n}, test_size={test} and train_size={train}, the resulting train set will be"
            " empty. Adjust any of the aforementioned parameters."
        )
    return in_train, in_test


def _stratified(y: Any, train: int, test: int, source: np.random.RandomState) -> tuple[Any, Any]:
    """Numbers of rows for both parts, with the classes' shares in each."""
    classes, where = np.unique(y, return_inverse=True)
    counts = np.bincount(where)
    if counts.min() < 2:
        raise ValueError(
            "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for"
            f" any class cannot be less than 2. Classes with too few members are: {classes[counts < 2].tolist()}"
        )
    by_class = np.split(np.argsort(where, kind="mergesort"), np.cumsum(counts)[:-1])
    taken = _shares(counts, train, source)
    tested = _shares(counts - taken, test, source)
    first: list[int] = []
    second: list[int] = []
    for i in range(len(classes)):
        order = by_class[i].take(source.permutation(counts[i]), mode="clip")
        first += order[: taken[i]].tolist()
        second += order[taken[i] : taken[i] + tested[i]].tolist()
    return source.permutation(first), source.permutation(second)


def _shares(counts: Any, draws: int, source: np.random.RandomState) -> Any:
    """How many of each class are among so many draws: the likeliest numbers, ties broken by chance."""
    exact = counts / counts.sum() * draws
    whole = np.floor(exact)
    missing = int(draws - whole.sum())
    rest = exact - whole
    for value in np.sort(np.unique(rest))[::-1] if missing > 0 else ():
        (tied,) = np.where(rest == value)
        more = min(len(tied), missing)
        whole[source.choice(tied, size=more, replace=False)] += 1
        missing -= more
        if missing == 0:
            break
    return whole.astype(int)


def train_test_split(
    *arrays: Any, test_size: Any = None, train_size: Any = None, random_state: Any = None, shuffle: Any = True,
    stratify: Any = None,
) -> list[Any]:  # fmt: skip
    if not arrays:
        raise ValueError("At least one array required as input")
    lengths = [len(a) for a in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")
    n = lengths[0]
    reserve(n)
    train, test = _counts(n, test_size, train_size)
    if not shuffle:
        if stratify is not None:
            raise ValueError("Stratified train/test split is not implemented for shuffle=False")
        first, second = np.arange(train), np.arange(train, train + test)
    elif stratify is not None:
        first, second = _stratified(given(stratify), train, test, generator(random_state))
    else:
        order = generator(random_state).permutation(n)
        first, second = order[test : test + train], order[:test]
    return [part for a in arrays for part in (_rows(a, first), _rows(a, second))]


def shuffle(*arrays: Any, random_state: Any = None, n_samples: Any = None) -> Any:
    """The rows of all arrays in one random order."""
    if not arrays:
        return None
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")
    wanted = lengths[0] if n_samples is None else int(n_samples)
    if wanted > lengths[0]:
        raise ValueError(
            f"Cannot sample {wanted} out of arrays with dim {lengths[0]} when replace is False"
        )
    reserve(lengths[0])
    order = np.arange(lengths[0])
    generator(random_state).shuffle(order)
    found = [_rows(array, order[:wanted]) for array in arrays]
    return found[0] if len(found) == 1 else found


class KFold:
    """`sklearn.model_selection.KFold`."""

    __module__ = "sklearn.model_selection"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, n_splits: int = 5, *, shuffle: Any = False, random_state: Any = None) -> None:
        if n_splits < 2:
            raise ValueError(
                "k-fold cross-validation requires at least one train/test split by setting n_splits=2 or more, got"
                f" n_splits={n_splits}."
            )
        if not shuffle and random_state is not None:
            raise ValueError(
                "Setting a random_state has no effect since shuffle is False. You should leave random_state to its"
                " default (None), or set shuffle=True."
            )
        self.n_splits, self.shuffle, self.random_state = n_splits, bool(shuffle), random_state

    def get_n_splits(self, *args: Any) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:  # noqa: N803
        n = len(X)
        self._check(n)
        order = np.arange(n)
        if self.shuffle:
            generator(self.random_state).shuffle(order)
        return iter([self._fold(order, part) for part in np.array_split(order, self.n_splits)])

    def _check(self, n: int) -> None:
        reserve(n, self.n_splits)
        if self.n_splits > n:
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number of samples:"
                f" n_samples={n}."
            )

    @staticmethod
    def _fold(order: Any, part: Any) -> tuple[Any, Any]:
        tested = np.zeros(len(order), bool)
        tested[part] = True
        return wrap(np.flatnonzero(~tested)), wrap(np.flatnonzero(tested))

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}(n_splits={self.n_splits}, random_state={self.random_state}, shuffle={self.shuffle})"


class StratifiedKFold(KFold):
    """`sklearn.model_selection.StratifiedKFold`: every fold has the classes' shares."""

    __module__ = "sklearn.model_selection"
    __program__ = True

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:  # noqa: N803
        if y is None:
            raise ValueError("The 'y' parameter should not be None.")
        classes = given(y)
        if classes.ndim != 1 or classes.dtype.kind == "f" and (classes != np.floor(classes)).any():
            raise ValueError("Supported target types are: ('binary', 'multiclass'). Got 'continuous' instead.")
        n, k = len(classes), self.n_splits
        if len(X) != n:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(X)}, {n}]")
        self._check(n)
        _, first, where = np.unique(classes, return_index=True, return_inverse=True)
        numbers = np.argsort(np.argsort(first))[where]  # of the classes, as they appear
        counts = np.bincount(numbers)
        meter.allocate(len(counts) * k, 8)
        meter.charge(len(counts) * (1 + k) + (n * len(counts) >> 10))
        if (counts < k).all():
            raise ValueError(f"n_splits={k} cannot be greater than the number of members in each class.")
        if counts.min() < k:
            warnings.warn(
                f"The least populated class in y has only {counts.min()} members, which is less than n_splits={k}.",
                UserWarning,
                stacklevel=2,
            )
        ordered, source = np.sort(numbers), generator(self.random_state)
        shares = np.array([np.bincount(ordered[i::k], minlength=len(counts)) for i in range(k)])
        fold = np.empty(n, dtype=int)
        for number in range(len(counts)):
            turns = np.arange(k).repeat(shares[:, number])
            if self.shuffle:
                source.shuffle(turns)
            fold[numbers == number] = turns
        every = np.arange(n)
        return iter([self._fold(every, np.flatnonzero(fold == i)) for i in range(k)])


for _kind in (KFold, StratifiedKFold):
    _kind.__qualname__ = _kind.__name__
MODEL_SELECTION: dict[str, Any] = {
    "train_test_split": Builtin("train_test_split", train_test_split), "KFold": KFold,
    "StratifiedKFold": StratifiedKFold,
}  # fmt: skip
