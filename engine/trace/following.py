"""The last of a run that is too long to be recorded: a log that is cut again and again to the last backward pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.trace.sizes import EVENT, NODE, NUMBER, OP, REFERENCE, SEND, SUMMARY, TENSOR, VALUE

ndarray = np.ndarray

Entry = tuple[Any, ...]
"""One thing that happened: (op, …), (None, …) for a node, or (name of the event, …)."""

WAS = "was"
"""(WAS, memory, copy): the memory is overwritten next, and this is what was in it."""

HELD = 1 << 25
"""Bytes of results that are followed at a time, at most; no more than a part of the memory that there is."""

COPIED = 1 << 32
"""Bytes of overwritten memory that are copied in one run, for values in the log."""


_SILENT = frozenset({WAS, "turn", "create", "gap"})
"""Entries that are no events."""


class Gap:
    """What is not recorded between two events: how many ops, backward passes and events, and what they printed."""

    __slots__ = ("events", "ops", "passes", "text")

    def __init__(self) -> None:
        self.ops = self.passes = self.events = 0
        self.text: list[str] = []

    def count(self, entries: Iterable[Entry]) -> None:
        """Add entries of the log."""
        for entry in entries:
            kind = entry[0]
            if kind in _SILENT:
                continue
            self.events += 1
            if kind == "event":
                entry = told(entry)
                kind = entry[0]
            if kind == "op" or kind is not None and type(kind) is not str:
                self.ops += 1
            elif kind == "backward":
                self.passes += 1
            elif kind == "print":
                self.text.append(entry[1])

    def add(self, other: Gap) -> None:
        """Add another gap, which comes right after this one."""
        self.ops += other.ops
        self.passes += other.passes
        self.events += other.events
        self.text += other.text


class Following:
    """The log of what happened last, and before it the turn of the loop in which the last backward pass was complete.

        before  turn  after  log  missed

    Three of them are gaps. When the log is too long, what is not needed for the last pass goes into the gap before it.
    While it is full, nothing is logged but what protects its values: `missed` counts. Places are counted from when the
    log began; it has `most` entries and `held` bytes of results at most.
    """

    def __init__(self, log: list[Entry], most: int, held: int) -> None:
        self.log = log
        self.most, self.held = most, held
        self.turn: list[Entry] = []
        self.before, self.after, self.missed = Gap(), Gap(), Gap()
        self.full = self.over = False
        self._base = 0
        self._open: int | None = None
        self._closed: tuple[int, int] | None = None
        self._ended = 0
        self._copied = self._fresh = 0
        self._sealed: set[int] = set()

    # --- where things begin

    def mark(self) -> int:
        """Here."""
        return self._base + len(self.log)

    def begin(self, turn: int | None) -> None:
        """A backward pass begins; `turn`: where the turn of its loop began, or None without a loop."""
        self.resume()
        self._open = max(self._ended if turn is None else turn, self._base)

    def end(self) -> None:
        """It is over."""
        self._ended = self.mark()
        if self._open is not None:
            self._closed, self._open = (self._open, self._ended), None

    def resume(self) -> None:
        """Something new begins: go on, if the last thing was too large."""
        if self.full and not self.over:
            self.full = False
            self._keep_turn()
            self._drop(len(self.log))
            (self.after if self.turn else self.before).add(self.missed)
            self.missed = Gap()

    # --- staying small

    def overwritten(self, memory: Any) -> None:
        """Keep what is in `memory` for the values of the log that lie there."""
        if self.over or not (self.log or self.turn):
            return
        self._copied += memory.nbytes
        if memory.nbytes > self.held // 2 or self._copied > COPIED:
            self.give_up()
            if self._copied > COPIED:
                self.over = self.full = True
            return
        self.log.append((WAS, memory, memory.copy(order="K")))
        self._fresh += memory.nbytes
        if self._fresh > self.held:
            self._fresh = 0
            self.shorten()

    def give_up(self) -> None:
        """Follow nothing of what was: its values are too large to be kept."""
        self.before.count(self.turn)
        self.before.add(self.after)
        self.turn, self.after = [], Gap()
        self._closed = None
        self._drop(len(self.log))
        if self._open is not None:
            self._open = self._base

    def shorten(self) -> None:
        """Make room: drop what came before the turn of the last pass; if that is not enough, what is oldest."""
        if self.full:
            self.give_up()
            return
        if self._open is None:
            self._keep_turn()
            if self._large():
                self._drop(len(self.log) // 2)
        else:
            self._drop(self._open - self._base)
            if self._large():
                begun = next((i for i, entry in enumerate(self.log) if told(entry)[0] == "backward"), 0)
                self._drop(begun - self.most // 3)
        if self._large():
            self.full = True

    def size(self) -> int:
        """Bytes of results in the log."""
        return sum(map(size_of, self.log))

    def _large(self) -> bool:
        return len(self.log) >= self.most or self.size() > self.held

    def _keep_turn(self) -> None:
        """Let the turn of the last complete pass take the place of the one before it."""
        if self._closed is None:
            return
        start, end = [max(place - self._base, 0) for place in self._closed]
        self._closed = None
        self.before.count(self.turn)
        self.before.add(self.after)
        self.before.count(self.log[:start])
        self.turn, self.after = self.log[start:end], Gap()
        self._sealed = set()
        self._forget(end)

    def _drop(self, count: int) -> None:
        """Put the oldest entries into the gap before them."""
        if count <= 0:
            return
        dropped = self.log[:count]
        if self.turn:  # its values may lie in memory that was overwritten
            for entry in dropped:
                if entry[0] == WAS and id(entry[1]) not in self._sealed:
                    self._sealed.add(id(entry[1]))
                    self.turn.append(entry)
        (self.after if self.turn else self.before).count(dropped)
        self._forget(count)
        if self._closed is not None and self._closed[0] < self._base:
            self._closed = None

    def _forget(self, count: int) -> None:
        self._base += count
        del self.log[:count]

    def cut(self) -> None:
        """Keep no more than the turn of the last pass and what came after it."""
        if self._open is None:
            self._keep_turn()
        else:
            self._drop(self._open - self._base)

    def trim(self, room: float, inline: int) -> None:
        """Leave out as much of what came before the pass as it takes to have room for that, but not all of it."""
        if sum([weight_of(entry, inline) for entry in (*self.turn, *self.log)]) > room * 0.8:
            self.cut()
        part = self.turn or self.log
        begun = next((i for i, entry in enumerate(part) if told(entry)[0] == "backward"), None)
        if begun is None:
            return
        left = max(room - sum([weight_of(entry, inline) for entry in part[begun:]]), room / 3)
        start = begun
        while start and left > 0:
            start -= 1
            left -= weight_of(part[start], inline)
        self.before.count(part[:start])
        del part[:start]


def size_of(entry: Entry) -> int:
    """Bytes of results that an entry keeps, as they are counted when it is logged."""
    kind = entry[0]
    if kind is None:
        value = entry[3][0] if entry[3] else None
        return value.nbytes if type(value) is ndarray else 0
    if type(kind) is str:
        return int(entry[2].nbytes) if kind in (WAS, "create") else 0
    value = entry[2]
    if value is None:
        return 0
    if type(value) is list:
        return sum([a.nbytes for a in value])
    return value.nbytes if type(value) is ndarray else 0


def told(entry: Entry) -> tuple[Any, ...]:
    """The event that an entry is, or else the entry."""
    return entry[1] if entry[0] == "event" else entry


def weight_of(entry: Entry, inline: int) -> int:
    """Bytes that an entry takes in a document, about."""
    kind = entry[0]
    arrays: Iterable[Any]
    if kind is None:
        arrays, weight = (*entry[3], *entry[4]), 2 * EVENT + (SEND + VALUE) * len(entry[5]) + REFERENCE * len(entry[6])
    elif kind == "event":
        return EVENT + int(entry[2])
    elif type(kind) is str:
        arrays, weight = entry[1:], EVENT
    else:
        value = entry[2]
        arrays, weight = (value if type(value) is list else (value,)), OP + EVENT + NODE + TENSOR
    for a in arrays:
        if type(a) is ndarray:
            weight += VALUE + a.size * NUMBER[a.itemsize] if a.size <= inline else SUMMARY
    return weight


def captured(entry: Entry) -> Entry:
    """An op of the log with values as they are now: numbers of 0-d tensors are replaced, not overwritten."""
    op, inputs, _, out, node, saved, position, scope = entry
    value = out._a if type(out) is Tensor else [t._a for t in out]
    return op, inputs, value, out, node, capture(saved) if saved else saved, position, scope


def capture(saved: Any) -> list[Any]:
    """Saved values, those of tensors as `(array,)`."""
    return [
        value if type(value) is not Tensor else (value._a,) if type(value._a) is ndarray else value._a
        for value in saved
    ]


_EVENT = 7
"""Fields of an `accumulate` event; its entry in the log has more."""


def first_changes(
    entries: Iterable[Entry],
) -> tuple[dict[int, tuple[Any, int]], dict[int, Any], set[int]]:
    """What tensors hold before `entries`, by id: (number, version) of those that are written, `.grad` of those whose
    `.grad` changes, and which of these a pass adds to.

    The number is None where it lives in memory, whose contents the entries tell.
    """
    written: dict[int, tuple[Any, int]] = {}
    grads: dict[int, Any] = {}
    awaited: set[int] = set()
    for entry in entries:
        entry = told(entry)
        kind = entry[0]
        if kind == "write":
            written.setdefault(id(entry[1]), (None, entry[2] - 1))
        elif kind == "wrote":
            written.setdefault(id(entry[1]), (entry[5], entry[3] - 1))
        elif kind == "accumulate":
            before = entry[5] if len(entry) > _EVENT else entry[4]
            if id(entry[3]) not in grads:
                grads[id(entry[3])] = before
                if before is not None:
                    awaited.add(id(entry[3]))
        elif kind == "grad":
            grads.setdefault(id(entry[1]), entry[2])
        elif kind == "grad_changed":
            grads.setdefault(id(entry[1]), entry[3])
    return written, grads, awaited


def in_copy(value: Any, memory: Any, copy: Any) -> Any:
    """The part of `copy` that `value` is of `memory`; memory with holes in it gives the value as it is now."""
    if value is memory:
        return copy
    if copy.strides != memory.strides:
        return value.copy()
    offset = value.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    return np.ndarray(value.shape, value.dtype, copy.ravel(order="K").view(np.uint8), offset, value.strides)
