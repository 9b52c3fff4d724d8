"""The store damaged, under a service that runs and under one that starts: the same answers, and it recovers."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests.attack.report import Result, first, timed
from tests.attack.service import LARGE, Answer, Service, eventually, launched, new_program, shown, sources, tried

STORED = 6

came_from = sources()
numbers = itertools.count()


def flip_blobs(path: Path) -> None:
    """Flip a byte in the middle of everything that is stored."""
    with contextlib.closing(sqlite3.connect(path, timeout=10)) as database, database:
        rows = database.execute("SELECT rowid, body FROM parts").fetchall()
        for row, body in rows:
            middle = len(body) // 2
            damaged = body[:middle] + bytes([body[middle] ^ 0xFF]) + body[middle + 1 :] if body else b"x"
            database.execute("UPDATE parts SET body = ? WHERE rowid = ?", (damaged, row))


def shorten_blobs(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, timeout=10)) as database, database:
        database.execute("UPDATE parts SET body = substr(body, 1, length(body) / 2)")


def replace_blobs(path: Path) -> None:
    """What is stored becomes text instead of bytes, and of the wrong kind."""
    with contextlib.closing(sqlite3.connect(path, timeout=10)) as database, database:
        database.execute("UPDATE parts SET body = 'not gzip' WHERE part = 'document'")
        database.execute("UPDATE parts SET body = zeroblob(10) WHERE part <> 'document'")


def other_tables(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, timeout=10)) as database, database:
        database.executescript("DROP TABLE parts; CREATE TABLE parts (x INTEGER); DROP TABLE runs")


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def delete(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def delete_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def garbage(path: Path) -> None:
    path.write_bytes(hashlib.shake_256(b"garbage").digest(50_000))


def garbage_inside(path: Path) -> None:
    """Damage every page of the file but leave its header."""
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 512):
        data[at : at + 16] = b"\xff" * min(16, len(data) - at)
    path.write_bytes(data)


def garbage_log(path: Path) -> None:
    """Damage the log beside the file, where the last writes are."""
    for file in path.parent.glob(f"{path.name}-*"):
        file.write_bytes(b"\xff" * max(1, file.stat().st_size))


def read_only(path: Path) -> None:
    """Nobody may write the file (root may all the same)."""
    for file in path.parent.glob(f"{path.name}*"):
        file.chmod(0o444)


def a_folder(path: Path) -> None:
    """A folder in the file's place."""
    delete(path)
    path.mkdir()


DAMAGES: tuple[Callable[[Path], None], ...] = (
    flip_blobs, delete, garbage, halve, shorten_blobs, replace_blobs, other_tables, empty, delete_folder,
    garbage_inside, garbage_log, read_only, a_folder,
)  # fmt: skip
LASTING = {a_folder, read_only, garbage}
"""After these nothing can be kept until somebody repairs it: what is no store of ours may be somebody's file."""


def attack(size: float) -> Result:
    """Every kind of damage, two at a time."""
    result = Result("damage", "a damaged store: same answers, no 5xx, and results are kept again")
    damages = first(DAMAGES, size)
    with timed(result), tempfile.TemporaryDirectory(prefix="backlight-attack-") as folder:
        pristine = Path(folder) / "pristine"
        pristine.mkdir()
        answers = filled(pristine)
        with ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda damage: damaged(damage, pristine, Path(folder), answers), damages))
    for row in rows:
        result.tried += row.tried
        result.failed += row.failed
        result.failures += row.failures[:3]
    result.figures = {"kinds of damage": len(damages)}
    return result


def settings(folder: Path) -> dict[str, object]:
    return {"workers": 1, "store": folder / "runs.sqlite3", "cache_mb": 1}


def filled(folder: Path) -> dict[str, Answer]:
    """Leave a store with a few runs in `folder`; each program with its answer."""
    with launched(folder, settings(folder)) as target:
        answers = {code: posted(target, code) for code in [new_program() for _ in range(STORED)]}
        eventually(lambda: len(kept(folder / "runs.sqlite3")) == STORED, 10.0)
    with contextlib.closing(sqlite3.connect(folder / "runs.sqlite3")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return answers


def damaged(damage: Callable[[Path], None], pristine: Path, folder: Path, first: dict[str, Answer]) -> Result:
    """One kind of damage, done to a copy of the store before a service starts, and again while it runs."""
    name = damage.__name__
    result = Result(name, "")
    store = folder / name
    shutil.copytree(pristine, store)
    path = store / "runs.sqlite3"
    try:
        damage(path)
        (folder / "logs" / name).mkdir(parents=True)
        with launched(folder / "logs" / name, settings(store)) as target:
            compare(result, target, first, f"{name} before the start")
            keeps(result, target, path, f"{name} before the start", lasting=damage in LASTING)
            flush(target)
            with contextlib.suppress(OSError, sqlite3.Error):
                damage(path)
            compare(result, target, first, f"{name} while it runs")
            keeps(result, target, path, f"{name} while it runs", lasting=damage in LASTING)
            flush(target)
            compare(result, target, first, f"{name} and later")
            said = tried(lambda: target.ask("GET", "/readyz"))
            result.expect(said is not None and said.status == 200, f"{name}: /readyz says {shown(said)}")
    except (RuntimeError, OSError, http.client.HTTPException, sqlite3.Error) as error:
        result.expect(False, f"{name}: {error!r}")
    return result


def keeps(result: Result, target: Service, path: Path, when: str, *, lasting: bool) -> None:
    """A new run is answered, and unless the damage lasts it is in the file soon."""
    answers = [posted(target, new_program()) for _ in range(2)]
    for answer in answers:
        result.expect(answer.status == 200, f"{when}: a new run is answered {shown(answer)}")
    if not lasting:
        found = eventually(lambda: run_id(answers[-1]) in kept(path), 5.0)
        result.expect(found, f"{when}: new results are not kept in the file")


def posted(target: Service, code: str) -> Answer:
    return target.run(code, next(came_from))


def flush(target: Service) -> None:
    """Make the memory in front of the file forget what it holds."""
    for _ in range(5):
        posted(target, f"{LARGE}# {next(numbers)}")


def run_id(answer: Answer) -> str:
    found: Any = answer.content["id"] if answer.status == 200 else ""
    return str(found)


def content(answer: Answer) -> bytes:
    """The document but for its id, which a store that has lost its secret gives anew."""
    return answer.body.replace(run_id(answer).encode(), b"") if answer.status == 200 else answer.body


def compare(result: Result, target: Service, first: dict[str, Answer], when: str) -> None:
    """Every program has the answer it had; every run is that document or is not known."""
    for code, before in first.items():
        fetched = tried(lambda before=before: target.ask("GET", f"/v1/runs/{run_id(before)}", source=next(came_from)))  # type: ignore[misc]
        result.expect(
            fetched is not None and (fetched.body == before.body or (fetched.status == 404 and fetched.is_problem())),
            f"{when}: GET is answered {shown(fetched)}",
        )
        again = tried(lambda code=code: posted(target, code))  # type: ignore[misc]
        result.expect(
            again is not None and (again.status, content(again)) == (before.status, content(before)),
            f"{when}: POST is answered {shown(again)}",
        )


def kept(path: Path) -> set[str]:
    """The ids of the runs in the file; none if it cannot be read."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", timeout=2, uri=True)) as database:
            return {run for (run,) in database.execute("SELECT run FROM parts WHERE part = 'document'")}
    except sqlite3.Error:
        return set()
