"""What several replicas share through one Valkey (or Redis) server: results, flights and budgets.

A replica never depends on the server. Without it each goes on alone: with its own memory, its own flights and its own
budgets; it says so (`problem`), and tries in the background whether it can be asked again. Nothing here raises because
the server failed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import RedisError, ResponseError

from app.keys import SECRET_BYTES, Keys
from app.logs import stub
from app.store import Parts, checksum, is_name, storable

log = logging.getLogger("backlight.replicas")

T = TypeVar("T")

PREFIX = "backlight:"
SECRET = f"{PREFIX}secret"
SUM = 16  # bytes of a checksum
ANSWER_SECONDS = 0.5
LATE_SECONDS = 0.05
RETRY_SECONDS = 1.0
TRIAL_SECONDS = 5.0  # how long to wait for a server that has failed: nobody else waits meanwhile
CONNECTIONS = 64
FAILURES = (RedisError, OSError, ValueError, TypeError, RecursionError)  # from ValueError on: it speaks no RESP

LEASE_MS = 3000
RENEW_SECONDS = 1.0
POLL_SECONDS = (0.01, 0.5)
FAILED = b"failed"
FAILED_MS = 2000  # longer than anybody sleeps between two looks

TAKE = """
local held = redis.call('get', KEYS[1])
if held and redis.call('pttl', KEYS[1]) >= 0 then return held end  -- what never ends is nobody's
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return false
"""
RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
RENEW = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end
return redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2])
"""
FAIL = """
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2], 'px', ARGV[3]) end
return 0
"""
AGREE = "return redis.call('set', KEYS[1], ARGV[1], 'nx', 'get')"
ADD = "if redis.call('exists', KEYS[1]) == 1 then return redis.call('hset', KEYS[1], unpack(ARGV)) end return 0"
CHARGE = """
local now = redis.call('time')
now = now[1] + now[2] / 1e6
local seconds, most, rate, least = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('hmget', KEYS[1], 'level', 'filled')
local level, filled = tonumber(kept[1] or most) or most, tonumber(kept[2] or now) or now
local ahead = filled > now  -- the server's clock was set back
level = math.max(-most, math.min(most, level + (now - math.min(now, filled)) * rate))
if seconds > 0 or ahead then
  level = math.max(math.min(level, least), level - seconds)
  redis.call('hset', KEYS[1], 'level', tostring(level), 'filled', string.format('%.6f', now))
  redis.call('expire', KEYS[1], math.ceil((most - level) / rate) + 1)
end
return tostring(level)
"""


