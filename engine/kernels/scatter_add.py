"""Adding to places that repeat, in the order the values come.

`numpy.add.at` is fast for one dimension only; these bring other shapes into a form that numpy adds in whole pieces.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

Index = Any


def add_rows(total: Any, rows: Any, values: Any) -> None:
    """`total[rows[k]] += values[k]` for one k after the other: total (R, F), rows (K), values (K, F)."""
    width = total.shape[1]
    places = (rows[:, None] * width + np.arange(width)).reshape(-1)
    np.add.at(total.reshape(-1), places, values.reshape(-1))


def add_along(total: Any, axis: int, positions: Any, values: Any) -> None:
    """Add the slices of `values` along `axis` to those of `total` at `positions` (K), one after the other."""
    before = (slice(None),) * (axis % total.ndim)
    for source, target in _rounds(positions.tobytes(), positions.dtype):
        total[(*before, target)] += values[(*before, source)]


@lru_cache(maxsize=256)
def _rounds(data: bytes, dtype: Any) -> list[tuple[Index, Index]]:
    """Pairs of indices without repeats: the first value for every position, then the second, and so on."""
    positions = np.frombuffer(data, dtype)
    order = np.argsort(positions, kind="stable")
    grouped = positions[order]
    starts = np.flatnonzero(np.r_[True, grouped[1:] != grouped[:-1]]) if grouped.size else grouped
    sizes = np.diff(np.r_[starts, grouped.size])
    rank = np.empty(positions.size, np.int64)
    rank[order] = np.arange(positions.size) - np.repeat(starts, sizes)
    chosen = [np.flatnonzero(rank == number) for number in range(int(rank.max(initial=-1)) + 1)]
    return [(_as_slice(source), _as_slice(positions[source])) for source in chosen]


def _as_slice(index: Any) -> Index:
    """The slice that means the same, if there is one: numpy takes it without copying."""
    first = int(index[0])
    step = int(index[1]) - first if index.size > 1 else 1
    if step > 0 and np.array_equal(index, np.arange(first, first + step * index.size, step)):
        return slice(first, int(index[-1]) + 1, step)
    return index
