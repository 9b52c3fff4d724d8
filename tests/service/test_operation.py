"""What those who run the service see: log lines, counts on a port of their own, and headers behind a proxy with TLS."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.logs import RUN_CHARACTERS, JsonFormatter, access
from tests.conftest import Serve
from tests.ports import free_port
from tests.service.conftest import FAKE_JOBS


def said(tmp_path: Path, **environment: str) -> str:
    """What a service writes that answers a run, a page and something unknown."""
    port = free_port()
    settings = {"PORT": str(port), "BACKLIGHT_STORE": "memory", "BACKLIGHT_DRAIN_SECONDS": "0", **environment}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "app"], env={**os.environ, **settings}, stdout=log, stderr=log
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                deadline = time.monotonic() + 60
                while time.monotonic() < deadline:
                    try:
                        if client.get("/readyz").status_code == 200:
                            break
                    except httpx.TransportError:
                        time.sleep(0.1)
                client.post(
                    "/v1/runs", json={"code": "secret = 12345\nprint(secret)"}, headers={"X-Request-ID": "mine"}
                )
                client.get("/secret-path")
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    return (tmp_path / "log").read_text()


def test_every_request_is_a_line_of_json_without_what_clients_wrote(tmp_path: Path) -> None:
    text = said(tmp_path, BACKLIGHT_LOG="json")
    rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert all({"time", "level", "logger", "message"} <= row.keys() for row in rows)
    (run,) = (row for row in rows if row.get("request") == "mine")
    assert (run["method"], run["route"], run["status"]) == ("POST", "/v1/runs", 200)
    assert len(run["run"]) == RUN_CHARACTERS and run["seconds"] > 0
    assert "secret" not in text and "127.0.0.1" not in run["client"]


class Lines(logging.Handler):
    """What is logged of requests, as it would be written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.rows: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.rows.append(json.loads(self.format(record)))

    def row(self, **wanted: object) -> dict[str, Any]:
        """The first that has these fields, when it has come."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            for row in list(self.rows):
                if wanted.items() <= row.items():
                    return row
            time.sleep(0.02)
        raise AssertionError(f"no line of {wanted}: {self.rows}")


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    level = access.level
    access.addHandler(handler)
    access.setLevel(logging.INFO)
    try:
        yield handler
    finally:
        access.setLevel(level)
        access.removeHandler(handler)


def test_a_line_names_the_run_that_its_address_is_about(serve: Serve, lines: Lines) -> None:
    with serve(FAKE_JOBS) as address:
        run = httpx.post(f"{address}/v1/runs", json={"code": "pad 1"}).json()["id"]
        for number, path in enumerate((f"/v1/runs/{run}", f"/v1/runs/{run}/values/v0", f"/r/{run}")):
            httpx.get(address + path, headers={"X-Request-ID": f"of-{number}"})
            row = lines.row(request=f"of-{number}")
            assert row["run"] == run[:RUN_CHARACTERS] and run not in str(row)
        httpx.get(f"{address}/v1/runs/secret", headers={"X-Request-ID": "made-up"})
        assert "run" not in lines.row(request="made-up")


def test_who_leaves_without_an_answer_is_a_line_too(serve: Serve, lines: Lines) -> None:
    with serve(FAKE_JOBS, metrics=True) as address:
        with pytest.raises(httpx.TimeoutException):
            headers = {"X-Request-ID": "gone"}
            httpx.post(f"{address}/v1/runs", json={"code": "sleep 9"}, headers=headers, timeout=0.5)
        assert lines.row(request="gone")["status"] == 499
        assert 'status="499"' in httpx.get(f"{address}/metrics").text


def test_what_is_no_http_is_a_line_too(serve: Serve, lines: Lines) -> None:
    with serve(FAKE_JOBS) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), 10) as connection:
            connection.sendall(b"secret secret\r\n\r\n")
            while connection.recv(1 << 16):
                pass
        row = lines.row(status=400)
    assert row["problem"] == "malformed-request" and "secret" not in str(row)


def test_ids_that_clients_choose_cannot_forge_a_line(serve: Serve, lines: Lines) -> None:
    forged = b'a", "status": 200, "x": "', b"a\xe2\x80\xa8b", b"x" * 65, b"a\tb", b"../a", b"\xff"
    with serve(FAKE_JOBS) as address:
        for value in forged:
            answer = httpx.get(f"{address}/healthz", headers=[(b"X-Request-ID", value)])
            chosen = answer.headers["x-request-id"]
            assert re.fullmatch("[0-9a-f]{32}", chosen), chosen
            assert lines.row(request=chosen)["status"] == 200


def test_a_program_that_runs_when_the_time_to_end_is_up_may_be_sent_to_another(serve: Serve) -> None:
    with ThreadPoolExecutor(1) as thread:
        with serve(FAKE_JOBS, shutdown_seconds=1) as address:
            answer = thread.submit(httpx.post, f"{address}/v1/runs", json={"code": "sleep 9"}, timeout=30)
            while not httpx.get(f"{address}/readyz").json()["running"]:
                time.sleep(0.02)
        assert answer.result().status_code == 503
        assert answer.result().headers["retry-after"] == "1"


def test_people_are_told_in_text_and_not_of_every_request(tmp_path: Path) -> None:
    text = said(tmp_path, BACKLIGHT_LOG="text")
    assert "INFO" in text and "POST" not in text and "{" not in text


def test_counts_have_a_port_of_their_own(serve: Serve) -> None:
    port = free_port()
    with serve(FAKE_JOBS, metrics=True, metrics_port=port) as address:
        httpx.post(f"{address}/v1/runs", json={"code": "pad 1"})
        assert httpx.get(f"{address}/metrics").status_code == 404
        assert "backlight_requests_total" in httpx.get(f"http://127.0.0.1:{port}/metrics").text


def test_behind_a_proxy_with_tls_browsers_are_told_to_stay_there(serve: Serve) -> None:
    secure = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    name = "strict-transport-security"
    with serve(FAKE_JOBS, trusted_proxies="127.0.0.0/8") as address:
        assert name in httpx.get(address, headers=secure).headers
        assert name not in httpx.get(address).headers
    with serve(FAKE_JOBS) as address:
        assert name not in httpx.get(address, headers=secure).headers


def test_other_sites_may_load_answers_files_and_the_embedded_page_alone(serve: Serve) -> None:
    with serve(FAKE_JOBS) as address:
        told = [
            httpx.get(address + path).headers
            for path in ("/", "/compare", "/embed", "/v1/examples", "/static/css/page.css")
        ]
    assert [headers["cross-origin-resource-policy"] for headers in told] == ["same-origin"] * 2 + ["cross-origin"] * 3
    assert [headers.get("access-control-allow-origin") for headers in told] == [None] * 3 + ["*"] * 2
