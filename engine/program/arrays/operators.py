"""The operators of numpy's arrays and numbers: with each other, with texts, tensors and objects of the program."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.costs import STEP
from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays.values import (
    WIDEST,
    Array,
    Scalar,
    as_array,
    operand,
    overwriting,
    reserve_like,
    too_wide,
    wrap,
)
from engine.program.kinds import BUILTIN_BASES, NO_UFUNCS, PRIORITY
from engine.program.shared import made_here

ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
"""What numpy does at each floating-point error, unless `numpy.seterr` asked for something else."""


def heeding() -> Any:
    """A context in which numpy warns of floating-point errors as the program wants it; elsewhere it never does."""
    return np.errstate(**sessions.active.settings.get(("numpy", "errors"), ERRORS))


_CALLS = 3
"""One step for so many operators and one more: functions of C may use them on each item of a container."""


def _binary(name: str, reflected: bool) -> Callable[[Array, Any], Any]:
    native, heeded = getattr(operator, name), name in _HEEDED

    def apply(self: Array, other: Any) -> Any:
        session = sessions.active
        session.numpy_calls = calls = session.numpy_calls + 1
        if not calls & _CALLS:
            meter.charge(1)
        if isinstance(other, Tensor):
            return _with_tensor(name, native, self, other, reflected)
        a = self._array
        if a.dtype.kind == "U":
            return _with_text(name, native, a, other, reflected)
        b = operand(other)
        if b is NotImplemented:
            if name == "mul" and isinstance(other, str | bytes) and not isinstance(self, Scalar):
                raise TypeError(_TEXT_TIMES)
            if (other is None or type(other) is str) and isinstance(a, np.ndarray):
                if name in ("eq", "ne"):
                    reserve_like(a)
                    return wrap(np.full(a.shape, name == "ne"))
                _no_operand(native, a, other, reflected)
            return _with_object(name, native, a, other, reflected) if is_object(other) else NotImplemented
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            reserve_operation(name, a, b)
        if not heeded:
            return wrap(native(b, a) if reflected else native(a, b))
        with heeding():
            return wrap(native(b, a) if reflected else native(a, b))

    return apply


_HEEDED = frozenset("add sub mul truediv floordiv mod pow".split())


def _no_operand(native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> None:
    """Raises what numpy says to a text and to None, which it takes for a text and an object."""
    first: Any = a[:0] if isinstance(other, str) and a.ndim else a.ravel()[:1].tolist()
    if isinstance(other, str):
        other = other[:WIDEST]
    elif not first:
        return
    else:
        first = first[0]
    native(other, first) if reflected else native(first, other)


_TEXT_TIMES = (
    "The 'out' kwarg is necessary when using the string multiply ufunc directly. Use numpy.strings.multiply to multiply"
    " strings without specifying 'out'."
)


def join_texts(left: Any, right: Any) -> Any:
    """Each text and then another. TypeError for texts that become too long."""
    if left.dtype.kind == right.dtype.kind == "U" and left.itemsize + right.itemsize > 4 * WIDEST:
        raise too_wide()
    meter.allocate(math.prod(np.broadcast_shapes(left.shape, right.shape)), left.itemsize + right.itemsize)
    return np.add(left, right)


def is_object(value: Any) -> bool:
    """Whether numpy takes a value for an object without numbers: one of a class of the program's own."""
    return made_here(type(value)) and not isinstance(value, (Tensor, Array, *BUILTIN_BASES))


