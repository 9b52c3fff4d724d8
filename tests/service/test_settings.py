"""Every setting is in the documentation, and does what it says."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from app.config import PROJECT, Settings, available_cores, settings_table, unknown
from app.slots import slots

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
    assert slots(available_cores(), None, Settings(workers=0)).client == available_cores() >= 1
    assert slots(1, None, Settings(workers=3)).client == 3


def test_the_store_can_be_named() -> None:
    assert Settings(store="memory").store_path() is None
    assert str(Settings(store="/data/runs.sqlite3").store_path()) == "/data/runs.sqlite3"
    assert Settings(store="redis://cache:6379/0").store_url() == "redis://cache:6379/0"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("store", "reddis://cache/0"),
        ("store", "sqlite:///data/runs.sqlite3"),
        ("store", "redis://cache:x/0"),
        ("store", "redis://"),
        ("wall_seconds", "inf"),
        ("queue_seconds", "nan"),
        ("cpu_seconds", str(1 << 64)),
        ("memory_mb", str(1 << 44)),
        ("trusted_proxies", "10.0.0.0/33"),
        ("metrics_port", "8000"),
    ],
)
def test_what_cannot_be_meant_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"BACKLIGHT_{name.upper()}", value)
    with pytest.raises(ValidationError):
        Settings()


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    monkeypatch.setenv("BACKLIGHT_STORE", "")
    assert (Settings().port, Settings().store) == (8000, "auto")


def test_variables_that_are_no_settings_are_known() -> None:
    assert unknown(["BACKLIGHT_WORKRES", "BACKLIGHT_WORKERS", "HOST", "PATH"]) == ["BACKLIGHT_WORKRES"]
