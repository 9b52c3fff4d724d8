"""A convolution over time of (time, batch, channels): a matrix product for each step of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import OPS
from engine.core.tensor import Tensor, constant
from engine.limits import meter


def _steps(length: int, width: int, pad: int) -> Iterator[tuple[int, int, int, int]]:
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
    meter.product(2 * max(times, 0) * x.shape[1] * weight.size, x.dtype)
    meter.charge(4 * weight.shape[0])
    out = np.empty((max(times, 0), x.shape[1], weight.shape[2]), x.dtype)
    out[...] = bias
    for step, start, place, count in _steps(x.shape[0], weight.shape[0], pad):
        out[place : place + count] += x[start : start + count] @ weight[step]
    return out


def _rows(x: Any, start: int, count: int) -> Any:
    """`count` times of all batches, one below the other, as a view."""
    part = OPS["slice"].call(x, 0, start, start + count)
    shape = (count * x.shape[1], x.shape[2])
    return OPS["view"].call(part, shape) if isinstance(x, Tensor) else part.reshape(shape)


@rule
def conv_tbc_backward(g: Any, x: Any, weight: Any, bias: Any, pad: int) -> tuple[Any, Any, Any]:
    """The products with the transposed factors, each added to its part; recorded, in place as in PyTorch."""
    arrays = [t._a if isinstance(t, Tensor) else t for t in (x, weight)]
    on_x, on_weight = (np.zeros_like(array) for array in arrays)
    if isinstance(x, Tensor):
        on_x, on_weight = constant(on_x), constant(on_weight)
    g = OPS["clone"].call(g) if isinstance(g, Tensor) else np.ascontiguousarray(g)
    for step, start, place, count in _steps(x.shape[0], weight.shape[0], pad):
        rows, columns = _rows(g, place, count), _rows(x, start, count)
        if isinstance(x, Tensor):
            _rows(on_x, start, count).addmm_(rows, weight[step].t())
            on_weight[step].addmm_(columns.t(), rows)
        else:
            on_x[start : start + count] += (rows @ weight[step].T).reshape(count, *x.shape[1:])
            on_weight[step] += columns.T @ rows
    total = OPS["sum_dim"].call
    return on_x, on_weight, total(total(g, (0,), False), (0,), False)


op("conv_tbc(self, weight, bias, pad=0)", "ConvTbcBackward0", "conv_tbc_kernel(self, weight, bias, pad)", inplace=False,
   together=("self weight bias", "conv_tbc_backward(g, self, weight, bias, pad)"),
   says="each step of the kernel is a matrix product: its gradients are products with the other factor transposed")
