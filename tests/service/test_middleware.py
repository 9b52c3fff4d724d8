"""The envelope around the application, by itself."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import MagicMock

import pytest
from starlette.types import Message, Receive, Scope, Send

from app.middleware import Envelope
from app.state import State
from tests.loops import completed


class Connection:
    """One whose other end has gone, or not."""

    def __init__(self, gone: bool) -> None:
        self.gone = gone

    def is_gone(self) -> bool:
        return self.gone

    def rest(self, seconds: float) -> None:
        raise AssertionError


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x"})


async def closed(message: Message) -> None:
    if message["type"] == "http.response.body":
        raise RuntimeError("unable to perform operation; the handler is closed")


@pytest.mark.parametrize("gone", [True, False])
def test_a_client_that_has_gone_is_no_error(gone: bool, caplog: pytest.LogCaptureFixture) -> None:
    state = MagicMock()
    state.hosts.refusal.return_value = state.origins.refusal.return_value = None
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "state": {"connection": Connection(gone)},
    }
    with caplog.at_level(logging.ERROR):
        completed(Envelope(answering, cast(State, state))(scope, cast(Any, SimpleNamespace()), closed))
    assert ("the handler is closed" in caplog.text) is not gone
