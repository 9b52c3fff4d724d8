"""What other sites ask to put a picture of this service on their pages."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from app import oembed
from app.about import origin_of
from app.answers import PAGE, PRIVATE
from app.problems import INVALID_QUERY, UNKNOWN_ADDRESS, UNSUPPORTED_FORMAT, Problem
from app.state import state_of

router = APIRouter(include_in_schema=False)

PIXELS = re.compile(r"[1-9]\d{0,5}", re.ASCII)


@router.get("/oembed")
async def embed(request: Request) -> Response:
    """The frame for an address of this service; other addresses, and runs that are not kept, are 404."""
    wanted = parameter(request, "format")
    if wanted not in (None, "json"):
        raise Problem(UNSUPPORTED_FORMAT, "The answer is asked for in another format.")
    state, origin = state_of(request), origin_of(request)
    bounds = pixels(request, "maxwidth"), pixels(request, "maxheight")
    url = parameter(request, "url")
    page = oembed.shown(url, origin, state.examples, state.assets.version) if url else None
    if page is None:
        raise Problem(UNKNOWN_ADDRESS, "The address is no such page of this service." if url else "There is no `url`.")
    if page.run is not None:
        await state.runs.document(page.run)  # a run that is not kept is a problem of its own
    headers = {
        "Cache-Control": PAGE if page.run is None else PRIVATE,
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return Response(to_json(oembed.answer(page, origin, *bounds)), media_type="application/json", headers=headers)


def parameter(request: Request, name: str) -> str | None:
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise Problem(INVALID_QUERY, f"`{name}` is there more than once.")
    return given[0] if given else None


def pixels(request: Request, name: str) -> int | None:
    given = parameter(request, name)
    if given is None:
        return None
    if PIXELS.fullmatch(given) is None:
        raise Problem(INVALID_QUERY, f"`{name}` is no number of pixels.")
    return int(given)
