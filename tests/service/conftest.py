"""A service whose workers do stand-in jobs, so that they can be made to misbehave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.config import Settings
from tests.conftest import serving

FAKE_JOBS = "tests.service.fake_jobs"


@pytest.fixture(scope="module")
def fake_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store: Path = tmp_path_factory.mktemp("store") / "runs.sqlite3"
    settings = Settings(
        port=0,
        log_level="error",
        drain_seconds=0,
        workers=1,
        wall_seconds=1.0,
        cpu_seconds=1,
        receive_seconds=1.0,
        body_kb=64,
        store=str(store),
    )
    with serving(settings, jobs=FAKE_JOBS) as address:
        yield address


@pytest.fixture(scope="module")
def description(fake_service: str) -> dict[str, Any]:
    """The service's own OpenAPI description."""
    answer: dict[str, Any] = httpx.get(f"{fake_service}/openapi.json").json()
    return answer


@pytest.fixture
def fake(fake_service: str, description: dict[str, Any]) -> Iterator[httpx.Client]:
    """A client that holds every answer it gets against the OpenAPI description."""
    operations = [
        (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation["responses"])
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]

    def check(response: httpx.Response) -> None:
        path = response.request.url.raw_path.decode().partition("?")[0]
        for method, pattern, responses in operations:
            if method == response.request.method and pattern.fullmatch(path):
                assert str(response.status_code) in responses, f"{method} {path}: undocumented {response.status_code}"
                documented = responses[str(response.status_code)].get("content", {})
                media_type = response.headers.get("content-type", "").partition(";")[0]
                assert media_type in documented or not documented and not media_type, f"{method} {path}: {media_type}"

    with httpx.Client(base_url=fake_service, timeout=30, event_hooks={"response": [check]}) as opened:
        yield opened
