"""A program that uses up its processor time has a document up to there, which is no result for ever."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from app.config import Settings
from tests.conftest import Serve

pytestmark = pytest.mark.slow

ENDLESS = """\
import torch
w = torch.ones(300, requires_grad=True)
y = (w * 2).sum()
y.backward()
x = torch.ones(99991)
while True: torch.fft.fft(x)
"""


def post(client: httpx.Client, code: str) -> httpx.Response:
    response = client.post("/v1/runs", json={"code": code})
    assert response.status_code == 200, response.text
    return response


def get(client: httpx.Client, path: str) -> httpx.Response:
    response = client.get(path)
    assert response.status_code == 200, response.text
    return response


def test_a_document_that_the_clock_has_ended_is_kept_by_its_id_and_its_program_runs_again(serve: Serve) -> None:
    settings = {"cpu_seconds": 1, "wall_seconds": 60, "values_mb": 0}
    with serve(**settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        first, second = post(client, ENDLESS), post(client, ENDLESS)
        document = first.json()
        error = document["error"]
        assert error["type"] == "LimitExceeded" and "limit cpu_seconds: 1 second" in error["message"]
        assert error["line"] == 6 and error["explanation"] and "turns" in error["fix"]
        assert document["id"] != second.json()["id"], "it ran again"

        path = first.headers["content-location"]
        assert path == f"/v1/runs/{document['id']}"
        assert get(client, path).json() == document
        assert get(client, f"{path}/graph.dot").text.startswith("digraph")
        large = next(name for name, value in document["values"].items() if value["data"] is None)
        for again in (f"values/{large}", "checks/t0"):
            refused = client.get(f"{path}/{again}")
            assert refused.status_code == 404, "another run would come elsewhere"


def test_a_document_that_memory_has_ended_is_none_for_ever_either(client: httpx.Client) -> None:
    code = "held = []\nwhile True:\n    held.append(bytearray(1 << 20))\n"
    first, second = post(client, code).json(), post(client, code).json()
    assert first["error"]["type"] == second["error"]["type"] == "MemoryError" and first["id"] != second["id"]


def test_its_large_values_are_kept_beside_it(serve: Serve) -> None:
    with serve(cpu_seconds=1, wall_seconds=60) as address, httpx.Client(base_url=address, timeout=60) as client:
        document: dict[str, Any] = post(client, ENDLESS).json()
        large = next(name for name, value in document["values"].items() if value["data"] is None)
        assert len(get(client, f"/v1/runs/{document['id']}/values/{large}").json()["data"]) > 256


def test_programs_that_fuel_ends_are_results(serve: Serve) -> None:
    code = "import torch\nx = torch.ones(9000, dtype=torch.double)\nwhile True: torch.igammac(x, x)\n"
    with serve(wall_seconds=60) as address, httpx.Client(base_url=address, timeout=60) as client:
        first, second = post(client, code), post(client, code)
        assert first.content == second.content and "limit fuel" in first.text


def test_what_a_service_and_the_engine_allow_is_the_same() -> None:
    from engine.limits import Limits

    assert Settings().cpu_seconds == Limits().cpu_seconds


STUCK = """\
import re, torch
from collections import deque
from itertools import count
x = torch.ones(3, requires_grad=True)
(x * x).sum().backward()
def stuck():
    return {call}
print("before")
try:
    stuck()
finally:
    print("never")
"""


def test_a_call_that_python_cannot_end_ends_with_its_line_and_the_document_so_far(serve: Serve) -> None:
    calls = ("deque(count(), 0)", "10 ** 10**9", "re.match('(a*)*b', 'a' * 60)")  # the last one looks for signals
    with serve(cpu_seconds=1, wall_seconds=60) as address, httpx.Client(base_url=address, timeout=60) as client:
        for call in calls:
            document = post(client, STUCK.format(call=call)).json()
            error = document["error"]
            assert error["type"] == "LimitExceeded" and "limit cpu_seconds: 1 second" in error["message"], call
            assert error["line"] == 7 and [frame["line"] for frame in error["traceback"]] == [10, 7], call
            assert "backward_end" in {event["kind"] for event in document["events"]}, call
            assert document["stdout"].startswith("before\n"), call
