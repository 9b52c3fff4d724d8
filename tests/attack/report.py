"""What an attack found, and the table of all of them."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

KEPT_FAILURES = 20

Kind = TypeVar("Kind")


@dataclass
class Result:
    """One row of the table. `tried` counts attempts, `failures` describes those that broke a promise."""

    name: str
    promise: str
    tried: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)
    figures: dict[str, float | str] = field(default_factory=dict)
    seconds: float = 0.0

    def expect(self, holds: bool, failure: Callable[[], str] | str) -> bool:
        """Count one attempt; when the promise does not hold, keep what happened (the first few of them)."""
        self.tried += 1
        if not holds:
            self.failed += 1
            if len(self.failures) < KEPT_FAILURES:
                self.failures.append(failure if isinstance(failure, str) else failure())
        return holds


@contextmanager
def timed(result: Result) -> Iterator[Result]:
    """Add the time inside to the row."""
    started = time.monotonic()
    try:
        yield result
    finally:
        result.seconds += time.monotonic() - started


def first(kinds: Collection[Kind], size: float) -> list[Kind]:
    """The kinds that an attack of this size tries: all of them from 0.2 on, in a slice the first or the first few."""
    return list(itertools.islice(kinds, math.ceil(len(kinds) * min(1.0, 5 * size))))


def table(results: Iterable[Result]) -> str:
    """The results as a Markdown table, one row each."""
    lines = ["| attack | promise | tried | broken | figures | seconds |", "|---|---|--:|--:|---|--:|"]
    for row in results:
        figures = ", ".join(
            f"{name} {value:,.3g}" if isinstance(value, float) else f"{name} {value}"
            for name, value in row.figures.items()
        )
        lines.append(f"| {row.name} | {row.promise} | {row.tried:,} | {row.failed:,} | {figures} | {row.seconds:.0f} |")
    return "\n".join(lines)
