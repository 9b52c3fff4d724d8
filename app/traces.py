"""Spans for OpenTelemetry, where its exporter is configured by the environment (`OTEL_EXPORTER_OTLP_ENDPOINT`).

A request is a span, child of the caller's if that sent `traceparent`; a job is one below it, with one for the wait for
a worker. Attributes are OpenTelemetry's names for HTTP and the kind of the job: never what a client wrote.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import app

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


class Span(Protocol):
    """What is told of a span while it lasts."""

    def set_attribute(self, key: str, value: Any) -> None: ...

    def update_name(self, name: str) -> None: ...


class Lasting(Span, Protocol):
    """A span that is ended by hand, at a time in nanoseconds."""

    def end(self, end_time: int | None = None) -> None: ...


class Traces:
    """Tells nobody: what stands in for spans costs nothing."""

    @contextlib.contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[Span | None]:
        """A span of a request, which the block may name when it knows its route."""
        yield None

    @contextlib.contextmanager
    def step(self, name: str, **attributes: str) -> Iterator[Span | None]:
        """A span below the one in force."""
        yield None

    def lasting(self, name: str) -> Lasting | None:
        """A span below the one in force, which ends when what is told of it is known."""
        return None

    async def close(self) -> None:
        """Send what is left."""


class OpenTelemetry(Traces):
    """Sends spans to the exporter's endpoint, in batches, from a thread of its own."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        try:
            from opentelemetry import trace  # noqa: PLC0415 - a service without traces does without
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
            from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
            from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
            from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
            from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415
        except ImportError as error:
            raise SystemExit(
                f"OpenTelemetry is configured ({' or '.join(ENDPOINTS)}), but not installed: "
                f"pip install 'backlight-service[traces]' ({error})"
            ) from None
        named = {"service.name": environment.get("OTEL_SERVICE_NAME", "backlight"), "service.version": app.__version__}
        self._provider = TracerProvider(resource=Resource.create(named))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("backlight", app.__version__)
        self._propagator = TraceContextTextMapPropagator()
        self._server = trace.SpanKind.SERVER

    @contextlib.contextmanager
    def request(self, method: str, headers: Mapping[str, str]) -> Iterator[Span | None]:
        context = self._propagator.extract({"traceparent": headers.get("traceparent", "")})
        with self._span(method, context=context, kind=self._server, attributes={"http.request.method": method}) as span:
            yield span

    @contextlib.contextmanager
    def step(self, name: str, **attributes: str) -> Iterator[Span | None]:
        with self._span(name, attributes=attributes) as span:
            yield span

    def lasting(self, name: str) -> Lasting | None:
        return self._tracer.start_span(name)

    def _span(self, name: str, **how: Any) -> contextlib.AbstractContextManager[Span]:
        """Without the words of exceptions, which may be a client's."""
        return self._tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False, **how)

    async def close(self) -> None:
        await asyncio.to_thread(self._provider.shutdown)


def make_traces(environment: Mapping[str, str]) -> Traces:
    """What the environment asks for. Ends the process, with what to install, when that is not there."""
    wanted = any(environment.get(name) for name in ENDPOINTS) and environment.get("OTEL_SDK_DISABLED") != "true"
    return OpenTelemetry(environment) if wanted else Traces()
