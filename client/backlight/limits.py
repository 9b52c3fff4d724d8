"""What one recording may hold."""

from __future__ import annotations

from dataclasses import dataclass

from .document.limits import DOCUMENT_BYTES, EVENTS, INLINE_VALUES, OPS


@dataclass(frozen=True)
class Limits:
    """Where a recording ends; the run itself goes on.

    `ops`, `events`: rows of the document; `document_bytes`: its size as JSON, estimated; `kept_bytes`: memory of
    tensors that recording keeps alive; `inline_values`: elements of the largest tensor whose values are written out.
    """

    ops: int = OPS
    events: int = EVENTS
    document_bytes: int = DOCUMENT_BYTES
    kept_bytes: int = 4_294_967_296
    inline_values: int = INLINE_VALUES


OP, SUMMARY, NUMBER = 250, 2900, 13
"""Bytes that take a row of `ops`, the summary of a large value, and one element, about; names of ops are longer than
the service's, and thumbnails have fewer digits."""
