"""`torch.testing`: comparisons that say how far off the values are, and tensors of random values to compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import TORCH
from engine.composites.creation import tensor
from engine.core.tensor import Tensor, constant
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import limits_of

__all__ = ["assert_allclose", "assert_close", "make_tensor"]

_RELATIVE = {"float16": 1e-3, "float32": 1.3e-6, "float64": 1e-7, "complex64": 1.3e-6, "complex128": 1e-7}
_ABSOLUTE = {"float16": 1e-5, "float32": 1e-5, "float64": 1e-7, "complex64": 1e-5, "complex128": 1e-7}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Any = None,
) -> None:
    """AssertionError unless |actual − expected| ≤ atol + rtol · |expected| everywhere, also in lists and dicts."""
    if (rtol is None) != (atol is None):
        raise errors.close_one_tolerance("rtol" if rtol is None else "atol")
    problem = _difference(actual, expected, rtol, atol, equal_nan, check_dtype, check_stride, "")
    if problem is not None:
        text, kind = problem
        raise kind(text if msg is None else msg(text) if callable(msg) else msg)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """The older one: of any dtypes, of what becomes a tensor, and less strict."""
    errors.warn_assert_allclose()
    if not isinstance(actual, Tensor):
        actual = tensor(actual)
    if not isinstance(expected, Tensor):
        expected = tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        tolerances = [_OLDER.get(each.dtype, (0.0, 0.0)) for each in (actual, expected)]
        rtol, atol = (max(pair) for pair in zip(*tolerances, strict=True))
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


_OLDER = {dtypes.float16: (1e-3, 1e-3), dtypes.float32: (1e-4, 1e-5), dtypes.float64: (1e-5, 1e-8)}
_WIDEST = {float: dtypes.float64, complex: dtypes.complex128}
"""Python's numbers are compared as exactly as they are."""
Problem = tuple[str, type[Exception]]


def _numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufcV"


def _difference(
    actual: Any, expected: Any, rtol: Any, atol: Any, nan: bool, check_dtype: bool, check_stride: bool, place: str
) -> Problem | None:
    options = (rtol, atol, nan, check_dtype, check_stride)
    where = f"\n\nThe failure occurred for item {place}" if place else ""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        missing, more = sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))
        if missing or more:
            return errors.close_keys(missing, more) + where, AssertionError
        pairs: Any = ((k, actual[k], expected[k]) for k in expected)
    elif _listlike(actual) and _listlike(expected):
        if len(actual) != len(expected):
            return errors.close_length(len(actual), len(expected)) + where, AssertionError
        pairs = ((i, a, b) for i, (a, b) in enumerate(zip(actual, expected, strict=True)))
    elif isinstance(actual, Tensor) and isinstance(expected, Tensor):
        return _tensors(actual, expected, *options, where)
    elif _numeric(actual) and _numeric(expected):
        return _tensors(constant(actual), constant(expected), *options, where)
    elif isinstance(actual, bool) and isinstance(expected, bool):
        return None if actual is expected else (errors.close_booleans(actual, expected) + where, AssertionError)
    elif _number(actual) and _number(expected):
        return _numbers(actual, expected, rtol, atol, nan, check_dtype, where)
    elif actual is None and expected is None:
        return None
    else:
        return errors.close_types(type(actual), type(expected)) + where, TypeError
    for key, a, b in pairs:
        found = _difference(a, b, *options, f"{place}[{key!r}]")
        if found is not None:
            return found
    return None


def _listlike(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float | complex)


def _tolerances(rtol: Any, atol: Any, *kinds: dtypes.dtype) -> tuple[float, float]:
    if rtol is not None:
        return rtol, atol
    names = [kind.name for kind in kinds]
    return max(_RELATIVE.get(n, 0.0) for n in names), max(_ABSOLUTE.get(n, 0.0) for n in names)


def _numbers(
    actual: Any, expected: Any, rtol: Any, atol: Any, nan: bool, check_dtype: bool, where: str
) -> Problem | None:
    kinds = [_WIDEST.get(type(value), dtypes.of_number(value)) for value in (actual, expected)]
    rtol, atol = _tolerances(rtol, atol, *kinds)
    if check_dtype and type(actual) is not type(expected):
        return errors.close_number_types(type(actual), type(expected)) + where, AssertionError
    if actual == expected or nan and actual != actual and expected != expected:
        return None
    distance = abs(actual - expected)
    if distance <= atol + rtol * abs(expected):
        return None
    return _scalars(actual, expected, rtol, atol) + where, AssertionError


