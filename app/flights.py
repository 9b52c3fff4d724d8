"""Single flight: callers that want the same thing at the same time wait for one piece of work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(eq=False)
class Flight(Generic[T]):
    """Work under way and how many wait for it."""

    task: asyncio.Task[T]
    waiters: int = 0


class SingleFlight(Generic[T]):
    """`await flights.do(key, make)` joins the work already under way for `key`, or starts `make()`.

    The work goes on while anybody waits for it, and is cancelled when the last one has left.
    """

    def __init__(self) -> None:
        self._flights: dict[Hashable, Flight[T]] = {}

    def __len__(self) -> int:
        return len(self._flights)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._flights

    async def do(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = Flight(asyncio.ensure_future(_as_coroutine(make)))
            flight.task.add_done_callback(lambda task: self._land(key, task))
        flight.waiters += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiters -= 1
            if not flight.waiters and not flight.task.done():
                if self._flights.get(key) is flight:
                    del self._flights[key]
                flight.task.cancel()

    def forget(self, key: Hashable) -> None:
        """Let nobody else join the work under way for `key`: who wants it from now on has it done again."""
        self._flights.pop(key, None)

    def _land(self, key: Hashable, task: asyncio.Task[T]) -> None:
        if (flight := self._flights.get(key)) is not None and flight.task is task:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # everybody may have left: an error is then nobody's, and asyncio should not complain


async def _as_coroutine(make: Callable[[], Awaitable[T]]) -> T:
    return await make()
