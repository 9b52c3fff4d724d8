"""The queue of nodes that are ready to run.

PyTorch keeps the nodes that may run in a binary heap on their sequence numbers, the newest on top. Every recorded op
has a number of its own, so any heap takes them in that order. Leaves share one number, greater than all others: they
run before anything else, and among themselves in the order in which `std::push_heap` and `std::pop_heap` happen to give
out equal keys. That depends on nothing but how many nodes waited when each of them came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice
from math import inf, nextafter

from engine.core.node import AccumulateGrad, Node
from engine.limits import meter

_SHOWN = 24
_LOOKED = 2
"""Steps that finding these among many costs."""


class ReadyQueue:
    """The nodes that wait for their turn.

    `keys` is a heap of the negative sequence numbers of `nodes`; `leaves` wait beside it, `before` says how many others
    waited when each of them came. Leaves are arranged and run before the next node is taken.
    """

    __slots__ = ("before", "keys", "leaves", "nodes")

    def __init__(self) -> None:
        self.keys: list[float] = []
        self.nodes: dict[float, Node] = {}
        self.leaves: deque[AccumulateGrad] = deque()
        self.before: list[int] = []

    def push(self, node: Node) -> None:
        """Let a node wait, where PyTorch pushes it on its heap."""
        if isinstance(node, AccumulateGrad):
            self.before.append(len(self.keys))
            self.leaves.append(node)
        else:
            self.wait(node)

    def wait(self, node: Node) -> None:
        """The same for a node that is no leaf."""
        key: float = -node.sequence_nr
        while key in self.nodes:  # somebody has set the numbers by hand: first come, first served
            key = nextafter(key, inf)
        heappush(self.keys, key)
        self.nodes[key] = node

    def pop(self) -> Node:
        """The newest node that waits; no leaf does."""
        return self.nodes.pop(heappop(self.keys))

    def arrange(self, newest: Node | None = None) -> None:
        """Put the leaves that wait into the order in which they run; `newest` waits as well, before the queue."""
        if len(self.leaves) > 2:
            leaves = self._arranged(newest)
            self.leaves.clear()
            self.leaves.extend(leaves)
        self.before.clear()

    def _arranged(self, newest: Node | None) -> list[AccumulateGrad]:
        leaves = list(self.leaves)
        if len(leaves) < 3 or not self.before:
            return leaves
        return [leaves[place] for place in _order(tuple(self.before), len(self.keys) + (newest is not None))]

    def first(self, newest: Node | None = None) -> Sequence[Node]:
        """The nodes that wait, next first, at most a screenful of them; `newest` waits before the queue."""
        if not self.keys and not self.leaves:
            return () if newest is None else (newest,)
        waiting: list[Node] = [] if newest is None else [newest]
        if self.keys:
            waiting += [self.nodes[key] for key in _smallest(self.keys)]
        if self.leaves:
            ahead = self._arranged(newest) if self.before else islice(self.leaves, _SHOWN)
            waiting = [*ahead, *waiting]
        return waiting if len(waiting) <= _SHOWN else waiting[:_SHOWN]


def _smallest(heap: list[float]) -> list[float]:
    """The first keys of a heap, in order: each is the root, or below one that came before."""
    if len(heap) <= 2 * _SHOWN:
        return sorted(heap)[:_SHOWN]
    meter.charge(_LOOKED)
    found: list[float] = []
    near = [(heap[0], 0)]
    while len(found) < _SHOWN:
        key, place = heappop(near)
        found.append(key)
        for below in (2 * place + 1, 2 * place + 2):
            if below < len(heap):
                heappush(near, (heap[below], below))
    return found


@lru_cache(maxsize=256)
def _order(before: Sequence[int], others: int) -> tuple[int, ...]:
    """The order in which PyTorch's heap gives out its leaves: positions in the order they came.

    Leaf `i` came when `before[i]` other nodes waited; in the end `others` do. In the heap, a leaf stands above every
    other node, so the places of leaves follow from the shape of the heap alone.
    """
    heap: list[int | None] = []
    for leaf, count in enumerate(before):
        heap.extend([None] * (count + leaf - len(heap)))
        heap.append(leaf)
        _push_heap(heap, len(heap) - 1)
    heap.extend([None] * (others + len(before) - len(heap)))
    return tuple([_pop_heap(heap) for _ in before])


def _push_heap(heap: list[int | None], hole: int) -> None:
    """`std::push_heap` of the leaf at `hole`."""
    leaf = heap[hole]
    while hole > 0 and heap[parent := (hole - 1) >> 1] is None:
        heap[hole] = None
        hole = parent
    heap[hole] = leaf


def _pop_heap(heap: list[int | None]) -> int:
    """`std::pop_heap` of a heap with a leaf on top: the hole sinks, then the last element rises from the bottom."""
    top, last = heap[0], heap.pop()
    size = len(heap)
    assert top is not None
    if size == 0:
        return top
    hole = child = 0
    while child < (size - 1) // 2:
        child = 2 * child + 2
        if heap[child] is None and heap[child - 1] is not None:
            child -= 1
        heap[hole] = heap[child]
        hole = child
    if size & 1 == 0 and child == (size - 2) // 2:
        child = 2 * child + 1
        heap[hole] = heap[child]
        hole = child
    heap[hole] = last
    if last is not None:
        _push_heap(heap, hole)
    return top
