"""What every response has in common: request id, security headers, HEAD, CORS, and no escape for exceptions.

A request that is not for this service, or is a foreign page's and would change something, ends here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import time

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.logs import access, bucket, stub
from app.problems import INTERNAL_ERROR, MEDIA_TYPE, NOT_READY, Problem
from app.roots import root_of
from app.state import State
from app.traces import Span
from app.turns import Client
from app.visits import Visit, lost

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

RUNS = "/v1/runs"
# What is answered with the state of the client's budget: whatever may need a worker.
METERED = re.compile(r"/v1/(ops|examples/[^/]+/run|runs(/[^/]+/((values|checks)/[^/]+|graph\.\w+))?)")
SIZE = re.compile(r"\d{1,15}", re.ASCII)
# A client that goes on in spite of 429 is read again after this time: a refusal must cost it more than us.
REST_SECONDS = 1.0

# The run that an address is about.
RUN = re.compile(r"/(?:v1/runs|(?:embed/)?r)/([a-z2-7]{26})(?:/.*)?")
LEFT = 499  # what nginx calls it when a client does not wait for its answer
METHODS = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"}
CORS_PREFIX = "/v1/"
ALLOW_ORIGIN = "Access-Control-Allow-Origin"
CORS_HEADERS = {
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Expose-Headers": "Content-Location, Deletion-Token, ETag, RateLimit, RateLimit-Policy, "
    "Retry-After, X-Request-ID",
}
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Headers": "Content-Type, Deletion-Token, If-None-Match, X-Request-ID",
    "Access-Control-Max-Age": "7200",
}


def raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI wants them."""
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


SECURITY_FIELDS = raw(SECURITY_HEADERS)
DEFAULT_FIELDS = raw({"Content-Security-Policy": INERT_POLICY, "Cache-Control": "no-store"})
CORS_FIELDS = raw(CORS_HEADERS)
(ANY_ORIGIN,) = raw({ALLOW_ORIGIN: "*"})
ALLOW = ANY_ORIGIN[0]
READING, CHANGING = ("GET", "HEAD"), ("POST", "DELETE")
LOCATION = b"content-location"
CORP = b"cross-origin-resource-policy"
SAME_ORIGIN = (CORP, b"same-origin")
(HSTS,) = raw({"Strict-Transport-Security": "max-age=31536000"})
(GET_ONLY,) = raw({"Allow": "GET"})
(GET_OR_HEAD,) = raw({"Allow": "GET, HEAD"})
(VARY_ORIGIN,) = raw({"Vary": "Origin"})


