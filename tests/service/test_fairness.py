"""What one client does to a running service, and what the others notice of it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gzip
import json
import re
import select
import socket
from collections.abc import Iterator

import httpx
import pytest

from app.answers import MAX_INFLATED, PIECE, inflate, inflated_size
from app.problems import Problem
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS
from tests.service.test_workers import eventually

pytestmark = pytest.mark.slow

ATTACKER = "127.0.0.2"


def client(address: str, source: str = "127.0.0.1", **options: object) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=source, limits=httpx.Limits(max_connections=100))
    return httpx.Client(base_url=address, transport=transport, timeout=30, **options)  # type: ignore[arg-type]


@contextlib.contextmanager
def attacked(address: str, programs: list[str]) -> Iterator[list[concurrent.futures.Future[httpx.Response]]]:
    """Programs of another address, all sent at once."""
    with client(address, ATTACKER) as attacker, concurrent.futures.ThreadPoolExecutor(len(programs)) as pool:
        yield [pool.submit(attacker.post, "/v1/runs", json={"code": program}) for program in programs]


def busy(address: str) -> bool:
    state = httpx.get(f"{address}/readyz").json()
    return bool(state["running"] == 1 and state["waiting"] >= 5)


def slug(response: httpx.Response) -> str:
    return str(response.json()["type"]).rpartition("/")[2]


def test_a_client_with_many_long_programs_is_in_nobodys_way(serve: Serve) -> None:
    with serve(FAKE_JOBS, wall_seconds=1.5, queue_seconds=1.5) as address:
        with attacked(address, [f"loop {number}" for number in range(8)]) as answers:
            assert eventually(lambda: busy(address))
            with client(address) as honest:
                assert [honest.post("/v1/runs", json={"code": f"x{n}"}).status_code for n in range(5)] == [200] * 5
            assert not any(answer.done() and answer.result().status_code == 200 for answer in answers)


def test_what_somebody_else_has_waiting_runs_at_once_when_asked_for(serve: Serve) -> None:
    with serve(FAKE_JOBS, wall_seconds=1.5, queue_seconds=1.5) as address:
        with attacked(address, [*[f"loop {number}" for number in range(6)], "shared"]) as answers:
            assert eventually(lambda: busy(address))
            with client(address) as honest:
                assert honest.post("/v1/runs", json={"code": "shared"}).status_code == 200
            assert answers[-1].result().status_code in (200, 503)


def billed(address: str) -> int:
    """How many processes have ended whose cost is known."""
    counted = re.findall(r'backlight_job_memory_bytes_count{kind="run"} (\d+)', httpx.get(f"{address}/metrics").text)
    return int(counted[0]) if counted else 0


def test_who_has_used_up_the_budget_is_refused_while_others_are_here(serve: Serve) -> None:
    with serve(FAKE_JOBS, client_cpu_seconds=0.3, client_cpu_share=0.01, metrics=True) as address:
        with client(address, ATTACKER) as attacker, client(address) as honest:
            for number in range(3):  # more than the budget, while nobody else is here
                assert attacker.post("/v1/runs", json={"code": f"burn 0.2{number}"}).status_code == 200
            assert eventually(lambda: billed(address) == 3)  # what is billed from now on is a debt
            assert honest.post("/v1/runs", json={"code": "honest"}).status_code == 200
            assert attacker.post("/v1/runs", json={"code": "burn 0.6"}).status_code == 200
            assert eventually(lambda: billed(address) == 5)
            refused = attacker.post("/v1/runs", json={"code": "more"})
            assert (refused.status_code, slug(refused)) == (429, "over-budget")
            assert int(refused.headers["retry-after"]) > 10
            assert re.fullmatch(r'"cpu";r=0;t=\d+', refused.headers["ratelimit"])
            assert re.fullmatch(r'"cpu";q=\d+;w=\d+;qu="cpu-seconds"', refused.headers["ratelimit-policy"])
            assert "access-control-allow-origin" not in refused.headers
            run = honest.post("/v1/runs", json={"code": "honest too"})
            assert run.status_code == 200 and run.headers["ratelimit"].startswith('"cpu";r=0')
            # Looking at what there is costs nothing.
            assert attacker.get(run.headers["content-location"]).status_code == 200
            assert attacker.get("/static/icons/backlight.svg").status_code == 200
            text = honest.get("/metrics").text
            assert 'backlight_problems_total{type="over-budget"} 1.0' in text and ATTACKER not in text


def test_a_place_that_is_slept_in_is_used(serve: Serve) -> None:
    with serve(FAKE_JOBS, client_cpu_seconds=1.0, client_cpu_share=0.01, metrics=True) as address:
        with client(address, ATTACKER) as attacker, client(address) as honest:
            for number in range(2):
                assert honest.post("/v1/runs", json={"code": f"honest {number}"}).status_code == 200
                assert attacker.post("/v1/runs", json={"code": f"sleep 0.6{number}"}).status_code == 200
            assert eventually(lambda: billed(address) == 4)
            assert slug(attacker.post("/v1/runs", json={"code": "more"})) == "over-budget"


def test_a_refusal_comes_before_the_body_and_slows_its_client_down(serve: Serve) -> None:
    with serve(FAKE_JOBS, queue=0, client_queue=0) as address, client(address, ATTACKER) as attacker:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(attacker.post, "/v1/runs", json={"code": "sleep 0.8"})
            assert eventually(lambda: httpx.get(f"{address}/readyz").json()["running"] == 1)
            host, port = address.removeprefix("http://").split(":")
            with socket.create_connection((host, int(port)), source_address=(ATTACKER, 0)) as connection:
                head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
                connection.sendall(head)
                answer = b""
                while not answer.endswith(b"}"):
                    answer += connection.recv(1 << 16)
                assert answer.startswith(b"HTTP/1.1 429 ")
                connection.sendall(b"not json." + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert httpx.get(f"{address}/healthz").status_code == 200
                assert select.select([connection], [], [], 0)[0] == [], "answered before the client that came later"
                assert connection.recv(1 << 16).startswith(b"HTTP/1.1 200 ")


def test_behind_a_trusted_proxy_clients_are_told_apart(serve: Serve) -> None:
    with (
        serve(FAKE_JOBS, trusted_proxies="127.0.0.0/8", wall_seconds=1.5, queue_seconds=1.5) as address,
        client(address) as proxy,
    ):

        def post(program: str, source: str) -> httpx.Response:
            return proxy.post("/v1/runs", json={"code": program}, headers={"X-Forwarded-For": source})

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for number in range(8):
                pool.submit(post, f"loop {number}", "203.0.113.7")
            assert eventually(lambda: busy(address))
            assert post("x", "203.0.113.8").status_code == 200


def connections(address: str, source: str, count: int) -> list[socket.socket]:
    host, port = address.removeprefix("http://").split(":")
    return [socket.create_connection((host, int(port)), source_address=(source, 0)) for _ in range(count)]


@pytest.mark.parametrize("source", ["127.0.0.1", ATTACKER])
def test_idle_connections_give_way(serve: Serve, source: str) -> None:
    with serve(FAKE_JOBS, connections=20, client_connections=10) as address:
        opened = connections(address, ATTACKER, 15) + connections(address, "127.0.0.3", 15)
        with client(address, source) as another:
            assert another.get("/healthz").status_code == 200
        for connection in opened:
            connection.close()


def test_a_client_whose_connections_are_all_at_work_gets_no_more_of_them(serve: Serve) -> None:
    with serve(FAKE_JOBS, client_connections=3) as address:
        with attacked(address, [f"sleep 0.8 {number}" for number in range(3)]):
            assert eventually(lambda: httpx.get(f"{address}/readyz").json()["waiting"] == 2)
            (one_more,) = connections(address, ATTACKER, 1)
            answer = one_more.recv(1 << 16)
            assert answer.startswith(b"HTTP/1.1 429 ") and b"/problems/too-many-at-once" in answer
            with client(address) as honest:
                assert honest.get("/healthz").status_code == 200


def buffered(address: str) -> float:
    return float(re.findall(r"backlight_buffered_bytes ([\d.e+]+)", httpx.get(f"{address}/metrics").text)[0])


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("reads", [False, True])
def test_who_does_not_read_or_reads_byte_by_byte_is_cut_off(serve: Serve, encoding: str, reads: bool) -> None:
    with serve(FAKE_JOBS, send_seconds=2.0, metrics=True) as address:
        run = httpx.post(f"{address}/v1/runs", json={"code": "noise 12000000 1"}, timeout=30)
        path = run.headers["content-location"]
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encoding}\r\n\r\n"
        (reader,) = connections(address, ATTACKER, 1)
        with reader:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.sendall(request.encode())
            assert eventually(lambda: buffered(address) > 0)
            assert eventually(lambda: bool(buffered(address) == 0 or (reads and not reader.recv(1))))
            assert buffered(address) == 0


def test_pipelines_are_bounded(serve: Serve) -> None:
    with serve(FAKE_JOBS) as address:
        (connection,) = connections(address, ATTACKER, 1)
        with connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3000)
            with contextlib.suppress(ConnectionResetError):
                while connection.recv(1 << 16):
                    pass
        assert httpx.get(f"{address}/healthz").status_code == 200


def test_a_program_ends_when_its_client_leaves_though_more_was_asked_for(serve: Serve) -> None:
    with serve(FAKE_JOBS, wall_seconds=60, queue_seconds=60) as address:
        (connection,) = connections(address, ATTACKER, 1)
        body = b'{"code": "loop"}'
        post = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        post += b"Content-Length: %d\r\n\r\n%s"
        with connection:
            connection.sendall(post % (len(body), body) + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert eventually(lambda: httpx.get(f"{address}/readyz").json()["running"] == 1)
        assert eventually(lambda: httpx.get(f"{address}/readyz").json()["running"] == 0)


@pytest.mark.parametrize("size", [0, 1, PIECE, PIECE + 1, 5_000_000])
def test_a_body_is_inflated_in_pieces(size: int) -> None:
    content = (b"%d " % size) * (size // 3 + 1)
    pieces = list(inflate(gzip.compress(content)))
    assert b"".join(pieces) == content and all(len(piece) <= PIECE for piece in pieces)


def test_a_body_that_says_it_is_enormous_is_not_inflated() -> None:
    with pytest.raises(Problem, match="accept gzip"):
        inflated_size(gzip.compress(b"x")[:-4] + (MAX_INFLATED + 1).to_bytes(4, "little"))


def test_limits_tell_what_one_client_may_have(serve: Serve) -> None:
    with serve(FAKE_JOBS, client_queue=7, client_cpu_seconds=12.5) as address:
        limits = json.loads(httpx.get(f"{address}/v1/limits").content)["service"]
    assert limits["client_queue"] == {"value": 7, "unit": "programs", "setting": "BACKLIGHT_CLIENT_QUEUE"}
    assert limits["client_processor_time"]["value"] == 12.5
    assert {"client_processor_time_refill", "client_connections", "client_buffer"} <= set(limits)
