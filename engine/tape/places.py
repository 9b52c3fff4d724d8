"""Nodes that are places in lists, or names in dicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine.tape.observe import MISSING, Append, Learner, Store, attributes, is_number, is_own, kept
from engine.tape.passes import passes_of, raw
from engine.tape.plan import Change, Machinery, Own, Plan, find_operation, flattened, is_sure, link


def of_indices(learned: Learner) -> Iterator[Plan]:
    """Nodes that are places in lists: what was appended there says what each was made of."""
    groups: dict[str, list[Store]] = {}
    for store in learned.stores:
        if (
            store.site.attribute is None
            and isinstance(store.key, int | np.integer)
            and not isinstance(store.owner, dict)
        ):
            groups.setdefault(store.site.owner, []).append(store)
    lists: dict[int, list[Append]] = {}
    for append in learned.appends:
        if append.name is None:
            lists.setdefault(id(append.owner), []).append(append)
    for stores in groups.values():
        plan = _of_lists(learned, stores, list(lists.values()))
        if plan is not None:
            yield plan


def _of_lists(learned: Learner, stores: list[Store], lists: list[list[Append]]) -> Plan | None:
    most = max(int(store.key) for store in stores)
    tapes = [each for each in lists if len(each) > most and [a.index for a in each] == list(range(len(each)))]
    values = next((each for each in tapes if all(is_number(a.item) for a in each)), None)
    for tape in tapes:
        if tape is values:
            continue
        plan = _of_list(learned, stores, tape, values)
        if plan is not None:
            return plan
    return None


def _of_list(learned: Learner, stores: list[Store], tape: list[Append], values: list[Append] | None) -> Plan | None:
    machinery = _appending(tape)
    owns: list[Own] = []
    for place, entry in enumerate(tape):
        item = list(attributes(entry.item).values()) if is_own(entry.item) else [entry.item]
        flat = list(flattened(item))
        parents = [owns[n] for n in flat if type(n) is int and 0 <= n < place]
        numbers = [n for n in flat if type(n) is not int and is_number(n)]
        if values is not None and place >= len(values):
            return None
        number = values[place].item if values is not None else numbers[-1] if numbers else None
        if number is None:
            return None
        seq = max([entry.seq, *([values[place].seq] if values is not None else [])])
        seq = max([seq, *[call.seq for call in entry.within if machinery.has(call.code)]])
        calls = [call.code.co_name for call in reversed(entry.within) if machinery.has(call.code)]
        words = [*[w for w in flat if type(w) is str], *calls]
        own = Own(place, seq, kept(number), [], [], next((w for w in words), "node"), words)
        find_operation(own, list(dict.fromkeys(parents)), [*parents, *numbers])
        owns.append(own)
    link(owns)
    before = 0
    for seq, name, value in learned.names:
        if type(value) is int and 0 <= value < len(owns):
            since = owns[value].seq
            if since == seq or before < since < seq and (seq, name) in learned.together:
                owns[value].name = owns[value].name or name
        before = seq if (seq, name) not in learned.together else before

    def known(value: Any) -> Own | None:
        return owns[value] if type(value) is int and 0 <= value < len(owns) else None

    landings = [raw(s, owns[int(s.key)], []) for s in stores if 0 <= int(s.key) < len(owns)]
    for store in stores:
        if store.seen and store.seen[0][0].co_name != "<module>":
            machinery.functions.add(store.seen[0][0].co_qualname)
    passes, changes = passes_of(landings, known)
    if not passes or not any(own.slots for own in owns):
        return None
    of = next(iter(sorted(machinery.functions)), "node")
    return Plan("indices", of, None, None, owns, passes, changes, machinery)


def _appending(tape: list[Append]) -> Machinery:
    """The functions that append to a tape; if it is only one, those that call it are the operations."""
    innermost = {entry.within[-1].code for entry in tape if entry.within}
    found = {code.co_qualname for code in innermost if code.co_name != "<module>"}
    if len(found) == 1:
        outer = [entry.within[-2].code for entry in tape if len(entry.within) > 1]
        found |= {code.co_qualname for code in outer if code.co_name != "<module>"}
    return Machinery(set(), found)


def of_names(learned: Learner) -> Iterator[Plan]:
    """Nodes that are names: their values in one dict, their gradients in another, and records of which is made of
    which."""
    groups: dict[int, list[Store]] = {}
    for store in learned.stores:
        if isinstance(store.owner, dict):
            name = store.site.attribute if store.key is store.owner else store.key  # where a function gave it
            if type(name) is str:
                groups.setdefault(id(store.owner), []).append(replace(store, key=name))
    for values in groups.values():
        numbers = {k: v for k, v in dict.items(values[0].owner) if type(k) is str and is_number(v)}
        for gradients in groups.values():
            if gradients is not values and all(store.key in numbers for store in gradients):
                plan = _of_dicts(learned, values, gradients, numbers)
                if plan is not None and is_sure(plan):
                    yield plan


def _of_dicts(learned: Learner, values: list[Store], gradients: list[Store], numbers: dict[str, Any]) -> Plan | None:
    stores: dict[str, list[Store]] = {}
    for store in values:
        stores.setdefault(store.key, []).append(store)
    order = {name: place for place, name in enumerate([*[n for n in numbers if n not in stores], *stores])}
    records: dict[str, list[Any]] = {}
    machinery = Machinery(set(), set())
    words: dict[str, list[str]] = {}
    makers: set[str] = set()
    for entry in learned.appends:
        flat = _members(entry.item)
        found = [v for v in flat if type(v) is str and v in order]
        name = entry.name if entry.name in order else max(found, key=order.__getitem__, default=None)
        if name is None or name in records or name not in stores:
            continue
        records[name] = [v for v in flat if v != name and (v in found if type(v) is str else is_number(v))]
        calls = [call.code for call in reversed(entry.within)]
        words[name] = [*[v for v in flat if type(v) is str and v not in order], *[code.co_name for code in calls]]
        makers.update(code.co_qualname for code in calls[:1] if code.co_name != "<module>")
    for store in (*values, *gradients):
        machinery.functions.update(call.code.co_qualname for call in store.within[-1:])
    machinery.functions.discard("<module>")
    machinery.functions |= makers
    owns: dict[str, Own] = {}
    changes: list[Change] = []
    begin = min(store.seq for store in values)
    for name, place in order.items():
        own_stores = stores.get(name, [])
        first = own_stores[0] if own_stores else None
        seq = begin if first is None else max([first.seq, *[c.seq for c in first.within if machinery.has(c.code)]])
        known = words.get(name, [])
        own = Own(place, seq, numbers[name] if first is None else first.after, [], [], next(iter(known), "node"), known)
        own.name = name
        given = [owns.get(v, MISSING) if type(v) is str else v for v in records.get(name, ())]
        find_operation(own, list(dict.fromkeys([v for v in given if isinstance(v, Own)])), given)
        own.history = [(store.seq, store.after) for store in own_stores[1:]]
        changes += [Change(store.seq, own, store.before, store.after, False) for store in own_stores[1:]]
        owns[name] = own
    link(owns.values())
    raws = [raw(s, owns[s.key], [(owns[k], v) for k, v in s.others if k in owns]) for s in gradients]
    passes, resets = passes_of(raws, lambda value: owns.get(value) if type(value) is str else None)
    if not passes or not any(own.slots for own in owns.values()):
        return None
    of = min(makers, default="dict")
    return Plan("names", of, None, None, list(owns.values()), passes, changes + resets, machinery)


def _members(item: Any) -> list[Any]:
    """What there is in an entry, however deep."""
    found = [item] if type(item) is str else [item] if not is_own(item) else list(attributes(item).values())
    found = [v for each in found for v in (each.values() if type(each) is dict else [each])]
    return list(flattened(found))
