"""Operators of Tensor that compare and combine bits, and the forms in which users ask for positions and counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.dtype_checks import kinds, refused
from engine.codegen.publish import public, publish
from engine.composites.arithmetic import operator
from engine.core.registry import OPS, ops
from engine.core.tensor import Tensor, bump_version
from engine.limits import meter
from engine.types import dtypes

NUMBERS = (int, float, complex, np.generic)


def _comparison(name: str) -> Any:
    call = getattr(ops, name)

    def compare(input: Tensor, other: Any, *, out: None = None) -> Tensor:
        if not isinstance(input, Tensor) or not isinstance(other, (Tensor, *NUMBERS)):
            raise errors.comparison_arguments(name, input, other)
        return call(input, other)

    return compare


_ALIASES = {
    "eq": "", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
for _name, _aliases in _ALIASES.items():
    setattr(Tensor, f"__{_name}__", OPS[_name].operator)
    public("method torch", _name, *_aliases.split(), doc="Element by element, as bools.")(_comparison(_name))

for _name in ("and", "or", "xor"):
    _operator = OPS[f"bitwise_{_name}"].operator
    setattr(Tensor, f"__{_name}__", _operator)
    setattr(Tensor, f"__r{_name}__", lambda self, other, _operator=_operator: _operator(self, other))


def _shifted_by(name: str) -> Callable[[Any, Any], Any]:
    shift = getattr(ops, name)
    return lambda self, other: shift(other, self)


for _name, _row in (("lshift", "bitwise_left_shift"), ("rshift", "bitwise_right_shift")):
    setattr(Tensor, f"__{_name}__", OPS[_row].operator)
    operator(f"__r{_name}__", _shifted_by(_row))


def _invert(self: Tensor) -> Tensor:
    if self._array.dtype.kind not in "iub":
        raise errors.invert_type()
    return ops.bitwise_not(self)


setattr(Tensor, "__invert__", _invert)  # noqa: B010 - which mypy takes for a method


def _logical(name: str) -> Any:
    call = getattr(ops, name)

    def logical(input: Tensor, other: Tensor, *, out: None = None) -> Tensor:
        if not isinstance(other, Tensor):
            raise errors.argument_type(name, "other", 2, "Tensor", other)
        return call(input, other)

    return logical


for _name in ("logical_and", "logical_or", "logical_xor"):
    public("method torch", _name, doc="Element by element, where what is not 0 is true.")(_logical(_name))
publish("method torch", "logical_not", "bitwise_not", "gcd", "lcm")


def _bits(name: str) -> Any:
    call = getattr(ops, name)

    def bits(input: Any, other: Any, *, out: None = None) -> Tensor:
        return call(input, other)

    return bits


for _name in ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"):
    public("method torch", _name, doc="Bit by bit; of bools, logic.")(_bits(_name))


def _in_place(identifier: str, name: str) -> Any:
    row, write = OPS[identifier], getattr(ops, identifier + "_")

    def wrapped(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not row.overwrites_leaves:  # PyTorch lets these overwrite any tensor
            check_inplace(self, self.requires_grad)
        return write(self, *args, **kwargs)

    wrapped.__name__ = wrapped.__qualname__ = name
    wrapped.__doc__ = f"In-place `{identifier}`."
    return wrapped


def _overwrite(name: str) -> Any:
    scalar, tensor = getattr(ops, f"{name}__Scalar"), getattr(ops, f"{name}__Tensor")

    def wrapped(self: Tensor, other: Any) -> Tensor:
        if not isinstance(other, (Tensor, *NUMBERS)):
            raise errors.comparison_arguments(f"{name}_", self, other)
        if isinstance(other, complex) and "c" in kinds(name):
            raise refused(name, dtypes.result_type(self._array, other).np)
        return (tensor if isinstance(other, Tensor) else scalar)(self, other)

    wrapped.__name__ = wrapped.__qualname__ = f"{name}_"
    wrapped.__doc__ = f"In-place `{name}`."
    return wrapped


for _name in _ALIASES:
    setattr(Tensor, f"{_name}_", _overwrite(_name))
for _name in (
    "logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_not", "bitwise_left_shift", "bitwise_right_shift", "gcd", "lcm", "heaviside",
):  # fmt: skip
    setattr(Tensor, f"{_name}_", _in_place(_name, f"{_name}_"))
for _name, _alias in _ALIASES.items():
    if _alias:
        setattr(Tensor, f"{_alias}_", getattr(Tensor, f"{_name}_"))
for _name, _row in {"and": "and", "or": "or", "xor": "xor", "lshift": "left_shift", "rshift": "right_shift"}.items():
    operator(f"__i{_name}__", _in_place(f"bitwise_{_row}", f"bitwise_{_row}_"))

publish("method torch", "isnan", "isinf", "isfinite", "isposinf", "isneginf", "isreal", "signbit")
publish("method torch", "heaviside")


@public("method torch")
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether each element is close. PyTorch writes the nans and what is within the tolerance into the equal ones."""
    close = ops.isclose(input, other, rtol, atol, equal_nan)
    for _ in range((equal_nan and input._array.dtype.kind in dtypes.INEXACT) + bool(rtol or atol)):
        bump_version(close)
    return close


@public("method torch")
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are close."""
    close = ops.isclose(input, other, rtol, atol, equal_nan)
    if close._batch is not None:
        raise errors.vmap_item()
    return bool(np.all(close._array))


@public("method torch")
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether shapes and all elements are equal."""
    if not isinstance(other, Tensor):
        raise errors.argument_type("equal", "other", 1, "Tensor", other)
    if input._array.size > 1024:
        meter.reserve(input._array.size, 1)
        meter.charge(input._array.size >> 10)
    return bool(input._array.shape == other._array.shape and np.all(input._array == other._array))


