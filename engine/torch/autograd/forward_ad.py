"""`torch.autograd.forward_ad`: dual numbers, a value and its tangent, which ops carry on together."""

from __future__ import annotations

from typing import NamedTuple

from engine import errors
from engine.autograd.forward_ad import Level, primal_only, tangent_of
from engine.core.grad_mode import _Mode
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor

__all__ = ["UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """What `unpack_dual` returns; the tangent is None where there is none."""

    primal: Tensor
    tangent: Tensor | None


UnpackedDualTensor.__module__ = "torch.autograd.forward_ad"


def enter_dual_level() -> int:
    """Begin the level that dual tensors live in; there is one at a time."""
    if state.dual is not None:
        raise errors.dual_nested()
    state.dual = Level()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End it: tangents are gone. RuntimeError for a level that is not the last one."""
    if level not in (None, 0):
        raise errors.dual_exit()
    if state.dual is None:
        raise errors.dual_level_number()
    state.dual = None


class dual_level(_Mode):
    """`with dual_level():`, also around the calls of a function that it decorates."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exception: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """A view of `tensor` that carries `tangent`. RuntimeError outside a level or for another size, ValueError for
    whole numbers."""
    if state.dual is None:
        raise errors.dual_without_level()
    for what, value in (("primal", tensor), ("tangent", tangent)):
        if not (value.is_floating_point() or value.is_complex()):
            raise errors.dual_dtype(what, value.dtype)
    if tensor._array.shape != tangent._array.shape:
        raise errors.forward_gradient_size(tensor._array.shape, tangent._array.shape)
    if tangent_of(tensor) is not None:
        raise errors.dual_again()
    if tangent_of(tangent) is not None:
        raise errors.dual_tangent()
    with primal_only():
        dual: Tensor = ops.view(tensor, tuple(tensor._array.shape))
    if tensor._inference:
        dual._inference, dual._view = True, None
    dual._tangent = (state.dual, tangent)
    if dual._view is not None and tensor._view is None:
        state.dual.duals[id(dual._view.base)] = dual
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """(value, tangent), the tangent None where there is none, and outside a level."""
    if state.dual is None:
        return UnpackedDualTensor(tensor, None)
    tangent = tangent_of(tensor)
    with primal_only():
        return UnpackedDualTensor(ops._fw_primal(tensor), tangent)
