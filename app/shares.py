"""Whose turn it is: start-time fair queueing (Goyal, Vin and Cheng, 1996), by processor time.

A group shares processor time among its members. Its *virtual time* is what each member that wants some should have had
by now; a member's own time is what it has had. Who has had least comes first. A member that wants nothing falls behind
virtual time and gets no credit for it: when it comes back it stands where newcomers do, so what was used is forgotten
as fast as others could have used it. All clients are members of their sites, and all sites of one group.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Generic, TypeVar

MOMENT = 0.5
"""Seconds that every run may take: a shorter one is in nobody's way, and is not ended for anybody's sake."""
HALF_LIFE = 30.0
FORGOTTEN = 0.01
EARNED, CREDIT = 0.1, 1.0
"""Seconds of long runs that a short one makes up for, and most that are made up for in advance."""


class Member:
    """What somebody has used, and what of it went to runs that were not short."""

    def __init__(self) -> None:
        self.had = 0.0
        self.running = 0
        self.waiting = 0
        self._began = 0.0
        self._long, self._noted = 0.0, 0.0

    @property
    def active(self) -> bool:
        """Whether it wants processor time now."""
        return bool(self.running or self.waiting)

    def used(self, now: float) -> float:
        """Its own time. What runs is not billed yet: until then its clock counts."""
        return self.had + self.running * now - self._began

    def begin(self, now: float) -> None:
        self.running += 1
        self._began += now

    def end(self, began: float) -> None:
        self.running -= 1
        self._began = self._began - began if self.running else 0.0

    def long(self, now: float) -> float:
        """Seconds of runs that took more than a moment, less what short ones made up for."""
        left = self._left(now)
        return left if left > FORGOTTEN else 0.0

    def _left(self, now: float) -> float:
        """Half is forgotten after `HALF_LIFE`; credit is negative."""
        return self._long * math.exp2((self._noted - now) / HALF_LIFE)

    def note(self, seconds: float, now: float) -> None:
        """Remember a run of so many seconds, or correct what was remembered of it."""
        self._long, self._noted = max(-CREDIT, self._left(now) + seconds), now


def weight(seconds: float) -> float:
    """What a run adds to the long runs of a member."""
    return seconds if seconds > MOMENT else -EARNED


M = TypeVar("M", bound=Member)


class Group(Generic[M]):
    """Members in the order in which they had a turn, and their virtual time."""

    def __init__(self, total: float) -> None:
        self.time = 0.0
        self.total = total
        self.active: OrderedDict[M, None] = OrderedDict()

    def advance(self, total: float) -> None:
        """Share out what the group has been given since; `total` is all it has ever been given."""
        self.time += (total - self.total) / max(1, len(self.active))
        self.total = total

    def enter(self, member: M, now: float) -> None:
        """`member` wants something, and waited for nothing until now."""
        member.had += max(0.0, self.time - member.used(now))
        self.active.setdefault(member)

    def begin(self, member: M, now: float) -> None:
        """`member` has a turn, and comes after those that have used as much."""
        member.begin(now)
        self.active.setdefault(member)
        self.active.move_to_end(member)

    def charge(self, member: M, seconds: float) -> None:
        """`member` has used so many seconds more than was known, or less."""
        if member not in self.active:
            member.had = max(member.had, self.time)
        member.had += seconds


class Site(Member, Generic[M]):
    """Clients that share one place in the queue of all: those of an IPv6 /48, or of one address."""

    def __init__(self, total: float) -> None:
        super().__init__()
        self.clients: Group[M] = Group(total)
        self.known = 0
