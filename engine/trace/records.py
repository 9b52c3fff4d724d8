"""The records of a run: its timeline, the ops and tensors in it, and the values that are kept for it.

`Records.make` turns entries of the log into records while there is room. Arrays are kept, not copied: who overwrites
memory says so before (`Records.save`), and only then are the values that live in it copied. numpy scalars never change
and are kept as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np

from engine.core.observer import Send
from engine.core.saved_tensors import SavedVariable
from engine.core.state import Position
from engine.core.tensor import Tensor
from engine.document.limits import NAME, TEXT
from engine.document.sizes import EVENT, NODE, SCOPE, SEND, TENSOR, VALUE
from engine.document.words import UNRECORDED
from engine.limits import Limits, meter
from engine.trace import reading
from engine.trace.entries import Entry, LoopTurnEnd, Overwrite, count_into, first_changes, in_copy
from engine.trace.events import (
    RELEASED,
    AccumulateEvent,
    BackwardEndEvent,
    BackwardEvent,
    BindEvent,
    Event,
    FigureEvent,
    Gap,
    GradEvent,
    HeldArray,
    HookEvent,
    NodeEvent,
    OpRecord,
    PrintEvent,
    ReadEvent,
    Scope,
    TensorRecord,
    WarningEvent,
    WriteEvent,
)
from engine.trace.sizes import BRANCH, NUMBER, OP, REFERENCE, SUMMARY
from engine.types.coo import Coo

new, ndarray = object.__new__, np.ndarray
_KEPT = frozenset({np.ndarray, Coo})
"""Values that are more than a number."""

_PLAIN = frozenset({type(None), bool, int, float, complex, str, *np.sctypeDict.values()})
"""Types of saved values that are kept as they are."""

_NODE = 2 * EVENT
"""A node that ran, and perhaps released what it saved."""

_DESCRIBED = 4
"""Bytes of memory that it takes to describe an element, however small it is."""

_REACHABLE = 1 << 16
"""Nodes that the beginning of a pass names, at most, as far as its size is foreseen."""


_HELD, _RETURNED = 4, 16
"""A recorder may keep a quarter of a run's memory. A program gets a sixteenth back, which its process has more."""


class Budget:
    """The room of a recording: `bytes` and `rows` are shares of the limits; a part of the memory may be kept."""

    __slots__ = ("bytes", "events", "kept", "ops")

    def __init__(self, limits: Limits, bytes: float, rows: float) -> None:
        self.ops, self.events = int(limits.ops * rows), int(limits.events * rows)
        self.bytes = limits.document_bytes * bytes
        self.kept = limits.total_bytes // _HELD

    def used_up(self, records: Records) -> str | None:
        """The name of the limit that was reached."""
        if len(records.ops) >= self.ops:
            return "ops"
        if len(records.events) >= self.events:
            return "events"
        if records.weight >= self.bytes:
            return "document_bytes"
        return "total_bytes" if records.kept >= self.kept else None


