"""Bytes that a document takes: estimates while it is recorded, beside those of `engine.document.sizes`, and the truth
when it is written."""

from __future__ import annotations

import json
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

OP, SUMMARY, REFERENCE, BRANCH = 190, 3700, 9, 200
"""A row of `ops`, the summary of a large value, an id in a list, and something that a node saved, also as
what it keeps."""

NUMBER = {1: 5, 2: 9, 4: 13, 8: 21, 16: 42}
"""Characters of one element with what separates it, by its size in memory."""


def written(content: Any) -> bytes | None:
    """`content` as JSON, as strict encoders write it; None for half of a surrogate pair, which they cannot."""
    try:
        return to_json(content, inf_nan_mode="strings")
    except PydanticSerializationError:
        return None


def encoded(content: Any) -> int:
    """Bytes of `content` as JSON: in ASCII where it cannot be written otherwise."""
    found = written(content)
    return len(json.dumps(content)) if found is None else len(found)
