"""The application: everything is passed in, nothing is global."""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from prometheus_client import start_http_server
from starlette.exceptions import HTTPException

import app
from app.admission import Admission, Rules
from app.api import meta, oembed, pages, previews, runs
from app.assets import Assets
from app.clients import Addresses
from app.config import JOBS, MEGABYTE, PROJECT, Settings, available_cores
from app.direct import Direct
from app.examples import load_examples
from app.hosts import Hosts, Origins, is_loopback
from app.metrics import Metrics
from app.middleware import Envelope
from app.openapi import describe
from app.pages import Pages
from app.preview import Previews
from app.problems import MALFORMED_REQUEST, MEDIA_TYPE, METHOD_NOT_ALLOWED, NOT_FOUND, Problem
from app.roots import Roots, root_of
from app.runs import Runs
from app.slots import Slots, memory_limit, slots
from app.state import State
from app.store import LayeredStore, MemoryStore, make_store
from app.traces import make_traces
from app.workers.pool import Pool, PoolFailed, PoolLimits

log = logging.getLogger("backlight")


def create_app(settings: Settings | None = None, *, jobs: str = JOBS) -> FastAPI:
    """The service as an ASGI application.

    `settings` default to the environment; `jobs` names another module whose jobs the worker processes do.
    """
    settings = settings or Settings()
    state = build(settings, jobs)

    @contextlib.asynccontextmanager
    async def lifespan(application: FastAPI) -> AsyncIterator[None]:
        await state.store.open()
        counts = (
            start_http_server(settings.metrics_port, settings.host, state.metrics.registry)[0]
            if settings.metrics_port
            else None
        )
        try:
            await state.pool.start()
            if state.pool.unlocked and not is_loopback(settings.host):
                raise PoolFailed(
                    "the kernel gives no seccomp to lock programs in, so nobody else may reach them, and"
                    f" HOST={settings.host} is more than this machine. Set HOST=127.0.0.1, or serve from Linux 5.13"
                    " or later"
                )
            log.info("%d programs run at the same time: %s", state.slots.together, state.slots.why)
            yield
        finally:
            if counts is not None:
                counts.shutdown()
                counts.server_close()
            await state.pool.close()
            await state.store.close()
            await state.traces.close()

    application = FastAPI(
        title="Backlight",
        version=app.__version__,
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    application.state.backlight = state
    application.openapi = lambda: describe(application)  # type: ignore[method-assign]
    application.add_middleware(Direct, routes=[*runs.router.routes, *pages.files.routes], refusal=problem_response)
    application.add_middleware(Envelope, state=state)
    application.add_exception_handler(Problem, problem_response)
    application.add_exception_handler(HTTPException, http_exception_response)
    for router in (runs.router, meta.router, pages.router, previews.router, oembed.router, pages.files):
        application.include_router(router)
    return application


def build(settings: Settings, jobs: str) -> State:
    """Everything the routes share, not yet started."""
    result_bytes = settings.result_mb * MEGABYTE
    values_bytes = settings.values_mb * MEGABYTE
    cores = available_cores()
    counted = slots(cores, memory_limit(), settings)
    limits = PoolLimits(
        workers=counted.together,
        queue_seconds=settings.queue_seconds,
        wall_seconds=settings.wall_seconds,
        cpu_seconds=settings.cpu_seconds,
        memory=settings.memory_mb * MEGABYTE,
        isolation=settings.isolation,
        cores=min(counted.client, cores),
        reply=result_bytes + values_bytes + MEGABYTE,
    )
    host = Path(settings.workers_socket) if settings.workers_socket else None
    pool = Pool(jobs, limits, host, lambda hello: fit(state, hello))
    limited = rules(settings, counted, cores)
    url = settings.store_url()
    if url is None:
        store = make_store(settings.store_path(), settings.store_mb * MEGABYTE, settings.cache_mb * MEGABYTE)
        flights, admission = None, Admission(limited)
    else:
        from app import replicas  # noqa: PLC0415 - its client library would double the time of a start

        server = replicas.Valkey(url)
        store = LayeredStore(
            MemoryStore(settings.cache_mb * MEGABYTE), replicas.SharedStore(server, settings.store_hours * 3600)
        )
        flights = replicas.SharedFlights(server)
        budgets = replicas.SharedBudgets(server, limited.client_cpu_seconds)
        admission = Admission(limited, shared=budgets)
    metrics, traces = Metrics(admission, store), make_traces(os.environ)
    made = Runs(
        pool,
        store,
        admission,
        values_bytes=values_bytes,
        result_bytes=result_bytes,
        shared=flights,
        traces=traces,
        counts=metrics,
    )
    addresses = Addresses(settings.proxies())
    state = State(
        settings=settings,
        slots=counted,
        pool=pool,
        admission=admission,
        addresses=addresses,
        roots=Roots(settings.root_path, addresses),
        hosts=Hosts(settings.host_names()),
        origins=Origins(settings.allowed_origins()),
        store=store,
        runs=made,
        assets=Assets(PROJECT / "static"),
        examples=load_examples(),
        pages=Pages(page_templates()),
        previews=Previews(admission),
        metrics=metrics,
        traces=traces,
    )
    return state


def fit(state: State, hello: dict[str, Any]) -> None:
    """Have as many programs at once as there is room for beside the libraries that were found, in the container where
    they run, which need not be this one."""
    elsewhere, settings = hello["cores"] is not None, state.settings
    cores = hello["cores"] or available_cores()
    memory = hello["memory"] if elsewhere else memory_limit()
    state.slots = slots(cores, memory, settings, bool(hello["libraries"]))
    state.admission.fit(rules(settings, state.slots, cores))
    state.pool.limits = replace(state.pool.limits, workers=state.slots.together, cores=min(state.slots.client, cores))


def rules(settings: Settings, counted: Slots, cores: int) -> Rules:
    """What one client may have under way, and all together."""
    return Rules(
        slots=counted.together,
        client_running=counted.client,
        queue=settings.queue,
        client_queue=settings.client_queue,
        queue_seconds=settings.queue_seconds,
        client_cpu_seconds=settings.client_cpu_seconds,
        client_cpu_rate=settings.client_cpu_share * cores,
        cores=cores,
        connections=settings.connections,
        client_connections=settings.client_connections,
        buffer=settings.buffer_mb * MEGABYTE,
        client_buffer=settings.client_buffer_mb * MEGABYTE,
    )


def page_templates() -> Environment:
    """The templates, with a filter `prose` that sets `…` in text as code."""
    environment = Environment(
        loader=FileSystemLoader(PROJECT / "templates"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["prose"] = lambda text: Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))
    environment.policies["json.dumps_kwargs"] = {"sort_keys": False}
    return environment


async def problem_response(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    request.app.state.backlight.metrics.problems.labels(error.kind.slug).inc()
    scope = request.scope
    body = error.body(scope["path"], scope.get("state", {}).get("request_id"), root_of(scope))
    return Response(body, error.kind.status, headers=error.headers, media_type=MEDIA_TYPE)


async def http_exception_response(request: Request, error: Exception) -> Response:
    """The framework's own refusals as problems."""
    assert isinstance(error, HTTPException)
    kind = {404: NOT_FOUND, 405: METHOD_NOT_ALLOWED}.get(error.status_code, MALFORMED_REQUEST)
    problem = Problem(kind, f"{kind.title}.", headers=dict(error.headers or {}))
    return await problem_response(request, problem)
