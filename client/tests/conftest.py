"""The repository's engine and its judge stand beside the client here; the client itself never imports them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

REPOSITORY = Path(__file__).parents[2]
sys.path.append(str(REPOSITORY))

VIEWER = (
    "<!doctype html><html><head><meta charset=utf-8></head><body>"
    '<script type="application/json" id="run-document"></script></body></html>'
)
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip
"""Chromium's, so that it asks nobody for anything."""


@pytest.fixture(autouse=True)
def _alike() -> None:
    torch.manual_seed(0)


@pytest.fixture
def viewer(monkeypatch: pytest.MonkeyPatch) -> str:
    """A page with a place for the document, in the place of the viewer."""
    monkeypatch.setattr("backlight.export.viewer", lambda: VIEWER)
    return VIEWER


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """This machine's Chromium, or the one that Playwright brought."""
    playwright = pytest.importorskip("playwright.sync_api")
    system = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=system, args=FLAGS)
        yield made
        made.close()
