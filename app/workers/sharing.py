"""What makes a fork cheap: how little of its memory a worker must copy.

A forked process shares all pages with the one it came from until either writes to one; then the kernel copies it, and
Python writes to every object that it uses (it counts references). Here the gaps that freed objects left all over the
heap are closed, so that new objects do not spread over old pages, and the memory is moved to huge pages, of which a
fork has fewer entries to copy. What every job writes to is found out once, and a worker copies it before it has a job.
Where a system does not offer that, nothing happens.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any

MADV_POPULATE_WRITE = 23
MADV_COLLAPSE = 25
PAGE = os.sysconf("SC_PAGE_SIZE")
HUGE_PAGE = 2 << 20
MOST_GAPS = 32 << 20
"""Bytes of gaps of one size to look for; a process that has more of them is left with the rest."""
SMALL = 512
"""Largest object of Python's own allocator, which has a list of free places for every 16 bytes of size below that."""

PAGEMAP = "/proc/self/pagemap"
ENTRY = 8
"""Bytes in which it describes a page."""
PRESENT_AND_OWN = 1 << 63 | 1 << 56
"""A page that is in memory, and mapped by no other process."""

Piece = tuple[int, int]
"""Address and length of a part of memory, in bytes."""

_advise: Any = getattr(ctypes.CDLL(None), "madvise", None) if sys.platform == "linux" else None
if _advise is not None:
    _advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_fork: Any = getattr(ctypes.PyDLL(None, use_errno=True), "fork", None) if sys.platform == "linux" else None
_kept: list[object] = []
"""Filler that keeps old heap slots occupied."""


def fork() -> int:
    """As `os.fork`, for a process of one thread: without what Python and its libraries do around a fork for the others.

    They make their locks anew, and their random numbers; a worker would copy two hundred pages for that alone.
    """
    if _fork is None:
        return os.fork()
    pid: int = _fork()
    if pid < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return pid


def close_gaps() -> None:
    """Fill the places of freed objects, so that the next objects lie together.

    A worker then copies 8.5 MB instead of 10.2 in a small run, and 14 MB instead of 19 in one that trains a model.
    """
    empty = sys.getsizeof(b"")
    for size in range(16, SMALL + 1, 16):
        make: Callable[[], object] = object if size == 16 else float if size == 32 else partial(bytes, size - empty)
        count = 2 * PAGE // size
        for _ in range(MOST_GAPS // PAGE):
            made: list[object] = [None] * count  # a list that grows would take places of its own meanwhile
            for row in range(count):
                made[row] = make()
            _kept.append(made)
            addresses = sorted(map(id, made))
            if sum(after - before != size for before, after in pairwise(addresses)) < 4:
                break  # they lie side by side, but for where a page begins: the older places are taken


def use_huge_pages() -> None:
    """Move the memory of this process to huge pages, as far as it fills such."""
    if _advise is None:
        return
    for start, end in private_memory():
        for address in range(-(-start // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
            _advise(address, HUGE_PAGE, MADV_COLLAPSE)


def written_by(work: Callable[[], object]) -> list[Piece]:
    """What of this process's memory `work` writes to, as a fork finds out that does it; nothing where the system does
    not tell."""
    memory = list(private_memory())
    entries = sum(end - start for start, end in memory) // PAGE * ENTRY
    if _advise is None or not entries or not os.access(PAGEMAP, os.R_OK):
        return []
    with mmap.mmap(-1, entries) as found:  # shared with the fork
        pid = fork()
        if pid == 0:
            try:
                pages = os.open(PAGEMAP, os.O_RDONLY)
                work()
                read_entries(pages, memory, found)
                os._exit(0)
            finally:
                os._exit(1)
        _, status = os.waitpid(pid, 0)
        own = [entry & PRESENT_AND_OWN == PRESENT_AND_OWN for entry in array("Q", found.read())]
    return [] if status else list(pieces(memory, own))


def read_entries(pages: int, memory: list[Piece], found: mmap.mmap) -> None:
    """What the file `pages` tells of `memory`, one piece after the other, into `found`."""
    with memoryview(found) as view:
        at = 0
        for start, end in memory:
            size = (end - start) // PAGE * ENTRY
            os.preadv(pages, [view[at : at + size]], start // PAGE * ENTRY)
            at += size


def pieces(memory: list[Piece], chosen: Sequence[bool]) -> Iterator[Piece]:
    """The pages of `memory` that are `chosen`, of which each page has one, joined where they are neighbours."""
    page = iter(chosen)
    for start, end in memory:
        for are_chosen, addresses in groupby(range(start, end, PAGE), lambda _: next(page)):
            if are_chosen:
                first = next(addresses)
                yield first, (1 + sum(1 for _ in addresses)) * PAGE


def copy_now(written: list[Piece]) -> None:
    """Have a copy of this memory, where a fork would get one page for page when it writes there."""
    for address, size in written:
        _advise(address, size, MADV_POPULATE_WRITE)


def private_memory() -> Iterator[tuple[int, int]]:
    """Start and end of every piece of memory that this process alone can write to."""
    try:
        with open("/proc/self/maps") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        addresses, permissions, *_ = line.split()
        if permissions == "rw-p":
            start, _, end = addresses.partition("-")
            yield int(start, 16), int(end, 16)
