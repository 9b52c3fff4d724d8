"""Memory that can be run and written to: programs find none, or what they write there would be code.

The library behind ctypes has such pages for functions of C that are made of Python's (`CFUNCTYPE`), once there is one.
"""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
from typing import Any

READ_AND_EXECUTE = 1 | 4
"""PROT_READ | PROT_EXEC"""
MOST = 10_000
"""More functions than fit into the pages that there are."""

_kept: list[object] = []
"""Functions of C: to free one, its page would be written to."""


class Code:
    """The code of functions of C that this process has, and those that are forked from it."""

    def __init__(self) -> None:
        """What is free in their pages is taken, so that nothing wants to write there."""
        self._protect: Any = ctypes.CDLL(None).mprotect
        if writable():
            _kept.extend(each for each in gc.get_objects() if type(each).__name__ == "CThunkObject")
            _use_up()
        self.pages = [(ctypes.c_void_p(start), ctypes.c_size_t(end - start)) for start, end in writable()]

    def seal(self) -> bool:
        """Have it stay as it is; whether that is so. Behind the filter ctypes makes no more, and raises MemoryError."""
        return not any([self._protect(start, size, READ_AND_EXECUTE) for start, size in self.pages])


def writable(pid: int | str = "self") -> list[tuple[int, int]]:
    """Where a process has memory that can be both run and written to: first addresses, and those behind the last."""
    if sys.platform != "linux":
        return []
    found = []
    with open(f"/proc/{pid}/maps") as file:
        for line in file:
            addresses, permissions, _ = line.split(maxsplit=2)
            if "w" in permissions and "x" in permissions:
                start, _, end = addresses.partition("-")
                found.append((int(start, 16), int(end, 16)))
    return found


def _use_up() -> None:
    """Make functions until no more fit into the pages: there come no others while nothing can be mapped."""
    made: list[object] = [None] * MOST
    kind = ctypes.CFUNCTYPE(None)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (0, hard))
    try:
        for index in range(MOST):
            made[index] = kind(int)
    except MemoryError:
        pass
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    _kept.extend(each for each in made if each is not None)
