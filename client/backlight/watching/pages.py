"""The viewer with a training in it: one that goes on, or one that is whole in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import export

_CLOSED = "default-src 'none'"
_OPEN = f"{_CLOSED}; connect-src 'self'"
"""The policy of a page that asks where it came from for what is new, and nobody else."""


def live() -> str:
    """The page of a training that goes on."""
    page = export.with_training({})
    if page.count(_CLOSED) != 1:
        raise ValueError("the viewer has no policy that a page of a training could open")
    return page.replace(_CLOSED, _OPEN)


def whole(told: Mapping[str, Any], documents: Mapping[str, str]) -> str:
    """The page of a training in one file. `documents`: by iteration, JSON in gzip in base64."""
    return export.with_training({"told": {**told, "state": "over"}, "documents": documents})
