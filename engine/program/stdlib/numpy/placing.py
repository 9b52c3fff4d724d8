"""numpy's functions that put numbers at places of an array, choose them, and look at an array through a window."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, overwriting, to_dtype, unwrap, wrap
from engine.program.calls import call, callable_value
from engine.program.operators import items
from engine.program.values import Builtin, Module
from engine.types.shapes import reach, restride


def _target(a: Any) -> Any:
    if not isinstance(a, Array) or not isinstance(a._array, np.ndarray):
        raise TypeError(f"argument 1 must be numpy.ndarray, not {type(a)}")
    meter.charge(1 + (int(a._array.size) >> 9))
    return overwriting(a._array)


def _paid(value: Any) -> Any:
    """What numpy puts somewhere, element by element."""
    found = as_array(value)
    meter.reserve(found.size, 8)
    meter.charge(found.size >> 8)
    return found


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    target, places, values = _target(a), _paid(ind), _paid(v)
    meter.charge(places.size >> 6)
    target.put(places, values, mode)


def putmask(a: Any, mask: Any, values: Any) -> None:
    np.putmask(_target(a), _paid(mask), _paid(values))


def place(arr: Any, mask: Any, vals: Any) -> None:
    np.place(_target(arr), _paid(mask), _paid(vals))


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    np.copyto(_target(dst), _paid(src), casting, where=as_array(where, bool))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    target, places = _target(arr), _paid(indices)
    meter.allocate(places.size * (target.ndim + 1), 8)
    meter.charge(places.size >> 6)
    np.put_along_axis(target, places, _paid(values), unwrap(axis))


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    places, given = _paid(a), [_paid(choice) for choice in items(choices)]
    shape = np.broadcast_shapes(places.shape, *[choice.shape for choice in given])
    meter.allocate(math.prod(shape) * 2, 8)
    meter.charge((math.prod(shape) >> 6) + len(given))
    if out is None:
        return wrap(np.choose(places, given, mode=mode))  # type: ignore[call-overload]
    np.choose(places, given, out=_target(out), mode=mode)  # type: ignore[call-overload]
    return out


def ix_(*args: Any) -> Any:
    return wrap(np.ix_(*[_paid(arg) for arg in args]))


def _mask(condition: Any) -> Any:
    return condition if isinstance(condition, np.ndarray) else _paid(condition).astype(bool)


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    given = np.atleast_1d(_paid(x)) if np.ndim(as_array(x)) else _paid(x)
    conditions = list(items(condlist)) if isinstance(condlist, list | tuple) else list(np.atleast_1d(_paid(condlist)))
    if conditions and given.ndim and not isinstance(conditions[0], list | Array | np.ndarray):
        conditions = [condlist]  # one by itself
    masks = [np.broadcast_to(_mask(condition), given.shape) for condition in conditions]
    functions, count = list(items(funclist)), len(masks)
    if count == len(functions) - 1:
        masks.append(~np.any(masks, axis=0))
    elif count != len(functions):
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    meter.allocate(given.size * (2 + len(masks)), 8)
    meter.charge(len(masks) * (given.size >> 7))
    found = np.zeros_like(given)
    for mask, function in zip(masks, functions, strict=True):
        if not callable_value(function):
            found[mask] = unwrap(function)
        elif (chosen := given[mask]).size:
            found[mask] = unwrap(call(function, [wrap(chosen), *args], kw or None))
    return wrap(found)


def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    given = [as_array(arg) for arg in args]
    shape = np.broadcast_shapes(*[array.shape for array in given])
    meter.allocate(len(given) * math.prod(shape), 8)
    return tuple([wrap(np.broadcast_to(array, shape).copy()) for array in given])


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    return tuple(map(int, np.broadcast_shapes(*[unwrap(tuple(arg) if type(arg) is list else arg) for arg in args])))


def _indices_from(name: str) -> Builtin:
    native = getattr(np, name)

    def run(arr: Any, k: int = 0) -> Any:
        given = as_array(arr)
        meter.allocate(3 * given.size + (given.ndim * max(given.shape, default=0)), 8)
        return wrap(native(given) if name == "diag_indices_from" else native(given, int(unwrap(k))))

    return Builtin(name, run)


def _seen(array: Any, shape: tuple[int, ...], strides: tuple[int, ...], writeable: bool) -> Any:
    """A view of an array, which may have many more elements than it."""
    meter.reserve(math.prod(shape), array.itemsize)
    view = restride(array, shape, strides)
    view.flags.writeable = writeable and array.flags.writeable
    return wrap(view)


def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    given = as_array(x)
    asked = window_shape if isinstance(window_shape, list | tuple) else (window_shape,)
    window = tuple([int(unwrap(n)) for n in asked])
    if any(n < 0 for n in window):
        raise ValueError("`window_shape` cannot contain negative values")
    axes = axis if isinstance(axis, list | tuple) else range(given.ndim) if axis is None else (axis,)
    if len(axes) != len(window):
        raise ValueError(
            f"Since axis is None, must provide window_shape for all dimensions of `x`; got {len(window)} window_shape"
            f" elements and `x.ndim` is {given.ndim}."
            if axis is None
            else f"Must provide matching length window_shape and axis; got {len(window)} window_shape elements and"
            f" {len(axes)} axes elements."
        )
    shape, strides = list(given.shape), list(given.strides)
    for place, n in zip(axes, window, strict=True):
        at = int(unwrap(place))
        if not -given.ndim <= at < given.ndim:
            raise np.exceptions.AxisError(at, given.ndim)
        if shape[at] < n:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[at] -= n - 1
        strides.append(given.strides[at])
    return _seen(given, (*shape, *window), tuple(strides), bool(writeable))


def as_strided(x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True) -> Any:
    """A view of an array's memory. Raises ValueError where it would reach outside."""
    given = as_array(x)
    dims = given.shape if shape is None else tuple([int(unwrap(dim)) for dim in items(shape)])
    steps = given.strides if strides is None else tuple([int(unwrap(step)) for step in items(strides)])
    if len(dims) != len(steps):
        raise ValueError("strides is incompatible with shape of requested array and size of buffer")
    if any(dim < 0 for dim in dims):
        raise ValueError("negative dimensions are not allowed")
    if math.prod(dims):
        (before, after), (low, high) = reach(given.shape, given.strides), reach(dims, steps)
        if not given.size or low > before or high > after:
            raise ValueError("as_strided() looks only at the array's own memory here")
    return _seen(given, dims, steps, bool(writeable))


