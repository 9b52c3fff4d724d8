"""An end for a program that runs in this very process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 1.0
"""Seconds after which a program is stopped once more: one with a bare `except` in a loop would go on for ever."""


class TooLongError(BaseException):
    """It has used too much processor time."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the block after so much processor time; main thread only."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
