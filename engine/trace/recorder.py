"""Watches a run and keeps what happened, by reference; `engine.trace.document` formats it afterwards.

What happens is only logged, and turned into records when someone asks or before something that was logged can change.
Arrays are kept, not copied. The engine announces every overwrite (`before_write`), and only then are the values that
live in that memory copied. numpy scalars never change and are kept as they are.

Recording ends when the document is full (`Limits.ops`, `events`, `document_bytes`), or when what it keeps takes half
of `Limits.total_bytes`. The run goes on, and the last of it is followed (`engine.trace.following`): logged, but turned
into records only when the run is over, after an event that says what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.codegen.op import Op
from engine.core.node import Node
from engine.core.observer import HookKind, Send
from engine.core.saved_tensors import SavedVariable
from engine.core.state import Position, state
from engine.core.tensor import Tensor
from engine.limits import Limits, meter
from engine.nn.module import Module
from engine.trace import reading
from engine.trace.following import HELD, Entry, Following, Gap, capture, captured, first_changes, in_copy
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
)

new, ndarray = object.__new__, np.ndarray
_LOGGED = 1 << 16
"""Entries logged before they are turned into records."""

HOLDERS = 10_000
"""Containers remembered for the names they give."""

_FIRST, _ALL, _LAST = 0.62, 0.88, 0.94
"""The parts of a document's bytes that the beginning of a run may fill, all that is recorded of it, and with how its
tensors are in the end."""

_ENTRY = 600
"""Bytes of a document that one logged entry takes, about: how many of them are worth following."""

_OF_PASSES = frozenset({"backward", "backward_end", "accumulate"})
"""Events that make sense only in a pass that was begun."""

UNRECORDED = "unrecorded"
"""What changed `.grad` where nothing was recorded."""


class Held:
    """A value kept by reference until its memory is about to be overwritten."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array


class Scope:
    """A module call, function call, loop turn or grad-mode block. `at`: where it began in the log that is followed."""

    __slots__ = ("at", "iteration", "kind", "label", "line", "parent", "weighed")

    def __init__(self, parent: Scope | None, kind: str, label: str, line: int | None, iteration: int | None) -> None:
        self.parent, self.kind, self.label, self.line, self.iteration = parent, kind, label, line, iteration
        self.at: int | None = None
        self.weighed = False


class OpRecord:
    """One op that ran: its arguments as given, values of its outputs, what its node saved."""

    __slots__ = ("inputs", "node", "op", "outputs", "position", "saved", "scope", "values")
    op: Op
    inputs: Sequence[Any]
    outputs: Sequence[Tensor]
    values: list[Any]
    node: Node | None
    saved: Any
    position: Position | None
    scope: Scope


class Birth:
    """A tensor when it was first seen, after `seen` events."""

    __slots__ = ("name", "position", "scope", "seen", "tensor", "value")
    tensor: Tensor
    value: Any
    position: Position | None
    scope: Scope
    name: str | None
    seen: int


