"""Results are kept, within bounds, and a store that fails never fails a request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.store import FileStore, LayeredStore, MemoryStore, Store, make_store
from tests.conftest import Serve
from tests.service.conftest import FAKE_JOBS

Body = Callable[[Store], Coroutine[None, None, None]]


def using(store: Store, body: Body) -> None:
    async def run() -> None:
        await store.open()
        try:
            await body(store)
        finally:
            await store.close()

    # In a thread of its own, because browser tests in the same session keep an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()


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


def test_memory_keeps_what_is_used() -> None:
    async def body(store: Store) -> None:
        for number in range(100):
            await store.put(str(number), {"document": bytes(300)})
            assert await store.get("0", "document") is not None
        assert await store.get("1", "document") is None
        await store.put("huge", {"document": bytes(5000)})
        assert await store.get("huge", "document") is None

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
