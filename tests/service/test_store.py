"""Results are kept, within bounds, and a store that fails never fails a request."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import httpx
import pytest

from app.store import FileStore, LayeredStore, MemoryStore, Store, make_store
from tests.conftest import Serve
from tests.loops import completed
from tests.service.conftest import FAKE_JOBS

Body = Callable[[Store], Coroutine[None, None, None]]


def using(store: Store, body: Body) -> None:
    async def run() -> None:
        await store.open()
        try:
            await body(store)
        finally:
            await store.close()

    completed(run())


@pytest.fixture(params=["memory", "file", "layered"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    match request.param:
        case "memory":
            return MemoryStore(1 << 20)
        case "file":
            return FileStore(tmp_path / "below" / "runs.sqlite3", 1 << 20)
        case _:
            return make_store(tmp_path / "runs.sqlite3", 1 << 20, 1 << 20)


def test_parts_are_kept_beside_each_other(store: Store) -> None:
    async def body(store: Store) -> None:
        assert await store.get("a", "document") is None
        await store.put("a", {"document": b"1", "seed": b"2"})
        await store.put("a", {"graph.dot": b"3"})
        await store.put("b", {"document": b""})
        assert [await store.get("a", part) for part in ("document", "seed", "graph.dot")] == [b"1", b"2", b"3"]
        assert await store.get("b", "document") == b""
        assert await store.get("b", "seed") is None

    using(store, body)


def test_the_longest_unused_leave_when_it_is_full(store: Store) -> None:
    async def body(store: Store) -> None:
        for number in range(200):
            await store.put(f"run{number}", {"document": os.urandom(20_000)})
            await store.get("run0", "document")
        assert await store.get("run199", "document") is not None
        kept = [number for number in range(200) if await store.get(f"run{number}", "document") is not None]
        assert 5 < len(kept) < 120

    using(store, body)


@pytest.mark.parametrize("kind", ["memory", "file"])
def test_large_runs_push_out_each_other_and_not_what_others_have_used(tmp_path: Path, kind: str) -> None:
    async def body(store: Store) -> None:
        for number in range(20):
            await store.put(f"small{number}", {"document": os.urandom(4_000)})
        for number in range(40):
            await store.put(f"large{number}", {f"value:v{part}": os.urandom(50_000) for part in range(6)})
        smalls = [await store.get(f"small{number}", "document") for number in range(20)]
        assert None not in smalls
        assert await store.get("large39", "value:v0") is not None
        assert await store.get("large0", "value:v0") is None

    path = tmp_path / "runs.sqlite3"
    using(FileStore(path, 1 << 20) if kind == "file" else make_store(None, 1 << 20, 1 << 20), body)


def test_a_file_of_the_version_before_keeps_its_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def put(store: Store) -> None:
        await store.put("old", {"document": b"1" * 5000, "seed": b"2"})

    async def look(store: Store) -> None:
        assert await store.get("old", "document") == b"1" * 5000
        await store.put("new", {"document": b"3"})

    using(FileStore(path, 1 << 20), put)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("ALTER TABLE runs DROP COLUMN size; PRAGMA user_version = 3;")
    using(FileStore(path, 1 << 20), look)
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT run, size FROM runs ORDER BY run").fetchall() == [("new", 1), ("old", 5001)]


def test_one_bad_row_costs_nobody_elses(store: Store) -> None:
    async def body(store: Store) -> None:
        names = ("\ud800", "", "a b", "\n", "x" * 65, "document\0")
        bad = [store.put("bad", {"document": b"1", name: b"2"}) for name in names]
        bad.append(store.put("\ud800", {"seed": b"3"}))
        good = [store.put(f"good{number}", {"document": b"1"}) for number in range(4)]
        await asyncio.gather(*bad, *good)
        await store.settle()
        for number in range(4):
            assert await store.get(f"good{number}", "document") == b"1"
        assert await store.get("bad", "document") == b"1" and store.problem is None
        assert await store.get("bad", "\ud800") is None

    using(store, body)


def test_a_row_that_sqlite_refuses_costs_nobody_elses(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def body(store: Store) -> None:
        assert isinstance(store, FileStore) and store._database is not None
        store._database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000)
        await asyncio.gather(
            *[store.put(f"good{number}", {"document": b"1"}) for number in range(4)],
            store.put("bad", {"document": bytes(20_000)}),
        )
        assert [await store.get(f"good{number}", "document") for number in range(4)] == [b"1"] * 4
        assert await store.get("bad", "document") is None and store.problem is None

    using(FileStore(tmp_path / "runs.sqlite3", 1 << 20), body)
    assert "cannot be kept" in caplog.text


def test_a_clock_that_is_set_back_makes_nothing_older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.sqlite3"

    async def before(store: Store) -> None:
        for number in range(20):
            await store.put(f"old{number}", {"document": os.urandom(20_000)})

    async def after(store: Store) -> None:
        for number in range(40):
            await store.put(f"new{number}", {"document": os.urandom(20_000)})
        kept = [number for number in range(40) if await store.get(f"new{number}", "document") is not None]
        assert kept and kept == list(range(40 - len(kept), 40))
        assert await store.get("old0", "document") is None

    using(FileStore(path, 1 << 20), before)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 10**6)
    using(FileStore(path, 1 << 20), after)


def test_memory_keeps_what_is_used() -> None:
    async def body(store: Store) -> None:
        for number in range(100):
            await store.put(str(number), {"document": bytes(300)})
            assert await store.get("0", "document") is not None
        assert await store.get("1", "document") is None
        await store.put("huge", {"document": bytes(5000)})
        await store.put("wide", {f"value:v{part}": bytes(300) for part in range(5)})
        assert await store.get("huge", "document") is None and await store.get("wide", "value:v0") is None
        assert await store.get("0", "document") is not None

    using(MemoryStore(1000), body)


def test_a_file_outlives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def write(store: Store) -> None:
        await store.put("a", {"document": b"1"})

    async def read(store: Store) -> None:
        assert await store.get("a", "document") == b"1"

    using(make_store(path, 1 << 20, 1 << 20), write)
    using(make_store(path, 1 << 20, 1 << 20), read)


def test_two_processes_may_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def body(one: Store) -> None:
        other = FileStore(path, 1 << 20)
        await other.open()
        for number in range(50):
            await asyncio.gather(one.put(f"a{number}", {"document": b"1"}), other.put(f"b{number}", {"document": b"2"}))
        assert await one.get("b49", "document") == b"2" and await other.get("a49", "document") == b"1"
        await other.close()

    using(FileStore(path, 1 << 20), body)


@pytest.mark.parametrize("damage", ["not a database", "a folder", "cannot be made"])
def test_a_file_that_cannot_be_used_is_reported_and_done_without(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "runs.sqlite3"
    if damage == "not a database":
        path.write_text("something else " * 1000)
    elif damage == "a folder":
        path.mkdir()
    else:
        path = Path("/proc/backlight/runs.sqlite3")

    async def body(store: Store) -> None:
        await store.put("a", {"document": b"1"})
        assert await store.get("a", "document") == b"1"
        assert store.problem

    using(make_store(path, 1 << 20, 1 << 20), body)
    if damage == "not a database":
        assert path.read_text().startswith("something else")


def test_a_store_that_breaks_under_way_is_only_slower(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def body(store: Store) -> None:
        assert isinstance(store, LayeredStore) and isinstance(store.back, FileStore)
        await store.put("a", {"document": b"1"})
        assert store.back._database is not None
        store.back._database.execute("DROP TABLE parts")
        await store.put("b", {"document": b"2"})
        assert await store.get("b", "document") == b"2"
        assert await store.get("c", "document") is None
        assert "parts" in (store.problem or "")

    using(make_store(path, 1 << 20, 1 << 20), body)


def test_a_run_is_still_there_after_a_restart(serve: Serve) -> None:
    with serve(FAKE_JOBS) as address:
        first = httpx.post(f"{address}/v1/runs", json={"code": "x"}).json()
    with serve(FAKE_JOBS) as address:
        assert httpx.get(f"{address}/v1/runs/{first['id']}").json() == first


def test_without_a_place_to_write_the_service_runs_from_memory(serve: Serve) -> None:
    with serve(FAKE_JOBS, store="/proc/nowhere/runs.sqlite3") as address:
        assert httpx.post(f"{address}/v1/runs", json={"code": "x"}).status_code == 200
        assert "ok" not in httpx.get(f"{address}/readyz").json()["store"]


def kept(path: Path, damage: Callable[[Path], None]) -> None:
    """A store whose file suffers `damage` loses at most what was in it, and keeps results again within a moment."""
    now = [0.0]
    store = FileStore(path, 1 << 20, clock=lambda: now[0])

    async def body(_: Store) -> None:
        await store.put("a", {"document": b"1" * 9000})
        damage(path)
        for name in "bcd":
            now[0] += 2
            await store.check()
            assert await store.get("a", "document") in (None, b"1" * 9000)
            await store.put(name, {"document": b"2"})
        assert await store.get("d", "document") == b"2"
        assert store.problem is None
        other = FileStore(path, 1 << 20)
        await other.open()
        assert await other.get("d", "document") == b"2"
        await other.close()

    using(store, body)


def overwrite(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(os.urandom(size))


@pytest.mark.parametrize("name", ["deleted", "emptied", "header", "pages", "replaced", "folder deleted"])
def test_a_file_that_is_lost_or_damaged_under_way_is_made_again(tmp_path: Path, name: str) -> None:
    def damage(path: Path) -> None:
        checkpoint(path)
        match name:
            case "deleted":
                path.unlink()
            case "emptied":
                os.truncate(path, 0)
            case "header":
                overwrite(path, 0, 4096)
            case "pages":
                overwrite(path, 4096, path.stat().st_size - 4096)
            case "replaced":
                other = path.with_suffix(".other")
                sqlite3.connect(other).close()
                os.replace(other, path)
            case "folder deleted":
                shutil.rmtree(path.parent)

    kept(tmp_path / "below" / "runs.sqlite3", damage)


def checkpoint(path: Path) -> None:
    """Bring everything from the log into the file."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.parametrize("column", ["body", "sum", "part"])
