"""Numbers rounded to the steps of a quantizer and clamped to its ends, and where they lay between these."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import SHORT

_FIRST, _END = float(np.iinfo(np.int64).min), 2.0**63


def _whole(a: Any) -> Any:
    """What C makes of a float as an int64: what it cannot hold is the smallest."""
    return np.where((a >= _FIRST) & (a < _END), a, _FIRST)


def _single(x: Any) -> Any:
    """The numbers that are multiplied with a float32: those of 16 bits become one."""
    return np.asarray(x, np.float32 if x.dtype.char in SHORT else x.dtype)


def _clamped(steps: Any, zero_point: Any, scale: Any, quant_min: int, quant_max: int) -> Any:
    return (np.fmin(np.fmax(steps.astype(np.float64), quant_min), quant_max) - zero_point) * scale


@kernel
def fake_quantize_kernel(x: Any, scale: Any, zero_point: Any, quant_min: int, quant_max: int) -> tuple[Any, Any]:
    """`x` as one scale for all of it leaves it, and where it is between the ends."""
    meter.allocate(6 * x.size, 8)
    with np.errstate(all="ignore"):
        scale = np.float32(scale)
        steps = np.rint(_single(x) * (np.float32(1) / scale))
        steps = steps + steps.dtype.type(zero_point)
        mask = (_whole(steps) >= quant_min) & (_whole(steps) <= quant_max)
        out = _clamped(steps, zero_point, scale, quant_min, quant_max).astype(np.float32)  # of float64, too
        return out.astype(x.dtype)[()], mask[()]


@kernel
def fake_quantize_channels_kernel(
    x: Any, scale: Any, zero_point: Any, axis: int, quant_min: int, quant_max: int
) -> tuple[Any, Any]:
    """`x` as a scale for each index along `axis` leaves it, and where it is between the ends."""
    meter.allocate(6 * x.size, 8)
    shape = tuple(-1 if dim == axis else 1 for dim in range(x.ndim))
    scale, zero_point = np.reshape(scale, shape).astype(np.float32), np.reshape(zero_point, shape)
    with np.errstate(all="ignore"):
        steps = _single(x) * (np.float32(1) / scale)
        if zero_point.dtype.kind in dtypes.FLOATING:
            zero_point = zero_point.astype(np.float32)
            steps = np.rint((steps + zero_point).astype(np.float32))
        else:
            steps = np.rint(steps)
            steps = steps + zero_point.astype(steps.dtype)
        steps = _whole(steps)
        mask = (steps >= quant_min) & (steps <= quant_max)
        return _clamped(steps, zero_point, scale, quant_min, quant_max).astype(x.dtype)[()], mask[()]
