"""Where results live: one small interface, kept in memory, in a file, or in both.

A result is a few named parts of compressed bytes (`document`, `value:v7` …) under the id of its run. Results never
change, so a store may forget whatever it likes: a lost run is computed again when its program is sent again. What is
deleted is gone at once where it was deleted, and from the memory of other processes `FRESH_SECONDS` later.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import os
import re
import sqlite3
import stat
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from app.flights import SingleFlight
from app.keys import SECRET_BYTES, Keys
from app.logs import stub

log = logging.getLogger("backlight.store")

Parts = Mapping[str, bytes]
Row = tuple[bytes, bytes, float]  # body, checksum, when it was last used
T = TypeVar("T")

APPLICATION_ID = 0x424C4954  # in the header of the file: it is ours, whatever else has happened to it
VERSION = 4
SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
DROP TABLE IF EXISTS runs;
DROP TABLE IF EXISTS parts;
CREATE TABLE runs (run TEXT PRIMARY KEY, used REAL NOT NULL, size INTEGER NOT NULL DEFAULT 0);
CREATE TABLE parts (run TEXT, part TEXT, body BLOB NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (run, part));
CREATE INDEX by_use ON runs (used);
CREATE TABLE IF NOT EXISTS secret (id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL);
PRAGMA user_version = {VERSION};
"""
SIZE = "UPDATE runs SET size = (SELECT coalesce(sum(length(body)), 0) FROM parts WHERE parts.run = runs.run)"
MIGRATION = f"""
ALTER TABLE runs ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
{SIZE};
PRAGMA user_version = {VERSION};
"""
"""From version 3, whose runs had no size."""
SELECT = """
SELECT CASE WHEN length(body) <= ? THEN body END, sum, CAST(used AS REAL)
FROM parts JOIN runs USING (run) WHERE run = ? AND part = ?
"""
NAME = re.compile(r"[\w.:/@-]{1,64}", re.ASCII)
"""What runs and their parts may be called: a name becomes text in a file, part of a key on a server, and a checksum."""
SECRET = "SELECT body FROM secret WHERE typeof(body) = 'blob' AND length(body) = ?"
OTHER_TABLES = ("no such", "has no column", "values were supplied")  # what SQLite says where a table is not ours
NEWEST = "SELECT CAST(max(used) AS REAL) FROM runs"
UNFIT = (sqlite3.DataError, sqlite3.InterfaceError, ValueError, TypeError, OverflowError)
"""What is said of a value that cannot be written; everything else is said of the file."""
TOUCH_SECONDS = 3600.0
LOOK_SECONDS = 1.0  # how often to look whether the file is still the one that is open, and to try again after a failure
EVICT_RUNS = 32
OLDER = 3600.0 / (1 << 20)
"""By how many seconds a run counts as used earlier for each of its bytes, by an hour for a megabyte: a few large ones
push out each other, and not what everybody else has used today."""
OLDEST = f"SELECT run FROM runs ORDER BY used - {OLDER} * size LIMIT {EVICT_RUNS}"
BUSY_MS, CLEAR_MS = 2000, 100  # how long to wait for another process, and to empty the log
SMALL = 128 << 10
MAX_WRITING = 32 << 20
FRESH_SECONDS = 60.0  # after which memory asks again whether a part is still there: another process may have deleted it
TABLES = {"runs", "parts", "secret"}
PRIVATE = 0o600
BESIDE = ("-wal", "-shm")


def storable(run: str, parts: Parts) -> Parts:
    """The parts that can be kept; the others are as good as lost."""
    kept = {part: body for part, body in parts.items() if isinstance(body, bytes) and is_name(run) and is_name(part)}
    if len(kept) < len(parts):
        log.warning("%d parts of a run are not kept: their names are none", len(parts) - len(kept))
    return kept


def is_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None


class Store(Protocol):
    """What the service needs of a store. None of the methods raises because storage failed."""

    @property
    def keys(self) -> Keys:
        """What the ids of its runs are made with."""

    async def open(self) -> None:
        """Make ready."""

    async def get(self, run: str, part: str) -> bytes | None:
        """One part of a run, or None if it is not (or no longer) here."""

    async def put(self, run: str, parts: Parts) -> None:
        """Keep parts of a run, beside those already there."""

    async def add(self, run: str, parts: Parts) -> None:
        """Keep more parts of a run, if it is still here."""

    async def delete(self, run: str) -> bool:
        """Forget a run and all of its parts; False if it may still be somewhere."""

    async def settle(self) -> None:
        """Return when what was put until now is kept, or cannot be."""

    async def check(self) -> None:
        """Notice what has happened to the storage, and recover if that is possible."""

    async def close(self) -> None:
        """Finish what is under way."""

    @property
    def problem(self) -> str | None:
        """Why results are not kept at the moment; None when all is well."""


