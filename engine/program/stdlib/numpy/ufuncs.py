"""`numpy.ufunc`: the elementwise functions as objects, with `reduce`, `accumulate`, `outer`, `at` and `reduceat`."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MethodType
from typing import Any

import numpy as np

from engine.costs import STEP
from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import Array, as_array, heeding, overwriting, to_dtype, unwrap, weigh_argument, wrap
from engine.program.calls import CALLERS
from engine.program.kinds import missing
from engine.program.tables import LISTED, READERS
from engine.program.values import Builtin


class UFunc(Builtin):
    """`numpy.ufunc`."""

    __slots__ = ("nanoseconds", "native")
    native: np.ufunc
    nanoseconds: int

    def __init__(self, native: np.ufunc, function: Callable[..., Any], nanoseconds: int) -> None:
        super().__init__(native.__name__, function)
        self.native, self.nanoseconds = native, nanoseconds

    def __repr__(self) -> str:
        return f"<ufunc '{self.name}'>"


for _key, _value in {"__name__": "numpy.ufunc", "__qualname__": "ufunc", "__module__": "numpy"}.items():
    setattr(UFunc, _key, _value)


def _charge(ufunc: UFunc, elements: int) -> None:
    meter.charge(1 + elements * (ufunc.nanoseconds + 8) // STEP)


def _given(value: Any) -> Any:
    weigh_argument(value)
    return value if type(value) in (int, float, bool, complex) else as_array(value)


def _finished(out: Any, method: Callable[..., Any], *args: Any, **options: Any) -> Any:
    with heeding():
        found = method(*args, **options)
    return wrap(found) if out is None else out


def _out(out: Any) -> Any:
    if type(out) is tuple and len(out) == 1:
        out = out[0]
    if out is not None and not isinstance(out, Array):
        raise TypeError("return arrays must be of ArrayType")
    return out


def _options(dtype: Any, out: Any, more: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {key: unwrap(value) for key, value in more.items() if value is not None}
    if dtype is not None:
        found["dtype"] = to_dtype(dtype)
    if out is not None:
        found["out"] = overwriting(out._array)
    return found


def _reduce(
    self: UFunc, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False, *,
    initial: Any = None, where: Any = None,
) -> Any:  # fmt: skip
    given, out = as_array(array), _out(out)
    weigh_argument(array)
    mask = None if where is None else as_array(where, bool)
    _charge(self, max(given.size, 0 if mask is None else mask.size))
    meter.allocate(given.size, 8)
    axes = tuple(map(unwrap, axis)) if isinstance(axis, tuple | list) else unwrap(axis)
    options = _options(dtype, out, {"initial": initial, "where": mask})
    return _finished(out, self.native.reduce, given, axes, keepdims=bool(keepdims), **options)


def _accumulate(self: UFunc, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    given, out = as_array(array), _out(out)
    weigh_argument(array)
    _charge(self, given.size)
    meter.allocate(given.size, 8)
    return _finished(out, self.native.accumulate, given, unwrap(axis), **_options(dtype, out, {}))


def _outer(self: UFunc, A: Any, B: Any, /, *, dtype: Any = None, out: Any = None) -> Any:  # noqa: N803 - numpy's names
    left, right, out = _given(A), _given(B), _out(out)
    size = int(np.size(left)) * int(np.size(right))
    meter.allocate(size, 8)
    _charge(self, size)
    return _finished(out, self.native.outer, left, right, **_options(dtype, out, {}))


def _at(self: UFunc, a: Array, indices: Any, b: Any = None, /) -> None:
    if not isinstance(a, Array) or not isinstance(a._array, np.ndarray):
        raise TypeError("first operand must be array")
    parts = indices if type(indices) is tuple else (indices,)
    places = tuple([part if type(part) in (slice, type(None), type(...)) else _given(part) for part in parts])
    chosen = [np.shape(part) for part in places if type(part) is not slice and part is not None and part is not ...]
    picked = math.prod(np.broadcast_shapes(*chosen)) if chosen else 1
    rest = math.prod(a._array.shape[len(chosen) :]) if len(chosen) == len(places) else int(a._array.size)
    meter.reserve(picked * rest, 8)
    meter.charge(1 + (picked * rest + int(a._array.size)) * (self.nanoseconds + 60) // STEP)
    where = places if type(indices) is tuple else places[0]
    with heeding():
        self.native.at(overwriting(a._array), where, *(() if b is None else (_given(b),)))


def _reduceat(self: UFunc, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    given, places, out = as_array(array), as_array(indices).ravel(), _out(out)
    weigh_argument(array)
    axis = unwrap(axis)
    length = given.shape[axis] if given.ndim else 0
    spans = np.maximum(np.diff(np.append(places, length)).astype(np.int64), 1)
    rows = given.size // max(1, length)
    meter.allocate(rows * places.size, 8)
    _charge(self, rows * int(spans.sum()))
    return _finished(out, self.native.reduceat, given, places, axis, **_options(dtype, out, {}))


METHODS: dict[str, Callable[..., Any]] = {
    "reduce": _reduce, "accumulate": _accumulate, "outer": _outer, "at": _at, "reduceat": _reduceat,
}  # fmt: skip
_NUMBERS = "nin nout nargs ntypes identity signature".split()


def _read(value: UFunc, name: str) -> Any:
    method = METHODS.get(name)
    if method is not None:
        return Builtin(name, MethodType(method, value))
    if name in _NUMBERS:
        return getattr(value.native, name)
    if name == "types":
        return list(value.native.types)
    raise missing(value, name)


READERS[UFunc], LISTED[UFunc] = _read, [*METHODS, *_NUMBERS, "types"]
CALLERS[UFunc] = CALLERS[Builtin]
sessions.closed.update([UFunc])
