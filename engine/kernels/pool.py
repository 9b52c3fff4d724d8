"""Pooling over windows of two or three dimensions; one-dimensional pooling is composed of it.

A window is walked offset by offset: each offset is one strided slice of the (padded) image, as large as the output.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints


def pooled_size(size: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Ints:
    """Output positions; with `ceil_mode` a window may hang over the far edge, but not start beyond it."""
    result = []
    for s, k, t, p, d in zip(size, window, stride, padding, dilation, strict=True):
        count = (s + 2 * p - d * (k - 1) - 1 + (t - 1 if ceil_mode else 0)) // t + 1
        if ceil_mode and (count - 1) * t >= s + p:
            count -= 1
        result.append(count)
    return tuple(result)


def check_pool(x: Any, window: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Ints:
    """The output size. RuntimeError when the arguments do not fit the image."""
    rank = len(window)
    if x.ndim not in (rank + 1, rank + 2):
        raise errors.pool_dimensions(rank)
    if 0 in stride:
        raise errors.pool_stride()
    size = x.shape[-rank:]
    for p, k, d in zip(padding, window, dilation, strict=True):
        if p < 0:
            raise errors.pool_negative_padding(p)
        if p > int((d * (k - 1) + 1) / 2):
            raise errors.pool_padding(p, k, d)
    options = (("kernel size", "k", window), ("stride", "d", stride), ("dilation", "dilation", dilation))
    for name, letter, values in options:
        if min(values) <= 0:
            raise errors.pool_positive(name, letter, values)
    if 0 in x.shape[-rank - 1 :]:
        raise errors.pool_input(rank, x.shape)
    result = pooled_size(size, window, stride, padding, dilation, ceil_mode)
    if min(result) < 1:
        channels = x.shape[-rank - 1]
        raise errors.pool_too_small((channels, *size), (channels, *result))
    return result


def _surrounded(x: Any, fill: Any, size: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """The image with `fill` around it, as far as windows reach."""
    rank = len(window)
    spatial = x.shape[-rank:]
    reach = [(o - 1) * t + d * (k - 1) + 1 for o, k, t, d in zip(size, window, stride, dilation, strict=True)]
    after = [max(0, r - s - p) for r, s, p in zip(reach, spatial, padding, strict=True)]
    if not any(padding) and not any(after):
        return x
    shape = (*x.shape[:-rank], *(s + p + a for s, p, a in zip(spatial, padding, after, strict=True)))
    meter.allocate(math.prod(shape), x.itemsize)
    out = np.full(shape, fill, x.dtype)
    inside: Any = (..., *(slice(p, p + s) for s, p in zip(spatial, padding, strict=True)))
    out[inside] = x
    return out


def _offsets(size: Ints, window: Ints, stride: Ints, dilation: Ints) -> Iterator[tuple[Ints, Any]]:
    """Each offset within the window, and the index of what lies there for all output positions."""
    for offset in product(*map(range, window)):
        yield (
            offset,
            (
                ...,
                *(
                    slice(o * d, o * d + (n - 1) * t + 1, t)
                    for o, n, t, d in zip(offset, size, stride, dilation, strict=True)
                ),
            ),
        )


def _grid(values: list[Any], spatial: Ints) -> Any:
    """Flat positions in an image plane from one array of coordinates for each dimension."""
    rank = len(spatial)
    total: Any = 0
    for dim, coordinates in enumerate(values):
        total = total + coordinates.reshape(-1, *(1,) * (rank - dim - 1)) * math.prod(spatial[dim + 1 :])
    return total


def lowest(dtype: Any) -> Any:
    """What every value is at least."""
    return -np.inf if dtype.kind in dtypes.FLOATING else np.iinfo(dtype).min


@kernel
def max_pool_kernel(
    x: Any, window: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
) -> tuple[Any, Any]:
    """Largest values of all windows, and where they are in their plane: the first of equals, the last of NaNs."""
    stride = stride or window
    size = check_pool(x, window, stride, padding, dilation, ceil_mode)
    if x.dtype.kind == "b":
        raise errors.not_implemented_for(f"max_pool{len(window)}d", "Bool")
    rank, spatial = len(window), x.shape[-len(window) :]
    meter.charge(2 * math.prod(window))
    meter.work(4 * math.prod(window) * math.prod(size) * math.prod(x.shape[:-rank]))
    around = _surrounded(x, lowest(x.dtype), size, window, stride, padding, dilation)
    look = _windows if math.prod(size) <= _KEPT else _windows.__wrapped__
    places, shifts, corners, inside = look(spatial, size, window, stride, padding, dilation)
    numbers = np.uint8 if len(places) <= 256 else np.uint32
    values = np.array(around[places[0]], order="C")
    which = np.zeros(values.shape, numbers)
    for number in range(1, len(places)):
        part = np.ascontiguousarray(around[places[number]])
        better = part > values
        # Offsets come in ascending order, so the last one that was better is the largest number.
        np.maximum(which, better.view(np.uint8) * numbers(number), out=which)
        np.maximum(values, part, out=values)
    if x.dtype.kind in dtypes.FLOATING and np.isnan(values).any():
        for number, index in enumerate(places):
            which[np.isnan(around[index])] = number
    indices = np.take(shifts, which)
    indices += corners
    if any(padding):  # what is found outside lies in a window of nothing but lowest values
        np.copyto(indices, inside, where=values == lowest(x.dtype))
    return values, indices


_KEPT = 1 << 14
"""Windows of a plane up to which it is remembered where they are."""


@lru_cache(maxsize=16)
def _windows(
    spatial: Ints, size: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints
) -> tuple[list[Any], Any, Any, Any]:
    """The windows of an image plane: the index of what lies at each offset, how far that is from the corner as flat
    positions, and the flat positions of all corners, and of the first elements that are inside the image."""
    offsets, places = zip(*_offsets(size, window, stride, dilation), strict=True)
    steps = [math.prod(spatial[dim + 1 :]) for dim in range(len(window))]
    shifts = [sum(o * d * step for o, d, step in zip(offset, dilation, steps, strict=True)) for offset in offsets]
    starts = [np.arange(n) * t - p for n, t, p in zip(size, stride, padding, strict=True)]
    inside = [s + d * np.maximum(0, -(s // d)) for s, d in zip(starts, dilation, strict=True)]
    return list(places), np.array(shifts), _grid(starts, spatial), _grid(inside, spatial)


@kernel
def scatter_planes(g: Any, indices: Any, shape: Ints, rank: int) -> Any:
    """Zeros of `shape` in which every plane collects `g` at the flat positions `indices`."""
    planes, extent = math.prod(shape[:-rank]), math.prod(shape[-rank:])
    flat = indices.reshape(planes, math.prod(indices.shape[-rank:])) + np.arange(planes)[:, None] * extent
    meter.reserve(planes * extent, g.itemsize)
    costs.charge(planes * extent + 4 * g.size, 1)
    total = np.zeros(planes * extent, g.dtype)
    np.add.at(total, flat.ravel(), g.ravel())
    return total.reshape(shape)


@kernel
def max_unpool_kernel(x: Any, indices: Any, size: Ints) -> Any:
    """Values put back where max pooling found them, zeros elsewhere."""
    rank = len(size)
    extent = math.prod(size)
    wrong = (indices < 0) | (indices >= extent)
    if wrong.any():
        raise errors.unpool_index(int(indices[wrong].flat[0]), size)
    planes = math.prod(x.shape[:-rank])
    meter.allocate(planes * extent, x.itemsize)
    meter.charge(x.size >> 7)
    out = np.zeros((planes, extent), x.dtype)
    np.put_along_axis(out, indices.reshape(planes, -1), x.reshape(planes, -1), 1)
    return out.reshape(*x.shape[:-rank], *size)


def _divisors(
    spatial: Ints, size: Ints, window: Ints, stride: Ints, padding: Ints, count_include_pad: bool, override: Any
) -> Any:
    """By what each window's sum is divided."""
    if override is not None:
        if not override:
            raise errors.pool_divisor()
        return float(override)
    counts = []
    for s, n, k, t, p in zip(spatial, size, window, stride, padding, strict=True):
        start = np.arange(n) * t - p
        end = np.minimum(start + k, s + p)
        counts.append(end - start if count_include_pad else np.minimum(end, s) - np.maximum(start, 0))
    if all((count == count[0]).all() for count in counts):
        return float(math.prod(int(count[0]) for count in counts))
    total: Any = 1
    for dim, count in enumerate(counts):
        total = total * count.reshape(-1, *(1,) * (len(counts) - dim - 1))
    return total


