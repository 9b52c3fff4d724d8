"""Tensors as objects of classes that derive from Tensor."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, blank
from engine.core.views import share
from engine.types import dtypes


@public("method")
def as_subclass(self: Tensor, cls: Any) -> Tensor:
    """The tensor under another name, as an object of a class; its gradient flows on."""
    _check(cls)
    made: Tensor = ops.alias(self)
    made.__class__ = cls
    return made


def _make_subclass(cls: Any, data: Tensor, require_grad: bool = False) -> Tensor:
    """The tensor's memory as a leaf, an object of a class."""
    _check(cls)
    if not isinstance(data, Tensor):
        raise errors.argument_type("_make_subclass", "data", 2, "Tensor", data)
    if not isinstance(require_grad, bool):
        raise errors.argument_type("_make_subclass", "require_grad", 3, "bool", require_grad)
    if require_grad and data._array.dtype.kind not in dtypes.INEXACT:
        raise errors.integer_requires_grad()
    made = blank(Tensor)
    made._array = share(data)
    made._version_counter, made._inference = data._version_counter, data._inference
    made._cut = (data, "detach")
    made._set_requires_grad(require_grad, attribute=False)
    made.__class__ = cls
    if state.watched and state.observer is not None:
        state.observer.create(made)
    return made


def _make_wrapper_subclass(cls: Any, *args: Any, **kwargs: Any) -> Tensor:
    """A tensor without memory, for classes that define `__torch_dispatch__`."""
    raise errors.wrapper_subclass()


setattr(Tensor, "_make_wrapper_subclass", staticmethod(_make_wrapper_subclass))  # noqa: B010
setattr(Tensor, "_make_subclass", staticmethod(_make_subclass))  # noqa: B010 - of which mypy need not know


def _check(cls: Any) -> None:
    """TypeError for what is no class of tensors."""
    if not isinstance(cls, type):
        raise errors.subclass_not_a_type(cls)
    if not issubclass(cls, Tensor):
        raise errors.subclass_of_no_tensor()
