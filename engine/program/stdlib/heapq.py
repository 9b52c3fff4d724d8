"""`heapq` and `bisect`."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Iterator
from typing import Any

from engine.limits import meter
from engine.program.calls import host_callable
from engine.program.charges import grow
from engine.program.methods import comparing, sorting
from engine.program.operators import NESTING, guard, guard_key, items, weigh, weighed
from engine.program.values import Builtin


def _heap(heap: Any) -> list[Any]:
    if type(heap) is not list:
        raise TypeError(f"heap argument must be a list, not {type(heap).__name__}")
    meter.charge(1 + len(heap).bit_length())
    return heap


def _sifted(heap: Any) -> list[Any]:
    """The same for what compares items of it with one another."""
    values = _heap(heap)
    ends = [item for item in values[:3] + values[-1:] if type(item) in NESTING]
    if ends:
        meter.charge(len(values).bit_length() * max([weigh(item) for item in ends]) >> 8)
    return values


def _push(heap: Any, item: Any) -> None:
    meter.check_length(len(_heap(heap)) + 1)
    guard_key(item)
    heapq.heappush(heap, item)


def _heapify(heap: Any) -> None:
    meter.charge(len(_heap(heap)))
    weighed(heap)
    heapq.heapify(heap)


def _extreme(function: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    def run(n: int, iterable: Any, key: Any = None) -> list[Any]:
        values = list(items(iterable))
        meter.charge(len(values) >> 1)
        sorting(values, key is None)
        return function(n, values, None if key is None else comparing(key, len(values)))

    return run


def _search(function: Callable[..., int]) -> Callable[..., int]:
    def run(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> int:
        meter.charge(1 + len(a).bit_length())
        guard_key(x)
        return function(a, x, lo, len(a) if hi is None else hi, key=None if key is None else comparing(key, 1))

    return run


def _insort(search: Callable[..., int]) -> Callable[..., None]:
    def run(a: Any, x: Any, lo: int = 0, hi: int | None = None, *, key: Any = None) -> None:
        if type(a) is not list:
            raise TypeError(f"a list is needed, not {type(a).__name__}")
        grow(len(a) + 1)
        meter.charge(len(a) >> 11)
        a.insert(search(a, x if key is None else host_callable(key)(x), lo, hi, key=key), x)

    return run


_LEFT, _RIGHT = _search(bisect.bisect_left), _search(bisect.bisect_right)

def _merge(*iterables: Any, key: Any = None, reverse: Any = False) -> Iterator[Any]:
    parts = [list(items(iterable)) for iterable in iterables]
    joined = [item for part in parts for item in part]
    grow(len(joined))
    guard(joined)
    sorting(joined, key is None)
    by = None if key is None else comparing(key, len(joined))
    return iter(list(heapq.merge(*parts, key=by, reverse=bool(reverse))))


MODULES: dict[str, dict[str, Any]] = {
    "heapq": {
        "heappush": Builtin("heappush", _push),
        "merge": Builtin("merge", _merge),
        "heappop": Builtin("heappop", lambda heap: heapq.heappop(_sifted(heap))),
        "heappushpop": Builtin("heappushpop", lambda heap, item: heapq.heappushpop(_sifted(heap), item)),
        "heapreplace": Builtin("heapreplace", lambda heap, item: heapq.heapreplace(_sifted(heap), item)),
        "heapify": Builtin("heapify", _heapify),
        "nlargest": Builtin("nlargest", _extreme(heapq.nlargest)),
        "nsmallest": Builtin("nsmallest", _extreme(heapq.nsmallest)),
    },
    "bisect": {
        "bisect": Builtin("bisect", _RIGHT),
        "bisect_left": Builtin("bisect_left", _LEFT),
        "bisect_right": Builtin("bisect_right", _RIGHT),
        "insort": Builtin("insort", _insort(_RIGHT)),
        "insort_left": Builtin("insort_left", _insort(_LEFT)),
        "insort_right": Builtin("insort_right", _insort(_RIGHT)),
    },
}
