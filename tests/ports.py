"""Ports for services that tests start."""

from __future__ import annotations

import random
import socket

LOWEST, HIGHEST = 20_000, 32_000
"""Below those that systems give to outgoing connections, one of which could take a port between probe and use."""


def free_port() -> int:
    """A port of 127.0.0.1 that nothing listens on."""
    while True:
        port = random.randrange(LOWEST, HIGHEST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
