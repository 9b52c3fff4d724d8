"""Dropout as one op that also returns its mask. `nn.functional.dropout` is a multiplication instead, as in PyTorch."""

from __future__ import annotations

from typing import Any

from engine.codegen.op import op, rule
from engine.core.tensor import Tensor
from engine.kernels.dropout import native_dropout_kernel


@rule
def dropout_gradient(g: Any, mask: Any, p: float, train: bool | None) -> Any:
    """The gradients of what was kept, scaled as it was."""
    scale = 1.0 if train is False else 0.0 if p == 1 else 1 / (1 - p)
    if isinstance(mask, Tensor):
        return g * Tensor._from_array(mask._array * g._array.dtype.type(scale))
    return g * (mask * g.dtype.type(scale))


op(
    "native_dropout(input, p, train)", "NativeDropoutBackward0", native_dropout_kernel, outputs="result mask!",
    inplace=False, input="dropout_gradient(g, mask, p, train)",
    says="what was dropped gets no gradient, what was kept gets it scaled as it was", cost=8,
)
