"""Serving over HTTP: uvicorn with deadlines for clients that stall, and a clean end on SIGTERM."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, cast

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from app import documents, logs
from app.clients import site
from app.config import Settings, unknown, variable
from app.hosts import target_host
from app.listening import MAX_WAITING, Listener, bound
from app.main import create_app
from app.middleware import INERT_POLICY, SECURITY_HEADERS
from app.problems import (
    BUSY,
    HEADER_TOO_LARGE,
    MALFORMED_REQUEST,
    MEDIA_TYPE,
    REQUEST_TIMEOUT,
    TOO_MANY_AT_ONCE,
    Kind,
    Problem,
)
from app.state import State
from app.turns import Client

MAX_HEADER = 32 << 10
MAX_PIPELINE = 20
KEEP_ALIVE_SECONDS = 15
HALF_CLOSED_SECONDS = 0.25  # that an answer may take to begin for a client that sends no more, or has gone
READ_RATE = 4 << 10  # bytes per second below which reading an answer uses up the reader's time
SPARE_FILES = 256
STARTUP_FAILURE = 3  # what uvicorn ends with
M_MMAP_THRESHOLD = -3


class Connections:
    """The open connections of each client, oldest first."""

    def __init__(self) -> None:
        self.count = 0
        self._of: dict[Client, dict[DeadlineProtocol, None]] = {}

    def add(self, connection: DeadlineProtocol) -> None:
        self.count += 1
        self._of.setdefault(connection.peer, {})[connection] = None
        connection.peer.connections += 1

    def remove(self, connection: DeadlineProtocol) -> None:
        opened = self._of.get(connection.peer, {})
        if connection in opened:
            self.count -= 1
            connection.peer.connections -= 1
            del opened[connection]
            if not opened:
                del self._of[connection.peer]

    def make_room(self, newest: DeadlineProtocol, client: Client | None = None) -> bool:
        """Close a connection that can be spared: of `client`, or else of the one that has most of them.

        One between two requests goes first, then one whose request is still on its way. False if all have a request
        under way.
        """
        opened = self._of[client or max(self._of, key=lambda client: client.connections)]
        for spare in (DeadlineProtocol.is_silent, DeadlineProtocol.is_spare):
            for connection in opened:
                if connection is not newest and spare(connection):
                    self.remove(connection)
                    connection.transport.abort()
                    return True
        return False


class DeadlineProtocol(HttpToolsProtocol):
    """HTTP that does not wait forever.

    A request must arrive whole within `receive_seconds` of its first byte (the first one: of the connection), its
    headers within `MAX_HEADER` bytes. Who closes its own side has gone, or waits for the answer yet: it is waited for
    no longer than `HALF_CLOSED_SECONDS`. An answer must be read: whoever leaves it lying for `send_seconds`, at once or
    in all at less than `READ_RATE`, is cut off. Whatever is refused here, before the application sees it, is refused
    as a problem too.
    """

    settings: Settings
    state: State
    open: Connections

    _receiving: asyncio.TimerHandle | None = None
    _leaving: asyncio.TimerHandle | None = None
    _arriving = False
    _sending: asyncio.TimerHandle | None = None
    _in_headers = True
    _header_bytes = 0
    _rest_seconds = 0.0
    _resting: asyncio.TimerHandle | None = None
    _lingering: asyncio.TimerHandle | None = None
    _answered: RequestResponseCycle | None = None
    _patience = 0.0
    _paused = 0.0
    _unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._patience = self.settings.send_seconds
        address = self.client[0] if self.client else None
        addresses, admission = self.state.addresses, self.state.admission
        self.peer = admission.client(addresses.client(address, ()))
        self.open.add(self)
        if (
            self.peer.connections > self.settings.client_connections
            and not addresses.trusts(address)
            and not self.open.make_room(self, self.peer)
        ):
            self._refuse(TOO_MANY_AT_ONCE, "You have too many connections open.", {"Retry-After": "1"})
        elif self.open.count > self.settings.connections and not self.open.make_room(self):
            self._refuse(BUSY, "Too many connections are open.", {"Retry-After": "1"})
        else:
            self._receiving = self.loop.call_later(self.settings.receive_seconds, self._receive_expired)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.remove(self)
        self._received()
        self._sent()
        for timer in (self._resting, self._leaving, self._lingering):
            if timer is not None:
                timer.cancel()
        self._unset_keepalive_if_required()
        self.pipeline.clear()
        if self._answered is not None and not self._answered.response_complete:  # which need not be the last to arrive
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # type: ignore[override]
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            self._leaving = self.loop.call_later(HALF_CLOSED_SECONDS, self._left)
            return True
        if self._arriving and not (self.cycle is not None and self.cycle.more_body and self.cycle.response_started):
            self._refuse(MALFORMED_REQUEST, "The request ended before all of it had come.")
        return False

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._in_headers:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._in_headers and self._header_bytes > MAX_HEADER:
            self._refuse(HEADER_TOO_LARGE, f"They may have {MAX_HEADER} bytes.")

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MAX_PIPELINE:
            raise ValueError("more requests than may wait for the answer to the first")
        super().on_message_begin()
        self._arriving = True
        self.scope["state"]["connection"] = self
        self._in_headers = True
        if self._receiving is None:
            self._receiving = self.loop.call_later(self.settings.receive_seconds, self._receive_expired)

    def on_headers_complete(self) -> None:
        self._in_headers = False
        self._header_bytes = 0
        self.scope["state"]["target"] = target_host(self.url)
        codings = [value.strip().lower() for name, value in self.headers if name == b"transfer-encoding"]
        if codings not in ([], [b"chunked"]):  # `gzip, chunked` would be read as if nothing had been packed
            raise ValueError("a body in a transfer coding other than chunked")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._received()
        self._arriving = False
        self._in_headers = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if self._leaving is not None and not self.pipeline:
            self.transport.close()
        if self.transport.is_closing():
            self._linger()
        if not self._rest_seconds:
            super().on_response_complete()
            return
        self.flow.pause_reading()
        self._resting = self.loop.call_later(self._rest_seconds, self._rested)
        self._rest_seconds = 0.0

    def pause_writing(self) -> None:
        super().pause_writing()
        self._paused = self.loop.time()
        self._unread = self.transport.get_write_buffer_size()
        self._sending = self.loop.call_later(max(0.0, self._patience), self.transport.abort)

    def resume_writing(self) -> None:
        if self._sending is not None:
            read = self._unread - self.transport.get_write_buffer_size()
            self._patience += read / READ_RATE - (self.loop.time() - self._paused)
            self._patience = min(self._patience, self.settings.send_seconds)
        self._sent()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._linger()

    def send_400_response(self, msg: str) -> None:
        self._refuse(MALFORMED_REQUEST, "The request does not follow HTTP/1.1.")

    # What the application asks of a connection

    def is_gone(self) -> bool:
        return self.transport.is_closing()

    def rest(self, seconds: float) -> None:
        self._rest_seconds = seconds

    async def drained(self) -> None:
        await self.flow.drain()

    # What there is to spare when connections run out

    def is_spare(self) -> bool:
        """Whether no request of it is being answered."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def is_silent(self) -> bool:
        """Whether nothing of a request has come, or come after the last answer."""
        return self.is_spare() and self._in_headers and not self._header_bytes

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _received(self) -> None:
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def _sent(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _rested(self) -> None:
        self._resting = None
        if not self.transport.is_closing():
            super().on_response_complete()

    def _left(self) -> None:
        """Take a client for gone that has closed its side and was not answered since."""
        if not self.cycle.response_started:
            self.transport.abort()

    def _linger(self) -> None:
        """A closed connection stays until the rest of its answer is read, but not for ever."""
        if self._lingering is None and self.transport.get_write_buffer_size():
            self._lingering = self.loop.call_later(self.settings.send_seconds, self.transport.abort)

    def _receive_expired(self) -> None:
        self._receiving = None
        if not self._in_headers and self.cycle.response_started:
            self.transport.close()  # the client was answered before it had sent everything
        else:
            self._refuse(REQUEST_TIMEOUT, f"It did not arrive within {self.settings.receive_seconds:g} seconds.")

    def _refuse(self, kind: Kind, detail: str, headers: dict[str, str] | None = None) -> None:
        """Answer with a problem and close the connection."""
        self._received()
        if self.transport.is_closing():
            return
        self.state.metrics.problems.labels(kind.slug).inc()
        noted = {"client": logs.bucket(self.peer.key), "status": kind.status, "problem": kind.slug}
        logs.access.info("refused %d", kind.status, extra={"fields": noted})
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
        self._linger()


def protocol_for(settings: Settings, state: State) -> type[DeadlineProtocol]:
    """The protocol with the deadlines of these settings."""
    attributes = {"settings": settings, "state": state, "open": Connections()}
    return cast(type[DeadlineProtocol], type("ConfiguredProtocol", (DeadlineProtocol,), attributes))


class Server(uvicorn.Server):
    """A server that welcomes clients in turn, and tells whoever asks /readyz that it will end before it does."""

    def __init__(self, config: uvicorn.Config, state: State, drain_seconds: float) -> None:
        super().__init__(config)
        self.state = state
        self.drain_seconds = drain_seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.lifespan.startup()
        if self.lifespan.should_exit:
            sys.exit(STARTUP_FAILURE)
        try:
            listening = bound(self.config.host, self.config.port)
        except OSError as error:
            logging.getLogger("backlight").error("%s", error)
            await self.lifespan.shutdown()
            sys.exit(STARTUP_FAILURE)
        for each in listening:
            each.listen(self.config.backlog)
        rounds = self.state.admission.rounds
        self.servers = [Listener(each, rounds, self._client, self._protocol) for each in listening]  # type: ignore[misc]
        self._log_started_message(listening)
        self.started = True

    def _client(self, address: str | None) -> str:
        """Whose turn it is when a connection comes from there."""
        key = self.state.addresses.client(address, ())
        return site(key) or key

    def _protocol(self) -> asyncio.Protocol:
        make = cast(Any, self.config.http_protocol_class)
        made = make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        return cast(asyncio.Protocol, made)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.state.pool.draining = True
        end = asyncio.get_running_loop().time() + self.drain_seconds
        while not self.force_exit and asyncio.get_running_loop().time() < end:  # a second signal ends the wait
            await asyncio.sleep(0.05)
        await super().shutdown(sockets)


def make_server(settings: Settings, **options: Any) -> uvicorn.Server:
    """A uvicorn server of the service, not yet running."""
    application = create_app(settings, **options)
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        http=protocol_for(settings, application.state.backlight),
        ws="none",
        access_log=False,
        log_config=None,
        log_level=settings.log_level,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
    return Server(config, application.state.backlight, settings.drain_seconds)


def serve(settings: Settings, **options: Any) -> int:
    """Serve until SIGTERM or SIGINT; returns the exit status, which is 0 after either."""
    logs.configure(settings.log, settings.log_level)
    for name in unknown(os.environ):
        logging.getLogger("backlight").warning("%s is no setting: docs/configuration.md lists them", name)
    if taken := list(unusable(settings)):
        for text in taken:
            logging.getLogger("backlight").error("%s", text)
        return 1
    # uvicorn shuts down on these and then raises them once more for whoever handled them before: nobody.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    return_memory()
    allow_files(settings.connections + MAX_WAITING + SPARE_FILES)
    server = make_server(settings, **options)
    cast(FastAPI, server.config.app).openapi()  # here, where these are in nobody's way
    documents.prepare()
    gc.collect()
    gc.freeze()  # looking at all that has been imported, again and again, would hold up everybody
    server.run()
    return 0 if server.started else 1


def unusable(settings: Settings) -> Iterator[str]:
    """Addresses that cannot be listened at, with the settings that name them: known before workers are started."""
    for name, port in (("port", settings.port), ("metrics_port", settings.metrics_port)):
        if name == "metrics_port" and not port:
            continue
        try:
            for taken in bound(settings.host, port):
                taken.close()
        except OSError as error:
            yield f"HOST={settings.host}, {variable(name)}={port}: {error.strerror or error}"


def return_memory() -> None:
    """Have buffers of a mebibyte and more go back to the system when they are freed, where the C library can do that.

    Left alone, glibc raises that size with every buffer it sees, and documents that have left stay in the heap.
    """
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1 << 20)


def allow_files(count: int) -> None:
    """Let this process have `count` files open, as far as the system permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        allowed = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
