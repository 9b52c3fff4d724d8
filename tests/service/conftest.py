"""A service whose workers do stand-in jobs, so that they can be made to misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.config import Settings
from tests.conftest import serving

FAKE_JOBS = "tests.service.fake_jobs"


@pytest.fixture(scope="module")
def fake_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store: Path = tmp_path_factory.mktemp("store") / "runs.sqlite3"
    settings = Settings(
        port=0, log_level="error", workers=1, wall_seconds=1.0, receive_seconds=1.0, body_kb=64, store=str(store)
    )
    with serving(settings, jobs=FAKE_JOBS) as address:
        yield address


@pytest.fixture
def fake(fake_service: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=fake_service, timeout=30) as opened:
        yield opened
