"""`queue`. There is nobody to wait for: what would wait for ever raises."""

from __future__ import annotations

from collections import deque
from typing import Any

from engine.limits import meter
from engine.program.calls import keep
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.stdlib import heapq

EMPTY: Any = type("Empty", (EXCEPTIONS["Exception"],), {"__module__": "_queue"})
FULL: Any = type("Full", (EXCEPTIONS["Exception"],), {"__module__": "queue"})
_pop, _push = (heapq.MODULES["heapq"][name].function for name in ("heappop", "heappush"))


class SimpleQueue:
    """`queue.SimpleQueue`: first in, first out, without an end."""

    __module__ = "_queue"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        self._items: Any = self._made()

    def _made(self) -> Any:
        return deque()

    def _append(self, item: Any) -> None:
        self._items.append(item)

    def _next(self) -> Any:
        return self._items.popleft()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def put(self, item: Any, block: bool = True, timeout: Any = None) -> None:
        meter.check_length(len(self._items) + 1)
        self._append(item)

    def get(self, block: bool = True, timeout: Any = None) -> Any:
        _check(block, timeout)
        if not self._items:
            raise _waiting("get() of an empty queue", block, timeout, EMPTY)
        return self._next()

    def put_nowait(self, item: Any) -> None:
        self.put(item, False)

    def get_nowait(self) -> Any:
        return self.get(False)


class Queue(SimpleQueue):
    """`queue.Queue`: the same, which may have an end and counts what is done."""

    __module__ = "queue"
    __program__ = True

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__()
        self.maxsize, self.queue = maxsize, self._items
        self.unfinished_tasks = 0

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    def put(self, item: Any, block: bool = True, timeout: Any = None) -> None:
        _check(block, timeout)
        if self.full():
            raise _waiting("put() into a full queue", block, timeout, FULL)
        super().put(item)
        self.unfinished_tasks += 1

    def task_done(self) -> None:
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self) -> None:
        if self.unfinished_tasks:
            raise RuntimeError("join() would wait for ever here: there are tasks that nobody has done")


def _check(block: Any, timeout: Any) -> None:
    if block and timeout is not None and timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")


def _waiting(what: str, block: Any, timeout: Any, kind: Any) -> BaseException:
    if block and timeout is None:
        return RuntimeError(f"{what} would wait for ever here: a thread does its work when it is started")
    return host_exception(kind())


class LifoQueue(Queue):
    """`queue.LifoQueue`: last in, first out."""

    __module__ = "queue"
    __program__ = True

    def _made(self) -> Any:
        return []

    def _next(self) -> Any:
        return self._items.pop()


class PriorityQueue(Queue):
    """`queue.PriorityQueue`: the smallest item first."""

    __module__ = "queue"
    __program__ = True

    def _made(self) -> Any:
        return []

    def _append(self, item: Any) -> None:
        _push(self._items, item)

    def _next(self) -> Any:
        return _pop(self._items)


keep(SimpleQueue)

MODULES: dict[str, dict[str, Any]] = {
    "queue": {
        "Queue": Queue, "LifoQueue": LifoQueue, "PriorityQueue": PriorityQueue, "SimpleQueue": SimpleQueue,
        "Empty": EMPTY, "Full": FULL,
    }
}  # fmt: skip
