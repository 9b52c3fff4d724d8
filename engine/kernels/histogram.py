"""Histograms in any number of dimensions: how many elements lie between neighbouring edges.

A bin holds what is at least its lower edge and less than its upper one; the last bin holds its upper edge too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes


@kernel
def counted(points: Any, edges: Sequence[Any], weight: Any, density: bool) -> Any:
    """The histogram of points (N, D) between `edges`, D increasing vectors; `weight` (N) or None.

    With `density` its integral is 1.
    """
    if points.dtype.char not in "fd":
        raise errors.not_implemented_for("histogramdd", dtypes.of(points.dtype).type_name)
    shape = tuple([len(e) - 1 for e in edges])
    meter.allocate(math.prod(shape), points.itemsize)
    meter.charge(sum([len(e) for e in edges]) >> 7)
    meter.charge(points.size >> 4)
    inside = np.ones(len(points), bool)
    place = np.zeros(len(points), np.int64)
    for values, limits in zip(points.T, edges, strict=True):
        inside &= (values >= limits[0]) & (values <= limits[-1])
        found = np.searchsorted(limits, values, "right") - 1
        place = place * (len(limits) - 1) + np.clip(found, 0, max(len(limits) - 2, 0))
    hist = np.zeros(math.prod(shape), points.dtype)
    if hist.size:
        np.add.at(hist, place[inside], points.dtype.type(1) if weight is None else weight[inside])
    hist = hist.reshape(shape)
    if density:
        hist = hist / hist.sum()
        for dim, limits in enumerate(edges):
            hist = hist / np.diff(limits).reshape(-1, *(1,) * (len(shape) - 1 - dim))
    return hist


@kernel
def histogram_kernel(self: Any, edges: Any, weight: Any, density: bool) -> tuple[Any, Any]:
    flat = None if weight is None else weight.reshape(-1)
    return counted(self.reshape(-1, 1), [edges], flat, density), edges


@kernel
def histogramdd_kernel(self: Any, edges: Any, weight: Any, density: bool) -> Any:
    points = self.reshape(-1, self.shape[-1])
    return counted(points, edges, None if weight is None else weight.reshape(-1), density)
