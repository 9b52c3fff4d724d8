"""Dropout, and the mask of what was kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels import random
from engine.kernels.names import kernel
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
