"""`python -m app.workers`: the processes of programs belong to another process, as a rule in another container."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.config import PROJECT, Settings
from app.slots import slots
from app.workers.server import Hello, connect_fork_server
from tests.conftest import Serve
from tests.loops import completed
from tests.service.conftest import FAKE_JOBS
from tests.service.test_workers import children, command, eventually

pytestmark = pytest.mark.slow

LAUNCH = f"from app.workers.__main__ import main; main({FAKE_JOBS!r})"
MEGABYTE = 1 << 20


@dataclass
class Host:
    """A host, which can be ended and started again at the same socket."""

    socket: Path
    process: subprocess.Popen[str]
    environment: dict[str, str]

    @classmethod
    def start(cls, path: Path, **environment: str) -> Host:
        process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH],
            cwd=PROJECT,
            env={**os.environ, "BACKLIGHT_WORKERS_SOCKET": str(path), **environment},
            stderr=subprocess.PIPE,
            text=True,
        )
        return cls(path, process, environment)

    def says(self) -> str:
        """The line with which it is ready, or why it ended."""
        assert self.process.stderr is not None
        assert select.select([self.process.stderr], [], [], 60)[0], "it says nothing"
        return self.process.stderr.readline()

    def again(self) -> Host:
        """Another one in its place."""
        self.end(signal.SIGKILL)
        return Host.start(self.socket, **self.environment)

    def end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        self.process.wait(30)
        assert self.process.stderr is not None
        self.process.stderr.close()

    def family(self) -> list[int]:
        """Fork servers and workers that it has forked."""
        return children(self.process.pid)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose name leaves room for that of a socket."""
    with tempfile.TemporaryDirectory(prefix="host-") as made:
        yield Path(made)


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    started = Host.start(folder / "workers.sock")
    assert "workers are forked for those who connect" in started.says()
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.end(signal.SIGKILL)


def post(address: str, code: str) -> httpx.Response:
    return httpx.post(f"{address}/v1/runs", json={"code": code}, timeout=60)


def readiness(address: str) -> httpx.Response:
    return httpx.get(f"{address}/readyz", timeout=30)


def is_ready(address: str) -> bool:
    return readiness(address).status_code == 200


def in_thread(address: str, code: str) -> tuple[threading.Thread, list[httpx.Response]]:
    answers: list[httpx.Response] = []
    thread = threading.Thread(target=lambda: answers.append(post(address, code)))
    thread.start()
    return thread, answers


def test_programs_run_in_processes_of_the_host(host: Host, serve: Serve) -> None:
    others = set(children(os.getpid()))
    with serve(FAKE_JOBS, workers_socket=str(host.socket)) as address:
        document = post(address, "where").json()
        own = set(children(os.getpid())) - others
        assert not any("zygote" in command(pid) for pid in own), "the service forks nothing itself"
        assert host.family() and document["globals"]["pid"] != os.getpid()
        assert readiness(address).json()["isolation"][0] == "rlimits"


def test_what_they_are_locked_behind_is_the_host_s(folder: Path, serve: Serve) -> None:
    host = Host.start(folder / "workers.sock", BACKLIGHT_ISOLATION="basic")
    try:
        assert host.says().rstrip().endswith("locks: rlimits")
        with serve(FAKE_JOBS, workers_socket=str(host.socket)) as address:
            assert readiness(address).json()["isolation"] == ["rlimits"]
    finally:
        host.end(signal.SIGKILL)


def test_it_has_no_secrets(folder: Path, serve: Serve) -> None:
    secret = "redis://:a-password@elsewhere:6379/0"
    host = Host.start(folder / "workers.sock", BACKLIGHT_STORE=secret, OTEL_EXPORTER_OTLP_HEADERS="api-key=secret")
    try:
        host.says()
        with serve(FAKE_JOBS, workers_socket=str(host.socket)) as address:
            assert post(address, "job").status_code == 200
            for pid in (host.process.pid, *host.family()):
                kept = Path(f"/proc/{pid}/environ").read_bytes() + Path(f"/proc/{pid}/cmdline").read_bytes()
                assert b"password" not in kept and b"secret" not in kept
    finally:
        host.end(signal.SIGKILL)


