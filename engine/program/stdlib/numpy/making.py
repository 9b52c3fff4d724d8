"""Functions of numpy that make arrays: of shapes, of values, of other arrays and of functions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program.arrays import WIDEST, Array, argument, as_array, memory_order, to_dtype, unwrap, wrap
from engine.program.calls import call
from engine.program.operators import burning, items
from engine.program.stdlib.numpy.calling import apply, native_of
from engine.program.values import Builtin


def dims_of(shape: Any) -> tuple[int, ...]:
    dims = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    if not all(isinstance(unwrap(dim), int | np.integer) for dim in dims):
        raise TypeError(f"'{type(dims[0]).__name__}' object cannot be interpreted as an integer")
    dims = tuple(int(dim) for dim in dims)
    if any(dim < 0 for dim in dims):
        raise ValueError("negative dimensions are not allowed")
    meter.allocate(math.prod(dims), 8)
    return dims


def _array(object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", ndmin: int = 0) -> Any:  # noqa: A002
    if isinstance(object, Tensor) and copy is not None:
        _optional(dtype)
        errors.warn_array_copy()
        if not copy:
            raise errors.array_uncopied()
    a = as_array(object, dtype, texts=True)
    return wrap(np.array(a, copy=True, order=memory_order(order), ndmin=ndmin) if copy else a)


def _asarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
    if copy:
        return _array(a, dtype, order=order)
    if isinstance(a, Array) and type(a) is Array and dtype is None and order is None:
        return a
    given = as_array(a, dtype, texts=True)
    if order is not None:
        meter.reserve(given.size, given.itemsize)
    made = np.asarray(given, order=memory_order(order))
    return a if type(a) is Array and made is a._array else wrap(made)


def _ordered(name: str, order: str) -> Builtin:
    def make(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
        made = _asarray(a, dtype, order)
        return made if isinstance(made._array, np.ndarray) and made._array.ndim else _array(made, ndmin=1)

    return Builtin(name, make)


def _blocks(value: Any, depth: int = 0) -> tuple[Any, int]:
    """Nested lists of arrays, and how many numbers are in them."""
    if type(value) is not list:
        found = as_array(value)
        return found, int(found.size)
    if depth > 31:
        raise ValueError("blocks are nested in at most 32 lists here")
    meter.charge(1 + (len(value) >> 2))
    parts = [_blocks(item, depth + 1) for item in value]
    return [part for part, _ in parts], sum([size for _, size in parts])


def _block(arrays: Any) -> Any:
    parts, size = _blocks(arrays)
    meter.allocate(2 * size, 8)
    meter.charge(size >> 7)
    return wrap(np.block(parts))


def _optional(dtype: Any) -> Any:
    return None if dtype is None else to_dtype(dtype)


def filled(value: float) -> Callable[..., Any]:
    def make(shape: Any, dtype: Any = float, order: Any = "C") -> Any:
        kind, dims = to_dtype(dtype, texts=True), dims_of(shape)
        if kind.kind == "U":
            meter.allocate(math.prod(dims), kind.itemsize)
            meter.charge(math.prod(dims) >> 5)
        return wrap(np.full(dims, "" if kind.kind == "U" and not value else value, kind, memory_order(order)))

    return make


def _full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Any:
    value, dims = argument(fill_value), dims_of(shape)
    if isinstance(value, str):
        value = as_array(value, texts=True)
        meter.allocate(math.prod(dims), value.itemsize)
    kind = None if dtype is None else to_dtype(dtype, texts=True)
    if kind is not None and kind.kind == "U":
        meter.allocate(math.prod(dims), 4 * WIDEST)
        meter.charge(math.prod(dims) >> 5)
    return wrap(np.full(dims, value, kind, memory_order(order)))


def _like(value: Any) -> Callable[..., Any]:
    def make(a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None) -> Any:
        model = as_array(a)
        dims = None if shape is None else dims_of(shape)
        if dims is None:
            meter.allocate(model.size, 8)
        return wrap(np.full_like(model, value, _optional(dtype), memory_order(order), shape=dims))

    return make


def _full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Any:
    return _like(unwrap(fill_value))(a, dtype, order, subok, shape)


def _arange(*args: Any, dtype: Any = None, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    given = [unwrap(arg) for arg in args]
    if stop is not None:
        given = [start or 0, stop, step or 1]
    if not given:
        raise TypeError("arange() requires stop to be specified.")
    first, last, by = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    if by == 0:
        raise ZeroDivisionError("division by zero")
    meter.allocate(max(0, math.ceil((last - first) / by)), 8)
    return wrap(np.arange(first, last, by, dtype=_optional(dtype)))


def _spaced(start: Any, stop: Any, num: Any) -> tuple[Any, Any, int]:
    """The ends as numpy knows them and the number of points, which are paid for."""
    start, stop, count = argument(start), argument(stop), max(int(num), 0)
    meter.allocate(count * max(np.size(start), np.size(stop)), 8)
    return start, stop, count


def _linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    start, stop, count = _spaced(start, stop, num)
    meter.charge(count >> 5)
    options = int(num), bool(endpoint), bool(retstep), _optional(dtype), int(axis)
    found = native_of("linspace")(start, stop, *options)
    return wrap(found)


def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    start, stop, count = _spaced(start, stop, num)
    base = argument(base)
    size = count * max(np.size(start), np.size(stop)) * np.size(base)
    meter.reserve(size, 8)
    meter.charge(size >> 7)
    return wrap(np.logspace(start, stop, int(num), bool(endpoint), base, _optional(dtype), int(axis)))


def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Any:  # noqa: N803 - numpy's names
    dims_of((N, N if M is None else M))
    return wrap(np.eye(N, M, k, to_dtype(dtype)))


def _identity(n: int, dtype: Any = float) -> Any:
    return _eye(n, dtype=dtype)


def _diag(v: Any, k: int = 0) -> Any:
    a = as_array(v)
    if a.ndim == 1:
        meter.allocate((a.size + abs(k)) ** 2, 8)
    return wrap(np.diag(a, k).copy())


def _tile(A: Any, reps: Any) -> Any:  # noqa: N803 - numpy's name
    array, times = as_array(A), reps if isinstance(reps, list | tuple) else (reps,)
    meter.allocate(array.size * math.prod(max(int(t), 0) for t in times), 8)
    return wrap(np.tile(array, tuple(map(int, times))))


def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    arrays = [as_array(axis) for axis in xi]
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    meter.allocate(len(arrays) * math.prod(a.size for a in arrays), 8)
    return wrap(tuple(native_of("meshgrid")(*arrays, sparse=bool(sparse), indexing=indexing)))


def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return wrap(np.broadcast_to(as_array(array), dims_of(shape)).copy())


def _row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    warnings.warn("`row_stack` alias is deprecated. Use `np.vstack` directly.", DeprecationWarning, stacklevel=1)
    return apply("vstack", (tup,), {"casting": casting} if dtype is None else {"dtype": dtype, "casting": casting})


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    np.fill_diagonal(as_array(a), unwrap(val), bool(wrap))


def _fromiter(iter: Any, dtype: Any, count: int = -1) -> Any:
    return wrap(as_array(list(items(iter))).astype(to_dtype(dtype)))


def _fromfunction(function: Any, shape: Any, *, dtype: Any = float, **options: Any) -> Any:
    dims = dims_of(shape)
    meter.allocate(len(dims) * math.prod(dims), 8)
    return call(function, [wrap(axis) for axis in np.indices(dims, dtype=to_dtype(dtype))], None)


def _apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    given = as_array(arr)
    meter.allocate(given.size, 8)
    rows = np.moveaxis(given, axis, -1)
    results = [unwrap(call(func1d, [wrap(row), *args], kwargs or None)) for row in rows.reshape(-1, rows.shape[-1])]
    made = np.asarray(results)
    meter.allocate(made.size, 8)
    made = made.reshape(rows.shape[:-1] + made.shape[1:])
    return wrap(np.moveaxis(made, -1, axis) if made.ndim == given.ndim else made)


def _ndenumerate(arr: Any) -> Any:
    array = as_array(arr)
    return zip(burning(np.ndindex(array.shape)), map(wrap, array.ravel()), strict=True)


def _ndindex(*shape: Any) -> Any:
    dims = dims_of(shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)
    return np.ndindex(dims) if not math.prod(dims) > 1 << 20 else iter(())


def construct_array(
    shape: Any, dtype: Any = float, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
) -> Any:
    """`numpy.ndarray(shape)`: zeros, where numpy's has what was in memory, or elements of another array's memory."""
    if strides is not None:
        raise NotImplementedError("an array is made without strides here: numpy.lib.stride_tricks.as_strided has them")
    if buffer is None:
        return filled(0.0)(shape, dtype, "C" if order is None else order)
    if not isinstance(buffer, Array):
        raise TypeError("an array is made of another array's memory here: numpy.frombuffer takes bytes")
    memory, kind = buffer._array, to_dtype(dtype)
    if kind.kind not in "fiuc" or memory.dtype.kind not in "fiuc":
        raise TypeError("an array of another array's memory holds numbers here")
    return wrap(np.ndarray(dims_of(shape), kind, memory, int(unwrap(offset)), order=memory_order(order or "C")))


MAKING: dict[str, Any] = {
    "array": Builtin("array", _array), "asarray": Builtin("asarray", _asarray),
    "zeros": Builtin("zeros", filled(0.0)), "ascontiguousarray": _ordered("ascontiguousarray", "C"),
    "block": Builtin("block", _block), "ones": Builtin("ones", filled(1.0)), "empty": Builtin("empty", filled(0.0)),
    "full": Builtin("full", _full), "zeros_like": Builtin("zeros_like", _like(0)),
    "ones_like": Builtin("ones_like", _like(1)), "empty_like": Builtin("empty_like", _like(0)),
    "full_like": Builtin("full_like", _full_like), "arange": Builtin("arange", _arange),
    "linspace": Builtin("linspace", _linspace), "logspace": Builtin("logspace", _logspace),
    "eye": Builtin("eye", _eye), "identity": Builtin("identity", _identity), "diag": Builtin("diag", _diag),
    "tile": Builtin("tile", _tile), "meshgrid": Builtin("meshgrid", _meshgrid),
    "broadcast_to": Builtin("broadcast_to", _broadcast_to), "row_stack": Builtin("row_stack", _row_stack),
    "fill_diagonal": Builtin("fill_diagonal", _fill_diagonal), "fromiter": Builtin("fromiter", _fromiter),
    "fromfunction": Builtin("fromfunction", _fromfunction), "asfortranarray": _ordered("asfortranarray", "F"),
    "apply_along_axis": Builtin("apply_along_axis", _apply_along_axis), "asanyarray": Builtin("asanyarray", _asarray),
    "ndenumerate": Builtin("ndenumerate", _ndenumerate), "ndindex": Builtin("ndindex", _ndindex),
}  # fmt: skip
