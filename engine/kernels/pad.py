"""Padding that repeats what is there: mirrored at the edge, or the edge itself.

A padded dimension is a gather: output position → input position. The gradient is the sum over the positions that a
value was copied to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.scatter_add import add_along
from engine.limits import meter
from engine.types.shapes import Ints


def _mirrored(extent: int, before: int, after: int) -> Any:
    positions = np.abs(np.arange(-before, extent + after))
    return np.where(positions >= extent, 2 * (extent - 1) - positions, positions)


def _clamped(extent: int, before: int, after: int) -> Any:
    return np.clip(np.arange(-before, extent + after), 0, extent - 1)


def _check(x: Any, padding: Ints, reflect: bool) -> None:
    rank = len(padding) // 2
    if x.ndim not in (rank + 1, rank + 2) or not all(x.shape[x.ndim - rank - 1 :]):
        raise errors.pad_dimensions(rank, x.shape)
    for number in range(rank):
        dim = x.ndim - 1 - number
        pair = padding[2 * number : 2 * number + 2]
        if reflect and max(pair) >= x.shape[dim]:
            raise errors.pad_reflection(4 + 2 * number, pair, dim, x.shape)
    after = [x.shape[-1 - number] + padding[2 * number] + padding[2 * number + 1] for number in range(rank)]
    if max(after) < 1 and (rank == 1 or rank == 2 and not reflect):
        raise errors.pad_too_small(x.shape[x.ndim - rank :], after[::-1])
    if min(after) < 0 and not reflect:
        raise errors.negative_dimension(min(after), (*x.shape[: x.ndim - rank], *after[::-1]))


def _pad(source: Callable[[int, int, int], Any], reflect: bool) -> Callable[[Any, Ints], Any]:
    def pad_kernel(x: Any, padding: Ints) -> Any:
        _check(x, padding, reflect)
        for number in range(len(padding) // 2):
            axis = x.ndim - 1 - number
            extent = x.shape[axis] + padding[2 * number] + padding[2 * number + 1]
            made = x.size // max(x.shape[axis], 1) * extent
            meter.reserve(max(made, extent), 8)
            meter.charge(max(made, 0) >> 9)
            x = x.take(source(x.shape[axis], padding[2 * number], padding[2 * number + 1]), axis)
        return x

    return pad_kernel


def _pad_backward(source: Callable[[int, int, int], Any]) -> Callable[[Any, Any, Ints], Any]:
    def pad_backward_kernel(g: Any, x: Any, padding: Ints) -> Any:
        for number in range(len(padding) // 2):
            axis = x.ndim - 1 - number
            positions = source(x.shape[axis], padding[2 * number], padding[2 * number + 1])
            total = np.zeros((*g.shape[:axis], x.shape[axis], *g.shape[axis + 1 :]), g.dtype)
            add_along(total, axis, positions, g)
            g = total
        return g

    return pad_backward_kernel


reflect_kernel, reflect_backward_kernel = _pad(_mirrored, True), _pad_backward(_mirrored)
replicate_kernel, replicate_backward_kernel = _pad(_clamped, False), _pad_backward(_clamped)
for _name in ("reflect_kernel", "reflect_backward_kernel", "replicate_kernel", "replicate_backward_kernel"):
    _function = globals()[_name]
    _function.__name__ = _name
    kernel(_function)
