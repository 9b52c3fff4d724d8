"""Programs that misbehave cost their own request and nobody else's."""

from __future__ import annotations

import concurrent.futures
import os
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

import engine
from app.workers.jobs import describe, fingerprint
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

pytestmark = pytest.mark.slow


def run(client: httpx.Client, code: str) -> httpx.Response:
    return client.post("/v1/runs", json={"code": code})


def slug(response: httpx.Response) -> str:
    return response.json()["type"].rpartition("/")[2]


def eventually(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def children(pid: int) -> list[int]:
    """Descendants of a process."""
    listed = subprocess.run(
        ["ps", "-e", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, timeout=60
    ).stdout.split("\n")
    rows = [line.split() for line in listed if line]
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        below = [int(p) for p, pp, stat in rows if int(pp) == parent and not stat.startswith("Z")]
        found += below
        todo += below
    return found


def zygotes() -> list[int]:
    return [pid for pid in children(os.getpid()) if "app.workers.zygote" in command(pid)]


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def sleepers() -> list[int]:
    return [pid for pid in children(os.getpid()) if command(pid).startswith("sleep")]


def test_an_endless_program_is_killed_on_the_deadline_and_the_next_one_runs(fake: httpx.Client) -> None:
    response = run(fake, "loop forever")
    assert (response.status_code, slug(response)) == (422, "run-time-limit")
    assert run(fake, "after the loop").status_code == 200


def test_a_timeout_is_not_remembered(fake: httpx.Client) -> None:
    assert run(fake, "sleep 2 seconds").status_code == 422
    assert run(fake, "sleep 2 seconds").status_code == 422


def test_a_program_that_crashes_its_process_twice_is_refused(fake: httpx.Client) -> None:
    response = run(fake, "crash")
    assert (response.status_code, slug(response)) == (422, "run-crashed")
    assert run(fake, "after the crash").status_code == 200


def test_running_out_of_memory_is_an_answer(fake: httpx.Client) -> None:
    response = run(fake, "memory")
    assert (response.status_code, slug(response)) == (422, "run-memory-limit")


def test_a_worker_cannot_write_files(fake: httpx.Client) -> None:
    assert run(fake, "write").status_code == 422
    assert not Path("/tmp/backlight-test-file").exists() or not Path("/tmp/backlight-test-file").stat().st_size


def test_an_engine_failure_does_not_show_its_insides(fake: httpx.Client) -> None:
    response = run(fake, "raise")
    assert (response.status_code, slug(response)) == (422, "run-crashed")
    assert "bug in the engine" not in response.text and "Traceback" not in response.text
    assert response.json()["request_id"] == response.headers["x-request-id"]


@pytest.mark.parametrize("program", ["large", "flood"])
def test_a_result_too_large_to_send_is_refused(fake: httpx.Client, program: str) -> None:
    response = run(fake, program)
    assert (response.status_code, slug(response)) == (422, "result-too-large")


def test_a_full_queue_is_answered_at_once_with_retry_after(serve: Serve) -> None:
    with serve(FAKE_JOBS, queue=1) as address, httpx.Client(base_url=address, timeout=30) as client:
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            responses = list(pool.map(lambda n: run(client, f"sleep 0.5 {n}"), range(8)))
        statuses = sorted(response.status_code for response in responses)
        assert statuses == [200, 200] + [503] * 6
        busy = next(response for response in responses if response.status_code == 503)
        assert slug(busy) == "busy" and busy.headers["retry-after"] == "1"
        assert run(client, "afterwards").status_code == 200


def test_waiting_for_a_worker_ends_too(serve: Serve) -> None:
    with serve(FAKE_JOBS, queue_seconds=0.2) as address, httpx.Client(base_url=address, timeout=30) as client:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            first = pool.submit(run, client, "sleep 1.5 a")
            assert eventually(lambda: client.get("/readyz").json()["running"] == 1)
            assert run(client, "b").status_code == 503
            assert not first.done()
            assert first.result().status_code == 200


def test_identical_programs_at_the_same_time_run_once(serve: Serve) -> None:
    with serve(FAKE_JOBS, workers=4) as address, httpx.Client(base_url=address, timeout=30) as client:
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            responses = list(pool.map(lambda _: run(client, "sleep 0.5"), range(6)))
        assert len({response.content for response in responses}) == 1  # the pid of the worker is in it


def test_a_client_that_leaves_frees_its_worker(serve: Serve) -> None:
    with serve(FAKE_JOBS, wall_seconds=30) as address, httpx.Client(base_url=address, timeout=30) as client:
        host, port = address.removeprefix("http://").split(":")
        body = b'{"code": "loop"}'
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(
                b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            )
            assert eventually(lambda: client.get("/readyz").json()["running"] == 1)
        assert eventually(lambda: client.get("/readyz").json()["running"] == 0)
        assert run(client, "next").status_code == 200


def test_one_of_two_clients_leaving_does_not_stop_the_run_of_the_other(serve: Serve) -> None:
    with serve(FAKE_JOBS) as address, httpx.Client(base_url=address, timeout=30) as client:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            stays = pool.submit(run, client, "sleep 0.6")
            assert eventually(lambda: client.get("/readyz").json()["running"] == 1)
            with pytest.raises(httpx.ReadTimeout):
                httpx.post(f"{address}/v1/runs", json={"code": "sleep 0.6"}, timeout=0.2)
            assert stays.result().status_code == 200


def test_no_process_serves_two_requests(fake: httpx.Client) -> None:
    pids = [run(fake, f"request {n}").json()["globals"]["pid"] for n in range(12)]
    assert len(set(pids)) == 12


@pytest.mark.parametrize(("program", "expected"), [("system", "run-crashed"), ("deep", "run-crashed")])
def test_what_python_itself_fails_at_is_a_problem(fake: httpx.Client, program: str, expected: str) -> None:
    response = run(fake, program)
    assert (response.status_code, slug(response)) == (422, expected)
    assert "Traceback" not in response.text


def test_killing_a_worker_kills_what_it_started(serve: Serve) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can start processes behind RLIMIT_NPROC 0")
    with (
        serve(FAKE_JOBS, wall_seconds=1.0, isolation="basic") as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            answer = pool.submit(run, client, "spawn")
            assert eventually(lambda: bool(sleepers()))
            (grandchild,) = sleepers()
            assert answer.result().status_code == 422
        assert eventually(lambda: not command(grandchild))


def test_stopping_the_service_leaves_no_process_behind(serve: Serve) -> None:
    before = set(children(os.getpid()))
    with (
        concurrent.futures.ThreadPoolExecutor(1) as pool,
        serve(FAKE_JOBS, workers=2, shutdown_seconds=1) as address,
    ):
        # a fork server, its standby, and three workers
        assert eventually(lambda: len(set(children(os.getpid())) - before) >= 5)
        started = set(children(os.getpid())) - before
        pool.submit(httpx.post, f"{address}/v1/runs", json={"code": "loop"}, timeout=30)
        assert eventually(lambda: httpx.get(f"{address}/readyz").json()["running"] == 1)
    assert eventually(lambda: not started & set(children(os.getpid())))


def test_an_engine_whose_source_differs_has_another_fingerprint(tmp_path: Path) -> None:
    for name in ("a.py", "data.txt"):
        (tmp_path / name).write_text("one")
    first = fingerprint(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").write_text("compiled")
    assert fingerprint(tmp_path) == first
    (tmp_path / "data.txt").write_text("two")
    second = fingerprint(tmp_path)
    (tmp_path / "data.txt").rename(tmp_path / "other.txt")
    assert len({first, second, fingerprint(tmp_path)}) == 3
    assert describe()["source"] == fingerprint(Path(*engine.__path__))
