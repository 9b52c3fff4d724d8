"""The real service as a process of its own, with its process tree, for attacks to aim at."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.workers.kernel import process_control
from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[2]
START_SECONDS = 90.0
PR_SET_CHILD_SUBREAPER = 36
ENGINE = "app.workers.jobs"
LAUNCH = """\
import sys
from app.config import Settings
from app.serving import serve
sys.exit(serve(Settings(), jobs={jobs!r}))
"""


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers with lower-case names, body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> Any:
        """The body as JSON. Raises ValueError."""
        return json.loads(self.body)

    def is_problem(self) -> bool:
        """Whether this is a complete problem document about its own status."""
        try:
            found = self.content
        except ValueError:
            return False
        return (
            self.headers.get("content-type", "").startswith("application/problem+json")
            and isinstance(found, dict)
            and {"type", "title", "status", "detail", "fix"} <= found.keys()
            and found["status"] == self.status
        )


@dataclass(frozen=True)
class Row:
    """One process: its id, its parent's, state (`R` computes), resident bytes, processor seconds, command line."""

    pid: int
    parent: int
    state: str
    memory: int
    seconds: float
    command: str


class Service:
    """A running `python -m app` on a loopback port."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log
        self.address = f"http://127.0.0.1:{port}"

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        source: str = "127.0.0.1",
        timeout: float = 30.0,
    ) -> Answer:
        """One request on a connection of its own, from the loopback address `source`. Raises OSError, HTTPException."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout, source_address=(source, 0))
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            fields = {"Content-Type": "application/json"} if data is not None else {}
            connection.request(method, path, data, {**fields, **(headers or {})})
            response = connection.getresponse()
            return Answer(
                response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
            )
        finally:
            connection.close()

    def run(self, code: str, source: str = "127.0.0.1", timeout: float = 30.0) -> Answer:
        """Run a program."""
        return self.ask("POST", "/v1/runs", {"code": code}, source=source, timeout=timeout)

    def connect(self, source: str = "127.0.0.1", timeout: float = 10.0) -> socket.socket:
        """A bare connection from the loopback address `source`."""
        return socket.create_connection(("127.0.0.1", self.port), timeout, (source, 0))

    def ready(self) -> bool:
        """Whether it says that programs can be run."""
        try:
            return self.ask("GET", "/readyz", timeout=5).status == 200
        except (OSError, http.client.HTTPException):
            return False

    def descendants(self) -> list[Row]:
        """Every process that it has started, nearest first."""
        rows, found, todo = processes(), [], [self.process.pid]
        for parent in todo:
            below = [row for row in rows if row.parent == parent]
            found += below
            todo += [row.pid for row in below]
        return found

    def zygotes(self) -> list[Row]:
        """The processes that workers are forked from, standbys too; and workers that are too young to be locked."""
        return [row for row in self._started() if not locked(row.pid)]

    def workers(self) -> list[Row]:
        """The processes that run programs."""
        return [row for row in self._started() if locked(row.pid)]

    def _started(self) -> list[Row]:
        return [row for row in self.descendants() if "app.workers" in row.command]

    def memory(self) -> int:
        """Resident bytes of the main process."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def processes() -> list[Row]:
    """All processes of this machine that have not ended."""
    columns = "pid=,ppid=,stat=,rss=,cputimes=,args="
    listed = subprocess.run(["ps", "-e", "-ww", "-o", columns], capture_output=True, text=True, timeout=60).stdout
    rows = [line.split(None, 5) for line in listed.splitlines()]
    return [
        Row(int(pid), int(parent), state[:1], int(kilobytes) << 10, float(seconds), "".join(command))
        for pid, parent, state, kilobytes, seconds, *command in rows
        if not state.startswith("Z")
    ]


def locked(pid: int) -> bool:
    """Whether a process may write no file, which is one of a worker's locks; of one that has ended, no."""
    try:
        return resource.prlimit(pid, resource.RLIMIT_FSIZE)[0] == 0
    except ProcessLookupError:
        return False


def adopt_orphans() -> None:
    """Make this process the parent of all that is left below it, as the first process of a container is."""
    if sys.platform == "linux":
        process_control(PR_SET_CHILD_SUBREAPER, 1)


@contextlib.contextmanager
def service(jobs: str = ENGINE, **settings: object) -> Iterator[Service]:
    """A service that is ready; `settings` are those of docs/configuration.md in small letters, `workers=2`.

    `jobs` names another module for what its workers do.
    """
    with tempfile.TemporaryDirectory(prefix="backlight-attack-") as name:
        with launched(Path(name), settings, jobs) as started:
            yield started


@contextlib.contextmanager
def launched(folder: Path, settings: dict[str, object], jobs: str = ENGINE) -> Iterator[Service]:
    """A service whose store and log lie in `folder`, until the block ends."""
    port = free_port()
    values = {"workers": 2, "store": folder / "runs.sqlite3", "log_level": "warning", **settings}
    environment = {**os.environ, "HOST": "127.0.0.1", "PORT": str(port)}
    environment |= {f"BACKLIGHT_{name.upper()}": str(value) for name, value in values.items()}
    log = folder / "service.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app"] if jobs == ENGINE else [sys.executable, "-c", LAUNCH.format(jobs=jobs)],
            cwd=PROJECT,
            env=environment,
            stdout=output,
            stderr=output,
            preexec_fn=adopt_orphans,
        )
    started = Service(process, port, log)
    try:
        if not eventually(lambda: process.poll() is not None or started.ready(), START_SECONDS, 0.1):
            raise RuntimeError(f"the service did not become ready: {log.read_text()[-2000:]}")
        if process.poll() is not None:
            raise RuntimeError(f"the service ended: {log.read_text()[-2000:]}")
        yield started
    finally:
        process.kill()
        process.wait(30)


def eventually(condition: Callable[[], bool], seconds: float, pause: float = 0.02) -> bool:
    """Whether something becomes true within `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True


def sources(count: int = 60_000) -> Iterator[str]:
    """Loopback addresses to come from, one after the other, again and again: as many clients as one likes."""
    while True:
        for number in range(count):
            yield f"127.{1 + number // 62_500 % 250}.{number // 250 % 250}.{1 + number % 250}"


numbers = itertools.count()
LARGE = "import torch\n" + "".join(f"a{i} = torch.randn(16, 16)\n" for i in range(250))
"""A program with a document of some hundred kilobytes, compressed."""


def new_program() -> str:
    """A program that nobody sent before."""
    return f"import torch\nx = torch.tensor({next(numbers)}.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)"


def tried(ask: Callable[[], Answer]) -> Answer | None:
    """The answer, or None when the connection failed."""
    try:
        return ask()
    except (OSError, http.client.HTTPException):
        return None


def shown(answer: Answer | None) -> str:
    """An answer in the words of a failure."""
    return "with nothing" if answer is None else f"{answer.status} {answer.body[:300]!r}"
