"""Sequences of different lengths, packed: the rows of all sequences that are still running, step after step."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.packing import places


@rule
def unpacked(g: Any, shape: tuple[int, ...], batch_sizes: Any, batch_first: bool) -> Any:
    """Every packed row's gradient where the row was; zeros in the padding."""
    sizes = batch_sizes._array if isinstance(batch_sizes, Tensor) else batch_sizes
    steps, rows = places(sizes)
    first, second = (rows, steps) if batch_first else (steps, rows)
    if isinstance(g, Tensor):
        zeros = constant(np.zeros(shape, g._array.dtype))
        return ops.index_put(zeros, [constant(first), constant(second)], g, (0, 1))
    out = np.zeros(shape, g.dtype)
    out[first, second] = g
    return out


op(
    "_pack_padded_sequence(input, lengths: Tensor, batch_first)", "PackPaddedSequenceBackward0",
    "pack_kernel(input, lengths, batch_first)", outputs="data batch_sizes!", inplace=False,
    input="unpacked(g, input.shape, batch_sizes, batch_first)",
    says="each packed row's gradient goes back to its place; padding gets none", opmath="bfloat16",
)