def test_only_its_user_may_connect(host: Host) -> None:
    found = host.socket.stat()
    assert stat.S_ISSOCK(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o600
    assert [path.name for path in host.socket.parent.iterdir()] == [host.socket.name]


def test_a_stranger_is_turned_away(host: Host) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can be somebody else")
    os.chmod(host.socket.parent, 0o755)
    os.chmod(host.socket, 0o666)
    stranger = (
        f"import os, socket; os.setuid(65534); s = socket.socket(socket.AF_UNIX); s.connect({str(host.socket)!r}); "
        "s.settimeout(30); print(s.recv(1))"
    )
    told = subprocess.run([sys.executable, "-c", stranger], capture_output=True, text=True, timeout=60)
    assert told.stdout == "b''\n", told.stderr


def test_when_the_host_is_killed_nothing_of_it_is_left_and_what_ran_is_answered_when_it_is_back(
    host: Host, serve: Serve
) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket), wall_seconds=30) as address:
        thread, answers = in_thread(address, "sleep 1 second")
        assert eventually(lambda: readiness(address).json().get("running") == 1)
        family = host.family()
        host.end(signal.SIGKILL)
        assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))
        assert eventually(lambda: readiness(address).status_code == 503)
        back = Host.start(host.socket)
        try:
            thread.join(60)
            assert [answer.status_code for answer in answers] == [200]
            assert eventually(lambda: is_ready(address)) and post(address, "after").status_code == 200
        finally:
            back.end(signal.SIGKILL)


def test_when_its_fork_server_is_killed_another_takes_over(host: Host, serve: Serve) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket), wall_seconds=30) as address:
        assert post(address, "job").status_code == 200
        assert eventually(lambda: len(servers(host)) == 2), "one, and its standby"
        thread, answers = in_thread(address, "sleep 1 second")
        assert eventually(lambda: readiness(address).json().get("running") == 1)
        busy = next(pid for pid in servers(host) if len(children(pid)) > 0)
        os.kill(busy, signal.SIGKILL)
        thread.join(60)
        assert [answer.status_code for answer in answers] == [200]
        assert eventually(lambda: len(servers(host)) == 2 and busy not in servers(host))


def servers(host: Host) -> list[int]:
    """The fork servers: what it has forked itself."""
    rows = [(pid, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()) for pid in host.family()]
    return [pid for pid, fields in rows if int(fields[1]) == host.process.pid]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_with_status_0_and_leaves_nothing_behind(host: Host, serve: Serve, number: signal.Signals) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket)) as address:
        assert post(address, "job").status_code == 200
        family = host.family()
        host.end(number)
        assert host.process.returncode == 0
        assert eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


def test_a_service_that_ends_leaves_no_process_at_the_host(host: Host, serve: Serve) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket)) as address:
        assert post(address, "job").status_code == 200
    assert eventually(lambda: not host.family()) and host.process.poll() is None


def test_services_of_one_host_do_not_reach_each_other(host: Host, serve: Serve, folder: Path) -> None:
    with (
        serve(FAKE_JOBS, workers_socket=str(host.socket), store=str(folder / "one"), wall_seconds=1.0) as one,
        serve(FAKE_JOBS, workers_socket=str(host.socket), store=str(folder / "other"), wall_seconds=30) as other,
    ):
        thread, answers = in_thread(other, "sleep 2 seconds")
        assert eventually(lambda: readiness(other).json().get("running") == 1)
        assert post(one, "loop").status_code == 422, "which kills a process"
        thread.join(60)
        assert [answer.status_code for answer in answers] == [200]


