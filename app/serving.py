"""Serving over HTTP: uvicorn with deadlines for clients that stall, and a clean end on SIGTERM."""

from __future__ import annotations

import asyncio
import logging
import signal
from http import HTTPStatus
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.config import Settings
from app.main import create_app
from app.middleware import INERT_POLICY, SECURITY_HEADERS
from app.problems import BUSY, HEADER_TOO_LARGE, MALFORMED_REQUEST, MEDIA_TYPE, REQUEST_TIMEOUT, Kind, Problem

MAX_HEADER = 32 << 10
KEEP_ALIVE_SECONDS = 15


class DeadlineProtocol(HttpToolsProtocol):
    """HTTP that does not wait forever.

    A request must arrive whole within `receive_seconds` of its first byte (the first one: of the connection), its
    headers within `MAX_HEADER` bytes, and an answer must be read within `send_seconds`. Whatever is refused here,
    before the application sees it, is refused as a problem too.
    """

    receive_seconds = 5.0
    send_seconds = 30.0
    max_connections = 512

    _receiving: asyncio.TimerHandle | None = None
    _sending: asyncio.TimerHandle | None = None
    _in_headers = True
    _header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.max_connections:
            self._refuse(BUSY, "Too many connections are open.", {"Retry-After": "1"})
        else:
            self._receiving = self.loop.call_later(self.receive_seconds, self._receive_expired)

    def connection_lost(self, exc: Exception | None) -> None:
        self._received()
        self._sent()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._in_headers:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._in_headers and self._header_bytes > MAX_HEADER:
            self._refuse(HEADER_TOO_LARGE, f"They may have {MAX_HEADER} bytes.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_headers = True
        if self._receiving is None:
            self._receiving = self.loop.call_later(self.receive_seconds, self._receive_expired)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._header_bytes = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._received()
        self._in_headers = True
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._sending = self.loop.call_later(self.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._sent()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        self._refuse(MALFORMED_REQUEST, "The request does not follow HTTP/1.1.")

    def _received(self) -> None:
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def _sent(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _receive_expired(self) -> None:
        self._receiving = None
        if not self._in_headers and self.cycle.response_started:
            self.transport.close()  # the client was answered before it had sent everything
        else:
            self._refuse(REQUEST_TIMEOUT, f"It did not arrive within {self.receive_seconds:g} seconds.")

    def _refuse(self, kind: Kind, detail: str, headers: dict[str, str] | None = None) -> None:
        """Answer with a problem and close the connection."""
        self._received()
        if self.transport.is_closing():
            return
        body = Problem(kind, detail).body()
        fields = {
            "Content-Type": MEDIA_TYPE,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": INERT_POLICY,
            "Connection": "close",
            **SECURITY_HEADERS,
            **(headers or {}),
        }
        lines = [f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()


def protocol_for(settings: Settings) -> type[DeadlineProtocol]:
    """The protocol with the deadlines of these settings."""
    attributes = {
        "receive_seconds": settings.receive_seconds,
        "send_seconds": settings.send_seconds,
        "max_connections": settings.connections,
    }
    return cast(type[DeadlineProtocol], type("ConfiguredProtocol", (DeadlineProtocol,), attributes))


def make_server(settings: Settings, **options: Any) -> uvicorn.Server:
    """A uvicorn server of the service, not yet running."""
    config = uvicorn.Config(
        create_app(settings, **options),
        host=settings.host,
        port=settings.port,
        http=protocol_for(settings),
        ws="none",
        access_log=False,
        log_level=settings.log_level,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
    return uvicorn.Server(config)


def serve(settings: Settings, **options: Any) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status, which is 0 after either."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    # uvicorn shuts down on these and then raises them once more for whoever handled them before: nobody.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    server = make_server(settings, **options)
    server.run()
    return 0 if server.started else 1
