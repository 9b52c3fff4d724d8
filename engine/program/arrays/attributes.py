"""The attributes and methods of numpy's arrays, numbers and dtypes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays.operators import heeding
from engine.program.arrays.values import (
    CONVERTED,
    SCALARS,
    WIDEST,
    Array,
    DType,
    Scalar,
    argument,
    as_array,
    memory_order,
    overwriting,
    reserve_like,
    to_dtype,
    unwrap,
    wrap,
    wrapped,
)
from engine.program.charges import made
from engine.program.kinds import missing
from engine.program.tables import FROM_HOST, LISTED, READERS, WRITERS
from engine.program.values import Builtin

ATTRIBUTES: dict[str, Callable[[Any], Any]] = {
    "shape": lambda a: a.shape,
    "ndim": lambda a: a.ndim,
    "size": lambda a: a.size,
    "nbytes": lambda a: a.nbytes,
    "itemsize": lambda a: a.itemsize,
    "dtype": lambda a: DType(a.dtype),
    "T": lambda a: wrap(a.T),
    "real": lambda a: wrap(a.real),
    "imag": lambda a: wrap(a.imag),
    "flat": lambda a: wrap(a.ravel()),
    "strides": lambda a: a.strides,
    "mT": lambda a: wrap(a.mT),
}


def _astype(
    self: Array, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    wanted = to_dtype(dtype, texts=True)
    if not copy and wanted == self._array.dtype:
        return self
    meter.allocate(self._array.size, 4 * WIDEST if wanted.kind == "U" else 8)
    if "U" in (wanted.kind, self._array.dtype.kind):
        meter.charge(int(self._array.size) >> 2)
    with heeding():
        if isinstance(self, Scalar):
            return wrap(self._array.astype(wanted, casting=casting))
        return wrap(self._array.astype(wanted, memory_order(order), casting=casting))


def array_of_tensor(tensor: Tensor, dtype: Any = None) -> Any:
    """`Tensor.__array__`."""
    a = tensor.numpy()
    if dtype is None:
        return wrap(a)
    wanted = to_dtype(dtype)
    if wanted != a.dtype:
        meter.allocate(a.size, wanted.itemsize)
    with heeding():
        return wrap(a.astype(wanted, copy=False))


def _reshape(self: Array, *shape: Any, order: str = "C") -> Any:
    dims = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    dims = tuple(map(operator.index, dims))
    if order == "C":
        return wrap(self._array.reshape(dims))
    reserve_like(self._array)
    return wrap(self._array.reshape(dims, order=memory_order(order)))


def _transpose(self: Array, *axes: Any) -> Any:
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], list | tuple) else axes
    return wrap(self._array.transpose(tuple(order)) if order else self._array.transpose())


def _copy(self: Array, order: str = "C") -> Any:
    meter.allocate(self._array.size, self._array.itemsize)
    return wrap(self._array.copy() if isinstance(self, Scalar) else self._array.copy(memory_order(order)))


def _flatten(self: Array, order: str = "C") -> Any:
    meter.allocate(self._array.size, self._array.itemsize)
    return wrap(self._array.flatten(memory_order(order)))


def _view(self: Array, dtype: Any = None) -> Any:
    """The same memory as numbers of another type; as truth values never, since numpy takes theirs for 0 and 1.

    Into truth values and texts nothing can be written as numbers.
    """
    if dtype is None or dtype is Array:
        return wrap(self._array.view())
    wanted, own = to_dtype(dtype), self._array.dtype
    if wanted.kind == "b" and own.kind != "b":
        raise TypeError("view() makes no truth values of numbers here: use astype(bool)")
    view = self._array.view(wanted)
    if own.kind in "bU" and wanted.kind != own.kind and isinstance(view, np.ndarray):
        view.flags.writeable = False
    return wrap(view)


class Flags:
    """`numpy.ndarray.flags`: of which a program can clear one, `writeable`."""

    __slots__ = ("_of",)

    def __init__(self, of: Array) -> None:
        self._of = of

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str) or key.lower() not in _FLAGS and key not in _SHORT:
            raise KeyError("Unknown flag")
        return bool(self._of._array.flags[key.upper()])

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str) or key.lower() not in ("writeable", "w"):
            raise KeyError("Unknown flag")
        _lock(self._of, value)

    def __repr__(self) -> str:
        return repr(self._of._array.flags)


_SHORT = "C F O W A".split()
_FLAGS = "c_contiguous f_contiguous owndata writeable aligned writebackifcopy contiguous fortran forc fnc".split()
Flags.__name__ = Flags.__qualname__ = "flagsobj"
Flags.__module__ = "numpy._core.multiarray"


def _read_flag(value: Flags, name: str) -> Any:
    if name not in _FLAGS:
        raise missing(value, name)
    return bool(getattr(value._of._array.flags, name))


def _write_flag(target: Flags, name: str, value: Any) -> None:
    if name != "writeable":
        raise missing(target, name)
    _lock(target._of, value)


def _lock(array: Array, writeable: Any) -> None:
    if not writeable:
        array._array = array._array.view()
        array._array.flags.writeable = False
    elif not array._array.flags.writeable:
        raise ValueError("cannot set WRITEABLE flag to True of this array")


def _setflags(self: Array, write: Any = None, align: Any = None, uic: Any = None) -> None:
    if write is not None:
        _lock(self, write)


def _write(target: Array, name: str, value: Any) -> None:
    """Raises AttributeError for what an array lets nobody set."""
    a = target._array
    if name == "shape" and isinstance(a, np.ndarray):
        view = a.view()  # tensors may be of the array itself
        dims = unwrap(value)
        view.shape = tuple(map(operator.index, dims)) if isinstance(dims, list | tuple) else operator.index(dims)
        target._array = view
    elif name in ("flat", "real", "imag") and isinstance(a, np.ndarray):
        given = as_array(value)
        meter.charge(1 + (max(int(a.size), int(given.size)) >> 9))
        setattr(overwriting(a), name, given)
    elif name in ATTRIBUTES or name == "flags":
        raise AttributeError(f"attribute '{name}' of '{type(target).__name__}' objects is not writable")
    elif name in METHODS:
        raise AttributeError(f"'{type(target).__name__}' object attribute '{name}' is read-only")
    else:
        raise missing(target, name)


def _fill(self: Array, value: Any) -> None:
    meter.charge(self._array.size >> 13)
    overwriting(self._array).fill(unwrap(value))


def _resize(self: Array, *shape: Any, refcheck: bool = True) -> None:
    """In place: views of it keep what they saw, as with `refcheck=False`."""
    dims = shape[0] if len(shape) == 1 and isinstance(shape[0], list | tuple) else shape
    size = math.prod(map(operator.index, dims))
    meter.allocate(size, self._array.itemsize)
    flat = np.zeros(size, self._array.dtype)
    kept = self._array.ravel()[:size]
    flat[: kept.size] = kept
    self._array = flat.reshape(tuple(dims))


def _sort(self: Array, axis: int = -1, kind: Any = None, *, stable: Any = None) -> None:
    meter.charge(int(self._array.size) >> 5)
    overwriting(self._array).sort(axis=axis, kind=kind, stable=stable)


def _partition(self: Array, kth: Any, axis: int = -1) -> None:
    meter.charge(int(self._array.size) >> 5)
    overwriting(self._array).partition(argument(kth), axis=axis)


def _tolist(self: Array) -> Any:
    meter.check_length(int(self._array.size))
    made(int(self._array.size) * (1 + (self._array.itemsize >> 6)))
    return self._array.tolist()


METHODS: dict[str, Callable[..., Any]] = {
    "item": lambda self, *index: self._array.item(*index),
    "tolist": _tolist,
    "copy": _copy,
    "astype": _astype,
    "reshape": _reshape,
    "transpose": _transpose,
    "flatten": _flatten,
    "view": _view,
    "setflags": _setflags,
    "partition": _partition,
    "resize": _resize,
    "tobytes": lambda self: _copy(self)._array.tobytes(),
    "fill": _fill,
    "sort": _sort,
}


_OF_NUMBERS = frozenset("is_integer as_integer_ratio hex bit_count".split())
"""Methods that numpy's scalars have from Python's numbers; which of them, the type says."""


_OF_ARRAYS = frozenset("dot partition argpartition".split())
"""Methods that numpy's scalars have not."""


