"""The envelope around the application, by itself."""

from __future__ import annotations

import logging
from typing import cast
from unittest.mock import MagicMock

import pytest
from starlette.types import Message, Receive, Scope, Send

from app.clients import Addresses
from app.middleware import Envelope
from app.roots import Roots
from app.rounds import Rounds
from app.state import State
from tests.loops import completed


class Connection:
    """One whose other end has gone, or not."""

    def __init__(self, gone: bool) -> None:
        self.gone = gone

    def is_gone(self) -> bool:
        return self.gone

    async def drained(self) -> None:
        pass

    def rest(self, seconds: float) -> None:
        raise AssertionError


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x"})


async def disconnect() -> Message:
    return {"type": "http.disconnect"}


@pytest.mark.parametrize("gone", [True, False])
def test_a_client_that_has_gone_is_no_error(gone: bool, caplog: pytest.LogCaptureFixture) -> None:
    state = MagicMock(roots=Roots("", Addresses()))
    state.hosts.refusal.return_value = state.origins.refusal.return_value = None
    state.admission.rounds = Rounds()
    connection = Connection(gone=False)

    async def closed(message: Message) -> None:
        if message["type"] == "http.response.body":
            connection.gone = gone
            raise RuntimeError("unable to perform operation; the handler is closed")

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "state": {"connection": connection},
    }
    with caplog.at_level(logging.ERROR):
        completed(Envelope(answering, cast(State, state))(scope, disconnect, closed))
    assert ("the handler is closed" in caplog.text) is not gone


def test_who_has_gone_before_its_turn_is_not_answered() -> None:
    state = MagicMock(roots=Roots("", Addresses()))
    state.admission.rounds = Rounds()
    called: list[Message] = []

    async def note(message: Message) -> None:
        called.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/healthz",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "state": {"connection": Connection(gone=True)},
    }
    completed(Envelope(answering, cast(State, state))(scope, disconnect, note))
    assert not called
