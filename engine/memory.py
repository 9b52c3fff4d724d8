"""Memory that one tensor gives back is kept for the next.

The C library returns large blocks to the system as soon as they are free, and a training step would fault the same
pages in again and again: on tensors of a few hundred kilobytes that costs more than the arithmetic.
"""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Numbers of `mallopt`'s options in glibc's malloc.h."""

KEPT = 128 << 20
"""Bytes of free memory that stay with the process."""

LARGEST = 32 << 20
"""Blocks above this size go back at once; glibc allows no more."""


def keep_freed_memory() -> bool:
    """Ask the C library to keep freed memory. False where it cannot be asked: not glibc."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST)) and bool(mallopt(TRIM_THRESHOLD, KEPT))
