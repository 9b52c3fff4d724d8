"""The pictures that pages name for who shows a link to them."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.answers import PRIVATE, Entity, answer
from app.api.runs import while_connected
from app.problems import NOT_FOUND, Problem
from app.requests import STEP
from app.state import state_of
from app.visits import visit_of

router = APIRouter(include_in_schema=False)

SEED = 0  # the page's: what it draws is the same run
KEPT = "public, max-age=3600"
STANDIN = "icons/preview.png"


@router.get("/preview/l/{name}.png")
@router.get("/preview/l/{name}/{step}.png")
async def lesson_picture(request: Request, name: str, step: str | None = None) -> Response:
    """A step of an example; without one, the end of its first pass."""
    state, client = state_of(request), visit_of(request).client
    example = state.examples.named.get(name)
    if example is None:
        raise Problem(NOT_FOUND, "There is no lesson of this name.")
    at = number(step)
    picture = state.previews.kept((name, at))
    if picture is None and state.previews.possible:
        key = state.runs.identify({"code": example.code}, SEED)
        document = await state.runs.cached(key)
        if document is None:
            document = await while_connected(request, state.runs.run(key, client))
        drawing = state.previews.picture((name, at), document, at, example.question, client)
        picture = await while_connected(request, drawing)
    return answer(request, picture or standin(request), cache=KEPT)


@router.get("/preview/r/{run}.png")
@router.get("/preview/r/{run}/{step}.png")
async def run_picture(request: Request, run: str, step: str | None = None) -> Response:
    """A step of a run, as long as that is kept."""
    state, at = state_of(request), number(step)
    document = await state.runs.document(run)
    picture = None
    if state.previews.possible:
        title = "What does backward() do here?"
        drawing = state.previews.picture((run, at), document, at, title, visit_of(request).client)
        picture = await while_connected(request, drawing)
    return answer(request, picture or standin(request), cache=PRIVATE)


def number(step: str | None) -> int | None:
    if step is None:
        return None
    if not STEP.fullmatch(step):
        raise Problem(NOT_FOUND, "There is no such step.")
    return int(step)


def standin(request: Request) -> Entity:
    """What is shown where no picture can be drawn."""
    found = state_of(request).assets.find(STANDIN, None)
    if found is None:
        raise Problem(NOT_FOUND, "There is no such file.")
    return found[0]
