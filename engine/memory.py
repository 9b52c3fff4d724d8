"""Memory that one tensor gives back is kept for the next; and how much of it a run uses.

The C library returns large blocks to the system as soon as they are free, and a training step would fault the same
pages in again and again: on tensors of a few hundred kilobytes that costs more than the arithmetic.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable
from typing import Any

import numpy as np

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


def begin() -> None:
    """From now on every new object is young: a run begins, with the collector off."""
    gc.collect(0)


def arrays_before() -> dict[int, Any]:
    """The arrays that are older than `begin`, by id. Ask before anything was collected since."""
    return _arrays([*gc.get_objects(generation=2), *gc.get_objects(generation=1)])


def alive(others: dict[int, Any]) -> int:
    """Bytes of all arrays that objects hold, without `others`. What only cycles kept alive is freed first."""
    gc.collect()
    return sum([array.nbytes for key, array in _arrays(gc.get_objects()).items() if key not in others])


def _arrays(objects: Iterable[Any]) -> dict[int, Any]:
    """The arrays that own the memory which objects refer to, by id."""
    found: dict[int, Any] = {}
    seen: dict[int, Any] = {}
    todo = list(objects)
    while todo:
        held = gc.get_referents(*todo)
        for array in [item for item in held if type(item) is np.ndarray]:
            while type(array.base) is np.ndarray:
                array = array.base
            found[id(array)] = array
        # What the collector does not track holds no cycles, but may hold arrays.
        inner = {id(item): item for item in held if type(item) in (tuple, dict) and not gc.is_tracked(item)}
        todo = [item for key, item in inner.items() if key not in seen]
        seen.update(inner)
    return found
