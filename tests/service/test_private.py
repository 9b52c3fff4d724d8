"""Ids that nobody can compute, runs that can be deleted, and a file that nobody else can read."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from app import store as stores
from app.keys import Keys
from app.replicas import PREFIX, SharedStore, Valkey
from app.store import FileStore, LayeredStore, MemoryStore, make_private, make_store
from tests.conftest import Serve
from tests.loops import completed
from tests.service.conftest import FAKE_JOBS
from tests.valkey import Server, running

TOKEN = "Deletion-Token"
SECRET_TEXT = "text that must not be found again"


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Server]:
    yield from running(tmp_path)


def posted(client: httpx.Client, code: str) -> tuple[str, dict[str, str]]:
    """Where a run lies, and the header that deletes it."""
    answer = client.post("/v1/runs", json={"code": code})
    return answer.headers["content-location"], {TOKEN: answer.headers[TOKEN]}


def test_an_id_cannot_be_computed_without_the_secret_of_the_store() -> None:
    one, other = Keys(), Keys()
    assert one.run(b"x") == one.run(b"x") != other.run(b"x")
    assert re.fullmatch("[a-z2-7]{26}", one.run(b"x"))
    plain = base64.b32encode(hashlib.sha256(b"x").digest()[:16]).decode().rstrip("=").lower()
    assert plain not in (one.run(b"x"), other.run(b"x"))


def test_what_was_made_before_the_store_told_its_secret_stays_known() -> None:
    keys = Keys()
    run, token = keys.run(b"x"), keys.token("a")
    keys.adopt(Keys().secret)
    assert keys.run(b"x") != run and keys.made(run, b"x") and keys.proves(token, "a")
    with pytest.raises(ValueError, match="damaged"):
        keys.adopt(b"short")


def test_the_seed_of_a_program_is_a_function_of_its_text_alone(serve: Serve) -> None:
    with serve(FAKE_JOBS, store="memory") as one, serve(FAKE_JOBS, store="memory") as other:
        first, second = (httpx.post(f"{address}/v1/runs", json={"code": "x"}).json() for address in (one, other))
    assert first["globals"]["seed"] == second["globals"]["seed"] and first["id"] != second["id"]


def test_the_secret_of_a_file_outlives_its_schema_and_its_damage(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def secret(change: str | None = None) -> bytes:
        if change is not None:
            with closing(sqlite3.connect(path)) as database, database:
                database.execute(change)
        store = FileStore(path, 1 << 20)
        await store.open()
        await store.close()
        return store.keys.secret

    first = completed(secret())
    assert completed(secret()) == first
    for change in ("PRAGMA user_version = 1", "DROP TABLE parts"):
        assert completed(secret(change)) == first
    for change in ("UPDATE secret SET body = 'text'", "DELETE FROM secret", "DROP TABLE secret"):
        made = completed(secret(change))
        assert made != first and completed(secret()) == made


def test_a_file_that_takes_the_place_of_a_lost_one_has_its_secret(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def body() -> None:
        store = FileStore(path, 1 << 20)
        await store.open()
        secret = store.keys.secret
        path.unlink()
        await store.check()
        other = FileStore(path, 1 << 20)
        await other.open()
        assert store.keys.secret == other.keys.secret == secret
        await other.close()
        await store.close()

    completed(body())


def test_replicas_agree_on_a_secret_whatever_becomes_of_the_server(valkey: Server) -> None:
    async def body() -> None:
        one, other = Valkey(valkey.url), Valkey(valkey.url)
        first, second = SharedStore(one, 60), SharedStore(other, 60)
        valkey.stop()
        await first.open()
        await second.open()
        alone = first.keys.secret
        assert first.problem and alone != second.keys.secret
        valkey.start()
        async with asyncio.timeout(30):
            while first.keys.secret != second.keys.secret or first.problem or second.problem:
                await asyncio.sleep(0.02)
        assert alone in first.keys.secrets
        agreed = first.keys.secret
        await one.ask("DEL", f"{PREFIX}secret")
        await second.put("a", {"document": b"1"})  # every write keeps it there
        third = SharedStore(Valkey(valkey.url), 60)
        await third.open()
        assert third.keys.secret == second.keys.secret == agreed
        for server in (one, other, third.server):
            await server.close()

    completed(body())


def test_a_run_is_deleted_by_who_has_sent_it_and_by_nobody_else(fake: httpx.Client) -> None:
    location, token = posted(fake, "to be deleted")
    other, wrong = posted(fake, "another")
    for name in ("/graph.dot", "/values/v0"):
        assert fake.get(location + name).status_code == 200
    assert TOKEN not in fake.get(location).headers and TOKEN.lower() not in fake.get(location).text
    for headers in ({}, wrong, {TOKEN: ""}, {TOKEN: "x"}, {TOKEN: "\u00e9".encode()}, {TOKEN: token[TOKEN][:-1]}):
        refused = fake.delete(location, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (403, "/problems/wrong-token")
    assert fake.get(location).status_code == 200
    assert [fake.delete(location, headers=token).status_code for _ in range(2)] == [204, 204]
    for name in ("", "/graph.dot", "/graph.mmd", "/values/v0", "/values/v1", "/checks/t0"):
        assert fake.get(location + name, headers={"If-None-Match": "*"}).status_code == 404, name
    assert fake.get(other).status_code == 200
    assert fake.delete("/v1/runs/x", headers=token).json()["type"] == "/problems/unknown-run"


def test_a_deleted_run_that_is_sent_again_is_the_same_run(fake: httpx.Client) -> None:
    location, token = posted(fake, "comes again")
    fake.delete(location, headers=token)
    assert posted(fake, "comes again") == (location, token)
    assert fake.get(location).status_code == 200


def test_what_is_made_of_a_run_meanwhile_is_not_kept(serve: Serve) -> None:
    async def body() -> None:
        with serve(FAKE_JOBS, store="memory") as address:
            async with httpx.AsyncClient(base_url=address, timeout=30) as client:
                first = await client.post("/v1/runs", json={"code": "sleep 0.3"})
                location, token = first.headers["content-location"], {TOKEN: first.headers[TOKEN]}
                await client.delete(location, headers=token)
                again = asyncio.ensure_future(client.post("/v1/runs", json={"code": "sleep 0.3"}))
                async with asyncio.timeout(10):
                    while not (await client.get("/readyz")).json()["running"]:
                        await asyncio.sleep(0.01)
                assert (await client.delete(location, headers=token)).status_code == 204
                assert (await again).json()["id"] == first.json()["id"]
                assert (await client.get(location)).status_code == 404

    completed(body())


def test_a_deleted_run_is_not_readable_in_the_file(tmp_path: Path, serve: Serve) -> None:
    path = tmp_path / "runs.sqlite3"
    with serve(FAKE_JOBS) as address, httpx.Client(base_url=address) as client:
        location, token = posted(client, SECRET_TEXT)
        posted(client, "another")
        for _ in range(3):  # until it is written
            client.get("/readyz")
        files = [path, path.with_name("runs.sqlite3-wal")]
        assert any(SECRET_TEXT.encode() in file.read_bytes() for file in files)
        assert client.delete(location, headers=token).status_code == 204
        assert not any(SECRET_TEXT.encode() in file.read_bytes() for file in files)
        assert client.get(location).status_code == 404


def test_an_older_file_keeps_nothing_of_what_was_in_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite3"

    async def body() -> None:
        store = FileStore(path, 1 << 20)
        await store.open()
        await store.put("a", {"request": SECRET_TEXT.encode() * 500})
        await store.close()

    completed(body())
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("DELETE FROM parts")
        database.execute("PRAGMA user_version = 2")
    assert SECRET_TEXT.encode() in path.read_bytes()
    completed(body_of_an_upgrade(path))
    assert SECRET_TEXT.encode() not in path.read_bytes()


async def body_of_an_upgrade(path: Path) -> None:
    store = FileStore(path, 1 << 20)
    await store.open()
    await store.close()


def test_a_reader_does_not_bring_a_deleted_run_back(tmp_path: Path) -> None:
    async def body() -> None:
        store = make_store(tmp_path / "runs.sqlite3", 1 << 20, 1 << 20)
        assert isinstance(store, LayeredStore)
        await store.open()
        await store.put("a", {"document": os.urandom(200_000)})  # large ones are read on the thread
        await store.settle()
        await store.front.delete("a")
        reading = asyncio.ensure_future(store.get("a", "document"))
        await asyncio.sleep(0)
        assert await store.delete("a")
        await reading
        assert await store.get("a", "document") is None
        await store.close()

    completed(body())


def test_other_processes_forget_a_deleted_run_within_a_minute(tmp_path: Path) -> None:
    now = [0.0]

    async def body() -> None:
        one, other = (
            LayeredStore(MemoryStore(1 << 20, clock=lambda: now[0]), FileStore(tmp_path / "runs.sqlite3", 1 << 20))
            for _ in range(2)
        )
        await one.open()
        await other.open()
        await one.put("a", {"document": b"1"})
        await one.settle()
        assert await other.get("a", "document") == b"1"
        assert await one.delete("a")
        now[0] = stores.FRESH_SECONDS
        assert await other.get("a", "document") is None
        await other.add("a", {"graph.dot": b"2"})  # made of what was read before
        await other.settle()
        assert await one.get("a", "graph.dot") is None and await other.get("a", "graph.dot") is None
        await one.close()
        await other.close()

    completed(body())


def test_a_run_that_the_server_cannot_be_asked_to_forget_is_not_said_to_be_gone(valkey: Server, serve: Serve) -> None:
    with serve(FAKE_JOBS, store=valkey.url) as address, httpx.Client(base_url=address, timeout=30) as client:
        location, token = posted(client, "x")
        valkey.stop()
        answer = client.delete(location, headers=token)
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/not-ready")


def test_a_run_is_deleted_on_all_replicas(valkey: Server, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "FRESH_SECONDS", 0.0)
    with (
        serve(FAKE_JOBS, store=valkey.url) as address,
        serve(FAKE_JOBS, store=valkey.url) as beside,
        httpx.Client(base_url=address, timeout=30) as one,
        httpx.Client(base_url=beside, timeout=30) as other,
    ):
        location, token = posted(one, "x")
        assert posted(other, "x") == (location, token)
        assert other.delete(location, headers=token).status_code == 204
        assert [client.get(location).status_code for client in (one, other)] == [404, 404]


@pytest.mark.parametrize("before", [None, 0o644])
def test_only_its_owner_can_read_the_file(tmp_path: Path, before: int | None) -> None:
    path = tmp_path / "given" / "runs.sqlite3"

    async def body(during: bool) -> None:
        store = FileStore(path, 1 << 20)
        await store.open()
        await store.put("a", {"document": b"1"})
        if during:
            files = list(path.parent.iterdir())
            assert len(files) == 3 and {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        await store.close()

    mask = os.umask(0o022)
    try:
        if before is not None:
            completed(body(during=False))
            path.chmod(before)
        completed(body(during=True))
    finally:
        os.umask(mask)


def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear " * 100)
    path.chmod(0o644)
    make_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
