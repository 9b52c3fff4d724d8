"""The processor time of a run: who has used it up ends as who is out of fuel, at the next step."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time  # the machine's, whatever programs find in its place
from types import FrameType

from engine.limits import LimitExceeded, meter

AGAIN_SECONDS = 0.02
"""Processor time from one signal to the next: a step that was being counted when one came does not see it."""


def _never(frame: FrameType | None) -> bool:
    return False


interrupts: Callable[[FrameType | None], bool] = _never
"""Whether a program can be ended in the middle of what this frame does, where it may never take a step."""


class Deadline:
    """`met` tells whether the machine's speed has decided how something ended, and not the program alone."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.met = False
        self._began = process_time()

    def strike(self, number: int, frame: FrameType | None) -> None:
        """End the program, if one is running."""
        text = "The program takes too much processor time; use fewer or smaller loops"
        self.met |= meter.stop(LimitExceeded("cpu_seconds", None, self.seconds, text))
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
