"""The processor time of a run: who has used it up ends as who is out of fuel, at the next step.

A call in C that does not come back (`sum(range(10**12))`) takes none. Its program ends in the middle of it, and the
process with it: nothing can be relied on afterwards, and what is left to do is to say what happened.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time  # the machine's, whatever programs find in its place
from types import FrameType
from typing import Any

from engine.limits import LimitExceeded, meter

TEXT = "The program takes too much processor time; use fewer or smaller loops"
AGAIN_SECONDS = 0.02
"""Processor time from one signal to the next: a step that was being counted when one came does not see it."""
STUCK_SECONDS = 1.5
"""Processor time beyond its own after which a program that takes no step is ended in the middle of one."""


def _never(frame: FrameType | None) -> bool:
    return False


interrupts: Callable[[FrameType | None], bool] = _never
"""Whether a program can be ended in the middle of what this frame does, where it may never take a step."""
stuck: Callable[[], None] | None = None
"""Called where a program takes no step any more; does not return."""


class Deadline:
    """`met` tells whether the machine's speed has decided how something ended, and not the program alone."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.met = False
        self._began = process_time()

    def strike(self, number: int, frame: FrameType | None) -> None:
        """End the program, if one is running."""
        self.met |= meter.stop(LimitExceeded("cpu_seconds", None, self.seconds, TEXT))
        if meter.stopped is not None and interrupts(frame):
            raise meter.stopped

    def leaves_half(self) -> bool:
        """Whether half of the time is left. A no counts as met."""
        half = 2 * (process_time() - self._began) <= self.seconds
        self.met |= not half
        return half


@contextmanager
def deadline(seconds: float) -> Iterator[Deadline]:
    """Programs that run in this block, in the main thread, have `seconds` of the process's time all together."""
    made = Deadline(seconds)
    before = signal.signal(signal.SIGPROF, made.strike)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN_SECONDS)
    try:
        yield made
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def last_words(seconds: float) -> Iterator[None]:
    """Where a program in this block takes no step long after its `seconds`, `stuck` is told, from within whatever runs.

    Python's own handlers wait for a step; this one is C's.
    """
    before = _signal(signal.SIGVTALRM, ctypes.cast(_in_c, ctypes.c_void_p))
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds + STUCK_SECONDS, STUCK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        _signal(signal.SIGVTALRM, before)


def _tell(number: int) -> None:
    if stuck is not None and interrupts(sys._getframe(1)):
        stuck()


_in_c = ctypes.CFUNCTYPE(None, ctypes.c_int)(_tell)  # here, since no process makes code once it is locked
_signal: Any = None if sys.platform == "win32" else ctypes.CDLL(None).signal
if _signal is not None:
    _signal.argtypes, _signal.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p
