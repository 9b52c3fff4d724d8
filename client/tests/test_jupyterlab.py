"""JupyterLab itself, in a browser: a recorded cell shows the page that plays the run."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

SECONDS = 90
CELLS = [
    "%load_ext backlight\nimport torch",
    "%%backlight\n"
    "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"
    "loss = (w * 3).sum()\n"
    'print("</script><!--")\n'
    "loss.backward()\n",
    "%%backlight\n(w * w).sum().backward()\n",
]


@pytest.fixture
def notebook(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook with these cells, in a JupyterLab that sees no settings of this machine."""
    cells = [
        {"cell_type": "code", "id": f"c{i}", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for i, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "run.ipynb").write_text(json.dumps(content))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    places = {f"JUPYTER_{what}_DIR": str(tmp_path / what.lower()) for what in ("CONFIG", "DATA", "RUNTIME")}
    log = tmp_path / "log"
    with log.open("w") as said:
        server = subprocess.Popen(
            [
                sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}",
                "--ServerApp.port_retries=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path / 'files'}",
            ],
            env={**os.environ, **places, "HOME": str(tmp_path)}, stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/status", timeout=5).close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")
                time.sleep(0.2)
        yield f"{address}/lab/tree/run.ipynb"
    finally:
        server.terminate()
        server.wait(SECONDS)


@pytest.fixture
def page(browser: Any) -> Iterator[Page]:
    made = browser.new_page(viewport={"width": 1500, "height": 1200}, reduced_motion="reduce")
    yield made
    made.close()


def run_all_cells(page: Page) -> None:
    """Choose it in the menu until a cell has been taken up: a kernel that connects meanwhile drops what it is given."""
    prompt = page.locator(".jp-CodeCell .jp-InputPrompt").first
    while prompt.inner_text() == "[ ]:":
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        with suppress(AssertionError):
            expect(prompt).not_to_have_text("[ ]:", timeout=15_000)


def save(page: Page, file: Path) -> None:
    """Save the notebook; the viewer is in it once."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_text("Save Notebook", exact=True).click()
    deadline = time.monotonic() + SECONDS
    while "backlight-run" not in (text := file.read_text("utf-8")):
        assert time.monotonic() < deadline, "the notebook was not saved"
        time.sleep(0.2)
    assert (text.count('class=\\"backlight-viewer\\"'), text.count('class=\\"backlight-run\\"')) == (1, 2)
    assert 'id=\\"run-document' not in text


def test_recorded_cells_play_in_jupyterlab(notebook: str, page: Page, tmp_path: Path) -> None:
    files = tmp_path / "files" / "run.ipynb"
    complaints: list[str] = []
    asked: list[str] = []

    def said(message: Any) -> None:
        of_the_server = message.location["url"].startswith(
            notebook.partition("/lab/")[0]
        )  # what JupyterLab asks it for
        if not of_the_server and message.type == "error" or "Content Security Policy" in message.text:
            complaints.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_default_timeout(SECONDS * 1000)
    page.goto(notebook)
    page.locator(".jp-CodeCell").nth(len(CELLS) - 1).wait_for()
    page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for(state="attached")
    page.on("request", lambda request: asked.append(request.url) if request.frame.parent_frame else None)
    run_all_cells(page)
    run, second = [page.frame_locator(f"iframe[sandbox='allow-scripts allow-downloads'] >> nth={n}") for n in (0, 1)]
    run.locator("#story .say").wait_for()
    expect(run.locator("#story .say")).to_contain_text("starts backward pass #1: loss receives 1")
    expect(run.locator("#origin")).to_contain_text("In [2]")
    expect(run.locator("#output")).to_contain_text("</script><!--")
    for _ in range(4):
        run.get_by_role("button", name="Next step").click()
    expect(run.locator("#story .say")).to_contain_text("w.grad")
    run.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        run.get_by_role("menuitem", name="JSON document").click()
    assert json.loads(download.value.path().read_text("utf-8"))["ops"]
    second.locator("#story .say").scroll_into_view_if_needed()
    expect(second.locator("#origin")).to_contain_text("In [3]")
    save(page, files)
    page.reload()
    for place, cell in ((0, "In [2]"), (1, "In [3]")):
        page.locator(".jp-CodeCell").nth(place + 1).scroll_into_view_if_needed()
        frame = page.frame_locator(f"iframe[title='Backlight'] >> nth={place}")
        expect(frame.locator("#origin")).to_contain_text(cell)
    assert not complaints
    assert not [url for url in asked if not url.startswith(("about:", "data:", "blob:"))]
