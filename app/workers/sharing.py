"""What makes a fork cheap: how little of its memory a worker must copy.

A forked process shares all pages with the one it came from until either writes to one; then the kernel copies it, and
Python writes to every object that it uses (it counts references). Here hot code is put side by side, the gaps that
freed objects left all over the heap are closed, so that new objects do not spread over old pages, and the memory is
moved to huge pages, of which a fork has fewer entries to copy. Where a system does not offer that, nothing happens.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

MADV_COLLAPSE = 25
PAGE = os.sysconf("SC_PAGE_SIZE")
HUGE_PAGE = 2 << 20
SMALL = 512
"""Largest object of Python's own allocator, which has a list of free places for every 16 bytes of size below that."""

_kept: list[object] = []
"""Objects that are there to take up room."""


def gather_code(work: Callable[[], object]) -> None:
    """Move the code of all functions that `work` calls next to each other."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        called.add(frame.f_code)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__ in called:
            function.__code__ = function.__code__.replace()
    _kept.append(called)  # where the code was is no place for new objects


def close_gaps() -> None:
    """Fill the places of freed objects, so that the next objects lie together."""
    empty = sys.getsizeof(b"")
    for size in range(16, SMALL + 1, 16):
        make: Callable[[], object] = object if size == 16 else float if size == 32 else partial(bytes, size - empty)
        last, row = 0, 0
        while row < PAGE // size:
            made = make()
            last, row = id(made), row + 1 if abs(id(made) - last) == size else 0
            _kept.append(made)


def use_huge_pages() -> None:
    """Move the memory of this process to huge pages, as far as it fills such."""
    if sys.platform != "linux":
        return
    advise: Any = ctypes.CDLL(None).madvise
    advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for start, end in private_memory():
        for address in range(-(-start // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
            advise(address, HUGE_PAGE, MADV_COLLAPSE)


def private_memory() -> Iterator[tuple[int, int]]:
    """Start and end of every piece of memory that this process alone can write to."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        addresses, permissions, *_ = line.split()
        if permissions == "rw-p":
            start, _, end = addresses.partition("-")
            yield int(start, 16), int(end, 16)
