"""A convolution over time of (time, batch, channels): a matrix product for each step of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter


def steps(length: int, width: int, pad: int) -> Iterator[tuple[int, int, int, int]]:
    """(step of the kernel, first time of the input, first time of the output, number of times) where they meet."""
    times = length - width + 1 + 2 * pad
    for step in range(width):
        start, place = max(0, step - pad), max(0, pad - step)
        count = min(length + pad - step, times) - place
        if count > 0:
            yield step, start, place, count


@kernel
def conv_tbc_kernel(x: Any, weight: Any, bias: Any, pad: int) -> Any:
    if x.ndim != 3:
        raise errors.conv_tbc_input()
    if weight.ndim != 3:
        raise errors.conv_tbc_weight()
    if bias.ndim != 1:
        raise errors.conv_tbc_bias()
    if x.shape[2] != weight.shape[1]:
        raise errors.conv_tbc_channels()
    if weight.shape[2] != bias.shape[0]:
        raise errors.conv_tbc_bias_size()
    times = x.shape[0] - weight.shape[0] + 1 + 2 * pad
    meter.allocate(max(times, 0) * x.shape[1] * weight.shape[2], x.itemsize)
    meter.product(max(times, 0) * x.shape[1], weight.shape[1], weight.shape[2], x.dtype, weight.shape[0])
    meter.charge(4 * weight.shape[0])
    out = np.empty((max(times, 0), x.shape[1], weight.shape[2]), x.dtype)
    out[...] = bias
    for step, start, place, count in steps(x.shape[0], weight.shape[0], pad):
        out[place : place + count] += x[start : start + count] @ weight[step]
    return out
