"""What is kept of a training: numbers of every recorded iteration, documents of some, and what was found."""

from __future__ import annotations

import gzip
import json
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..document.limits import POINTS
from .columns import Column

FOUND = 100
"""Findings, each counted once."""

BYTES = 268_435_456
"""Of all packed documents together."""

_LEVEL = 3


@dataclass(slots=True)
class Entry:
    """A recorded iteration. `packed`: its document, as JSON in gzip; None where it was let go."""

    iteration: int
    columns: list[Column]
    packed: bytes | None
    failed: bool = False


@dataclass(slots=True)
class Log:
    """`keep`: how many documents there are at most. The newest half of them stay, the first one, and those in which
    something was found first; of the others those that leave the smallest gap go. `columns` are kept of `POINTS`
    iterations."""

    keep: int
    entries: list[Entry] = field(default_factory=list)
    findings: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = field(default_factory=dict)

    def add(self, iteration: int, document: dict[str, Any], columns: list[Column]) -> None:
        """An iteration was recorded."""
        self._find(iteration, document)
        entry = Entry(iteration, columns, pack(document), document["error"] is not None)
        insort(self.entries, entry, key=_iteration)
        while len(kept := self.kept()) > self.keep or sum(len(e.packed or b"") for e in kept) > BYTES:
            if len(kept) < 2:
                break
            self._let_go(kept)
        if len(self.entries) > POINTS:
            self.entries = [e for i, e in enumerate(self.entries) if e.packed is not None or i % 2 == 0]

    def kept(self) -> list[Entry]:
        """Those with a document."""
        return [entry for entry in self.entries if entry.packed is not None]

    def packed(self, iteration: int) -> bytes | None:
        """The document of an iteration, as JSON in gzip; None where there is none."""
        at = bisect_left(self.entries, iteration, key=_iteration)
        found = self.entries[at : at + 1]
        return found[0].packed if found and found[0].iteration == iteration else None

    def document(self, iteration: int) -> dict[str, Any]:
        """The document of an iteration; a KeyError where there is none."""
        packed = self.packed(iteration)
        if packed is None:
            kept = ", ".join(str(entry.iteration) for entry in self.kept()) or "none"
            raise KeyError(f"iteration {iteration} is not recorded, or no longer kept; these are: {kept}")
        return unpack(packed)

    def columns(self) -> Iterator[list[Column]]:
        """The numbers of all iterations that are still known, in order."""
        return (entry.columns for entry in self.entries)

    def told(self, after: int) -> dict[str, Any]:
        """What a page is told that knows the iterations up to `after`."""
        return {
            "known": [entry.iteration for entry in self.entries],
            "kept": [entry.iteration for entry in self.kept()],
            "columns": [[entry.iteration, entry.columns] for entry in self.entries if entry.iteration > after],
            "findings": list(self.findings.values()),
        }

    def _find(self, iteration: int, document: dict[str, Any]) -> None:
        for index, row in enumerate(document.get("findings", ())):
            key = row["rule"], tuple(row["lines"][:1])
            known = self.findings.get(key)
            if known is not None:
                known["count"] += known["last"] != iteration
                known["last"] = iteration
            elif len(self.findings) < FOUND:
                told = {name: row[name] for name in ("rule", "severity", "headline", "lines")}
                self.findings[key] = {**told, "first": iteration, "last": iteration, "count": 1, "index": index}

    def _let_go(self, kept: list[Entry]) -> None:
        """Drop the document that is missed least."""
        found = {row["first"] for row in self.findings.values()}
        old = range(len(kept) - max(1, min(self.keep, len(kept)) // 2))
        some = [i for i in old if i and kept[i].iteration not in found and not kept[i].failed]
        least = min(some, key=lambda i: kept[i + 1].iteration - kept[i - 1].iteration, default=min(1, old[-1]))
        kept[least].packed = None


def pack(document: dict[str, Any]) -> bytes:
    """JSON in gzip."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return gzip.compress(text.encode("utf-8", "replace"), _LEVEL, mtime=0)


def unpack(packed: bytes) -> dict[str, Any]:
    """What was packed."""
    document: dict[str, Any] = json.loads(gzip.decompress(packed))
    return document


def _iteration(entry: Entry) -> int:
    return entry.iteration
