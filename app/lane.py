"""One thing at a time on a thread, for work that would keep the event loop from everybody else."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Hashable
from typing import TypeVar

T = TypeVar("T")

MOST_REMEMBERED = 1024


class Lane:
    """Does what it is asked for one after the other, and in between rests for `rest` times as long as the last took.

    Who has had least comes first, and of those who had as much, what is smallest (self-clocked fair queueing:
    Golestani, 1994). What was had is forgotten when nobody waits.
    """

    def __init__(self, rest: float = 1.0) -> None:
        self._rest = rest
        self._taken = False
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []  # a heap
        self._numbers = itertools.count()
        self._time = 0
        self._had: dict[Hashable, int] = {}  # later than `_time`, or it says nothing

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def do(self, whose: Hashable, size: int, work: Callable[[], T], paid: Callable[[float], None]) -> T:
        """What `work` of this size gives; `paid` is told how many seconds it took.

        A thread cannot be ended: who leaves meanwhile pays all the same, and the next begins when it has.
        """
        await self._turn(whose, size)
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            doing = loop.run_in_executor(None, work)
        except RuntimeError:  # the service ends
            self._next()
            raise

        def done(doing: asyncio.Future[T]) -> None:
            if not doing.cancelled():
                doing.exception()  # if nobody is left, it is nobody's
            seconds = loop.time() - started
            loop.call_later(self._rest * seconds, self._next)
            paid(seconds)

        doing.add_done_callback(done)
        return await asyncio.shield(doing)

    async def _turn(self, whose: Hashable, size: int) -> None:
        tag = self._had[whose] = max(self._time, self._had.get(whose, 0)) + size
        if not self._taken:
            self._taken, self._time = True, tag
            return
        mine = asyncio.get_running_loop().create_future()
        entry = (tag, next(self._numbers), mine)
        heapq.heappush(self._waiting, entry)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._next()
            elif entry in self._waiting:
                self._waiting.remove(entry)
                heapq.heapify(self._waiting)
            raise

    def _next(self) -> None:
        while self._waiting:
            self._time, _, first = heapq.heappop(self._waiting)
            if len(self._had) > MOST_REMEMBERED:
                self._had = {whose: tag for whose, tag in self._had.items() if tag > self._time}
            if not first.done():  # else it has yet to notice that it was left
                first.set_result(None)
                return
        self._taken, self._time = False, 0
        self._had.clear()
