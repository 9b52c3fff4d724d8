"""Dropout as one op that also returns its mask. `nn.functional.dropout` is a multiplication instead, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.tensor import Tensor
from engine.kernels import random
from engine.limits import meter


@kernel
def native_dropout_kernel(x: Any, p: float, train: bool | None) -> tuple[Any, Any]:
    """`x` with elements zeroed with probability `p` and the rest scaled up, and where they were kept."""
    if not 0.0 <= p <= 1.0:
        raise errors.dropout_probability(p)
    meter.allocate(2 * x.size, x.itemsize)
    if train is False or p == 0:
        return np.array(x), np.ones(x.shape, bool)
    if p == 1:
        return np.zeros_like(x), np.zeros(x.shape, bool)
    mask = random.default_generator.coins(x.shape, 1 - p, np.dtype(bool))
    return x * mask * x.dtype.type(1 / (1 - p)), mask


@rule
def dropout_gradient(g: Any, mask: Any, p: float, train: bool | None) -> Any:
    """The gradients of what was kept, scaled as it was."""
    scale = 1.0 if train is False else 0.0 if p == 1 else 1 / (1 - p)
    if isinstance(mask, Tensor):
        return g * Tensor._from_array(mask._a * g._a.dtype.type(scale))
    return g * (mask * g.dtype.type(scale))


op(
    "native_dropout(input, p, train)", "NativeDropoutBackward0", native_dropout_kernel, outputs="result mask!",
    inplace=False, input="dropout_gradient(g, mask, p, train)",
    says="what was dropped gets no gradient, what was kept gets it scaled as it was",
)
