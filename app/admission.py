"""Who may run a program now: budgets, bounds and a queue that is fair among clients.

A client may use the whole machine while it is alone on it. Three things keep it from being in the way of others:

- *Slots*: programs run in `slots` processes, of which one client fills at most `client_running`; the last free one goes
  only to a client that runs nothing.
- *Turns*: clients take turns, however many programs each has waiting. When the queue is full, the client with most
  waiting gives way.
- *Budget*: a token bucket of processor seconds. Who has used it up is refused as long as somebody else is here.

Everything here is decided on the event loop without waiting, except for a turn. Times come from `clock`, in seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from app.clients import site
from app.problems import BUSY, OVER_BUDGET, TOO_MANY_AT_ONCE, Kind, Problem
from app.rounds import Rounds

COMPANY_SECONDS = 10.0  # who asked for a run this long ago still counts as being here
MAX_CLIENTS = 4096
MAX_SITE_CLIENTS = 16
HEARSAY_SECONDS = 1.0  # how long what a shared budget says of a client is believed


@dataclass(frozen=True)
class Rules:
    """The numbers. A field that starts with `client_` holds for each client, its namesake without for all together."""

    slots: int
    client_running: int
    queue: int
    client_queue: int
    queue_seconds: float
    client_cpu_seconds: float
    client_cpu_rate: float
    connections: int
    client_connections: int
    buffer: int
    client_buffer: int


class Budgets(Protocol):
    """Budgets that several services keep together."""

    def charge(self, client: str, seconds: float, least: float, told: Callable[[float], None]) -> None:
        """Take `seconds` from a client's, down to `least` at most; `told` hears later what is left, or never."""


@dataclass(eq=False)
class Client:
    """What one client has under way, and what is left of its budget."""

    key: str
    level: float
    filled: float
    asked: float = -math.inf
    heard: float = -math.inf
    running: int = 0
    queue: deque[Turn] = field(default_factory=deque)
    connections: int = 0
    buffered: int = 0

    @property
    def idle(self) -> bool:
        return not (self.running or self.queue or self.connections or self.buffered)


