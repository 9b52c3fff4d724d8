"""Elementwise functions as users call them: aliases, overloads, and those made of other ops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.dtype_checks import refused
from engine.codegen.publish import FUNCTIONAL, TORCH, public, publish
from engine.composites.arithmetic import NUMBERS, UNSET
from engine.core.registry import ops
from engine.core.tensor import Tensor, number
from engine.types import dtypes

publish("method torch", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "logaddexp2", "logit")
publish("method torch", "sin", "cos", "tan", "sinh", "cosh", "sinc", "deg2rad", "rad2deg", "angle", "sigmoid", "tanh")
publish("method torch", "floor", "ceil", "frac", "erf", "erfc", "erfinv", "lgamma", "digamma", "mvlgamma", "i0")
publish("method torch", "nan_to_num")
for _inverse in ("asin", "acos", "atan", "asinh", "acosh", "atanh", "atan2"):
    publish("method torch", _inverse, names=f"{_inverse} arc{_inverse[1:]}")
publish("method torch", "trunc", names="trunc fix")
publish("method torch", "nextafter", "frexp")
publish("special", "exp2", "expm1", "log1p", "sinc", "erf", "erfc", "erfinv", "digamma", "i0", "logit", inplace=False)
publish("special", "digamma", names="psi", inplace=False)
publish("special", "lgamma", names="gammaln", inplace=False)
publish("special", "sigmoid", names="expit", inplace=False)
publish("special", "mvlgamma", names="multigammaln", inplace=False)
for _name in ("erfcx", "log_ndtr", "ndtri", "entr", "i0e", "i1", "i1e"):
    publish("special", f"special_{_name}", names=_name, inplace=False)
FUNCTIONAL["sigmoid"], FUNCTIONAL["tanh"] = TORCH["sigmoid"], TORCH["tanh"]


@public("method torch special", "round")
def round(input: Tensor, *, decimals: int = UNSET) -> Any:
    """To the nearest whole number (or decimal), halves to even."""
    return ops.round(input) if decimals is UNSET else ops.round_decimals(input, decimals=decimals)


@public("method")
def round_(self: Tensor, *, decimals: int = 0) -> Any:
    """In-place `round`."""
    return ops.round_(self) if not decimals else ops.round_decimals_(self, decimals=decimals)


_COMPLEX = dtypes.complex64.np
_LIMIT = "clamp_max_Tensor", "clamp_min_Tensor"


def _real_limit(limit: Any) -> Any:
    if isinstance(limit, complex):
        raise refused("clamp", _COMPLEX)
    return limit


def _limit(limit: Any) -> Any:
    return number(limit) if isinstance(limit, int | float) else limit


def _alike(limit: Any, other: Any) -> Any:
    """The number in a 0-d tensor if the other limit is a number."""
    if isinstance(other, int | float) and isinstance(limit, Tensor) and not limit._array.ndim:
        return limit if limit.requires_grad else number(limit)
    return limit


def _check_kinds(*limits: Any) -> None:
    for limit in limits:
        if isinstance(limit, list | np.ndarray):
            raise errors.expected_number(limit)


@public("method torch", "clamp", "clip")
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Any:
    """Within bounds, which are both numbers or both tensors."""
    tensors = isinstance(min, Tensor) or isinstance(max, Tensor)
    _check_kinds(min, max)
    if isinstance(min, complex) or isinstance(max, complex):
        if input._array.dtype.kind in dtypes.FLOATING and not tensors:
            raise errors.conversion_overflow("double")
        raise refused("clamp", _COMPLEX)
    if min is None and max is None:
        raise errors.clamp_without_bounds()
    if tensors:
        min, max = _alike(min, max), _alike(max, min)
        tensors = isinstance(min, Tensor) or isinstance(max, Tensor)
    if not tensors:
        return ops.clamp(input, _limit(min), _limit(max))
    if input.is_complex():
        raise refused("clamp", _COMPLEX)
    if any([isinstance(x, Tensor) and x._array.dtype.kind == "c" for x in (min, max)]):
        if min is not None and max is not None:
            raise errors.not_implemented_for("clamp_cpu", "ComplexFloat")
        raise refused(_LIMIT[max is None], _COMPLEX)
    return ops.clamp_Tensor(input, min, max)


@public("method", "clamp_", "clip_")
def clamp_(self: Tensor, min: Any = None, max: Any = None) -> Any:
    """In-place `clamp`."""
    _check_kinds(min, max)
    check_inplace(self, any(isinstance(x, Tensor) and x.requires_grad for x in (self, min, max)))
    if min is None and max is None:
        raise errors.clamp_without_bounds()
    if self.is_complex():
        raise refused("clamp", _COMPLEX)
    min, max = _alike(min, max), _alike(max, min)
    tensors = isinstance(min, Tensor) or isinstance(max, Tensor)
    pairs = isinstance(min, complex) or isinstance(max, complex)
    if pairs and not tensors and self._array.dtype.kind in dtypes.FLOATING:
        raise errors.conversion_overflow("double")
    return ops.clamp_Tensor_(self, min, max) if tensors else ops.clamp_(self, _limit(min), _limit(max))


@public("method torch")
def clamp_min(input: Tensor, min: Any) -> Any:
    """At least `min`."""
    return ops.clamp_min_Tensor(input, min) if isinstance(min, Tensor) else ops.clamp_min(input, _real_limit(min))


@public("method torch")
def clamp_max(input: Tensor, max: Any) -> Any:
    """At most `max`."""
    return ops.clamp_max_Tensor(input, max) if isinstance(max, Tensor) else ops.clamp_max(input, _real_limit(max))


@public("method")
def clamp_min_(self: Tensor, min: Any) -> Any:
    """In-place `clamp_min`."""
    if isinstance(min, complex):
        check_inplace(self, self.requires_grad)
    return ops.clamp_min_Tensor_(self, min) if isinstance(min, Tensor) else ops.clamp_min_(self, _real_limit(min))


@public("method")
def clamp_max_(self: Tensor, max: Any) -> Any:
    """In-place `clamp_max`."""
    if isinstance(max, complex):
        check_inplace(self, self.requires_grad)
    return ops.clamp_max_Tensor_(self, max) if isinstance(max, Tensor) else ops.clamp_max_(self, _real_limit(max))


def _check_exponent(self: Tensor, other: Any) -> None:
    if isinstance(other, Tensor) and other._array.dtype.kind == "b" and self._array.dtype.kind in dtypes.FLOATING:
        raise errors.not_implemented_for("ldexp_cpu_exp", "Bool")


@public("method torch")
def ldexp(input: Tensor, other: Tensor) -> Any:
    """input · 2^other."""
    _check_exponent(input, other)
    return ops.ldexp(input, other)


@public("method torch", "ldexp_")
def ldexp_(input: Tensor, other: Tensor) -> Any:
    """In-place `ldexp`."""
    check_inplace(input, input.requires_grad)
    _check_exponent(input, other)
    return ops.ldexp_(input, other)


@public("torch")
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, elsewhere `other`; alone, the indices where it holds."""
    if input is None and other is None:
        return TORCH["nonzero"](condition, as_tuple=True)
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input, other = (x.item() if isinstance(x, np.number) else x for x in (input, other))
        input, other = _as_scalar(input, other), _as_scalar(other, input)
    return _chosen(condition, input, other)


