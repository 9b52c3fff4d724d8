"""One at a time, clients in turn, for work that would keep the event loop from everybody else."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable


class Lane:
    """Lets one in at a time.

    After each it stays closed for as long as that took, so that half of the time is left for all the rest.
    """

    def __init__(self) -> None:
        self._taken = False
        self._ring: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def turn(self, client: Hashable) -> AsyncIterator[None]:
        if self._taken:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._ring.setdefault(client, deque()).append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()
                raise
        self._taken = True
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            yield
        finally:
            loop.call_later(loop.time() - started, self._next)

    def _next(self) -> None:
        while self._ring:
            client, queue = self._ring.popitem(last=False)
            first = queue.popleft()
            if queue:
                self._ring[client] = queue
            if not first.done():
                first.set_result(None)
                return
        self._taken = False
