"""The short way to the routes that are asked for most: no dependencies to solve, nothing to validate or serialise.

FastAPI describes these routes and still answers everything about them that is not a plain request: wrong methods,
unknown addresses.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, compile_path
from starlette.types import ASGIApp, Receive, Scope, Send

from app.problems import Problem

Refusal = Callable[[Request, Problem], Awaitable[Response]]


class Direct:
    """Calls the endpoints of `routes` with the request and the parameters in its path; `app` does the rest."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute], refusal: Refusal) -> None:
        self.app = app
        self.refusal = refusal
        self.routes = [
            (method, compile_path(route.path)[0], route)
            for route in routes
            if isinstance(route, APIRoute)
            for method in route.methods or ()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            for method, pattern, route in self.routes:
                if method == scope["method"] and (match := pattern.match(scope["path"])):
                    scope["route"] = route
                    response = await self._response(Request(scope, receive, send), route.endpoint, match.groupdict())
                    await self._send(response, scope, receive, send)
                    return
        await self.app(scope, receive, send)

    async def _response(self, request: Request, endpoint: Callable[..., Any], parameters: dict[str, str]) -> Response:
        try:
            response: Response = await endpoint(request, **parameters)
        except Problem as problem:
            return await self.refusal(request, problem)
        return response

    async def _send(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        """Send `response`; it too may find that it cannot be sent, before it has begun."""
        try:
            await response(scope, receive, send)
        except Problem as problem:
            refused = await self.refusal(Request(scope, receive, send), problem)
            await refused(scope, receive, send)