def _read(value: Array, name: str) -> Any:
    attribute = ATTRIBUTES.get(name)
    if attribute is not None:
        return attribute(value._array)
    if name == "flags":
        return Flags(value)
    method = None if name in _OF_ARRAYS and isinstance(value, Scalar) else METHODS.get(name)
    if method is None:
        if name in _OF_NUMBERS and isinstance(value, Scalar) and hasattr(value._array, name):
            return Builtin(name, lambda: wrap(getattr(value._array, name)()))
        raise missing(value, name)
    return Builtin(name, lambda *args, **kwargs: method(value, *args, **kwargs))


_DTYPE_ATTRIBUTES = frozenset(
    "name kind itemsize str char num byteorder alignment fields names shape ndim isnative hasobject".split()
)


def _read_dtype(value: DType, name: str) -> Any:
    if name in _DTYPE_ATTRIBUTES:
        return getattr(value.dtype, name)
    if name == "type" and value.dtype.name in SCALARS:
        return SCALARS[value.dtype.name]
    raise missing(value, name)


_ARRAYS: list[type] = [Array, *SCALARS.values()]
for _kind in _ARRAYS:
    READERS[_kind], LISTED[_kind] = _read, [*ATTRIBUTES, *METHODS]
    WRITERS[_kind] = _write
READERS[Flags], WRITERS[Flags], LISTED[Flags] = _read_flag, _write_flag, _FLAGS
READERS[DType] = _read_dtype
FROM_HOST |= dict.fromkeys([np.ndarray, *np.sctypeDict.values(), *CONVERTED], wrapped)
sessions.closed.update(_ARRAYS, [DType, Flags])