# --- other ways to make arrays, and texts of numbers


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, like: Any = None) -> Any:
    if not isinstance(buffer, bytes | bytearray):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    meter.allocate(len(buffer), 1)
    wanted = to_dtype(dtype)
    truth = wanted.kind == "b"  # whose bytes numpy takes for 0 and 1
    found = np.frombuffer(bytes(buffer), np.uint8 if truth else wanted, int(unwrap(count)), int(unwrap(offset)))
    return wrap(found != 0 if truth else found)


def fromstring(string: Any, dtype: Any = float, count: int = -1, *, sep: str, like: Any = None) -> Any:
    if not isinstance(string, str) or not isinstance(sep, str):
        raise TypeError("fromstring() takes texts")
    if not sep:
        raise ValueError("The binary mode of fromstring is removed, use frombuffer instead")
    meter.allocate(len(string), 8)
    meter.charge(len(string) >> 4)
    return wrap(np.fromstring(string, to_dtype(dtype), int(unwrap(count)), sep=sep))


def isfortran(a: Any) -> bool:
    return bool(np.isfortran(as_array(a)))


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    if not isinstance(x, Array):
        raise TypeError(f"Input should be a NumPy array. It is of type {type(x)}.")
    meter.allocate(int(x._array.size), 8)
    return wrap(np.asarray(x._array).astype(to_dtype(dtype)))


