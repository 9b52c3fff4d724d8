"""Sorting: values and where they were."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.std_sort import top
from engine.types.shapes import wrap_dim


def order(a: Any, dim: int, descending: bool) -> Any:
    """Positions in sorted order, equal elements in the order they came, NaN as the largest."""
    if not descending:
        return np.argsort(a, axis=dim, kind="stable")
    turned = np.flip(a, dim)
    return np.flip(a.shape[dim] - 1 - np.argsort(turned, axis=dim, kind="stable"), dim).copy()


@kernel
def sort_kernel(a: Any, dim: int = -1, descending: bool = False) -> tuple[Any, Any]:
    dim = wrap_dim(dim, a.ndim)
    if not a.ndim:
        return a + a.dtype.type(0), np.int64(0)
    indices = order(a, dim, descending)
    return np.take_along_axis(a, indices, dim), indices


@kernel
def topk_kernel(a: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Any, Any]:
    dim = wrap_dim(dim, a.ndim)
    if not 0 <= k <= (a.shape[dim] if a.ndim else 1):
        raise errors.topk_range()
    if not a.ndim:
        return a + a.dtype.type(0), np.int64(0)
    rows = np.moveaxis(a, dim, -1)
    if sorted or a.size > _REPLAYED:
        found = order(rows, -1, largest)
        # Distinct elements have one order; where there are equal ones, PyTorch's is that of its algorithm.
        ranked = np.take_along_axis(rows, found[..., : k + 1], -1)
        after, before = ranked[..., 1:], ranked[..., :-1]
        tied = ((after == before) | ((after != after) & (before != before))).any(-1) & (a.size <= _REPLAYED)
        indices = found[..., :k].copy()
    else:
        indices, tied = np.empty((*rows.shape[:-1], k), np.int64), np.ones(rows.shape[:-1], bool)
    for place in map(tuple, np.argwhere(tied)) if tied.ndim else [()] * bool(tied):
        indices[place] = _selected(rows[place].tolist(), k, largest, sorted)
    indices = np.ascontiguousarray(np.moveaxis(indices, -1, dim))
    return np.take_along_axis(a, indices, dim), indices


_REPLAYED = 100_000
"""Elements of a tensor up to which `topk` treats equal ones as PyTorch does; above, the first come first."""


def _selected(values: list[Any], k: int, largest: bool, ordered: bool) -> list[int]:
    if largest:
        return top(list(range(len(values))), k, lambda i, j: _above(values[i], values[j]), ordered)
    return top(list(range(len(values))), k, lambda i, j: _above(values[j], values[i]), ordered)


def _above(a: Any, b: Any) -> bool:
    """Whether `a` is larger; NaN is larger than any number."""
    return bool(a > b or (a != a and b == b))
