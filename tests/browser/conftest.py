"""The page in a real browser against the real service.

`BACKLIGHT_URL` points the tests at a service that is already running; otherwise one is started on a free port.
There is no skipping: without a browser these tests fail and say what is missing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from tests.browser.visit import MODULES, Visit
from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-partial-raster",  # a repaint of a part leaves edges that one of the whole does not
]  # fmt: skip
STARTUP_SECONDS = 40
CLOSING_SECONDS = 30

Open = Callable[..., Visit]


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a running service, without a trailing slash."""
    if given := os.environ.get("BACKLIGHT_URL"):
        yield given.rstrip("/")
        return
    with running(PROJECT, tmp_path_factory.mktemp("service") / "log") as address:
        yield address


@contextlib.contextmanager
def running(folder: Path, log: Path, **settings: str) -> Iterator[str]:
    """The address of a service of its own, of the sources in `folder`; `settings` are variables of its environment."""
    port = free_port()
    environment = {
        **os.environ, "PORT": str(port), "HOST": "127.0.0.1", "BACKLIGHT_STORE": "memory", "PYTHONPATH": str(folder),
        **settings,
    }  # fmt: skip
    with log.open("w") as out:
        process = subprocess.Popen([sys.executable, "-m", "app"], cwd=folder, env=environment, stdout=out, stderr=out)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(address, process, log)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)


def wait_until_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the service stopped while starting:\n{log.read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(f"{address}/readyz", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the service was not ready after {STARTUP_SECONDS} s:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: the system's when there is one, else the one Playwright downloaded."""
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=system, args=FLAGS)
        except Error as error:
            pytest.fail(
                f"no browser to test the page with; install chromium or run `playwright install chromium`: {error}"
            )
        yield browser
        hanging = threading.Timer(CLOSING_SECONDS, kill_drivers)
        hanging.daemon = True
        hanging.start()
        with contextlib.suppress(Error):  # the driver was killed: the browser ends with it
            browser.close()
        hanging.cancel()


def kill_drivers() -> None:
    """End what drives the browsers of this process: one that does not close would keep the tests from ending."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, _, rest = status.read_text().partition(" ")
            name, _, fields = rest.rpartition(") ")
            if name.startswith("(node") and int(fields.split()[1]) == os.getpid():
                os.kill(int(pid), signal.SIGKILL)


Reader = tuple[str, str]
"""Colour scheme, and whether things may move."""


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> dict[Reader, BrowserContext]:
    """Contexts, which have the page's files in their cache and keep nothing else."""
    return {}


@pytest.fixture(scope="session")
def tabs(contexts: dict[Reader, BrowserContext]) -> dict[Reader, Page]:
    """A tab of each, whose process has the page's modules compiled: a new tab's would do it again, for two seconds."""
    return {}


@pytest.fixture
def visit(
    browser: Browser, url: str, contexts: dict[Reader, BrowserContext], tabs: dict[Reader, Page]
) -> Iterator[Open]:
    """Open the page; every test then fails on any error or policy violation the page reported.

    A test's first visit is in a tab that was there before; others are by readers of their own, and what goes nowhere
    yet (path None) is in a new tab.
    """
    own: list[BrowserContext] = []
    visits: list[Visit] = []
    lent: list[tuple[Reader, Visit]] = []

    def open_page(
        path: str | None = "/",
        *,
        width: int = 1440,
        height: int = 900,
        scheme: Any = "light",
        motion: Any = "reduce",
        address: str = url,
    ) -> Visit:
        reader = (scheme, motion)
        context = None if visits else contexts.get(reader)
        if context is None:
            context = browser.new_context(color_scheme=scheme, reduced_motion=motion, accept_downloads=True)
            context.add_init_script(MODULES)
            if visits:
                own.append(context)
            else:
                contexts[reader] = context
        known = not visits and path is not None and address == url
        page = tabs.pop(reader, None) if known else None
        made = Visit(page or context.new_page(), address)
        made.page.set_viewport_size({"width": width, "height": height})
        visits.append(made)
        if known:
            lent.append((reader, made))
        return made.go(path) if path is not None else made

    yield open_page
    complaints = [text for made in visits for text in made.complaints]
    for reader, made in lent:
        with contextlib.suppress(Error):  # one that was closed, or does not answer, is closed below
            made.leave()
            tabs[reader] = made.page
    for made in visits:
        if made.page not in tabs.values():
            with contextlib.suppress(Error):  # one that went nowhere, was closed or does not answer
                made.page.wait_for_function("() => { localStorage.clear(); return true; }", timeout=5000)
            made.page.close()
    for context in own:
        context.close()
    assert not complaints, "the page complained:\n" + "\n".join(complaints)
