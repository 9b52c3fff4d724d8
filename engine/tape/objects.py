"""Nodes that are objects of the program's own, or dicts, lists and namespaces that stand for objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.document.limits import class_name
from engine.tape.observe import MISSING, RECORDS, Learner, Made, Store, is_number, is_own
from engine.tape.operations import operation
from engine.tape.passes import Raw, by_id, passes_of, raw
from engine.tape.plan import Change, Machinery, Own, Plan, agreement, find_operation, flattened, link


def of_objects(learned: Learner) -> Iterator[Plan]:
    for cells in _cells(learned):
        objects = Objects(learned, *cells)
        first, later = objects.follows()
        plan = objects.plan() if first or later else None
        if plan is not None and (first or agreement(plan)[0]):
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


class Objects:
    """A program in which nodes are objects, if gradients are what these stores tell."""

    def __init__(
        self,
        learned: Learner,
        kind: str,
        attribute: str | None,
        stores: list[tuple[Store, Any]],
        others: Iterable[Any] = (),
    ) -> None:
        self.learned, self.kind, self.attribute, self.stores = learned, kind, attribute, stores
        things = [*[thing for _, thing in stores], *others]
        classes = {type(thing) for thing in things if id(thing) in learned.made}
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
        if source.maker is not None and source.arguments:  # what is given nothing is no operation
            found = list(flattened(source.arguments))
            if any(self.node(value) not in (None, made) for value in found):
                return found
        return list(flattened(source.given))

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

    def owns(self, machinery: Machinery, value: str | None) -> tuple[dict[int, Own], list[Change]]:
        """The nodes by their objects, and what their values became."""
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
            find_operation(own, parents, [self._operand(value, owns) for value in given])
            changes += [Change(s.seq, own, s.before, s.after, False) for s in stores if s.seq > seq]
        for made in self.made:
            if id(made) in owns and owns[id(made)].leaf:
                owns[id(made)].constant = _is_constant(made, self.made, self.made_of, machinery)
        link(owns.values())
        return owns, changes

    def plan(self) -> Plan | None:
        learned = self.learned
        machinery = self.machinery()
        value = self.value_attribute()
        owns, changes = self.owns(machinery, value)
        if not owns:
            return None
        ids = {id(thing): own for own in owns.values() for thing in own.things}
        self._helpers(ids, owns)
        indexed, named = (_indexed(learned), _called(learned)) if self.kind == "dict" else ({}, {})
        landings: list[Raw] = []
        for s, thing in self.stores:
            node = self.node(thing)
            own_of = None if node is None else ids.get(id(node.thing))
            if node is None or own_of is None or s.seq < node.seq:
                continue
            meant = [(_meant(key, learned, indexed, named), value) for key, value in s.others]
            others = [(ids[id(n.thing)], value) for t, value in meant if (n := self.node(t)) and id(n.thing) in ids]
            landings.append(raw(s, own_of, others))
        passes, resets = passes_of(landings, by_id(ids))
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

    def value_attribute(self) -> str | None:
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

    def machinery(self) -> Machinery:
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
        found += [v for v in flattened([*each.given, *each.arguments]) if type(v) is str]
        if each.maker is not None:
            found.append(each.maker.code.co_name)
            found.append(each.maker.code.co_qualname.split(".")[0])
        found.append(class_name(type(each.thing)))
        found += [class_name(type(member)) for member, _ in each.links]
    return found


def _is_constant(made: Made, all_made: Sequence[Made], made_of: dict[int, list[Made]], machinery: Machinery) -> bool:
    """Whether a leaf was made within the call of the operation that uses it."""
    calls = {call.number for call in made.within if machinery.has(call.code)}
    if not calls:
        return False
    for other in all_made:
        if made in made_of[id(other)]:
            return any(call.number in calls for call in other.within)
    return False
