"""`torch.histogram` and `torch.histogramdd`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.ranges import linspace_values
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.return_types import returns
from engine.types.shapes import integer


def _check(input: Tensor, weight: Tensor | None) -> None:
    if weight is None:
        return
    if weight._array.dtype != input._array.dtype:
        raise errors.histogram_weight_dtype(
            dtypes.of(input._array.dtype).cpp_name, dtypes.of(weight._array.dtype).cpp_name
        )
    if weight._array.shape != input._array.shape[:-1]:
        raise errors.histogram_weight_shape(input._array.shape, weight._array.shape)


def _given(bins: Tensor, dimension: int, input: Tensor) -> Any:
    """Edges that are given."""
    if bins._array.dtype != input._array.dtype:
        names = dtypes.of(input._array.dtype).cpp_name, dtypes.of(bins._array.dtype).cpp_name
        raise errors.histogram_bins_dtype(dimension, *names)
    if bins.ndim != 1:
        raise errors.histogram_bins_dimensions(dimension, bins.ndim)
    if not bins.numel():
        raise errors.histogram_no_bins(dimension)
    return bins._array


def _even(counts: Sequence[int], limits: Sequence[float] | None, input: Tensor) -> list[Any]:
    """Evenly spaced edges between `limits`, low and high for each dimension, or between the extremes of the input."""
    kind, size = input._array.dtype, len(counts)
    if kind.char not in "fd":
        raise errors.not_implemented_for("histogramdd", dtypes.of(kind).type_name)
    if limits is not None and len(limits) != 2 * size:
        raise errors.histogram_range_length(size, len(limits))
    for dimension, bins in enumerate(counts):
        if not bins:
            raise errors.histogram_bin_count(bins, dimension)
        if bins < -1:
            raise errors.linspace_steps()
        if bins == -1:
            raise errors.histogram_no_bins(dimension)
    if limits is not None:
        lows, highs = [float(v) for v in limits[::2]], [float(v) for v in limits[1::2]]
    elif input.numel():
        points = input._array.reshape(-1, size)
        lows, highs = [float(v) for v in points.min(0)], [float(v) for v in points.max(0)]
    else:
        lows, highs = [0.0] * size, [1.0] * size
    edges = []
    for dimension, (low, high, bins) in enumerate(zip(lows, highs, counts, strict=True)):
        if not (np.isfinite(low) and np.isfinite(high)):
            raise errors.histogram_range(dimension, low, high)
        if low > high:
            raise errors.histogram_order(dimension, low, high)
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges.append(linspace_values(low, high, bins + 1, kind))
    return edges


@public("method torch")
@by_entry
def histogram(
    input: Tensor, bins: Any = 100, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many elements lie in each bin, and the edges; `bins` is their number or a tensor of edges."""
    flat = Tensor._from_array(input._array.reshape(-1, 1))
    spread = None if weight is None else Tensor._from_array(weight._array.reshape(-1))
    if isinstance(bins, Tensor):
        _given(bins, 0, input)
        edges = bins
    else:
        if integer(bins) <= 0:
            raise errors.histogram_bin_count(integer(bins), 0)
        edges = constant(_even([integer(bins)], range, flat)[0])
    if weight is not None and (weight._array.dtype != input._array.dtype or weight._array.shape != input._array.shape):
        _check(flat, spread if weight.ndim else weight)
    return returns("histogram", ops.histogram(input, edges, weight, density))


@public("torch")
def histogramdd(
    input: Tensor, bins: Any, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """As `histogram` for points (…, D), with D bin counts or D tensors of edges."""
    check("torch", "histogramdd", (input, bins), {})
    if input.is_sparse:
        raise errors.sparse_unavailable("histogramdd()")
    if isinstance(bins, int):
        bins = [bins] * input.size(-1)
    if input.ndim < 2:
        raise errors.histogram_points()
    size = input._array.shape[-1]
    dtypes.expect(input._array, "histogramdd", dtypes.FLOATING)
    if bins and all(isinstance(b, Tensor) for b in bins):
        if len(bins) != size:
            raise errors.histogram_bin_sequences(size, len(bins))
        edges = [_given(b, place, input) for place, b in enumerate(bins)]
        _check(input, weight)
        counts = ops.histogramdd(input, edges, weight, density, "_histogramdd_from_bin_tensors")
        return returns("histogramdd", (counts, tuple(bins)))
    if len(bins) != size:
        raise errors.histogram_bins_length()
    _check(input, weight)
    edges = _even([integer(b) for b in bins], range, input)
    shown = tuple(ops._histogramdd_bin_edges(input, edges, weight))
    return returns("histogramdd", (ops.histogramdd(input, edges, weight, density), shown))
