"""What one recording may hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Where a recording ends; the run itself goes on.

    `ops`, `events`: rows of the document; `document_bytes`: its size as JSON, estimated; `kept_bytes`: memory of
    tensors that recording keeps alive; `inline_values`: elements of the largest tensor whose values are written out.
    """

    ops: int = 20_000
    events: int = 100_000
    document_bytes: int = 8_388_608
    kept_bytes: int = 4_294_967_296
    inline_values: int = 256


TENSOR, NODE, OP, SCOPE, EVENT, SEND, VALUE, SUMMARY, NUMBER = 330, 480, 250, 95, 60, 85, 60, 2900, 13
"""Bytes that rows of a document take, about; NUMBER: one element."""


def shorten(text: str, most: int = 200) -> str:
    """`text`, cut visibly when it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
