"""What a program's own tape is, from what was noted of a run: its nodes, and its passes.

Nothing goes by names of attributes or classes. A gradient is what is stored first for a node and then for what the node
was made of; a value is the number that an operation gives of the values of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import numpy as np

from engine.document.limits import class_name
from engine.tape.observe import MISSING, RECORDS, Append, Learner, Made, Store, attributes, is_number, is_own, kept
from engine.tape.operations import Operation, close, derivatives, operation


@dataclass(slots=True, eq=False)
class Own:
    """A node of the tape. `seq`: the moment it is there for the rest of the program; `slots`: what it was made of.

    `history`: other values that it got later. `constant`: it was made inside the operation that uses it, as `2` is in
    `x * 2`.
    """

    order: int
    seq: int
    value: Any
    things: list[Any]
    met: list[int]
    label: str
    words: list[str]
    slots: list[Own] = field(default_factory=list)
    operands: list[Any] = field(default_factory=list)
    operation: Operation | None = None
    constant: bool = False
    users: list[Own] = field(default_factory=list)
    name: str | None = None
    history: list[tuple[int, Any]] = field(default_factory=list)

    def at(self, seq: int) -> Any:
        """Its value at a moment: leaves are updated."""
        return next((value for since, value in reversed(self.history) if since <= seq), self.value)

    @property
    def leaf(self) -> bool:
        return not self.slots


@dataclass(slots=True, eq=False)
class Landing:
    """A gradient reached a node. `gain`: what came; `total`: what the node has then; `replaces`: by `=`, what was there
    is lost."""

    seq: int
    to: Own
    before: Any
    total: Any
    gain: Any
    replaces: bool
    line: int | None
    text: str
    sender: Own | None = None
    slot: int = 0
    arrived: int = 0
    within: Any = None


@dataclass(slots=True, eq=False)
class Pass:
    """One backward pass of the tape, which begins with `seed`; `total`: what the root has then."""

    seq: int
    root: Own
    seed: Any
    before: Any
    total: Any
    line: int | None
    landings: list[Landing] = field(default_factory=list)

    def groups(self) -> Iterator[list[Landing]]:
        """Landings that one node caused in a row."""
        group: list[Landing] = []
        for landing in self.landings:
            if group and group[-1].sender is not landing.sender:
                yield group
                group = []
            group.append(landing)
        if group:
            yield group


@dataclass(slots=True, eq=False)
class Change:
    """A number of a node became another one, outside of a pass."""

    seq: int
    to: Own
    before: Any
    after: Any
    gradient: bool


@dataclass(slots=True, eq=False)
class Machinery:
    """The functions of the tape itself: methods of its classes, what makes nodes, what stores gradients; not what uses
    them. Both are qualified names."""

    classes: set[str]
    functions: set[str]

    def has(self, code: CodeType) -> bool:
        """Whether a function is one of them, or lies in one."""
        name = code.co_qualname
        while name:
            if name in self.functions or name in self.classes:
                return True
            name = name.rpartition(".")[0]
            name = name.removesuffix(".<locals>")
        return False


@dataclass(slots=True, eq=False)
class Plan:
    """All of it. `kind` says how it was written: `objects`, `indices` or `callbacks`."""

    kind: str
    of: str
    value: str | None
    gradient: str | None
    nodes: list[Own]
    passes: list[Pass]
    changes: list[Change]
    machinery: Machinery
    whole: bool = True


def planned(learned: Learner) -> Plan | None:
    """The tape of a program; None where it has none."""
    found = [*_of_objects(learned), *_of_indices(learned), *_of_callbacks(learned)]
    if not found:
        return None
    best = max(found, key=_agreement)
    best.whole = not learned.over
    return best


def _agreement(plan: Plan) -> tuple[int, int]:
    """How many gradients came as the derivative has them, and how many in all: other numbers are stored as well, for
    one node after the other."""
    count = 0
    for each in plan.passes:
        has: dict[int, Any] = {id(each.root): each.total}
        for landing in each.landings:
            sender = landing.sender
            assert sender is not None
            values = [_value(v, sender.seq) for v in sender.operands]
            slopes = derivatives(sender.operation, values) if sender.operation else None
            if slopes is not None and id(sender) in has:
                due = [d for v, d in zip(sender.operands, slopes(has[id(sender)]), strict=True) if v is landing.to]
                count += any(close(landing.gain, d) for d in due if d is not None)
            has[id(landing.to)] = landing.total
    return count, sum(len(each.landings) for each in plan.passes)


def _value(operand: Any, seq: int) -> Any:
    return operand.at(seq) if isinstance(operand, Own) else operand


# Objects


def _of_objects(learned: Learner) -> Iterator[Plan]:
    for cells in _cells(learned):
        objects = _Objects(learned, *cells)
        first, later = objects.follows()
        plan = objects.plan() if first or later else None
        if plan is not None and (first or _agreement(plan)[0]):
            yield plan


Cells = tuple[str, str | None, list[tuple[Store, Any]]]
"""How gradients are kept, the name of the attribute if it is one, and each store with the object it is for."""


def _cells(learned: Learner) -> Iterator[Cells]:
    """Groups of stores, each of which may be those of gradients."""
    groups: dict[Any, list[Store]] = {}
    for store in learned.stores:
        attribute = store.site.attribute
        kind = "attribute" if attribute else "dict" if isinstance(store.owner, dict) else "list"
        groups.setdefault((kind, attribute or store.site.owner), []).append(store)
    indexed = _indexed(learned)
    named = _called(learned)
    for key, stores in groups.items():
        if key[0] == "attribute":
            yield "attribute", key[1], [(store, store.owner) for store in stores]
            continue
        found: list[tuple[Store, Any]] = []
        for store in stores:
            thing = _meant(store.key, learned, indexed, named)
            if thing is not None:
                found.append((store, thing))
        if len(found) * 2 > len(stores):
            yield key[0], None, found


def _meant(key: Any, learned: Learner, indexed: dict[int, Any], named: dict[str, Any]) -> Any:
    """The object that a member is for, by what the member is called by: itself, its `id()`, its number, its name."""
    if is_own(key):
        return key
    if isinstance(key, str):
        return named.get(key)
    if not isinstance(key, int | np.integer):
        return None
    known = learned.identities.get(int(key))
    return learned.made[known].thing if known in learned.made else indexed.get(int(key))


def _indexed(learned: Learner) -> dict[int, Any]:
    """Objects by a whole number of theirs that no other of their class has."""
    by_class: dict[type, list[Made]] = {}
    for made in learned.made.values():
        by_class.setdefault(type(made.thing), []).append(made)
    best: dict[int, Any] = {}
    for group in by_class.values():
        names = set.intersection(*[set(made.numbers) for made in group]) if group else set()
        for name in sorted(names):
            numbers = [made.numbers[name] for made in group]
            whole = all(type(n) is int for n in numbers)
            if whole and len(set(numbers)) == len(numbers) > len(best) and len(group[0].numbers) > 1:
                if sorted(numbers) == numbers and numbers[0] in (0, 1):
                    best = {n: made.thing for n, made in zip(numbers, group, strict=True)}
    return best


def _called(learned: Learner) -> dict[str, Any]:
    """Objects with a number by a word of theirs that no other of them has."""
    found: dict[str, list[Any]] = {}
    for made in learned.made.values():
        if made.numbers:
            for word in set(made.words.values()):
                found.setdefault(word, []).append(made.thing)
    return {word: things[0] for word, things in found.items() if len(things) == 1}


class _Objects:
    """A program in which nodes are objects, if gradients are what these stores tell."""

    def __init__(self, learned: Learner, kind: str, attribute: str | None, stores: list[tuple[Store, Any]]) -> None:
        self.learned, self.kind, self.attribute, self.stores = learned, kind, attribute, stores
        classes = {type(thing) for _, thing in stores if id(thing) in learned.made}
        bases = {base for cls in classes for base in cls.__mro__ if base.__module__ == "__main__"}
        bases |= classes & RECORDS
        self.made = [
            made for made in learned.made.values() if bases & set(type(made.thing).__mro__) and self._is_node(made)
        ]
        self.of_id: dict[int, Made] = {id(made.thing): made for made in self.made}
        self._aliases()
        self.parents = {id(made): self._parents(made) for made in self.made}
        self._drop_shared()

    def _is_node(self, made: Made) -> bool:
        return True

    def _aliases(self) -> None:
        """What stands for a node: an object with a number that refers to one node, which has no number itself."""
        self.values_of: dict[int, Made] = {}
        self.alias: dict[int, Made] = {}
        for made in self.learned.made.values():
            if id(made.thing) in self.of_id or not made.numbers:
                continue
            direct = [self.of_id[id(m)] for m, way in made.links if not way and id(m) in self.of_id]
            if len(direct) == 1 and not direct[0].numbers.keys() - {self.attribute}:
                self.alias[id(made.thing)] = direct[0]
                self.values_of.setdefault(id(direct[0]), made)

    def node(self, thing: Any) -> Made | None:
        """The node that an object is, or stands for."""
        key = id(thing)
        return self.of_id.get(key) or self.alias.get(key)

    def _reached(self, made: Made) -> Iterator[tuple[Made, tuple[int, ...]]]:
        seen = {id(made.thing)}
        todo: list[tuple[Made, tuple[int, ...], int]] = [(made, (), 0)]
        while todo:
            holder, way, hops = todo.pop(0)
            for member, between in holder.links:
                if id(member) in seen:
                    continue
                node = self.node(member)
                if node is not None:
                    if node is not made:
                        seen.add(id(member))
                        yield node, (*way, *between)
                elif hops < 2 and id(member) in self.learned.made:
                    seen.add(id(member))
                    todo.append((self.learned.made[id(member)], (*way, *between, id(member)), hops + 1))

    def _parents(self, made: Made) -> list[tuple[Made, tuple[int, ...]]]:
        return [(node, way) for node, way in self._reached(made) if node.order < made.order]

    def _drop_shared(self) -> None:
        """Containers that several nodes refer to are no list of what one was made of."""
        holders: dict[int, set[int]] = {}
        for key, parents in self.parents.items():
            for _, way in parents:
                for container in way:
                    holders.setdefault(container, set()).add(key)
        shared = {container for container, keys in holders.items() if len(keys) > 1}
        self.made_of: dict[int, list[Made]] = {}
        linked: dict[int, list[Made]] = {}
        for made in self.made:
            found = [node for node, way in self.parents[id(made)] if not shared.intersection(way)]
            linked[id(made)] = list(dict.fromkeys(found))
        by_arguments = not any(linked.values())
        for made in self.made:
            own = linked[id(made)]
            given = self._operands(made)
            nodes = [node for node in (self.node(value) for value in given) if node is not None and node is not made]
            nodes = [node for node in nodes if node.order < made.order]
            if by_arguments:
                own = list(dict.fromkeys(nodes))
            ordered = [node for node in nodes if node in own]
            self.made_of[id(made)] = ordered + [node for node in own if node not in ordered]

    def _operands(self, made: Made) -> list[Any]:
        """What the operation was given: numbers and objects, in order."""
        source = self.values_of.get(id(made), made)
        if source.maker is not None and not _is_method_of_holder(source):
            found = list(_flat(source.arguments))
            if any(self.node(value) not in (None, made) for value in found):
                return found
        return list(_flat(source.given))

    def follows(self) -> tuple[bool, bool]:
        """Whether the first store for a node comes before the first for what it was made of, as a rule, and whether any
        store for that comes after: a leaf stays, and has a gradient already when the nodes of a next pass are made."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for place, (store, thing) in enumerate(self.stores):
            node = self.node(thing)
            if node is not None and np.any(np.asarray(store.after) != 0):
                first.setdefault(id(node), place)
                last[id(node)] = place
        edges = [(id(made), id(parent)) for made in self.made for parent in self.made_of[id(made)]]
        edges = [edge for edge in edges if edge[0] in first and edge[1] in first]
        before = sum(1 if first[made] < first[parent] else -1 for made, parent in edges)
        return before > 0, any(first[made] < last[parent] for made, parent in edges)

    def plan(self) -> Plan | None:
        learned = self.learned
        machinery = self._machinery()
        value = self._value_attribute()
        owns: dict[int, Own] = {}
        changes: list[Change] = []
        written = self._written(value)
        for made in self.made:
            source = self.values_of.get(id(made), made)
            number = source.numbers.get(value, MISSING) if value else MISSING
            seq = _leaves(made, source, machinery)
            stores = written.get(id(source.thing), [])
            if not is_number(number) and stores:
                number, seq = stores[0].after, max(seq, stores[0].seq)
                stores = stores[1:]
            if not is_number(number):
                continue
            things = [made.thing, *([source.thing] if source is not made else [])]
            met = [made.order, *([source.order] if source is not made else [])]
            history = [(s.seq, s.after) for s in stores if s.seq > seq]
            own = Own(len(owns), seq, number, things, met, _label(made, source, machinery), _words(made, source))
            own.history = history
            owns[id(made)] = own
            given = self._operands(made)
            parents = [owns[id(p)] for p in self.made_of[id(made)] if id(p) in owns]
            _made_of(own, parents, [self._operand(value, owns) for value in given])
            changes += [Change(s.seq, own, s.before, s.after, False) for s in stores if s.seq > seq]
        if not owns:
            return None
        for made in self.made:
            if id(made) in owns and owns[id(made)].leaf:
                owns[id(made)].constant = _is_constant(made, self.made, self.made_of, machinery)
        _order(owns.values())
        ids = {id(thing): own for own in owns.values() for thing in own.things}
        self._helpers(ids, owns)
        indexed, named = (_indexed(learned), _called(learned)) if self.kind == "dict" else ({}, {})
        landings: list[_Raw] = []
        for s, thing in self.stores:
            node = self.node(thing)
            own_of = None if node is None else ids.get(id(node.thing))
            if node is None or own_of is None or s.seq < node.seq:
                continue
            meant = [(_meant(key, learned, indexed, named), value) for key, value in s.others]
            others = [(ids[id(n.thing)], value) for t, value in meant if (n := self.node(t)) and id(n.thing) in ids]
            landings.append(_raw(s, own_of, others))
        passes, resets = _passes(landings, _by_id(ids))
        if not passes:
            return None
        of = next(class_name(type(own.things[0])) for own in owns.values())
        nodes = list(owns.values())
        return Plan("objects", of, value, self.attribute, nodes, passes, changes + resets, machinery)

    def _operand(self, value: Any, owns: dict[int, Own]) -> Any:
        node = self.node(value)
        if node is not None:
            return owns.get(id(node), MISSING)
        return value if is_number(value) else MISSING

    def _value_attribute(self) -> str | None:
        """The number that operations explain best."""
        sources = [self.values_of.get(id(made), made) for made in self.made]
        counts: dict[str, int] = {}
        for source in sources:
            for name in source.numbers:
                counts.setdefault(name, 0)
        for store in self.learned.stores:
            if store.site.attribute is not None and self.node(store.owner) is not None:
                counts.setdefault(store.site.attribute, 0)
        counts.pop(self.attribute or "", None)
        if len(counts) < 2:
            return next(iter(counts), None)
        written = {name: self._written(name) for name in counts}
        for name in counts:
            seen = 0
            for made in self.made:
                parents = self.made_of[id(made)]
                if not parents or seen >= 60:
                    continue
                numbers = [self._number(m, name, written[name]) for m in (made, *parents)]
                if any(n is MISSING for n in numbers):
                    continue
                seen += 1
                given = [v for v in self._operands(made) if self.node(v) is None and is_number(v)]
                operands = [*numbers[1:], *given]
                flags = [True] * len(parents) + [False] * len(given)
                counts[name] += operation(numbers[0], operands, flags, ()) is not None
            counts[name] = 2 * counts[name] + any(type(s.numbers.get(name)) is not int for s in sources)
        return max(counts, key=lambda name: counts[name])

    def _number(self, made: Made, name: str, written: dict[int, list[Store]]) -> Any:
        source = self.values_of.get(id(made), made)
        if name in source.numbers:
            return source.numbers[name]
        stores = written.get(id(source.thing), [])
        return stores[0].after if stores else MISSING

    def _written(self, name: str | None) -> dict[int, list[Store]]:
        found: dict[int, list[Store]] = {}
        for store in self.learned.stores:
            if name is not None and store.site.attribute == name:
                found.setdefault(id(store.owner), []).append(store)
        return found

    def _machinery(self) -> Machinery:
        found = Machinery({type(made.thing).__qualname__ for made in self.made}, set())
        for made in self.made:
            source = self.values_of.get(id(made), made)
            found.classes.add(type(source.thing).__qualname__)
            if self.made_of[id(made)]:
                for maker in (made.maker, source.maker):
                    if maker is not None:
                        found.functions.add(maker.code.co_qualname)
                        found.classes.add(maker.code.co_qualname.rpartition(".")[0])
        within = [made.within[-2:] for made in self.made if self.made_of[id(made)] and made.maker is not None]
        outer = {calls[0].code.co_qualname for calls in within if len(calls) == 2}
        if len({calls[-1].code for calls in within}) == 1 < len(outer):
            found.functions |= outer  # they call the one that makes nodes
        for store, _ in self.stores:
            innermost = store.seen[0][0] if store.seen else None
            if innermost is not None and innermost.co_name != "<module>":
                found.functions.add(innermost.co_qualname)
        found.classes = {name for name in found.classes if name and not name.endswith("<locals>")}
        found.functions.discard("<module>")
        return found

    def _helpers(self, ids: dict[int, Own], owns: dict[int, Own]) -> None:
        """Objects that only one node leads to stand for that node where a pass is under way."""
        claimed: dict[int, set[int]] = {}
        things: dict[int, Own] = {}
        for made in self.made:
            if id(made) not in owns:
                continue
            for member, _ in made.links:
                if id(member) not in ids and is_own(member):
                    claimed.setdefault(id(member), set()).add(id(made))
                    things[id(member)] = owns[id(made)]
        for key, holders in claimed.items():
            if len(holders) == 1:
                ids[key] = things[key]
        for made in self.learned.made.values():  # what refers to a node and was made for it: an entry of a list
            if id(made.thing) in ids:
                continue
            nodes = [n for m, _ in made.links if (n := self.node(m)) is not None and id(n) in owns]
            if nodes:
                ids[id(made.thing)] = owns[id(max(nodes, key=lambda n: n.order))]


