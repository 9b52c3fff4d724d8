"""Frames (`app.workers.wire`) for the event loop. A file of its own: workers have no use for asyncio."""

from __future__ import annotations

import asyncio
import socket

from app.workers.wire import PREFIX, Frame, decode_header, header_size


async def receive(sock: socket.socket, limit: int) -> Frame:
    """The next frame from a non-blocking socket; raises EOFError when the other side is gone."""
    size = header_size(await receive_exactly(sock, PREFIX.size))
    header, sizes = decode_header(await receive_exactly(sock, size), limit)
    return Frame(header, {name: await receive_exactly(sock, part_size) for name, part_size in sizes})


async def receive_exactly(sock: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    buffer = bytearray(size)
    view = memoryview(buffer)
    filled = 0
    while filled < size:
        try:
            count = await loop.sock_recv_into(sock, view[filled:])
        except OSError:
            raise EOFError from None
        if not count:
            raise EOFError
        filled += count
    return bytes(buffer)


async def send(sock: socket.socket, frame: Frame) -> None:
    """Send a frame on a non-blocking socket; raises EOFError when the other side is gone."""
    try:
        await asyncio.get_running_loop().sock_sendall(sock, frame.encode())
    except OSError:
        raise EOFError from None
