"""What can end a program early, and how that is reported.

Refused        the program uses syntax that is not run here        -> type UnsupportedSyntax
LimitExceeded  (engine.limits) the program used more than it may   -> type LimitExceeded
anything else  is an exception of the program itself, reported in Python's own words
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.limits import Turns

HINT = "backlight_hint"
"""The attribute of an exception that says what helps."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a traceback, outermost first."""

    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Error:
    """Why a program stopped.

    `type` and `message` are Python's (or PyTorch's) own; `hint` is ours, where the message alone does not say what to
    do; `limit` names the field of `Limits` that was exceeded; `suggestion` is the name that was meant, probably, in
    place of one that is not there, or the import that gives it; `turns` says how far a loop came before the limit;
    `owners` are the classes of what lacks an attribute.
    """

    type: str
    message: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    traceback: list[Frame] = field(default_factory=list)
    hint: str | None = None
    limit: str | None = None
    suggestion: str | None = None
    turns: Turns | None = None
    owners: tuple[str, ...] = ()
