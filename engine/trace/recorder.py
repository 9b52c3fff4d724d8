"""Watches a run and keeps what happened, by reference; `engine.trace.document` formats it afterwards.

Ops and nodes are only logged when they happen, and turned into records when someone asks or before something that was
logged can change. Arrays are kept, not copied. The engine announces every overwrite (`before_write`), and only then are
the values that live in that memory copied. numpy scalars never change and are kept as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.limits import Limits, meter
from engine.nn.module import Module
from engine.node import Node
from engine.observer import HookKind, Send
from engine.op import Op
from engine.saved import Packed
from engine.state import Position, state
from engine.tensor import Tensor

new, ndarray = object.__new__, np.ndarray
_LOGGED = 1 << 16
"""Entries logged before they are turned into records."""

HOLDERS = 10_000
"""Containers remembered for the names they give."""


class Held:
    """A value kept by reference until its memory is about to be overwritten."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array


class Scope:
    """A module call, function call, loop turn or grad-mode block."""

    __slots__ = ("iteration", "kind", "label", "line", "parent")

    def __init__(self, parent: Scope | None, kind: str, label: str, line: int | None, iteration: int | None) -> None:
        self.parent, self.kind, self.label, self.line, self.iteration = parent, kind, label, line, iteration


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
    """A tensor when it was first seen."""

    __slots__ = ("name", "position", "scope", "tensor", "value", "version")

    def __init__(self, tensor: Tensor, value: Any, position: Position | None, scope: Scope) -> None:
        self.tensor, self.value, self.position, self.scope = tensor, value, position, scope
        self.version = 0 if tensor._vc is None else tensor._vc.n
        self.name: str | None = None


