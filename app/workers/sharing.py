"""What makes a fork cheap: how little of its memory a worker must copy.

A forked process shares all pages with the one it came from until either writes to one; then the kernel copies it, and
Python writes to every object that it uses (it counts references). Here the gaps that freed objects left all over the
heap are closed, so that new objects do not spread over old pages, and the memory is moved to huge pages, of which a
fork has fewer entries to copy. Python 3.12 and later count no references to objects that are immortal, which all are
made that exist before the first fork. What every job writes to is found out once, and a worker copies it before it has
a job. Where a system does not offer that, nothing happens.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import sys
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from types import CodeType
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
_immortal = array("Q")
"""Addresses of the objects that have been made immortal."""


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


def make_immortal() -> int:
    """Let nobody count references to the objects that there are, as Python counts none to None (PEP 683).

    They are never freed, which nobody misses in a process whose objects are shared by all workers. Returns how many
    have become so: none before Python 3.12, which writes to each object that it uses.
    """
    import numpy as np  # noqa: PLC0415 - not before `engine.hashes.leave_addresses`

    mark = immortal_mark()
    if mark is None:
        return 0
    known = np.array(_immortal, np.uint64)
    layer = gc.get_objects()
    while layer:
        addresses, places = np.unique(np.fromiter(map(id, layer), np.uint64, len(layer)), return_index=True)
        fresh = np.isin(addresses, known, assume_unique=True, invert=True)
        known = np.concatenate([known, addresses[fresh]])
        values = [layer[place] for place in places[fresh].tolist()]
        layer = [*gc.get_referents(*values), *untold(values)]
    new = known[len(_immortal) :]
    for start, end in private_memory():
        counts = np.frombuffer(memoryview((ctypes.c_char * (end - start)).from_address(start)), np.uint32)
        here = new[(new >= start) & (new < end)]
        counts[(here - np.uint64(start)) // counts.itemsize] = mark
    _immortal.frombytes(new.tobytes())
    return len(new)


def immortal_mark() -> int | None:
    """What stands where an immortal object would have its count; None where Python counts references to all."""
    if sys.byteorder != "little" or sys.maxsize < 1 << 32:
        return None
    count = ctypes.c_uint32.from_address(id(None))
    before: int = count.value
    more = [None] * 1000
    return before if count.value == before and len(more) > 1 else None


def untold(values: Collection[object]) -> Iterator[object]:
    """What these refer to and don't tell the garbage collector of; nothing that is made for the one who asks."""
    yield from set(map(type, values))
    for value in values:
        if type(value) is CodeType:
            yield value.co_consts
            yield value.co_names
            yield value.co_linetable
            yield from (value.co_filename, value.co_name, value.co_qualname)
        elif type(value) is type:
            yield value.__mro__
            yield from gc.get_referents(vars(value))


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
