"""The repository's engine and its judge stand beside the client here; the client itself never imports them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

REPOSITORY = Path(__file__).parents[2]
sys.path.append(str(REPOSITORY))

VIEWER = (
    "<!doctype html><html><head><meta charset=utf-8></head><body>"
    '<script type="application/json" id="run-document"></script></body></html>'
)


@pytest.fixture(autouse=True)
def _alike() -> None:
    torch.manual_seed(0)


@pytest.fixture
def viewer(monkeypatch: pytest.MonkeyPatch) -> str:
    """A page with a place for the document, in the place of the viewer."""
    monkeypatch.setattr("backlight.export.viewer", lambda: VIEWER)
    return VIEWER
