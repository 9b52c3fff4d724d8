"""Generators of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.state import state
from engine.program.admission import value_of
from engine.program.exceptions import chain
from engine.program.session import Session
from engine.program.values import name_as, out_of_fuel

_RESUME = 4
"""Calls that resuming a generator counts for: it takes more of the C stack than a call."""


class Generator:
    """A generator the program made. Each resumption counts as a call, so nesting stays bounded."""

    __slots__ = ("__qualname__", "__weakref__", "handling", "running", "session")

    def __init__(self, running: Any, qualname: str, session: Session) -> None:
        self.running = running
        self.__qualname__ = qualname
        self.session = session
        self.handling: list[Any] = []

    def __iter__(self) -> Generator:
        return self

    def __next__(self) -> Any:
        budget = self.session.budget
        budget[0] -= 1
        if budget[0] < 0:
            out_of_fuel(self.session)
        budget[1] -= _RESUME
        if budget[1] < 0:
            budget[1] += _RESUME
            raise RecursionError("maximum recursion depth exceeded")
        before, handling = state.position, self.session.handling
        around = len(handling)
        if self.handling:
            handling += self.handling
        try:
            return next(self.running)
        finally:
            budget[1] += _RESUME
            state.position = before
            if self.handling or len(handling) > around:
                self._keep(around)

    def send(self, value: Any) -> Any:
        """Resume with the value of the `yield` it waits at."""
        return self._resume(self.running.send, value)

    def throw(self, exception: BaseException) -> Any:
        """Resume by raising at the `yield` it waits at."""
        if self.handling:
            chain(value_of(exception), self.handling[-1])
        return self._resume(self.running.throw, exception)

    def close(self) -> None:
        """End it, running its `finally` blocks."""
        self._resume(lambda _: self.running.close(), None)

    def _resume(self, how: Callable[[Any], Any], value: Any) -> Any:
        budget = self.session.budget
        if budget[1] < _RESUME:
            raise RecursionError("maximum recursion depth exceeded")
        budget[1] -= _RESUME
        before, handling = state.position, self.session.handling
        around = len(handling)
        handling += self.handling
        try:
            return how(value)
        finally:
            budget[1] += _RESUME
            state.position = before
            self._keep(around)

    def _keep(self, around: int) -> None:
        """The exceptions being handled where it waits are nobody else's meanwhile."""
        handling = self.session.handling
        self.handling = handling[around:]
        del handling[around:]

    def __repr__(self) -> str:
        return f"<generator object {self.__qualname__} at {self.session.identity(self):#x}>"


name_as(Generator, "generator")
