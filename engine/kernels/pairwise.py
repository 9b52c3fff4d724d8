"""Distances between all pairs of rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes


def _differences(x1: Any, x2: Any) -> Any:
    meter.allocate(x1.size * x2.shape[-2], x1.itemsize)
    meter.charge(x1.size * x2.shape[-2] >> 8)
    return x1[..., :, None, :] - x2[..., None, :, :]


def _norm(difference: Any, p: float) -> Any:
    size = np.abs(difference)
    if p == 0:
        return np.count_nonzero(difference, axis=-1).astype(difference.dtype)
    if p == 1:
        return size.sum(-1)
    if p == 2:
        return np.sqrt((difference * difference).sum(-1))
    if p == math.inf:
        return size.max(-1, initial=0)
    return (size**p).sum(-1) ** (1 / p)


def _distance_backward(difference: Any, distance: Any, p: float) -> Any:
    """The derivative of each distance in its difference; 0 where the distance is 0."""
    far = distance[..., None]
    if p == 0:
        return np.zeros_like(difference)
    if p == 1:
        return np.sign(difference)
    safe = np.where(far == 0, 1, far)
    if p == 2:
        slope = difference / safe
    elif p == math.inf:
        slope = np.sign(difference) * (np.abs(difference) == far)
    else:
        size = np.abs(difference)
        powers = np.where(size == 0, 1, size) ** (p - 1)
        slope = np.sign(difference) * powers / safe ** (p - 1)
    return np.where(far == 0, 0, slope).astype(difference.dtype)


@kernel
def cdist_kernel(x1: Any, x2: Any, p: float) -> Any:
    if x1.dtype != x2.dtype:
        raise errors.expected_scalar_type(dtypes.of(x1.dtype).type_name, dtypes.of(x2.dtype).type_name)
    return _norm(_differences(x1, x2), p)


@kernel
def cdist_backward_kernel(g: Any, x1: Any, x2: Any, p: float, distance: Any) -> Any:
    return (_distance_backward(_differences(x1, x2), distance, p) * g[..., None]).sum(-2)


@kernel
def euclidean_kernel(x1: Any, x2: Any) -> Any:
    """√(|a|² + |b|² - 2ab), which needs no differences."""
    meter.reserve(x1.size // max(x1.shape[-1], 1) * x2.shape[-2], x1.itemsize)
    meter.charge(x1.size // max(x1.shape[-1], 1) * x2.shape[-2] >> 8)
    count = math.prod(x1.shape[:-2])
    meter.product(x1.shape[-2], x1.shape[-1], x2.shape[-2], x1.dtype, count)
    squares = (x1 * x1).sum(-1, keepdims=True) + (x2 * x2).sum(-1)[..., None, :]
    squares -= 2 * (x1 @ x2.swapaxes(-1, -2))
    return np.sqrt(np.maximum(squares, 0))


def _pairs(rows: int) -> tuple[Any, Any]:
    return np.triu_indices(rows, 1)


def _reserve_pairs(x: Any) -> None:
    """Check and charge the differences of all pairs of rows, and which they are."""
    rows = x.shape[0]
    meter.reserve(rows * rows, 8)
    meter.reserve(rows * x.size // 2, x.itemsize)
    meter.charge((rows * rows >> 7) + (rows * x.size >> 8))


@kernel
def pdist_kernel(x: Any, p: float) -> Any:
    _reserve_pairs(x)
    first, second = _pairs(x.shape[0])
    return _norm(x[first] - x[second], p)


@kernel
def pdist_backward_kernel(g: Any, x: Any, p: float, distance: Any) -> Any:
    _reserve_pairs(x)
    meter.charge(x.shape[0] * x.size >> 6)
    first, second = _pairs(x.shape[0])
    moved = _distance_backward(x[first] - x[second], distance, p) * g[:, None]
    total = np.zeros_like(x)
    np.add.at(total, first, moved)
    np.subtract.at(total, second, moved)
    return total
