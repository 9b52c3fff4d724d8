"""What is not part of the API: the page itself, the reference pages, the static files, and metrics."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

import app
from app.about import About, about_home, about_lesson, about_run, origin_of
from app.answers import IMMUTABLE, PAGE, REVALIDATE, answer, entity_of
from app.api.meta import limits_of
from app.examples import Example, Examples
from app.llms import llms
from app.metrics import CONTENT_TYPE
from app.oembed import discovery
from app.problems import KINDS, NOT_FOUND, Problem
from app.roots import root_of, way_to_root
from app.state import state_of

FOR_ALL = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
"""A page in a frame with `sandbox` has no origin: to it, the service's own files are another site's."""

router = APIRouter(include_in_schema=False)
files = APIRouter(include_in_schema=False)


def content_security_policy(nonce: str, embeddable: bool = False, frames: bool = False) -> str:
    """Everything from this service and nothing from elsewhere; `nonce` lets the editor add its style sheet.

    Only a page that is `embeddable` may be shown inside another site's, and only one with `frames` shows pages itself.
    """
    ancestors = "*" if embeddable else "'none'"
    frame_sources = " frame-src 'self';" if frames else ""
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none';"
        f"{frame_sources} frame-ancestors {ancestors}"
    )


def page(
    request: Request,
    template: str,
    *which: str,
    status: int = 200,
    embeddable: bool = False,
    frames: bool = False,
    **context: Any,
) -> Response:
    """A rendered template, which knows `nonce`, `root` (what stands before the service's paths), `assets` (version of
    the static files) and `version`.

    `which` tells pages of one template apart.
    """
    state = state_of(request)
    nonce = secrets.token_urlsafe(16)
    root = way_to_root(request.scope)
    html = state.pages.render(
        template,
        nonce,
        (*which, root, state.assets.version),
        root=root,
        assets=state.assets.version,
        version=app.__version__,
        **context,
    )
    policy = content_security_policy(nonce, embeddable, frames)
    headers = {"Content-Security-Policy": policy, "Cache-Control": PAGE}
    if embeddable:
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return Response(html, status, media_type="text/html", headers=headers)


def stage(
    request: Request,
    about: About,
    *,
    example: Example | None = None,
    arrival: Examples | None = None,
    embed: bool = False,
) -> Response:
    """The page with the picture; with `arrival`, for somebody who may never have seen it; `embed`: for other sites'
    frames, without what changes programs."""
    origin = origin_of(request)
    return page(
        request,
        "index.html",
        about.path,
        origin,
        "arrival" if arrival else "",
        "embed" if embed else "",
        embeddable=embed,
        embed=embed,
        about=about,
        origin=origin,
        discovery=None if embed else discovery(origin, about.path),
        example=example,
        arrival=arrival,
    )


@router.get("/")
async def index(request: Request) -> Response:
    state = state_of(request)
    return stage(request, about_home(state.assets.version), arrival=state.examples)


@router.get("/l")
async def lessons(request: Request) -> Response:
    return page(request, "lessons.html", menu=state_of(request).examples.menu)


@router.get("/l/{name}")
@router.get("/l/{name}/{step}")
async def lesson(request: Request, name: str, step: str | None = None) -> Response:
    """The page with an example and its lesson; which step is shown, the page reads in its address."""
    return lesson_page(request, name, step)


def lesson_page(request: Request, name: str, step: str | None, embed: bool = False) -> Response:
    examples = state_of(request).examples
    example = examples.named.get(name)
    if example is None:
        return page(
            request,
            "no-lesson.html",
            "embed" if embed else "",
            status=404,
            embeddable=embed,
            embed=embed,
            menu=examples.menu,
        )
    return stage(request, about_lesson(example, step), example=example, embed=embed)


@router.get("/embed")
async def embed_program(request: Request) -> Response:
    """What frames of other sites show: a picture with its sentence and its player. The program is behind the `#`."""
    return stage(request, about_home(state_of(request).assets.version), embed=True)


@router.get("/embed/l/{name}")
@router.get("/embed/l/{name}/{step}")
async def embed_lesson(request: Request, name: str, step: str | None = None) -> Response:
    return lesson_page(request, name, step, embed=True)


@router.get("/embed/r/{run}")
@router.get("/embed/r/{run}/{step}")
async def embed_run(request: Request, run: str, step: str | None = None) -> Response:
    return stage(request, about_run(run, step), embed=True)


@router.get("/compare")
async def compare(request: Request) -> Response:
    """Two runs side by side: both programs are in the address, behind its `#`."""
    return page(request, "compare.html", frames=True)


@router.get("/r/{run}")
@router.get("/r/{run}/{step}")
async def stored_run(request: Request, run: str, step: str | None = None) -> Response:
    """The short link of a run: the page asks `GET /v1/runs/{run}` itself, and says so when that is gone."""
    return stage(request, about_run(run, step))


@router.get("/openapi.json")
async def description(request: Request) -> Response:
    document, root = request.app.openapi(), root_of(request.scope)
    body = to_json({**document, "servers": [{"url": root}]} if root else document)
    return answer(request, entity_of(body, "application/json"), cache=REVALIDATE)


@router.get("/llms.txt")
async def llms_txt(request: Request) -> Response:
    text = llms(request.app.openapi(), limits_of(state_of(request)), origin_of(request))
    return answer(request, entity_of(text.encode(), "text/plain; charset=utf-8"), cache=REVALIDATE)


@router.get("/docs")
async def docs(request: Request) -> Response:
    return page(request, "api.html", openapi=request.app.openapi(), problems=KINDS.values())


@router.get("/problems/{slug}")
async def problem(request: Request, slug: str) -> Response:
    if slug not in KINDS:
        raise Problem(NOT_FOUND, "There is no problem of this name.")
    return page(request, "problem.html", slug, kind=KINDS[slug], problems=KINDS.values())


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    state = state_of(request)
    if not state.settings.metrics or state.settings.metrics_port:
        raise Problem(NOT_FOUND, "Metrics are switched off (BACKLIGHT_METRICS).")
    return Response(state.metrics.text(), headers={"Content-Type": CONTENT_TYPE})


@files.get("/static/{path:path}")
async def static(request: Request, path: str) -> Response:
    found = state_of(request).assets.find(path, request.query_params.get("v"))
    if found is None:
        raise Problem(NOT_FOUND, "There is no such file.")
    entity, permanent = found
    return answer(request, entity, cache=IMMUTABLE if permanent else REVALIDATE, headers=FOR_ALL)
