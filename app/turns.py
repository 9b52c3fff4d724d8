"""Places for programs, and the queue for them.

There are two kinds of places. An *ordinary* one is had for as long as the program lasts, and given in order of
processor time used lately (`app.shares`). The others are *kept for short runs*: any client that runs nothing may have
one, but gives it back, after a moment at the earliest, as soon as somebody waits whose runs were shorter. What is ended
so waits at the head of its client's queue: for an ordinary place, or, until it has been tried for `TRIALS` seconds, for
another that is kept, which it then has for longer. A run that holds one when an ordinary place becomes free may stay,
unless somebody waits who needs an ordinary one.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.problems import Problem
from app.shares import MOMENT, Group, Member, Site, weight

TRIALS = 2.0


class Client(Member):
    """What one client has under way, and what is left of its budget."""

    def __init__(self, key: str, site: Site[Client], level: float, filled: float) -> None:
        super().__init__()
        self.key = key
        self.site = site
        self.level = level
        self.filled = filled
        self.shared = site.clients.time
        self.asked = self.heard = -math.inf
        self.queue: deque[Turn] = deque()
        self.new = True
        self.connections = 0
        self.buffered = 0

    @property
    def idle(self) -> bool:
        return not (self.active or self.connections or self.buffered)


class PutBack(Exception):
    """The run had to give its place back; its turn waits for another."""


@dataclass(eq=False)
class Grant:
    """A place, and who pays for what is done there."""

    client: Client
    began: float
    trial: bool
    limit: asyncio.Timeout | None = None
    recalled: bool = False
    billed: bool = False
    advance: float = 0.0

    def weight(self, seconds: float) -> float:
        """What it adds to the long runs of its client: a run that was ended for others was none of the short ones."""
        return max(seconds, MOMENT) if self.recalled else weight(seconds)

    def recall(self) -> None:
        self.recalled = True
        if self.limit is not None:
            self.limit.reschedule(asyncio.get_running_loop().time())

    def until_recalled(self) -> asyncio.Timeout:
        """Bounds what is done there. A machine that stood still may ask for the place before anything is."""
        self.limit = asyncio.timeout(0 if self.recalled else None)
        return self.limit


class Turn:
    """A program's place in the queue, and then the place that it runs in.

    Several clients may wait for the same program; it stands in the queue of each, and runs at the expense of the one
    whose turn comes first. `others` want it before a place is asked for at all; None from then on.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.waiting: set[Client] = set()
        self.others: list[Client] | None = []
        self.wanted: set[Client] = set()
        self.grant: Grant | None = None
        self.tried = 0.0
        self.granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def put_back(self) -> bool:
        """Whether what it ran was ended for others."""
        return self.tried > 0

    @property
    def open(self) -> bool:
        return not self.granted.done()

    def fail(self, problem: Problem) -> None:
        self.granted.set_exception(problem)
        self.granted.exception()  # seen, should nobody be waiting any more


