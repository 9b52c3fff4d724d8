"""Replicas behind a real nginx with a real Valkey, on loopback: how much more they do, and what they survive.

python -m benchmarks.scale [--seconds 4] [--share 0.25]

Prints runs and answers per second of 1, 2 and 4 replicas, the processor time that a run takes of them, and for each
kind of trouble how many requests were sent, how many failed, and how many answers were wrong. Where the machine has too
few cores for four replicas beside who asks them, a control group gives each the same share of one, as
`resources.limits.cpu` does in a cluster: it needs root. The exit status is 1 where something failed that must not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

from tests.ports import free_port
from tests.valkey import Server

PROJECT = Path(__file__).resolve().parents[1]
ANSWER_SECONDS = 60
GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 20_000
CODE = "import torch\nx = torch.tensor({}., requires_grad=True)\n(x * x).backward()\nprint('number', {})\n"

NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; keepalive_requests 1000000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  upstream replicas {{ least_conn; {servers} keepalive 64; keepalive_requests 1000000; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr; proxy_connect_timeout 1s;
      proxy_next_upstream error timeout http_503 non_idempotent; proxy_next_upstream_tries 4;
    }}
  }}
}}
"""


class Replica:
    """A service of one worker, which is killed and started again on the same port."""

    def __init__(self, store: str, log: Path) -> None:
        self.port, self.metrics = free_port(), free_port()
        self._log = log
        self._environment = {
            "PORT": str(self.port), "BACKLIGHT_METRICS_PORT": str(self.metrics), "BACKLIGHT_STORE": store,
            "BACKLIGHT_WORKERS": "1", "BACKLIGHT_DRAIN_SECONDS": "1", "BACKLIGHT_TRUSTED_PROXIES": "127.0.0.0/8",
            "BACKLIGHT_CLIENT_CPU_SECONDS": "100000", "BACKLIGHT_LOG_LEVEL": "warning",
        }  # fmt: skip
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app"], cwd=PROJECT, env={**os.environ, **self._environment}, stderr=log
            )

    async def ready(self) -> None:
        deadline = time.monotonic() + ANSWER_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if (await asyncio.to_thread(self._ask, "/readyz", self.port)).startswith('{"status":"ready"'):
                    return
            await asyncio.sleep(0.1)
        raise SystemExit(f"a replica did not start: {self._log.read_text()[-2000:]}")

    def jobs(self) -> int:
        """Runs it has computed."""
        found = re.search(r'backlight_jobs_total\{kind="run"\} (\S+)', self._ask("/metrics", self.metrics))
        return round(float(found[1])) if found else 0

    def processes(self) -> Iterator[Path]:
        """The folders in /proc of it and all below it."""
        assert self.process is not None
        below = [str(self.process.pid)]
        while below:
            process = Path("/proc", below.pop())
            yield process
            with contextlib.suppress(OSError):  # it has just ended
                for children in process.glob("task/*/children"):
                    below += children.read_text().split()

    def cpu(self) -> float:
        """Processor seconds that it and all below it have used, with those that have ended."""
        ticks = 0
        for process in self.processes():
            with contextlib.suppress(OSError):
                ticks += sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def _ask(path: str, port: int) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            text: str = answer.read().decode()
            return text

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(ANSWER_SECONDS)


class Share:
    """A control group whose processes have a share of one core together."""

    def __init__(self, share: float) -> None:
        """Raises OSError where this process may make none."""
        quota = round(PERIOD_US * share)
        newer = (GROUPS / "cgroup.controllers").exists()
        self._folder = Path(tempfile.mkdtemp(prefix="backlight-", dir=GROUPS if newer else GROUPS / "cpu"))
        try:
            if newer:
                (self._folder / "cpu.max").write_text(f"{quota} {PERIOD_US}")
            else:
                (self._folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
                (self._folder / "cpu.cfs_quota_us").write_text(str(quota))
        except OSError:
            self.end()
            raise

    def take(self, replica: Replica) -> None:
        """What the replica starts from now on is in the group, too."""
        for process in replica.processes():
            with contextlib.suppress(ProcessLookupError):
                (self._folder / "cgroup.procs").write_text(process.name)

    def end(self) -> None:
        """Remove the group when its processes have ended."""
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                return self._folder.rmdir()
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)