def _scalars(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    distance = abs(actual - expected)
    relative = distance / abs(expected) if expected else float("inf")
    return errors.close_scalars(actual, expected, distance, atol, relative, rtol, rtol == 0 and atol == 0)


def _tensors(
    actual: Tensor, expected: Tensor, rtol: Any, atol: Any, nan: bool, check_dtype: bool, check_stride: bool, where: str
) -> Problem | None:
    if actual.shape != expected.shape:
        return errors.close_attribute("shape", actual.shape, expected.shape) + where, AssertionError
    if check_dtype and actual.dtype != expected.dtype:
        return errors.close_attribute("dtype", actual.dtype, expected.dtype) + where, AssertionError
    if check_stride and actual.stride() != expected.stride():
        return errors.close_attribute("stride()", actual.stride(), expected.stride()) + where, AssertionError
    rtol, atol = _tolerances(rtol, atol, actual.dtype, expected.dtype)
    kind = dtypes.promote_types(actual.dtype, expected.dtype).np
    wide = kind if kind.kind in dtypes.INEXACT else np.dtype(np.int64)
    meter.reserve(8 * actual._array.size, 8)
    a, b = np.asarray(actual._array).astype(wide), np.asarray(expected._array).astype(wide)
    with np.errstate(all="ignore"):
        distance, size = abs(a - b), abs(b)
        close = (a == b) | (np.isfinite(distance) & (distance <= atol + rtol * size))
        if nan:
            close |= np.isnan(a) & np.isnan(b)
        if close.all():
            return None
        whole = np.float32 if wide.kind == "i" else size.dtype
        relative = np.where(close, 0, distance.astype(whole) / size.astype(whole)).astype(whole)
        distance = np.where(close, 0, distance).astype(distance.dtype)
    if a.ndim == 0:
        return _scalars(actual.item(), expected.item(), rtol, atol) + where, AssertionError
    greatest = _greatest(distance), _greatest(relative)
    text = errors.close_tensors(int((~close).sum()), a.size, *greatest, atol, rtol, rtol == 0 and atol == 0)
    return text + where, AssertionError


def _greatest(values: Any) -> tuple[Any, tuple[int, ...]]:
    place = np.unravel_index(int(np.argmax(np.where(np.isnan(values), np.inf, values))), values.shape)
    return values[place].item(), tuple(int(i) for i in place)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.testing", name)


def make_tensor(
    *shape: Any,
    dtype: dtypes.dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Values from U[low, high), of whole numbers for integers; unless given, from -9 to 9, and 0 and 1 for bools.

    Raises ValueError for bounds that hold no values, and for options that exclude each other.
    """
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = tuple(shape[0])
    whole = dtype.np.kind in "iub"
    if noncontiguous and memory_format is not None:
        raise errors.make_tensor_memory(noncontiguous, memory_format)
    if requires_grad and whole:
        raise errors.make_tensor_requires_grad(dtype)
    if noncontiguous and math.prod(shape) > 1:
        shape = (*shape[:-1], 2 * shape[-1])
    else:
        noncontiguous = False
    low, high = _bounds(dtype, low, high)
    if whole:
        made: Tensor = TORCH["randint"](math.ceil(low), math.ceil(high), shape, dtype=dtype, device=device)
    else:
        made = TORCH["empty"](shape, dtype=dtype, device=device)
        _draw(TORCH["view_as_real"](made) if dtype.np.kind == "c" else made, low, high)
    if noncontiguous:
        made = made[..., 1::2]
    elif memory_format is not None:
        made = made.clone(memory_format=memory_format)
    if exclude_zero:
        made[made.eq(0)] = 1 if whole else float(limits_of(dtype.np).tiny)
    if not whole:
        made.requires_grad = requires_grad
    return made


def _draw(made: Tensor, low: float, high: float) -> None:
    """Uniform numbers; in halves where the distance of the bounds is more than the type can hold."""
    if high - low < limits_of(made._array.dtype).max:
        made.uniform_(low, high)
    else:
        made.uniform_(low / 2, high / 2).mul_(2)


def _bounds(dtype: dtypes.dtype, low: float | None, high: float | None) -> tuple[float, float]:
    """Where values come from, within what the type can hold."""
    kind = dtype.np.kind
    lowest: float
    highest: float
    if kind == "b":
        lowest, highest, usual = 0, 2, (0, 2)
    elif kind in "iu":
        limits = np.iinfo(dtype.np)
        lowest, highest, usual = int(limits.min), int(limits.max) + (dtype is not dtypes.int64), (-9, 10)
    else:
        lowest, highest, usual = float(limits_of(dtype.np).min), float(limits_of(dtype.np).max), (-9, 9)
    low = max(lowest, usual[0]) if low is None else low
    high = min(highest, usual[1]) if high is None else high
    if low != low or high != high:
        raise errors.make_tensor_nan(low, high)
    if low == high and kind in dtypes.INEXACT:
        errors.warn_make_tensor_equal()
    elif low >= high:
        raise errors.make_tensor_order(low, high)
    elif high < lowest or low >= highest:
        raise errors.make_tensor_interval(low, high, dtype, lowest, highest)
    return min(max(low, lowest), highest), min(max(high, lowest), highest)
