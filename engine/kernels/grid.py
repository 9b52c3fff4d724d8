"""Sampling an image at the places of a grid, and grids made by affine maps.

A place in a grid has one coordinate for each spatial dimension, the last dimension first, from -1 to 1 across the
image. Along each dimension a sample is a weighted sum of a few pixels, its taps: two for linear interpolation, one for
the nearest pixel, four for cubic. Shapes: image (N, C, …), grid (N, …, rank), P places per grid, T taps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints

LINEAR, NEAREST, CUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2
CUBIC_SLOPE = -0.75
_TAP = 6
"""Steps that a neighbour of all places costs, beyond its arithmetic."""


class Axis(NamedTuple):
    """The samples along one dimension: arrays (N, P, T), and pixels per unit of the grid (N, P).

    `slopes` and `bends` are the first and second derivatives of the weights along the dimension.
    """

    positions: Any
    inside: Any
    weights: Any
    slopes: Any
    bends: Any
    pixels: Any


def _reflected(x: Any, low: float, high: float) -> tuple[Any, Any]:
    """`x` mirrored at `low` and `high` until it lies between, and the sign of its slope."""
    if low == high:
        return np.zeros_like(x), np.zeros_like(x)
    span = x.dtype.type(high - low)
    away = x - x.dtype.type(low)
    sign = np.where(away < 0, -1, 1).astype(x.dtype)
    away = np.abs(away)
    rest, flips = np.fmod(away, span), np.floor(away / span)
    even = flips % 2 == 0
    return np.where(even, rest, span - rest) + x.dtype.type(low), np.where(even, sign, -sign)


def _within(x: Any, extent: int, padding: int, corners: bool) -> tuple[Any, Any]:
    """Coordinates moved into the image as `padding` wants it, and the slope of that."""
    slope = np.ones_like(x)
    if padding == ZEROS:
        return x, slope
    if padding == REFLECTION:
        x, slope = _reflected(x, *((0, extent - 1) if corners else (-0.5, extent - 0.5)))
    slope = np.where((x > 0) & (x < extent - 1), slope, 0)
    return np.clip(np.nan_to_num(x, nan=0), 0, extent - 1), slope


def _cubic(t: Any) -> tuple[Any, Any, Any]:
    """Weights of four neighbours at offset `t` from the second, and their first two derivatives."""
    a = CUBIC_SLOPE
    far = np.stack([t + 1, 2 - t], -1)
    near = np.stack([t, 1 - t], -1)
    outer = ((a * far - 5 * a) * far + 8 * a) * far - 4 * a
    inner = ((a + 2) * near - (a + 3)) * near * near + 1
    sign = np.array([1, -1], t.dtype)
    outer_slope = ((3 * a * far - 10 * a) * far + 8 * a) * sign
    inner_slope = (3 * (a + 2) * near - 2 * (a + 3)) * near * sign
    outer_bend, inner_bend = 6 * a * far - 10 * a, 6 * (a + 2) * near - 2 * (a + 3)

    def order(ends: Any, middle: Any) -> Any:
        return np.stack([ends[..., 0], middle[..., 0], middle[..., 1], ends[..., 1]], -1).astype(t.dtype, copy=False)

    return order(outer, inner), order(outer_slope, inner_slope), order(outer_bend, inner_bend)


def _axis(grid: Any, extent: int, mode: int, padding: int, corners: bool) -> Axis:
    """The samples of coordinates (N, P) along a dimension of `extent` pixels."""
    scalar = grid.dtype.type
    pixels = (extent - 1) / 2 if corners else extent / 2
    x = (grid + 1) / scalar(2) * scalar(extent - 1) if corners else ((grid + 1) * scalar(extent) - 1) / scalar(2)
    slope = np.ones_like(x)
    if mode != CUBIC:
        x, slope = _within(x, extent, padding, corners)
    if mode == NEAREST:
        positions = np.rint(x)[..., None]
        weights = np.ones_like(positions)
        slopes = bends = np.zeros_like(positions)
    else:
        first = np.floor(x)
        t = x - first
        positions = first[..., None] + np.arange(-1 if mode == CUBIC else 0, 3 if mode == CUBIC else 2)
        if mode == LINEAR:
            weights = np.stack([1 - t, t], -1)
            slopes = np.broadcast_to(np.array([-1, 1], x.dtype), weights.shape)
            bends = np.zeros_like(weights)
        else:
            weights, slopes, bends = _cubic(t)
            if padding != ZEROS:
                positions, _ = _within(positions, extent, padding, corners)
    inside = (positions >= 0) & (positions < extent)
    whole = np.where(inside, positions, 0).astype(np.int64)
    return Axis(whole, inside, weights, slopes, bends, slope * scalar(pixels))


class Tap(NamedTuple):
    """One pixel of each sample: flat position and weight (N, P), and derivatives of the weight along dimensions."""

    position: Any
    weight: Any
    slopes: list[Any]
    bends: list[list[Any]]


def _axes(image: Any, grid: Any, mode: int, padding: int, corners: bool) -> list[Axis]:
    """Samples along every spatial dimension of the image, in its order."""
    spatial = image.shape[2:]
    places = grid.reshape(grid.shape[0], -1, len(spatial))
    return [
        _axis(places[..., len(spatial) - 1 - dim], extent, mode, padding, corners) for dim, extent in enumerate(spatial)
    ]


def _taps(axes: list[Axis], spatial: Ints, derivatives: int = 0) -> Iterator[Tap]:
    rank = len(axes)
    for choice in product(*(range(axis.weights.shape[-1]) for axis in axes)):
        position: Any = 0
        inside: Any = True
        for axis, number, extent in zip(axes, choice, spatial, strict=True):
            position = position * extent + axis.positions[..., number]
            inside = inside & axis.inside[..., number]

        def weight(orders: list[int], choice: tuple[int, ...] = choice, inside: Any = inside) -> Any:
            total: Any = inside
            for axis, number, order in zip(axes, choice, orders, strict=True):
                total = (axis.weights, axis.slopes, axis.bends)[order][..., number] * total
            return total

        unit = [[int(i == dim) for i in range(rank)] for dim in range(rank)]
        slopes = [weight(unit[dim]) for dim in range(rank)] if derivatives else []
        bends = (
            [[weight([a + b for a, b in zip(unit[i], unit[j], strict=True)]) for j in range(rank)] for i in range(rank)]
            if derivatives > 1
            else []
        )
        yield Tap(position, weight([0] * rank), slopes, bends)


def _pixels(image: Any, position: Any) -> Any:
    """What lies at flat positions (N, P): (N, C, P)."""
    flat = image.reshape(*image.shape[:2], -1)
    index = np.broadcast_to(position[:, None], (*image.shape[:2], position.shape[1]))
    return np.take_along_axis(flat, index, 2)


def _collect(total: Any, position: Any, values: Any) -> None:
    """Add values (N, C, P) at flat positions (N, P) of an image."""
    n, c = total.shape[:2]
    planes = total.reshape(n * c, -1)
    rows = np.arange(n * c)[:, None] * planes.shape[1]
    index = rows + np.broadcast_to(position[:, None], values.shape).reshape(n * c, -1)
    np.add.at(planes.reshape(-1), index.reshape(-1), values.reshape(-1))


def _check(image: Any, grid: Any, mode: int) -> None:
    if image.shape[:1] != grid.shape[:1]:
        raise errors.grid_batch(image.shape, grid.shape)
    if grid.shape[-1] != image.ndim - 2:
        raise errors.grid_last(image.ndim - 2, grid.shape)
    for dim in range(2, image.ndim):
        if image.shape[dim] <= 0:
            raise errors.grid_empty(image.shape, dim)
    if image.ndim not in (4, 5) or image.ndim != grid.ndim:
        raise errors.grid_dimensions(image.shape, grid.shape)
    if mode == CUBIC and image.ndim == 5:
        raise errors.grid_cubic()
    if image.dtype != grid.dtype:
        raise errors.expected_scalar_type(dtypes.of(image.dtype).type_name, dtypes.of(grid.dtype).type_name)


@kernel
def grid_sampler_kernel(image: Any, grid: Any, mode: int, padding: int, corners: bool) -> Any:
    """Samples (N, C, …) at every place of the grid."""
    _check(image, grid, mode)
    shape = (*image.shape[:2], *grid.shape[1:-1])
    meter.allocate(math.prod(shape), image.itemsize)
    out = np.zeros((*image.shape[:2], math.prod(grid.shape[1:-1])), image.dtype)
    for tap in _taps(_axes(image, grid, mode, padding, corners), image.shape[2:]):
        meter.charge(_TAP + (out.size >> 14))
        out += _pixels(image, tap.position) * tap.weight[:, None]
    return out.reshape(shape)


@kernel
def grid_sampler_backward_kernel(
    g: Any, image: Any, grid: Any, mode: int, padding: int, corners: bool, wanted: tuple[bool, ...]
) -> tuple[Any, Any]:
    """Gradients of the image and of the grid, None where not wanted."""
    rank = image.ndim - 2
    flat = g.reshape(*g.shape[:2], -1)
    axes = _axes(image, grid, mode, padding, corners)
    meter.allocate(image.size + grid.size, image.itemsize)
    to_image = np.zeros(image.shape, image.dtype) if wanted[0] else None
    to_places = np.zeros((*flat.shape[::2], rank), image.dtype)
    for tap in _taps(axes, image.shape[2:], 1):
        meter.charge(3 * _TAP + (flat.size * (rank + 1) >> 14))
        if to_image is not None:
            _collect(to_image, tap.position, flat * tap.weight[:, None])
        if wanted[1]:
            product_ = (flat * _pixels(image, tap.position)).sum(1)
            for dim in range(rank):
                to_places[..., rank - 1 - dim] += product_ * tap.slopes[dim]
    for dim in range(rank):
        to_places[..., rank - 1 - dim] *= axes[dim].pixels
    return to_image, to_places.reshape(grid.shape) if wanted[1] else None


@kernel
def grid_sampler_double_backward_kernel(
    g: Any, image: Any, grid: Any, mode: int, padding: int, corners: bool, to_image: Any, to_grid: Any
) -> tuple[Any, Any, Any]:
    """What gradients of `grid_sampler_backward_kernel`'s results pass on to its gradient, its image and its grid."""
    rank = image.ndim - 2
    flat = g.reshape(*g.shape[:2], -1)
    axes = _axes(image, grid, mode, padding, corners)
    meter.allocate(image.size + grid.size + g.size, image.itemsize)
    on_g, on_image = np.zeros_like(flat), np.zeros(image.shape, image.dtype)
    on_places = np.zeros((*flat.shape[::2], rank), image.dtype)
    moved = None
    if to_grid is not None:
        places = to_grid.reshape(*flat.shape[::2], rank)
        moved = [places[..., rank - 1 - dim] * axes[dim].pixels for dim in range(rank)]
    for tap in _taps(axes, image.shape[2:], 2):
        meter.charge(6 * _TAP + (flat.size * (rank + 1) ** 2 >> 14))
        pixels = _pixels(image, tap.position)
        if to_image is not None:
            tangent = _pixels(to_image, tap.position)
            on_g += tangent * tap.weight[:, None]
            along = (flat * tangent).sum(1)
            for dim in range(rank):
                on_places[..., rank - 1 - dim] += along * tap.slopes[dim]
        if moved is not None:
            change = sum(moved[dim] * tap.slopes[dim] for dim in range(rank))
            on_g += pixels * change[:, None]
            _collect(on_image, tap.position, flat * change[:, None])
            product_ = (flat * pixels).sum(1)
            for dim in range(rank):
                bend = sum(moved[other] * tap.bends[other][dim] for other in range(rank))
                on_places[..., rank - 1 - dim] += product_ * bend
    for dim in range(rank):
        on_places[..., rank - 1 - dim] *= axes[dim].pixels
    return on_g.reshape(g.shape), on_image, on_places.reshape(grid.shape)


