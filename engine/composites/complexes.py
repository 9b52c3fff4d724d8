"""Parts and conjugates of complex tensors, which for real ones are the tensor itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.codegen.publish import public, publish
from engine.composites.subscripts import setitem
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.ops.complexes import imaginary_part, is_conjugate, real_part

publish("torch", "view_as_complex", "complex", "polar")


def _real(self: Tensor) -> Tensor:
    return real_part(self)


def _imag(self: Tensor) -> Tensor:
    if self._array.dtype.kind != "c":
        raise errors.not_complex("imag")
    return imaginary_part(self)


def _writer(part: Callable[[Tensor], Tensor]) -> Callable[[Tensor, Any], None]:
    """What `x.real = value` does."""

    def write(self: Tensor, value: Any) -> None:
        if isinstance(value, Tensor):
            part(self).copy_(value)
        else:
            setitem(part(self), ..., value)

    return write


for _name, _part in {"real": _real, "imag": _imag}.items():
    setattr(Tensor, _name, property(_part, _writer(_part)))


@public("torch")
def real(input: Tensor) -> Tensor:
    """The real parts; a real tensor is returned itself."""
    return _real(input)


@public("torch")
def imag(input: Tensor) -> Tensor:
    """The imaginary parts. RuntimeError for a real tensor."""
    return _imag(input)


def _conjugate(row: str) -> Any:
    def conjugate(input: Tensor) -> Tensor:
        if input._array.dtype.kind != "c":
            return input
        out = getattr(ops, row)(input)
        if row == "conj":
            out._conjugate = not is_conjugate(input)
        return out

    return conjugate


for _name in ("conj", "conj_physical"):
    public("method torch", _name, doc="The complex conjugate; a real tensor is returned itself.")(_conjugate(_name))


@public("torch")
def view_as_real(input: Tensor) -> Tensor:
    """Real and imaginary parts, as a view with one dimension more."""
    if isinstance(input, Tensor) and is_conjugate(input):
        raise errors.view_of_conjugate()
    return ops.view_as_real(input)


@public("method torch")
def is_conj(input: Tensor) -> bool:
    """Whether it is the result of `conj()`, which PyTorch computes when somebody reads it."""
    return is_conjugate(input)


@public("method torch")
def resolve_conj(input: Tensor) -> Tensor:
    """A copy of the result of `conj()`; any other tensor itself."""
    return ops.clone(input, None) if is_conjugate(input) else input


@public("method torch")
def resolve_neg(input: Tensor) -> Tensor:
    """The tensor itself: signs are turned at once here."""
    if not isinstance(input, Tensor):
        raise errors.argument_type("resolve_neg", "input", 1, "Tensor", input)
    return input
