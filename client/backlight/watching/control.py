"""Between the training and its readers: nothing waits for a reader but what that reader asked to wait."""

from __future__ import annotations

import threading
import time

LOST = 10.0
"""Seconds after which a page that asks no more is gone, and what it had wait goes on."""

_LOOK = 0.5
"""Seconds between two looks at whether it is."""


class Control:
    """Whether the training is to wait. `changed` is told of all that a page shows; `state` is the word for it."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.iteration = 0
        self.version = 0
        self.told: str | None = None
        self.paused = self.waiting = self.over = False
        self._step = False
        self._seen = 0.0

    @property
    def state(self) -> str:
        """`running`, `pausing` until the iteration is over, `paused`, `over`."""
        if self.over:
            return "over"
        return "paused" if self.waiting else "pausing" if self.paused else "running"

    def seen(self) -> None:
        """A page asked for something."""
        self._seen = time.monotonic()

    def pause(self) -> None:
        """Have the training wait at the end of an iteration that is recorded."""
        self._set(paused=True)

    def step(self) -> None:
        """Let it do one more iteration, which is recorded."""
        self._set(paused=True, step=True)

    def go(self) -> None:
        """Let it go on."""
        self._set(paused=False)

    def tell(self, told: str | None = None, over: bool = False) -> None:
        """Something has changed that pages show. `told`: a sentence for the reader."""
        with self.changed:
            self.version += 1
            self.told = told or self.told
            self.over = self.over or over
            self.changed.notify_all()

    def wait(self) -> None:
        """Wait in the training's thread, while a page is there that wants it to. Ctrl-C ends it as it ends anything."""
        with self.changed:
            self.waiting = True
            self._notify()
            try:
                while self.paused and not self._step:
                    if time.monotonic() - self._seen > LOST:
                        self.paused = False
                    else:
                        self.changed.wait(_LOOK)
            finally:
                self.waiting = self._step = False
                self._notify()

    def await_change(self, version: int, seconds: float) -> None:
        """Wait in a page's thread until there is something that it does not show, for some seconds at most."""
        with self.changed:
            self.changed.wait_for(lambda: self.version != version, seconds)

    def _set(self, paused: bool, step: bool = False) -> None:
        with self.changed:
            if not self.over:
                self.paused, self._step = paused, step and self.waiting
            self._notify()

    def _notify(self) -> None:
        self.version += 1
        self.changed.notify_all()
