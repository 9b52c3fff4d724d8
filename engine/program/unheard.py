"""Exceptions that reach nobody: raised in a generator that is let go while it waits inside a `try` or a `with`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from engine.limits import LimitExceeded, meter
from engine.program.exceptions import MachineFailure, is_machines


@contextmanager
def unheard() -> Iterator[None]:
    """Python writes about them to the process's own stderr, in words that a program chooses, as often as it likes: in
    this block nothing is written, and what no program may catch ends it at its next step."""
    before, thread = sys.unraisablehook, threading.get_ident()

    def hear(told: sys.UnraisableHookArgs) -> None:
        exception = told.exc_value
        if threading.get_ident() != thread:
            before(told)
        elif isinstance(exception, LimitExceeded | MachineFailure):
            meter.stop(exception)
        elif exception is not None and is_machines(exception):
            meter.stop(MachineFailure(exception))

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = before
