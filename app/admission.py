"""Who may run a program now: budgets, bounds and a queue that is fair among clients.

A client may use the whole machine while it is alone on it. Three things keep it from being in the way of others:

- *Turns* (`app.turns`): programs run in `slots` processes, in order of what their clients used lately; some places are
  kept for short runs.
- *Bounds*: on what one client may have running, waiting, open and unread. When the queue is full, the client with most
  waiting gives way.
- *Budget*: a token bucket of processor seconds, which refills with a part of the client's fair share. Who has used it
  up is refused as long as somebody else is here.

Everything here is decided on the event loop without waiting, except for a turn. Times come from `clock`, in seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from app.clients import site
from app.lane import Lane
from app.problems import BUSY, OVER_BUDGET, TOO_MANY_AT_ONCE, Kind, Problem
from app.rounds import Rounds
from app.shares import Site
from app.turns import Client, Grant, PutBack, Turn, Turns

T = TypeVar("T")

COMPANY_SECONDS = 10.0  # who asked for a run this long ago still counts as being here
MAX_CLIENTS = 4096
MAX_SITE_CLIENTS = 16
HEARSAY_SECONDS = 1.0  # how long what a shared budget says of a client is believed
SMALL_WORK = 1 << 20
"""Bytes that are looked at beside the event loop in a tenth of a second at most."""
RARE = 3.0  # a lane that rests so many times as long as it works leaves most of the time to all else
LIGHT = 0.1  # processor seconds a second that come back to every client, however many share the machine


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
    cores: int
    connections: int
    client_connections: int
    buffer: int
    client_buffer: int


class Budgets(Protocol):
    """Budgets that several services keep together."""

    def charge(self, client: str, seconds: float, least: float, rate: float, told: Callable[[float], None]) -> None:
        """Take `seconds` from a client's, down to `least` at most; `told` hears later what is left, or never.

        `rate` is how many come back every second, as far as this service knows.
        """


def refusal(kind: Kind, detail: str, retry: float = 1.0) -> Problem:
    """Not now; `retry` seconds later it may be different."""
    return Problem(kind, detail, headers={"Retry-After": str(max(1, math.ceil(retry)))})


class Admission:
    """Knows all clients and decides about each request. At most `MAX_CLIENTS` that do nothing are remembered."""

    def __init__(
        self, rules: Rules, clock: Callable[[], float] = time.monotonic, shared: Budgets | None = None
    ) -> None:
        self.rules = rules
        self.clock = clock
        self.shared = shared
        self.small, self.large, self.pictures = Lane(), Lane(RARE), Lane(RARE)
        self.rounds = Rounds()
        self.turns = Turns(rules.slots, rules.client_running, rules.cores, clock, self._over_budget)
        self.buffered = 0
        self._clients: OrderedDict[str, Client] = OrderedDict()
        self._sites: dict[str, Site[Client]] = {}
        self._asking: OrderedDict[Client, None] = OrderedDict()  # who asked for a run lately, longest ago first
        self._held: dict[tuple[Client | None, int], int] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def fit(self, rules: Rules) -> None:
        """Go by other numbers from now on."""
        self.rules = rules
        self.turns.fit(rules.slots, rules.client_running, rules.cores)

    @property
    def running(self) -> int:
        return self.turns.running

    @property
    def waiting(self) -> int:
        return self.turns.waiting

    # Clients

    def client(self, key: str) -> Client:
        """The client of this key. Many networks of one site are one client, so that a site cannot fill the memory."""
        known = self._clients.get(key)
        group = None if known else site(key)
        if group is not None and group in self._sites and self._sites[group].known >= MAX_SITE_CLIENTS:
            key = group
            known = self._clients.get(key)
        if known is None:
            if len(self._clients) >= MAX_CLIENTS:
                self._forget()
            known = self._clients[key] = Client(key, self._site(group), self.rules.client_cpu_seconds, self.clock())
        else:
            self._clients.move_to_end(key)
        return known

    def _site(self, group: str | None) -> Site[Client]:
        """The site of one client more."""
        found: Site[Client] = self._sites[group] if group in self._sites else Site(self.turns.sites.time)
        found.known += 1
        if group is not None:
            self._sites[group] = found
        return found

    def _forget(self) -> None:
        """Forget the idle clients that were seen least recently, an eighth of all at once."""
        idle = (client for client in list(self._clients.values()) if client.idle)
        for client, _ in zip(idle, range(MAX_CLIENTS // 8), strict=False):
            del self._clients[client.key]
            client.site.known -= 1
            if not client.site.known and (group := site(client.key)) is not None:
                del self._sites[group]

    # Budget

    def level(self, client: Client) -> float:
        """Processor seconds left to a client; negative when it has used more than it had."""
        now, shared = self.clock(), self.turns.share(client)
        rules = self.rules
        refill = max(
            (shared - client.shared) * rules.client_cpu_rate / rules.cores,
            (now - client.filled) * min(LIGHT, rules.client_cpu_rate),
        )
        client.level = min(rules.client_cpu_seconds, client.level + refill)
        client.filled, client.shared = now, shared
        return client.level

    def rate(self, client: Client) -> float:
        """Processor seconds that come back to a client every second, with as many others as there are now."""
        rate = self.rules.client_cpu_rate
        here = max(1, len(self.turns.sites.active)) * max(1, len(client.site.clients.active))
        return max(rate / here, min(LIGHT, rate))

    def charge(self, client: Client, seconds: float) -> None:
        """Count processor time that a client has used beside its runs."""
        self.turns.charge(client, seconds)
        self._pay(client, seconds)

    async def beside(self, client: Client, size: int, work: Callable[[], T]) -> T:
        """What `work` on so many bytes gives, done beside the event loop at the expense of a client.

        Large work has a lane of its own: it may last, and nobody's small work is to wait for it.
        """
        lane = self.small if size <= SMALL_WORK else self.large
        return await lane.do(client.site, size, work, partial(self.charge, client))

    def bill(self, grant: Grant, seconds: float) -> None:
        """Count what a run has used, once that is known."""
        self.turns.bill(grant, seconds)
        self._pay(grant.client, seconds)

    def _pay(self, client: Client, seconds: float) -> None:
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
            client.level, client.filled, client.shared = level, self.clock(), self.turns.share(client)

        self.shared.charge(client.key, seconds, floor, self.rate(client), told)

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
        quota = self.rules.client_cpu_seconds
        level = self.level(client)
        window = math.ceil(quota / self.rules.client_cpu_rate)
        return {
            "RateLimit-Policy": f'"cpu";q={quota:.0f};w={window};qu="cpu-seconds"',
            "RateLimit": f'"cpu";r={max(0, math.floor(level))};t={math.ceil((quota - level) / self.rate(client))}',
        }

    # Asking for a run

    def knock(self, client: Client, body: int = 0) -> None:
        """Refuse a request for a run before anything of it is read; `body` is its announced size in bytes."""
        self._ask(client)
        if self.clock() - client.heard > HEARSAY_SECONDS:
            self._share(client, 0.0)
        self._within_budget(client)
        if not self.turns.could_start(client):
            self._may_wait(client)
            if self.waiting >= self.rules.queue and not self._gives_way(client):
                raise refusal(BUSY, "Too many programs wait already.")
        self._room(client, body)

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
        return refusal(OVER_BUDGET, "You have used your processor time.", (1.0 - level) / self.rate(client))

    def share(self, turn: Turn, client: Client) -> None:
        """Somebody else wants the same program, too: if it may not wait in that queue, it waits in those it is in."""
        if turn.others is not None:
            turn.others.append(client)
            return
        with contextlib.suppress(Problem):
            self.join(turn, client)

    def join(self, turn: Turn, client: Client) -> None:
        """Have `turn` wait in the queue of `client`; raises Problem when it may not wait there."""
        turn.wanted.add(client)
        if not turn.open or client in turn.waiting:
            return
        self._ask(client)
        self._within_budget(client)
        could_start = self.turns.could_start(client)
        if not could_start:
            self._may_wait(client)
        self.turns.add(turn, client)
        if could_start:
            self.turns.grant()
        else:
            self.turns.expect(client)
        if turn.open and self.waiting > self.rules.queue:
            self._give_way(self.turns.heaviest())

    def _gives_way(self, client: Client) -> bool:
        """Whether somebody has more waiting than `client` would have, or as much and has used more."""
        if not self.waiting:
            return False
        now, heaviest = self.turns.now(), self.turns.heaviest()
        if heaviest.site is client.site:
            return heaviest.waiting > client.waiting + 1
        return (heaviest.site.waiting, heaviest.site.used(now)) > (client.site.waiting + 1, client.site.used(now))

    def _give_way(self, client: Client) -> None:
        """The youngest program of a client leaves the queue."""
        turn = client.queue[-1]
        self.turns.leave(turn, client)
        if not turn.waiting and turn.open:
            turn.fail(refusal(BUSY, "Too many programs wait already."))

    @contextlib.asynccontextmanager
    async def slot(self, turn: Turn) -> AsyncIterator[Grant]:
        """Wait for the turn, then hold a place while inside; what is given says who pays.

        Raises Problem; and PutBack, once what was done inside has been cancelled, when the place had to be given back:
        the turn waits already, and gets another place by another call. What has begun once is not refused because it
        waits for long.
        """
        if not turn.put_back:
            self.join(turn, turn.client)
        others, turn.others = turn.others, None
        for other in others or ():
            self.share(turn, other)
        try:
            async with asyncio.timeout(None if turn.put_back else self.rules.queue_seconds):
                await turn.granted
        except TimeoutError:
            if turn.grant is None:
                raise refusal(BUSY, "No worker became free in time.") from None
        except asyncio.CancelledError:
            self._release(turn)
            raise
        finally:
            for waiting in list(turn.waiting):
                self.turns.leave(turn, waiting)
        grant = turn.grant
        assert grant is not None
        try:
            async with grant.until_recalled():
                yield grant
        except TimeoutError:
            if not grant.recalled:
                raise
            self.turns.return_(turn)
            raise PutBack from None
        finally:
            self._release(turn)

    def _release(self, turn: Turn) -> None:
        if turn.grant is not None:
            self.turns.end(turn)
            self.turns.grant()

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
