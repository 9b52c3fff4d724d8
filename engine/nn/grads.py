"""Forgetting gradients, for `Module.zero_grad` and `Optimizer.zero_grad`."""

from __future__ import annotations

from typing import Any

from engine.core.state import state
from engine.core.tensor import Tensor, constant

new = object.__new__


def clear_grad(parameter: Tensor, set_to_none: bool) -> None:
    """Drop a parameter's gradient, or write zeros over it; an observer hears of both."""
    grad = parameter._grad
    if grad is None:
        return
    observer = state.observer
    if set_to_none:
        parameter._grad = None
        if observer is not None:
            observer.grad_changed(parameter, grad, None, "zero_grad")
        return
    before: Any = None
    if observer is not None:
        before = constant(grad._array.copy())
    if grad._grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()
    if observer is not None:
        observer.grad_changed(parameter, before, grad, "zero_grad")
