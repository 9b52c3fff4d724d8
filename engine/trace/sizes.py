"""How many bytes the rows of a document take: estimates while it is recorded, and the truth when it is written."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

TENSOR, NODE, OP, SCOPE, EVENT, SEND = 330, 480, 190, 95, 60, 85
"""Rows of the tables without their values, and of the timeline, on average."""

VALUE, SUMMARY, REFERENCE, BRANCH = 60, 3700, 9, 70
"""A small value, the summary of a large one, an id in a list, and something that a node saved."""

NUMBER = {1: 5, 2: 9, 4: 13, 8: 21, 16: 42}
"""Characters of one element with what separates it, by its size in memory."""

NAME, TEXT, MESSAGE = 200, 4_000, 16_000
"""Characters of names and labels, of texts beside the way, and of the error and one line of output."""

WARNINGS = 200
"""Warnings in a document."""


def shorten(text: str, most: int = NAME) -> str:
    """`text`, cut visibly when it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def encoded(content: Any) -> int:
    """Bytes of `content` as JSON, as strict encoders write it."""
    try:
        return len(to_json(content))
    except PydanticSerializationError:  # half of a surrogate pair: such a document is written in ASCII
        return len(json.dumps(content))