class Records:
    """The records of a run. `events` is the timeline; times are positions in that list.

    `weight`: bytes of a document that they take, about; `kept`: bytes of memory that they keep; `whole`: how many
    events there were, and their weight, when the last turn of a loop with a backward pass in it was complete.
    """

    __slots__ = (
        "_begun", "_graded", "_held", "_inline", "_left", "_limits", "_named_in", "by_memory", "events", "kept", "ops",
        "tensors", "weight", "whole",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self._limits, self._inline = limits, limits.inline_values
        self.events: list[Event] = []
        self.tensors: dict[int, TensorRecord] = {}
        self.ops: list[OpRecord] = []
        self.weight = self.kept = 0
        self.whole = (0, 0)
        self.by_memory: dict[int, HeldArray] = {}
        self._held: dict[int, HeldArray] = {}
        self._left: dict[int, tuple[ref[Any], HeldArray]] = {}
        self._begun: list[int] = []
        self._named_in: dict[int, list[Tensor]] = {}
        self._graded: dict[int, tuple[Tensor, Any]] = {}

    # Values

    def hold(self, value: Any) -> Any:
        """The value, safe from later writes."""
        if type(value) is not ndarray:
            if type(value) is Coo:
                self._keep(value)
            return value
        known, by_memory = self._held, self.by_memory
        held = known.get(id(value))
        if held is None:
            if self._left and (held := self._as_it_was(value)) is not None:
                return held
            held = known[id(value)] = new(HeldArray)
            held.array = value
            memory = value if value.base is None else owner(value)
            held.beside = by_memory.get(id(memory))
            by_memory[id(memory)] = held
            if held.beside is None:
                self.kept += memory.size * max(memory.itemsize, _DESCRIBED)
            size = value.size
            # Summing up many numbers takes time: of large values, a document has fewer.
            self.weight += VALUE + size * NUMBER[value.itemsize] if size <= self._inline else SUMMARY + (size >> 7)
        return held

    def _as_it_was(self, value: Any) -> HeldArray | None:
        """The held array of a value that might have been overwritten meanwhile, and was not."""
        if (left := self._left.get(id(value))) is None:
            return None
        array, held = left
        still: Any = array()
        few = still is value and still.size <= self._inline
        return held if few and held.array.tobytes() == still.tobytes() else None

    def _keep(self, value: Coo) -> None:
        """Count a sparse value, which nothing writes to."""
        self.weight += SUMMARY
        self.kept += value.nbytes

    def _hold_all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(map(self.hold, values))

    def _spare(self) -> None:
        """Give the program back the memory that is kept, up to a part of it."""
        meter.spared = min(self.kept, self._limits.total_bytes // _RETURNED)

    def save(self, memory: Any, perhaps: bool = False) -> None:
        """`memory` is about to be overwritten, or may `perhaps` be: copy the values that live there."""
        held = self.by_memory.pop(id(memory), None)
        if held is None:
            return
        while held is not None:
            self._held.pop(id(held.array), None)
            meter.charge(held.array.nbytes >> 12)
            if perhaps:
                self._left[id(held.array)] = ref(held.array), held
            held.array = held.array.copy()
            self.kept += held.array.nbytes
            held.beside, held = None, held.beside
        self._spare()

    # Making records

    def tensor(self, t: Tensor, value: Any, position: Position | None, scope: Scope) -> TensorRecord:
        """The record of a tensor, made when it is first seen."""
        record = self.tensors.get(id(t))
        if record is None:
            record = new(TensorRecord)
            record.tensor, record.value, record.position, record.scope = t, value, position, scope
            self._enter(record)
        return record

    def _enter(self, record: TensorRecord) -> None:
        """A tensor that no op made is seen for the first time."""
        t, value = record.tensor, record.value
        record.name, record.seen = None, len(self.events)
        self.tensors[id(t)] = record
        self.weight += TENSOR
        if type(value) is ndarray:
            record.value = self.hold(value)
            if reading.is_leaf(t):  # which has a gradient and another value in the end
                self.weight += VALUE + min(value.size * NUMBER[value.itemsize], SUMMARY)
        elif type(value) is Coo:
            self._keep(value)
            self.weight += 2 * SUMMARY
        if not record.scope.weighed:
            self._weigh(record.scope)

    def _weigh(self, scope: Scope | None) -> None:
        while scope is not None and not scope.weighed:
            scope.weighed = True
            self.weight += SCOPE + 2 * min(len(scope.label), NAME)
            scope = scope.parent

    def make(self, entries: Sequence[Entry], budget: Budget, again: bool = False) -> int:
        """Make records of entries while there is room; returns of how many. `again`: the entries are needed once more
        as they are."""
        events, ops, tensors, begun, graded = self.events, self.ops, self.tensors, self._begun, self._graded
        most_events, most_ops, most_bytes, most_kept = budget.events, budget.ops, budget.bytes, budget.kept
        hold, held_saved, plain = self.hold, self._saved, _PLAIN
        sure = 0  # up to here there are rows enough, as long as nothing is written
        added = 0  # bytes of what is made right here
        made = len(entries)
        entry: Any
        for place, entry in enumerate(entries):
            if place >= sure:
                left = min((most_events - len(events) + 1) // 2, most_ops - len(ops))
                if left <= 0:
                    made = place
                    break
                sure = place + left
            if self.weight + added >= most_bytes or self.kept >= most_kept:
                made = place
                break
            kind = type(entry)
            # Ops and nodes are most of a run: their records are made right here, and numpy scalars, which need not be
            # held, are told apart on the spot.
            if kind is OpRecord:
                record: OpRecord = entry.copy() if again else entry
                weight, t = OP + EVENT, record.tensor
                if record.several is not None:
                    weight += self._outputs(record)
                else:
                    a = record.value
                    if type(a) is ndarray:
                        record.value = hold(a)
                    elif type(a) is Coo:
                        self._keep(a)
                    else:
                        weight += VALUE
                    if id(t) not in tensors:
                        record.name, record.seen = None, len(events)
                        tensors[id(t)] = record
                        weight += TENSOR
                saved = record.kept = record.saved
                if saved:
                    for value in saved:
                        if type(value) not in plain:
                            record.saved = [held_saved(value) for value in saved]
                            if SavedVariable in map(type, saved):
                                record.kept = [_unpacked(value) for value in saved]
                            break
                    weight += len(saved) * BRANCH
                if record.node is not None:
                    weight += NODE
                given = record.inputs
                if given and (len(given) > 8 or type(given[0]) is list or type(given[0]) is tuple):
                    weight += _references(given)
                if not record.scope.weighed:
                    self._weigh(record.scope)
                added += weight
                ops.append(record)
                events.append(record)
            elif kind is tuple:
                call, node, grad_outputs, grad_inputs, sends, ready, released = entry
                if call not in begun:
                    continue
                values = len(grad_outputs) + len(grad_inputs)
                added += _NODE + values * VALUE + len(ready) * REFERENCE + len(sends) * SEND
                events.append(self._held_node(entry) if _has_arrays(grad_outputs, grad_inputs, sends) else entry)
                if released:
                    events.append(RELEASED)
            elif kind is AccumulateEvent:
                event: AccumulateEvent = replace(entry) if again else entry
                t, after = event.tensor, event.after
                if id(t) not in tensors:
                    self.tensor(t, event.array, event.position, event.scope)
                event.array = None
                if type(after) in _KEPT:
                    after = event.after = hold(after)
                    event.before, event.incoming = hold(event.before), hold(event.incoming)
                graded[id(t)] = t, after
                if event.call in begun:
                    added += EVENT + 3 * VALUE
                    events.append(event)
            elif kind is TensorRecord:
                if id(entry.tensor) not in tensors:
                    self._enter(entry.copy() if again else entry)
            else:
                self.weight += added
                added = 0
                _MAKE[kind](self, replace(entry) if again else entry)
                if kind is WriteEvent:
                    sure = place
        self.weight += added
        self._spare()
        return made

    def _outputs(self, record: OpRecord) -> int:
        """Records of the tensors that an op gave, when it gave several; returns their bytes."""
        tensors, weight = self.tensors, 0
        values: list[Any] = []
        for t, a in zip(record.outputs, record.values, strict=True):
            if type(a) is ndarray:
                a = self.hold(a)
            else:
                weight += VALUE
            if id(t) not in tensors:
                seen = len(self.events)
                tensors[id(t)] = TensorRecord(t, a, record.position, record.scope, None, seen)
                weight += TENSOR
            values.append(a)
        record.several_values = values
        return weight

    def _held_node(self, event: NodeEvent) -> NodeEvent:
        """A node's event with its arrays held."""
        call, node, grad_outputs, grad_inputs, sends, ready, released = event
        hold = self.hold
        sends = [
            (to, number, held := hold(value), arrived, expected, held if total is value else hold(total))
            for to, number, value, arrived, expected, total in sends
        ]
        return call, node, self._hold_all(grad_outputs), self._hold_all(grad_inputs), sends, ready, released

    def _saved(self, value: Any) -> Any:
        if type(value) is Tensor and type(value._array) is not ndarray:
            return value._array
        if type(value) is SavedVariable:  # what the program's hook made of it: only a tensor can be shown
            value = value.value if reading.is_tensor(value.value) else None
        if isinstance(value, Tensor):
            return self.hold(reading.array(value))
        if type(value) is tuple:
            if value and isinstance(value[0], Tensor):
                return [self.hold(reading.array(t)) for t in value]
            return self.hold(value[0]) if value else None
        return value

    def append(self, event: Event, weight: int = 0) -> None:
        """Something that needs nothing more happened."""
        self.weight += EVENT + weight
        self.events.append(event)

    def _bind(self, event: BindEvent) -> None:
        name, t, array = event.name, event.tensor, event.array
        record = self.tensor(t, array, event.position, event.scope)
        event.array = None
        if record.name is None:
            record.name = name
            if type(array) is ndarray:  # a named tensor is told of writes through others to its memory
                self._named_in.setdefault(id(owner(array)), []).append(t)
        self.append(event, 2 * min(len(name), NAME))

    def _write(self, event: WriteEvent) -> None:
        t, value, position, leaf = event.tensor, event.value, event.position, event.leaf
        assert event.scope is not None
        self.tensor(t, value, position, event.scope)
        event.value = self.hold(value)
        self.append(event, VALUE)
        for other in self._aliases(t, value):
            self.append(WriteEvent(other, reading.version(other), self.hold(reading.array(other)), position), VALUE)
        if leaf is not None:
            _, before = self._graded.get(id(leaf), (leaf, None))
            self._append_grad(GradEvent(leaf, before, value, "in_place", position))
        elif self._graded and not reading.is_leaf(t):
            self._wrote_gradient(value, position)

    def _aliases(self, tensor: Tensor, value: Any) -> list[Tensor]:
        """Other tensors whose value was just written: the base of a view, what `.data` is of, what has a name."""
        found: dict[int, Tensor] = {}
        if type(value) is ndarray:
            memory = owner(value)
            found = {id(t): t for t in self._named_in.get(id(memory), ()) if owner(reading.array(t)) is memory}
        source: Tensor | None = tensor
        while source is not None:
            found[id(source)] = source
            view, cut = reading.view(source), reading.cut(source)
            source = view.base if view is not None else cut[0] if cut else None
        return [t for i, t in found.items() if t is not tensor and i in self.tensors and _same_memory(t, value)]

    def _wrote_gradient(self, value: Any, position: Position | None) -> None:
        """`x.grad.zero_()` and its like: the memory just written is some tensor's .grad."""
        memory = owner(value)
        for leaf, before in list(self._graded.values()):
            grad = reading.grad(leaf)
            if grad is not None and owner(grad) is memory:
                self._append_grad(GradEvent(leaf, before, grad, "in_place", position))

    def _append_grad(self, event: GradEvent) -> None:
        event.after = self.hold(event.after)
        self._graded[id(event.tensor)] = event.tensor, event.after
        self.append(event, 2 * VALUE)

    def _grad(self, event: GradEvent) -> None:
        assert event.scope is not None
        self.tensor(event.tensor, event.array, event.position, event.scope)
        event.array, event.before = None, self.hold(event.before)
        self._append_grad(event)

    def _backward(self, event: BackwardEvent) -> None:
        event.gradients = self._hold_all(event.gradients)
        self._begun.append(event.call)
        named = min(len(event.reachable), _REACHABLE) + len(event.roots) + len(event.inputs or ())
        self.append(event, named * REFERENCE + len(event.gradients) * VALUE)

    def _backward_end(self, event: BackwardEndEvent) -> None:
        if event.call in self._begun:
            self._begun.remove(event.call)
            self.append(event)

    def _hook(self, event: HookEvent) -> None:
        event.before, event.after = self._hold_all(event.before), self._hold_all(event.after)
        self.append(event, (len(event.before) + len(event.after)) * VALUE)

    def _read(self, event: ReadEvent) -> None:
        if isinstance(event.target, Tensor):
            self.tensor(event.target, event.array, event.position, event.scope)
        event.array, event.value = None, self.hold(event.value)
        self.append(event, VALUE + REFERENCE * len(event.index))

    def _print(self, event: PrintEvent) -> None:
        self.append(event, 2 * len(event.text))

    def _warning(self, event: WarningEvent) -> None:
        self.append(event, 2 * (len(event.category) + min(len(event.message), TEXT)))

    def _figure(self, event: FigureEvent) -> None:
        self.append(event, 2 * len(event.file or ""))

    def _turn_end(self, _: LoopTurnEnd) -> None:
        self.whole = len(self.events), self.weight

    def _overwrite(self, entry: Overwrite) -> None:
        """Move held values of overwritten memory into the copy that was made of it."""
        held = self.by_memory.pop(id(entry.memory), None)
        while held is not None:
            self._held.pop(id(held.array), None)
            held.array = in_copy(held.array, entry.memory, entry.copy)
            held.beside, held = None, held.beside

    # When there is no more room

    def undo(self, count: int, weight: int, over: bool = True) -> Gap:
        """Forget all but the first `count` events, and what was seen later; returns what they were.

        Unless the run is `over`, what is kept has to be safe from writes as before.
        """
        gap = Gap()
        dropped, self.weight = self.events[count:], weight
        del self.events[count:]
        for event in dropped:
            if type(event) is Gap:
                gap.add(event)
            else:
                count_into(gap, (event,))
        for event in dropped:
            if type(event) is OpRecord:
                self.ops.pop()
        for key in [key for key, record in self.tensors.items() if record.seen >= count]:
            del self.tensors[key]
        if over:
            self._held, self.by_memory, self._left = {}, {}, {}
        self._graded = {}
        self._begun = []
        for event in self.events:
            if type(event) is BackwardEvent:
                self._begun.append(event.call)
            elif type(event) is BackwardEndEvent:
                self._begun.remove(event.call)
            elif isinstance(event, AccumulateEvent | GradEvent):
                self._graded[id(event.tensor)] = (event.tensor, event.after)
        return gap

    def end_passes(self) -> None:
        """Every pass that was begun is ended."""
        while self._begun:
            self._backward_end(BackwardEndEvent(self._begun[-1]))

    def append_gap(self, gap: Gap, rest: Sequence[Entry], most: float) -> None:
        """Say what is missing here, and how it left the tensors of the document; `rest` comes after it.

        `most`: bytes that the document may have then. What a pass adds to is told in any case.
        """
        if not gap.events:
            return
        self.end_passes()
        self.append(gap)
        if rest:
            most = (most + self.weight) / 2
        written, grads, awaited = first_changes(rest)
        shown = {key: record.value for key, record in self.tensors.items()}
        for event in self.events:
            if type(event) is WriteEvent:
                shown[id(event.tensor)] = event.value
        for key, record in list(self.tensors.items()):
            t = record.tensor
            now, version = reading.array(t), reading.version(t)
            if key in written:
                old, version = written[key]
                now = now if type(now) is ndarray else old
            if now is not None and self.weight < most and not _same(shown[key], now):
                self.append(WriteEvent(t, version, self.hold(now), None), VALUE)
            grad = grads[key] if key in grads else reading.grad(t)
            _, before = self._graded.get(key, (t, None))
            if (self.weight < most or key in awaited) and not _same(before, grad):
                self._append_grad(GradEvent(t, before, grad, UNRECORDED, None))
        for figure in gap.figures:
            self._figure(figure)
        if gap.text:
            self._print(PrintEvent("".join(gap.text), None))

    def op_of_node(self) -> Mapping[int, OpRecord]:
        """The op that made each node, by its id."""
        return {id(record.node): record for record in self.ops if record.node is not None}


def _unpacked(value: Any) -> Any:
    """A saved value without the objects that a program's hook made of it, which end when the node lets go of them."""
    if type(value) is not SavedVariable:
        return value
    packed = value.value
    if reading.is_tensor(packed):
        return packed
    return tuple([t for _, t in reading.items(packed) if reading.is_tensor(t)]) or None


def _references(given: Sequence[Any]) -> int:
    """Bytes that the many arguments of an op take."""
    return REFERENCE * sum([len(x) if type(x) is list or type(x) is tuple else 1 for x in given])


def _has_arrays(grad_outputs: Sequence[Any], grad_inputs: Sequence[Any], sends: Sequence[Send]) -> bool:
    """Whether a node got or gave more than numbers."""
    for value in grad_outputs:
        if type(value) in _KEPT:
            return True
    for value in grad_inputs:
        if type(value) in _KEPT:
            return True
    for send in sends:
        if type(send[5]) in _KEPT:
            return True
    return False


def _same(kept: Any, now: Any) -> bool:
    """Whether a kept value is what a tensor holds now: the same number, or memory that was not written since."""
    if type(kept) is HeldArray:
        return kept.array is now
    if kept is now:
        return True
    if type(now) is ndarray or kept is None or now is None or type(now) is Coo or type(kept) is Coo:
        return False
    return bool(kept == now)


def owner(array: Any) -> Any:
    """The array that owns the memory."""
    while type(array) is ndarray:
        base = array.base
        if type(base) is not ndarray:
            break
        array = base
    return array


def _same_memory(t: Tensor, value: Any) -> bool:
    array = reading.array(t)
    return type(array) is np.ndarray and type(value) is np.ndarray and np.may_share_memory(array, value)


_MAKE: dict[type, Callable[[Records, Any], None]] = {
    BindEvent: Records._bind,
    WriteEvent: Records._write,
    GradEvent: Records._grad,
    ReadEvent: Records._read,
    BackwardEvent: Records._backward,
    BackwardEndEvent: Records._backward_end,
    HookEvent: Records._hook,
    PrintEvent: Records._print,
    WarningEvent: Records._warning,
    FigureEvent: Records._figure,
    LoopTurnEnd: Records._turn_end,
    Overwrite: Records._overwrite,
}
"""Makers of records by the class of the entry, for those that `make` leaves to others."""
