"""Stand-ins whose libraries never end to load."""

from __future__ import annotations

import socket
import time
from typing import NoReturn

from tests.service.library_jobs import LIBRARIES, describe, handle, leave, prepare, warm


def load_libraries() -> NoReturn:
    """Say so on whichever socket there is, and go on for ever."""
    for number in range(3, 64):
        try:
            control = socket.socket(fileno=number)
        except OSError:
            continue
        control.send(b"loading")
        control.detach()
    while True:
        time.sleep(0.01)


__all__ = ["LIBRARIES", "describe", "handle", "leave", "load_libraries", "prepare", "warm"]
