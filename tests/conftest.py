"""Fixtures shared by all tests, a running service on a port of its own, and which of them share a process."""

from __future__ import annotations

from engine.hashes import leave_addresses

leave_addresses()  # as processes of the service do, before numpy is there

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.config import Settings
from app.serving import make_server
from app.workers import pool
from tests.attack.registry import ATTACKS

pytest_plugins = ["tests.ending"]

SHARING = ("tests/browser/", "tests/service/")
"""Whose tests share a service or a browser: a file of theirs stays in one process."""

TIMED = ("tests/attack/", "tests/browser/", "tests/service/")
"""Whose tests wait for other processes: on a machine busy with something else one may fail that says nothing of us."""

pool.LIBRARIES_DELAY = 600.0  # the programs of few tests name one, which has them loaded

Serve = Callable[..., contextlib.AbstractContextManager[str]]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Which tests stay together when they run in several processes (`pytest -n`)."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return together(nodeid)

    return Scheduling(config, log)


def together(test: str) -> str:
    """What the test stays together with: its file, the other attacks that run alone, or only itself."""
    path, _, name = test.partition("::")
    if path.endswith("attack/test_slices.py"):
        attack = ATTACKS.get(name.partition("[")[2].rstrip("]"))
        return path if attack and attack.alone else test
    return path if path.startswith(SHARING) else test


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try tests that wait for other processes a second time (the summary names those that needed it), and say which are
    slow: of those that are `sampled(n)`, all but every n-th case."""
    cases = Counter[str]()
    for item in items:
        if item.nodeid.startswith(TIMED):
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=2))
        sampled = item.get_closest_marker("sampled")
        if sampled:
            test = item.nodeid.partition("[")[0]
            if cases[test] % sampled.args[0]:
                item.add_marker(pytest.mark.slow)
            cases[test] += 1


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
        values = {"port": 0, "log_level": "warning", "drain_seconds": 0, "workers": 1, "cpu_seconds": 4, **settings}
        values.setdefault("store", str(tmp_path / "runs.sqlite3"))
        return serving(Settings(**values), **({"jobs": jobs} if jobs else {}))

    return start


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real service, one for all tests; programs that do not end are ended early."""
    store = tmp_path_factory.mktemp("store") / "runs.sqlite3"
    settings = Settings(port=0, log_level="warning", drain_seconds=0, workers=2, cpu_seconds=4, store=str(store))
    with serving(settings) as address:
        yield address


@pytest.fixture
def client(service: str) -> Iterator[httpx.Client]:
    """A client of the real service."""
    with httpx.Client(base_url=service, timeout=120) as opened:
        yield opened