def may_share() -> bool:
    """Whether this process may make control groups."""
    try:
        Share(0.5).end()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def stack(count: int) -> Iterator[tuple[list[Replica], Server, int]]:
    """Replicas, what they share, and the port of the load balancer."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        valkey = Server(folder)
        valkey.start()
        replicas = [Replica(valkey.url, folder / "log") for _ in range(count)]
        port = free_port()
        servers = " ".join(f"server 127.0.0.1:{each.port} max_fails=1 fail_timeout=1s;" for each in replicas)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, servers=servers, port=port))
        for each in replicas:
            each.start()
        nginx = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)])
        try:
            yield replicas, valkey, port
        finally:
            nginx.terminate()
            nginx.wait(ANSWER_SECONDS)
            for each in replicas:
                each.stop()
            valkey.stop()


class Connection:
    """One connection to a port, opened when it is needed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Status and body. Raises OSError or EOFError where the connection is cut."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if self._streams is None:
                    self._streams = await asyncio.open_connection("127.0.0.1", self.port)
                reader, writer = self._streams
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                size = re.search(rb"(?i)content-length: (\d+)", head)
                return int(head.split(b" ", 2)[1]), await reader.readexactly(int(size[1]) if size else 0)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def run_request(number: int) -> bytes:
    body = json.dumps({"code": CODE.format(number, number)}).encode()
    head = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return b"%sContent-Length: %d\r\n\r\n%s" % (head, len(body), body)


