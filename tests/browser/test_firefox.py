"""The page in Firefox: it plays, is dragged, edited, shared and exported as in Chromium, and complains of nothing.

Where there is no Firefox this is skipped, and the summary says so; `BACKLIGHT_FIREFOX` names another.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

pytestmark = pytest.mark.slow

READER = Path(__file__).with_name("firefox.mjs")
SECONDS = 150


def test_a_reader_with_firefox_sees_what_others_see(url: str, tmp_path: Path) -> None:
    firefox = os.environ.get("BACKLIGHT_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if not firefox:
        pytest.skip("NOT TRIED IN FIREFOX: there is none here; install firefox-esr, or name one in BACKLIGHT_FIREFOX")
    node = compute_driver_executable()[0]
    done = subprocess.run(
        [node, READER, firefox, url, tmp_path], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert "failed" not in seen, seen
    assert seen["complaints"] == []
    assert seen["played"] > 0
    assert seen["scrubbed"] == seen["last"]
    assert "w.grad" in seen["told"] and "2 4" in seen["told"].replace("[", "").replace(",", "")
    assert seen["fromDisk"] == seen["told"]
    assert seen["address"].startswith("#v1:")
    assert "Rule" in seen["rule"]
    assert "Copy link" in seen["shared"]
    assert seen["embedded"]
    for kind, ending, least in (("png", ".png", 20_000), ("page", ".html", 500_000)):
        name, size = seen[kind]
        assert name.endswith(ending) and size > least, seen[kind]