@kernel
def avg_pool_kernel(
    x: Any,
    window: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Any:
    stride, ones = stride or window, (1,) * len(window)
    size = check_pool(x, window, stride, padding, ones, ceil_mode)
    if x.dtype.kind == "b":
        raise errors.not_implemented_for(f"avg_pool{len(window)}d", "Bool")
    spatial = x.shape[-len(window) :]
    divisor = _divisors(spatial, size, window, stride, padding, count_include_pad, divisor_override)
    meter.charge(2 * math.prod(window))
    meter.work(4 * math.prod(window) * math.prod(size) * math.prod(x.shape[: -len(window)]))
    around = _surrounded(x, 0, size, window, stride, padding, ones)
    parts = (around[index] for _, index in _offsets(size, window, stride, ones))
    total = next(parts).copy()
    for part in parts:
        total += part
    if x.dtype.kind not in dtypes.FLOATING:
        return (total // divisor).astype(x.dtype)
    total /= divisor if isinstance(divisor, float) else divisor.astype(x.dtype)
    return total


@kernel
def avg_pool_backward_kernel(
    g: Any,
    x: Any,
    window: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Any:
    stride, rank = stride or window, len(window)
    spatial, size = x.shape[-rank:], g.shape[-rank:]
    divisor = _divisors(spatial, size, window, stride, padding, count_include_pad, divisor_override)
    share = g / divisor if isinstance(divisor, float) else g / divisor.astype(g.dtype)
    reach = [max(s + p, (n - 1) * t + k) for s, p, n, t, k in zip(spatial, padding, size, stride, window, strict=True)]
    meter.charge(2 * math.prod(window))
    meter.work(4 * math.prod(window) * g.size)
    meter.reserve(math.prod(x.shape[:-rank]) * math.prod(reach), g.itemsize)
    image = np.zeros((*x.shape[:-rank], *reach), g.dtype)
    for _, index in _offsets(size, window, stride, (1,) * rank):
        image[index] += share
    within: Any = (..., *(slice(p, p + s) for s, p in zip(spatial, padding, strict=True)))
    inside = image[within]
    return inside if inside.shape == image.shape else inside.copy()


def bins(extent: int, count: int) -> list[tuple[int, int]]:
    """Start and end of each of `count` windows over `extent` elements; neighbours may overlap."""
    return [(i * extent // count, -(-(i + 1) * extent // count)) for i in range(count)]


def _averaging(extent: int, count: int, dtype: Any) -> Any:
    matrix = np.zeros((count, extent), dtype)
    for row, (start, end) in enumerate(bins(extent, count)):
        matrix[row, start:end] = 1 / (end - start)
    return matrix


def _charge_along(x: Any, axis: int, count: int) -> None:
    """Check and charge a pass that gives an axis `count` elements."""
    extent = x.shape[axis]
    made = x.size // max(extent, 1) * count
    meter.reserve(made, x.itemsize)
    meter.reserve(count * extent, x.itemsize)
    meter.charge((count >> 2) + (x.size + made >> 8))
    meter.product(x.size // max(extent, 1), extent, count, x.dtype)


def _along(x: Any, axis: int, matrix: Any) -> Any:
    return np.moveaxis(np.moveaxis(x, axis, -1) @ matrix.T, -1, axis)


def check_gradient(function: str, g: Any, rank: int) -> None:
    """RuntimeError for a gradient (N, C, …) without places."""
    for dim in range(g.ndim - rank, g.ndim):
        if not g.shape[dim]:
            raise errors.adaptive_empty(function, g.shape, dim, "grad_output")


@kernel
def adaptive_avg_pool_kernel(x: Any, size: Ints) -> Any:
    rank = len(size)
    if x.dtype.kind not in dtypes.FLOATING:
        raise errors.not_implemented_for(f"adaptive_avg_pool{rank}d", dtypes.of(x.dtype).type_name)
    for axis in range(-rank, 0):
        _charge_along(x, axis, size[axis])
        x = _along(x, axis, _averaging(x.shape[axis], size[axis], x.dtype))
    return np.ascontiguousarray(x)


@kernel
def adaptive_avg_pool_backward_kernel(g: Any, x: Any, rank: int) -> Any:
    check_gradient(f"adaptive_avg_pool{rank}d_backward", g, rank)
    for axis in range(-rank, 0):
        _charge_along(g, axis, x.shape[axis])
        g = _along(g, axis, _averaging(x.shape[axis], g.shape[axis], g.dtype).T)
    return np.ascontiguousarray(g)


@kernel
def adaptive_max_pool_kernel(x: Any, size: Ints) -> tuple[Any, Any]:
    rank, spatial = len(size), x.shape[-len(size) :]
    if x.dtype.kind in "iub":
        raise errors.not_implemented_for(f"adaptive_max_pool{rank}d", dtypes.of(x.dtype).type_name)
    cells, planes = math.prod(size), math.prod(x.shape[:-rank])
    meter.reserve(cells * planes, 8)
    meter.charge(cells * 8 + (cells * planes >> 5) + (x.size >> 6))
    values = np.empty((*x.shape[:-rank], *size), x.dtype)
    indices = np.empty(values.shape, np.int64)
    if not planes:
        return values, indices
    positions = np.arange(math.prod(spatial)).reshape(spatial)
    windows = [list(enumerate(bins(s, n))) for s, n in zip(spatial, size, strict=True)]
    for cell in product(*windows):
        place: Any = (..., *(index for index, _ in cell))
        part: Any = tuple(slice(start, end) for _, (start, end) in cell)
        flat = x[(..., *part)].reshape(*x.shape[:-rank], -1)
        best = flat.argmax(-1)
        values[place] = np.take_along_axis(flat, best[..., None], -1)[..., 0]
        indices[place] = positions[part].ravel()[best]
    return values, indices


@kernel
def adaptive_max_pool_backward_kernel(g: Any, x: Any, indices: Any, rank: int) -> Any:
    check_gradient(f"adaptive_max_pool{rank}d_backward", g, rank)
    return scatter_planes(g, indices, x.shape, rank)
