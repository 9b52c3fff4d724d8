"""Convolution in which every channel has a kernel of its own: too little work for a matrix product.

The kernel's places are visited one after the other, each multiplying the whole shifted image: x (N, C, …) with zeros
around it, weight (C, 1, kernel …), g and result (N, C, positions …).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from engine.types.shapes import Ints


def _places(window: Ints, size: Ints, stride: Ints, dilation: Ints) -> Iterator[tuple[Ints, Any]]:
    """Each place in the kernel, and the index of what it meets at all positions."""
    for offset in product(*map(range, window)):
        yield (
            offset,
            (
                slice(None),
                slice(None),
                *[
                    slice(o * d, o * d + (n - 1) * t + 1, t)
                    for o, d, n, t in zip(offset, dilation, size, stride, strict=True)
                ],
            ),
        )


def _factors(weight: Any, offset: Ints, ndim: int) -> Any:
    return weight[(slice(None), 0, *offset)].reshape(-1, *(1,) * (ndim - 2))


def forward(x: Any, weight: Any, size: Ints, stride: Ints, dilation: Ints) -> Any:
    """The convolution of an image with its margins."""
    out = np.zeros((*x.shape[:2], *size), x.dtype)
    part = np.empty_like(out)
    for offset, index in _places(weight.shape[2:], size, stride, dilation):
        np.multiply(x[index], _factors(weight, offset, x.ndim), out=part)
        out += part
    return out


def input_gradient(g: Any, weight: Any, shape: Ints, stride: Ints, dilation: Ints) -> Any:
    """What reaches an image of `shape`, margins included."""
    image = np.zeros(shape, g.dtype)
    part = np.empty_like(g, order="C")
    for offset, index in _places(weight.shape[2:], g.shape[2:], stride, dilation):
        np.multiply(g, _factors(weight, offset, g.ndim), out=part)
        image[index] += part
    return image


def weight_gradient(g: Any, x: Any, shape: Ints, stride: Ints, dilation: Ints) -> Any:
    """What reaches a weight of `shape` from an image with its margins."""
    total = np.empty(shape, g.dtype)
    n, c = g.shape[:2]
    rows = np.ascontiguousarray(g).reshape(n, c, -1)
    for offset, index in _places(shape[2:], g.shape[2:], stride, dilation):
        place: Any = (slice(None), 0, *offset)
        total[place] = np.add.reduce(np.vecdot(x[index].reshape(n, c, -1), rows), axis=0)
    return total
