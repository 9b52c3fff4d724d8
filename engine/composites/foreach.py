"""`torch._foreach_*`: one op on every tensor of a list. Optimizers use them; here, they are the op for each tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.publish import TORCH
from engine.core.registry import ops
from engine.core.tensor import Tensor

Tensors = Sequence[Tensor]

_UNARY = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round "
    "rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
)
_BINARY = {
    "mul": "mul", "div": "div", "maximum": "clamp_min", "minimum": "clamp_max", "clamp_min": "clamp_min",
    "clamp_max": "clamp_max",
}  # fmt: skip
"""What is done to each tensor and a number, or another tensor."""


def _checked(tensors: Any) -> Tensors:
    if not isinstance(tensors, list | tuple) or not all(isinstance(t, Tensor) for t in tensors):
        raise TypeError
    if not tensors:
        raise errors.foreach_empty()
    return tensors


def _each(tensors: Tensors, operand: Any) -> Iterator[Any]:
    """One operand for each tensor: a number for all, a number for each, a tensor for all, a tensor for each."""
    if not isinstance(operand, list | tuple):
        if isinstance(operand, str) or operand is None:
            raise TypeError
        return repeat(operand, len(tensors))
    if len(operand) != len(tensors):
        others = bool(operand) and isinstance(operand[0], Tensor)
        raise errors.foreach_lengths(len(tensors), len(operand)) if others else errors.foreach_scalars()
    return iter(operand)


def _publish(name: str, function: Callable[..., Any]) -> None:
    """`_foreach_NAME`, which gives a tuple, and `_foreach_NAME_`, which writes; `function(write)` makes them."""
    for write in (False, True):
        made = function(write)
        made.__name__ = made.__qualname__ = f"_foreach_{name}_" if write else f"_foreach_{name}"
        TORCH[made.__name__] = made


def _check_writes(tensors: Tensors) -> Tensors:
    """All of them may be written to, or none is."""
    for t in tensors:
        check_inplace(t, t.requires_grad)
    return tensors


def _done(tensors: Tensors, results: Iterator[Tensor], write: bool) -> Any:
    if write:
        _check_writes(tensors)
    found = list(results)
    return list(tensors) if write else tuple(found)


def _method(name: str, write: bool) -> Callable[..., Tensor]:
    """A method of tensors, looked up when it is called: not all are published yet."""
    found = f"{name}_" if write else name
    return lambda t, *args, **kwargs: getattr(t, found)(*args, **kwargs)


def _unary(name: str, write: bool) -> Callable[..., Any]:
    method = _method(name, write)

    def foreach(self: Tensors) -> Any:
        return _done(self, map(method, _checked(self)), write)

    return foreach


def _binary(name: str, write: bool) -> Callable[..., Any]:
    method = _method(name, write)

    def foreach(self: Tensors, other: Any = None, *, scalar: Any = None, scalars: Any = None) -> Any:
        operand = other if other is not None else scalar if scalar is not None else scalars
        return _done(self, map(method, _checked(self), _each(self, operand)), write)

    return foreach


def _sum(name: str, write: bool) -> Callable[..., Any]:
    method = _method(name, write)

    def foreach(self: Tensors, other: Any = None, *, scalar: Any = None, scalars: Any = None, alpha: Any = None) -> Any:
        operand = other if other is not None else scalar if scalar is not None else scalars
        first = operand[0] if isinstance(operand, list | tuple) and operand else operand
        if alpha is not None and not isinstance(first, Tensor):
            raise TypeError
        factor = 1 if alpha is None else alpha
        pairs = zip(_checked(self), _each(self, operand), strict=True)
        return _done(self, (method(t, own, alpha=factor) for t, own in pairs), write)

    return foreach


def _product(name: str, write: bool) -> Callable[..., Any]:
    method = _method(name, write)

    def foreach(self: Tensors, tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1) -> Any:
        factors = value if scalars is None else scalars
        if isinstance(factors, Tensor):
            factors = factors.tolist()
        _checked(self)
        operands = zip(self, *(_each(self, own) for own in (tensor1, tensor2, factors)), strict=True)
        return _done(self, (method(t, first, second, value=own) for t, first, second, own in operands), write)

    return foreach


def _lerp(write: bool) -> Callable[..., Any]:
    method = _method("lerp", write)

    def foreach(self: Tensors, tensors1: Tensors, weight: Any = None, *, weights: Any = None) -> Any:
        weight = weights if weight is None else weight
        return _done(self, map(method, _checked(self), _each(self, tensors1), _each(self, weight)), write)

    return foreach


def _pow(write: bool) -> Callable[..., Any]:
    method = _method("pow", write)

    def foreach(self: Any, exponent: Any) -> Any:
        if not write and isinstance(self, int | float):
            return tuple([ops.pow_Scalar(self, own) for own in _checked(exponent)])
        return _done(self, map(method, _checked(self), _each(self, exponent)), write)

    return foreach


for _name in _UNARY.split():
    _publish(_name, partial(_unary, _name))
for _name, _own in _BINARY.items():
    _publish(_name, partial(_binary, _own))
for _name in ("addcmul", "addcdiv"):
    _publish(_name, partial(_product, _name))
for _name in ("add", "sub"):
    _publish(_name, partial(_sum, _name))
_publish("lerp", _lerp)
_publish("pow", _pow)


def _foreach_norm(self: Tensors, ord: Any = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """The norm of each tensor."""
    return tuple([t.norm(ord, dtype=dtype) for t in _checked(self)])


def _foreach_max(self: Tensors) -> tuple[Tensor, ...]:
    """The largest element of each tensor."""
    return tuple([t.max() for t in _checked(self)])


def _foreach_clone(self: Tensors) -> tuple[Tensor, ...]:
    """A copy of each tensor."""
    return tuple([t.clone() for t in _checked(self)])


def _foreach_zero_(self: Tensors) -> list[Tensor]:
    """Set all elements to zero."""
    return [t.zero_() for t in _check_writes(_checked(self))]


def _foreach_copy_(self: Tensors, src: Tensors, non_blocking: bool = False) -> list[Tensor]:
    """Copy each tensor of `src` into the one at its place."""
    return [t.copy_(own) for t, own in zip(_check_writes(_checked(self)), _each(self, src), strict=True)]


TORCH.update({f.__name__: f for f in (_foreach_norm, _foreach_max, _foreach_clone, _foreach_zero_, _foreach_copy_)})