def _reduction(name: str) -> Any:
    call = getattr(ops, name)

    def reduce(input: Tensor, dim: Any = None, keepdim: bool = False, *, axis: Any = None, out: None = None) -> Tensor:
        if place and not isinstance(keepdim, bool):
            raise errors.argument_type(name, "keepdim", 3, "bool", keepdim)
        return call(input, dim if axis is None else axis, keepdim)

    place = name.startswith("arg")
    return reduce


for _name, _doc in {
    "all": "Whether all elements are true.",
    "any": "Whether any element is true.",
    "argmax": "Where the largest element is.",
    "argmin": "Where the smallest element is.",
}.items():
    public("method torch", _name, doc=_doc)(_reduction(_name))


@public("method torch")
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not 0."""
    return ops.count_nonzero(input, dim)


@public("method torch")
def nonzero(input: Tensor, *, as_tuple: bool = False, out: None = None) -> Any:
    """Where elements are not 0: a row of indices for each, or a tensor of indices for each dimension."""
    if as_tuple:
        raised = input if input._array.ndim else ops.unsqueeze(input, 0)
        return ops.unbind(ops.nonzero(raised), 1)
    return ops.nonzero(input)


@public("method torch")
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """As `nonzero`, cut or filled to `size` rows."""
    if not isinstance(fill_value, int):
        raise errors.keyword_type("nonzero_static", "fill_value", "int", fill_value)
    if size < 0:
        raise errors.nonzero_static_size()
    meter.reserve(size * max(input._array.ndim, 1), 8)
    meter.charge(size >> 9)
    found = np.stack(np.atleast_1d(input._array).nonzero(), 1)[:size, : input._array.ndim]
    filler = np.full((max(size - len(found), 0), found.shape[1]), fill_value)
    return Tensor._from_array(np.concatenate([found, filler]))


@public("method torch")
def argwhere(input: Tensor) -> Tensor:
    """A row of indices for each element that is not 0."""
    return ops.nonzero(input)


publish("method torch", "bincount", "histc")


@public("nn")
def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """A row for each number, 1 at its place and 0 elsewhere."""
    out: Tensor = ops.one_hot(input, num_classes)
    if input._array.size:
        bump_version(out)  # PyTorch fills it with zeros,
        bump_version(out)  # and writes the ones into it
    return out


@public("torch", "isin")
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Which elements are among others."""
    given = [x if isinstance(x, Tensor) else Tensor._from_number(x) for x in (elements, test_elements)]
    for x, t in zip((elements, test_elements), given, strict=True):
        if t._array.dtype.kind in "cb":
            raise errors.isin_type("ComplexDouble" if isinstance(x, complex) else t.dtype.type_name)
    return ops.isin(*given, assume_unique=assume_unique, invert=invert)


def _found(boundaries: Tensor, values: Any, out_int32: bool, right: bool) -> Tensor:
    search = ops.searchsorted if isinstance(values, Tensor) else ops.searchsorted_Scalar
    return search(boundaries, values, out_int32=out_int32, right=right)


@public("torch")
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    out: None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """Where values would be inserted to keep sequences sorted."""
    if side not in (None, "left", "right"):
        raise errors.searchsorted_side(side)
    if side == "left" and right:
        raise errors.searchsorted_opposites()
    if sorter is not None:
        if sorter._array.shape != sorted_sequence._array.shape:
            raise errors.searchsorted_sorter_size(sorted_sequence.shape, sorter.shape)
        if sorter._array.dtype != np.int64:
            raise errors.searchsorted_sorter(sorter.dtype.type_name)
        places = np.asarray(sorter._array)
        if places.size and not 0 <= places.min() <= places.max() < (sorted_sequence._array.shape or (1,))[-1]:
            raise errors.searchsorted_sorter_range()
        sorted_sequence = ops.gather(sorted_sequence, -1, sorter)
    return _found(sorted_sequence, input, out_int32, right or side == "right")


@public("torch")
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: None = None
) -> Tensor:
    """Between which boundaries values lie."""
    if boundaries._array.ndim != 1:
        raise errors.bucketize_boundaries(boundaries._array.ndim)
    return _found(boundaries, input, out_int32, right)


def _chosen(found: Any, return_inverse: bool, return_counts: bool) -> Any:
    output, inverse, counts = found
    wanted = [output] + [inverse] * return_inverse + [counts] * return_counts
    return wanted[0] if len(wanted) == 1 else tuple(wanted)


@public("method torch")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements, or slices along a dimension, in order."""
    if not isinstance(sorted, bool):
        raise errors.keyword_type("_unique2" if dim is None else "unique_dim", "sorted", "bool", sorted)
    return _chosen(ops._unique2(input) if dim is None else ops.unique_dim(input, dim), return_inverse, return_counts)


@public("method")
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements without those equal to their predecessor."""
    return _chosen(ops.unique_consecutive(input, dim), return_inverse, return_counts)


@public("torch", "unique_consecutive")
def torch_unique_consecutive(input: Tensor, *flags: Any, **named: Any) -> Any:
    """The same; PyTorch looks for the two flags at each other's places when it decides what to return."""
    given = dict(zip(("return_inverse", "return_counts", "dim"), flags, strict=False)) | named
    output, inverse, counts = ops.unique_consecutive(input, given.get("dim"))
    found = []
    flat = given.get("dim") is None or input.ndim == 1 and given["dim"] == 0
    for name, place, result in (("return_inverse", 1, inverse), ("return_counts", 0, counts)):
        if named[name] if name in named else len(flags) > place and flags[place]:
            left = flat and not given.get(name)
            found.append(Tensor._from_array(np.zeros(0, np.int64)) if left else result)
    return (output, *found) if found else output
