"""Nodes that are numbers with a function that goes back, and nodes whose functions hand gradients on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

from engine.document.limits import class_name
from engine.tape.objects import Objects
from engine.tape.observe import Arrival, Learner, Made, Pair, is_number, kept
from engine.tape.passes import Known, count_arrivals, take_slot
from engine.tape.plan import Change, Landing, Machinery, Own, Pass, Plan, find_operation, flattened, is_sure, link


def of_callbacks(learned: Learner) -> Iterator[Plan]:
    """Nodes that are calls: each gave a number, and the function that takes its gradient back."""
    if not learned.backs:
        return
    owns: list[Own] = []
    of_value: dict[int, Own] = {}
    of_back: dict[int, tuple[Own, list[Own | None]]] = {}
    names: dict[int, tuple[int, str, Any]] = {}
    for seq, name, value in learned.names:
        if is_number(value):
            names.setdefault(id(value), (seq, name, value))
    for key, pair in learned.pairs.items():
        if id(pair.value) in of_value:
            continue  # what handed on another one's value
        given: list[Any] = []
        for value in flattened(pair.arguments):
            if not is_number(value):
                continue
            own = of_value.get(id(value))
            if own is None and id(value) in names and names[id(value)][0] < pair.seq:
                seq, name, number = names[id(value)]
                own = Own(len(owns), seq, kept(number), [number], [], "leaf", [], name=name)
                owns.append(own)
                of_value[id(value)] = own
            given.append(value if own is None else own)
        parents = list(dict.fromkeys([v for v in given if isinstance(v, Own)]))
        if not parents:
            continue
        own = Own(len(owns), pair.seq, kept(pair.value), [pair.value], [], pair.code.co_name, [pair.code.co_name])
        find_operation(own, parents, given)
        named = names.get(id(pair.value))
        own.name = named[1] if named is not None else None
        owns.append(own)
        of_value[id(pair.value)] = own
        of_back[key] = own, [v if isinstance(v, Own) else None for v in given]
    link(owns)
    passes = _passes_of_callbacks(learned, of_back)
    if not passes:
        return
    functions = {pair.code.co_qualname for pair in learned.pairs.values()}
    machinery = Machinery(set(), functions | {pair.back.__qualname__ for pair in learned.pairs.values()})
    yield Plan("callbacks", min(functions), None, None, owns, passes, [], machinery)


def _passes_of_callbacks(learned: Learner, of_back: dict[int, tuple[Own, list[Own | None]]]) -> list[Pass]:
    passes: list[Pass] = []
    totals: dict[int, Any] = {}
    for back in learned.backs:
        known = of_back.get(id(back.back.back))
        if known is None or back.given is None:
            continue
        own, given = known
        if not passes or id(own) not in totals:
            passes.append(Pass(back.begun, own, back.given, 0.0, back.given, None))
            totals = {id(own): back.given}
        gave = list(back.gave) if type(back.gave) in (tuple, list) else [back.gave]
        places: list[Any] = given if len(gave) == len(given) else [v for v in given if v is not None]
        for to, gain in zip(places, gave, strict=False):
            if to is None or not is_number(gain):
                continue
            before = totals.get(id(to), 0.0)
            total = totals[id(to)] = before + kept(gain)
            landing = Landing(back.seq, to, before, total, kept(gain), False, back.back.code.co_firstlineno, "", own)
            take_slot(passes[-1], landing)
            passes[-1].landings.append(landing)
    passes = [each for each in passes if each.landings]
    for each in passes:
        count_arrivals(each)
    return passes


def of_arrivals(learned: Learner) -> Iterator[Plan]:
    """Nodes of which a function is called with what arrives, and calls those of what the node was made of."""
    nested = [arrival for arrival in learned.arrivals if arrival.around]
    if not nested:
        return
    plans = [_of_pairs(learned)] if any(isinstance(arrival.of, Pair) for arrival in nested) else []
    methods = {arrival.method for arrival in nested if isinstance(arrival.of, Made)}
    for method in sorted(methods, key=str):
        plans.append(_of_methods(learned, method))
    for plan in plans:
        if plan is not None and is_sure(plan):
            yield plan


def _of_methods(learned: Learner, method: str | None) -> Plan | None:
    """Nodes that are objects: those functions are methods, or attributes."""
    own = [a for a in learned.arrivals if isinstance(a.of, Made) and (a.method == method or method is None)]
    objects = Objects(learned, "calls", None, [], [a.of.thing for a in own if isinstance(a.of, Made)])
    machinery = objects.machinery()
    machinery.functions |= {arrival.code.co_qualname for arrival in own} - {"<module>"}
    value = objects.value_attribute()
    owns, changes = objects.owns(machinery, value)
    of_node = {key: each for key, each in owns.items()}
    passes, resets = _handed(own, lambda of: of_node.get(id(of)))
    if not passes:
        return None
    of = next(class_name(type(each.things[0])) for each in owns.values())
    return Plan("objects", of, value, None, list(owns.values()), passes, changes + resets, machinery)


def _of_pairs(learned: Learner) -> Plan | None:
    """Nodes that are numbers with the function that takes a gradient."""
    own = [a for a in learned.arrivals if isinstance(a.of, Pair)]
    owns: dict[int, Own] = {}
    of_back: dict[int, Own] = {}
    of_value: dict[int, Own] = {}
    names = {id(value): name for _, name, value in reversed(learned.names)}
    for pair in learned.pairs.values():
        given: list[Any] = []
        for value in flattened(pair.arguments):
            if type(value) is FunctionType and id(value) in of_back:
                given[-1:] = [of_back[id(value)]]  # the number before it is its value
            elif is_number(value):
                given.append(of_value.get(id(value), value))
        parents = list(dict.fromkeys([v for v in given if isinstance(v, Own)]))
        name = pair.code.co_name if parents else "input"
        node = Own(len(owns), pair.seq, kept(pair.value), [], [], name, [name])
        find_operation(node, parents, given if parents else [])
        node.name = names.get(id(pair.whole)) or names.get(id(pair.value))
        owns[id(pair)] = of_back[id(pair.back)] = of_value[id(pair.value)] = node
    link(owns.values())
    functions = {pair.code.co_qualname for pair in learned.pairs.values()}
    machinery = Machinery(set(), functions | {pair.back.__qualname__ for pair in learned.pairs.values()})
    passes, resets = _handed(own, lambda of: owns.get(id(of)))
    if not passes:
        return None
    return Plan("callbacks", min(functions), None, None, list(owns.values()), passes, resets, machinery)


def _handed(arrivals: Sequence[Arrival], known: Known) -> tuple[list[Pass], list[Change]]:
    """Passes in which each call hands a part of a gradient on: what arrives is a sum of all that was handed."""
    passes: list[Pass] = []
    resets: list[Change] = []
    totals: dict[int, tuple[Own, Any]] = {}
    roots: dict[int, Pass] = {}
    for arrival in arrivals:
        own = known(arrival.of)
        if own is None:
            continue
        around = [each for each in arrival.around if known(each.of) is not None]
        if not around:
            resets += [Change(arrival.seq, each, total, 0.0, True) for each, total in totals.values()]
            passes.append(Pass(arrival.seq, own, arrival.given, 0.0, arrival.given, arrival.line))
            totals = {id(own): (own, arrival.given)}
            roots[id(arrival)] = passes[-1]
            continue
        sender = known(around[-1].of)
        if id(around[0]) not in roots or sender is None or own not in sender.slots:
            continue
        before = totals[id(own)][1] if id(own) in totals else 0.0
        total = before + arrival.given
        totals[id(own)] = own, total
        landing = Landing(arrival.seq, own, before, total, arrival.given, False, arrival.line, "", sender)
        take_slot(passes[-1], landing)
        passes[-1].landings.append(landing)
    kept_passes = [each for each in passes if each.landings]
    for each in kept_passes:
        count_arrivals(each)
    return kept_passes, resets