def test_a_fork_server_kills_nobody_else_s_worker(host: Host) -> None:
    with contextlib.ExitStack() as opened:
        one, other = (opened.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        said = []
        for control in (one, other):
            control.connect(str(host.socket))
            control.settimeout(60)
            said.append(opened.enter_context(control.makefile("rb")))
            assert said[-1].readline().startswith(b"ready ")
        ours, theirs = map(opened.enter_context, socket.socketpair())
        socket.send_fds(one, [b"fork\n"], [theirs.fileno()])
        theirs.close()
        pid = int(said[0].readline().removeprefix(b"forked "))
        other.send(b"kill %d\n" % pid)
        ours_too, theirs_too = map(opened.enter_context, socket.socketpair())
        socket.send_fds(other, [b"fork\n"], [theirs_too.fileno()])
        assert said[1].readline().startswith(b"forked "), "so what came before has been read"
        assert Path(f"/proc/{pid}").exists()
        one.send(b"kill %d\n" % pid)
        assert said[0].readline().startswith(b"exited %d -9 " % pid)


def test_a_host_that_hangs_is_left_and_found_again(host: Host, serve: Serve) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket), wall_seconds=30, queue_seconds=60) as address:
        assert post(address, "job").status_code == 200
        assert eventually(lambda: len(servers(host)) == 2), "one, and its standby"
        hanging = [host.process.pid, *servers(host)]
        for pid in hanging:
            os.kill(pid, signal.SIGSTOP)
        answers = [in_thread(address, f"job {number}") for number in range(4)]
        assert eventually(lambda: readiness(address).status_code == 503)
        for pid in hanging:
            os.kill(pid, signal.SIGCONT)
        for thread, got in answers:
            thread.join(60)
            assert [answer.status_code for answer in got] == [200]
        assert eventually(lambda: is_ready(address)) and post(address, "after").status_code == 200


def test_a_service_may_come_first(folder: Path, serve: Serve) -> None:
    path = folder / "workers.sock"
    path.touch()  # what a host that was killed has left
    hosts: list[Host] = []
    later = threading.Timer(1.0, lambda: hosts.append(Host.start(path)))
    later.start()
    try:
        with serve(FAKE_JOBS, workers_socket=str(path)) as address:
            assert post(address, "job").status_code == 200
    finally:
        later.join(60)
        for each in hosts:
            each.end(signal.SIGKILL)


def test_slots_are_those_of_the_host_s_container(host: Host, serve: Serve) -> None:
    with serve(FAKE_JOBS, workers_socket=str(host.socket), workers=0) as address:
        told = readiness(address).json()
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(str(host.socket))
        control.settimeout(60)
        with control.makefile("rb") as said:
            hello = Hello.model_validate_json(said.readline().split(b" ", 2)[2])
    assert hello.cores is not None
    counted = slots(hello.cores, hello.memory, Settings())
    assert (told["workers"], told["slots"]) == (counted.client, counted.together)


LINES: dict[str, bytes] = {
    "a description that is none": b"ready 1 {}\n",
    "a deep description": b"ready 1 " + b"[" * 100_000 + b"\n",
    "a number that is none": b"ready x {}\n",
    "a worker that nobody asked for": b"forked 12\n",
    "a line of no kind": b"exited 1 0 0.5\n",
    "no end": b"x" * (2 * MEGABYTE),
    "processor time that is none": b"exited 1 0 nan 1 0.0\n",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_host_that_talks_nonsense_is_left(folder: Path, line: bytes) -> None:
    """Whoever has broken out of a worker there can say anything."""

    async def main() -> None:
        left = asyncio.Event()
        owner: Any = SimpleNamespace(lost=lambda server: left.set(), refused=None, forked=None, exited=None)

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(line)
            await reader.read()
            writer.close()

        async with await asyncio.start_unix_server(answer, str(folder / "s")):
            server = connect_fork_server(owner, folder / "s")
            async with asyncio.timeout(30):
                await left.wait()
            assert server.gone.is_set() and not server.hello

    completed(main())


def test_without_a_socket_it_says_what_is_missing() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "app.workers"], capture_output=True, text=True, cwd=PROJECT, timeout=60
    )
    assert told.returncode == 1 and "BACKLIGHT_WORKERS_SOCKET" in told.stderr
