"""Sparse tensors in a document: the dense one that they stand for, or a summary that never builds it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.document.limits import CELLS
from engine.types.coo import Coo

_MOST = 1 << 16
"""Values up to which the places of a sparse tensor are put in order, to add up those of one place."""


def image(coo: Coo) -> Any:
    """The dense tensor."""
    out = np.zeros(coo.shape, coo.dtype)
    np.add.at(out, tuple(coo.indices), coo.values)
    return out


def summary(coo: Coo) -> dict[str, Any]:
    """Thumbnail, and statistics where every place is named once or few enough are named."""
    found: dict[str, Any] = {}
    if coo.sparse_dim == coo.ndim or coo.values.size <= _MOST:
        cells = _thumbnail(coo)
        found["thumbnail"] = {"shape": list(cells.shape), "data": cells.round(6).tolist()}
    if coo.coalesced or coo.count <= _MOST:
        found["stats"] = _statistics(coo.coalesce().values, coo.size)
    return found


def _statistics(values: Any, size: int) -> dict[str, Any]:
    wide = values.astype(np.float64).reshape(-1)
    broken = ~np.isfinite(wide)
    finite = wide[~broken]
    some = np.append(finite, 0.0) if size > wide.size or not finite.size else finite
    mean = float(finite.sum()) / (size or 1)
    squares = float(finite.dot(finite))
    return {
        "min": float(some.min()), "max": float(some.max()), "mean": mean,
        "std": math.sqrt(max(squares / (size or 1) - mean * mean, 0.0)), "norm": math.sqrt(squares),
        "nan": int(np.isnan(wide).sum()), "inf": int(np.isinf(wide).sum()),
        "zeros": size - int(np.count_nonzero(wide)),
    }  # fmt: skip


def _thumbnail(coo: Coo) -> Any:
    """Means of at most 16 × 16 blocks of the last two dimensions of the first entry; of a vector, one row."""
    inner = coo.shape[coo.sparse_dim :]
    values = np.nan_to_num(coo.values.astype(np.float64)).reshape(-1)
    width = math.prod(inner)
    places = [np.repeat(row, width) for row in coo.indices]
    places += [np.tile(row.reshape(-1), coo.count) for row in np.indices(inner)]
    kept = np.ones(values.size, np.bool_)
    for row in places[:-2]:
        kept &= row == 0
    plane = coo.shape[-2:] if coo.ndim > 1 else (1, *coo.shape)
    rows = places[-2][kept] if coo.ndim > 1 else np.zeros(int(kept.sum()), np.int64)
    columns = places[-1][kept]
    down, across = (min(CELLS, extent) for extent in plane)
    cells = np.zeros((down, across))
    np.add.at(cells, (_cell(rows, plane[0], down), _cell(columns, plane[1], across)), values[kept])
    return cells / max(plane[0] / max(down, 1), 1) / max(plane[1] / max(across, 1), 1)


def _cell(places: Any, extent: int, cells: int) -> Any:
    return np.minimum((places * (cells / max(extent, 1))).astype(np.int64), max(cells - 1, 0))
