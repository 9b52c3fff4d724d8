"""Frames between the service and a worker: a JSON header, then named parts as raw bytes.

Not pickle: what a worker sends is treated as untrusted.
"""

from __future__ import annotations

import json
import socket
import struct
from dataclasses import dataclass, field
from typing import Any

PREFIX = struct.Struct("!I")
MAX_HEADER = 1 << 20


class WireError(Exception):
    """The other side sent something that is not a frame, or one that is too large."""


@dataclass(frozen=True)
class Frame:
    """One message: `header` says what it is, `parts` carries the bytes."""

    header: dict[str, Any]
    parts: dict[str, bytes] = field(default_factory=dict)

    def encode(self) -> bytes:
        sizes = [[name, len(part)] for name, part in self.parts.items()]
        header = json.dumps({"header": self.header, "parts": sizes}).encode()
        if len(header) > MAX_HEADER:
            raise WireError("the header is too large")
        return b"".join([PREFIX.pack(len(header)), header, *self.parts.values()])


def decode_header(raw: bytes, limit: int) -> tuple[dict[str, Any], list[tuple[str, int]]]:
    """The header and the announced parts; refuses frames whose parts exceed `limit` bytes."""
    try:
        content = json.loads(raw)
        header = dict(content["header"])
        sizes = [(str(name), int(size)) for name, size in content["parts"]]
    except (ValueError, KeyError, TypeError) as error:
        raise WireError(f"not a frame: {error}") from None
    if any(size < 0 for _, size in sizes) or sum(size for _, size in sizes) > limit:
        raise WireError("the parts are too large")
    return header, sizes


def header_size(prefix: bytes) -> int:
    size: int = PREFIX.unpack(prefix)[0]
    if size > MAX_HEADER:
        raise WireError("the header is too large")
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