class Recorder:
    """The observer of a run. `events` holds tuples whose first entry is the kind; times are positions in that list."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.events: list[tuple[Any, ...]] = []
        self.births: dict[int, Birth] = {}
        self.ops: list[OpRecord] = []
        self.op_of_node: dict[Node, OpRecord] = {}
        self.root = Scope(None, "program", "program", 1, None)
        self.scope = self.root
        self.truncated: str | None = None
        self._log: list[tuple[Any, ...]] = []
        self.calls = 0
        self._open_calls: list[int] = []
        self._begun: set[int] = set()
        self._held: dict[int, Held] = {}
        self._by_memory: dict[int, list[Held]] = {}
        self._named_in: dict[int, list[Tensor]] = {}
        self._graded: dict[int, tuple[Tensor, Any]] = {}
        self.holders: dict[int, tuple[str, Any, bool]] = {}
        self.parameters: dict[int, tuple[str, Tensor]] = {}

    # --- values

    def hold(self, value: Any) -> Any:
        """The value, safe from later writes."""
        if type(value) is not np.ndarray:
            return value
        held = self._held.get(id(value))
        if held is None:
            held = self._held[id(value)] = Held(value)
            self._by_memory.setdefault(id(_memory(value)), []).append(held)
        return held

    def before_write(self, array: Any) -> None:
        if self._log:
            self.settle()
        if type(array) is not np.ndarray:
            return
        for held in self._by_memory.pop(id(_memory(array)), ()):
            self._held.pop(id(held.array), None)
            meter.charge(held.array.nbytes >> 12)
            held.array = held.array.copy()

    def _hold_all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple([value if type(value) is not np.ndarray else self.hold(value) for value in values])

    def _event(self, event: tuple[Any, ...]) -> None:
        """Log an event that needs nothing more."""
        self._log.append((True, event))

    # --- what the engine says

    def tensor(self, t: Tensor) -> Birth:
        """The record of a tensor, made when it is first seen."""
        birth = self.births.get(id(t))
        if birth is not None:
            return birth
        self.settle()
        birth = self.births.get(id(t))
        if birth is None:
            birth = self.births[id(t)] = Birth(t, self.hold(t._a), state.position, self.scope)
        return birth

    def _name(self, birth: Birth, name: str) -> None:
        """The first name a tensor gets; a named tensor is told of writes through others to its memory."""
        if birth.name is None:
            birth.name = name
            if type(birth.tensor._a) is np.ndarray:
                self._named_in.setdefault(id(_memory(birth.tensor._a)), []).append(birth.tensor)

    def create(self, tensor: Tensor) -> None:
        self.tensor(tensor)

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        self._log.append(
            (
                op,
                inputs,
                out,
                node,
                None if node is None else node.saved or node.packed,
                state.position,
                self.scope,
            )
        )
        if type(out) is Tensor:
            if type(out._a) is np.ndarray:
                meter.allocate(out._a.size, out._a.itemsize)
        else:
            for t in _outputs(out):
                meter.allocate(t._a.size, t._a.itemsize)
        if len(self._log) >= _LOGGED:
            self.settle()

    def node(
        self,
        node: Node,
        grad_outputs: Sequence[Any],
        grad_inputs: Sequence[Any],
        sends: Sequence[Send],
        ready: Sequence[Node],
        released: bool,
    ) -> None:
        log = self._log
        log.append((None, self._open_calls[-1], node, grad_outputs, grad_inputs, sends, ready, released))
        if len(log) >= _LOGGED:
            self.settle()

    def settle(self) -> None:
        """Turn what was logged into records. Happens before anything that was logged can change."""
        log, self._log = self._log, []
        events, ops = self.events, self.ops
        most_events, most_ops = self.limits.events, self.limits.ops
        full = self.truncated is not None
        for entry in log:
            kind = entry[0]
            if full or len(events) >= most_events:
                full = True
                self.truncated = self.truncated or "events"
                if kind is True and entry[1][0] == "backward_end" and entry[1][1] in self._begun:
                    events.append(entry[1])  # every pass that was begun is ended
            elif kind is None:
                self._settle_node(entry)
            elif kind is True:
                if entry[1][0] == "backward":
                    self._begun.add(entry[1][1])
                events.append(entry[1])
            elif len(ops) < most_ops:
                self._settle_op(entry)
            else:
                full, self.truncated = True, "ops"

    # The next two run for every op and every node of a run: objects are made without calling their classes, and numpy
    # scalars, which need not be held, are told apart on the spot.

    def _settle_op(self, entry: tuple[Any, ...]) -> None:
        record = new(OpRecord)
        record.op, record.inputs, out, node, saved, position, scope = entry
        births = self.births
        values: list[Any] = []
        outputs: Sequence[Tensor] = (out,) if type(out) is Tensor else _outputs(out)
        for t in outputs:
            value = t._a
            if type(value) is ndarray:
                value = self.hold(value)
            if id(t) not in births:
                births[id(t)] = birth = new(Birth)
                birth.tensor, birth.value, birth.position, birth.scope, birth.name = t, value, position, scope, None
                birth.version = 0 if t._vc is None else t._vc.n
            values.append(value)
        if saved:
            saved = [
                value._a if type(value) is Tensor and type(value._a) is not ndarray else self._saved(value)
                for value in saved
            ]
        record.outputs, record.values, record.node, record.saved = outputs, values, node, saved
        record.position, record.scope = position, scope
        if node is not None:
            self.op_of_node[node] = record
        self.ops.append(record)
        self.events.append(("op", record, position))

    def _settle_node(self, entry: tuple[Any, ...]) -> None:
        _, call, node, grad_outputs, grad_inputs, sends, ready, released = entry
        if any([type(value) is ndarray for value in (*grad_outputs, *grad_inputs)]) or sends and _arrays(sends):
            hold = self.hold
            sends = [
                (to, number, hold(value), arrived, expected, hold(total))
                for to, number, value, arrived, expected, total in sends
            ]
            grad_outputs, grad_inputs = self._hold_all(grad_outputs), self._hold_all(grad_inputs)
        self.events.append(("node", call, node, grad_outputs, grad_inputs, sends, ready))
        if released:
            self.events.append(("release", call, node))

    def _saved(self, value: Any) -> Any:
        if type(value) is Packed:  # what the program's hook made of it: a tensor can be shown, other things cannot
            value = value.value if isinstance(value.value, Tensor) else None
        if isinstance(value, Tensor):
            return self.hold(value._a) if type(value._a) is np.ndarray else value._a
        if type(value) is tuple:
            if value and isinstance(value[0], Tensor):
                return [self.hold(t._a) for t in value]
            return self.hold(value[0]) if value else None
        return value

    def wrote(self, tensor: Tensor) -> None:
        self.tensor(tensor)
        for t in (tensor, *self._aliases(tensor)):
            version = 0 if t._vc is None else t._vc.n
            self._event(("write", t, version, self.hold(t._a), state.position))
        if self._graded and not (tensor._rg and tensor._fn is None):
            self._wrote_gradient(tensor)

    def _aliases(self, tensor: Tensor) -> list[Tensor]:
        """Other tensors whose value was just written: the base of a view, what `.data` is of, what has a name."""
        found: dict[int, Tensor] = {}
        if type(tensor._a) is np.ndarray:
            memory = _memory(tensor._a)
            found = {id(t): t for t in self._named_in.get(id(memory), ()) if _memory(t._a) is memory}
        source: Tensor | None = tensor
        while source is not None:
            found[id(source)] = source
            source = source._view.base if source._view is not None else source._cut[0] if source._cut else None
        return [t for i, t in found.items() if t is not tensor and i in self.births and _same_memory(t, tensor)]

    def _wrote_gradient(self, tensor: Tensor) -> None:
        """`x.grad.zero_()` and its like: the memory just written is some tensor's .grad."""
        memory = _memory(tensor._a)
        for leaf, before in list(self._graded.values()):
            grad = leaf._grad
            if grad is not None and _memory(grad._a) is memory:
                self._grad_event(leaf, before, grad._a, "in_place")

    def _grad_event(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        after = self.hold(after)
        self._graded[id(tensor)] = (tensor, after)
        self._event(("grad", tensor, before, after, by, state.position))

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
        self._open_calls.append(call)
        self._event(
            (
                "backward",
                call,
                list(roots),
                self._hold_all(gradients),
                bool(retain_graph),
                bool(create_graph),
                None if inputs is None else list(inputs),
                list(reachable),
                state.position,
            )
        )

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None:
        self._event(("hook", on, target, self._hold_all(before), self._hold_all(after), registered, state.position))

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None:
        self.tensor(tensor)
        after = self.hold(after)
        self._graded[id(tensor)] = (tensor, after)
        self._event(
            (
                "accumulate",
                self._open_calls[-1],
                node,
                tensor,
                self.hold(before),
                self.hold(incoming),
                after,
            )
        )

    def backward_end(self) -> None:
        self._event(("backward_end", self._open_calls.pop()))

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        self.tensor(tensor)
        self._grad_event(tensor, self.hold(_array(before)), _array(after), by)

    def scope_enter(self, kind: str, label: str, line: int | None = None, iteration: int | None = None) -> None:
        if line is None and state.position is not None:
            line = state.position[0]
        self.scope = Scope(self.scope, kind, label, line, iteration)

    def scope_exit(self) -> None:
        if self.scope.parent is not None:
            self.scope = self.scope.parent

    # --- what the interpreter says

    def bind(self, name: str, value: Any) -> None:
        """A variable was assigned; only tensors matter, and what may hold some."""
        if not isinstance(value, Tensor):
            self._holder(name, value, True)
            return
        self._name(self.tensor(value), name)
        self._event(("bind", name, value, state.position))

    def argument(self, name: str, value: Any) -> None:
        """A function was called; a leaf that nothing else names takes the parameter's name."""
        if not isinstance(value, Tensor):
            self._holder(name, value, False)
        elif value._rg and value._fn is None and len(self.parameters) < HOLDERS:
            self.parameters.setdefault(id(value), (name, value))

    def _holder(self, name: str, value: Any, variable: bool) -> None:
        """Modules and containers name their members when the run is over, if nothing else does: by their last variable,
        and by what a function calls its argument where no variable was theirs."""
        if isinstance(value, list | tuple | dict | Module) and len(self.holders) < HOLDERS:
            known = self.holders.get(id(value))
            if known is None or variable:
                self.holders[id(value)] = (name, value, variable)

    def print(self, text: str) -> None:
        """The program printed."""
        self._event(("print", text, state.position))

    def warning(self, category: str, message: str, line: int | None) -> None:
        """The program caused a warning."""
        self._event(("warning", category, message, line))

    def failed(self) -> None:
        """The program raised and did not catch it."""
        self._event(("error",))


def _outputs(out: Tensor | Sequence[Tensor | None]) -> tuple[Tensor, ...]:
    return (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)


def _arrays(sends: Sequence[Send]) -> bool:
    return any([type(send[2]) is ndarray or type(send[5]) is ndarray for send in sends])


def _memory(array: Any) -> Any:
    """The array that owns the memory."""
    while type(array) is np.ndarray and type(array.base) is np.ndarray:
        array = array.base
    return array


def _same_memory(a: Tensor, b: Tensor) -> bool:
    return type(a._a) is np.ndarray and np.may_share_memory(a._a, b._a)


def _array(value: Any) -> Any:
    return value._a if isinstance(value, Tensor) else value
