"""What `nn.CrossMapLRN2d` computes: a custom function, as in PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import costs, errors
from engine.autograd.function import Function
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.limits import meter

_CHANNEL, _ELEMENT = 8_000, 60
"""Nanoseconds that a channel and an element take, in each direction."""


class CrossMapLRN2d(Function):
    """Divides by a power of the squares of neighbouring channels, whose sum runs along the channels."""

    @staticmethod
    def forward(ctx: Any, input: Tensor, size: int, alpha: float, beta: float, k: float) -> Tensor:
        if input.ndim != 4:
            raise errors.crossmap_dimensions(input.ndim)
        x = input._array
        ahead, channels = int((size - 1) / 2 + 1), x.shape[1]
        costs.charge(channels, _CHANNEL)
        costs.charge(x.size, _ELEMENT)
        squares, sums = x * x, np.empty_like(x)
        sums[:, 0] = squares[:, : min(ahead, channels)].sum(1)
        for c in range(1, channels):
            sums[:, c] = sums[:, c - 1]
            if c < channels - ahead + 1:
                sums[:, c] += squares[:, c + ahead - 1]
            if c > ahead:
                sums[:, c] -= squares[:, c - ahead]
        ctx.size, ctx.factor, ctx.beta = size, 2 * alpha * beta / size, beta
        ctx.scale = sums * x.dtype.type(alpha / size) + x.dtype.type(k)
        output = constant(ctx.scale ** x.dtype.type(-beta) * x)
        ctx.save_for_backward(input, output)
        return output

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Any:
        saved, output = ctx.saved_tensors
        if state.grad:
            raise errors.out_requires_grad("mul")
        x, g, scale = saved._array, grad_output._array, ctx.scale
        channels, size = x.shape[1], ctx.size
        costs.charge(channels, _CHANNEL)
        costs.charge(x.size, _ELEMENT)
        first = int(size - (size - 1) / 2)
        if first + channels > channels + size - 1:
            raise errors.narrow_range(first, channels, channels + size - 1)
        meter.allocate(x[:, :1].size * max(channels + size - 1, 0), x.itemsize)
        ratios = np.zeros((x.shape[0], channels + size - 1, *x.shape[2:]), x.dtype)
        ratios[:, first : first + channels] = g * output._array / scale
        found = scale ** x.dtype.type(-ctx.beta) * g
        total = ratios[:, : size - 1].sum(1)
        for c in range(channels):
            total += ratios[:, c + size - 1]
            found[:, c] -= x.dtype.type(ctx.factor) * x[:, c] * total
            total -= ratios[:, c]
        return constant(found), None, None, None, None