class Turns:
    """Gives `slots` places to those whose turn it is, unless `over` says that they may not have one.

    One client has at most `client_running` of them; beyond so many, places are kept for short runs.
    """

    def __init__(
        self,
        slots: int,
        client_running: int,
        cores: float,
        clock: Callable[[], float],
        over: Callable[[Client], Problem | None],
    ) -> None:
        self.clock = clock
        self.over = over
        self.running = 0
        self.waiting = 0
        self.sites: Group[Site[Client]] = Group(clock() * cores)
        self.cores = cores
        self._trials: list[Grant] = []
        self._newcomer = True
        self._timer: asyncio.Handle | None = None
        self._wakes = math.inf
        self.fit(slots, client_running, cores)

    def fit(self, slots: int, client_running: int, cores: float) -> None:
        """Have so many places from now on, on so many cores."""
        now = self.now()
        self.ordinary = max(1, min(client_running, slots - 1))
        self.kept = slots - self.ordinary
        self.client_running = client_running
        self.cores, self.sites.total = cores, now * cores

    def now(self) -> float:
        """The time, with processor time shared out up to it."""
        now = self.clock()
        self.sites.advance(now * self.cores)
        return now

    def share(self, client: Client) -> float:
        """The virtual time of a client: what each like it should have had by now."""
        self.now()
        client.site.clients.advance(self.sites.time)
        return client.site.clients.time

    # Waiting

    def could_start(self, client: Client) -> bool:
        """Whether a place is free that this client may have."""
        if self.running - len(self._trials) < self.ordinary:
            return client.running < self.client_running
        return not client.running and len(self._trials) < self.kept

    def add(self, turn: Turn, client: Client) -> None:
        """Have `turn` wait in the queue of a client: at its head if it has run already."""
        now = self.now()
        site = client.site
        if not client.waiting:
            site.clients.advance(self.sites.time)
            if not site.waiting:
                self.sites.enter(site, now)
            site.clients.enter(client, now)
        for member in (client, site):
            member.waiting += 1
        if turn.put_back:
            client.queue.appendleft(turn)
        else:
            client.queue.append(turn)
        turn.waiting.add(client)
        self.waiting += 1

    def leave(self, turn: Turn, client: Client) -> None:
        client.queue.remove(turn)
        turn.waiting.discard(client)
        self.waiting -= 1
        for member in (client, client.site):
            member.waiting -= 1
        self._rest(client)

    def _rest(self, client: Client) -> None:
        """A client that wants nothing any more has no share from now on."""
        if client.active:
            return
        self.share(client)
        client.site.clients.active.pop(client, None)
        if not client.site.active:
            self.sites.active.pop(client.site, None)

    def heaviest(self) -> Client:
        """Who gives way when too many wait: of the site with most waiting the client with most; then who used most."""
        now = self.now()
        site = max(self.sites.active, key=lambda site: (site.waiting, site.used(now)))
        return max(site.clients.active, key=lambda client: (client.waiting, client.used(now)))

    # Places

    def grant(self) -> None:
        """Give free places to those whose turn it is."""
        while True:
            now = self.now()
            if self.running - len(self._trials) < self.ordinary:
                chosen = self._next_ordinary(now)
            elif len(self._trials) < self.kept:
                chosen = self._next_short(now)
            else:
                break
            if chosen is None:
                break
            if isinstance(chosen, Grant):
                chosen.trial = False
                self._trials.remove(chosen)
            else:
                self._start(chosen, now)
        self._watch(now)

    def _clients(self) -> Iterator[Client]:
        """Who waits."""
        return (client for site in self.sites.active for client in site.clients.active if client.waiting)

    def _next_ordinary(self, now: float) -> Client | Grant | None:
        """Whose is an ordinary place: who used least, of those first that no other place would do for, then of those
        that run on one that is kept."""

        def used(client: Client) -> tuple[float, float]:
            return client.site.used(now), client.used(now)

        waiting = [client for client in self._clients() if client.running < self.client_running]
        lasting = [client for client in waiting if client.running or client.queue[0].put_back or client.long(now)]
        trials = [grant for grant in self._trials if not grant.recalled]
        if trials and not lasting:
            return min(trials, key=lambda grant: used(grant.client))
        return min(lasting if self.kept and lasting else waiting, key=used, default=None)

    def _short(self, now: float) -> Iterator[Client]:
        """Who waits and may have a place that is kept for short runs."""
        return (client for client in self._clients() if not client.running and self._short_turn(client, now))

    def _short_turn(self, client: Client, now: float) -> Turn | None:
        """The first of a client's programs that may be short: not behind one that is not, if it had many of those."""
        if client.queue[0].tried >= TRIALS and client.long(now) >= 2 * TRIALS:
            return None
        return next((turn for turn in client.queue if turn.tried < TRIALS), None)

    def _next_short(self, now: float) -> Client | None:
        """Whose is a place that is kept."""
        chosen = min(self._short(now), key=self._rank(now), default=None)
        if chosen is not None:
            self._newcomer = chosen.new
        return chosen

    def _rank(self, now: float) -> Callable[[Client], tuple[float, float, bool, float, float]]:
        """Order of those: by their long runs. Of those that had none, newcomers, who never had a place, and others come
        in turn, so that none hold up all; of newcomers, who asked last comes first.

        However many addresses nobody has seen before begin at once, one that has run short programs does not notice,
        and one of them is served whose turn would otherwise come too late for it.
        """

        def rank(client: Client) -> tuple[float, float, bool, float, float]:
            site = client.site
            order = -client.asked if client.new else site.used(now)
            return site.long(now), client.long(now), client.new == self._newcomer, order, client.used(now)

        return rank

    def _start(self, client: Client, now: float) -> None:
        """Give a place to the first of a client's programs that may have it, if somebody still wants that."""
        trial = self.running - len(self._trials) >= self.ordinary
        turn = (trial and self._short_turn(client, now)) or client.queue[0]
        over = self.over(client)
        wanted = set(turn.waiting)
        for waiting in [client] if over else wanted:
            self.leave(turn, waiting)
        if not turn.open:  # its time is up or everybody has left, and its task has yet to notice
            return
        if over is not None:
            if not turn.waiting:
                turn.fail(over)
            return
        client.new = False
        turn.grant = Grant(client, now, trial)
        turn.wanted |= wanted
        if trial:
            self._trials.append(turn.grant)
        self.running += 1
        self.sites.begin(client.site, now)
        client.site.clients.begin(client, now)
        turn.granted.set_result(None)

    def end(self, turn: Turn) -> None:
        """Free the place that a turn has. What it ran is paid by the clock if there is no bill yet."""
        grant, turn.grant = turn.grant, None
        assert grant is not None
        now = self.now()
        client = grant.client
        self.running -= 1
        if grant.trial:
            self._trials.remove(grant)
        for member in (client, client.site):
            member.end(grant.began)
        if not grant.billed:
            grant.advance = now - grant.began
            self._charge(client, grant.advance, grant.weight(grant.advance), now)
        self._rest(client)

    def return_(self, turn: Turn) -> None:
        """Have the turn of a run that was ended for others wait again, in the queues of all who want it."""
        assert turn.grant is not None
        turn.granted = asyncio.get_running_loop().create_future()
        turn.tried += self.now() - turn.grant.began
        for client in turn.wanted:
            self.add(turn, client)

    # Bills

    def charge(self, client: Client, seconds: float) -> None:
        """Count processor time that was used beside any place."""
        self._charge(client, seconds, max(0.0, weight(seconds)), self.now())

    def bill(self, grant: Grant, seconds: float) -> None:
        """What a run used: what its clock said so far, if it has ended, was paid in advance."""
        grant.billed = True
        paid = grant.weight(grant.advance) if grant.advance else 0.0
        self._charge(grant.client, seconds - grant.advance, grant.weight(seconds) - paid, self.now())
        grant.advance = 0.0  # a run that is tried once more has a second bill

    def _charge(self, client: Client, seconds: float, noted: float, now: float) -> None:
        self.share(client)
        self.sites.charge(client.site, seconds)
        client.site.clients.charge(client, seconds)
        for member in (client, client.site):
            member.note(noted, now)

    # Asking places back

    def expect(self, client: Client) -> None:
        """A client has come: have a place asked back for it in time. Costs the same however many wait."""
        trials = [grant for grant in self._trials if not grant.recalled]
        if trials and not client.running:
            now = self.now()
            self._wake(min(self._due(grant, client, now) for grant in trials) - now)

    def _watch(self, now: float) -> None:
        """Ask back what is due for those that wait, and see when more will be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self.waiting:
            return
        seconds = MOMENT
        trials = [grant for grant in self._trials if not grant.recalled]
        if trials and len(self._trials) == self.kept:
            coming = len(self._trials) - len(trials)
            for client in heapq.nsmallest(len(self._trials), self._short(now), key=self._rank(now))[coming:]:
                grant = min(trials, key=lambda grant: self._due(grant, client, now))
                if (due := self._due(grant, client, now)) > now:
                    seconds = due - now
                    break
                grant.recall()
                trials.remove(grant)
        self._wake(seconds)

    def _wake(self, seconds: float) -> None:
        """Look again after so many seconds; after a moment at most, as bills come and what was long is forgotten."""
        loop = asyncio.get_running_loop()
        at = loop.time() + min(MOMENT, max(0.0, seconds))
        if self._timer is None or self._wakes > at:
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._wakes = loop.call_at(at, self.grant), at

    def _due(self, grant: Grant, client: Client, now: float) -> float:
        """When a run gives its place back for a client: after its moment, and once it is twice as long as theirs."""
        same = grant.client.site is client.site
        holder, other = (grant.client, client) if same else (grant.client.site, client.site)
        return grant.began + max(MOMENT, MOMENT + 2 * other.long(now) - holder.long(now))