class Valkey:
    """One server, by its address. Once it has failed, nothing is asked of it until it has taken a write again."""

    def __init__(self, url: str) -> None:
        self.problem: str | None = None
        if url.startswith("valkey"):
            url = "redis" + url.removeprefix("valkey")
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TRIAL_SECONDS,
            socket_timeout=TRIAL_SECONDS,
            socket_connect_timeout=TRIAL_SECONDS,
            # A connection that the server has closed is opened again, once.
            retry=Retry(NoBackoff(), 1, (Disconnected,)),
        )
        self._redis: Any = Redis.from_pool(pool)
        self._scripts: dict[str, Any] = {}
        self._asked: set[asyncio.Task[Any]] = set()
        self._returning: asyncio.Task[None] | None = None
        self.returned: Callable[[], Awaitable[None]] | None = None  # is awaited when it has come back

    async def ask(self, *command: str | bytes | float) -> Any:
        """The answer to a command, or None where there is none to be had."""
        return await self._guarded(lambda: self._redis.execute_command(*command))

    async def run(self, script: str, key: str, *arguments: str | bytes | float) -> Any:
        """The answer of a script over one key, which the server runs as a whole."""
        kept = self._scripts.get(script) or self._scripts.setdefault(script, self._redis.register_script(script))
        return await self._guarded(lambda: kept(keys=[key], args=list(arguments)))

    async def _guarded(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """The answer, if it comes in time. Who leaves before leaves it to itself: a connection serves the next one."""
        if self.problem is not None:
            return None
        work = asyncio.ensure_future(self._answer(ask))
        self._asked.add(work)
        work.add_done_callback(self._asked.discard)
        await asyncio.wait({work}, timeout=ANSWER_SECONDS)
        await asyncio.wait({work}, timeout=LATE_SECONDS)  # an answer may lie here, unread, while others were busy
        if work.done():
            return work.result()
        work.cancel()
        self._failed(f"no answer within {ANSWER_SECONDS:g} seconds")
        return None

    async def _answer(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        try:
            return await ask()
        except ResponseError as error:
            if not str(error).startswith("WRONGTYPE"):  # which says something of a key, not of the server
                self._failed(str(error))
        except FAILURES as error:
            self._failed(str(error) or type(error).__name__)
        return None

    def _failed(self, problem: str) -> None:
        if self.problem is None:
            log.warning("this replica goes on alone: %s", problem)
            self._returning = asyncio.get_running_loop().create_task(self._return())
        self.problem = problem

    async def _return(self) -> None:
        """Try until the server takes a write, each time over a connection of its own: its name may have moved."""
        while self.problem is not None:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                await self._redis.connection_pool.disconnect(inuse_connections=False)
                await self._redis.set(f"{PREFIX}trial", b"", px=1000)
            except FAILURES as error:
                self.problem = str(error) or self.problem
            else:
                self.problem = None
        log.warning("this replica shares with others again")
        if self.returned is not None:
            await self.returned()

    async def close(self) -> None:
        if self._returning is not None:
            self._returning.cancel()
        with contextlib.suppress(*FAILURES):
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._redis.aclose()


class SharedStore:
    """Results in the server's memory, for `seconds` after they were last written or asked for.

    The server bounds how much that is (`maxmemory`, with the policy `allkeys-lru`). Each part carries a checksum of its
    name and bytes. The secret of ids is the first that a replica has written there; every write asks for it again, so
    that it does not leave before what it names. A replica that finds no server makes ids of its own until it does.
    """

    def __init__(self, server: Valkey, seconds: float) -> None:
        self.server = server
        self.seconds = max(1, round(seconds))
        self.keys = Keys()
        server.returned = self._agree

    @property
    def problem(self) -> str | None:
        return self.server.problem

    async def open(self) -> None:
        await self._agree()

    async def _agree(self) -> None:
        """Have the secret that all replicas have."""
        kept = await self.server.run(AGREE, SECRET, self.keys.secret)
        if isinstance(kept, bytes) and kept != self.keys.secret:
            if len(kept) == SECRET_BYTES:
                self.keys.adopt(kept)
            else:
                await self.server.ask("DEL", SECRET)
                log.warning("the secret of ids is damaged")

    async def get(self, run: str, part: str) -> bytes | None:
        if not (is_name(run) and is_name(part)):
            return None
        kept = await self.server.ask("HGET", f"{PREFIX}run:{run}", part)
        if not isinstance(kept, bytes):
            return None
        expected, body = kept[:SUM], kept[SUM:]
        if checksum(run, part, body) != expected:
            log.warning("part %s of run %s is damaged", part, stub(run))
            return None
        await self.server.ask("EXPIRE", f"{PREFIX}run:{run}", self.seconds)
        return body

    async def put(self, run: str, parts: Parts) -> None:
        kept = storable(run, parts)
        if kept and await self.server.ask("HSET", f"{PREFIX}run:{run}", *pairs(run, kept)) is not None:
            await self.server.ask("EXPIRE", f"{PREFIX}run:{run}", self.seconds)
            await self._agree()

    async def add(self, run: str, parts: Parts) -> None:
        if kept := storable(run, parts):
            await self.server.run(ADD, f"{PREFIX}run:{run}", *pairs(run, kept))

    async def delete(self, run: str) -> bool:
        return await self.server.ask("DEL", f"{PREFIX}run:{run}") is not None

    async def settle(self) -> None:
        pass

    async def check(self) -> None:
        await self.server.ask("PING")

    async def close(self) -> None:
        await self.server.close()


def pairs(run: str, parts: Parts) -> list[str | bytes]:
    """Names and bodies by turns, each body behind its checksum."""
    return [text for part, body in parts.items() for text in (part, checksum(run, part, body) + body)]


class Place:
    """A replica's place at the head of those that want one result: a key that lives `LEASE_MS` and is renewed.

    One that has lapsed, because the machine stood still, is taken again if nobody has taken it meanwhile.
    """

    def __init__(self, server: Valkey, key: str) -> None:
        self.server = server
        self.name, self.token = f"{PREFIX}flight:{key}", secrets.token_hex(8)
        self._left = asyncio.Event()
        self._renewing: asyncio.Task[None] | None = None

    async def take(self) -> Any:
        """None if it is ours, or there is no server to ask; else what its holder has written."""
        return await self.server.run(TAKE, self.name, self.token, LEASE_MS)

    def keep(self) -> None:
        """Renew it until it is left."""
        self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS):
                    await self._left.wait()
                    return
            await self.server.run(RENEW, self.name, self.token, LEASE_MS)

    async def leave(self, script: str = RELEASE, *arguments: str | bytes | float) -> None:
        """Have the server run `script`, which ends it, when no renewal is under way that would take it again."""
        self._left.set()
        if self._renewing is not None:
            await self._renewing
        await self.server.run(script, self.name, self.token, *arguments)


class SharedFlights:
    """One replica makes a result, the others wait for it: as long as it says that it is there, as a job may take
    minutes where many wait for a core."""

    def __init__(self, server: Valkey) -> None:
        self.server = server
        self._landing: set[asyncio.Task[None]] = set()

    async def do(
        self,
        key: str,
        find: Callable[[], Awaitable[bytes | None]],
        make: Callable[[], Awaitable[bytes]],
        kept: Callable[[], Awaitable[None]],
    ) -> bytes:
        """What `find` finds once another replica has made it, or else what `make` gives.

        `kept` returns when others can find that. A replica that ends while it makes something is succeeded by one of
        those that wait, `LEASE_MS` later at most. Where it fails, each of them tries for itself: in turn they would
        wait for one failure after the other.
        """
        place = Place(self.server, key)
        try:
            if not await self._leads(place, find):
                return await find() or await make()
            return await self._lead(place, find, make, kept)
        except asyncio.CancelledError:  # whatever the server has been asked by then
            self._land(place.leave())
            raise

    async def _leads(self, place: Place, find: Callable[[], Awaitable[bytes | None]]) -> bool:
        """Wait until nobody else makes it, or the server is gone; False as soon as waiting is of no more use."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        least, most = POLL_SECONDS
        while (holder := await place.take()) is not None:
            if holder == FAILED or await find() is not None:
                return False
            await asyncio.sleep(min(most, max(least, (loop.time() - began) / 4)))
        return True

    async def _lead(
        self,
        place: Place,
        find: Callable[[], Awaitable[bytes | None]],
        make: Callable[[], Awaitable[bytes]],
        kept: Callable[[], Awaitable[None]],
    ) -> bytes:
        found = await find()  # by who led until just now
        if found is not None:
            await place.leave()
            return found
        place.keep()
        try:
            body = await make()
        except Exception:
            self._land(place.leave(FAIL, FAILED, FAILED_MS))
            raise
        self._land(self._kept(kept, place))
        return body

    async def _kept(self, kept: Callable[[], Awaitable[None]], place: Place) -> None:
        try:
            await kept()
        finally:
            await place.leave()

    def _land(self, work: Awaitable[None]) -> None:
        """Finish behind the answer."""
        task = asyncio.ensure_future(_done(work))
        self._landing.add(task)
        task.add_done_callback(self._landing.discard)


async def _done(work: Awaitable[None]) -> None:
    await work


class SharedBudgets:
    """Clients' processor seconds, taken from one bucket whichever replica they ask."""

    def __init__(self, server: Valkey, most: float) -> None:
        self.server = server
        self.most = most
        self._asking: set[asyncio.Task[None]] = set()

    def charge(self, client: str, seconds: float, least: float, rate: float, told: Callable[[float], None]) -> None:
        """Take `seconds`, but go no lower than `least`; `told` is called with what is left when the server says so.

        `rate` is what comes back every second.
        """
        task = asyncio.get_running_loop().create_task(self._charge(client, seconds, least, rate, told))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _charge(
        self, client: str, seconds: float, least: float, rate: float, told: Callable[[float], None]
    ) -> None:
        left = await self.server.run(CHARGE, f"{PREFIX}budget:{client}", seconds, self.most, rate, least)
        if left is not None:
            told(float(cast(bytes, left)))