def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    wanted = [requirements] if isinstance(requirements, str) else list(items(requirements or []))
    given = as_array(a, dtype)
    meter.allocate(given.size, 8)
    order: Any = "F" if any(name in ("F", "F_CONTIGUOUS", "FORTRAN") for name in wanted) else "A"
    return wrap(np.array(given, order=order))


def unstack(x: Any, /, *, axis: int = 0) -> Any:
    given = as_array(x)
    axis = unwrap(axis)
    meter.charge(1 + (given.shape[axis] if given.ndim else 0))
    return tuple([wrap(part) for part in np.unstack(given, axis=axis)])


def iterable(y: Any) -> bool:
    return getattr(type(y), "__iter__", None) is not None


def mask_indices(n: int, mask_func: Any, k: int = 0) -> Any:
    size = int(unwrap(n))
    meter.allocate(3 * max(0, size) ** 2, 8)
    return wrap(np.nonzero(as_array(call(mask_func, [wrap(np.ones((size, size), int)), k], None)) != 0))


def _at_most_100(value: Any) -> Any:
    return None if value is None else max(0, min(int(unwrap(value)), 100))


def _float(x: Any) -> Any:
    found = unwrap(x)
    return np.float64(found) if isinstance(found, int) else found


def format_float_positional(
    x: Any, precision: Any = None, unique: bool = True, fractional: bool = True, trim: str = "k", sign: bool = False,
    pad_left: Any = None, pad_right: Any = None, min_digits: Any = None,
) -> str:  # fmt: skip
    meter.charge(4)
    return np.format_float_positional(
        _float(x), _at_most_100(precision), bool(unique), bool(fractional), trim, bool(sign),  # type: ignore[arg-type]
        _at_most_100(pad_left), _at_most_100(pad_right), _at_most_100(min_digits),
    )  # fmt: skip


def format_float_scientific(
    x: Any, precision: Any = None, unique: bool = True, trim: str = "k", sign: bool = False, pad_left: Any = None,
    exp_digits: Any = None, min_digits: Any = None,
) -> str:  # fmt: skip
    meter.charge(4)
    return np.format_float_scientific(
        _float(x), _at_most_100(precision), bool(unique), trim, bool(sign), _at_most_100(pad_left),  # type: ignore[arg-type]
        _at_most_100(exp_digits), _at_most_100(min_digits),
    )  # fmt: skip


def _integer(value: Any) -> int:
    number = unwrap(value)
    if not isinstance(number, int | np.integer):
        raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
    meter.charge(1 + (int(number).bit_length() >> 4))
    return int(number)


def binary_repr(num: Any, width: Any = None) -> str:
    bits = None if width is None else _integer(width)
    meter.check_length(bits or 0)
    return np.binary_repr(_integer(num), bits)


def base_repr(number: Any, base: int = 2, padding: int = 0) -> str:
    digits = _integer(number)
    if digits.bit_length() > 4096:
        raise ValueError("numbers in other bases are limited to 4096 bits here")
    meter.check_length(int(padding))
    return np.base_repr(digits, int(unwrap(base)), int(padding))


STRIDE_TRICKS: dict[str, Any] = {
    function.__name__: Builtin(function.__name__, function) for function in (sliding_window_view, as_strided)
}
LIB: dict[str, Any] = {"stride_tricks": Module.of("numpy.lib.stride_tricks", STRIDE_TRICKS)}
PLACING: dict[str, Any] = {
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (
            put, putmask, place, copyto, put_along_axis, choose, ix_, piecewise, broadcast_arrays, broadcast_shapes,
            frombuffer, fromstring, isfortran, astype, require, unstack, iterable, mask_indices,
            format_float_positional, format_float_scientific, binary_repr, base_repr,
        )
    },
    **{name: _indices_from(name) for name in ("triu_indices_from", "tril_indices_from", "diag_indices_from")},
    "lib": Module.of("numpy.lib", LIB),
}  # fmt: skip
