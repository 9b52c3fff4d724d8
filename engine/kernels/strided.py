"""Views by strides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types.shapes import address, root


@kernel
def as_strided_kernel(
    a: Any, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> np.ndarray[Any, Any]:
    if len(size) != len(stride):
        raise errors.as_strided_lengths()
    if any(s < 0 for s in stride):
        raise errors.as_strided_negative(stride)
    if any(s < 0 for s in size):
        raise errors.as_strided_size(size, stride)
    a = np.asarray(a)
    block = root(a)
    item = a.itemsize
    offset = (address(a) - address(block)) // item if storage_offset is None else storage_offset
    if offset < 0:
        raise errors.negative_offset(offset)
    needed = (offset + 1 + span(size, stride)) * item if all(size) else 0
    if needed > block.nbytes:
        raise errors.storage_too_small(size, stride, offset, item, needed, block.nbytes)
    if not all(size):
        return np.ndarray(tuple(size), a.dtype)
    if math.prod(size) > block.size:
        meter.allocate(math.prod(size), 0)  # it takes no memory, but what is computed from it does
    return np.ndarray(tuple(size), a.dtype, block, offset * item, tuple(s * item for s in stride))


def span(size: Sequence[int], stride: Sequence[int]) -> int:
    """Distance from the first to the last element."""
    return sum((n - 1) * s for n, s in zip(size, stride, strict=True))


def overlaps(size: Sequence[int], stride: Sequence[int]) -> bool:
    """Whether two indices may mean the same element; True when in doubt, as in PyTorch."""
    reach = 0
    for s, n in sorted(zip(stride, size, strict=True)):
        if n == 1:
            continue
        if s <= reach:
            return True
        reach += (n - 1) * s
    return False