def _is_method_of_holder(made: Made) -> bool:
    """Whether the function that made it is no operation: it was given nothing."""
    return not made.arguments


def _flat(values: Iterable[Any], depth: int = 3) -> Iterator[Any]:
    for value in values:
        if type(value) in (list, tuple, set, frozenset) and depth:
            yield from _flat(value, depth - 1)
        else:
            yield value


def _leaves(made: Made, source: Made, machinery: Machinery) -> int:
    """The moment at which a node is handed to the program proper: the tape's own functions around it have ended."""
    seq = max(made.seq, source.seq)
    for within in (made.within, source.within):
        for call in within:
            if machinery.has(call.code):
                seq = max(seq, call.seq)
                break
    return seq


def _label(made: Made, source: Made, machinery: Machinery) -> str:
    maker = source.maker or made.maker
    kind = class_name(type(made.thing))
    return f"{kind}.{maker.code.co_name}" if maker is not None and machinery.has(maker.code) else kind


def _words(made: Made, source: Made) -> list[str]:
    """What the program calls the operation, perhaps."""
    found = [*made.words.values(), *source.words.values()]
    for each in (made, source):
        found += [v for v in _flat([*each.given, *each.arguments]) if type(v) is str]
        if each.maker is not None:
            found.append(each.maker.code.co_name)
            found.append(each.maker.code.co_qualname.split(".")[0])
        found.append(class_name(type(each.thing)))
        found += [class_name(type(member)) for member, _ in each.links]
    return found


