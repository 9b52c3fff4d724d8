"""Resizing of images in one to three dimensions.

All methods work on one dimension after the other: an output element is a weighted sum of a few input elements along
it, its taps. The gradient sends each output's gradient back to its taps with the same weights.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.scatter_add import add_along
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints

Scales = tuple[float | None, ...]


class Taps(NamedTuple):
    """For each of `count` outputs: positions in the input (count, taps) and their weights; None for a single 1."""

    positions: Any
    weights: Any


def _scale(extent: int, count: int, corners: bool, given: float | None, dtype: Any) -> Any:
    """Input elements per output element. `given` is the program's factor, which need not be the ratio of sizes."""
    if corners:
        return dtype.type(extent - 1) / dtype.type(count - 1) if count > 1 else dtype.type(0)
    if given is not None and given > 0:
        return dtype.type(1 / given)
    return dtype.type(extent) / dtype.type(count)


def _centers(count: int, scale: Any, corners: bool) -> Any:
    numbers = np.arange(count).astype(scale.dtype)
    return numbers * scale if corners else (numbers + scale.dtype.type(0.5)) * scale - scale.dtype.type(0.5)


def _cubic_near(x: Any, a: float) -> Any:
    return ((a + 2) * x - (a + 3)) * x * x + 1


def _cubic_far(x: Any, a: float) -> Any:
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


def _triangle(x: Any) -> Any:
    return np.maximum(0, 1 - np.abs(x))


def _cubic(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x < 1, _cubic_near(x, -0.5), np.where(x < 2, _cubic_far(x, -0.5), 0))


def _lanczos(x: Any) -> Any:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


_FILTERS = {"linear-aa": (_triangle, 2), "cubic-aa": (_cubic, 4), "lanczos-aa": (_lanczos, 6)}


@lru_cache(maxsize=128)
def taps(method: str, extent: int, count: int, corners: bool, given: float | None, dtype: Any) -> Taps:
    """Taps of `count` outputs over `extent` inputs. `corners` puts the outermost centers on each other."""
    scale = _scale(extent, count, corners, given, dtype)
    last = extent - 1
    if method == "nearest":
        if count == extent:
            return Taps(np.arange(count)[:, None], None)
        return Taps(np.minimum(np.floor(np.arange(count).astype(dtype) * scale).astype(int), last)[:, None], None)
    if method == "nearest-exact":
        centers = (np.arange(count) + 0.5).astype(dtype) * scale
        return Taps(np.minimum(np.floor(centers).astype(int), last)[:, None], None)
    if method in _FILTERS:
        return _filtered(method, extent, count, scale)
    centers = _centers(count, scale, corners)
    if method == "linear":
        centers = np.maximum(centers, 0)
        first = np.minimum(np.floor(centers).astype(int), last)
        share = np.clip(centers - first.astype(dtype), 0, 1).astype(dtype)
        return Taps(np.stack([first, np.minimum(first + 1, last)], 1), np.stack([1 - share, share], 1))
    first = np.minimum(np.floor(centers).astype(int), last)
    share = np.clip(centers - first.astype(dtype), 0, 1).astype(dtype)
    weights = [
        _cubic_far(share + 1, -0.75),
        _cubic_near(share, -0.75),
        _cubic_near(1 - share, -0.75),
        _cubic_far(2 - share, -0.75),
    ]
    return Taps(np.clip(first[:, None] + np.arange(-1, 3), 0, last), np.stack(weights, 1).astype(dtype))