def _chosen(condition: Tensor, input: Any, other: Any) -> Any:
    """A real tensor beside a complex number becomes complex first, which is a node of its own."""
    if isinstance(other, complex) and isinstance(input, Tensor) and input._array.dtype.kind != "c":
        input = ops.to_dtype(input, dtypes.result_type(input._array, other).np)
    if isinstance(input, complex) and isinstance(other, Tensor) and other._array.dtype.kind != "c":
        other = ops.to_dtype(other, dtypes.result_type(input, other._array).np)
    return ops.where(condition, input, other)


@public("method", "where")
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """`self` where the condition holds, elsewhere `other`."""
    if not isinstance(condition, Tensor):
        raise errors.argument_type("where", "condition", 1, "Tensor", condition)
    return _chosen(condition, self, other)


def _as_scalar(value: Any, other: Any) -> Tensor:
    dtype = dtypes.result_type(value, other)
    return Tensor._from_array(dtype.np.type(value))


def _by_kind(name: str, identifier: str, scalar: tuple[str, str], where: str) -> None:
    """Publish `name(input, other)`, either of which may be a number."""

    @public(where, name)
    def function(input: Any, other: Any) -> Any:
        if not isinstance(input, Tensor):
            if not isinstance(input, NUMBERS):
                raise errors.argument_type(identifier, "self", 1, "Tensor", input)
            if isinstance(input, complex):
                raise refused(identifier, _COMPLEX)
            return getattr(ops, identifier + scalar[0])(input, other)
        if isinstance(other, Tensor):
            return getattr(ops, identifier)(input, other)
        if isinstance(other, complex):
            raise refused(identifier, _COMPLEX)
        return getattr(ops, identifier + scalar[1])(input, other)


_by_kind("xlogy", "xlogy", ("_SelfScalar", "_OtherScalar"), "method torch special")
_by_kind("xlog1py", "special_xlog1py", ("_self_scalar", "_other_scalar"), "special")


@public("method")
def xlogy_(self: Tensor, other: Any) -> Any:
    """In-place `xlogy`."""
    return (ops.xlogy_ if isinstance(other, Tensor) else ops.xlogy_OtherScalar_)(self, other)


@public("torch special")
def polygamma(n: int, input: Tensor) -> Any:
    """The n-th derivative of the digamma function."""
    return ops.polygamma(n, input)


@public("method", "polygamma")
def polygamma_method(self: Tensor, n: int) -> Any:
    """The n-th derivative of the digamma function."""
    return ops.polygamma(n, self)


@public("special")
def ndtr(input: Tensor) -> Any:
    """The distribution function of the standard normal distribution."""
    scaled = ops.mul_Scalar(input, math.sqrt(0.5))
    return ops.mul_Scalar(ops.add_Scalar(ops.erf(scaled), 1), 0.5)
