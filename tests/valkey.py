"""A real Valkey (or Redis) server on a port of its own, which tests stop, kill and start again."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ports import free_port

SECONDS = 20


class Server:
    """Keeps nothing on disk. `url` stays the same when it is started again."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            pytest.fail("neither valkey-server nor redis-server is installed")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [
            program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
            "--dir", str(folder),
        ]  # fmt: skip
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                    connection.sendall(b"PING\r\n")
                    if connection.recv(16).startswith(b"+PONG"):
                        return
            except OSError:
                pass
            assert self._process.poll() is None and time.monotonic() < deadline, "the server did not start"
            time.sleep(0.02)

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS)
            self._process = None


def running(folder: Path) -> Iterator[Server]:
    """A server that runs until the test is over."""
    server = Server(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