def test_a_part_that_is_not_what_was_stored_is_not_served(tmp_path: Path, column: str) -> None:
    path = tmp_path / "runs.sqlite3"

    async def write(store: Store) -> None:
        await store.put("a", {"document": b"1", "seed": b"2"})

    async def read(store: Store) -> None:
        assert await store.get("a", "document") is None
        await store.put("a", {"document": b"1"})
        assert await store.get("a", "document") == b"1"

    using(FileStore(path, 1 << 20), write)
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM parts WHERE part = 'seed'") if column != "part" else database.execute(
            "DELETE FROM parts WHERE part = 'document'"
        )
        database.execute(f"UPDATE parts SET {column} = ?", ("document" if column == "part" else b"3",))
    using(FileStore(path, 1 << 20), read)


def test_a_file_of_ours_that_is_damaged_at_the_start_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def write(store: Store) -> None:
        await store.put("a", {"document": b"1"})
        assert await store.get("a", "document") == b"1"

    using(FileStore(path, 1 << 20), write)
    overwrite(path, 100, path.stat().st_size - 100)
    using(FileStore(path, 1 << 20), write)
    assert path.with_name("runs.sqlite3.damaged").exists()


def test_a_full_disk_is_reported_until_there_is_room(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        assert isinstance(store, FileStore) and store._database is not None
        await store.put("a", {"document": b"1"})
        pages = store._database.execute("PRAGMA page_count").fetchone()[0]
        store._database.execute(f"PRAGMA max_page_count = {pages}")
        await store.put("b", {"document": bytes(100_000)})
        assert "full" in (store.problem or "")
        assert await store.get("a", "document") == b"1" and await store.get("b", "document") is None
        await store.check()
        assert "full" in (store.problem or "")
        store._database.execute("PRAGMA max_page_count = 100000")
        await store.put("c", {"document": b"3"})
        assert store.problem is None and await store.get("c", "document") == b"3"

    using(FileStore(tmp_path / "runs.sqlite3", 1 << 20), body)


def test_storage_that_cannot_keep_up_does_not_fill_the_memory(tmp_path: Path) -> None:
    async def body(store: Store) -> None:
        assert isinstance(store, LayeredStore)
        for number in range(100):
            await store.put(str(number), {"document": bytes(1 << 20)})
        assert store._writing <= 32 << 20

    using(make_store(tmp_path / "runs.sqlite3", 1 << 30, 1 << 20), body)


def test_a_damaged_document_is_computed_again(serve: Serve, tmp_path: Path) -> None:
    with serve(FAKE_JOBS) as address:
        first = httpx.post(f"{address}/v1/runs", json={"code": "x"}).json()
    with contextlib.closing(sqlite3.connect(tmp_path / "runs.sqlite3")) as database, database:
        database.execute("UPDATE parts SET body = ?", (b"junk",))
    with serve(FAKE_JOBS) as address:
        assert httpx.get(f"{address}/v1/runs/{first['id']}").status_code == 404
        again = httpx.post(f"{address}/v1/runs", json={"code": "x"})
        assert again.status_code == 200 and again.json()["id"] == first["id"]
        assert httpx.get(f"{address}/v1/runs/{first['id']}").json() == again.json()
