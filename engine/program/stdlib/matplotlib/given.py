"""Numbers from the values that a program gives, as matplotlib takes them from numpy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.charges import copied, grow, made
from engine.program.generators import Generator
from engine.program.text import to_text

_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), set, frozenset)


def listed(value: Any) -> Any:
    """Views and sets as lists; everything else as it is. RuntimeError for generators."""
    if isinstance(value, Generator):
        raise RuntimeError("matplotlib does not support generators as input")
    if not isinstance(value, _VIEWS):
        return value
    several: Any = value
    grow(len(several))
    return list(several)


def texts(value: Any) -> list[str] | None:
    """The texts of a categorical sequence, or None."""
    if type(value) is str:
        return [value]
    if isinstance(value, Array) and value._array.dtype.kind == "U" and value._array.ndim == 1:
        value = value._array.tolist()
    if type(value) in (list, tuple) and value and all([type(item) is str for item in value]):
        grow(len(value))
        return list(value)
    return None


def array(value: Any) -> Any:
    """An array of float64 of its own. TypeError and ValueError in numpy's words, RuntimeError in PyTorch's."""
    return native(value).astype(np.float64)


def native(value: Any) -> Any:
    """An array of real numbers of its own, in the type that numpy gives them."""
    value = listed(value)
    if isinstance(value, np.ndarray | np.generic):
        found = np.asarray(value)
    elif isinstance(value, Array | Tensor) or type(value) in (int, float, bool, complex):
        found = as_array(value)
    elif type(value) in (list, tuple, range):
        if type(value) is not range and any([item is None for item in value]):
            value = [float("nan") if item is None else item for item in value]
        found = as_array([listed(item) for item in value] if type(value) is not range else value)
    elif type(value) is str:
        raise ValueError(f"could not convert string to float: {value!r}")
    else:
        kind = type(value).__name__
        raise TypeError(f"float() argument must be a string or a real number, not '{kind}'")
    if found.dtype.kind not in "biufc":
        raise TypeError(f"Image data of dtype {found.dtype} cannot be converted to float")
    size = int(found.size)
    meter.allocate(size, 8)
    meter.charge(1 + (size >> 8))
    return np.array(found.real if found.dtype.kind == "c" else found)


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape as matplotlib prints it."""
    return tuple(map(int, value.shape))


def number(value: Any) -> float:
    """One number: ValueError for several."""
    if type(value) in (int, float, bool):
        return float(value)
    if type(value) is str:
        return float(value)
    found = array(value)
    if found.size != 1:
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
        )
    return float(found.reshape(-1)[0])


def plain(*values: Any) -> tuple[Any, ...]:
    """Numbers as they were given, and what stands for one as one of Python's."""
    return tuple([number(value) if isinstance(value, Tensor) else value for value in values])


def iterable(value: Any) -> bool:
    """Whether this is several, of any kind that gives numbers."""
    if isinstance(value, Array | np.ndarray | Tensor):
        return bool(value.ndim if not isinstance(value, Array) else value._array.ndim)
    return isinstance(value, (list, tuple, range, str, *_VIEWS, Generator))


def flat(value: Any) -> Any:
    """One dimension of numbers."""
    return array(value).reshape(-1)


def text(value: Any) -> str:
    """What is written: `str(value)`."""
    return to_text(value)


def alpha(value: Any) -> float | None:
    """How opaque: from 0 to 1, None for not said. TypeError and ValueError in matplotlib's words."""
    if value is None:
        return None
    if type(value) is str:
        raise TypeError(f"alpha must be numeric or None, not {type(value)}")
    found = number(value)
    if not 0 <= found <= 1:
        raise ValueError(f"alpha ({to_text(value)}) is outside 0-1 range")
    return found


def positions(value: Any, categories: Categories) -> Any:
    """Where values lie on an axis: numbers as they are, texts by their place among its categories."""
    return placed(value, categories).astype(np.float64)


def placed(value: Any, categories: Categories) -> Any:
    """The same in the type that numpy gives them."""
    value = listed(value)
    words = texts(value)
    return native(value) if words is None else np.array([categories.place(word) for word in words])


class Categories:
    """The texts of an axis, in order of appearance."""

    __slots__ = ("places",)

    def __init__(self) -> None:
        self.places: dict[str, int] = {}

    def place(self, word: str) -> int:
        meter.charge(1)
        return self.places.setdefault(word, len(self.places))


def several(value: Any) -> list[Any] | None:
    """The members of a list, tuple or array; None for what is one thing."""
    value = listed(value)
    if type(value) in (list, tuple):
        copied(len(value))
        return list(value)
    if isinstance(value, Array | np.ndarray | Tensor):
        found = as_array(value, texts=True) if not isinstance(value, np.ndarray) else value
        grow(int(found.shape[0]) if found.ndim else 0)
        if found.dtype.kind == "U":
            found = found.astype(object)
        return list(found) if found.ndim else None
    return None


def words(values: Sequence[Any]) -> list[str]:
    """Each as text."""
    made(len(values))
    return [text(value) for value in values]


def copy(numbers: Any) -> Any:
    """A copy of what is drawn, for the program."""
    meter.allocate(int(numbers.size), numbers.itemsize)
    return wrap(numbers.copy())


def wrapped(values: Iterable[float]) -> Any:
    """Numbers as an array of the program's."""
    return wrap(np.array(list(values), dtype=np.float64))
