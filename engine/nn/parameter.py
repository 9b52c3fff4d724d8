"""`torch.nn.parameter`, and empty parameters for layers to fill."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.limits import meter
from engine.nn.module import Buffer
from engine.tensor import Parameter, Tensor

__all__ = ["Buffer", "Parameter", "empty_parameter", "filled_buffer"]

new = object.__new__


def _tensor(array: Any) -> Tensor:
    t = new(Tensor)
    t._a = array
    return t


def empty_parameter(*shape: int, dtype: dtypes.dtype | None = None) -> Parameter:
    """A parameter whose values a layer's `reset_parameters` writes."""
    try:
        kind = (dtype or dtypes.get_default()).np
        meter.allocate(int(np.prod(shape, dtype=object)), kind.itemsize)
        return Parameter(_tensor(np.empty(shape, kind)))
    except (AttributeError, TypeError, ValueError):
        from engine.signatures.native import check

        check("torch", "empty", shape if len(shape) == 1 else (shape,), {"dtype": dtype})
        raise


def filled_buffer(value: float, *shape: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """A buffer with one number everywhere; 0-d without a shape."""
    kind = (dtype or dtypes.get_default()).np
    return Tensor._from_array(np.full(shape, value, kind) if shape else kind.type(value))