def _made_of(own: Own, parents: Sequence[Own], given: Sequence[Any]) -> None:
    """Find out which operation made a node, and so in which order it has its operands."""
    operands: list[Any] = []
    for value in given:
        if isinstance(value, Own):
            if value in parents:
                operands.append(value)
        elif value is not MISSING and value is not own.value:
            operands.append(value)
    distinct: list[Any] = [*parents]
    numbers = [v for v in operands if not isinstance(v, Own)]
    everything = [*distinct, *numbers]
    flags = [True] * len(distinct) + [False] * len(numbers)
    values = [_value(v, own.seq) for v in everything]
    if parents:
        twice = [v for v in operands if isinstance(v, Own)]
        words = own.words
        own.operation = None
        if len(parents) == 1 and len(twice) == 2:  # x + x: both are the same
            both = operation(own.value, [values[0]], [True], words)
            own.operation = both
        if own.operation is None:
            own.operation = operation(own.value, values, flags, words)
    if own.operation is None:
        own.slots, own.operands = list(parents), list(parents)
        return
    own.operands = [everything[place] for place in own.operation.places]
    own.slots = [v for v in own.operands if isinstance(v, Own)]


def _is_constant(made: Made, all_made: Sequence[Made], made_of: dict[int, list[Made]], machinery: Machinery) -> bool:
    """Whether a leaf was made within the call of the operation that uses it."""
    calls = {call.number for call in made.within if machinery.has(call.code)}
    if not calls:
        return False
    for other in all_made:
        if made in made_of[id(other)]:
            return any(call.number in calls for call in other.within)
    return False


