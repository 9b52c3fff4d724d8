"""What the service can do and whether it can do it now."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from pydantic_core import to_json

from app.answers import REVALIDATE, Entity, answer, entity_of
from app.config import MEGABYTE, Settings, variable
from app.examples import ExampleList
from app.openapi import documented
from app.problems import BUSY, NOT_READY, OVER_BUDGET, RUN_CRASHED, RUN_TIME_LIMIT, TOO_MANY_AT_ONCE, Problem
from app.schema import Catalogue
from app.state import State, state_of
from app.visits import visit_of

router = APIRouter(tags=["about"])


class Limit(BaseModel):
    """One limit of the service."""

    value: float
    unit: str
    setting: str = Field(description="The environment variable that sets it.")


class EngineLimit(BaseModel):
    """One limit of the engine."""

    value: float
    unit: str
    help: str


class LimitList(BaseModel):
    """Limits on programs (`engine`) and on requests (`service`)."""

    engine: dict[str, EngineLimit] = Field(description="Reaching one of these is an error in the run document.")
    service: dict[str, Limit] = Field(description="Reaching one of these is a problem response.")


class Health(BaseModel):
    """The process answers."""

    status: str = Field(examples=["ok"])


class Readiness(BaseModel):
    """The service can run programs."""

    status: str = Field(examples=["ready"])
    engine: str = Field(description="Version of the engine.")
    workers: int = Field(description="Programs of one client that can run at the same time.")
    slots: int = Field(description="Programs that can run at the same time.")
    slots_because: str = Field(description="Why it is so many: the cores there are, or the memory.")
    running: int
    waiting: int
    isolation: list[str] = Field(description="What worker processes are locked behind.")
    loopback_only: bool = Field(description="Whether only this machine is served, since no filter locks programs in.")
    landlock: int = Field(description="The version of Landlock's ABI that is in force; 0 is none.")
    store: str = Field(description="`ok`, or why results are not kept, or not shared.")


@router.get(
    "/v1/ops",
    operation_id="listOps",
    summary="Every op and its derivative",
    **documented(Catalogue, RUN_TIME_LIMIT, RUN_CRASHED, OVER_BUDGET, TOO_MANY_AT_ONCE, BUSY, conditional=True),
)
async def list_ops(request: Request) -> Response:
    """Each op with its signature, node name and the formulas that are run (and shown) for its gradients."""
    runs = state_of(request).runs
    return answer(
        request, Entity(await runs.ops(visit_of(request).client), "application/json", runs.edition), cache=REVALIDATE
    )


@router.get(
    "/v1/examples",
    operation_id="listExamples",
    summary="Programs to start from",
    **documented(ExampleList, conditional=True),
)
async def list_examples(request: Request) -> Response:
    """Example programs in the order of the menu, each with the question it answers."""
    examples = state_of(request).examples
    return answer(request, Entity(examples.compressed, "application/json", examples.tag), cache=REVALIDATE)


@router.get("/v1/limits", operation_id="getLimits", summary="Every limit", **documented(LimitList, conditional=True))
async def get_limits(request: Request) -> Response:
    """The limits that hold here, for programs and for requests."""
    body = to_json(limits_of(state_of(request)))
    return answer(request, entity_of(body, "application/json"), cache=REVALIDATE)


@router.get("/healthz", operation_id="getHealth", summary="Is the process alive", **documented(Health))
async def health() -> Response:
    """Answers as long as the process does."""
    return Response(b'{"status":"ok"}', media_type="application/json")


@router.get("/readyz", operation_id="getReadiness", summary="Can it run programs", **documented(Readiness, NOT_READY))
async def readiness(request: Request) -> Response:
    """Whether workers are up, how busy they are, and how they are isolated."""
    state = state_of(request)
    if not state.pool.ready:
        reason = "The service is about to end." if state.pool.draining else "No worker process is up."
        raise Problem(NOT_READY, reason, headers={"Retry-After": "2"})
    await state.store.check()
    content = Readiness(
        status="ready",
        engine=state.pool.hello["engine"],
        workers=state.slots.client,
        slots=state.slots.together,
        slots_because=state.slots.why,
        running=state.admission.running,
        waiting=state.admission.waiting,
        isolation=state.pool.hello["locks"],
        loopback_only=state.pool.unlocked,
        landlock=state.pool.hello["landlock"],
        store=state.store.problem or "ok",
    )
    return Response(content.model_dump_json(), media_type="application/json")


def limits_of(state: State) -> dict[str, dict[str, Any]]:
    """Every limit that holds here, as `GET /v1/limits` answers."""
    return {"engine": state.pool.hello["limits"], "service": service_limits(state)}


def service_limits(state: State) -> dict[str, dict[str, float | str]]:
    settings, rules = state.settings, state.admission.rules
    rows: list[tuple[str, float, str, str]] = [
        ("request_body", settings.body_kb << 10, "bytes", "body_kb"),
        ("request_receipt", settings.receive_seconds, "seconds", "receive_seconds"),
        ("answer_unread", settings.send_seconds, "seconds", "send_seconds"),
        ("result", settings.result_mb * MEGABYTE, "bytes", "result_mb"),
        ("clock_time", settings.wall_seconds, "seconds", "wall_seconds"),
        ("processor_time", settings.cpu_seconds, "seconds", "cpu_seconds"),
        ("memory", settings.memory_mb * MEGABYTE, "bytes", "memory_mb"),
        ("programs_at_once", state.slots.client, "programs", "workers"),
        ("programs_beside_others", state.slots.together - state.slots.client, "programs", "reserve"),
        ("queue", settings.queue, "programs", "queue"),
        ("client_queue", settings.client_queue, "programs", "client_queue"),
        ("queue_time", settings.queue_seconds, "seconds", "queue_seconds"),
        ("client_processor_time", settings.client_cpu_seconds, "seconds", "client_cpu_seconds"),
        ("client_processor_time_refill", rules.client_cpu_rate, "seconds per second", "client_cpu_share"),
        ("connections", settings.connections, "connections", "connections"),
        ("client_connections", settings.client_connections, "connections", "client_connections"),
        ("buffer", rules.buffer, "bytes", "buffer_mb"),
        ("client_buffer", rules.client_buffer, "bytes", "client_buffer_mb"),
    ]
    rows.append(kept(state.settings))
    return {name: {"value": value, "unit": unit, "setting": variable(setting)} for name, value, unit, setting in rows}


def kept(settings: Settings) -> tuple[str, float, str, str]:
    """How much, or how long, runs are kept."""
    if settings.store_url() is not None:
        return ("store_time", settings.store_hours * 3600, "seconds", "store_hours")
    if settings.store_path() is not None:
        return ("store", settings.store_mb * MEGABYTE, "bytes", "store_mb")
    return ("store", settings.cache_mb * MEGABYTE, "bytes", "cache_mb")
