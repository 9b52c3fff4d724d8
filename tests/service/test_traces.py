"""What a collector of OpenTelemetry receives, and that nothing is sent or loaded where none is configured."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from app.traces import ENDPOINTS, OpenTelemetry, Traces, make_traces
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a server that takes what an exporter sends, and the bodies of it."""
    bodies: list[bytes] = []

    class Take(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            bodies.append(gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *words: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Take) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", bodies
        finally:
            server.shutdown()
            thread.join(30)


def spans(bodies: list[bytes]) -> dict[str, Any]:
    sent = [ExportTraceServiceRequest.FromString(body) for body in bodies]
    return {
        span.name: span
        for request in sent
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    }


def told(span: Any) -> dict[str, Any]:
    return {row.key: row.value.string_value or row.value.int_value or row.value.double_value for row in span.attributes}


def test_a_run_is_a_trace_below_the_callers_span(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with collector() as (address, bodies):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        with serve(FAKE_JOBS) as service:
            caller = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
            assert httpx.post(f"{service}/v1/runs", json={"code": "secret 4711"}, headers=caller).status_code == 200
            assert httpx.request("PROPFIND", f"{service}/secret").status_code == 404
    found = spans(bodies)
    request, job, wait, work = (found[name] for name in ("POST /v1/runs", "job", "wait", "work"))
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, PARENT)
    assert told(request) == {
        "http.request.method": "POST",
        "http.route": "/v1/runs",
        "http.response.status_code": 200,
    }
    assert job.parent_span_id == request.span_id and told(job) == {"kind": "run"}
    assert wait.parent_span_id == work.parent_span_id == job.span_id
    assert job.start_time_unix_nano <= wait.end_time_unix_nano <= work.start_time_unix_nano < work.end_time_unix_nano
    assert "cpu_seconds" in told(work)
    assert told(found["other none"])["http.response.status_code"] == 404
    assert not any(b"secret" in body or b"4711" in body for body in bodies)


def test_a_collector_that_is_gone_hinders_nobody(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with serve(FAKE_JOBS) as service:
        assert httpx.post(f"{service}/v1/runs", json={"code": "pad 1"}).status_code == 200


def test_nothing_is_loaded_where_nothing_is_configured() -> None:
    assert type(make_traces({})) is Traces
    assert type(make_traces({ENDPOINTS[0]: "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"})) is Traces
    assert type(make_traces({ENDPOINTS[1]: "http://127.0.0.1:9"})) is OpenTelemetry
    said = subprocess.run(
        [sys.executable, "-c", "import sys, app.main as m; m.create_app(); print('opentelemetry.sdk' in sys.modules)"],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert said.stdout == "False\n"
