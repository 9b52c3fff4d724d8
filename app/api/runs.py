"""/v1/runs: run a program, fetch its document, its large values, and its graph in other languages."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from app.answers import PRIVATE, REVALIDATE, Entity, answer
from app.body import expected_size, parse_json, read_body, validate
from app.openapi import CHECK_PARAMETER, RUN_BODY, TOKEN, TOKEN_PARAMETER, documented
from app.problems import (
    BODY_TOO_LARGE,
    BUSY,
    FOREIGN_ORIGIN,
    INVALID_INPUT,
    INVALID_JSON,
    NOT_FOUND,
    NOT_READY,
    OVER_BUDGET,
    PROGRAM_TOO_LARGE,
    RESULT_TOO_LARGE,
    RUN_CRASHED,
    RUN_MEMORY_LIMIT,
    RUN_TIME_LIMIT,
    TOO_MANY_AT_ONCE,
    UNKNOWN_CHECK,
    UNKNOWN_RUN,
    UNKNOWN_VALUE,
    UNSUPPORTED_CONTENT_ENCODING,
    UNSUPPORTED_MEDIA_TYPE,
    WRONG_TOKEN,
    Problem,
)
from app.requests import RunRequest
from app.runs import RunKey, Runs, id_of
from app.schema import Check, RunDocument, Value
from app.state import state_of
from app.visits import Visit, lost, visit_of

router = APIRouter(tags=["runs"])
T = TypeVar("T")

SMALL_BODY = 16 << 10
CHECKS, CHECK_NAME = 8, 200
"""Leaves that one request may have checked, and characters of their names."""

IN_A_WORKER = (RUN_TIME_LIMIT, RUN_CRASHED, OVER_BUDGET, TOO_MANY_AT_ONCE, BUSY)


@router.post(
    "/v1/runs",
    operation_id="createRun",
    summary="Run a program",
    openapi_extra=RUN_BODY | CHECK_PARAMETER,
    **documented(
        RunDocument,
        INVALID_JSON,
        INVALID_INPUT,
        BODY_TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        UNSUPPORTED_CONTENT_ENCODING,
        PROGRAM_TOO_LARGE,
        RUN_MEMORY_LIMIT,
        RESULT_TOO_LARGE,
        FOREIGN_ORIGIN,
        *IN_A_WORKER,
        headers={
            "Content-Location": "Where the document can be fetched from now on.",
            TOKEN: "Allows to delete the run; no other answer carries it.",
        },
    ),
)
async def create_run(request: Request) -> Response:
    """Run `code` or `graph` and answer the run document.

    The same input is the same run: it has the same id and the same document, however often it is sent. A program that
    raises is a document too (`status: "error"`), with everything that happened up to that point; one that uses up its
    processor time (LimitExceeded, `cpu_seconds`) runs again when it is sent again, and each such document has an id of
    its own. `check` asks for the gradients of leaves beside central differences.
    """
    state = state_of(request)
    visit = visit_of(request)
    limit = state.settings.body_kb << 10
    with visit.admission.reserving(visit.client, expected_size(request.headers, limit)):
        key = await understand(await read_body(request, limit), checks_asked(request), state.runs, visit)
        document = await state.runs.cached(key)
        if document is None:
            document = await while_connected(request, state.runs.run(key, visit.client))
    run = id_of(document)  # not the program's where the machine's clock has ended it
    entity = Entity(document, "application/json", run)
    headers = {"Content-Location": f"/v1/runs/{run}", TOKEN: state.runs.token(run)}
    return answer(request, entity, cache=PRIVATE, headers=headers, conditional=False)


@router.get(
    "/v1/runs/{run}",
    operation_id="getRun",
    summary="The document of a run",
    **documented(RunDocument, UNKNOWN_RUN, RESULT_TOO_LARGE, conditional=True),
)
async def get_run(request: Request, run: str) -> Response:
    """The document of an earlier run, as long as it is kept. It never changes, but it may be deleted."""
    document = await state_of(request).runs.document(run)
    return answer(request, Entity(document, "application/json", run), cache=PRIVATE)


@router.get(
    "/v1/examples/{example}/run",
    operation_id="getExampleRun",
    summary="The document of an example",
    **documented(RunDocument, NOT_FOUND, RUN_MEMORY_LIMIT, RESULT_TOO_LARGE, *IN_A_WORKER, conditional=True),
)
async def get_example_run(request: Request, example: str) -> Response:
    """What sending the code of an example with the seed 0 answers: for pages that may send nothing, as those in a
    frame with `sandbox`."""
    state = state_of(request)
    found = state.examples.named.get(example)
    if found is None:
        raise Problem(NOT_FOUND, "There is no such example.")
    key = state.runs.identify({"code": found.code}, 0)
    document = await state.runs.cached(key)
    if document is None:
        document = await while_connected(request, state.runs.run(key, visit_of(request).client))
    return answer(request, Entity(document, "application/json", id_of(document)), cache=REVALIDATE)


@router.delete(
    "/v1/runs/{run}",
    operation_id="deleteRun",
    summary="Delete a run",
    openapi_extra=TOKEN_PARAMETER,
    **documented(None, FOREIGN_ORIGIN, WRONG_TOKEN, UNKNOWN_RUN, NOT_READY),
)
async def delete_run(request: Request, run: str) -> Response:
    """Forget the run: its program, its document, its values and everything made from it. Who has sent its program may,
    whether or not the run is still kept; sending the program again keeps it again, under the same id."""
    await state_of(request).runs.delete(run, request.headers.get(TOKEN, ""))
    return Response(status_code=204)


@router.get(
    "/v1/runs/{run}/values/{value}",
    operation_id="getValue",
    summary="All elements of a large tensor",
    **documented(Value, UNKNOWN_RUN, UNKNOWN_VALUE, RUN_MEMORY_LIMIT, RESULT_TOO_LARGE, *IN_A_WORKER, conditional=True),
)
async def get_value(request: Request, run: str, value: str) -> Response:
    """A value whose `data` is null in the document, because it has too many elements to lie there."""
    body = await while_connected(request, state_of(request).runs.value(run, value, visit_of(request).client))
    return answer(request, Entity(body, "application/json", f"{run}-{value}"), cache=PRIVATE)


@router.get(
    "/v1/runs/{run}/checks/{leaf}",
    operation_id="getCheck",
    summary="A gradient beside central differences",
    **documented(Check, UNKNOWN_RUN, UNKNOWN_CHECK, RUN_MEMORY_LIMIT, RESULT_TOO_LARGE, *IN_A_WORKER, conditional=True),
)
async def get_check(request: Request, run: str, leaf: str) -> Response:
    """What the last backward pass added to a leaf (`t3`), or the pass that is named (`t3@0`), beside central
    differences in float64, and why they differ if they do."""
    body = await while_connected(request, state_of(request).runs.check(run, leaf, visit_of(request).client))
    return answer(request, Entity(body, "application/json", f"{run}-check-{leaf}"), cache=PRIVATE)


@router.get(
    "/v1/runs/{run}/graph.dot",
    operation_id="getGraphDot",
    summary="The graph for Graphviz",
    **documented("text/vnd.graphviz", UNKNOWN_RUN, RUN_MEMORY_LIMIT, RESULT_TOO_LARGE, *IN_A_WORKER, conditional=True),
)
async def get_dot(request: Request, run: str) -> Response:
    """The backward graph in the DOT language."""
    return await export(request, run, "graph.dot", "text/vnd.graphviz; charset=utf-8")


@router.get(
    "/v1/runs/{run}/graph.mmd",
    operation_id="getGraphMermaid",
    summary="The graph for Mermaid",
    **documented("text/plain", UNKNOWN_RUN, RUN_MEMORY_LIMIT, RESULT_TOO_LARGE, *IN_A_WORKER, conditional=True),
)
async def get_mermaid(request: Request, run: str) -> Response:
    """The backward graph as a Mermaid flowchart."""
    return await export(request, run, "graph.mmd", "text/plain; charset=utf-8")


async def export(request: Request, run: str, kind: str, media_type: str) -> Response:
    body = await while_connected(request, state_of(request).runs.export(run, kind, visit_of(request).client))
    return answer(request, Entity(body, media_type, f"{run}-{kind}"), cache=PRIVATE)


def checks_asked(request: Request) -> list[str]:
    """The leaves that `?check=` names. Raises Problem for too many of them, or names too long."""
    names = request.query_params.getlist("check")
    if len(names) > CHECKS:
        raise Problem(INVALID_INPUT, f"check names {len(names)} leaves; {CHECKS} can be checked at once.")
    for name in names:
        if not 0 < len(name) <= CHECK_NAME or "\0" in name:
            raise Problem(INVALID_INPUT, f"check names a leaf in 1 to {CHECK_NAME} characters.")
    return names


async def understand(body: bytes, checks: list[str], runs: Runs, visit: Visit) -> RunKey:
    """The program in a request body. Large bodies are read beside the event loop, at the expense of their client."""

    def read() -> RunKey:
        parsed = parse_json(body)
        valid = validate(RunRequest, parsed)
        program: dict[str, object] = {"code": valid.code} if valid.code is not None else {"graph": parsed["graph"]}
        return runs.identify(program, valid.options.seed, checks)

    if len(body) <= SMALL_BODY:
        return read()
    return await visit.admission.beside(visit.client, len(body), read)


async def while_connected(request: Request, work: Coroutine[None, None, T]) -> T:
    """The result of `work`, which is cancelled when the client goes away before it is done."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(lost(request.receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()
