"""Stands in for functions of PyTorch and Python while recordings run, several at a time, and ends in any order."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_MISSING = object()
"""In the place of what a class only inherits."""

_lock = threading.RLock()

Make = Callable[[Any], Any]
"""Makes what stands in for something. It is asked again when one below it ends, so all it remembers is elsewhere."""


@dataclass(eq=False)
class _Layer:
    """What stands in for what was there `below`."""

    make: Make
    below: Any
    value: Any


class _Place:
    """An attribute and its layers, the first one at the bottom."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner, self.name = owner, name
        self.layers: list[_Layer] = []

    def now(self) -> Any:
        return vars(self.owner).get(self.name, _MISSING)

    def made(self, make: Make, below: Any) -> Any:
        return make(getattr(self.owner, self.name) if below is _MISSING else below)

    def set(self, value: Any) -> None:
        if value is not _MISSING:
            setattr(self.owner, self.name, value)
        elif self.now() is not _MISSING:
            delattr(self.owner, self.name)

    def add(self, make: Make) -> _Layer:
        below = self.now()
        layer = _Layer(make, below, self.made(make, below))
        self.layers.append(layer)
        self.set(layer.value)
        return layer

    def remove(self, layer: _Layer, yielding: bool) -> None:
        at, now = self.layers.index(layer), self.now()
        del self.layers[at]
        if at == len(self.layers):
            if now is layer.value or not yielding:
                self.set(layer.below)
            return
        before, below = layer.value, layer.below
        for above in self.layers[at:]:
            if above.below is not before:  # the program has put its own between
                return
            before, above.below = above.value, below
            if below is _MISSING:
                self.set(_MISSING)
            below = above.value = self.made(above.make, below)
        if now is before or now is _MISSING:
            self.set(below)


_places: dict[tuple[int, str], _Place] = {}


class Layers:
    """What one part of a recorder has put in the place of something."""

    def __init__(self) -> None:
        self._own: list[tuple[_Place, _Layer, bool]] = []

    def put(self, owner: Any, name: str, make: Make, *, yielding: bool = False) -> None:
        """Let what `make` makes of `owner.name` stand in for it. `yielding`: not put back where the program has put
        something else there meanwhile."""
        with _lock:
            place = _places.setdefault((id(owner), name), _Place(owner, name))
            self._own.append((place, place.add(make), yielding))

    def clear(self) -> None:
        """Put everything back, below what others have put there since."""
        with _lock:
            own, self._own = self._own, []
            for place, layer, yielding in reversed(own):
                place.remove(layer, yielding)
                if not place.layers:
                    _places.pop((id(place.owner), place.name), None)


_threads: dict[int, int] = {}
"""In which threads recordings run, and how many."""


def entered(thread: int) -> None:
    """A recording begins in a thread."""
    with _lock:
        _threads[thread] = _threads.get(thread, 0) + 1


def left(thread: int) -> None:
    """It has ended."""
    with _lock:
        _threads[thread] -= 1
        if not _threads[thread]:
            del _threads[thread]


def is_recorded(thread: int) -> bool:
    """Whether a recording runs in a thread."""
    return thread in _threads