def _order(nodes: Iterable[Own]) -> None:
    for own in nodes:
        for parent in dict.fromkeys(own.slots):
            parent.users.append(own)
            own.seq = max(own.seq, parent.seq)


# Passes


@dataclass(slots=True, eq=False)
class _Raw:
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


def _raw(store: Store, own: Own, others: list[tuple[Own, Any]]) -> _Raw:
    site = store.site
    before, after = store.before, store.after
    return _Raw(
        store.seq, own, before, after, store.gain, site.adds, site.line, site.text, store.seen, others, site.loops
    )


def _passes(stores: Sequence[_Raw], known: Known) -> tuple[list[Pass], list[Change]]:
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
            _take_slot(current, landing)
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
        _count(each)
    return passes, changes


def _count(each: Pass) -> None:
    counts: dict[int, int] = {}
    for landing in each.landings:
        counts[id(landing.to)] = landing.arrived = counts.get(id(landing.to), 0) + 1


def _gain(store: _Raw, before: Any) -> Any:
    if not store.adds:
        return store.after
    if is_number(store.gain):
        return store.gain
    if not np.any(np.asarray(before) != 0):
        return store.after
    gain = np.asarray(store.after, np.float64) - np.asarray(before, np.float64)
    return float(f"{float(gain):.15g}") if gain.ndim == 0 else gain


