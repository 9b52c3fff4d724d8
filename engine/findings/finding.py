"""Rules, and the findings that they give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from .facts import Facts
from .source import Edit

Severity = Literal["error", "warning", "hint"]


@dataclass(slots=True)
class Found:
    """One finding. `lines`: the line to change first; `fix` and `severity` where they differ from the rule's.

    `explains_error`: it is why the program raised.
    """

    headline: str
    lines: list[int | None]
    tensors: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    events: list[int] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    fix: str | None = None
    severity: Severity | None = None
    since: int | None = None
    explains_error: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """One mistake: `when` is the exact condition, `why` what it does to a gradient, `limits` where it stays silent."""

    name: str
    group: str
    severity: Severity
    when: str
    why: str
    fix: str
    limits: str
    find: Callable[[Facts], Iterable[Found]]

    def row(self, found: Found) -> dict[str, Any]:
        """The entry of `findings` in a document."""
        fix: dict[str, Any] = {"text": found.fix or self.fix}
        if found.edits:
            fix["edits"] = found.edits
        row: dict[str, Any] = {
            "rule": self.name,
            "severity": found.severity or self.severity,
            "headline": found.headline,
            "why": self.why,
            "evidence": {
                "tensors": list(dict.fromkeys(found.tensors)),
                "nodes": found.nodes,
                "ops": found.ops,
                "events": found.events,
                "values": {name: _spelled(value) for name, value in found.values.items()},
            },
            "lines": list(dict.fromkeys(line for line in found.lines if line is not None)),
            "fix": fix,
        }
        if found.explains_error:
            row["explains_error"] = True
        if found.since is not None:
            row["since"] = found.since
        return row


def _spelled(value: Any) -> Any:
    """Numbers that are not finite as the document writes them."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return [_spelled(item) for item in value] if isinstance(value, list) else value
