"""Coroutines of tests that are no coroutines themselves."""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
SECONDS = 300.0
"""After them what has not ended is left, in a thread that keeps nobody."""


def completed(work: Coroutine[Any, Any, T], run: Callable[[Coroutine[Any, Any, T]], T] = asyncio.run) -> T:
    """What `work` returns, from an event loop of its own that `run` makes.

    In a thread of its own, because browser tests in the same session keep an event loop running in the main thread.
    """
    made: Future[T] = Future()

    def work_on() -> None:
        try:
            made.set_result(run(work))
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=work_on, daemon=True).start()
    return made.result(SECONDS)


class Skipping(selectors.DefaultSelector):
    """Waits for nothing: the time that it should have waited has passed then."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "everything waits for something that does not come"
            self.now += timeout
        return ready


class VirtualTime(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own, on which only sleeping takes time."""

    def __init__(self) -> None:
        self.skipping = Skipping()
        super().__init__(self.skipping)

    def time(self) -> float:
        return self.skipping.now


def in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns, on a clock that passes only while it sleeps."""
    with asyncio.Runner(loop_factory=VirtualTime) as runner:
        return runner.run(work)
