"""Frames (`app.workers.wire`) for the event loop. A file of its own: workers have no use for asyncio."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Any

from app.workers.wire import PREFIX, Frame, WireError, decode_header, header_size

AHEAD = 64 << 10
"""Bytes to read at once: a small frame as a whole."""
DRIP_BYTES, DRIP_SECONDS = 4096, 0.005
"""Who sends less than this at once is read again only after a while: to send byte by byte must not keep us busy."""

Head = Callable[[dict[str, Any], Sequence[str]], None]


async def receive(sock: socket.socket, limit: int, check: Head) -> Frame:
    """The only frame from a non-blocking socket, of at most `limit` bytes.

    `check` is given its header and the names of its parts before any of these is read, and raises WireError if they
    should not be. Raises EOFError when the other side is gone.
    """
    stream = Stream(sock)
    size = header_size(await stream.take(PREFIX.size))
    header, sizes = decode_header(await stream.take(size), limit)
    check(header, [name for name, _ in sizes])
    body = memoryview(await stream.take(sum(size for _, size in sizes)))
    if stream.ahead:
        raise WireError("more than one frame")
    parts = {}
    for name, size in sizes:
        parts[name], body = bytes(body[:size]), body[size:]
    return Frame(header, parts)


class Stream:
    """What arrives at a non-blocking socket. `ahead` has been read before it was asked for."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.ahead = b""

    async def take(self, size: int) -> bytes:
        """The next `size` bytes. Raises EOFError."""
        loop = asyncio.get_running_loop()
        taken, self.ahead = bytearray(self.ahead[:size]), self.ahead[size:]
        while (missing := size - len(taken)) > 0:
            try:
                piece = await loop.sock_recv(self.sock, AHEAD)
            except OSError:
                raise EOFError from None
            if not piece:
                raise EOFError
            taken += piece[:missing]
            self.ahead = piece[missing:]
            if len(piece) < min(missing, DRIP_BYTES):
                await asyncio.sleep(DRIP_SECONDS)
        return bytes(taken)


async def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """`size` bytes and no more. Raises EOFError."""
    taken = b""
    while len(taken) < size:
        try:
            piece = await asyncio.get_running_loop().sock_recv(sock, size - len(taken))
        except OSError:
            raise EOFError from None
        if not piece:
            raise EOFError
        taken += piece
    return taken


async def send(sock: socket.socket, frame: Frame) -> None:
    """Send a frame on a non-blocking socket; raises EOFError when the other side is gone."""
    try:
        await asyncio.get_running_loop().sock_sendall(sock, frame.encode())
    except OSError:
        raise EOFError from None
