"""What fork servers write to standard error. It goes to a pipe, and into the log only where it tells why one ended."""

from __future__ import annotations

import asyncio
import os
from typing import IO

KEPT_BYTES = 64 << 10
SHOWN_LINES, SHOWN_CHARACTERS = 60, 400


class LastWords:
    """The end of what a fork server and its standby have written."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.pipe = pipe
        self.kept = b""
        os.set_blocking(pipe.fileno(), False)
        asyncio.get_running_loop().add_reader(pipe.fileno(), self._read)

    def lines(self) -> list[str]:
        """The last lines so far, in which nothing can be taken for more than text; they are told once."""
        while not self.pipe.closed and self._read():
            pass
        text, self.kept = self.kept.decode(errors="replace"), b""
        return [escaped(line)[:SHOWN_CHARACTERS] for line in text.split("\n") if line.strip()][-SHOWN_LINES:]

    def close(self) -> None:
        if not self.pipe.closed:
            asyncio.get_running_loop().remove_reader(self.pipe.fileno())
            self.pipe.close()

    def _read(self) -> bool:
        """Whether something came."""
        try:
            data = os.read(self.pipe.fileno(), KEPT_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self.close()
        self.kept = (self.kept + data)[-KEPT_BYTES:]
        return bool(data)


def escaped(text: str) -> str:
    """A line with its control characters as Python writes them."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
