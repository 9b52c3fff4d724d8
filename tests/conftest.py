"""Fixtures shared by all tests: a running service on a port of its own."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.config import Settings
from app.serving import make_server

Serve = Callable[..., contextlib.AbstractContextManager[str]]


@contextlib.contextmanager
def serving(settings: Settings, **options: Any) -> Iterator[str]:
    """The address of a service that runs in a thread until the block ends."""
    server = make_server(settings, **options)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive() and time.monotonic() < deadline, "the service did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    """Start a service with the given settings; `jobs` names another module of jobs."""

    def start(jobs: str | None = None, **settings: Any) -> contextlib.AbstractContextManager[str]:
        values = {"port": 0, "log_level": "warning", "drain_seconds": 0, "workers": 1, **settings}
        values.setdefault("store", str(tmp_path / "runs.sqlite3"))
        return serving(Settings(**values), **({"jobs": jobs} if jobs else {}))

    return start


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real service, one for all tests."""
    store = tmp_path_factory.mktemp("store") / "runs.sqlite3"
    with serving(Settings(port=0, log_level="warning", drain_seconds=0, workers=2, store=str(store))) as address:
        yield address


@pytest.fixture
def client(service: str) -> Iterator[httpx.Client]:
    """A client of the real service."""
    with httpx.Client(base_url=service, timeout=30) as opened:
        yield opened
