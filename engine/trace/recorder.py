"""Watches a run and keeps what happened, by reference; `engine.trace.document` formats it afterwards.

What happens is only logged, and turned into records when someone asks or before something that was logged can change.
Arrays are kept, not copied. The engine announces every overwrite (`before_write`), and only then are the values that
live in that memory copied. numpy scalars never change and are kept as they are.

Recording ends when the document is full (`Limits.ops`, `events`, `document_bytes`), or when what it keeps takes half
of `Limits.total_bytes`. The run goes on, and the last of it is followed (`engine.trace.following`): logged, but turned
into records only when the run is over, after an event that says what is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.codegen.op import Op
from engine.core.batch import whole
from engine.core.node import Node
from engine.core.observer import HookKind, Observer, PassesOnly, Send
from engine.core.saved_tensors import SavedVariable
from engine.core.state import Position, state
from engine.core.tensor import Tensor
from engine.limits import Limits, meter
from engine.nn.module import Module
from engine.trace import reading
from engine.trace.entries import (
    AccumulateEntry,
    BindEntry,
    CreateEntry,
    Entry,
    FinishedEvent,
    GradEntry,
    LoopTurnEnd,
    Overwrite,
    ReadEntry,
    WriteEntry,
    capture,
    captured,
    count_into,
    first_changes,
    in_copy,
)
from engine.trace.events import (
    RELEASED,
    AccumulateEvent,
    BackwardEndEvent,
    BackwardEvent,
    BindEvent,
    ErrorEvent,
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
from engine.trace.exits import Exits
from engine.trace.following import HELD, Following
from engine.trace.sizes import (
    BRANCH,
    EVENT,
    NAME,
    NODE,
    NUMBER,
    OP,
    REFERENCE,
    SCOPE,
    SEND,
    SUMMARY,
    TENSOR,
    TEXT,
    VALUE,
    encoded,
)
from engine.trace.skipping import Skipping
from engine.trace.steps import Steps
from engine.trace.training import Training

new, ndarray = object.__new__, np.ndarray
_LOGGED = 1 << 16
"""Entries logged before they are turned into records."""

HOLDERS = 10_000
"""Containers remembered for the names they give."""

_FIRST, _ALL, _LAST = 0.62, 0.88, 0.94
"""The parts of a document's bytes that the beginning of a run may fill, all that is recorded of it, and with how its
tensors are in the end."""

_LAST_TURNS = 2
"""Turns at the end of a loop of known length that are followed; those before them are skipped when there is no room."""

_FEW = 2_048
"""Elements that are summed up for nothing."""

READS = 2_000
"""Attributes that a document tells the program looked at."""

_ENTRY = 600
"""Bytes of a document that one logged entry takes, about: how many of them are worth following."""

UNRECORDED = "unrecorded"
"""What changed `.grad` where nothing was recorded."""


class Budget:
    """What a recording may take: `bytes` and `rows` are shares of the limits; half the memory may be kept."""

    __slots__ = ("bytes", "events", "kept", "ops")

    def __init__(self, limits: Limits, bytes: float, rows: float) -> None:
        self.ops, self.events = int(limits.ops * rows), int(limits.events * rows)
        self.bytes = limits.document_bytes * bytes
        self.kept = limits.total_bytes // 2

    def used_up(self, recorder: Recorder) -> str | None:
        """The name of the limit that was reached."""
        if len(recorder.ops) >= self.ops:
            return "ops"
        if len(recorder.events) >= self.events:
            return "events"
        if recorder.weight >= self.bytes:
            return "document_bytes"
        return "total_bytes" if recorder.kept >= self.kept else None


class Recorder:
    """The observer of a run. `events` is the timeline; times are positions in that list."""

    __slots__ = (
        "_all", "_begun", "_budget", "_by_memory", "_flushed", "_graded", "_gradients", "_head", "_held", "_inline",
        "_log", "_most_logged", "_most_pending", "_named_in", "_old", "_open_calls", "_over", "_passed", "_pending",
        "_skip_until", "_skipped_call", "_skipping", "_tail", "_whole", "calls", "events", "exits", "figure_bytes",
        "figures", "holders", "kept", "limits", "ops", "parameters", "reads", "root", "runs_again", "scope", "steps",
        "tensors", "training", "truncated", "turns", "weight",
    )  # fmt: skip
    edges = scopes = True
    blind = False

    def __init__(self, limits: Limits, skip_until: float = math.inf) -> None:
        """`skip_until`: the number of the loop turn before which turns may be skipped."""
        self.limits = limits
        self.turns = 0
        self._skip_until, self.runs_again = skip_until, skip_until is not math.inf
        self._skipping = False
        self._skipped_call = -1
        self.events: list[Event] = []
        self.tensors: dict[int, TensorRecord] = {}
        self.ops: list[OpRecord] = []
        self.root = Scope(None, "program", "program", 1, None)
        self.scope = self.root
        self.truncated: str | None = None
        self.calls = self.reads = 0
        self.weight = 0
        self.kept = 0
        self._budget = Budget(limits, _FIRST, 0.75)
        self._log: list[Entry] = []
        self._most_logged = _LOGGED
        self._pending = 0
        self._most_pending = min(HELD, limits.total_bytes // 8)
        self._tail: Following | None = None
        self._open_calls: list[int] = []
        self._begun: list[int] = []
        self._held: dict[int, HeldArray] = {}
        self._by_memory: dict[int, list[HeldArray]] = {}
        self._named_in: dict[int, list[Tensor]] = {}
        self._graded: dict[int, tuple[Tensor, Any]] = {}
        self._passed = False
        self._whole = (0, 0)
        self._old: Any = None
        self._gradients: dict[int, tuple[Tensor, Any]] = {}
        self._over = False
        self._flushed = 0
        self._inline = limits.inline_values
        self._head: tuple[int, int] | None = None
        self._all = _ALL
        self.holders: dict[int, tuple[str, Any, bool]] = {}
        self.parameters: dict[int, tuple[str, Tensor]] = {}
        self.figures: dict[int, dict[str, Any]] = {}
        self.figure_bytes = 0
        self.training = Training()
        self.steps, self.exits = Steps(), Exits()

    # --- values

    def hold(self, value: Any) -> Any:
        """The value, safe from later writes."""
        if type(value) is not ndarray:
            return value
        held = self._held.get(id(value))
        if held is None:
            held = self._held[id(value)] = HeldArray(value)
            memory = _memory(value)
            beside = self._by_memory.get(id(memory))
            if beside is None:
                self._by_memory[id(memory)] = [held]
                self._keep(max(memory.nbytes, 4 * memory.size))  # what it takes to describe small elements counts, too
            else:
                beside.append(held)
            size = value.size
            # Summing up many numbers takes time: of large values, a document has fewer.
            self.weight += VALUE + size * NUMBER[value.itemsize] if size <= self._inline else SUMMARY + (size >> 7)
        return held

    def _keep(self, size: int) -> None:
        self.kept += size
        meter.spared = min(self.kept, self.limits.total_bytes // 2)

    def before_write(self, array: Any) -> None:
        if self._log and self._tail is None:
            self.flush()
        if type(array) is not ndarray:
            self._old = array
            return
        memory = _memory(array)
        for held in self._by_memory.pop(id(memory), ()):
            self._held.pop(id(held.array), None)
            meter.charge(held.array.nbytes >> 12)
            held.array = held.array.copy()
            self._keep(held.array.nbytes)
        if self._tail is not None:
            self._tail.overwritten(memory)

    @property
    def kept_memory(self) -> Mapping[int, list[HeldArray]]:
        """The values of records by the id of the memory that they lie in, until that is overwritten."""
        return self._by_memory

    def _hold_all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple([value if type(value) is not ndarray else self.hold(value) for value in values])

    # --- what the engine says

    def tensor(self, t: Tensor) -> TensorRecord:
        """The record of a tensor, made when it is first seen."""
        return self.tensors.get(id(t)) or self._tensor_record(t, reading.array(t), state.position, self.scope)

    def _tensor_record(self, t: Tensor, value: Any, position: Position | None, scope: Scope) -> TensorRecord:
        record = self.tensors.get(id(t))
        if record is None and self._log and not self._over:
            self.flush()
            record = self.tensors.get(id(t))
        if record is None:
            record = new(TensorRecord)
            record.tensor, record.value, record.position, record.scope = t, self.hold(value), position, scope
            record.name, record.seen = None, len(self.events)
            self.tensors[id(t)] = record
            self.weight += TENSOR
            if type(value) is ndarray and reading.is_leaf(t):  # which has a gradient and another value in the end
                self.weight += VALUE + min(value.size * NUMBER[value.itemsize], SUMMARY)
            if not scope.weighed:
                self._weigh(scope)
            self._flushed = self.weight
        return record

    def _weigh(self, scope: Scope | None) -> None:
        while scope is not None and not scope.weighed:
            scope.weighed = True
            self.weight += SCOPE + 2 * min(len(scope.label), NAME)
            scope = scope.parent

    def create(self, tensor: Tensor) -> None:
        array = reading.array(tensor)
        if array is None:
            return
        if array.size > _FEW and array.base is not None:
            self._sum_up(array)
        if self._tail is None:
            self._tensor_record(tensor, array, state.position, self.scope)
            self._watch_room()
        else:
            self._add(CreateEntry(tensor, array, state.position, self.scope))

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        budget = meter.budget
        budget[0] -= 1
        if budget[0] < 0:
            meter.out_of_fuel()
        record, log, large = new(OpRecord), self._log, False
        if type(out) is Tensor:
            record.tensor, record.value, record.several = out, None, None
            value = out._array
            if type(value) is ndarray:
                size, itemsize = value.size, value.itemsize
                if not op.view:
                    meter.made(size, itemsize)
                elif size > _FEW:
                    self._sum_up(value)
                self._pending += size * itemsize
                large = self._pending > self._most_pending
        else:
            record.tensor = record.value = record.several_values = None
            record.several = outputs = _outputs(out)
            for t in outputs:
                a = t._array
                if not op.view:
                    meter.made(a.size, a.itemsize)
                elif a.size > _FEW:
                    self._sum_up(a)
                self._pending += a.nbytes
            large = self._pending > self._most_pending
        if node is None:
            record.saved = None
        else:
            saved = node.saved
            record.saved = node.packed if saved is None else saved
        if self._tail is not None:
            if self._tail.full:
                self._tail.missed.ops += 1
                self._tail.missed.events += 1
                return
            record.capture()
            if record.saved:
                record.saved = capture(record.saved)
        record.op, record.inputs, record.node = op, inputs, node
        record.position, record.scope = state.position, self.scope
        log.append(record)
        if large or len(log) >= self._most_logged:
            self._shorten()

    def node(
        self,
        node: Node,
        grad_outputs: Sequence[Any],
        grad_inputs: Sequence[Any],
        sends: Sequence[Send],
        ready: Sequence[Node],
        released: bool,
    ) -> None:
        tail = self._tail
        if tail is not None and tail.full:
            tail.missed.events += 1
            return
        log = self._log
        log.append((self._open_calls[-1], node, grad_outputs, grad_inputs, sends, ready, released))
        value = grad_outputs[0] if grad_outputs else None
        if type(value) is ndarray:
            size = value.nbytes
            meter.took(size)
            self._pending += size
            for value in grad_inputs:
                if type(value) is ndarray and value.size > _FEW and value.base is not None:
                    self._sum_up(value)
        if len(log) >= self._most_logged or self._pending > self._most_pending:
            self._shorten()

    def _add(self, entry: Entry) -> None:
        """What happened besides ops and nodes: an entry of the log, or at once a record."""
        tail = self._tail
        if tail is None:
            self._flushed = self.weight
            _FLUSH[type(entry)](self, entry)
            self._watch_room()
        elif tail.full:
            count_into(tail.missed, (entry,))
        else:
            log = self._log
            log.append(entry)
            if type(entry) is CreateEntry:
                self._pending += entry.value.nbytes
            if len(log) >= self._most_logged or self._pending > self._most_pending:
                self._shorten()

    def _sum_up(self, array: Any) -> None:
        """Charge a view, which took no work and no memory, but whose numbers the document may sum up."""
        if self._tail is None or not self._tail.full:
            meter.charge(array.size >> 13)

    def _watch_room(self) -> None:
        """Make no more records when there is no room for them."""
        if self._tail is None and (self.weight >= self._budget.bytes or self.kept >= self._budget.kept):
            self.flush()
            if self._tail is None:
                self._follow([])

    def _shorten(self) -> None:
        """The log is long, or what is in it is large."""
        if self._tail is None:
            self.flush()
        else:
            self._pending = self._tail.shorten()

    # --- making records

    def flush(self) -> None:
        """Turn what was logged into records. Happens before anything that was logged can change."""
        if self._tail is None:
            log, self._log = self._log, []
            self._pending = 0
            done = self._flush(log, self._budget)
            if done < len(log):
                self._follow(log[done:])

    def _flush(self, log: Sequence[Entry], budget: Budget) -> int:
        """Make records of entries while there is room; returns of how many."""
        events, ops, tensors, begun = self.events, self.ops, self.tensors, self._begun
        most_events, most_ops, most_bytes, most_kept = budget.events, budget.ops, budget.bytes, budget.kept
        again = self._tail is not None  # which keeps its log, and may be flushed again
        hold, held_saved, plain = self.hold, self._saved, _PLAIN
        sure = 0  # up to here there are rows enough, as long as ops and nodes are logged
        entry: Any
        for place, entry in enumerate(log):
            if place >= sure:
                left = min((most_events - len(events) + 1) // 2, most_ops - len(ops))
                if left <= 0:
                    return place
                sure = place + left
            if self.weight >= most_bytes or self.kept >= most_kept:
                return place
            kind = type(entry)
            # Ops and nodes are most of a run: their records are made right here, and numpy scalars, which need not be
            # held, are told apart on the spot.
            if kind is OpRecord:
                record: OpRecord = entry.copy() if again else entry
                weight, t = OP + EVENT, record.tensor
                if record.several is not None:
                    weight += self._flush_outputs(record)
                else:
                    a = record.value
                    if a is None:
                        a = t._array
                    if type(a) is ndarray:
                        a = hold(a)
                    else:
                        weight += VALUE
                    record.value = a
                    if id(t) not in tensors:
                        record.name, record.seen = None, len(events)
                        tensors[id(t)] = record
                        weight += TENSOR
                saved = record.saved
                if saved:
                    for value in saved:
                        if type(value) not in plain:
                            record.saved = [held_saved(value) for value in saved]
                            break
                    weight += len(saved) * BRANCH
                if record.node is not None:
                    weight += NODE
                given = record.inputs
                if given and (len(given) > 8 or type(given[0]) is list or type(given[0]) is tuple):
                    weight += REFERENCE * sum([len(x) if type(x) is list or type(x) is tuple else 1 for x in given])
                if not record.scope.weighed:
                    self._weigh(record.scope)
                self.weight += weight
                ops.append(record)
                events.append(record)
            elif kind is tuple:
                call, node, grad_outputs, grad_inputs, sends, ready, released = entry
                if call not in begun:
                    continue
                weight = 2 * EVENT + (len(grad_outputs) + len(grad_inputs)) * VALUE + len(ready) * REFERENCE
                self.weight += weight + len(sends) * SEND
                arrays = False
                for value in grad_outputs:
                    if type(value) is ndarray:
                        arrays = True
                for value in grad_inputs:
                    if type(value) is ndarray:
                        arrays = True
                if not arrays:
                    for send in sends:
                        if type(send[5]) is ndarray:
                            arrays = True
                events.append(self._held_node(entry) if arrays else entry)
                if released:
                    events.append(RELEASED)
            elif kind is FinishedEvent:
                done = entry.event
                if type(done) is not AccumulateEvent:
                    self._append(done, entry.weight)
                elif done.call in begun:
                    self.weight += EVENT + entry.weight
                    events.append(done)
            else:
                _FLUSH[kind](self, entry)
                sure = place
        return len(log)

    def _flush_outputs(self, record: OpRecord) -> int:
        """Records of the tensors that an op gave, when it gave several; returns their bytes."""
        tensors, logged, weight = self.tensors, record.several_values, 0
        values: list[Any] = []
        for number, t in enumerate(record.outputs):
            a = t._array if logged is None else logged[number]
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
        """What a node got and gave when some of it are arrays."""
        call, node, grad_outputs, grad_inputs, sends, ready, released = event
        hold = self.hold
        sends = [
            (to, number, hold(value), arrived, expected, hold(total))
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

    def _put(self, event: Event, weight: int = 0) -> None:
        """Something that needs nothing more happened: it follows what is logged."""
        if self._over:
            self._append(event, weight)
        else:
            entry: FinishedEvent = new(FinishedEvent)
            # Its values are weighed when it becomes a record.
            entry.event, entry.weight = event, weight + self.weight - self._flushed
            self._log.append(entry)
            self.weight = self._flushed

    def _append(self, event: Event, weight: int) -> None:
        if type(event) is AccumulateEvent:
            if event.call not in self._begun:
                return
        elif type(event) is BackwardEvent:
            self._begun.append(event.call)
        elif type(event) is BackwardEndEvent:
            if event.call not in self._begun:
                return
            self._begun.remove(event.call)
        self.weight += EVENT + weight
        self.events.append(event)

    def _flush_create(self, entry: CreateEntry) -> None:
        self._tensor_record(entry.tensor, entry.value, entry.position, entry.scope)

    def _flush_bind(self, entry: BindEntry) -> None:
        name, t, value = entry.name, entry.tensor, entry.value
        record = self._tensor_record(t, value, entry.position, entry.scope)
        if record.name is None:
            record.name = name
            if type(value) is ndarray:  # a named tensor is told of writes through others to its memory
                self._named_in.setdefault(id(_memory(value)), []).append(t)
        self._put(BindEvent(name, t, entry.position), 2 * min(len(name), NAME))

    def _flush_write(self, entry: WriteEntry) -> None:
        t, value, position, leaf = entry.tensor, entry.value, entry.position, entry.leaf
        self._tensor_record(t, value, position, entry.scope)
        self._put(WriteEvent(t, entry.version, self.hold(value), position), VALUE)
        for other in self._aliases(t, value):
            event = WriteEvent(other, reading.version(other), self.hold(reading.array(other)), position)
            self._put(event, VALUE)
        if leaf is not None:
            _, before = self._graded.get(id(leaf), (leaf, None))
            self._put_grad(leaf, before, value, "in_place", position)
        elif self._graded and not reading.is_leaf(t):
            self._wrote_gradient(value, position)

    def _aliases(self, tensor: Tensor, value: Any) -> list[Tensor]:
        """Other tensors whose value was just written: the base of a view, what `.data` is of, what has a name."""
        found: dict[int, Tensor] = {}
        if type(value) is ndarray:
            memory = _memory(value)
            found = {id(t): t for t in self._named_in.get(id(memory), ()) if _memory(reading.array(t)) is memory}
        source: Tensor | None = tensor
        while source is not None:
            found[id(source)] = source
            view, cut = reading.view(source), reading.cut(source)
            source = view.base if view is not None else cut[0] if cut else None
        return [t for i, t in found.items() if t is not tensor and i in self.tensors and _same_memory(t, value)]

    def _wrote_gradient(self, value: Any, position: Position | None) -> None:
        """`x.grad.zero_()` and its like: the memory just written is some tensor's .grad."""
        memory = _memory(value)
        for leaf, before in list(self._graded.values()):
            grad = reading.grad(leaf)
            if grad is not None and _memory(grad) is memory:
                self._put_grad(leaf, before, grad, "in_place", position)

    def _put_grad(self, t: Tensor, before: Any, after: Any, by: str, position: Position | None) -> None:
        after = self.hold(after)
        self._graded[id(t)] = (t, after)
        self._put(GradEvent(t, before, after, by, position), 2 * VALUE)

    def _flush_grad(self, entry: GradEntry) -> None:
        self._tensor_record(entry.tensor, entry.value, entry.position, entry.scope)
        self._put_grad(entry.tensor, self.hold(entry.before), entry.after, entry.by, entry.position)

    def _flush_backward(self, entry: BackwardEvent) -> None:
        gradients = self._hold_all(entry.gradients)
        event = BackwardEvent(
            entry.call,
            entry.roots,
            gradients,
            entry.retain_graph,
            entry.create_graph,
            entry.inputs,
            entry.reachable,
            entry.position,
        )
        self._put_backward(event)

    def _put_backward(self, event: BackwardEvent) -> None:
        named = min(len(event.reachable), self._most_logged) + len(event.roots) + len(event.inputs or ())
        self._put(event, named * REFERENCE + len(event.gradients) * VALUE)

    def _flush_hook(self, entry: HookEvent) -> None:
        before, after = self._hold_all(entry.before), self._hold_all(entry.after)
        event = HookEvent(entry.on, entry.target, before, after, entry.registered, entry.position)
        self._put(event, (len(event.before) + len(event.after)) * VALUE)

    def _flush_accumulate(self, entry: AccumulateEntry) -> None:
        t = entry.tensor
        self._tensor_record(t, entry.value, entry.position, entry.scope)
        self._put_accumulate(entry.call, entry.node, t, entry.before, entry.incoming, entry.after)

    def _put_accumulate(self, call: int, node: Node, t: Tensor, before: Any, incoming: Any, after: Any) -> None:
        if type(after) is ndarray:
            hold = self.hold
            after, before, incoming = hold(after), hold(before), hold(incoming)
        self._graded[id(t)] = (t, after)
        event: AccumulateEvent = new(AccumulateEvent)
        event.call, event.node, event.tensor = call, node, t
        event.before, event.incoming, event.after = before, incoming, after
        self._put(event, 3 * VALUE)

    def _flush_read(self, entry: ReadEntry) -> None:
        event = entry.event
        if isinstance(event.target, Tensor):
            self._tensor_record(event.target, entry.array, event.position, entry.scope)
        if type(event.value) is ndarray:
            value = self.hold(event.value)
            event = ReadEvent(event.target, event.attribute, event.index, value, event.position)
        self._put(event, VALUE + REFERENCE * len(event.index))

    def _flush_print(self, event: PrintEvent) -> None:
        self._put(event, 2 * len(event.text))

    def _flush_warning(self, event: WarningEvent) -> None:
        self._put(event, 2 * (len(event.category) + min(len(event.message), TEXT)))

    def _flush_figure(self, event: FigureEvent) -> None:
        self._put(event, 2 * len(event.file or ""))

    def _flush_turn_end(self, _: LoopTurnEnd) -> None:
        self._whole = (len(self.events), self.weight)

    def _flush_overwrite(self, entry: Overwrite) -> None:
        """What was logged so far has this in its memory, and what follows has something else."""
        for held in self._by_memory.pop(id(entry.memory), ()):
            self._held.pop(id(held.array), None)
            held.array = in_copy(held.array, entry.memory, entry.copy)

    # --- what the engine says besides ops and nodes

    def wrote(self, tensor: Tensor) -> None:
        old, self._old = self._old, None
        leaf, gradient = self._gradients.get(id(tensor), (None, None))
        leaf = leaf if gradient is tensor else None
        counter = tensor._version_counter
        version = 0 if counter is None else counter.n
        self._add(WriteEntry(tensor, tensor._array, version, state.position, old, self.scope, leaf))

    def roots(self, tensors: Sequence[Any]) -> None:
        if not self._open_calls:
            self.training.roots(tensors)

    def backward_begin(
        self,
        roots: Sequence[tuple[Node | None, int]],
        gradients: Sequence[Any],
        retain_graph: bool,
        create_graph: bool,
        inputs: Sequence[Tensor] | None,
        reachable: Mapping[Node, int],
    ) -> None:
        call = self.calls
        self.calls += 1
        if not self._open_calls:
            self.training.begin(state.position)
            if self._tail is not None:
                self._tail.begin(self._turn())
        self._open_calls.append(call)
        event: BackwardEvent = new(BackwardEvent)
        event.call, event.roots, event.gradients, event.position = call, list(roots), gradients, state.position
        event.retain_graph, event.create_graph = bool(retain_graph), bool(create_graph)
        event.inputs, event.reachable = None if inputs is None else list(inputs), list(reachable)
        if self._tail is None:
            self._flushed = self.weight
            event.gradients = self._hold_all(gradients)
            self._put_backward(event)
            self._watch_room()
        else:
            self._add(event)

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None:
        self._add(HookEvent(on, target, before, after, registered, state.position))

    def _follow_gradient(self, leaf: Tensor) -> None:
        """While the run is only followed, remember whose gradient a tensor is: that may be written, too."""
        if len(self._gradients) > HOLDERS:
            self._gradients.clear()
        gradient = leaf._grad
        self._gradients[id(gradient)] = leaf, gradient

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None:
        call = self._open_calls[-1]
        self.training.reach(tensor)
        if self._tail is None and id(tensor) in self.tensors:
            self._flushed = self.weight
            self._put_accumulate(call, node, tensor, before, incoming, after)
            return
        if self._tail is not None:
            self._follow_gradient(tensor)
        position, scope = state.position, self.scope
        self._add(AccumulateEntry(call, node, tensor, tensor._array, before, incoming, after, position, scope))

    def backward_end(self) -> None:
        call = self._open_calls.pop()
        if self._tail is None or not self._tail.over:  # a pass is ended even where the log is full
            end, entry = new(BackwardEndEvent), new(FinishedEvent)
            end.call, entry.event, entry.weight = call, end, 0
            self._log.append(entry)
        if not self._open_calls:
            self.training.end(call)
            self._passed = True
            if self._tail is not None:
                self._tail.end()

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        if self._tail is not None and after is not None:
            self._follow_gradient(tensor)
        position, scope = state.position, self.scope
        self._add(GradEntry(tensor, tensor._array, _array(before), _array(after), by, position, scope))

    def scope_enter(
        self,
        kind: str,
        label: str,
        line: int | None = None,
        iteration: int | None = None,
        remaining: int | None = None,
    ) -> None:
        parent = self.scope
        if self._skipping and parent.skipped and not self.runs_again:
            parent.inside += 1
            if kind == "loop":
                self.turns += 1
            return
        if line is None and state.position is not None:
            line = state.position[0]
        self.scope = scope = Scope(parent, kind, label, line, iteration)
        if kind != "loop":
            scope.skipped = parent.skipped
            return
        self.turns += 1
        if not iteration:
            parent.calls = self.calls
        elif remaining is not None and remaining >= _LAST_TURNS and self.calls > parent.calls:
            scope.skipped = True
        scope.skipped = (scope.skipped or parent.skipped) and self.turns < self._skip_until
        tail = self._tail
        if tail is not None:
            if not self._open_calls:
                if scope.skipped:
                    self._skip(tail)
                elif self._skipping:
                    self.watch_again()
                elif tail.full:
                    tail.resume()
            scope.at = tail.mark()

    def scope_exit(self) -> None:
        scope = self.scope
        if scope.inside:
            scope.inside -= 1
        elif scope.parent is not None:
            self.scope = scope.parent
            if self._passed and scope.kind == "loop":
                self._passed = False
                if self._tail is None:
                    self._log.append(LoopTurnEnd())

    def forward_begin(self, name: str) -> Observer:
        return PassesOnly(self)

    def forward_end(self) -> None:
        """A custom Function is one op."""

    def optimizer(self, optimizer: Any, what: str) -> None:
        """An optimizer was made, given parameters, or used."""
        self.steps.tell(optimizer, what, state.position, self.calls)

    def left(self, tensor: Tensor, how: str) -> None:
        """Numbers left the graph."""
        self.exits.tell(tensor, how, state.position)

    # --- turns of a loop that are not the last ones

    def _skip(self, tail: Following) -> None:
        """Only count what happens, until a turn begins that may be its loop's last."""
        if not self._skipping and tail.lost and not tail.over and state.observer is self:
            self._skipping = True
            tail.give_up()
            tail.full = True
            state.watch(Skipping(self, tail.missed))

    def watch_again(self) -> None:
        """The loop comes to its end, or has ended early."""
        self._skipping = False
        if type(state.observer) is Skipping:
            state.watch(self)
        if self._tail is not None:
            self._tail.resume()

    def skip_pass(self) -> None:
        """A backward pass begins and is only counted."""
        if not self._open_calls:
            self.training.begin(state.position)
        self._skipped_call = self.calls
        self._open_calls.append(self.calls)
        self.calls += 1

    def end_skipped_pass(self) -> None:
        """It is over."""
        call = self._open_calls.pop()
        if not self._open_calls:
            self.training.end(call)

    @property
    def skipped_the_end(self) -> bool:
        """Whether the last backward pass was only counted, because a loop ended before its last turn."""
        return self._skipping or 0 <= self._skipped_call == self.calls - 1

    # --- what the interpreter says

    def bind(self, name: str, value: Any) -> None:
        """A variable was assigned; only tensors matter, and what may hold some."""
        if not isinstance(value, Tensor):
            self._holder(name, value, True)
            return
        value = whole(value)
        if self._tail is not None and self._tail.full:
            self._tail.missed.events += 1
            return
        array = reading.array(value)
        if array is None:
            return
        if self._tail is None and id(value) in self.tensors:
            if self.tensors[id(value)].name is not None:
                self._log.append(FinishedEvent(BindEvent(name, value, state.position), 2 * len(name)))
                if len(self._log) >= _LOGGED:
                    self.flush()
                return
        self._add(BindEntry(name, value, array, state.position, self.scope))

    def argument(self, name: str, value: Any) -> None:
        """A function was called; a leaf that nothing else names takes the parameter's name."""
        if not isinstance(value, Tensor):
            self._holder(name, value, False)
        elif self._tail is None and len(self.parameters) < HOLDERS and reading.is_leaf(whole(value)):
            self.parameters.setdefault(id(whole(value)), (name, whole(value)))

    def _holder(self, name: str, value: Any, variable: bool) -> None:
        """Modules and containers name their members when the run is over, if nothing else does: by their last variable,
        and by what a function calls its argument where no variable was theirs."""
        if self._tail is None and isinstance(value, list | tuple | dict | Module) and len(self.holders) < HOLDERS:
            known = self.holders.get(id(value))
            if known is None or variable:
                self.holders[id(value)] = (name, value, variable)

    def read(self, target: Tensor | Node, attribute: str, index: tuple[int, ...]) -> None:
        """The program looked at an attribute."""
        if self.reads >= READS:
            return
        self.reads += 1
        if isinstance(target, Tensor):
            target = whole(target)
        array = reading.array(target) if isinstance(target, Tensor) else None
        if array is None and isinstance(target, Tensor):
            return
        event = ReadEvent(target, attribute, index, reading.shown(target, attribute), state.position)
        self._add(ReadEntry(event, array, self.scope))

    def print(self, text: str) -> None:
        """The program printed."""
        self._add(PrintEvent(text, state.position))

    def warning(self, category: str, message: str, line: int | None) -> None:
        """The program caused a warning."""
        self._add(WarningEvent(category, message, line))

    def figure(self, figure: dict[str, Any], how: str, file: str | None) -> None:
        """The program showed a figure, or saved it; `figure` as the document has it, and its numbers."""
        if id(figure) not in self.figures:
            self.figures[id(figure)] = figure
            self.figure_bytes += encoded(figure)
        self._add(FigureEvent(figure, how, file, state.position))

    def op_of_node(self) -> dict[int, OpRecord]:
        """The op that made each node, by its id."""
        return {id(record.node): record for record in self.ops if record.node is not None}

    # --- when there is no more room

    def _follow(self, rest: list[Entry]) -> None:
        """Make no more records until the run is over. `rest` was logged and is no record yet."""
        self.truncated = self._budget.used_up(self)
        limits = self.limits
        self._most_logged = max(min(limits.events // 4, int(limits.document_bytes * (_ALL - _FIRST)) // _ENTRY), 64)
        self._log = [captured(entry) if type(entry) is OpRecord else entry for entry in rest]
        self._tail = Following(self._log, self._most_logged, self._most_pending)
        meter.relieve = self._tail.give_up
        if self._open_calls:
            self._tail.begin(0)

    def _turn(self) -> int | None:
        """Where the turn of the innermost loop that runs now began."""
        scope: Scope | None = self.scope
        while scope is not None and (scope.kind != "loop" or scope.at is None):
            scope = scope.parent
        return None if scope is None else scope.at

    def finish(self, failed: bool = False) -> None:
        """The run is over: make records of all that was logged. `failed`: the program raised and did not catch it."""
        self.training.finish()
        self.flush()
        self._over = True
        if self._tail is not None:
            self._finish(self._tail)
        if failed:
            self.events.append(ErrorEvent())

    def _finish(self, tail: Following) -> None:
        budget = Budget(self.limits, _ALL, 1.0)
        budget.kept *= 2
        self._head = head = len(self.events), self.weight
        if not tail.lost:
            rest = [*tail.turn, *tail.log]
            if self._flush(rest, budget) == len(rest):
                self.truncated = None
                return
            self._undo(*head)
            tail.cut()
        gap = Gap()
        if head[0] // 2 < self._whole[0] < head[0]:  # end with a whole turn
            self._head = self._whole
            gap = self._undo(*self._whole)
        self._append_tail(gap, tail, budget)

    def _append_tail(self, gap: Gap, tail: Following, budget: Budget) -> None:
        """What was followed, as far as there is room, after a gap."""
        tail.trim(budget.bytes - self.weight, self.limits.inline_values)
        gap.add(tail.before)
        rest: Sequence[Entry] = [*tail.turn, *tail.log]
        self._append_gap(gap, rest)
        for part, after in ((tail.turn, tail.after), (tail.log, tail.missed)):
            rest = rest[len(part) :]
            done = self._flush(part, budget)
            if done < len(part):
                left = Gap()
                count_into(left, part[done:])
                left.add(after)
                after = left
                self._end_passes()
            self._append_gap(after, rest)

    def shrink(self, share: float) -> None:
        """Keep only a part of what was recorded: the document is too large."""
        failed = bool(self.events) and type(self.events[-1]) is ErrorEvent
        if failed:
            self.events.pop()
        count, weight = self._head or (len(self.events), self.weight)
        lost, followed = Gap(), self._tail is not None and self.truncated is not None and share > 0
        if followed or not self._tail:
            self._undo(count, weight)
        self.truncated = self.truncated or "document_bytes"
        self._head = int(count * share), int(weight * share)
        lost = self._undo(*self._head)
        if self._tail is not None and followed:
            self._all *= share
            budget = Budget(self.limits, self._all, 1.0)
            budget.kept *= 2
            self._append_tail(lost, self._tail, budget)
        else:
            self._append_gap(lost, ())
        if failed:
            self.events.append(ErrorEvent())

    def _undo(self, count: int, weight: int) -> Gap:
        """Forget all but the first `count` events, and what was seen later; returns what they were."""
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
        self._held, self._by_memory, self._graded = {}, {}, {}
        self._begun = []
        for event in self.events:
            if type(event) is BackwardEvent:
                self._begun.append(event.call)
            elif type(event) is BackwardEndEvent:
                self._begun.remove(event.call)
            elif isinstance(event, AccumulateEvent | GradEvent):
                self._graded[id(event.tensor)] = (event.tensor, event.after)
        return gap

    def _end_passes(self) -> None:
        """Every pass that was begun is ended."""
        while self._begun:
            self._put(BackwardEndEvent(self._begun[-1]))

    def _append_gap(self, gap: Gap, rest: Sequence[Entry]) -> None:
        """Say what is missing here, and how it left the tensors of the document; `rest` comes after it."""
        if not gap.events:
            return
        self._end_passes()
        self._put(gap)
        full = self.limits.document_bytes * (_ALL if rest else _LAST)
        if rest:
            full = (full + self.weight) / 2
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
            if now is not None and self.weight < full and not _same(shown[key], now):
                self._put(WriteEvent(t, version, self.hold(now), None), VALUE)
            grad = grads[key] if key in grads else reading.grad(t)
            _, before = self._graded.get(key, (t, None))
            if (self.weight < full or key in awaited) and not _same(before, grad):
                self._put_grad(t, before, grad, UNRECORDED, None)
        for event in gap.figures:
            self._put(event, 2 * len(event.file or ""))
        if gap.text:
            self._flush_print(PrintEvent("".join(gap.text), None))


_PLAIN = frozenset({type(None), bool, int, float, complex, str, *np.sctypeDict.values()})
"""Types of saved values that are kept as they are."""


def _same(kept: Any, now: Any) -> bool:
    """Whether a kept value is what a tensor holds now: the same number, or memory that was not written since."""
    if type(kept) is HeldArray:
        return kept.array is now
    return kept is now or type(now) is not ndarray and kept is not None and now is not None and bool(kept == now)


def _outputs(out: Tensor | Sequence[Tensor | None]) -> tuple[Tensor, ...]:
    return (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)


def _memory(array: Any) -> Any:
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


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


_FLUSH: dict[type, Callable[[Recorder, Any], None]] = {
    CreateEntry: Recorder._flush_create,
    BindEntry: Recorder._flush_bind,
    WriteEntry: Recorder._flush_write,
    AccumulateEntry: Recorder._flush_accumulate,
    GradEntry: Recorder._flush_grad,
    ReadEntry: Recorder._flush_read,
    BackwardEvent: Recorder._flush_backward,
    HookEvent: Recorder._flush_hook,
    PrintEvent: Recorder._flush_print,
    WarningEvent: Recorder._flush_warning,
    FigureEvent: Recorder._flush_figure,
    LoopTurnEnd: Recorder._flush_turn_end,
    Overwrite: Recorder._flush_overwrite,
}
"""What makes records of an entry of the log that is neither an op nor a node, by its class."""
