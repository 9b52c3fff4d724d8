"""`torch.nn.parameter`, and empty parameters for layers to fill."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.limits import meter
from engine.nn.module import Buffer
from engine.signatures.native import check
from engine.tensor import Parameter, Tensor, constant

__all__ = ["Buffer", "Parameter", "empty_parameter", "filled_buffer"]

def empty_parameter(*shape: Any, dtype: dtypes.dtype | None = None) -> Parameter:
    """A parameter whose values a layer's `reset_parameters` writes: sizes, or one tuple of them. Raises TypeError."""
    size: Any = shape[0] if len(shape) == 1 else shape
    try:
        kind = (dtype or dtypes.get_default()).np
        meter.allocate(int(np.prod(size, dtype=object)), kind.itemsize)
        return Parameter(constant(np.empty(size, kind)))
    except (AttributeError, TypeError, ValueError):
        check("torch", "empty", (size,), {"dtype": dtype})
        raise


def filled_buffer(value: float, *shape: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """A buffer with one number everywhere; 0-d without a shape."""
    kind = (dtype or dtypes.get_default()).np
    return Tensor._from_array(np.full(shape, value, kind) if shape else kind.type(value))
