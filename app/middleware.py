"""What every response has in common: request id, security headers, HEAD, CORS, and no escape for exceptions."""

from __future__ import annotations

import logging
import re
import time
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.metrics import Metrics
from app.problems import INTERNAL_ERROR, MEDIA_TYPE, Problem

log = logging.getLogger("backlight")

REQUEST_ID = re.compile(r"[\w-]{1,64}", re.ASCII)

SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# For whatever is not a page: a browser that opens it may do nothing with it. Pages bring their own policy.
INERT_POLICY = "default-src 'none'; frame-ancestors 'none'"

METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"}
CORS_PREFIX = "/v1/"
CORS_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Content-Location, ETag, Retry-After, X-Request-ID",
}
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST",
    "Access-Control-Allow-Headers": "Content-Type, If-None-Match, X-Request-ID",
    "Access-Control-Max-Age": "86400",
}


class Envelope:
    """The outermost layer around the application."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = headers.get("x-request-id", "")
        if not REQUEST_ID.fullmatch(request_id):
            request_id = uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        is_head = scope["method"] == "HEAD"
        inner = {**scope, "method": "GET"} if is_head else scope
        is_public = scope["path"].startswith(CORS_PREFIX)
        received = time.perf_counter()
        started = False

        async def dress(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                route = getattr(inner.get("route"), "path", "none")
                method = scope["method"] if scope["method"] in METHODS else "other"
                self.metrics.answered(route, method, message["status"], time.perf_counter() - received)
                fields = MutableHeaders(scope=message)
                fields["X-Request-ID"] = request_id
                for name, value in SECURITY_HEADERS.items():
                    fields[name] = value
                fields.setdefault("Content-Security-Policy", INERT_POLICY)
                fields.setdefault("Cache-Control", "no-store")
                if is_public:
                    fields.update(CORS_HEADERS)
                if "Allow" in fields and "GET" in fields["Allow"]:
                    fields["Allow"] = "GET, HEAD"
            elif is_head:
                message = {**message, "body": b""}
            await send(message)

        try:
            if is_public and is_preflight(scope, headers):
                await respond(dress, 204, PREFLIGHT_HEADERS, b"")
            else:
                await self.app(inner, receive, dress)
        except ClientDisconnect:
            pass
        except Exception:
            log.exception("request %s failed: %s %s", request_id, scope["method"], ascii(scope["path"][:200]))
            if not started:
                problem = Problem(INTERNAL_ERROR, "The request could not be answered.")
                body = problem.body(scope["path"], request_id)
                await respond(dress, INTERNAL_ERROR.status, {"Content-Type": MEDIA_TYPE}, body)


def is_preflight(scope: Scope, headers: Headers) -> bool:
    return scope["method"] == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


async def respond(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    fields = {**headers, "Content-Length": str(len(body))} if status != 204 else headers
    raw = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