class Room:
    """How much the document has room for, in `bytes` and `rows` of its limits; half the memory may be kept for it."""

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
    """The observer of a run. `events` holds tuples whose first entry is the kind; times are positions in that list."""

    __slots__ = (
        "_all", "_begun", "_by_memory", "_graded", "_gradients", "_head", "_held", "_inline", "_log", "_most_logged",
        "_most_pending", "_named_in", "_old", "_open_calls", "_over", "_passed", "_pending", "_room", "_settled",
        "_tail", "_whole", "births", "calls", "events", "holders", "kept", "limits", "op_of_node", "ops", "parameters",
        "root", "scope", "truncated", "weight",
    )  # fmt: skip

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.events: list[tuple[Any, ...]] = []
        self.births: dict[int, Birth] = {}
        self.ops: list[OpRecord] = []
        self.op_of_node: dict[int, OpRecord] = {}
        self.root = Scope(None, "program", "program", 1, None)
        self.scope = self.root
        self.truncated: str | None = None
        self.calls = 0
        self.weight = 0
        self.kept = 0
        self._room = Room(limits, _FIRST, 0.75)
        self._log: list[Entry] = []
        self._most_logged = _LOGGED
        self._pending = 0
        self._most_pending = min(HELD, limits.total_bytes // 8)
        self._tail: Following | None = None
        self._open_calls: list[int] = []
        self._begun: list[int] = []
        self._held: dict[int, Held] = {}
        self._by_memory: dict[int, list[Held]] = {}
        self._named_in: dict[int, list[Tensor]] = {}
        self._graded: dict[int, tuple[Tensor, Any]] = {}
        self._passed = False
        self._whole = (0, 0)
        self._old: Any = None
        self._gradients: dict[int, tuple[Tensor, Any]] = {}
        self._over = False
        self._settled = 0
        self._inline = limits.inline_values
        self._head: tuple[int, int] | None = None
        self._all = _ALL
        self.holders: dict[int, tuple[str, Any, bool]] = {}
        self.parameters: dict[int, tuple[str, Tensor]] = {}

    # --- values

    def hold(self, value: Any) -> Any:
        """The value, safe from later writes."""
        if type(value) is not ndarray:
            return value
        held = self._held.get(id(value))
        if held is None:
            held = self._held[id(value)] = Held(value)
            memory = _memory(value)
            beside = self._by_memory.get(id(memory))
            if beside is None:
                self._by_memory[id(memory)] = [held]
                self._keep(max(memory.nbytes, 4 * memory.size))  # what it takes to describe small elements counts, too
            else:
                beside.append(held)
            size = value.size
            self.weight += VALUE + size * NUMBER[value.itemsize] if size <= self._inline else SUMMARY
        return held

    def _keep(self, size: int) -> None:
        self.kept += size
        meter.spared = min(self.kept, self.limits.total_bytes // 2)

    def before_write(self, array: Any) -> None:
        if self._log and self._tail is None:
            self.settle()
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

    def _hold_all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple([value if type(value) is not ndarray else self.hold(value) for value in values])

    # --- what the engine says

    def tensor(self, t: Tensor) -> Birth:
        """The record of a tensor, made when it is first seen."""
        return self.births.get(id(t)) or self._birth(t, reading.array(t), state.position, self.scope)

    def _birth(self, t: Tensor, value: Any, position: Position | None, scope: Scope) -> Birth:
        birth = self.births.get(id(t))
        if birth is None and self._log and not self._over:
            self.settle()
            birth = self.births.get(id(t))
        if birth is None:
            birth = self.births[id(t)] = new(Birth)
            birth.tensor, birth.value, birth.position, birth.scope = t, self.hold(value), position, scope
            birth.name, birth.seen = None, len(self.events)
            self.weight += TENSOR
            if type(value) is ndarray and reading.is_leaf(t):  # which has a gradient and another value in the end
                self.weight += VALUE + min(value.size * NUMBER[value.itemsize], SUMMARY)
            if not scope.weighed:
                self._weigh(scope)
            self._settled = self.weight
        return birth

    def _weigh(self, scope: Scope | None) -> None:
        while scope is not None and not scope.weighed:
            scope.weighed = True
            self.weight += SCOPE + 2 * min(len(scope.label), NAME)
            scope = scope.parent

    def create(self, tensor: Tensor) -> None:
        array = reading.array(tensor)
        if array is not None:
            self._tell("create", tensor, array, state.position, self.scope)

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        value: Any
        if type(out) is Tensor:
            value = out._a
            if type(value) is ndarray:
                meter.allocate(value.size, value.itemsize)
                self._pending += value.nbytes
        else:
            out = _outputs(out)
            value = [t._a for t in out]
            for a in value:
                meter.allocate(a.size, a.itemsize)
                self._pending += a.nbytes
        saved: Any = None if node is None else node.saved or node.packed
        tail = self._tail
        if tail is not None:
            if tail.full:
                tail.missed.ops += 1
                tail.missed.events += 1
                return
            if saved:
                saved = capture(saved)
        else:
            value = None
        log = self._log
        log.append((op, inputs, value, out, node, saved, state.position, self.scope))
        if len(log) >= self._most_logged or self._pending > self._most_pending:
            self._look()

    def node(
        self,
        node: Node,
        grad_outputs: Sequence[Any],
        grad_inputs: Sequence[Any],
        sends: Sequence[Send],
        ready: Sequence[Node],
        released: bool,
    ) -> None:
        if self._tail is not None and self._tail.full:
            self._tail.missed.events += 1
            return
        log = self._log
        log.append((None, self._open_calls[-1], node, grad_outputs, grad_inputs, sends, ready, released))
        value = grad_outputs[0] if grad_outputs else None
        if type(value) is ndarray:
            meter.took(value.nbytes)
            self._pending += value.nbytes
        if len(log) >= self._most_logged or self._pending > self._most_pending:
            self._look()

    def _tell(self, *entry: Any) -> None:
        """What happened besides ops and nodes."""
        tail = self._tail
        if tail is None:
            self._settled = self.weight
            _TOLD[entry[0]](self, *entry[1:])
            if self._tail is None and (self.weight >= self._room.bytes or self.kept >= self._room.kept):
                self.settle()
                if self._tail is None:
                    self._follow([])
        elif tail.full:
            tail.missed.count((entry,))
        else:
            self._log.append(entry)
            if entry[0] == "create":
                self._pending += entry[2].nbytes
            if len(self._log) >= self._most_logged or self._pending > self._most_pending:
                self._look()

    def _look(self) -> None:
        """The log is long, or what is in it is large."""
        if self._tail is None:
            self.settle()
        else:
            self._tail.shorten()
            self._pending = self._tail.size()

    # --- making records

    def settle(self) -> None:
        """Turn what was logged into records. Happens before anything that was logged can change."""
        if self._tail is None:
            log, self._log = self._log, []
            self._pending = 0
            done = self._settle(log, self._room)
            if done < len(log):
                self._follow(log[done:])

    def _settle(self, log: Sequence[Entry], room: Room) -> int:
        """Make records of entries while there is room; returns of how many."""
        events, ops = self.events, self.ops
        most_events, most_ops, most_bytes, most_kept = room.events, room.ops, room.bytes, room.kept
        for place, entry in enumerate(log):
            if (
                len(events) >= most_events
                or len(ops) >= most_ops
                or self.weight >= most_bytes
                or self.kept >= most_kept
            ):
                return place
            kind = entry[0]
            if kind is None:
                self._settle_node(entry)
            elif kind == "event":
                event = entry[1]
                if event[0] in _OF_PASSES:
                    self._settle_event(event, entry[2])
                else:
                    self.weight += EVENT + entry[2]
                    events.append(event)
            elif type(kind) is str:
                _TOLD[kind](self, *entry[1:])
            else:
                self._settle_op(entry)
        return len(log)

    # The next two run for every op and every node of a run: objects are made without calling their classes, and numpy
    # scalars, which need not be held, are told apart on the spot.

    def _settle_op(self, entry: Entry) -> None:
        record = new(OpRecord)
        record.op, record.inputs, value, out, node, saved, position, scope = entry
        births = self.births
        values: list[Any] = []
        weight = OP + EVENT
        outputs: Sequence[Tensor]
        arrays: Sequence[Any]
        if type(out) is Tensor:
            outputs = (out,)
            arrays = (out._a if value is None else value,)
        else:
            outputs = out
            arrays = [t._a for t in out] if value is None else value
        for t, a in zip(outputs, arrays, strict=True):
            if type(a) is ndarray:
                a = self.hold(a)
            else:
                weight += VALUE
            if id(t) not in births:
                births[id(t)] = birth = new(Birth)
                birth.tensor, birth.value, birth.position, birth.scope, birth.name = t, a, position, scope, None
                birth.seen = len(self.events)
                weight += TENSOR
            values.append(a)
        if saved:
            saved = [
                value._a if type(value) is Tensor and type(value._a) is not ndarray else self._saved(value)
                for value in saved
            ]
            weight += len(saved) * BRANCH
        record.outputs, record.values, record.node, record.saved = outputs, values, node, saved
        record.position, record.scope = position, scope
        if node is not None:
            self.op_of_node[id(node)] = record
            weight += NODE
        if not scope.weighed:
            self._weigh(scope)
        self.weight += weight
        self.ops.append(record)
        self.events.append(("op", record, position))

    def _settle_node(self, entry: Entry) -> None:
        _, call, node, grad_outputs, grad_inputs, sends, ready, released = entry
        if call not in self._begun:
            return
        if any([type(value) is ndarray for value in (*grad_outputs, *grad_inputs)]) or sends and _arrays(sends):
            hold = self.hold
            sends = [
                (to, number, hold(value), arrived, expected, hold(total))
                for to, number, value, arrived, expected, total in sends
            ]
            grad_outputs, grad_inputs = self._hold_all(grad_outputs), self._hold_all(grad_inputs)
        self.weight += (
            2 * EVENT
            + len(sends) * SEND
            + (len(grad_outputs) + len(grad_inputs)) * VALUE
            + len(ready) * REFERENCE
        )
        self.events.append(("node", call, node, grad_outputs, grad_inputs, sends, ready))
        if released:
            self.events.append(("release", call, node))

    def _saved(self, value: Any) -> Any:
        if type(value) is SavedVariable:  # what the program's hook made of it: only a tensor can be shown
            value = value.value if reading.is_tensor(value.value) else None
        if isinstance(value, Tensor):
            return self.hold(reading.array(value))
        if type(value) is tuple:
            if value and isinstance(value[0], Tensor):
                return [self.hold(reading.array(t)) for t in value]
            return self.hold(value[0]) if value else None
        return value

    def _event(self, event: tuple[Any, ...], weight: int = 0) -> None:
        """Something that needs nothing more happened: it follows what is logged."""
        if self._over:
            self._settle_event(event, weight)
        else:
            # Its values are weighed when it becomes a record.
            self._log.append(("event", event, weight + self.weight - self._settled))
            self.weight = self._settled

    def _settle_event(self, event: tuple[Any, ...], weight: int) -> None:
        kind = event[0]
        if kind == "backward":
            self._begun.append(event[1])
        elif kind == "backward_end":
            if event[1] not in self._begun:
                return
            self._begun.remove(event[1])
        elif kind == "accumulate" and event[1] not in self._begun:
            return
        self.weight += EVENT + weight
        self.events.append(event)

    def _settle_create(self, t: Tensor, value: Any, position: Position | None, scope: Scope) -> None:
        self._birth(t, value, position, scope)

    def _settle_bind(self, name: str, t: Tensor, value: Any, position: Position | None, scope: Scope) -> None:
        birth = self._birth(t, value, position, scope)
        if birth.name is None:
            birth.name = name
            if type(value) is ndarray:  # a named tensor is told of writes through others to its memory
                self._named_in.setdefault(id(_memory(value)), []).append(t)
        self._event(("bind", name, t, position), 2 * min(len(name), NAME))

    def _settle_wrote(
        self,
        t: Tensor,
        value: Any,
        version: int,
        position: Position | None,
        old: Any,
        scope: Scope,
        leaf: Tensor | None,
    ) -> None:
        self._birth(t, value, position, scope)
        self._event(("write", t, version, self.hold(value), position), VALUE)
        for other in self._aliases(t, value):
            self._event(("write", other, reading.version(other), self.hold(reading.array(other)), position), VALUE)
        if leaf is not None:
            _, before = self._graded.get(id(leaf), (leaf, None))
            self._settle_grad(leaf, before, value, "in_place", position)
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
        return [t for i, t in found.items() if t is not tensor and i in self.births and _same_memory(t, value)]

    def _wrote_gradient(self, value: Any, position: Position | None) -> None:
        """`x.grad.zero_()` and its like: the memory just written is some tensor's .grad."""
        memory = _memory(value)
        for leaf, before in list(self._graded.values()):
            grad = reading.grad(leaf)
            if grad is not None and _memory(grad) is memory:
                self._settle_grad(leaf, before, grad, "in_place", position)

    def _settle_grad(self, t: Tensor, before: Any, after: Any, by: str, position: Position | None) -> None:
        after = self.hold(after)
        self._graded[id(t)] = (t, after)
        self._event(("grad", t, before, after, by, position), 2 * VALUE)

    def _settle_grad_changed(
        self, t: Tensor, value: Any, before: Any, after: Any, by: str, position: Position | None, scope: Scope
    ) -> None:
        self._birth(t, value, position, scope)
        self._settle_grad(t, self.hold(before), after, by, position)

    def _settle_backward(
        self,
        call: int,
        roots: list[Any],
        gradients: Sequence[Any],
        retain: bool,
        create: bool,
        inputs: list[Any] | None,
        reachable: Sequence[Node],
        position: Position | None,
    ) -> None:
        event = ("backward", call, roots, self._hold_all(gradients), retain, create, inputs, reachable, position)
        named = min(len(reachable), self._most_logged) + len(roots) + len(inputs or ())
        self._event(event, named * REFERENCE + len(gradients) * VALUE)

    def _settle_backward_end(self, call: int) -> None:
        self._event(("backward_end", call))

    def _settle_hook(
        self, on: str, target: Any, before: Any, after: Any, registered: Position | None, position: Position | None
    ) -> None:
        self._event(
            ("hook", on, target, self._hold_all(before), self._hold_all(after), registered, position),
            (len(before) + len(after)) * VALUE,
        )

    def _settle_accumulate(
        self,
        call: int,
        node: Node,
        t: Tensor,
        value: Any,
        before: Any,
        incoming: Any,
        after: Any,
        position: Position | None,
        scope: Scope,
    ) -> None:
        self._birth(t, value, position, scope)
        after = self.hold(after)
        self._graded[id(t)] = (t, after)
        self._event(("accumulate", call, node, t, self.hold(before), self.hold(incoming), after), 3 * VALUE)

    def _settle_print(self, text: str, position: Position | None) -> None:
        self._event(("print", text, position), 2 * len(text))

    def _settle_warning(self, category: str, message: str, line: int | None) -> None:
        self._event(("warning", category, message, line), 2 * (len(category) + min(len(message), TEXT)))

    def _settle_turn(self) -> None:
        """A turn of a loop with a backward pass in it is complete."""
        self._whole = (len(self.events), self.weight)

    def _settle_was(self, memory: Any, copy: Any) -> None:
        """What was logged so far has this in its memory, and what follows has something else."""
        for held in self._by_memory.pop(id(memory), ()):
            self._held.pop(id(held.array), None)
            held.array = in_copy(held.array, memory, copy)

    # --- what the engine says besides ops and nodes

    def wrote(self, tensor: Tensor) -> None:
        old, self._old = self._old, None
        leaf, gradient = self._gradients.get(id(tensor), (None, None))
        leaf = leaf if gradient is tensor else None
        self._tell("wrote", tensor, tensor._a, reading.version(tensor), state.position, old, self.scope, leaf)

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
        if self._tail is not None and not self._open_calls:
            self._tail.begin(self._turn())
        self._open_calls.append(call)
        self._tell(
            "backward",
            call,
            list(roots),
            gradients,
            bool(retain_graph),
            bool(create_graph),
            None if inputs is None else list(inputs),
            list(reachable),
            state.position,
        )

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None:
        self._tell("hook", on, target, before, after, registered, state.position)

    def _follow_gradient(self, leaf: Tensor) -> None:
        """While the run is only followed, remember whose gradient a tensor is: that may be written, too."""
        if len(self._gradients) > HOLDERS:
            self._gradients.clear()
        self._gradients[id(leaf._grad)] = leaf, leaf._grad

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None:
        if self._tail is None and id(tensor) in self.births:
            hold = self.hold
            self._settled = self.weight
            after = hold(after)
            self._graded[id(tensor)] = (tensor, after)
            event = ("accumulate", self._open_calls[-1], node, tensor, hold(before), hold(incoming), after)
            self._event(event, 3 * VALUE)
            return
        if self._tail is not None:
            self._follow_gradient(tensor)
        self._tell(
            "accumulate",
            self._open_calls[-1],
            node,
            tensor,
            tensor._a,
            before,
            incoming,
            after,
            state.position,
            self.scope,
        )

    def backward_end(self) -> None:
        call = self._open_calls.pop()
        if self._tail is None or not self._tail.over:  # a pass is ended even where the log is full
            self._log.append(("event", ("backward_end", call), 0))
        if not self._open_calls:
            self._passed = True
            if self._tail is not None:
                self._tail.end()

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        if self._tail is not None and after is not None:
            self._follow_gradient(tensor)
        self._tell(
            "grad_changed", tensor, tensor._a, _array(before), _array(after), by, state.position, self.scope
        )

    def scope_enter(self, kind: str, label: str, line: int | None = None, iteration: int | None = None) -> None:
        if line is None and state.position is not None:
            line = state.position[0]
        self.scope = scope = Scope(self.scope, kind, label, line, iteration)
        tail = self._tail
        if tail is not None and kind == "loop":
            if tail.full and not self._open_calls:
                tail.resume()
            scope.at = tail.mark()

    def scope_exit(self) -> None:
        scope = self.scope
        if scope.parent is not None:
            self.scope = scope.parent
            if self._passed and scope.kind == "loop":
                self._passed = False
                if self._tail is None:
                    self._log.append(("turn",))

    # --- what the interpreter says

    def bind(self, name: str, value: Any) -> None:
        """A variable was assigned; only tensors matter, and what may hold some."""
        if not isinstance(value, Tensor):
            self._holder(name, value, True)
            return
        array = reading.array(value)
        if array is None:
            return
        if self._tail is None and id(value) in self.births:
            if self.births[id(value)].name is not None:
                self._log.append(("event", ("bind", name, value, state.position), 2 * len(name)))
                if len(self._log) >= _LOGGED:
                    self.settle()
                return
        self._tell("bind", name, value, array, state.position, self.scope)

    def argument(self, name: str, value: Any) -> None:
        """A function was called; a leaf that nothing else names takes the parameter's name."""
        if not isinstance(value, Tensor):
            self._holder(name, value, False)
        elif self._tail is None and len(self.parameters) < HOLDERS and reading.is_leaf(value):
            self.parameters.setdefault(id(value), (name, value))

    def _holder(self, name: str, value: Any, variable: bool) -> None:
        """Modules and containers name their members when the run is over, if nothing else does: by their last variable,
        and by what a function calls its argument where no variable was theirs."""
        if self._tail is None and isinstance(value, list | tuple | dict | Module) and len(self.holders) < HOLDERS:
            known = self.holders.get(id(value))
            if known is None or variable:
                self.holders[id(value)] = (name, value, variable)

    def print(self, text: str) -> None:
        """The program printed."""
        self._tell("print", text, state.position)

    def warning(self, category: str, message: str, line: int | None) -> None:
        """The program caused a warning."""
        self._tell("warning", category, message, line)

    # --- when there is no more room

    def _follow(self, rest: list[Entry]) -> None:
        """Make no more records until the run is over. `rest` was logged and is no record yet."""
        self.truncated = self._room.used_up(self)
        limits = self.limits
        self._most_logged = max(min(limits.events // 4, int(limits.document_bytes * (_ALL - _FIRST)) // _ENTRY), 64)
        self._log = [captured(entry) if type(entry[0]) is Op else entry for entry in rest]
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
        self.settle()
        self._over = True
        if self._tail is not None:
            self._finish(self._tail)
        if failed:
            self.events.append(("error",))

    def _finish(self, tail: Following) -> None:
        room = Room(self.limits, _ALL, 1.0)
        room.kept *= 2
        self._head = head = len(self.events), self.weight
        if not (tail.before.events or tail.after.events or tail.missed.events):
            rest = [*tail.turn, *tail.log]
            if self._settle(rest, room) == len(rest):
                self.truncated = None
                return
            self._undo(*head)
            tail.cut()
        gap = Gap()
        if head[0] // 2 < self._whole[0] < head[0]:  # end with a whole turn
            self._head = self._whole
            gap = self._undo(*self._whole)
        self._append(gap, tail, room)

    def _append(self, gap: Gap, tail: Following, room: Room) -> None:
        """What was followed, as far as there is room, after a gap."""
        tail.trim(room.bytes - self.weight, self.limits.inline_values)
        gap.add(tail.before)
        rest: Sequence[Entry] = [*tail.turn, *tail.log]
        self._skip(gap, rest)
        for part, after in ((tail.turn, tail.after), (tail.log, tail.missed)):
            rest = rest[len(part) :]
            done = self._settle(part, room)
            if done < len(part):
                left = Gap()
                left.count(part[done:])
                left.add(after)
                after = left
                self._end_passes()
            self._skip(after, rest)

    def shrink(self, share: float) -> None:
        """Keep only a part of what was recorded: the document is too large."""
        failed = bool(self.events) and self.events[-1] == ("error",)
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
            room = Room(self.limits, self._all, 1.0)
            room.kept *= 2
            self._append(lost, self._tail, room)
        else:
            self._skip(lost, ())
        if failed:
            self.events.append(("error",))

    def _undo(self, count: int, weight: int) -> Gap:
        """Forget all but the first `count` events, and what was seen later; returns what they were."""
        gap = Gap()
        dropped, self.weight = self.events[count:], weight
        del self.events[count:]
        for event in dropped:
            if event[0] == "gap":
                gap.add(event[1])
            else:
                gap.count((event,))
        for event in dropped:
            if event[0] == "op":
                record = self.ops.pop()
                if record.node is not None:
                    self.op_of_node.pop(id(record.node), None)
        for key in [key for key, birth in self.births.items() if birth.seen >= count]:
            del self.births[key]
        self._held, self._by_memory, self._graded = {}, {}, {}
        self._begun = []
        for event in self.events:
            if event[0] == "backward":
                self._begun.append(event[1])
            elif event[0] == "backward_end":
                self._begun.remove(event[1])
            elif event[0] == "accumulate":
                self._graded[id(event[3])] = (event[3], event[6])
            elif event[0] == "grad":
                self._graded[id(event[1])] = (event[1], event[3])
        return gap

    def _end_passes(self) -> None:
        """Every pass that was begun is ended."""
        while self._begun:
            self._event(("backward_end", self._begun[-1]))

    def _skip(self, gap: Gap, rest: Sequence[Entry]) -> None:
        """Say what is missing here, and how it left the tensors of the document; `rest` comes after it."""
        if not gap.events:
            return
        self._end_passes()
        self._event(("gap", gap))
        full = self.limits.document_bytes * (_ALL if rest else _LAST)
        if rest:
            full = (full + self.weight) / 2
        written, grads, awaited = first_changes(rest)
        told = {key: birth.value for key, birth in self.births.items()}
        for event in self.events:
            if event[0] == "write":
                told[id(event[1])] = event[3]
        for key, birth in list(self.births.items()):
            t = birth.tensor
            now, version = reading.array(t), reading.version(t)
            if key in written:
                old, version = written[key]
                now = now if type(now) is ndarray else old
            if now is not None and self.weight < full and not _same(told[key], now):
                self._event(("write", t, version, self.hold(now), None), VALUE)
            grad = grads[key] if key in grads else reading.grad(t)
            _, before = self._graded.get(key, (t, None))
            if (self.weight < full or key in awaited) and not _same(before, grad):
                self._settle_grad(t, before, grad, UNRECORDED, None)
        if gap.text:
            self._settle_print("".join(gap.text), None)


def _same(told: Any, now: Any) -> bool:
    """Whether a kept value is what a tensor holds now: the same number, or memory that was not written since."""
    if type(told) is Held:
        return told.array is now
    return told is now or type(now) is not ndarray and told is not None and now is not None and bool(told == now)


def _outputs(out: Tensor | Sequence[Tensor | None]) -> tuple[Tensor, ...]:
    return (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)


def _arrays(sends: Sequence[Send]) -> bool:
    return any([type(send[2]) is ndarray or type(send[5]) is ndarray for send in sends])


def _memory(array: Any) -> Any:
    """The array that owns the memory."""
    while type(array) is np.ndarray and type(array.base) is np.ndarray:
        array = array.base
    return array


def _same_memory(t: Tensor, value: Any) -> bool:
    array = reading.array(t)
    return type(array) is np.ndarray and type(value) is np.ndarray and np.may_share_memory(array, value)


def _array(value: Any) -> Any:
    return value._a if isinstance(value, Tensor) else value


_TOLD: dict[str, Callable[..., None]] = {
    name.removeprefix("_settle_"): method
    for name, method in vars(Recorder).items()
    if name.startswith("_settle_") and name not in ("_settle_op", "_settle_node")
}
"""Name of an entry of the log → what makes records of it."""
