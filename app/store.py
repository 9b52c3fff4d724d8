"""Where results live: one small interface, kept in memory, in a file, or in both.

A result is a few named parts of compressed bytes (`document`, `value:v7` …) under the id of its run. Results never
change, so a store may forget whatever it likes: a lost run is computed again when its program is sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

log = logging.getLogger("backlight.store")

Parts = Mapping[str, bytes]
T = TypeVar("T")

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS runs (run TEXT PRIMARY KEY, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS parts (run TEXT, part TEXT, body BLOB NOT NULL, PRIMARY KEY (run, part));
CREATE INDEX IF NOT EXISTS by_use ON runs (used);
"""
TOUCH_SECONDS = 3600.0
EVICT_RUNS = 32
MAX_WRITES = 256


class Store(Protocol):
    """What the service needs of a store. None of the methods raises because storage failed."""

    async def open(self) -> None:
        """Make ready."""

    async def get(self, run: str, part: str) -> bytes | None:
        """One part of a run, or None if it is not (or no longer) here."""

    async def put(self, run: str, parts: Parts) -> None:
        """Keep parts of a run, beside those already there."""

    async def close(self) -> None:
        """Finish what is under way."""

    @property
    def problem(self) -> str | None:
        """Why results are not kept at the moment; None when all is well."""


class MemoryStore:
    """The most recently used parts, up to `capacity` bytes."""

    problem: str | None = None

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.size = 0
        self._parts: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    async def open(self) -> None:
        pass

    async def get(self, run: str, part: str) -> bytes | None:
        body = self._parts.get((run, part))
        if body is not None:
            self._parts.move_to_end((run, part))
        return body

    async def put(self, run: str, parts: Parts) -> None:
        for part, body in parts.items():
            if len(body) > self.capacity:
                continue
            self.size += len(body) - len(self._parts.pop((run, part), b""))
            self._parts[run, part] = body
        while self.size > self.capacity:
            _, body = self._parts.popitem(last=False)
            self.size -= len(body)

    async def close(self) -> None:
        pass


class FileStore:
    """A SQLite file in WAL mode, which several processes on one machine may share.

    Calls run on one thread of their own, in order. When the file holds more than `capacity` bytes, the runs that were
    not read for longest go. A failure (no space, read-only, not a database) is logged and shown in `problem`.
    """

    def __init__(self, path: Path, capacity: int) -> None:
        self.path = path
        self.capacity = capacity
        self.problem: str | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._database: sqlite3.Connection | None = None

    async def open(self) -> None:
        await self._call(self._open)

    async def get(self, run: str, part: str) -> bytes | None:
        return await self._call(lambda: self._get(run, part))

    async def put(self, run: str, parts: Parts) -> None:
        await self._call(lambda: self._put(run, parts))

    async def close(self) -> None:
        await self._call(self._close)
        self._thread.shutdown()

    async def _call(self, work: Callable[[], T]) -> T | None:
        """Do `work` on the store's thread; None if storage fails."""
        try:
            result = await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except (sqlite3.Error, OSError) as error:
            if self.problem is None:
                log.warning("results are not kept in %s: %s", self.path, error)
            self.problem = str(error)
            return None
        if self._database is not None:
            self.problem = None
        return result

    def _open(self) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.parent.stat().st_uid not in (0, os.getuid()):  # in /tmp anybody may have been first
            raise PermissionError(f"{self.path.parent} belongs to somebody else")
        database = sqlite3.connect(self.path, timeout=2.0, isolation_level=None, check_same_thread=False)
        try:
            database.executescript(SCHEMA)
        except sqlite3.Error:
            database.close()
            raise
        self._database = database

    def _get(self, run: str, part: str) -> bytes | None:
        if self._database is None:
            return None
        row = self._database.execute("SELECT body FROM parts WHERE run = ? AND part = ?", (run, part)).fetchone()
        if row is None:
            return None
        now = time.time()
        self._database.execute("UPDATE runs SET used = ? WHERE run = ? AND used < ?", (now, run, now - TOUCH_SECONDS))
        body: bytes = row[0]
        return body

    def _put(self, run: str, parts: Parts) -> None:
        if self._database is None:
            return
        with transaction(self._database):
            self._database.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (run, time.time()))
            self._database.executemany(
                "INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", [(run, part, body) for part, body in parts.items()]
            )
        while self._bytes() > self.capacity:
            oldest = self._database.execute("SELECT run FROM runs ORDER BY used LIMIT ?", (EVICT_RUNS,)).fetchall()
            if not oldest:
                return
            with transaction(self._database):
                self._database.executemany("DELETE FROM parts WHERE run = ?", oldest)
                self._database.executemany("DELETE FROM runs WHERE run = ?", oldest)

    def _bytes(self) -> int:
        """Bytes in use, without the pages that deleted runs left free."""
        assert self._database is not None
        pages, free, size = (
            self._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        used: int = (pages - free) * size
        return used

    def _close(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of the statements inside, or none."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


class LayeredStore:
    """Memory in front of something slower, which is written to behind the answer."""

    def __init__(self, front: MemoryStore, back: Store) -> None:
        self.front = front
        self.back = back
        self._writes: set[asyncio.Task[None]] = set()

    @property
    def problem(self) -> str | None:
        return self.back.problem

    async def open(self) -> None:
        await self.back.open()

    async def get(self, run: str, part: str) -> bytes | None:
        body = await self.front.get(run, part)
        if body is None:
            body = await self.back.get(run, part)
            if body is not None:
                await self.front.put(run, {part: body})
        return body

    async def put(self, run: str, parts: Parts) -> None:
        await self.front.put(run, parts)
        if len(self._writes) < MAX_WRITES:  # storage that cannot keep up must not fill the memory
            task = asyncio.create_task(self.back.put(run, parts))
            self._writes.add(task)
            task.add_done_callback(self._writes.discard)

    async def close(self) -> None:
        await asyncio.gather(*self._writes, return_exceptions=True)
        await self.back.close()


def make_store(path: Path | None, file_bytes: int, memory_bytes: int) -> Store:
    """The store the settings ask for: memory alone, or memory in front of a file."""
    memory = MemoryStore(memory_bytes)
    return memory if path is None else LayeredStore(memory, FileStore(path, file_bytes))