class Turn:
    """A program's place in the queue, and then the slot that it runs in.

    Several clients may wait for the same program; it stands in the queue of each, and runs at the expense of the one
    whose turn comes first. `others` want it before a slot is asked for at all; None from then on.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.waiting: set[Client] = set()
        self.others: list[Client] | None = []
        self.holder: Client | None = None
        self.granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def open(self) -> bool:
        return not self.granted.done()

    def fail(self, problem: Problem) -> None:
        self.granted.set_exception(problem)
        self.granted.exception()  # seen, should nobody be waiting any more


def refusal(kind: Kind, detail: str, retry: float = 1.0) -> Problem:
    """Not now; `retry` seconds later it may be different."""
    return Problem(kind, detail, headers={"Retry-After": str(max(1, math.ceil(retry)))})


class Lane:
    """Lets one in at a time, clients in turn: for work that would keep the event loop from everybody else.

    After each it stays closed for as long as that took, so that half of the time is left for all the rest.
    """

    def __init__(self) -> None:
        self._taken = False
        self._ring: OrderedDict[Client, deque[asyncio.Future[None]]] = OrderedDict()

    @contextlib.asynccontextmanager
    async def turn(self, client: Client) -> AsyncIterator[None]:
        if self._taken:
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._ring.setdefault(client, deque()).append(mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._next()
                raise
        self._taken = True
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            yield
        finally:
            loop.call_later(loop.time() - started, self._next)

    def _next(self) -> None:
        while self._ring:
            client, queue = self._ring.popitem(last=False)
            first = queue.popleft()
            if queue:
                self._ring[client] = queue
            if not first.done():
                first.set_result(None)
                return
        self._taken = False


class Admission:
    """Knows all clients and decides about each request. At most `MAX_CLIENTS` that do nothing are remembered."""

    def __init__(
        self, rules: Rules, clock: Callable[[], float] = time.monotonic, shared: Budgets | None = None
    ) -> None:
        self.rules = rules
        self.clock = clock
        self.shared = shared
        self.lane = Lane()
        self.rounds = Rounds()
        self.running = 0
        self.waiting = 0
        self.buffered = 0
        self._clients: OrderedDict[str, Client] = OrderedDict()
        self._sites: dict[str, int] = {}
        self._ring: OrderedDict[Client, None] = OrderedDict()  # clients with something waiting, next first
        self._asking: OrderedDict[Client, None] = OrderedDict()  # who asked for a run lately, longest ago first
        self._held: dict[tuple[Client | None, int], int] = {}

    def __len__(self) -> int:
        return len(self._clients)

    # Clients

    def client(self, key: str) -> Client:
        """The client of this key. Many networks of one site are one client, so that a site cannot fill the memory."""
        known = self._clients.get(key)
        if known is None and (group := site(key)) is not None and self._sites.get(group, 0) >= MAX_SITE_CLIENTS:
            key = group
            known = self._clients.get(key)
        if known is None:
            if len(self._clients) >= MAX_CLIENTS:
                self._forget()
            known = self._clients[key] = Client(key, self.rules.client_cpu_seconds, self.clock())
            if (group := site(key)) is not None:
                self._sites[group] = self._sites.get(group, 0) + 1
        else:
            self._clients.move_to_end(key)
        return known

    def _forget(self) -> None:
        """Forget the idle clients that were seen least recently, an eighth of all at once."""
        idle = (client for client in list(self._clients.values()) if client.idle)
        for client, _ in zip(idle, range(MAX_CLIENTS // 8), strict=False):
            del self._clients[client.key]
            if (group := site(client.key)) is not None:
                self._sites[group] -= 1
                if not self._sites[group]:
                    del self._sites[group]

    # Budget

    def level(self, client: Client) -> float:
        """Processor seconds left to a client; negative when it has used more than it had."""
        now = self.clock()
        rules = self.rules
        client.level = min(rules.client_cpu_seconds, client.level + (now - client.filled) * rules.client_cpu_rate)
        client.filled = now
        return client.level

    def charge(self, client: Client, seconds: float) -> None:
        """Take processor time from a client's budget; what it uses beyond that is a debt if others are here."""
        floor = -self.rules.client_cpu_seconds if self._in_company(client) else 0.0
        level = self.level(client)
        client.level = max(min(level, floor), level - seconds)
        self._share(client, seconds, floor)

    def _share(self, client: Client, seconds: float, floor: float = 0.0) -> None:
        """Charge the shared budget, too, and believe what it says."""
        if self.shared is None:
            return
        client.heard = self.clock()

        def told(level: float) -> None:
            client.level, client.filled = level, self.clock()

        self.shared.charge(client.key, seconds, floor, told)

    def _in_company(self, client: Client) -> bool:
        """Whether anybody else has asked for a run lately."""
        since = self.clock() - COMPANY_SECONDS
        while self._asking and (first := next(iter(self._asking))).asked < since and not first.running:
            del self._asking[first]
        return any(
            other is not client and (other.running > 0 or other.asked >= since) for other in reversed(self._asking)
        )

    def _ask(self, client: Client) -> None:
        client.asked = self.clock()
        self._asking[client] = None
        self._asking.move_to_end(client)

    def fields(self, client: Client) -> dict[str, str]:
        """The budget as RateLimit fields (draft-ietf-httpapi-ratelimit-headers-10)."""
        quota, rate = self.rules.client_cpu_seconds, self.rules.client_cpu_rate
        level = self.level(client)
        return {
            "RateLimit-Policy": f'"cpu";q={quota:.0f};w={math.ceil(quota / rate)};qu="cpu-seconds"',
            "RateLimit": f'"cpu";r={max(0, math.floor(level))};t={math.ceil((quota - level) / rate)}',
        }

    # Asking for a run

    def knock(self, client: Client, body: int = 0) -> None:
        """Refuse a request for a run before anything of it is read; `body` is its announced size in bytes."""
        self._ask(client)
        if self.clock() - client.heard > HEARSAY_SECONDS:
            self._share(client, 0.0)
        self._within_budget(client)
        if not self._could_start(client):
            self._may_wait(client)
            if self.waiting >= self.rules.queue and not self._gives_way(client):
                raise refusal(BUSY, "Too many programs wait already.")
        self._room(client, body)

    def _could_start(self, client: Client) -> bool:
        return self.running < self.rules.slots and self._may_run(client)

    def _may_wait(self, client: Client) -> None:
        if len(client.queue) >= self.rules.client_queue:
            raise refusal(TOO_MANY_AT_ONCE, f"{self.rules.client_queue} of your programs may wait at a time.")

    def _within_budget(self, client: Client) -> None:
        if (over := self._over_budget(client)) is not None:
            raise over

    def _over_budget(self, client: Client) -> Problem | None:
        level = self.level(client)
        if level > 0 or not self._in_company(client):
            return None
        return refusal(OVER_BUDGET, "You have used your processor time.", (1.0 - level) / self.rules.client_cpu_rate)

    def share(self, turn: Turn, client: Client) -> None:
        """Somebody else wants the same program, too: if it may not wait in that queue, it waits in those it is in."""
        if turn.others is not None:
            turn.others.append(client)
            return
        with contextlib.suppress(Problem):
            self.join(turn, client)

    def join(self, turn: Turn, client: Client) -> None:
        """Have `turn` wait in the queue of `client`; raises Problem when it may not wait there."""
        if not turn.open or client in turn.waiting:
            return
        self._ask(client)
        self._within_budget(client)
        if not self._could_start(client):
            self._may_wait(client)
        client.queue.append(turn)
        turn.waiting.add(client)
        self._ring.setdefault(client)
        self.waiting += 1
        self._grant()
        if turn.open and self.waiting > self.rules.queue:
            heaviest = max(self._ring, key=lambda other: len(other.queue))
            self._give_way(heaviest if len(heaviest.queue) > len(client.queue) else client)

    def _gives_way(self, client: Client) -> bool:
        """Whether somebody has more waiting than `client` would have."""
        return any(len(other.queue) > len(client.queue) + 1 for other in self._ring)

    def _give_way(self, client: Client) -> None:
        """The youngest program of a client leaves the queue."""
        turn = client.queue[-1]
        self._leave(turn, client)
        if not turn.waiting and turn.open:
            turn.fail(refusal(BUSY, "Too many programs wait already."))

    def _leave(self, turn: Turn, client: Client) -> None:
        client.queue.remove(turn)
        turn.waiting.discard(client)
        self.waiting -= 1
        if not client.queue:
            self._ring.pop(client, None)

    @contextlib.asynccontextmanager
    async def slot(self, turn: Turn) -> AsyncIterator[Client]:
        """Wait for the turn, then hold a slot while inside; gives the client that pays. Raises Problem."""
        self.join(turn, turn.client)
        others, turn.others = turn.others, None
        for other in others or ():
            self.share(turn, other)
        try:
            async with asyncio.timeout(self.rules.queue_seconds):
                await turn.granted
        except TimeoutError:
            if turn.holder is None:
                raise refusal(BUSY, "No worker became free in time.") from None
        except asyncio.CancelledError:
            self._release(turn)
            raise
        finally:
            for waiting in list(turn.waiting):
                self._leave(turn, waiting)
        assert turn.holder is not None
        try:
            yield turn.holder
        finally:
            self._release(turn)

    def _release(self, turn: Turn) -> None:
        if (holder := turn.holder) is not None:
            turn.holder = None
            holder.running -= 1
            self.running -= 1
            self._grant()

    def _grant(self) -> None:
        """Give free slots to those whose turn it is."""
        while self.running < self.rules.slots:
            client = next((client for client in self._ring if self._may_run(client)), None)
            if client is None:
                return
            self._ring.move_to_end(client)
            turn = client.queue[0]
            over = self._over_budget(client)
            for waiting in [client] if over else list(turn.waiting):
                self._leave(turn, waiting)
            if not turn.open:  # its time is up or everybody has left, and its task has yet to notice
                continue
            if over is None:
                turn.holder = client
                client.running += 1
                self.running += 1
                turn.granted.set_result(None)
            elif not turn.waiting:
                turn.fail(over)

    def _may_run(self, client: Client) -> bool:
        if not client.running:
            return True
        return client.running < self.rules.client_running and self.running < self.rules.slots - 1

    # Bytes in flight

    def _room(self, client: Client, size: int) -> None:
        """Refuse `size` more bytes; a client that holds none may always have some."""
        if client.buffered and client.buffered + size > self.rules.client_buffer:
            raise refusal(TOO_MANY_AT_ONCE, f"{client.buffered} bytes wait for you to send or to read the rest.")
        if client.buffered and self.buffered + size > self.rules.buffer:
            raise refusal(BUSY, "Too many answers are being sent.")

    @contextlib.contextmanager
    def reserving(self, client: Client, size: int) -> Iterator[None]:
        """Count `size` bytes, which may still be on their way, as in flight for a client while inside."""
        self._room(client, size)
        for counted in (client, None):
            self._count(counted, size)
        try:
            yield
        finally:
            for counted in (client, None):
                self._count(counted, -size)

    @contextlib.contextmanager
    def holding(self, client: Client, body: bytes) -> Iterator[None]:
        """Count `body` as in flight for a client while inside; the same object counts once. Raises Problem."""
        keys: tuple[tuple[Client | None, int], ...] = ((client, id(body)), (None, id(body)))
        if keys[0] not in self._held:
            self._room(client, len(body))
        for key in keys:
            self._held[key] = self._held.get(key, 0) + 1
            if self._held[key] == 1:
                self._count(key[0], len(body))
        try:
            yield
        finally:
            for key in keys:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
                    self._count(key[0], -len(body))

    def _count(self, client: Client | None, size: int) -> None:
        if client is None:
            self.buffered += size
        else:
            client.buffered += size