class Tally:
    """What came back: by status, cut connections, and answers that are not the question's."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.cut = self.wrong = 0

    @property
    def sent(self) -> int:
        return sum(self.statuses.values()) + self.cut

    @property
    def failed(self) -> int:
        return self.sent - self.statuses[200]

    def __str__(self) -> str:
        bad = {status: count for status, count in self.statuses.items() if status != 200}
        return f"{self.sent} requests, {self.failed} failed {bad or ''}, {self.cut} cut, {self.wrong} wrong"


@contextlib.asynccontextmanager
async def load(port: int, connections: int, first: int) -> AsyncIterator[Tally]:
    """Programs that were never run before, as fast as they are answered, while inside."""
    tally, ending = Tally(), asyncio.Event()
    numbers = iter(range(first, 1 << 24))

    async def send() -> None:
        connection = Connection(port)
        while not ending.is_set():
            number = next(numbers)
            try:
                status, body = await connection.ask(run_request(number))
            except (OSError, EOFError):
                tally.cut += 1
                continue
            tally.statuses[status] += 1
            if status == 200 and json.loads(body)["stdout"] != f"number {number}\n":
                tally.wrong += 1
        connection.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(send())
        try:
            yield tally
        finally:
            ending.set()


async def cached_rate(port: int, connections: int, seconds: float) -> float:
    """Answers per second to GET of one stored run."""
    connection = Connection(port)
    _, body = await connection.ask(run_request(0))
    request = b"GET /v1/runs/%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % json.loads(body)["id"].encode()
    connection.close()
    end, count = time.monotonic() + seconds, 0

    async def ask() -> None:
        nonlocal count
        mine = Connection(port)
        while time.monotonic() < end:
            status, _ = await mine.ask(request)
            count += status == 200
        mine.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return count / seconds


async def throughput(count: int, seconds: float, share: float) -> tuple[float, float, float]:
    """Unique runs and cached answers per second of so many replicas, and processor seconds of theirs for a run."""
    with contextlib.ExitStack() as ending:
        shares = [Share(share) for _ in range(count if share else 0)]
        for each in shares:
            ending.callback(each.end)
        replicas, _, port = ending.enter_context(stack(count))
        for replica in replicas:
            await replica.ready()
        for each, replica in zip(shares, replicas, strict=False):
            each.take(replica)
        async with load(port, 4 * count, 10_000) as warm:
            await asyncio.sleep(1)
        before = sum(each.cpu() for each in replicas)
        async with load(port, 4 * count, 100_000) as tally:
            await asyncio.sleep(seconds)
        used = sum(each.cpu() for each in replicas) - before
        assert not warm.failed and not tally.failed and not tally.wrong, str(tally)
        runs = tally.statuses[200]
        return runs / seconds, await cached_rate(port, 4 * count, seconds), used / runs


async def identical(replicas: list[Replica], programs: int = 10, each: int = 3) -> tuple[int, int]:
    """How many runs were computed when so many programs came to every replica at once, several times."""
    before = sum(replica.jobs() for replica in replicas)

    async def ask(replica: Replica, number: int) -> None:
        connection = Connection(replica.port)
        status, body = await connection.ask(run_request(number))
        assert status == 200 and json.loads(body)["stdout"] == f"number {number}\n"
        connection.close()

    for number in range(programs):
        await asyncio.gather(*(ask(replica, 5_000_000 + number) for replica in replicas for _ in range(each)))
    return sum(replica.jobs() for replica in replicas) - before, programs


async def trouble(seconds: float) -> bool:
    """Everything that may happen to two replicas under load; whether they survived it."""
    good = True

    def told(what: str, tally: Tally, allowed: Callable[[Tally], bool]) -> None:
        nonlocal good
        fine = allowed(tally) and not tally.wrong
        good &= fine
        print(f"  {what}: {tally}{'' if fine else '   <-- must not be'}", flush=True)

    with stack(2) as (replicas, valkey, port):
        for each in replicas:
            await each.ready()
        made, programs = await identical(replicas)
        good &= made == programs
        print(f"  {programs} programs sent to both replicas at once, three times: {made} runs computed", flush=True)

        async with load(port, 6, 1_000_000) as tally:
            await asyncio.sleep(seconds)
            replicas[0].stop()
            await asyncio.sleep(seconds)
        told("a replica killed (-9)", tally, lambda t: not t.failed)
        replicas[0].start()
        await replicas[0].ready()

        async with load(port, 6, 2_000_000) as tally:
            await asyncio.sleep(seconds / 2)
            valkey.stop()
            await asyncio.sleep(seconds)
            valkey.start()
            await asyncio.sleep(seconds)
        told("Valkey killed and back", tally, lambda t: not t.failed)

        async with load(port, 6, 3_000_000) as tally:
            for each in replicas:
                await asyncio.sleep(seconds / 2)
                each.send(signal.SIGTERM)
                assert each.process is not None
                await asyncio.to_thread(each.process.wait, ANSWER_SECONDS)
                each.start()
                await each.ready()
        told("rolling restart", tally, lambda t: not t.failed)
    return good


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default 4)")
    parser.add_argument(
        "--share", type=float,
        help="of a core for each replica, 0 for what it gets (default: 0.25 where there are less than 8 cores)",
    )  # fmt: skip
    options = parser.parse_args()
    if shutil.which("nginx") is None:
        parser.error("nginx is not installed")
    cores = len(os.sched_getaffinity(0))
    share = (0.25 if cores < 8 else 0.0) if options.share is None else options.share
    if share and not may_share():
        print("No control group can be made here: replicas take of the cores what they get.")
        share = 0.0
    print(f"{cores} cores, for replicas, nginx, Valkey and who asks; each replica has one worker", end="")
    print(f" and {share:g} of a core" if share else "", flush=True)
    base: tuple[float, float, float] | None = None
    for count in (1, 2, 4):
        runs, answers, cost = asyncio.run(throughput(count, options.seconds, share))
        base = base or (runs, answers, cost)
        print(
            f"  {count} replica{'s' * (count > 1)}: {runs:7.1f} runs/s (×{runs / base[0]:.2f})"
            f" {answers:8.1f} cached answers/s (×{answers / base[1]:.2f})"
            f" {cost * 1000:6.1f} ms of processors a run",
            flush=True,
        )
    return 0 if asyncio.run(trouble(options.seconds)) else 1


if __name__ == "__main__":
    sys.exit(main())