def _with_object(name: str, native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> Any:
    """An operator between numpy and an object, whose class may ask for all that numpy has.

    Else numpy works with one number after the other, and makes an array of the results: TypeError, if there are any.
    """
    kind = type(other)
    least = 0 if isinstance(a, np.ndarray) else -1_000_000
    if name in COMPARISONS or getattr(kind, PRIORITY, least) > least or hasattr(kind, NO_UFUNCS):
        return NotImplemented
    if a.ndim == 0:
        return NotImplemented if name == "matmul" else with_number(native, a.item(), other, reflected)
    special = f"__{name.strip('_')}__" if reflected else f"__r{name.strip('_')}__"
    if not hasattr(kind, special):
        return NotImplemented if not a.size else with_number(native, a.ravel()[0].item(), other, reflected)
    raise TypeError(
        f"numpy gives each number of the array to {kind.__name__}.{special} and makes an array of objects, which are"
        f" not available here: with __array_priority__ = 1 in class {kind.__name__} it gives the array"
    )


def no_ufuncs(value: Any) -> TypeError:
    """What numpy says to an object whose class wants none of its functions."""
    return TypeError(f"operand '{type(value).__name__}' does not support ufuncs (__array_ufunc__=None)")


def with_number(native: Callable[[Any, Any], Any], number: Any, other: Any, reflected: bool) -> Any:
    """An operator between a number and an object of the program."""
    meter.charge(1)
    return native(other, number) if reflected else native(number, other)


def _with_text(name: str, native: Callable[[Any, Any], Any], a: Any, other: Any, reflected: bool) -> Any:
    """Texts compared with texts, and added to them."""
    if name not in COMPARISONS:
        given = as_array(other, texts=True)
        first, second = (given, a) if reflected else (a, given)
        if name == "add" and given.dtype.kind == "U":
            meter.charge(math.prod(np.broadcast_shapes(a.shape, given.shape)) >> 4)
            return wrap(join_texts(first, second))
        return wrap(native(first.ravel()[:0], second.ravel()[:0]))  # which numpy refuses
    if other is None and name in ("eq", "ne"):
        reserve_like(a)
        return wrap(np.full(a.shape, name == "ne"))
    b = as_array([other] if type(other) is str else other, texts=True)
    reserve_operation(name, a, b)
    meter.charge(math.prod(np.broadcast_shapes(a.shape, b.shape)) >> 7)
    return wrap(native(a, b))


def tensor_of(result: Any) -> Tensor:
    """What numpy computed with a tensor, which it hands back as one; of truth values it makes numbers."""
    return Tensor._from_array(result.astype(np.uint8) if result.dtype.kind == "b" else result)


def _with_tensor(name: str, native: Callable[[Any, Any], Any], self: Array, other: Tensor, reflected: bool) -> Any:
    """An operator between numpy and torch, as the two libraries settle it.

    A scalar is a number to the tensor. An array gives way when it stands on the left; on the right it reads the tensor
    as an array, and the result becomes a tensor again.
    """
    if isinstance(self, Scalar):
        value = self.number
        if name == "matmul":
            return NotImplemented
        return native(other, value) if reflected else native(value, other)
    if name == "eq":
        return Tensor._from_array(native(self._array, np.asarray(other.detach().numpy())))
    if name == "ne":  # which neither of them answers
        return True
    if reflected:
        array = other.numpy()
        reserve_operation(name, array, self._array)
        result = native(array, self._array)
        errors.warn_array_wrap()
        return tensor_of(result)
    if name == "truediv":
        return other.reciprocal() * self
    if name == "add":
        raise TypeError(
            "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not"
            " rely on this error; it may not be given on all Python implementations."
        )
    return NotImplemented


def reserve_operation(name: str, a: Any, b: Any) -> None:
    """Charge the result of an operator before it is computed."""
    left, right = np.shape(a), np.shape(b)
    if name == "matmul":
        if len(left) >= 1 and len(right) >= 1:
            columns = right[-1] if len(right) > 1 else 1
            numbers = math.prod(left[:-1]) * columns * math.prod(right[:-2])
            meter.made(numbers, 8)
            rows = left[-2] if len(left) > 1 else 1
            meter.product(rows, left[-1], columns, np.result_type(a, b), numbers // max(rows * columns, 1))
        return
    try:
        size = math.prod(left if left == right else np.broadcast_shapes(left, right))
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shapes {_shape(left)} {_shape(right)} "
        ) from None
    if _is_quick(a) and _is_quick(b):
        meter.made(size, 8)
        meter.charge(size >> 12)
    else:
        meter.allocate(size, 8)
    if name in _SLOW:
        meter.charge(size * _SLOW[name] // STEP)


def _is_quick(operand: Any) -> bool:
    """Whether the processor calculates with numbers of this kind by itself."""
    kind = getattr(operand, "dtype", None)
    return kind is None or kind.char in _QUICK


_QUICK = frozenset("?bBhHiIlLqQfd")


_SLOW = {"pow": 60, "mod": 20, "floordiv": 20, "divmod": 40}
"""Nanoseconds an element of operators that take longer than making the result."""

def _shape(shape: tuple[int, ...]) -> str:
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


def _both(reflected: bool) -> Callable[[Array, Any], Any]:
    """`divmod`."""
    quotient, rest = _binary("floordiv", reflected), _binary("mod", reflected)

    def apply(self: Array, other: Any) -> Any:
        whole = quotient(self, other)
        return NotImplemented if whole is NotImplemented else (whole, rest(self, other))

    return apply


def _in_place(name: str) -> Callable[[Array, Any], Any]:
    plain = _binary(name, reflected=False)
    in_place = getattr(operator, f"i{name.strip('_')}")

    def apply(self: Array, other: Any) -> Any:
        try:
            result = plain(self, other)
        except ValueError as error:
            if str(error).startswith("operands could not be broadcast") and isinstance(self._array, np.ndarray):
                raise ValueError(f"{error}{_shape(self._array.shape)} ") from None
            raise
        if result is NotImplemented and hasattr(type(other), NO_UFUNCS) and isinstance(self._array, np.ndarray):
            raise no_ufuncs(other)
        if result is NotImplemented or isinstance(result, Tensor) or not isinstance(self._array, np.ndarray):
            return result
        target, found = self._array, result._array
        try:
            if found.shape != target.shape and name != "matmul":
                raise ValueError(
                    f"non-broadcastable output operand with shape {_shape(target.shape)} doesn't match the broadcast"
                    f" shape {_shape(found.shape)}"
                )
            np.copyto(overwriting(target), found, casting="same_kind")
        except (TypeError, ValueError):
            in_place(np.empty(0, target.dtype), np.empty(0, found.dtype))  # what does not fit is said in numpy's words
            raise
        return self

    return apply


for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    _dunder = _name.strip("_")
    setattr(Array, f"__{_dunder}__", _binary(_name, reflected=False))
    setattr(Array, f"__r{_dunder}__", _binary(_name, reflected=True))
    setattr(Array, f"__i{_dunder}__", _in_place(_name))
for _dunder, _reflected in (("__divmod__", False), ("__rdivmod__", True)):
    setattr(Array, _dunder, _both(_reflected))
COMPARISONS = "eq ne lt le gt ge".split()
for _name in COMPARISONS:
    setattr(Array, f"__{_name}__", _binary(_name, reflected=False))
