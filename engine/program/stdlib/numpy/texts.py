"""`numpy.strings` and `numpy.char`: functions of texts, element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import WIDEST, as_array, join_texts, wrap
from engine.program.values import Builtin

_OF_ONE = "upper lower capitalize title swapcase isalpha isdigit isalnum isspace isupper islower isnumeric isdecimal"
_LOOKING = "startswith endswith find rfind count index rindex"
_STRIPPING = "strip lstrip rstrip"
_COMPARING = "equal not_equal less less_equal greater greater_equal"


def _texts(value: Any, *others: Any) -> Any:
    """An array of texts, paid for together with what else broadcasts to it. TypeError for anything else."""
    array = as_array(value, texts=True)
    if array.dtype.kind != "U":
        raise TypeError("string operation on non-string array")
    shape = np.broadcast_shapes(array.shape, *[other.shape for other in others])
    meter.allocate(math.prod(shape), 4 * WIDEST)
    meter.charge(1 + (math.prod(shape) >> 3))
    return array


def _of_one(name: str) -> Callable[[Any], Any]:
    return lambda a: wrap(getattr(np.char, name)(_texts(a)))


def _looking(name: str) -> Callable[..., Any]:
    def look(a: Any, sub: Any, start: int = 0, end: int | None = None) -> Any:
        wanted = as_array(sub, texts=True)
        return wrap(getattr(np.char, name)(_texts(a, wanted), wanted, start, end))

    return look


def _stripping(name: str) -> Callable[..., Any]:
    def strip(a: Any, chars: Any = None) -> Any:
        wanted = None if chars is None else as_array(chars, texts=True)
        array = _texts(a) if wanted is None else _texts(a, wanted)
        return wrap(getattr(np.char, name)(array, wanted))

    return strip


def _comparing(name: str) -> Callable[[Any, Any], Any]:
    def compare(x1: Any, x2: Any) -> Any:
        other = as_array(x2, texts=True)
        return wrap(getattr(np.char, name)(_texts(x1, other), other))

    return compare


def _str_len(a: Any) -> Any:
    return wrap(np.char.str_len(_texts(a)))


def _add(x1: Any, x2: Any) -> Any:
    other = as_array(x2, texts=True)
    return wrap(join_texts(_texts(x1, other), other))


def _replace(a: Any, old: Any, new: Any, count: int = -1) -> Any:
    """Texts that would become too wide are refused before they are made."""
    before, after = as_array(old, texts=True), as_array(new, texts=True)
    array = _texts(a, before, after)
    size = math.prod(np.broadcast_shapes(array.shape, before.shape, after.shape))
    meter.reserve(size * (1 + after.itemsize // 4), array.itemsize)
    meter.charge(size * (1 + after.itemsize) >> 6)
    return wrap(np.char.replace(array, before, after, count))


STRINGS: dict[str, Any] = {
    **{name: Builtin(name, _of_one(name)) for name in _OF_ONE.split()},
    **{name: Builtin(name, _looking(name)) for name in _LOOKING.split()},
    **{name: Builtin(name, _stripping(name)) for name in _STRIPPING.split()},
    **{name: Builtin(name, _comparing(name)) for name in _COMPARING.split()},
    "str_len": Builtin("str_len", _str_len), "add": Builtin("add", _add), "replace": Builtin("replace", _replace),
}  # fmt: skip
CHAR: dict[str, Any] = dict(STRINGS)
