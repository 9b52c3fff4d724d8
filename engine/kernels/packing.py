"""Sequences of different lengths, packed: the rows of all sequences that are still running, step after step."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel


def places(batch_sizes: Any) -> tuple[Any, Any]:
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
    return x[places(batch_sizes)], batch_sizes
