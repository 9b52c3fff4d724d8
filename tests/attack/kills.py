"""kill -9 of every process of the service under a light load, and at last of the service itself."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from tests.attack.report import Result, first, timed
from tests.attack.service import (
    Answer,
    Row,
    Service,
    eventually,
    launched,
    new_program,
    processes,
    shown,
    sources,
    tried,
)

AGAIN_SECONDS = 1.0
"""How soon runs work again after any process but the service itself was killed: the middle one of several times."""
LOST_SECONDS = 20.0
KILLS = 3

came_from = sources()
numbers = itertools.count()


class Load:
    """One client that runs new programs, one after the other, from addresses of its own, until the block ends."""

    def __init__(self, target: Service) -> None:
        self.target = target
        self.answers: list[Answer | None] = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        while not self.ended.wait(0.05):
            source = next(came_from)
            self.answers.append(tried(lambda source=source: self.target.run(new_program(), source)))  # type: ignore[misc]

    def __enter__(self) -> Load:
        self.thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.ended.set()
        self.thread.join(60)


BUSY = "x = 0\nfor i in range(20_000_000):\n    x = i\n"


def busy_worker(target: Service) -> Row | None:
    """A worker with a job under way: the one that computes."""
    before = {row.pid: row.seconds for row in target.workers()}
    source = next(came_from)
    running = threading.Thread(
        target=lambda: tried(lambda: target.run(f"{BUSY}# {next(numbers)}", source)), daemon=True
    )
    running.start()
    found: list[Row] = []

    def computes() -> bool:
        found[:] = [row for row in target.workers() if row.state == "R" or row.seconds > before.get(row.pid, 0.0)]
        return bool(found)

    eventually(computes, 3.0)
    return found[0] if found else None


def idle_worker(target: Service) -> Row | None:
    return next((row for row in target.workers() if row.state != "R"), None)


def zygote(target: Service) -> Row | None:
    """The zygote that the youngest worker was forked from: that of plain programs."""
    parents = [row.parent for row in sorted(target.workers(), key=lambda row: row.pid, reverse=True)]
    return next((row for parent in parents for row in target.zygotes() if row.pid == parent), None)


def standby(target: Service) -> Row | None:
    """A zygote that waits for the other's end."""
    found: list[Row] = []

    def waits() -> bool:
        before = {row.pid for row in target.zygotes()}
        time.sleep(0.1)  # for which no worker stays without its locks
        parents = {row.parent for row in target.workers()}
        found[:] = [row for row in target.zygotes() if row.pid in before - parents]
        return bool(found)

    return found[0] if eventually(waits, LOST_SECONDS) else None


VICTIMS: dict[str, Callable[[Service], Row | None]] = {
    "busy worker": busy_worker,
    "idle worker": idle_worker,
    "zygote": zygote,
    "standby": standby,
}


def attack(size: float) -> Result:
    """kill -9 of each process, under a light load; then of the service itself."""
    result = Result("kills", f"killed: no answer lost, runs again within {AGAIN_SECONDS:g} s, nothing left behind")
    allowed = AGAIN_SECONDS if size >= 0.5 else LOST_SECONDS  # a slice runs beside other tests
    with timed(result), tempfile.TemporaryDirectory(prefix="backlight-attack-") as folder:
        with launched(Path(folder), {"wall_seconds": 5}) as target:
            with Load(target) as load:
                eventually(lambda: len(load.answers) > 2, LOST_SECONDS)
                for name, choose in first(VICTIMS.items(), size):
                    took = [again for _ in range(KILLS if size >= 0.5 else 1) if (again := kill(target, choose))]
                    if result.expect(bool(took), f"there was no {name} to kill"):
                        median = statistics.median(took)
                        result.figures[f"{name} s"] = round(median, 3)
                        result.expect(median <= allowed, f"{name} killed: runs again after {median:.2f} s")
            for answer in load.answers:
                result.expect(kept_its_word(answer), f"under load, a run was answered {shown(answer)}")
            result.figures["runs beside"] = len(load.answers)
            left = target.descendants()
            target.process.kill()
            target.process.wait(30)
            gone = eventually(lambda: not alive(left), 5.0)
            result.expect(gone, f"the service was killed, and there still is {alive(left)}")
            result.expect("Traceback" not in target.log.read_text(), f"the log: {target.log.read_text()[-2000:]}")
    return result


def kill(target: Service, choose: Callable[[Service], Row | None]) -> float | None:
    """Seconds from a kill -9 to the next answered run; None if there is no such process."""
    eventually(lambda: len(target.workers()) > 1, LOST_SECONDS)
    victim = choose(target)
    if victim is None:
        return None
    started = time.monotonic()
    with contextlib.suppress(ProcessLookupError):
        os.kill(victim.pid, signal.SIGKILL)

    def works() -> bool:
        answer = tried(lambda: target.run(new_program(), next(came_from)))
        return answer is not None and answer.status == 200

    works_again = eventually(works, LOST_SECONDS, 0.01)
    return time.monotonic() - started if works_again else math.inf


def alive(rows: list[Row]) -> list[Row]:
    pids = {row.pid for row in rows}
    return [row for row in processes() if row.pid in pids and "app.workers" in row.command]


def kept_its_word(answer: Answer | None) -> bool:
    """A run's answer while things fail: the document, or "busy, try again" as a problem."""
    return answer is not None and (answer.status == 200 or (answer.status in (429, 503) and answer.is_problem()))
