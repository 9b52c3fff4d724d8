"""Limiting gradients before a step."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.codegen.publish import LINALG, TORCH
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor
from engine.types import dtypes


def _tensors(tensors: Any) -> list[Tensor]:
    return [tensors] if isinstance(tensors, Tensor) else list(tensors)


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors taken as one vector."""
    given = _tensors(tensors)
    kind = float(norm_type)
    norms = [LINALG["vector_norm"](t, kind) for t in given]
    if not norms:
        return Tensor._from_array(dtypes.get_default().np.type(0))
    total: Tensor = LINALG["vector_norm"](TORCH["stack"](norms), kind)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise errors.non_finite_norm(kind)
    return total


def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Scale the gradients in place so that a known total norm becomes at most `max_norm`."""
    with no_grad():
        grads = [p.grad for p in _tensors(parameters) if p.grad is not None]
        if not grads:
            return
        scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in grads:
            grad.mul_(scale)


get_total_norm.__name__ = get_total_norm.__qualname__ = "_get_total_norm"
clip_grads_with_norm_.__name__ = clip_grads_with_norm_.__qualname__ = "_clip_grads_with_norm_"


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients in place so that their common norm is at most `max_norm`; returns the norm before."""
    with no_grad():
        kept = _tensors(parameters)
        max_norm = float(max_norm)
        total = get_total_norm([p.grad for p in kept if p.grad is not None], norm_type, error_if_nonfinite)
        clip_grads_with_norm_(kept, max_norm, total)
        return total


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The deprecated name of `clip_grad_norm_`."""
    errors.warn_renamed("torch.nn.utils.clip_grad_norm", "torch.nn.utils.clip_grad_norm_")
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Clip every element of the gradients to [-clip_value, clip_value], in place."""
    limit = float(clip_value)
    with no_grad():
        found = [p.grad for p in _tensors(parameters) if p.grad is not None]
        if not found:
            raise errors.no_gradient_to_clip()
        for gradient in found:
            gradient.clamp_(min=-limit, max=limit)