def _filtered(method: str, extent: int, count: int, scale: Any) -> Taps:
    """Antialiasing: when shrinking, the filter is as wide as the output's pixels."""
    function, width = _FILTERS[method]
    stretch = max(float(scale), 1.0)
    reach = width * 0.5 * stretch
    centers = float(scale) * (np.arange(count) + 0.5)
    starts = np.maximum((centers - reach + 0.5).astype(int), 0)
    ends = np.minimum((centers + reach + 0.5).astype(int), extent)
    positions = starts[:, None] + np.arange(max(1, int((ends - starts).max())))
    weights = function((positions - centers[:, None] + 0.5) / stretch)
    weights[positions >= ends[:, None]] = 0
    total = weights.sum(1, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return Taps(np.minimum(positions, extent - 1), weights.astype(scale.dtype))


def _gathered(x: Any, axis: int, positions: Any, weights: Any) -> Any:
    if weights is None:
        return x.take(positions[:, 0], axis)
    shape = (-1, *(1,) * (x.ndim - axis - 1))
    total = x.take(positions[:, 0], axis) * weights[:, 0].reshape(shape)
    for number in range(1, positions.shape[1]):
        total += x.take(positions[:, number], axis) * weights[:, number].reshape(shape)
    return total


def _scattered(g: Any, axis: int, extent: int, positions: Any, weights: Any) -> Any:
    total = np.zeros((*g.shape[:axis], extent, *g.shape[axis + 1 :]), g.dtype)
    for number in range(positions.shape[1]):
        share = g if weights is None else g * weights[:, number].reshape(-1, *(1,) * (g.ndim - axis - 1))
        add_along(total, axis, positions[:, number], share)
    return total


_NAMES = {"nearest": "nearest", "nearest-exact": "nearest", "linear": "linear"}


def _check(x: Any, size: Ints, method: str) -> None:
    spatial, rank = x.shape[2:], len(size)
    if min(*spatial, *size) <= 0:
        raise errors.resize_empty(spatial, size)
    if 0 in x.shape[1:]:
        raise errors.resize_no_data(x.shape)
    if x.dtype.kind not in dtypes.FLOATING and x.dtype != np.uint8:
        name = _NAMES.get(method, "cubic")
        if rank == 2 and name != "cubic" and (x.shape[1] <= 3):
            kind = f"upsample_{'bi' if name == 'linear' else ''}{name}2d_channels_last"
        else:
            kind = f"compute_indices_weights_{name}"
        raise errors.not_implemented_for(kind, dtypes.of(x.dtype).type_name)


def _computed_in(dtype: Any) -> Any:
    return np.dtype(np.float64) if dtype == np.float64 else np.dtype(np.float32)


@kernel
def resize_kernel(x: Any, method: str, size: Ints, corners: bool, scales: Scales) -> Any:
    """(N, C, …) resized to `size`."""
    _check(x, size, method)
    meter.allocate(math.prod(x.shape[:2]) * math.prod(size), x.itemsize)
    dtype = _computed_in(x.dtype)
    out = x if method.startswith("nearest") else x.astype(dtype, copy=False)
    for axis in range(x.ndim - 1, 1, -1):
        positions, weights = taps(method, x.shape[axis], size[axis - 2], corners, scales[axis - 2], dtype)
        meter.work(out.size * positions.shape[1])
        out = _gathered(out, axis, positions, weights)
    if x.dtype == np.uint8 and out.dtype != x.dtype:
        out = np.clip(np.floor(out + 0.5), 0, 255)
    return np.ascontiguousarray(out.astype(x.dtype, copy=False))


@kernel
def resize_backward_kernel(g: Any, method: str, shape: Ints, corners: bool, scales: Scales) -> Any:
    """What reaches an input of `shape` from the gradient of `resize_kernel`'s result."""
    meter.allocate(math.prod(shape), g.itemsize)
    dtype = _computed_in(g.dtype)
    total = g.astype(dtype, copy=False)
    for axis in range(2, g.ndim):
        positions, weights = taps(method, shape[axis], g.shape[axis], corners, scales[axis - 2], dtype)
        meter.work(total.size * positions.shape[1])
        total = _scattered(total, axis, shape[axis], positions, weights)
    return np.ascontiguousarray(total.astype(g.dtype, copy=False))
