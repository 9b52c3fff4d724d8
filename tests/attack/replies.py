"""Workers in the hands of their programs, which send whatever they like: it is the problem of that run alone."""

from __future__ import annotations

import contextlib
import http.client
import math
import random
import re
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.attack import forgers
from tests.attack.report import Result, timed
from tests.attack.service import Answer, Service, eventually, launched, shown, sources, tried

JOBS = "tests.attack.forgers"
REFUSALS = {"run-crashed", "result-too-large", "run-time-limit", "run-memory-limit"}
PARTS = re.compile(r"document|seed|request|value:v\d+|values/v\d+|checks/t\d+(@\d+)?|graph\.(dot|mmd)")
LOG_LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (WARNING|ERROR) backlight[.\w]*: ")
LONGEST_LINE = 4000
MOST_MEMORY = 150 << 20

came_from = sources()


def attack(size: float) -> Result:
    """Every forgery, a few at a time; below size 1.0 a sample of them."""
    result = Result("replies", "a worker in the hands of its program harms its own run alone")
    chance = random.Random(13)
    kinds = forgers.REFUSED, forgers.LATER, forgers.FLIPPED, forgers.SPOKEN, forgers.ANSWERED
    refused, later, flipped, spoken, answered = (sample(kind, size, chance) for kind in kinds)
    with timed(result), tempfile.TemporaryDirectory(prefix="backlight-attack-") as name:
        folder = Path(name)
        settings: dict[str, object] = {"workers": 2, "wall_seconds": 1, "cpu_seconds": 1, "metrics": True}
        with launched(folder, {**settings, "log": "text"}, JOBS) as target:
            memory = target.memory()
            ids = {run_id(honest(result, target, "first"))}
            ids |= together(result, target, refused, REFUSALS)
            ids |= together(result, target, spoken, REFUSALS)
            ids |= together(result, target, flipped, REFUSALS, may_be_right=True)
            ids |= together(result, target, answered, REFUSALS, may_be_right=True)
            ids |= afterwards(result, target, later)
            ids |= accounts(result, target)
            grown = target.memory() - memory
            result.expect(grown < MOST_MEMORY, f"the service has grown by {grown >> 20} MB")
            result.figures["grown (MB)"] = grown >> 20
            kept(result, folder / "runs.sqlite3", ids)
        lines(result, (folder / "service.log").read_text(errors="surrogateescape"))
    result.figures["forgeries"] = sum(map(len, (refused, later, flipped, spoken, answered)))
    return result


def sample(forgeries: Mapping[str, object], size: float, chance: random.Random) -> list[str]:
    names = list(forgeries)
    return names if size >= 1 else chance.sample(names, max(2, round(len(names) * size)))


def together(
    result: Result, target: Service, names: Iterable[str], refusals: set[str], *, may_be_right: bool = False
) -> set[str]:
    """Send programs that forge, two at a time, each followed by an honest one; the ids of what was answered."""
    todo, ids, lock = list(names), set[str](), threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if not todo:
                    return
                name = todo.pop()
            answer = posted(target, f"forge {name}")
            right = may_be_right and answer is not None and is_document(answer)
            with lock:
                result.expect(right or is_refusal(answer, refusals), f"{name} is answered {shown(answer)}")
                words = answer is not None and re.search(rb"[\x00-\x1f]|\\u00[01]|\\ud8", answer.body)
                result.expect(right or not words, f"{name} has control characters in its answer {shown(answer)}")
                if right and answer is not None:
                    ids.add(run_id(answer))
            found = honest(result, target, f"after {name}")
            with lock:
                ids.add(run_id(found))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ids


def afterwards(result: Result, target: Service, names: list[str]) -> set[str]:
    """What is asked about a run that was answered honestly, and repeated or read for it, is forged."""
    ids = set()
    for name in names:
        run = run_id(posted(target, f"later {name}"))
        ids.add(run)
        for path in ("values/v1", "checks/t0", "graph.dot", "graph.mmd"):
            answer = fetched(target, f"/v1/runs/{run}/{path}")
            result.expect(is_refusal(answer, REFUSALS), f"{name} for {path} is answered {shown(answer)}")
        again = fetched(target, f"/v1/runs/{run}")
        result.expect(again is not None and is_document(again), f"after {name} the run is {shown(again)}")
    return ids


