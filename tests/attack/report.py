"""What an attack found, and the table of all of them."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

KEPT_FAILURES = 20

Kind = TypeVar("Kind")


@dataclass
class Result:
    """One row of the table. `tried` counts attempts, `failures` describes those that broke a promise; `size` is the
    attack's, 1.0 for all of it."""

    name: str
    promise: str
    tried: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)
    figures: dict[str, float | str] = field(default_factory=dict)
    seconds: float = 0.0
    size: float = 1.0

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


HEAD = """\
| attack | promise | tried | broken | figures | size | seconds | on |
|---|---|--:|--:|---|--:|--:|---|"""


def table(results: Iterable[Result], on: str = "") -> str:
    """The results as a Markdown table, one row each; `on` is the day."""
    return "\n".join([HEAD, *(line(row, on) for row in results)])


def line(row: Result, on: str) -> str:
    figures = ", ".join(
        f"{name} {value:,.3g}" if isinstance(value, float) else f"{name} {value}" for name, value in row.figures.items()
    )
    cells = (
        row.name,
        row.promise,
        f"{row.tried:,}",
        f"{row.failed:,}",
        figures,
        f"{row.size:.2g}",
        f"{row.seconds:.0f}",
        on,
    )
    return f"| {' | '.join(cells)} |"


def renewed(before: str, results: Iterable[Result], on: str, order: Sequence[str]) -> str:
    """A table with these rows in place of those that their attacks had; the others stay. `order` names all attacks."""
    rows = [text for text in before.splitlines() if text.startswith("| ") and not text.startswith(HEAD[:10])]
    rows = [text for text in rows if attack_of(text) not in {attack_of(line(row, on)) for row in results}]
    rows += [line(row, on) for row in results]
    return "\n".join([HEAD, *sorted(rows, key=lambda text: order.index(attack_of(text)))])


def attack_of(text: str) -> str:
    """The attack that a row of a table is of. One that has several rows names each behind a comma."""
    return text.removeprefix("| ").partition(" |")[0].partition(",")[0]
