"""Fractional max pooling: windows whose starts advance by a fraction, moved by chance (Graham, 2014)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints


def starts(sample: Any, extent: int, count: int, window: int) -> Any:
    """Where each of `count` windows starts, for samples (…,) in [0, 1): (…, count)."""
    last = extent - window
    if count == 1:
        return np.full((*sample.shape, 1), last)
    step = sample.dtype.type(last) / sample.dtype.type(count - 1)
    index = np.arange(count, dtype=sample.dtype)
    found = ((index + sample[..., None]) * step).astype(np.int64) - (sample[..., None] * step).astype(np.int64)
    found[..., -1] = last
    return found


@kernel
def fractional_max_pool_kernel(x: Any, window: Ints, size: Ints, samples: Any) -> tuple[Any, Any]:
    rank = len(window)
    spatial = x.shape[-rank:]
    name = f"fractional_max_pool{rank}d"
    dtypes.expect(x, f"{name}_out_frame", dtypes.FLOATING)
    for what, s, k, n in zip(("time", "height", "width")[-rank:], spatial, window, size, strict=True):
        if n + k - 1 > s:
            raise errors.fractional_window(name, what, k, s)
    batch = x.shape[: -rank - 1] or (1,)
    channels = x.shape[-rank - 1]
    if samples.shape[0] < batch[0]:
        raise errors.fractional_batch()
    if samples.shape[1] != channels:
        raise errors.fractional_channels()
    if samples.shape[2] != rank:
        raise errors.fractional_samples(rank, samples.shape[2])
    planes = x.reshape(*batch, channels, *spatial)
    cells = int(np.prod((*batch, channels, *size)))
    meter.reserve(cells, 8)
    meter.charge(2 * cells)
    values = np.empty((*batch, channels, *size), x.dtype)
    indices = np.empty(values.shape, np.int64)
    meter.work(values.size * int(np.prod(window)))
    positions = np.arange(int(np.prod(spatial))).reshape(spatial)
    for place in product(*map(range, (*batch, channels))):
        # In the plane the first sample belongs to the width, in space to the depth.
        sample = samples[place][::-1] if rank == 2 else samples[place]
        edges = [starts(sample[d], spatial[d], size[d], window[d]) for d in range(rank)]
        for cell in product(*map(range, size)):
            part = tuple(slice(int(edges[d][i]), int(edges[d][i]) + window[d]) for d, i in enumerate(cell))
            flat = planes[place][part].ravel()
            best = int(flat.argmax())
            values[(*place, *cell)] = flat[best]
            indices[(*place, *cell)] = positions[part].ravel()[best]
    shape = (*x.shape[:-rank], *size)
    return values.reshape(shape), indices.reshape(shape)
