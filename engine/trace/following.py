"""The last of a run that is too long to be recorded: a log that is cut again and again to the last backward pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.trace.entries import Entry, Overwrite, count_into, size_of, weight_of
from engine.trace.events import BackwardEvent, Gap

HELD = 1 << 25
"""Bytes of results that are followed at a time, at most; no more than a part of the memory that there is."""

COPIED = 1 << 32
"""Bytes of overwritten memory that are copied in one run, for values in the log."""


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
        self._found = sum(map(size_of, log))
        self._sealed: set[int] = set()

    @property
    def lost(self) -> bool:
        """Whether something is in the gaps already."""
        return bool(self.before.events or self.after.events or self.missed.events)

    # Where things begin

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

    # Staying small

    def overwritten(self, memory: Any) -> None:
        """Keep what is in `memory` for the values of the log that lie there."""
        if self.over or not (self.log or self.turn):
            return
        size = memory.nbytes
        self._copied += size
        if size > self.held // 2 or self._copied > COPIED:
            self.give_up()
            if self._copied > COPIED:
                self.over = self.full = True
            return
        self.log.append(Overwrite(memory, memory.copy(order="K")))
        self._fresh += size
        if self._fresh > self.held:
            self._fresh = 0
            self.shorten(self.held)

    def give_up(self) -> None:
        """Follow nothing of what was: its values are too large to be kept."""
        count_into(self.before, self.turn)
        self.before.add(self.after)
        self.turn, self.after = [], Gap()
        self._closed = None
        self._drop(len(self.log))
        if self._open is not None:
            self._open = self._base

    def shorten(self, pending: int) -> int:
        """Make room: drop what came before the turn of the last pass; if that is not enough, what is oldest.

        `pending`: bytes of results that were logged, at most. Returns those that are left.
        """
        if self.full:
            self.give_up()
            return 0
        if self._open is None:
            self._keep_turn()
        else:
            self._drop(self._open - self._base)
        size = self._size(pending)
        if self._large(size):
            half = max(len(self.log) // 2, len(self.log) - self.most // 2)
            self._drop(half if self._open is None else (_first_pass(self.log) or 0) - self.most // 3)
            size = self._size(size)
            self.full = self._large(size)
        self._found = size
        return size

    def _size(self, most: int) -> int:
        """Bytes of results in the log; `most` of them, and copies besides."""
        return sum(map(size_of, self.log)) if most or self._found or self._copied else 0

    def _large(self, size: int) -> bool:
        return len(self.log) >= self.most or size > self.held

    def _keep_turn(self) -> None:
        """Let the turn of the last complete pass take the place of the one before it."""
        if self._closed is None:
            return
        start, end = [max(place - self._base, 0) for place in self._closed]
        self._closed = None
        count_into(self.before, self.turn)
        self.before.add(self.after)
        count_into(self.before, self.log[:start])
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
                if type(entry) is Overwrite and id(entry.memory) not in self._sealed:
                    self._sealed.add(id(entry.memory))
                    self.turn.append(entry)
        count_into(self.after if self.turn else self.before, dropped)
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
        begun = _first_pass(part)
        if begun is None:
            return
        left = max(room - sum([weight_of(entry, inline) for entry in part[begun:]]), room / 3)
        start = begun
        while start and left > 0:
            start -= 1
            left -= weight_of(part[start], inline)
        count_into(self.before, part[:start])
        del part[:start]


def _first_pass(entries: Iterable[Entry]) -> int | None:
    """Index of the entry with which the first backward pass begins."""
    return next((i for i, entry in enumerate(entries) if type(entry) is BackwardEvent), None)
