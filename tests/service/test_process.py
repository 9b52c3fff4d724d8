"""`python -m app` as a process: it comes up, obeys SIGTERM, and cleans up however it dies."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.config import PROJECT
from tests.ports import free_port
from tests.service.test_workers import children, command, eventually

pytestmark = pytest.mark.slow

LAUNCH = (
    "import sys; from app.config import Settings; from app.serving import serve; "
    "sys.exit(serve(Settings(), jobs='tests.service.fake_jobs'))"
)


@contextlib.contextmanager
def process(tmp_path: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    port = free_port()
    settings = {"PORT": str(port), "BACKLIGHT_WORKERS": "1", "BACKLIGHT_STORE": str(tmp_path / "runs.sqlite3")}
    settings["BACKLIGHT_CPU_SECONDS"] = str(signed(port))
    started = subprocess.Popen(
        [sys.executable, "-c", LAUNCH], cwd=PROJECT, env={**os.environ, **settings, **environment}
    )
    address = f"http://127.0.0.1:{port}"
    try:
        assert eventually(lambda: started.poll() is None and is_up(address), 30)
        yield started, address
    finally:
        started.kill()
        started.wait(30)


def signed(port: int) -> int:
    """Processor seconds that no other service has: its fork servers are known by them."""
    return 10_000 + port


def is_up(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_status_0_and_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    with process(tmp_path) as (service, address):
        assert httpx.post(f"{address}/v1/runs", json={"code": "x"}).status_code == 200
        assert eventually(lambda: len(children(service.pid)) >= 4)  # a fork server, its standby, two workers
        descendants = children(service.pid)
        service.send_signal(number)
        assert service.wait(10) == 0
        assert eventually(lambda: not any("zygote" in command(pid) for pid in descendants))


def test_a_request_under_way_is_finished_first(tmp_path: Path) -> None:
    with process(tmp_path) as (service, address):
        answers: list[int] = []
        request = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{address}/v1/runs", json={"code": "sleep 1"}).status_code)
        )
        request.start()
        assert eventually(lambda: httpx.get(f"{address}/readyz").json()["running"] == 1)
        service.terminate()
        request.join(60)
        assert answers == [200] and service.wait(10) == 0


def workers_of(address: str) -> list[int]:
    """Fork servers and workers, whoever their parents are now, of the service at `address`."""
    sign = str(signed(int(address.rpartition(":")[2])))
    numbers = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [pid for pid in numbers if "zygote" in (words := command(pid)) and sign in words.split()]


def open_files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


@pytest.mark.parametrize("first", ["none", "fork server", "standby"])
def test_even_sigkill_leaves_no_process(tmp_path: Path, first: str) -> None:
    with process(tmp_path) as (service, address):
        assert eventually(lambda: len(workers_of(address)) >= 4)
        server = min(children(service.pid))
        assert eventually(lambda: any(open_files(pid) > 4 for pid in children(server)))
        standby, *_ = [pid for pid in children(server) if open_files(pid) > 4]  # workers have one socket
        if first != "none":
            os.kill({"fork server": server, "standby": standby}[first], signal.SIGKILL)
            assert httpx.post(f"{address}/v1/runs", json={"code": "x"}, timeout=30).status_code == 200
        service.kill()
        service.wait(30)
        assert eventually(lambda: not workers_of(address))


def test_a_service_that_lost_its_fork_server_still_leaves_nothing_behind(tmp_path: Path) -> None:
    with process(tmp_path) as (service, address):
        assert eventually(lambda: len(workers_of(address)) >= 4)
        os.kill(min(children(service.pid)), signal.SIGKILL)
        assert httpx.post(f"{address}/v1/runs", json={"code": "x"}, timeout=30).status_code == 200
        service.terminate()
        assert service.wait(10) == 0
        assert eventually(lambda: not workers_of(address), 1)


def test_it_is_not_ready_any_more_before_it_stops_listening(tmp_path: Path) -> None:
    with process(tmp_path, BACKLIGHT_DRAIN_SECONDS="1") as (service, address):
        assert httpx.get(f"{address}/readyz").status_code == 200
        service.terminate()
        assert eventually(lambda: httpx.get(f"{address}/readyz").status_code == 503, 1)
        assert httpx.post(f"{address}/v1/runs", json={"code": "still answered"}).status_code == 200
        assert service.wait(10) == 0


def test_settings_that_do_not_fit_are_named() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "app"],
        cwd=PROJECT,
        env={**os.environ, "BACKLIGHT_QUEUE": "-1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1 and "BACKLIGHT_QUEUE=-1: Input should be" in result.stderr


@pytest.mark.parametrize("name", ["PORT", "BACKLIGHT_METRICS_PORT"])
def test_a_port_that_cannot_be_had_is_named_at_once(name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = {"PORT": "0", "BACKLIGHT_LOG": "text", name: port}
        result = subprocess.run(
            [sys.executable, "-m", "app"],
            cwd=PROJECT,
            env={**os.environ, **given},
            capture_output=True,
            text=True,
            timeout=30,
        )
    assert result.returncode == 1
    assert f"HOST=127.0.0.1, {name}={port}: Address already in use" in result.stderr
    assert "Traceback" not in result.stderr and "startup" not in result.stderr


def test_a_taken_port_is_an_error_not_a_hang(tmp_path: Path) -> None:
    with process(tmp_path) as (_, address):
        port = address.rpartition(":")[2]
        result = subprocess.run(
            [sys.executable, "-c", LAUNCH],
            cwd=PROJECT,
            env={**os.environ, "PORT": port},
            capture_output=True,
            timeout=30,
        )
        assert result.returncode != 0 and b"in use" in result.stderr
