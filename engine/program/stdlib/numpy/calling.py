"""Calls numpy's functions on a program's values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import (
    METHODS,
    Array,
    as_array,
    count_leaves,
    heeding,
    overwriting,
    reserve,
    sequence,
    tensor_of,
    to_dtype,
    weigh_argument,
    wrap,
)
from engine.program.charges import as_integer
from engine.program.generators import Generator
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.numpy.functions import KEYWORDS, MASKED, PRODUCTS, RETURNS_TENSORS
from engine.program.stdlib.numpy.objects import asking
from engine.program.stdlib.numpy.placing import PLACING
from engine.program.stdlib.numpy.sizing import NANOSECONDS, reserve_result, weigh_texts
from engine.program.stdlib.numpy.tensors import TENSORS_OWN
from engine.program.stdlib.numpy.ufuncs import UFunc
from engine.program.values import Builtin
from engine.signatures.native import check


def native_of(name: str) -> Callable[..., Any]:
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def _argument(value: Any) -> Any:
    if isinstance(value, Tensor):
        return as_array(value)
    value = sequence(value)
    if type(value) in (list, tuple):
        meter.charge(count_leaves(value) >> 4)
        made = type(value)([_argument(item) for item in value])
        return as_array(value, texts=True) if str in map(type, made) else made
    if isinstance(value, Array):
        return value._array
    if value is None or type(value) in (int, float, bool, complex, str, slice, range):
        return value
    raise TypeError(f"numpy functions take numbers, lists and arrays here, not '{type(value).__name__}'")


_SUM_OF_GENERATOR = (
    "Calling np.sum(generator) is deprecated.Use np.sum(np.fromiter(generator)) or the python sum builtin instead."
)


def apply(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call one of numpy's functions on a program's values, after sizing its result."""
    if args and isinstance(args[0], Tensor):
        if name in _ASKS_TENSORS:
            raise _asked_in_vain(name, args, kwargs)
        if name in TENSORS_OWN:
            return TENSORS_OWN[name](*args, **kwargs)
    if name == "sum" and args and isinstance(args[0], Generator):
        raise TypeError(_SUM_OF_GENERATOR)
    dtype, out = kwargs.pop("dtype", None), kwargs.pop("out", None)
    native = native_of(name)
    where = kwargs.pop("where", None) if isinstance(native, np.ufunc) or name in MASKED else None
    args, kwargs = _required_first(native, args, kwargs)
    kwargs.pop("overwrite_input", None)
    copied = name != "nan_to_num" or kwargs.pop("copy", True)
    for key in kwargs:
        if key not in KEYWORDS:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    plain = tuple(_argument(arg) for arg in args)
    if name in ("round", "around"):  # numpy multiplies by ten as often as it is asked for digits
        plain = (*plain[:1], *(_at_most(400, digits) for digits in plain[1:]))
        if "decimals" in kwargs:
            kwargs["decimals"] = _at_most(400, kwargs["decimals"])
    options = {key: _argument(value) for key, value in kwargs.items()}
    if name == "diff":  # which takes differences as often as it is asked to, also of nothing
        most = 1 + max(np.shape(plain[0]), default=0) if plain else 0
        plain = (*plain[:1], *(_at_most(most, times) for times in plain[1:2]), *plain[2:])
        if "n" in options:
            options["n"] = _at_most(most, options["n"])
        times = as_integer(options.get("n", plain[1] if len(plain) > 1 else 1))
        if plain and isinstance(times, int) and times > 1:
            meter.charge(times * (1 + (int(np.size(plain[0])) >> 12)))
    weigh_texts(name, plain)
    reserve_result(name, plain, options)
    if dtype is not None:
        options["dtype"] = to_dtype(dtype)
    if where is not None:
        mask = as_array(where, bool)
        reserve(mask.shape, *map(np.shape, plain))
        meter.charge(int(mask.size) >> 9)
        if out is None and isinstance(native, np.ufunc):  # what numpy leaves in memory there, nobody may see
            shape = np.broadcast_shapes(mask.shape, *map(np.shape, plain))
            options["out"] = tuple([np.zeros(shape, dtype) for dtype in _dtypes(native, plain, options)])
        options["where"] = mask
    if out is not None:
        return _into(out, native, plain, options)
    if name == "nan_to_num" and not copied and isinstance(args[0], Array) and isinstance(plain[0], np.ndarray):
        native(overwriting(plain[0]), copy=False, **options)
        return args[0]
    if name in PRODUCTS:  # whose errors are BLAS's
        result = native(*plain, **options)
    else:
        with heeding():
            result = native(*plain, **options)
    if isinstance(native, np.ufunc) and any([isinstance(arg, Tensor) for arg in args]):
        errors.warn_array_wrap()
        return tuple([tensor_of(part) for part in result]) if type(result) is tuple else tensor_of(result)
    if isinstance(args[0] if args else None, Tensor) and name in RETURNS_TENSORS:
        return tensor_of(result)
    return _result(result)


