"""Passes: which stores of numbers are gradients that arrive, from which node, and in which pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.tape.observe import Store, is_number
from engine.tape.plan import Change, Landing, Own, Pass


@dataclass(slots=True, eq=False)
class Raw:
    """A store of a gradient, whatever it means."""

    seq: int
    to: Own
    before: Any
    after: Any
    gain: Any
    adds: bool
    line: int
    text: str
    seen: list[tuple[Any, dict[str, Any]]]
    others: list[tuple[Own, Any]]
    loops: tuple[str, ...]


Known = Callable[[Any], Own | None]
"""Which node a value stands for."""


def raw(store: Store, own: Own, others: list[tuple[Own, Any]]) -> Raw:
    site = store.site
    before, after = store.before, store.after
    return Raw(
        store.seq, own, before, after, store.gain, site.adds, site.line, site.text, store.seen, others, site.loops
    )


def passes_of(stores: Sequence[Raw], known: Known) -> tuple[list[Pass], list[Change]]:
    passes: list[Pass] = []
    changes: list[Change] = []
    current: Pass | None = None
    reached: set[int] = set()
    for store in stores:
        own = store.to
        before = 0.0 if not is_number(store.before) else store.before
        users = [u for u in own.users if id(u) in reached] if current is not None else []
        sender, sure = _sender(store, users, known, current)
        if sender is None and own.users and store.others:
            start = next(((o, value) for o, value in store.others if o in own.users), None)
            if start is not None:  # a dict that began with the gradient of the root
                current = Pass(store.seq, start[0], start[1], 0.0, start[1], store.line)
                passes.append(current)
                reached, sender = {id(start[0])}, start[0]
        zero = not np.any(np.asarray(store.after) != 0)
        cleared = zero and not store.adds
        if (
            current is not None
            and sender is not None
            and not (cleared and not (sure and np.any(np.asarray(before) != 0)))
        ):
            gain = _gain(store, before)
            replaces = not store.adds
            landing = Landing(store.seq, own, before, store.after, gain, replaces, store.line, store.text, sender)
            take_slot(current, landing)
            current.landings.append(landing)
            reached.add(id(own))
        elif cleared:
            if np.any(np.asarray(before) != 0):
                changes.append(Change(store.seq, own, before, store.after, True))
        elif not own.constant and not zero:
            if current is not None and not current.landings:
                passes.remove(current)
            seed = _gain(store, before) if store.adds else store.after
            current = Pass(store.seq, own, seed, before, store.after, store.line)
            passes.append(current)
            reached = {id(own)}
    passes = [p for p in passes if p.landings]
    for each in passes:
        count_arrivals(each)
    return passes, changes


def count_arrivals(each: Pass) -> None:
    counts: dict[int, int] = {}
    for landing in each.landings:
        counts[id(landing.to)] = landing.arrived = counts.get(id(landing.to), 0) + 1


def _gain(store: Raw, before: Any) -> Any:
    if not store.adds:
        return store.after
    if is_number(store.gain):
        return store.gain
    if not np.any(np.asarray(before) != 0):
        return store.after
    gain = np.asarray(store.after, np.float64) - np.asarray(before, np.float64)
    return float(f"{float(gain):.15g}") if gain.ndim == 0 else gain


def _sender(store: Raw, users: Sequence[Own], known: Known, current: Pass | None) -> tuple[Own | None, bool]:
    """The node that a gradient comes from, among those that use what it is for; whether that is sure."""
    if not users:
        return None, False
    wanted = set(users)
    last = current.landings[-1].sender if current is not None and current.landings else None
    over = {landing.sender for landing in current.landings} - {last} if current is not None else set()
    here = store.seen[0][1] if store.seen else {}
    for name in store.loops:
        own = known(here.get(name))
        if own in wanted:
            return own, True
    for code, variables in store.seen:
        if code.co_name == "<module>":
            break
        found = {own for value in variables.values() if (own := known(value)) in wanted and own is not None}
        if found:
            return max(found - over or found, key=lambda own: own.order), True
    module = store.seen[-1] if store.seen and store.seen[-1][0].co_name == "<module>" else None
    if module is not None:
        recent = [own for value in reversed(module[1].values()) if (own := known(value)) in wanted and own]
        if recent and len(set(recent)) == 1:
            return recent[0], False
    return max([own for own in users if own not in over] or users, key=lambda own: own.order), False


def by_id(ids: dict[int, Own]) -> Known:
    def known(value: Any) -> Own | None:
        found = ids.get(id(value))
        if found is None and type(value) is tuple:
            members = [ids[id(m)] for m in value if id(m) in ids]
            found = max(members, key=lambda own: own.order) if members else None
        return found

    return known


def take_slot(current: Pass, landing: Landing) -> None:
    """Which of the sender's edges a gradient comes along."""
    sender = landing.sender
    assert sender is not None
    slots = [i for i, parent in enumerate(sender.slots) if parent is landing.to]
    sent = sum(1 for each in current.landings if each.sender is sender and each.to is landing.to)
    landing.slot = slots[sent % len(slots)] if slots else 0
