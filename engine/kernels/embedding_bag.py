"""Sums, means and maxima of bags of embeddings."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.scatter_add import add_rows
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo

SUM, MEAN, MAX = 0, 1, 2


def _check(weight: Any, indices: Any, offsets: Any, per_sample_weights: Any, padding_idx: int, last: bool) -> None:
    for tensor in (indices, offsets):
        if tensor.dtype not in (np.int64, np.int32):
            raise errors.bag_dtype(dtypes.of(tensor.dtype).cpp_type)
    if last and not offsets.size:
        raise errors.bag_no_offsets()
    if offsets.size and offsets[0] != 0:
        raise errors.bag_first_offset(int(offsets[0]))
    if offsets.size and offsets[-1] > indices.size:
        raise errors.bag_last_offset(indices.size, int(offsets[-1]))
    rows = weight.shape[0]
    if not -rows <= padding_idx < rows:
        raise errors.bag_padding(rows, padding_idx)
    wrong = np.flatnonzero((indices < 0) | (indices >= rows))
    if wrong.size:
        raise errors.bag_index(int(wrong[0]), int(indices[wrong[0]]), rows)
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        raise errors.bag_weights_dtype(dtypes.of(weight.dtype).cpp_type, dtypes.of(per_sample_weights.dtype).cpp_type)


def _bags(count: int, offsets: Any, last: bool) -> Any:
    """The bag of each of `count` indices."""
    starts = offsets[:-1] if last else offsets
    return np.searchsorted(starts, np.arange(count), side="right") - 1


@kernel
def embedding_bag_kernel(
    weight: Any, indices: Any, offsets: Any, mode: int, per_sample_weights: Any, last: bool, padding_idx: int
) -> tuple[Any, Any, Any, Any]:
    """Bags (B, features), the bag of each index, how many indices a bag has, and which rows were the largest."""
    _check(weight, indices, offsets, per_sample_weights, padding_idx, last)
    count, features = offsets.size - last, weight.shape[1]
    meter.allocate((indices.size + 2 * count) * features, weight.itemsize)
    bags = _bags(indices.size, offsets, last)
    kept = np.flatnonzero(indices != padding_idx)
    sizes = np.zeros(count, np.int64) if mode == SUM else np.bincount(bags[kept], minlength=count)
    if mode != MAX and last:
        kept = kept[kept < offsets[-1]]
    rows, homes = weight[indices[kept]], bags[kept]
    if mode == MAX:
        return _largest(rows, homes, indices[kept], bags, count)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[kept][:, None]
    total = np.zeros((count, features), weight.dtype)
    add_rows(total, homes, rows)
    if mode == MEAN:
        total /= np.maximum(sizes, 1)[:, None].astype(total.dtype)
    elif padding_idx < 0:
        bags = bags[:0]  # PyTorch's fast path for sums notes nothing
    return total, bags, sizes, sizes.copy()


def _largest(rows: Any, homes: Any, indices: Any, bags: Any, count: int) -> tuple[Any, Any, Any, Any]:
    best = np.zeros((count, rows.shape[1]), rows.dtype)
    winners = np.zeros(best.shape, np.int64)
    sizes = np.bincount(homes, minlength=count)
    ends = np.cumsum(sizes)
    for bag, (start, end) in enumerate(zip(ends - sizes, ends, strict=True)):
        if end > start:
            places = rows[start:end].argmax(0)
            best[bag] = np.take_along_axis(rows[start:end], places[None], 0)[0]
            winners[bag] = indices[start:end][places]
    return best, bags, sizes, winners


@kernel
def embedding_bag_backward_kernel(
    g: Any,
    indices: Any,
    offsets: Any,
    sizes: Any,
    winners: Any,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Any,
    last: bool,
    padding_idx: int,
    sparse: bool = False,
) -> Any:
    """Each row of the table collects the gradients of the bags it is in; `sparse` names the rows that are in one."""
    if sparse and scale_grad_by_freq:
        raise errors.sparse_by_frequency()
    meter.allocate((indices.size if sparse else num_weights) * g.shape[1], g.itemsize)
    if mode == MAX:
        total = np.zeros((num_weights, g.shape[1]), g.dtype)
        full = np.flatnonzero(sizes)
        np.add.at(total, (winners[full], np.arange(g.shape[1])), g[full])
        return total
    bags = _bags(indices.size, offsets, last)
    kept = np.flatnonzero(indices != padding_idx)
    if mode == SUM and last:
        kept = kept[kept < offsets[-1]]
    used, homes = indices[kept], bags[kept]
    shares = g[homes]
    if per_sample_weights is not None:
        shares = shares * per_sample_weights[kept][:, None]
    if mode == MEAN:
        shares = shares / sizes[homes][:, None].astype(g.dtype)
    if scale_grad_by_freq:
        shares = shares / _frequencies(indices, num_weights)[used][:, None].astype(g.dtype)
    if sparse:
        return Coo(used.astype(np.int64)[None], shares, (num_weights, g.shape[1]))
    total = np.zeros((num_weights, g.shape[1]), g.dtype)
    add_rows(total, used, shares)
    return total


def _frequencies(indices: Any, num_weights: int) -> Any:
    """What PyTorch takes for how often each row is used.

    It divides the gradient of the n-th row in use by the frequency of the n-th smallest index, repetitions counted.
    """
    counts = np.bincount(indices, minlength=num_weights)
    rows = np.flatnonzero(counts)
    taken = np.ones(num_weights, np.int64)
    taken[rows] = counts[np.sort(indices)[: rows.size]]
    return taken


@kernel
def bag_weights_backward_kernel(g: Any, weight: Any, indices: Any, offsets: Any, last: bool, padding_idx: int) -> Any:
    """What a row contributes to its bag is its weight's slope."""
    bags = _bags(indices.size, offsets, last)
    slopes = (g[bags] * weight[indices]).sum(1)
    slopes[indices == padding_idx] = 0
    return slopes
