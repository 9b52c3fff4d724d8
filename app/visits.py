"""What is known about a request besides what it says: whose it is, and the connection it came on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, cast

from starlette.requests import Request

from app.admission import Admission
from app.turns import Client


class Connection(Protocol):
    """What the application may ask of the connection that carries a request."""

    def is_gone(self) -> bool:
        """Whether nobody is there any more to read the answer."""

    def rest(self, seconds: float) -> None:
        """After this answer, leave what the client sends unread for a while."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One request. `connection` is None where the application is served by another server than ours."""

    client: Client
    admission: Admission
    is_head: bool = False
    connection: Connection | None = None

    def is_gone(self) -> bool:
        return self.connection is not None and self.connection.is_gone()

    def rest(self, seconds: float) -> None:
        if self.connection is not None:
            self.connection.rest(seconds)


def visit_of(request: Request) -> Visit:
    """The visit that the envelope noted for `request`."""
    return cast(Visit, request.scope["state"]["visit"])
