"""Sequences of different lengths, packed: the rows of all sequences that are still running, step after step."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant


def _places(batch_sizes: Any) -> tuple[Any, Any]:
    """(step, sequence) of every packed row."""
    steps = np.repeat(np.arange(len(batch_sizes)), batch_sizes)
    return steps, np.concatenate([np.arange(n) for n in batch_sizes.tolist()])


@kernel
def pack_kernel(sequences: Any, lengths: Any, batch_first: bool) -> tuple[Any, Any]:
    """The packed rows, and how many sequences run at each step. `lengths` falls from sequence to sequence."""
    x = sequences.swapaxes(0, 1) if batch_first else sequences
    if lengths.size != x.shape[1]:
        raise errors.pack_lengths(lengths.size, x.shape[1])
    if np.any(lengths <= 0):
        raise errors.pack_empty()
    if np.any(np.diff(lengths) > 0):
        raise errors.pack_order()
    batch_sizes = (lengths[None, :] > np.arange(int(lengths[0]))[:, None]).sum(1)
    if int(lengths[0]) > x.shape[0]:
        raise errors.pack_too_long(int(lengths[0]), x.shape[0])
    return x[_places(batch_sizes)], batch_sizes


@rule
def unpacked(g: Any, shape: tuple[int, ...], batch_sizes: Any, batch_first: bool) -> Any:
    """Every packed row's gradient where the row was; zeros in the padding."""
    sizes = batch_sizes._a if isinstance(batch_sizes, Tensor) else batch_sizes
    steps, rows = _places(sizes)
    first, second = (rows, steps) if batch_first else (steps, rows)
    if isinstance(g, Tensor):
        zeros = constant(np.zeros(shape, g._a.dtype))
        return ops.index_put(zeros, [constant(first), constant(second)], g, (0, 1))
    out = np.zeros(shape, g.dtype)
    out[first, second] = g
    return out


op(
    "_pack_padded_sequence(input, lengths: Tensor, batch_first)", "PackPaddedSequenceBackward0",
    "pack_kernel(input, lengths, batch_first)", outputs="data batch_sizes!", inplace=False,
    input="unpacked(g, input.shape, batch_sizes, batch_first)",
    says="each packed row's gradient goes back to its place; padding gets none",
)
