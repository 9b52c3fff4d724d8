"""Serves the page of a training to this machine alone: on its loopback, below an address that nobody can guess."""

from __future__ import annotations

import json
import secrets
import socket
import socketserver
import threading
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from .pages import live
from .shown import Shown

NAMES = ("127.0.0.1", "localhost")
"""What this machine is called in the address of a page, at any port: a tunnel may have another."""

_AT_ONCE = 32
"""Requests; more are turned away."""

_BODY = 1024
_PATIENCE = 2.0
"""Seconds that an answer waits for news: the page asks again at once, so it is known to be there."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Server(socketserver.ThreadingTCPServer):
    """Threads of it end with the process. `url`: the address of the page."""

    daemon_threads = True
    allow_reuse_address = False
    block_on_close = False
    request_queue_size = _AT_ONCE

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.token = secrets.token_urlsafe(24)
        self._page: bytes | None = None
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        self._open: set[socket.socket] = set()
        super().__init__((NAMES[0], 0), _Handler)
        self.url = f"http://{NAMES[0]}:{self.server_address[1]}/{self.token}/"
        try:
            threading.Thread(target=self.serve_forever, name="backlight", daemon=True).start()
        except BaseException:
            self.server_close()
            raise

    def page(self) -> bytes:
        """The page, made when it is asked for first."""
        if self._page is None:
            self._page = live().encode("utf-8")
        return self._page

    def close(self) -> None:
        """Serve no more."""
        self.shutdown()
        self.server_close()

    def drop(self) -> None:
        """Let go of what a fork has copied; its threads are none here."""
        for each in (self.socket, *self._open):
            with suppress(OSError):
                each.close()

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._free.acquire(blocking=False):
            self._close(request)
            return
        self._open.add(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.discard(request)
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that has gone is none."""

    def _close(self, request: Any) -> None:
        self.shutdown_request(request)


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "backlight", ""
    timeout = 30

    def do_GET(self) -> None:
        path = self._asked()
        if path is None:
            return
        shown = self.server.shown
        asked = urlsplit(path)
        if asked.path == "":
            self._answer(self.server.page(), "text/html; charset=utf-8")
        elif asked.path == "told":
            shown.control.seen()
            asks = parse_qs(asked.query)
            shown.control.await_change(_number(asks, "version"), _PATIENCE)
            shown.control.seen()
            told = shown.told(_number(asks, "after"))
            self._answer(json.dumps(told, separators=(",", ":")).encode("utf-8", "replace"), "application/json")
        else:
            packed = shown.packed(_number({"of": [asked.path.removeprefix("recorded/")]}, "of"))
            if packed is None or not asked.path.startswith("recorded/"):
                self._refuse(HTTPStatus.NOT_FOUND)
            else:
                self._answer(packed, "application/json", {"Content-Encoding": "gzip"})

    def do_POST(self) -> None:
        path = self._asked()
        if path is None:
            return
        control = self.server.shown.control
        act = {"pause": control.pause, "step": control.step, "go": control.go}.get(path)
        if act is None:
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("Content-Length") or "0"
        if not length.isdecimal() or int(length) > _BODY:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        self.rfile.read(int(length))
        control.seen()
        act()
        self._answer(b"{}", "application/json")

    def _asked(self) -> str | None:
        """What is asked for below the page's address; None where that is refused: the request names another machine, as
        pages of strangers can have theirs name this one, comes from another page, or does not know the address."""
        host = self.headers.get("Host", "")
        origin = self.headers.get("Origin")
        token, _, rest = self.path.removeprefix("/").partition("/")
        if host.partition(":")[0] not in NAMES or (origin is not None and origin != f"http://{host}"):
            self._refuse(HTTPStatus.FORBIDDEN)
        elif not secrets.compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND)
        elif self.headers.get("Transfer-Encoding"):
            self._refuse(HTTPStatus.LENGTH_REQUIRED)
        else:
            return rest
        return None

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True
        self._answer(f"{status.phrase}\n".encode(), "text/plain", status=status)

    def _answer(
        self, body: bytes, kind: str, more: dict[str, str] | None = None, status: HTTPStatus = HTTPStatus.OK
    ) -> None:
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), **_HEADERS, **(more or {})}
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """The program's output is its own."""


def _number(asks: dict[str, list[str]], name: str) -> int:
    """A number that is asked for; -1 for none."""
    text = asks.get(name, [""])[0]
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 16 else -1
