"""`python -m app.workers.probe` ends with status 0 where the host has a fork server for whoever asks: is it well?"""

from __future__ import annotations

import os
import socket
import sys

PATIENCE = 4.0


def is_well(path: str) -> bool:
    """Whether a fork server of the host at `path` says that it is ready."""
    with socket.socket(socket.AF_UNIX) as control:
        control.settimeout(PATIENCE)
        try:
            control.connect(path)
            return control.recv(6) == b"ready "
        except OSError:
            return False


if __name__ == "__main__":
    sys.exit(0 if is_well(os.environ["BACKLIGHT_WORKERS_SOCKET"]) else 1)