@cache
def _required(native: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that a function of numpy's must have, as far as they can be given by name."""
    try:
        parameters = signature(native).parameters.values()
    except ValueError:
        return ()
    plain = Parameter.POSITIONAL_OR_KEYWORD
    return tuple([known.name for known in parameters if known.kind is plain and known.default is Parameter.empty])


def _required_first(
    native: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call with what must be given by place, as those expect it who size its result."""
    if not kwargs or isinstance(native, np.ufunc):
        return args, kwargs
    for name in _required(native)[len(args) :]:
        if name not in kwargs:
            break
        args = (*args, kwargs.pop(name))
    return args, kwargs


def _dtypes(native: np.ufunc, args: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """The dtypes of a ufunc's results."""
    if "dtype" in options:
        return [options["dtype"]] * native.nout
    given: Any = [type(arg) if type(arg) in (int, float, complex) else np.asarray(arg).dtype for arg in args]
    return list(native.resolve_dtypes((*given, *(None,) * native.nout))[native.nin :])


def _into(out: Any, native: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a function with `out`, an array or a tuple of them. Raises TypeError for anything else."""
    arrays = out if type(out) is tuple else (out,)
    if not all([isinstance(array, Array) and isinstance(array._array, np.ndarray) for array in arrays]):
        raise TypeError("return arrays must be of ArrayType")
    plain = tuple([overwriting(array._array) for array in arrays])
    with heeding():
        native(*args, **options, out=plain if isinstance(native, np.ufunc) else plain[0])
    return arrays[0] if len(arrays) == 1 else out


def _at_most(limit: int, value: Any) -> Any:
    """The integer that a value stands for, or the limit where that is nearer to zero."""
    number = as_integer(value)
    return max(-limit, min(number, limit)) if isinstance(number, int) else value


def _method(name: str) -> Callable[..., Any]:
    def call(self: Array, *args: Any, **kwargs: Any) -> Any:
        return apply(name, (self, *args), kwargs)

    return call


METHODS |= {
    name: _method(name)
    for name in (
        "sum mean std var min max argmin argmax prod cumsum cumprod all any dot clip round squeeze ravel argsort"
        " nonzero trace repeat take conj diagonal searchsorted ptp swapaxes"
        " argpartition conjugate"
    ).split()
} | {
    "compress": lambda self, condition, axis=None: apply("compress", (condition, self), {"axis": axis}),
    "put": PLACING["put"].function,
    "choose": PLACING["choose"].function,
}
_ASKS_TENSORS = {"amin": "min", "amax": "max"}
_ASKS_TENSORS |= {name: name for name in "sum mean min max prod std var any all".split()}
"""Functions that numpy leaves to the tensor's method of this name, with arguments which that does not take."""


def _asked_in_vain(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
    method = _ASKS_TENSORS[name]
    bound = signature(native_of(name)).bind(*args, **kwargs).arguments
    passed = {"axis": bound.get("axis"), "out": bound.get("out")}
    if method in ("mean", "std", "var") or bound.get("dtype") is not None:
        passed["dtype"] = bound.get("dtype")
    if method in ("std", "var"):
        passed["ddof"] = bound.get("ddof", 0)
    passed |= {key: bound[key] for key in ("keepdims", "initial", "where") if key in bound}
    try:
        check("Tensor", method, (), passed)
    except TypeError as refusal:
        return refusal.with_traceback(None)
    return TypeError(f"{method}(): argument 'dim' must be int, not NoneType")


def _result(value: Any) -> Any:
    """What a function gave, as the program may hold it; named tuples have their names in every run anew."""
    if not hasattr(value, "_fields"):
        return wrap(tuple(value) if isinstance(value, tuple) else value)
    name, settings = type(value).__name__, sessions.active.settings
    made = settings.get(("numpy", name))
    if made is None:
        made = make_namedtuple(name, list(value._fields), {}, {"__module__": type(value).__module__})
        settings["numpy", name] = made
    return made(*map(wrap, value))


_UFUNCS: dict[np.ufunc, UFunc] = {}


def weighing(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            weigh_argument(value, 9)  # the rest is in the function's own rate
        return function(*args, **kwargs)

    return run


def function_named(name: str) -> Builtin:
    native = native_of(name)
    if isinstance(native, np.ufunc):  # which may have several names
        if native not in _UFUNCS:
            run = weighing(lambda *args, **kwargs: apply(name, args, kwargs))
            _UFUNCS[native] = UFunc(native, asking(native.__name__, run), NANOSECONDS.get(name, 4))
        return _UFUNCS[native]
    return Builtin(name.rpartition(".")[2], lambda *args, **kwargs: apply(name, args, kwargs))
