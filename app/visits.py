"""What is known about a request besides what it says: whose it is, and the connection it came on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from starlette.requests import Request
from starlette.types import Receive

from app.admission import Admission
from app.clients import site
from app.turns import Client


class Connection(Protocol):
    """What the application may ask of the connection that carries a request."""

    def is_gone(self) -> bool:
        """Whether nobody is there any more to read the answer."""

    def rest(self, seconds: float) -> None:
        """After this answer, leave what the client sends unread for a while."""

    async def drained(self) -> None:
        """Return when most of what was written has left, or the client."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request. `connection` is None where the application is served by another server than ours."""

    client: Client
    admission: Admission
    is_head: bool = False
    connection: Connection | None = None

    async def turn(self) -> None:
        """Return when it is this client's turn on the event loop. All networks of one IPv6 site have one turn."""
        key = self.client.key
        await self.admission.rounds.turn(site(key) or key)

    async def drained(self) -> None:
        if self.connection is not None:
            await self.connection.drained()

    def is_gone(self) -> bool:
        return self.connection is not None and self.connection.is_gone()

    def rest(self, seconds: float) -> None:
        if self.connection is not None:
            self.connection.rest(seconds)


async def lost(receive: Receive) -> None:
    """Return when the server knows, too, that the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def visit_of(request: Request) -> Visit:
    """The visit that the envelope noted for `request`."""
    return cast(Visit, request.scope["state"]["visit"])
