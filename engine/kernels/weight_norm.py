"""Weights as direction and length: w = g · v / ‖v‖ along one dimension (Salimans and Kingma, 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.names import kernel


@kernel
def weight_norm_kernel(v: Any, g: Any, dim: int) -> tuple[Any, Any]:
    """The weight, and the norms of v outside `dim`, in the shape of g."""
    rows = v.reshape(v.shape[0], -1) if dim == 0 else v.reshape(-1, v.shape[-1])
    norms = np.sqrt(np.square(rows).sum(1 if dim == 0 else 0, dtype=v.dtype)).reshape(g.shape)
    return v * (g / norms), norms