def _coordinates(count: int, corners: bool, dtype: Any) -> Any:
    if count <= 1:
        return np.zeros(1, dtype)
    steps = np.linspace(-1, 1, count).astype(dtype)
    return steps if corners else steps * dtype.type(count - 1) / dtype.type(count)


def _base(spatial: Ints, corners: bool, dtype: Any) -> Any:
    """Homogeneous coordinates of all pixels, (P, rank + 1), the last dimension first."""
    axes = np.meshgrid(*(_coordinates(s, corners, dtype) for s in spatial), indexing="ij")
    return np.stack([*axes[::-1], np.ones_like(axes[0])], -1).reshape(-1, len(spatial) + 1)


@kernel
def affine_grid_kernel(theta: Any, size: Ints, corners: bool) -> Any:
    """Grids (N, …, rank) from maps (N, rank, rank + 1)."""
    n, *spatial = size[0], *size[2:]
    meter.allocate(n * math.prod(spatial) * len(spatial), theta.itemsize)
    grid = _base(tuple(spatial), corners, theta.dtype) @ theta.swapaxes(1, 2)
    return grid.reshape(n, *spatial, len(spatial))


@kernel
def affine_base(theta: Any, size: Ints, corners: bool) -> Any:
    """The transposed coordinates that a map is applied to, (N, rank + 1, P)."""
    base = _base(tuple(size[2:]), corners, theta.dtype).T
    return np.broadcast_to(base, (size[0], *base.shape))
