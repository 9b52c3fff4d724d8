"""Memory that one tensor gives back is kept for the next; and how much of it a run uses.

The C library returns large blocks to the system as soon as they are free, and a training step would fault the same
pages in again and again: on tensors of a few hundred kilobytes that costs more than the arithmetic.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Numbers of `mallopt`'s options in glibc's malloc.h."""

KEPT = 32 << 20
"""Bytes of free memory that stay with the process."""

LARGEST = 8 << 20
"""Blocks above this size go back at once. Smaller ones may stay where others lie above them; glibc allows 32 MiB."""


STACK = 120 << 20
"""Bytes of C stack that a deep program's frames may need: where C calls Python again (a module's `__call__`, a key of a
sort) one takes up to 2 KiB. Linux keeps 128 MiB of addresses free for the stack of a process."""

_HOLDING = frozenset({np.ndarray, tuple, dict})
"""What is looked at besides all that the collector tracks: arrays, and what may hold them without being tracked."""


def keep_freed_memory() -> bool:
    """Ask the C library to keep freed memory. False where it cannot be asked: not glibc."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST)) and bool(mallopt(TRIM_THRESHOLD, KEPT))


def reserve(size: int) -> mmap.mmap:
    """So many bytes of addresses, which take no memory, until they are closed."""
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)


@contextmanager
def deep_stack() -> Iterator[None]:
    """Let the main thread's stack grow to `STACK`, so that deep calls meet the recursion limit before its end, and
    values that are nested deeply can be let go: Python 3.11 calls itself for each deque inside another."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    unlimited = resource.RLIM_INFINITY
    wanted = STACK if hard == unlimited else min(STACK, hard)
    if soft == unlimited or soft >= wanted:
        yield
        return
    with suppress(ValueError, OSError):  # which leaves it as it is, where a system has other rules
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


@contextmanager
def young() -> Iterator[None]:
    """Whatever is made in this block is young: `alive` looks at nothing that is older, and nothing else is collected.

    A run only builds up, and walking all of it over and over costs half the time. Where nothing is collected anyway,
    as in a worker, what is older stays so: it is shared with other processes, and to look at it would copy it.
    """
    enabled = gc.isenabled()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        if enabled:
            gc.unfreeze()
            gc.enable()


def alive() -> tuple[int, int]:
    """How many arrays young objects hold, and their bytes. What only cycles kept alive is freed first."""
    gc.collect()
    found = _arrays(gc.get_objects())
    return len(found), sum([array.nbytes for array in found.values()])


def _arrays(objects: list[Any]) -> dict[int, Any]:
    """The arrays that own the memory which objects refer to, by id."""
    found: dict[int, Any] = {}
    seen: dict[int, Any] = {}
    todo = objects
    while todo:
        held = [item for item in gc.get_referents(*todo) if type(item) in _HOLDING]
        todo = []
        for item in held:
            if type(item) is np.ndarray:
                while type(item.base) is np.ndarray:
                    item = item.base
                found[id(item)] = item
            elif not gc.is_tracked(item) and id(item) not in seen:
                seen[id(item)] = item
                todo.append(item)
    return found