@dataclass
class Kept:
    """A run in memory: its parts and when each was put, when it was last used, and how many bytes it has."""

    parts: dict[str, tuple[bytes, float]] = field(default_factory=dict)
    used: float = 0.0
    size: int = 0


class MemoryStore:
    """The most recently used runs, up to `capacity` bytes; each byte of a run makes it `older` by so many seconds."""

    problem: str | None = None

    def __init__(self, capacity: int, older: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.keys = Keys()
        self.capacity = capacity
        self.older = older
        self.clock = clock
        self.size = 0
        self._runs: dict[str, Kept] = {}
        self._by_size: defaultdict[int, OrderedDict[str, Kept]] = defaultdict(OrderedDict)
        """Runs in the order of their use, by the binary digits of their size."""

    async def open(self) -> None:
        pass

    async def get(self, run: str, part: str) -> bytes | None:
        kept = self.look(run, part)
        return kept[0] if kept is not None else None

    def look(self, run: str, part: str) -> tuple[bytes, float] | None:
        """A part and its age in seconds, whose run is used by this."""
        kept = self._runs.get(run)
        if kept is None or part not in kept.parts:
            return None
        self._take(run)
        self._place(run, kept)
        body, put = kept.parts[part]
        return body, self.clock() - put

    async def put(self, run: str, parts: Parts) -> None:
        fitting = {part: body for part, body in storable(run, parts).items() if len(body) <= self.capacity}
        if not fitting:
            return
        kept = self._take(run) or Kept()
        for part, body in fitting.items():
            kept.size += len(body) - len(kept.parts.get(part, (b"",))[0])
            kept.parts[part] = body, self.clock()
        self._place(run, kept)
        while self.size > self.capacity:
            self._take(run if kept.size > self.capacity else self._oldest())

    async def add(self, run: str, parts: Parts) -> None:
        if run in self._runs:
            await self.put(run, parts)

    async def delete(self, run: str) -> bool:
        self._take(run)
        return True

    def _take(self, run: str) -> Kept | None:
        """Take a run out; None if it is not here."""
        kept = self._runs.pop(run, None)
        if kept is not None:
            self.size -= kept.size
            alike = self._by_size[kept.size.bit_length()]
            del alike[run]
            if not alike:
                del self._by_size[kept.size.bit_length()]
        return kept

    def _place(self, run: str, kept: Kept) -> None:
        """Put a run where the last used are."""
        kept.used = self.clock()
        self.size += kept.size
        self._runs[run] = self._by_size[kept.size.bit_length()][run] = kept

    def _oldest(self) -> str:
        """The run to go first: of each size those that were used longest ago are compared."""
        first = (next(iter(alike.items())) for alike in self._by_size.values())
        return min(first, key=lambda item: item[1].used - self.older * item[1].size)[0]

    async def settle(self) -> None:
        pass

    async def check(self) -> None:
        pass

    async def close(self) -> None:
        pass


class FileStore:
    """A SQLite file in WAL mode, which several processes on one machine may share.

    Small parts are read at once, everything else is done on a thread of its own, where writes that come together are
    one transaction. When the file holds more than `capacity` bytes, the runs that were not read for longest go; large
    ones count as not read for longer.

    Only its owner can read the file, and what is deleted is overwritten in it. Its secret stays when the rest is made
    anew; a file that takes the place of a lost one gets the same.

    Every part carries a checksum of its name and its bytes; one that does not fit is as good as lost. A failure (no
    space, read-only, not a database) is logged and shown in `problem` until a write has succeeded. A file that has been
    deleted or replaced is opened anew; one of ours that is damaged is moved aside.
    """

    def __init__(self, path: Path, capacity: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = path
        self.capacity = capacity
        self.clock = clock
        self.problem: str | None = None
        self.keys = Keys()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._database: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        self._identity: tuple[int, int] | None = None
        self._looked = -LOOK_SECONDS
        self._pending: list[tuple[str, Parts, bool]] = []  # True: only if the run is there
        self._remains = False  # whether the log may still hold what was deleted
        self._touched: set[str] = set()
        self._large: SingleFlight[bytes | None] = SingleFlight()  # all who read the same share the same bytes
        self._flushing: asyncio.Task[None] | None = None
        self._calendar = Calendar(clock)

    async def open(self) -> None:
        await self._call(self._open)

    async def get(self, run: str, part: str) -> bytes | None:
        if not (is_name(run) and is_name(part)):
            return None
        if self.clock() - self._looked > LOOK_SECONDS:
            await self.check()
        try:
            row = self._peek(run, part)
        except sqlite3.Error as error:
            failure = error
            await self._call(lambda: self._recover(failure))
            return None
        if row is not None and row[0] is None:
            return await self._large.do((run, part), lambda: self._call(lambda: self._read(run, part)))
        return self._checked(run, part, row) if row is not None else None

    def _peek(self, run: str, part: str) -> Row | None:
        """The row of a part, without the body of a large one."""
        if not self._reading.acquire(blocking=False):
            return None  # the file is being opened or closed
        try:
            if self._reader is None:
                return None
            row: Row | None = self._reader.execute(SELECT, (SMALL, run, part)).fetchone()
            return row
        finally:
            self._reading.release()

    async def put(self, run: str, parts: Parts) -> None:
        if kept := storable(run, parts):
            self._pending.append((run, kept, False))
        await self._flush()

    async def add(self, run: str, parts: Parts) -> None:
        if kept := storable(run, parts):
            self._pending.append((run, kept, True))
        await self._flush()

    async def delete(self, run: str) -> bool:
        self._pending = [kept for kept in self._pending if kept[0] != run]
        self._touched.discard(run)
        return await self._call(lambda: self._delete(run)) is True

    async def settle(self) -> None:
        await self._flush()

    async def check(self) -> None:
        self._looked = self.clock()
        await self._call(self._look)

    async def close(self) -> None:
        await self._flush()
        await self._call(self._close)
        self._thread.shutdown()

    async def _flush(self) -> None:
        """Write what is pending; whoever comes while a write is under way shares the next one."""
        while self._pending or self._touched:
            if self._flushing is None:
                self._flushing = asyncio.create_task(self._write_pending())
            await asyncio.shield(self._flushing)

    async def _write_pending(self) -> None:
        pending, self._pending = self._pending, []
        touched, self._touched = self._touched, set()
        try:
            await self._call(lambda: self._write(pending, touched))
        finally:
            self._flushing = None

    async def _call(self, work: Callable[[], T]) -> T | None:
        """Do `work` on the store's thread; None if storage fails."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: self._guarded(work))

    # On the thread

    def _guarded(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            with contextlib.suppress(sqlite3.Error, OSError):
                self._recover(error)
            return None

    def _report(self, error: Exception) -> None:
        if self.problem is None:
            log.warning("results are not kept in %s: %s", self.path, error)
        self.problem = str(error)

    def _recover(self, error: Exception) -> None:
        """Say what is wrong; a damaged file is put aside at once, everything else is tried again later."""
        self._report(error)
        self._looked = self.clock()
        other_tables = any(words in str(error) for words in OTHER_TABLES)
        if isinstance(error, sqlite3.OperationalError) and not other_tables:
            return  # full, locked or read-only: what is there can still be read
        ours = (self._identity is not None and identity(self.path) == self._identity) or is_ours(self.path)
        self._close()
        if other_tables and ours:
            self._open(anew=True)
        elif type(error) is sqlite3.DatabaseError and ours:
            set_aside(self.path)
            self._open()

    def _open(self, anew: bool = False) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.path.parent.stat().st_uid not in (0, os.getuid()):  # in /tmp anybody may have been first
            raise PermissionError(f"{self.path.parent} belongs to somebody else")
        make_private(self.path)
        self._database = self._connect(BUSY_MS / 1000)
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        tables = {name for (name,) in self._database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        known = tables >= TABLES and not anew
        if known and version == 3:
            self._run(MIGRATION)
        elif version != VERSION or not known:
            self._run(SCHEMA)
            with contextlib.suppress(sqlite3.Error):  # another process may be reading
                self._database.execute("VACUUM")
            self._remains = True
        self._adopt(self._database)
        self._calendar.now(self._database.execute(NEWEST).fetchone()[0] or 0.0)
        with self._reading:
            self._reader = self._connect(0.0)
        self._identity = identity(self.path)

    def _run(self, script: str) -> None:
        """All statements of a script, or none."""
        assert self._database is not None
        with transaction(self._database):
            for statement in script.split(";"):
                self._database.execute(statement)

    def _adopt(self, database: sqlite3.Connection) -> None:
        """Take the secret of the file, or give it ours where it has none."""
        kept = database.execute(SECRET, (SECRET_BYTES,)).fetchone()
        if kept is None:
            with transaction(database):  # another process may be at it, too
                kept = database.execute(SECRET, (SECRET_BYTES,)).fetchone() or (self.keys.secret,)
                database.execute("INSERT OR REPLACE INTO secret VALUES (1, ?)", kept)
        self.keys.adopt(kept[0])

    def _connect(self, timeout: float) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute("PRAGMA secure_delete = ON")
            database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _look(self) -> None:
        """Open the file anew if it is not the one that is open."""
        if self._database is not None and identity(self.path) != self._identity:
            self._report(OSError("the file has been deleted or replaced"))
            self._close()
        if self._database is None:
            self._open()
            self._probe()
        self._clear()

    def _probe(self) -> None:
        """A write that changes nothing; it raises where writing is not possible."""
        assert self._database is not None
        with transaction(self._database):
            self._database.execute(f"PRAGMA user_version = {VERSION}")
        self.problem = None

    def _read(self, run: str, part: str) -> bytes | None:
        if self._database is None:
            return None
        row = self._database.execute(SELECT, (1 << 40, run, part)).fetchone()
        return self._checked(run, part, row) if row is not None else None

    def _checked(self, run: str, part: str, row: Row) -> bytes | None:
        body, expected, used = row
        if not isinstance(body, bytes) or checksum(run, part, body) != expected:
            log.warning("part %s of run %s is damaged in %s", part, stub(run), self.path)
            return None
        if used < self._calendar.now() - TOUCH_SECONDS:
            self._touched.add(run)
        return body

    def _delete(self, run: str) -> bool:
        """Raises where it cannot be done."""
        if self._database is None:
            self._look()
        assert self._database is not None
        with transaction(self._database):
            for table in ("parts", "runs"):
                self._remains |= self._database.execute(f"DELETE FROM {table} WHERE run = ?", (run,)).rowcount > 0
        self._clear()
        return True

    def _clear(self) -> None:
        """Empty the log, which holds pages as they were before; later, if another process still reads from it."""
        if self._remains and self._database is not None:
            self._database.execute(f"PRAGMA busy_timeout = {CLEAR_MS}")
            (busy, *_) = self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._database.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            self._remains = bool(busy)

    def _write(self, pending: list[tuple[str, Parts, bool]], touched: set[str]) -> None:
        if self._database is None or identity(self.path) != self._identity:
            if self._database is None and self.clock() - self._looked < LOOK_SECONDS:
                return
            self._looked = self.clock()
            self._look()
        database = self._database
        assert database is not None
        try:
            self._insert(database, pending, touched)
        except UNFIT:
            for entry in pending:
                try:
                    self._insert(database, [entry], touched)
                except UNFIT as error:
                    log.warning("a run cannot be kept in %s: %s", self.path, error)
        self._evict(database)
        self.problem = None

    def _evict(self, database: sqlite3.Connection) -> None:
        """Delete what was not used for longest, no more of it than must go."""
        while self._bytes() > self.capacity:
            oldest = database.execute(OLDEST).fetchall()
            if not oldest:
                return
            with transaction(database):
                for run in oldest:
                    database.execute("DELETE FROM parts WHERE run = ?", run)
                    database.execute("DELETE FROM runs WHERE run = ?", run)
                    if self._bytes() <= self.capacity:
                        break

    def _insert(self, database: sqlite3.Connection, pending: list[tuple[str, Parts, bool]], touched: set[str]) -> None:
        with transaction(database):
            now = self._calendar.now(database.execute(NEWEST).fetchone()[0] or 0.0)
            database.executemany("UPDATE runs SET used = ? WHERE run = ?", [(now, run) for run in touched])
            for run, parts, only_beside in pending:
                if only_beside:
                    found = database.execute("UPDATE runs SET used = ? WHERE run = ?", (now, run)).rowcount
                    if not found:
                        continue
                else:
                    database.execute("INSERT OR REPLACE INTO runs (run, used) VALUES (?, ?)", (run, now))
                rows = [(run, part, body, checksum(run, part, body)) for part, body in parts.items()]
                database.executemany("INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?)", rows)
            database.executemany(f"{SIZE} WHERE run = ?", [(run,) for run, _, _ in pending])

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
        with self._reading:
            for database in (self._reader, self._database):
                if database is not None:
                    with contextlib.suppress(sqlite3.Error):
                        database.close()
            self._reader = self._database = self._identity = None


class Calendar:
    """The time of day, but never earlier than what was said before: a clock that is set back makes nothing older."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._said, self._at = 0.0, clock()

    def now(self, least: float = 0.0) -> float:
        """The time, which is past `least`."""
        at = self.clock()
        self._said, self._at = max(self._said + at - self._at, time.time(), math.nextafter(least, math.inf)), at
        return self._said


def checksum(run: str, part: str, body: bytes) -> bytes:
    """Names the bytes and where they belong."""
    return hashlib.blake2b(body, digest_size=16, key=hashlib.sha256(f"{run}/{part}".encode()).digest()).digest()


def identity(path: Path) -> tuple[int, int] | None:
    """Which file stands at `path`; None if there is none, or nothing in it."""
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_size else None


def make_private(path: Path) -> None:
    """Make the file where there is none; let only its owner read it, and what SQLite puts beside it, if it is ours."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE))
    if path.is_file() and (path.stat().st_size == 0 or is_ours(path)):
        for file in (path, *(path.with_name(path.name + suffix) for suffix in BESIDE)):
            with contextlib.suppress(FileNotFoundError, PermissionError):  # who may write it need not own it
                if stat.S_IMODE(file.stat().st_mode) != PRIVATE:
                    file.chmod(PRIVATE)


def is_ours(path: Path) -> bool:
    """Whether the header of a file says that it was made here."""
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    return header.startswith(b"SQLite format 3\0") and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def set_aside(path: Path) -> None:
    """Move a damaged file out of the way, for whoever wants to know what happened to it."""
    log.error("%s is damaged; it is kept as %s.damaged", path, path.name)
    os.replace(path, path.with_name(f"{path.name}.damaged"))
    for suffix in BESIDE:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All of the statements inside, or none."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # SQLite itself rolls back when the disk is full
            database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


class LayeredStore:
    """Memory in front of something slower, which is written to behind the answer.

    The slower one decides what is there: memory asks it again for what it has held for `FRESH_SECONDS`, unless it
    cannot be asked.
    """

    def __init__(self, front: MemoryStore, back: Store) -> None:
        self.front = front
        self.back = back
        self._writes: set[asyncio.Task[None]] = set()
        self._writing = 0
        self._deletions = 0

    @property
    def keys(self) -> Keys:
        return self.back.keys

    @property
    def problem(self) -> str | None:
        return self.back.problem

    async def open(self) -> None:
        await self.back.open()

    async def get(self, run: str, part: str) -> bytes | None:
        held = self.front.look(run, part)
        if held is not None and held[1] < FRESH_SECONDS:
            return held[0]
        deletions = self._deletions
        body = await self.back.get(run, part)
        if body is None:
            if held is not None and self.back.problem is not None:
                return held[0]
            if held is not None:
                await self.front.delete(run)
        elif self._deletions == deletions:
            await self.front.put(run, {part: body})
        return body

    async def put(self, run: str, parts: Parts) -> None:
        await self.front.put(run, parts)
        self._write(self.back.put, run, parts)

    async def add(self, run: str, parts: Parts) -> None:
        await self.front.add(run, parts)
        self._write(self.back.add, run, parts)

    async def delete(self, run: str) -> bool:
        await self._forget(run)
        await asyncio.gather(*self._writes, return_exceptions=True)
        gone = await self.back.delete(run)
        await self._forget(run)
        return gone

    async def _forget(self, run: str) -> None:
        """Drop it from memory; whoever is reading it meanwhile does not bring it back."""
        self._deletions += 1
        await self.front.delete(run)

    def _write(self, keep: Callable[[str, Parts], Coroutine[None, None, None]], run: str, parts: Parts) -> None:
        size = sum(map(len, parts.values()))
        if self._writing and self._writing + size > MAX_WRITING:
            return  # storage that cannot keep up must not fill the memory
        self._writing += size
        task = asyncio.create_task(keep(run, parts))
        self._writes.add(task)
        task.add_done_callback(lambda task: self._written(task, size))

    def _written(self, task: asyncio.Task[None], size: int) -> None:
        self._writes.discard(task)
        self._writing -= size

    async def settle(self) -> None:
        await asyncio.gather(*self._writes, return_exceptions=True)
        await self.back.settle()

    async def check(self) -> None:
        await self.back.check()

    async def close(self) -> None:
        await asyncio.gather(*self._writes, return_exceptions=True)
        await self.back.close()


def make_store(path: Path | None, file_bytes: int, memory_bytes: int) -> Store:
    """The store the settings ask for: memory alone, or memory in front of a file."""
    if path is None:
        return MemoryStore(memory_bytes, older=OLDER)
    return LayeredStore(MemoryStore(memory_bytes), FileStore(path, file_bytes))
