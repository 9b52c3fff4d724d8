"""Frames between the service and a worker: a JSON header, then named parts as raw bytes.

Not pickle: what a worker sends is treated as untrusted. Before its first job, and so before any program, a worker says
once how much processor time it has used to get ready (`STARTED`).
"""

from __future__ import annotations

import json
import socket
import struct
from dataclasses import dataclass, field
from typing import Any, NoReturn

PREFIX = struct.Struct("!I")
STARTED = struct.Struct("!d")
MAX_HEADER = 1 << 20
MAX_PARTS = 4096


class WireError(Exception):
    """The other side sent something that is not a frame."""


class TooLarge(WireError):
    """The other side wants to send more than it may."""


@dataclass(frozen=True)
class Frame:
    """One message: `header` says what it is, `parts` carries the bytes."""

    header: dict[str, Any]
    parts: dict[str, bytes] = field(default_factory=dict)

    def encode(self) -> bytes:
        sizes = [[name, len(part)] for name, part in self.parts.items()]
        header = json.dumps({"header": self.header, "parts": sizes}).encode()
        if len(header) > MAX_HEADER:
            raise TooLarge("a header that is too large")
        return b"".join([PREFIX.pack(len(header)), header, *self.parts.values()])


def decode_header(raw: bytes, limit: int) -> tuple[dict[str, Any], list[tuple[str, int]]]:
    """The header and the announced parts; refuses frames whose parts exceed `limit` bytes. Raises WireError."""
    try:
        content = json.loads(raw, object_pairs_hook=unique_keys, parse_constant=refuse)
        header, parts = content.pop("header"), content.pop("parts")
        sizes = [(name, size) for name, size in parts]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise WireError("something that is not a frame") from None
    fits = not content and isinstance(header, dict) and isinstance(parts, list)
    if not fits or not all(type(name) is str and type(size) is int and size >= 0 for name, size in sizes):
        raise WireError("something that is not a frame")
    if len(sizes) > MAX_PARTS or sum(size for _, size in sizes) > limit:
        raise TooLarge("more than it may")
    return header, sizes


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError
    return found


def refuse(constant: str) -> NoReturn:
    """NaN and infinities are no JSON."""
    raise ValueError


def header_size(prefix: bytes) -> int:
    size: int = PREFIX.unpack(prefix)[0]
    if size > MAX_HEADER:
        raise TooLarge("a header that is too large")
    return size


def receive(sock: socket.socket, limit: int) -> Frame | None:
    """The next frame from a blocking socket; None when the other side has closed it."""
    prefix = receive_exactly(sock, PREFIX.size)
    if not prefix:
        return None
    header, sizes = decode_header(receive_exactly(sock, header_size(prefix)), limit)
    return Frame(header, {name: receive_exactly(sock, size) for name, size in sizes})


def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """`size` bytes, or fewer than that at the end of the stream."""
    buffer = bytearray(size)
    view = memoryview(buffer)
    filled = 0
    while filled < size:
        count = sock.recv_into(view[filled:])
        if not count:
            return bytes(buffer[:filled])
        filled += count
    return bytes(buffer)
