"""The event loop, shared among clients: what one of them asks for must not keep it from all the others.

What comes is done at once, up to `PASS_TURNS` and `PASS_SECONDS` in a pass of the loop. The rest waits in one queue for
each client, and clients take turns, one turn a pass: new connections are accepted one a pass, too, and must not wait
for all the work that the last ones have brought.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable

PASS_SECONDS = 0.001
PASS_TURNS = 8  # because part of the work comes later


class Rounds:
    """Lets pieces of work in, clients in turn. Times come from `clock`, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._ring: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._began: float | None = None  # when this pass did; None where nobody has asked for a turn in it

        self._turns = 0  # that were taken in it

    async def turn(self, client: str) -> None:
        """Return when `client` may keep the event loop busy for as long as one piece of an answer takes."""
        if self._began is None:
            self._begin()
        elif not self._ring and self._turns < PASS_TURNS and self._clock() - self._began < PASS_SECONDS:
            self._turns += 1
        else:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._ring.setdefault(client, deque()).append(mine)
            await mine

    def _begin(self) -> None:
        self._began = self._clock()
        self._turns = 1
        asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """End a pass; as long as somebody waits, let one in and begin the next."""
        self._began = None
        while self._ring:
            client, queue = self._ring.popitem(last=False)
            first = queue.popleft()
            if queue:
                self._ring[client] = queue
            if not first.done():  # else it has given up
                first.set_result(None)
                self._begin()
                return
