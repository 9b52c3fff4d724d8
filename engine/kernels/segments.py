"""Reductions of consecutive segments of a tensor: `torch.segment_reduce`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.types import dtypes
from engine.types.shapes import wrap_dim

EMPTY = {"sum": 0.0, "mean": math.nan, "prod": 1.0, "max": -math.inf, "min": math.inf}
"""What a segment without elements is reduced to, unless there is an initial value."""


def _bounds(data: Any, lengths: Any, offsets: Any, axis: int) -> Any:
    """Where each segment starts and the last one ends, along the last dimension."""
    if offsets is not None:
        return offsets
    if lengths.dtype not in (np.int64, np.int32):
        raise errors.not_implemented_for("_segment_reduce_lengths_cpu_kernel1", dtypes.of(lengths.dtype).type_name)
    bounds = np.zeros((*lengths.shape[:-1], lengths.shape[-1] + 1), np.int64)
    np.cumsum(lengths, -1, out=bounds[..., 1:])
    return bounds


def _segments(data: Any, bounds: Any, axis: int) -> Iterator[tuple[Any, Any, int]]:
    """The index of each segment in the result and in the data, and how many elements it has."""
    for batch in np.ndindex(*data.shape[:axis]):
        edges = bounds[batch]
        for number in range(len(edges) - 1):
            start, end = int(edges[number]), int(edges[number + 1])
            yield (*batch, number), (*batch, slice(start, end)), end - start


@kernel
def segment_reduce_kernel(
    data: Any, reduce: str, lengths: Any, offsets: Any, axis: int, unsafe: bool, initial: float | None
) -> Any:
    axis = wrap_dim(axis, data.ndim)
    given, name = (offsets, "offsets") if offsets is not None else (lengths, "lengths")
    if given is None:
        raise errors.segments_missing()
    if given.ndim - 1 != axis:
        raise errors.segments_axis(name, axis)
    if offsets is None and not unsafe:
        if (lengths < 0).any():
            raise errors.segments_negative()
        if (lengths.sum(-1) != data.shape[axis]).any():
            raise errors.segments_sum()
    bounds = _bounds(data, lengths, offsets, axis)
    dtypes.expect(data, "_segment_reduce_cpu", dtypes.FLOATING)
    if (np.diff(bounds) < 0).any():
        raise errors.unworded_check("segment_length >= 0")
    if isinstance(initial, complex):
        raise errors.conversion_overflow(dtypes.of(data.dtype).cpp_name)
    first = EMPTY[reduce] if initial is None else initial
    result = np.full((*bounds.shape[:-1], bounds.shape[-1] - 1, *data.shape[axis + 1 :]), first, data.dtype)
    for place, part, count in _segments(data, bounds, axis):
        if count:
            result[place] = _reduced(data[part], reduce, initial)
    return result


def _reduced(segment: Any, reduce: str, initial: float | None) -> Any:
    """One segment reduced along its first dimension, together with the initial value."""
    if reduce == "max":
        return segment.max(0) if initial is None else np.maximum(segment.max(0), initial)
    if reduce == "min":
        return segment.min(0) if initial is None else np.minimum(segment.min(0), initial)
    if reduce == "prod":
        return segment.prod(0) * (1 if initial is None else initial)
    total = segment.sum(0) + (0 if initial is None else initial)
    return total / len(segment) if reduce == "mean" else total


@kernel
def segment_reduce_backward_kernel(
    g: Any, output: Any, data: Any, reduce: str, lengths: Any, offsets: Any, axis: int, initial: float | None
) -> Any:
    axis = wrap_dim(axis, data.ndim)
    total = np.zeros_like(data)
    for place, part, count in _segments(data, _bounds(data, lengths, offsets, axis), axis):
        if count:
            total[part] = _reduced_backward(g[place], output[place], data[part], reduce, initial)
    return total


def _reduced_backward(g: Any, output: Any, segment: Any, reduce: str, initial: float | None) -> Any:
    if reduce in ("sum", "mean"):
        return np.broadcast_to(g / len(segment) if reduce == "mean" else g, segment.shape)
    if reduce == "prod":
        slope = np.empty_like(segment)
        for i in range(len(segment)):
            others = segment[:i].prod(0) * segment[i + 1 :].prod(0) * (1 if initial is None else initial)
            slope[i] = np.where((segment[i] == 0) | np.isnan(segment[i]), g * others, g * output / segment[i])
        return slope
    extreme = (segment == output) | np.isnan(segment)
    # PyTorch shares the gradient among equal elements only where it is positive.
    return np.where(extreme, np.where(g > 0, g / np.maximum(extreme.sum(0), 1), g), 0)