class Envelope:
    """The outermost layer around the application."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self.app = app
        self.state = state
        self.metrics = state.metrics
        self.traces = state.traces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        root, scope = self.state.roots.enter(scope)
        headers = Headers(scope=scope)
        request_id = headers.get("x-request-id", "")
        if not REQUEST_ID.fullmatch(request_id):
            request_id = os.urandom(16).hex()
        is_head = scope["method"] == "HEAD"
        visit = self._visit(scope, is_head)
        scope["state"].update(request_id=request_id, visit=visit, root=root)
        inner = {**scope, "method": "GET"} if is_head else scope
        is_public = scope["path"].startswith(CORS_PREFIX)
        scheme = self.state.addresses.scheme(scope)
        announced = preflight_of(scope, headers) if is_public else None
        method = announced or scope["method"]
        received = time.perf_counter()
        started = False
        span: Span | None = None

        def note(status: int, location: bytes = b"") -> None:
            """Count and log what has come of the request."""
            route = getattr(inner.get("route"), "path", "none")
            sent = known(scope["method"])
            seconds = time.perf_counter() - received
            self.metrics.answered(route, sent, status, seconds)
            if span is not None:
                span.update_name(f"{sent} {route}")
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", status)
            if access.isEnabledFor(logging.INFO):
                run = RUN.fullmatch(location.decode("latin-1") or scope["path"])
                self._log(request_id, visit, sent, route, status, seconds, run[1] if run else None)

        async def dress(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                fields = message["headers"]
                note(message["status"], next((value for name, value in fields if name == LOCATION), b""))
                if root:
                    fields = [(name, root.encode() + value if name == LOCATION else value) for name, value in fields]
                fields = [*fields, (b"x-request-id", request_id.encode()), *SECURITY_FIELDS]
                present = {name for name, _ in message["headers"]}
                fields += [field for field in DEFAULT_FIELDS if field[0] not in present]
                if is_public:
                    fields += self._permission(scope, method)
                if is_public and any(name == ALLOW for name, _ in fields):
                    fields += CORS_FIELDS
                elif not any(name == CORP for name in present):
                    fields.append(SAME_ORIGIN)
                if scheme == "https":
                    fields.append(HSTS)
                if METERED.fullmatch(scope["path"]):
                    fields += raw(self.state.admission.fields(visit.client))
                if message["status"] == 405:
                    fields = [GET_OR_HEAD if field == GET_ONLY else field for field in fields]
                if message["status"] == 429:
                    visit.rest(REST_SECONDS)
                message = {**message, "headers": fields}
            elif is_head:
                message = {**message, "body": b""}
            try:
                await send(message)
            except RuntimeError:
                if visit.is_gone():  # uvloop says so to who writes before the server knows
                    raise ClientDisconnect from None
                raise

        try:
            await visit.turn()
            if visit.is_gone():
                await lost(receive)
                raise ClientDisconnect
            problem = self.state.hosts.refusal(scope) or self.state.origins.refusal(scope, method, scheme)
            if problem is None and announced is not None:
                methods = READING if method in READING else CHANGING
                fields = {"Access-Control-Allow-Methods": ", ".join(methods), **PREFLIGHT_HEADERS}
                await respond(dress, 204, fields, b"")
            elif (problem := problem or self._knock(scope, headers, visit.client)) is not None:
                self.metrics.problems.labels(problem.kind.slug).inc()
                await refuse(dress, problem, scope)
            else:
                with self.traces.request(known(scope["method"]), headers) as span:
                    await self.app(inner, receive, dress)
        except ClientDisconnect:
            if not started:
                note(LEFT)
        except asyncio.CancelledError:
            if started or not self.state.pool.draining:
                raise
            # Its time is up; another replica may answer.
            ending = Problem(NOT_READY, "The service ended before the answer.", headers={"Retry-After": "1"})
            await refuse(dress, ending, scope)
        except Exception:
            route = getattr(inner.get("route"), "path", "none")
            log.exception("request %s failed: %s %s", request_id, known(scope["method"]), route)
            if not started:
                await refuse(dress, Problem(INTERNAL_ERROR, "The request could not be answered."), scope)

    def _log(
        self, request_id: str, visit: Visit, method: str, route: str, status: int, seconds: float, run: str | None
    ) -> None:
        """One line for a request: never what a client wrote, but for the id that it may choose."""
        fields = {
            "request": request_id,
            "client": bucket(visit.client.key),
            "method": method,
            "route": route,
            "status": status,
            "seconds": round(seconds, 6),
            **({"run": stub(run)} if run else {}),
        }
        access.info("%s %s %d", method, route, status, extra={"fields": fields})

    def _visit(self, scope: Scope, is_head: bool) -> Visit:
        """Note whose request this is."""
        peer = scope["client"][0] if scope.get("client") else None
        client = self.state.admission.client(self.state.addresses.client(peer, scope["headers"]))
        connection = scope.setdefault("state", {}).get("connection")
        return Visit(client, self.state.admission, is_head, connection)

    def _knock(self, scope: Scope, headers: Headers, client: Client) -> Problem | None:
        """Why a request for a run is not even read, if it is not."""
        if scope["method"] != "POST" or scope["path"] != RUNS:
            return None
        declared = headers.get("content-length", "")
        try:
            self.state.admission.knock(client, int(declared) if SIZE.fullmatch(declared) else 0)
        except Problem as problem:
            return problem
        return None

    def _permission(self, scope: Scope, method: str) -> list[tuple[bytes, bytes]]:
        """Whose pages may read the answer: of a GET all, which must know the id; of other methods those listed."""
        if method in READING:
            return [ANY_ORIGIN]
        granted = self.state.origins.grants(scope)
        return [VARY_ORIGIN] if granted is None else [*raw({ALLOW_ORIGIN: granted}), VARY_ORIGIN]


def known(method: str) -> str:
    """The method, if it is one of HTTP's: what a client makes up is not counted under its name."""
    return method if method in METHODS else "other"


def preflight_of(scope: Scope, headers: Headers) -> str | None:
    """The method that a preflight asks about; None where this is none."""
    if scope["method"] != "OPTIONS" or "origin" not in headers:
        return None
    return headers.get("access-control-request-method")


async def refuse(send: Send, problem: Problem, scope: Scope) -> None:
    body = problem.body(scope["path"], scope["state"]["request_id"], root_of(scope))
    await respond(send, problem.kind.status, {"Content-Type": MEDIA_TYPE, **problem.headers}, body)


async def respond(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    fields = {**headers, "Content-Length": str(len(body))} if status != 204 else headers
    await send({"type": "http.response.start", "status": status, "headers": raw(fields)})
    await send({"type": "http.response.body", "body": body})
