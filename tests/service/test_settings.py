"""Every setting is in the documentation, and does what it says."""

from __future__ import annotations

import pytest

from app.config import PROJECT, Settings, available_cores, settings_table

DOCUMENT = PROJECT / "docs" / "configuration.md"


def test_every_setting_is_documented_with_its_default() -> None:
    rows = [f"| `{row.variable}` | `{row.default}` | {row.meaning} |" for row in settings_table()]
    written = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert written == rows


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "9000")
    monkeypatch.setenv("HOST", "0.0.0.0")
    monkeypatch.setenv("BACKLIGHT_WALL_SECONDS", "2.5")
    settings = Settings()
    assert (settings.port, settings.host, settings.wall_seconds) == (9000, "0.0.0.0", 2.5)


def test_zero_workers_means_one_per_core() -> None:
    assert Settings(workers=0).worker_count() == available_cores() >= 1
    assert Settings(workers=3).worker_count() == 3


def test_the_store_can_be_named() -> None:
    assert Settings(store="memory").store_path() is None
    assert str(Settings(store="/data/runs.sqlite3").store_path()) == "/data/runs.sqlite3"