def posted(target: Service, code: str) -> Answer | None:
    """The answer to a program, of a client that has sent none before."""
    return tried(lambda: target.run(code, next(came_from)))


def fetched(target: Service, path: str) -> Answer | None:
    return tried(lambda: target.ask("GET", path, source=next(came_from)))


numbers = iter(range(10**9))


def honest(result: Result, target: Service, when: str) -> Answer | None:
    """An honest program is answered right, and its document is there under its id."""
    code = f"honest {next(numbers)}"
    answer = posted(target, code)
    right = answer is not None and is_document(answer) and answer.content["globals"]["request"] == {"code": code}
    if result.expect(right, f"{when} an honest run is answered {shown(answer)}") and answer is not None:
        again = fetched(target, f"/v1/runs/{run_id(answer)}")
        result.expect(again is not None and again.body == answer.body, f"{when} its document is {shown(again)}")
    return answer


def is_document(answer: Answer) -> bool:
    """Whether it is a whole document about the run that its address names."""
    with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
        content = answer.content
        location = answer.headers.get("content-location", f"/v1/runs/{content['id']}")
        return answer.status == 200 and location == f"/v1/runs/{content['id']}" and content["version"] == 1
    return False


def is_refusal(answer: Answer | None, slugs: set[str]) -> bool:
    if answer is None or answer.status != 422 or not answer.is_problem():
        return False
    return answer.content["type"].rpartition("/")[2] in slugs


def run_id(answer: Answer | None) -> str:
    found = answer.content["id"] if answer is not None and answer.status == 200 else ""
    return str(found)


def accounts(result: Result, target: Service) -> set[str]:
    """Who works is charged, whatever the worker says and however it ends; the ids of what was answered."""
    ids = set()
    for name, least in (("time: a good frame after work", 0.5), ("time: a good frame, then work", 0.0)):
        before = used(target)
        answer = posted(target, f"forge {name} #again")
        result.expect(answer is not None and answer.status == 200, f"{name} is answered {shown(answer)}")
        ids.add(run_id(answer))
        enough = before + least  # of which the bill of an earlier reply may be a part
        eventually(lambda enough=enough: used(target) > enough, 5.0)  # type: ignore[misc]
        cost = used(target) - before
        result.expect(least < cost < least + 1.0, f"{name} costs {cost:.2f} seconds")
    result.expect(math.isfinite(used(target)) and used(target) < 600, f"{used(target)} seconds have been used")
    workers = eventually(lambda: not [row for row in target.workers() if row.state == "R"], 5.0)
    result.expect(workers, "a worker computes on")
    return ids


def used(target: Service) -> float:
    """Processor seconds of all jobs, by the service's own counts."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        text = target.ask("GET", "/metrics").body.decode()
        return sum(map(float, re.findall(r"^backlight_job_cpu_seconds_total\{.*\} (\S+)$", text, re.MULTILINE)))
    return math.nan


def kept(result: Result, path: Path, ids: set[str]) -> None:
    """Only answered runs are in the store, under names of ours."""

    def rows() -> set[tuple[str, str]]:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", timeout=5, uri=True)) as database:
            return set(database.execute("SELECT run, part FROM parts"))

    eventually(lambda: ids <= {run for run, _ in rows()}, 5.0)
    found = rows()
    result.expect(ids <= {run for run, _ in found}, "runs that were answered are not in the store")
    for run, part in found:
        result.expect(run in ids and PARTS.fullmatch(part) is not None, f"the store holds {part!r} of {run!r}")


def lines(result: Result, log: str) -> None:
    """Every line of the log is one that the service wrote, and none is long."""
    result.figures["log (KB)"] = len(log) / 1024
    for line in log.splitlines():
        result.expect(LOG_LINE.match(line) is not None, f"the log has the line {line[:200]!r}")
        short = len(line) < LONGEST_LINE and line.isprintable()
        result.expect(short, f"the log has a line of {len(line)} characters: {line[:99]!r}")
    result.expect(not any(line.startswith(forgers.FORGED) for line in log.splitlines()), "a line of the log is forged")
