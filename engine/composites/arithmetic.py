"""Arithmetic as users write it: operators of Tensor, and the functions that choose among overloads of an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.publish import TORCH, public, publish
from engine.composites.to_python import cast
from engine.core.registry import OPS, ops
from engine.core.tensor import Tensor
from engine.types import dtypes

NUMBERS = (int, float, complex, np.generic)
OPERANDS = (Tensor, *NUMBERS)
UNSET: Any = object()


def _is_tensor(function: str, other: Any, argument: str = "other") -> bool:
    """Whether an operand is a tensor. Raises TypeError for what is neither that nor a number."""
    if isinstance(other, Tensor):
        return True
    if not isinstance(other, NUMBERS):
        raise errors.argument_type(function, argument, 2, "Tensor", other)
    return False


def _with_old_form(name: str, aliases: str) -> None:
    """`add` and `sub` still take PyTorch's old order `add(input, alpha, other)`, with a warning."""
    method, function, in_place = getattr(ops, name), OPS[name].function(), getattr(ops, name + "_")

    def reordered(args: tuple[Any, ...], kwargs: dict[str, Any], shown: str, first: int) -> tuple[Any, ...]:
        if kwargs.get("alpha") is True and any(isinstance(x, Tensor) and x._array.dtype.kind != "b" for x in args):
            raise errors.alpha_bool()
        if len(args) == first + 2 and isinstance(args[first], NUMBERS):
            errors.warn_alpha_first(shown, method=first == 0)
            kwargs["alpha"] = args[first]
            return args[:first] + args[first + 1 :]
        return args

    @public("method", *aliases.split())
    def as_method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return method(self, *reordered(args, kwargs, name, 0), **kwargs)

    @public("torch", *aliases.split())
    def as_function(*args: Any, **kwargs: Any) -> Any:
        return function(*reordered(args, kwargs, name, 1), **kwargs)

    @public("method", *(alias + "_" for alias in aliases.split()))
    def as_writer(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return in_place(self, *reordered(args, kwargs, name + "_", 0), **kwargs)

    for published, row in ((as_method, method), (as_function, function), (as_writer, in_place)):
        published.__name__ = published.__qualname__ = name
        if "guarded" in row.__dict__:  # two operands, by position, are in no old form
            published.__dict__["guarded"] = row.__dict__["guarded"]


_with_old_form("add", "add")
_with_old_form("sub", "sub subtract")


def _by_number(published: Any, name: str, write: bool) -> Any:
    """`subtract` has a form of its own for a number and a factor: `subtract(input, 2, 0.5)`."""

    def either(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 3 or not all(isinstance(x, NUMBERS) for x in args[1:]):
            return published(*args, **kwargs)
        x, other, alpha = args
        if alpha is True or alpha is False:
            raise errors.alpha_bool()
        if isinstance(alpha, complex) and not isinstance(other, complex) and not x.is_complex():
            raise errors.alpha_kind("complex", "non-complex")
        if isinstance(other, bool) or x._array.dtype.kind == "b":
            raise errors.subtract_bool()
        if isinstance(alpha, float) and isinstance(other, int) and x._array.dtype.kind in "iu":
            raise errors.alpha_kind("floating point", "integral")
        return (ops.sub_Scalar_ if write else ops.sub_Scalar)(x, other * alpha)

    either.__name__ = either.__qualname__ = name
    return either


TORCH["subtract"] = _by_number(TORCH["subtract"], "subtract", False)
Tensor.subtract = _by_number(Tensor.subtract, "subtract", False)  # type: ignore[attr-defined]
Tensor.subtract_ = _by_number(Tensor.subtract_, "subtract_", True)  # type: ignore[attr-defined]


@public("torch")
def rsub(input: Tensor, other: Any, alpha: Any = 1) -> Any:
    """`other - alpha * input`."""
    return (ops.rsub if _is_tensor("rsub", other) else ops.rsub_Scalar)(input, other, alpha=alpha)


publish("method torch", "mul", names="mul multiply")
publish("method torch", "neg", names="neg negative")
publish("method torch", "abs", names="abs absolute")
publish("method torch", "div", names="true_divide")
publish("method torch", "reciprocal", "sqrt", "rsqrt", "sgn", "sign", "hypot", "maximum", "minimum", "fmax", "fmin")


@public("method torch", "div", "divide")
def div(input: Any, other: Any, *, rounding_mode: str | None = UNSET) -> Any:
    """The quotient, rounded toward zero (`"trunc"`) or down (`"floor"`) on request."""
    if rounding_mode is UNSET:
        return ops.div(input, other)
    return ops.div_Tensor_mode(input, other, rounding_mode=rounding_mode)


@public("method", "div_", "divide_")
def div_(self: Tensor, other: Any, *, rounding_mode: str | None = UNSET) -> Any:
    """In-place `div`."""
    if rounding_mode is UNSET:
        return ops.div_(self, other)
    return ops.div_Tensor_mode_(self, other, rounding_mode=rounding_mode)


@public("torch")
def true_divide(input: Any, other: Any) -> Any:
    """The quotient."""
    return ops.div(input, other)


@public("method torch")
def floor_divide(input: Any, other: Any) -> Any:
    """The quotient rounded down."""
    if isinstance(other, Tensor) and isinstance(input, Tensor):
        return ops.floor_divide(input, other)
    if isinstance(input, Tensor):
        return (ops.floor_divide if _is_tensor("floor_divide", other) else ops.floor_divide_Scalar)(input, other)
    return ops.floor_divide_Scalar_Tensor(input, other)


@public("method torch")
def remainder(input: Any, other: Any) -> Any:
    """The remainder with the sign of the divisor."""
    if not isinstance(input, Tensor):
        return ops.remainder_Scalar_Tensor(input, other)
    return (ops.remainder if _is_tensor("remainder", other) else ops.remainder_Scalar)(input, other)


@public("method torch")
def fmod(input: Tensor, other: Any) -> Any:
    """The remainder with the sign of the dividend."""
    if not isinstance(input, Tensor):
        raise errors.argument_type("fmod", "input", 1, "Tensor", input)
    return (ops.fmod if _is_tensor("fmod", other) else ops.fmod_Scalar)(input, other)


def _in_place(name: str) -> Callable[[Tensor, Any], Any]:
    of_tensors, of_numbers = getattr(ops, f"{name}_"), getattr(ops, f"{name}_Scalar_")

    @public("method", f"{name}_", doc=f"In-place `{name}`.")
    def write(self: Tensor, other: Any) -> Any:
        return (of_tensors if _is_tensor(f"{name}_", other) else of_numbers)(self, other)

    return write


floor_divide_, remainder_, fmod_ = map(_in_place, ("floor_divide", "remainder", "fmod"))


def _with_value(name: str, places: str, doc: str) -> None:
    row = getattr(ops, name)

    @public(places, name, doc=doc)
    def function(input: Tensor, *operands: Any, value: Any = 1, **names: Any) -> Any:
        return row(input, *_value_last(name, operands, names, value), **names)


for _name, _symbol in (("addcmul", "*"), ("addcdiv", "/")):
    _doc = f"`input + value * tensor1 {_symbol} tensor2`; `value` may come first, as of old."
    _with_value(_name, "method torch", _doc)
    _with_value(f"{_name}_", "method", f"In-place `{_name}`.")


def _value_last(name: str, operands: tuple[Any, ...], names: dict[str, Any], value: Any) -> tuple[Any, ...]:
    if len(operands) == 3 and isinstance(operands[0], NUMBERS):
        errors.warn_value_first(name)
        value, *tensors = operands
        operands = tuple(tensors)
    for position, operand in enumerate(operands, 1):
        if not isinstance(operand, Tensor):
            raise errors.argument_type(name, f"tensor{position}", position, "Tensor", operand)
    if name.startswith("addcdiv") and len(operands) == 2 and all(t._array.dtype.kind in "iub" for t in operands):
        raise errors.addcdiv_integers()
    names["value"] = value
    return operands


@public("method torch")
def pow(input: Any, exponent: Any) -> Any:
    """`input ** exponent`; either may be a number."""
    if not isinstance(input, Tensor):
        if not isinstance(input, NUMBERS):
            raise errors.argument_type("pow", "input", 1, "Tensor", input)
        return ops.pow_Scalar(input, exponent)
    call = ops.pow_Tensor_Tensor if _is_tensor("pow", exponent, "exponent") else ops.pow_Tensor_Scalar
    return call(input, exponent)


@public("method")
def pow_(self: Tensor, exponent: Any) -> Any:
    """In-place `pow`."""
    call = ops.pow_Tensor_Tensor_ if _is_tensor("pow_", exponent, "exponent") else ops.pow_Tensor_Scalar_
    return call(self, exponent)


@public("method torch")
def square(input: Tensor) -> Any:
    """`input ** 2`."""
    if not isinstance(input, Tensor):
        raise errors.argument_type("square", "input", 1, "Tensor", input)
    return ops.pow_Tensor_Scalar(input, 2)


@public("method")
def square_(self: Tensor) -> Any:
    """In-place `square`."""
    return ops.pow_Tensor_Scalar_(self, 2)


@public("method torch")
def float_power(input: Any, exponent: Any) -> Any:
    """`input ** exponent` in float64."""
    wide = "complex128" if any(_is_complex(x) for x in (input, exponent)) else "float64"
    return pow(_in_dtype(input, wide), _in_dtype(exponent, wide))


def _is_complex(value: Any) -> bool:
    return value._array.dtype.kind == "c" if isinstance(value, Tensor) else isinstance(value, complex)


def _in_dtype(value: Any, dtype: str) -> Any:
    return cast(value, np.dtype(dtype)) if isinstance(value, Tensor) else value


@public("method torch")
def copysign(input: Tensor, other: Any) -> Any:
    """The size of `input` with the sign of `other`."""
    row = ops.copysign if _is_tensor("copysign", other) else ops.copysign_Scalar
    kind = dtypes.result_type(input._array, getattr(other, "_array", other))
    if kind.is_complex:
        raise errors.not_implemented_for("copysign_cpu", kind.type_name)
    return row(input, other)


@public("method")
def copysign_(self: Tensor, other: Any) -> Any:
    """In-place `copysign`."""
    row = ops.copysign_ if _is_tensor("copysign_", other) else ops.copysign_Scalar_
    kind = dtypes.result_type(self._array, getattr(other, "_array", other))
    if kind.is_complex and not self.is_complex():
        raise errors.inplace_dtype(kind.type_name, self.dtype.type_name)
    if kind.is_complex:
        raise errors.not_implemented_for("copysign_cpu", kind.type_name)
    return row(self, other)


@public("method torch")
def lerp(input: Tensor, end: Tensor, weight: Any) -> Any:
    """`input + weight * (end - input)`."""
    _check_lerp(input, end, weight)
    return (ops.lerp_Tensor if _is_tensor("lerp", weight, "weight") else ops.lerp_Scalar)(input, end, weight)


@public("method")
def lerp_(self: Tensor, end: Tensor, weight: Any) -> Any:
    """In-place `lerp`."""
    check_inplace(self, any(isinstance(x, Tensor) and x.requires_grad for x in (self, end, weight)))
    _check_lerp(self, end, weight)
    return (ops.lerp_Tensor_ if _is_tensor("lerp_", weight, "weight") else ops.lerp_Scalar_)(self, end, weight)


def _check_lerp(self: Tensor, end: Tensor, weight: Any) -> None:
    if not isinstance(end, Tensor):
        raise errors.argument_type("lerp", "end", 2, "Tensor", end)
    for name, value in (("end", end), ("weight", weight)):
        if isinstance(value, Tensor) and value._array.dtype != self._array.dtype:
            raise errors.lerp_dtype(name, self.dtype.cpp_name, value.dtype.cpp_name)


@public("method torch")
def positive(input: Tensor) -> Tensor:
    """The input itself."""
    if input._array.dtype.kind == "b":
        raise errors.positive_bool()
    return input


def operator(name: str, function: Callable[[Any, Any], Any]) -> None:
    """An operator that lets Python report operands of other types."""

    def method(self: Tensor, other: Any) -> Any:
        if isinstance(other, OPERANDS):
            return function(self, other)
        # numpy's scalars as programs hold them
        return function(self, other.number) if hasattr(type(other), "__number__") else NotImplemented

    method.__name__ = method.__qualname__ = name
    setattr(Tensor, name, method)


def _subtracted_from(self: Tensor, other: Any) -> Any:
    return (ops.rsub if isinstance(other, Tensor) else ops.rsub_Scalar)(self, other)


def _divisor_of(self: Tensor, other: Any) -> Any:
    return ops.mul(ops.reciprocal(self), other)


def _raised_to(self: Tensor, other: Any) -> Any:
    return (ops.pow_Tensor_Tensor if isinstance(other, Tensor) else ops.pow_Tensor_Scalar)(self, other)


def _publish_operators() -> None:
    table: dict[str, Callable[..., Any]] = {
        "__add__": OPS["add"].operator, "__radd__": OPS["add"].operator, "__sub__": OPS["sub"].operator,
        "__mul__": OPS["mul"].operator, "__rmul__": OPS["mul"].operator, "__truediv__": OPS["div"].operator,
        "__div__": OPS["div"].operator, "__neg__": ops.neg, "__pos__": positive, "__abs__": ops.abs,
    }  # fmt: skip
    for name, function in table.items():
        setattr(Tensor, name, function)
    binary: dict[str, Callable[[Any, Any], Any]] = {
        "__rsub__": _subtracted_from,
        "__rtruediv__": _divisor_of,
        "__rdiv__": _divisor_of,
        "__pow__": _raised_to,
        "__rpow__": lambda self, other: pow(other, self),
        "__floordiv__": floor_divide,
        "__rfloordiv__": lambda self, other: floor_divide(other, self),
        "__mod__": remainder,
        "__rmod__": lambda self, other: remainder(other, self),
        "__iadd__": ops.add_,
        "__isub__": ops.sub_,
        "__imul__": ops.mul_,
        "__itruediv__": ops.div_,
        "__idiv__": ops.div_,
        "__ifloordiv__": floor_divide_,
        "__imod__": remainder_,
        "__ipow__": pow_,
    }
    for name, function in binary.items():
        operator(name, function)
    divided = Tensor.__rtruediv__

    def __rtruediv__(self: Tensor, other: Any) -> Any:
        return self.reciprocal() * other if isinstance(other, np.ndarray) else divided(self, other)

    setattr(Tensor, "__rtruediv__", __rtruediv__)  # noqa: B010 - which mypy takes for a method


_publish_operators()
