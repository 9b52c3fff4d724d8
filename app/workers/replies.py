"""What a worker may answer, kind by kind; everything else is refused. It may be in the hands of its program."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app.workers.wire import MAX_PARTS, WireError

VALUE = re.compile(r"value:v\d{1,9}", re.ASCII)
STATUSES = ("ok", "error")

ALWAYS = {"invalid-input", "program-too-large", "result-too-large", "run-memory-limit", "run-crashed"}
PROBLEMS: dict[str, set[str]] = {"value": ALWAYS | {"unknown-value"}, "check": ALWAYS | {"unknown-check"}}
"""The problems, by their slugs, that a job of each kind may end in; `ALWAYS` for those not named."""

DETAIL, TRACEBACK, ERRORS = 1000, 10_000, 20  # characters, characters, and how many
LARGEST = 1 << 53


def check(kind: str, header: Mapping[str, Any], parts: Sequence[str]) -> None:
    """Hold the head of a reply to a job of this kind, and the names of its parts, against the table. Raises WireError.

    A reply is a result, a refusal (`problem`), or the news that the engine failed (`fault`).
    """
    if "problem" in header:
        fits = is_problem(header, PROBLEMS.get(kind, ALWAYS)) and not parts
    elif "fault" in header:
        fits = header.keys() == {"fault"} and is_text(header["fault"], TRACEBACK) and not parts
    elif kind == "run":
        fits = is_run(header) and parts[:1] == ["document"] and are_values(parts[1:])
    else:
        fits = not header and parts == ["body"]
    if not fits:
        raise WireError("something that is no reply")


def is_run(header: Mapping[str, Any]) -> bool:
    """A document's status, and whether it is `passing`: another run of the same program may end elsewhere."""
    known = header.keys() <= {"status", "passing"} and header.get("passing", True) is True
    return known and header.get("status") in STATUSES


def are_values(parts: Sequence[str]) -> bool:
    return len(parts) <= MAX_PARTS and len(set(parts)) == len(parts) and all(map(VALUE.fullmatch, parts))


def is_problem(header: Mapping[str, Any], slugs: Collection[str]) -> bool:
    return (
        header.keys() <= {"problem", "detail", "limit", "errors", "log"}
        and is_text(header["problem"], DETAIL)
        and header["problem"] in slugs
        and is_text(header.get("detail"), DETAIL)
        and is_number(header.get("limit", 0))
        and are_errors(header.get("errors", []))
        and is_text(header.get("log", ""), TRACEBACK)
    )


def are_errors(errors: Any) -> bool:
    return (
        isinstance(errors, list)
        and len(errors) <= ERRORS
        and all(
            isinstance(error, dict)
            and error.keys() == {"pointer", "detail"}
            and all(is_text(text, DETAIL) for text in error.values())
            for error in errors
        )
    )


def is_text(value: Any, length: int) -> bool:
    return isinstance(value, str) and len(value) <= length


def is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= LARGEST and math.isfinite(value)


def legible(text: str) -> str:
    """A worker's words without control characters and halves of surrogate pairs."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