def _sender(store: _Raw, users: Sequence[Own], known: Known, current: Pass | None) -> tuple[Own | None, bool]:
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


def _by_id(ids: dict[int, Own]) -> Known:
    def known(value: Any) -> Own | None:
        found = ids.get(id(value))
        if found is None and type(value) is tuple:
            members = [ids[id(m)] for m in value if id(m) in ids]
            found = max(members, key=lambda own: own.order) if members else None
        return found

    return known


def _take_slot(current: Pass, landing: Landing) -> None:
    """Which of the sender's edges a gradient comes along."""
    sender = landing.sender
    assert sender is not None
    slots = [i for i, parent in enumerate(sender.slots) if parent is landing.to]
    sent = sum(1 for each in current.landings if each.sender is sender and each.to is landing.to)
    landing.slot = slots[sent % len(slots)] if slots else 0


# Indices


def _of_indices(learned: Learner) -> Iterator[Plan]:
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
        flat = list(_flat(item))
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
        _made_of(own, list(dict.fromkeys(parents)), [*parents, *numbers])
        owns.append(own)
    _order(owns)
    before = 0
    for seq, name, value in learned.names:
        if type(value) is int and 0 <= value < len(owns):
            since = owns[value].seq
            if since == seq or before < since < seq and (seq, name) in learned.together:
                owns[value].name = owns[value].name or name
        before = seq if (seq, name) not in learned.together else before

    def known(value: Any) -> Own | None:
        return owns[value] if type(value) is int and 0 <= value < len(owns) else None

    landings = [_raw(s, owns[int(s.key)], []) for s in stores if 0 <= int(s.key) < len(owns)]
    for store in stores:
        if store.seen and store.seen[0][0].co_name != "<module>":
            machinery.functions.add(store.seen[0][0].co_qualname)
    passes, changes = _passes(landings, known)
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


# Callbacks


def _of_callbacks(learned: Learner) -> Iterator[Plan]:
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
        for value in _flat(pair.arguments):
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
        _made_of(own, parents, given)
        named = names.get(id(pair.value))
        own.name = named[1] if named is not None else None
        owns.append(own)
        of_value[id(pair.value)] = own
        of_back[key] = own, [v if isinstance(v, Own) else None for v in given]
    _order(owns)
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
            _take_slot(passes[-1], landing)
            passes[-1].landings.append(landing)
    passes = [each for each in passes if each.landings]
    for each in passes:
        _count(each)
    return passes
