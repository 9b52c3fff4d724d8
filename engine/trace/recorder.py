"""Watches a run: what happens is logged, by reference, and turned into records (`engine.trace.records`) when someone
asks, or before something that was logged can change. `engine.trace.document` describes them afterwards.

Recording ends when the document is full (`Limits.ops`, `events`, `document_bytes`), or when what it keeps takes a
quarter of `Limits.total_bytes`. The run goes on, and the last of it is followed (`engine.trace.following`): logged, but
turned into records only when the run is over, after an event that says what is missing.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from engine.codegen.op import Op
from engine.core.batch import whole
from engine.core.node import Node
from engine.core.observer import HookKind, Observer, PassesOnly, Send
from engine.core.state import Position, state
from engine.core.tensor import Tensor
from engine.document.watched import Exits, Optimizers
from engine.limits import Limits, meter
from engine.trace import reading
from engine.trace.entries import Entry, LoopTurnEnd, arrays_of, captured, count_into
from engine.trace.events import (
    AccumulateEvent,
    BackwardEndEvent,
    BackwardEvent,
    BindEvent,
    ErrorEvent,
    FigureEvent,
    Gap,
    GradEvent,
    HookEvent,
    OpRecord,
    PrintEvent,
    ReadEvent,
    Scope,
    TensorRecord,
    WarningEvent,
    WriteEvent,
)
from engine.trace.following import HELD, Following
from engine.trace.holders import MOST, Holders
from engine.trace.records import Budget, Records, owner
from engine.trace.sizes import encoded
from engine.trace.skipping import Skipping
from engine.trace.training import Training

new, ndarray = object.__new__, np.ndarray
_LOGGED = 1 << 16
"""Entries logged before they are turned into records."""

_FIRST, _ALL, _LAST = 0.62, 0.88, 0.94
"""The parts of a document's bytes that the beginning of a run may fill, all that is recorded of it, and with how its
tensors are in the end."""

_PREPARED = 0.25
"""The part of a full recording that stays when the first backward pass of a loop begins and is none of it yet."""

_LAST_TURNS = 2
"""Turns at the end of a loop of known length that are followed; those before them are skipped when there is no room."""

_FEW = 2_048
"""Elements that are summed up for nothing."""

READS = 2_000
"""Attributes that a document tells the program looked at."""

_ENTRY = 600
"""Bytes of a document that one logged entry takes, about: how many of them are worth following."""


class Ahead(Protocol):
    """A program that notes what it enters and leaves, and tells only who asks."""

    def catch_up(self) -> None:
        """Tell of all that it has entered and left since it was asked last."""

    def ask(self) -> None:
        """From the next turn of each loop on, see again whether it is to be told when it begins."""


class Recorder:
    """The observer of a run.

    `ahead` enters scopes late, `passed`: a backward pass has ended in this turn of a loop. `_has_pass`: there is a
    record of one. `tape`: what tells of the program's own autograd (`engine.tape`), if it has one.
    """

    __slots__ = (
        "_all", "_budget", "_exposed", "_few", "_gradients", "_has_pass", "_head", "_log", "_most_logged",
        "_most_pending", "_old", "_open_calls", "_pending", "_scope", "_skip_until", "_skipped_call", "_skipping",
        "_tail", "ahead", "calls", "edges", "exits", "figure_bytes", "figures", "holders", "limits", "optimizers",
        "parameters", "passed", "reads", "records", "root", "runs_again", "tape", "training", "truncated", "turns",
    )  # fmt: skip
    scopes = True
    blind = False

    def __init__(self, limits: Limits, skip_until: float = math.inf) -> None:
        """`skip_until`: the number of the loop turn before which turns may be skipped."""
        self.limits = limits
        self.edges = True
        self.records = Records(limits)
        self.turns = 0
        self._skip_until, self.runs_again = skip_until, skip_until is not math.inf
        self._skipping = False
        self._skipped_call = -1
        self.ahead: Ahead | None = None
        self.root = self._scope = Scope(None, "program", "program", 1, None)
        self.truncated: str | None = None
        self.calls = self.reads = 0
        self._budget = Budget(limits, _FIRST, 0.75)
        self._log: list[Entry] = []
        self._most_logged, self._few = _LOGGED, limits.events >> 8
        self._pending = 0
        self._most_pending = min(HELD, limits.total_bytes // 8)
        self._tail: Following | None = None
        self._open_calls: list[int] = []
        self._has_pass = self.passed = False
        self._old: Any = None
        self._exposed: dict[int, weakref.ref[Any]] = {}
        self._gradients: dict[int, tuple[Tensor, Any]] = {}
        self._head: tuple[int, int] | None = None
        self._all = _ALL
        self.holders = Holders()
        self.parameters: dict[int, tuple[str, Tensor]] = {}
        self.figures: dict[int, dict[str, Any]] = {}
        self.figure_bytes = 0
        self.training = Training()
        self.optimizers = Optimizers[Tensor, Position](Tensor)
        self.exits = Exits[Tensor, Position]()
        self.tape: Any = None

    @property
    def scope(self) -> Scope:
        """The innermost scope that runs."""
        if self.ahead is not None:
            self.ahead.catch_up()
        return self._scope

    def wants_turns(self, passes: int) -> bool:
        """Whether turns of a loop are to be told when they begin; it began after so many backward passes."""
        return self.passed or self._tail is not None and (self._skipping or self.calls > passes)

    # What the engine says

    def create(self, tensor: Tensor) -> None:
        scope = self.scope
        array = tensor._array if type(tensor) is Tensor else reading.array(tensor)
        if array is None:
            return
        if type(array) is ndarray:
            size = array.size
            self._pending += size * array.itemsize
            if size > _FEW and array.base is not None:
                self._sum_up(array)
        record: TensorRecord = new(TensorRecord)
        record.tensor, record.value, record.position, record.scope = tensor, array, state.position, scope
        self._add(record)

    def before_write(self, array: Any) -> None:
        self._catch_up()
        if self._tail is None and self._log:
            self.flush()
        if type(array) is not ndarray:
            self._old = array
            return
        memory = owner(array)
        self.records.save(memory)
        if self._tail is not None:
            self._tail.overwritten(memory)

    def expose(self, array: Any) -> None:
        """From now on the program can write to this memory without telling: what lies there is copied when it is
        logged."""
        self._catch_up()
        memory = owner(array)
        key, exposed = id(memory), self._exposed
        exposed[key] = weakref.ref(memory, lambda _: exposed.pop(key, None))
        if self._tail is not None:
            self._tail.overwritten(memory)
        else:
            self._keep_exposed()

    def _keep_exposed(self) -> None:
        if self._tail is not None:
            for array in arrays_of(self._log[-1]):
                memory = owner(array)
                if id(memory) in self._exposed:
                    self._tail.overwritten(memory)
            return
        self.flush()
        for key in self._exposed.keys() & self.records.by_memory.keys():
            memory = self._exposed[key]()
            if memory is not None:
                self.records.save(memory, perhaps=True)

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        budget = meter.budget
        budget[0] -= 1
        if budget[0] < 0:
            meter.out_of_fuel()
        if self.ahead is not None:
            self.ahead.catch_up()
        tail, large = self._tail, False
        tensor: Any = None
        value: Any = None
        several: Sequence[Tensor] | None = None
        values: Sequence[Any] | None = None
        if type(out) is Tensor:
            tensor, value = out, out._array
            if type(value) is ndarray:
                size, itemsize = value.size, value.itemsize
                if not op.view:
                    meter.made(size, itemsize)
                elif size > _FEW:
                    self._sum_up(value)
                self._pending += size * itemsize
                large = self._pending > self._most_pending
        else:
            several = _outputs(out)
            values = [t._array for t in several]
            for a in values:
                if not op.view:
                    meter.made(a.size, a.itemsize)
                elif a.size > _FEW:
                    self._sum_up(a)
                self._pending += a.nbytes
            large = self._pending > self._most_pending
        if tail is not None and tail.full:
            tail.missed.ops += 1
            tail.missed.events += 1
            return
        record = new(OpRecord)
        record.tensor, record.value, record.several, record.several_values = tensor, value, several, values
        record.op, record.inputs, record.node = op, inputs, node
        record.position, record.scope = state.position, self._scope
        if node is None:
            record.saved, record.recording = None, state.grad
        else:
            saved = node.saved
            if saved is None:
                saved = node.packed
            record.saved, record.recording = saved if tail is None else captured(saved), True
        log = self._log
        log.append(record)
        if large or len(log) >= self._most_logged:
            self._shorten()
        elif self._exposed:
            self._keep_exposed()

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
        if tail is not None and tail.full:  # and stays so until the outermost pass is over
            self.edges = False
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

    def _catch_up(self) -> None:
        """Be in the scope that runs."""
        if self.ahead is not None:
            self.ahead.catch_up()

    def _add(self, entry: Entry) -> None:
        """Log an event other than an op or a node."""
        self._catch_up()
        tail = self._tail
        if tail is not None and tail.full:
            count_into(tail.missed, (entry,))
        else:
            self._append(entry)

    def _append(self, entry: Entry) -> None:
        log = self._log
        log.append(entry)
        if len(log) >= self._most_logged or self._pending > self._most_pending:
            self._shorten()
        elif self._exposed:
            self._keep_exposed()

    def _sum_up(self, array: Any) -> None:
        """Charge a view, which took no work and no memory, but whose numbers the document may sum up."""
        if self._tail is None or not self._tail.full:
            meter.charge(array.size >> 13)

    def _shorten(self) -> None:
        """The log is long, or what is in it is large."""
        if self._tail is None:
            self.flush()
        else:
            self._pending = self._tail.shorten(self._pending)

    def flush(self) -> None:
        """Turn what was logged into records. Happens before anything that was logged can change."""
        if self._tail is None:
            log, self._log = self._log, []
            self._pending = 0
            done = self.records.make(log, self._budget)
            if done < len(log):
                self._follow(log[done:])

    # What the engine says besides ops and nodes

    def wrote(self, tensor: Tensor) -> None:
        old, self._old = self._old, None
        leaf, gradient = self._gradients.get(id(tensor), (None, None))
        leaf = leaf if gradient is tensor else None
        counter = tensor._version_counter
        version = 0 if counter is None else counter.n
        self._add(WriteEvent(tensor, version, tensor._array, state.position, old, leaf, self.scope))
        if not reading.is_leaf(tensor):  # it may be a gradient: find out whose while it still is
            self.flush()

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
        self._catch_up()
        call = self.calls
        self.calls += 1
        if self._tail is not None and self.ahead is not None:
            self.ahead.ask()
        if not self._open_calls:
            self.training.begin(state.position)
            if len(self._log) > self._few:
                self.flush()
            if self._tail is not None:
                turn = self._turn()
                whole = turn is not None and not self._tail.full
                self._tail.begin(turn)
                if whole and not self._has_pass:
                    self._give_way(self._tail)
            self._has_pass = self._has_pass or self._tail is None
        self._open_calls.append(call)
        event: BackwardEvent = new(BackwardEvent)
        event.call, event.roots, event.gradients, event.position = call, list(roots), gradients, state.position
        event.retain_graph, event.create_graph = bool(retain_graph), bool(create_graph)
        event.inputs, event.reachable = None if inputs is None else list(inputs), list(reachable)
        self._add(event)

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None:
        self._add(HookEvent(on, target, before, after, registered, state.position))

    def _follow_gradient(self, leaf: Tensor) -> None:
        """While the run is only followed, remember whose gradient a tensor is: that may be written, too."""
        if len(self._gradients) > MOST:
            self._gradients.clear()
        gradient = leaf._grad
        self._gradients[id(gradient)] = leaf, gradient

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None:
        self._catch_up()
        self.training.reach(tensor)
        if self._tail is not None:
            self._follow_gradient(tensor)
        event: AccumulateEvent = new(AccumulateEvent)
        event.call, event.node, event.tensor, event.array = self._open_calls[-1], node, tensor, tensor._array
        event.before, event.incoming, event.after = before, incoming, after
        event.position, event.scope = state.position, self.scope
        if type(after) is ndarray:
            self._pending += after.nbytes
        self._add(event)

    def backward_end(self) -> None:
        call = self._open_calls.pop()
        if self._tail is None or not self._tail.over:  # a pass is ended even where the log is full
            self._log.append(BackwardEndEvent(call))
        if not self._open_calls:
            self.edges = True
            self.training.end(call)
            self.passed = True
            if self._tail is not None:
                self._tail.end()

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        if self._tail is not None and after is not None:
            self._follow_gradient(tensor)
        position, scope = state.position, self.scope
        self._add(GradEvent(tensor, _array(before), _array(after), by, position, tensor._array, scope))

    def scope_enter(
        self,
        kind: str,
        label: str,
        line: int | None = None,
        iteration: int | None = None,
        remaining: int | None = None,
    ) -> None:
        self._catch_up()
        self.enter(kind, label, line, iteration, remaining)

    def enter(
        self, kind: str, label: str, line: int | None, iteration: int | None = None, remaining: int | None = None
    ) -> None:
        """What calls this enters a scope, in order."""
        parent, skipping = self._scope, self._skipping
        if skipping and parent.skipped and not self.runs_again:
            parent.inside += 1
            if kind == "loop":
                self.turns += 1
            return
        if line is None and (position := state.position) is not None:
            line = position[0]
        self._scope = scope = Scope(parent, kind, label, line, iteration)
        if kind != "loop":
            scope.skipped = parent.skipped
            return
        self.turns += 1
        if not iteration:
            parent.calls = self.calls
            skipped = parent.skipped
        else:
            skipped = parent.skipped or remaining is not None and remaining >= _LAST_TURNS and self.calls > parent.calls
        if skipped and self.turns < self._skip_until:
            scope.skipped = True
        tail = self._tail
        if tail is None:
            if len(self._log) > self._few:  # what is followed begins here, not in the middle, if there is no room
                self.flush()
            tail = self._tail
        if tail is not None:
            if not self._open_calls:
                if scope.skipped:
                    self._skip(tail)
                elif skipping:
                    self.watch_again()
                elif tail.full:
                    tail.resume()
            scope.at = tail.mark()

    def pass_over(self, turns: int, calls: int | None) -> None:
        """So many turns of a loop were begun without being told; `calls`: how many passes there were when it began, if
        none of it was told."""
        if calls is not None:
            self._scope.calls = calls
        self.turns += turns

    def place(self) -> tuple[Scope, int]:
        """What `back` goes back to."""
        return self._scope, self._scope.inside

    def back(self, scope: Scope, inside: int) -> None:
        """Leave what was entered since the run was in this place."""
        while ((left := self._scope) is not scope or scope.inside > inside) and left.parent is not None:
            if left.inside or self.passed:
                self.scope_exit()
            else:
                self._scope = left.parent

    def scope_exit(self) -> None:
        scope = self._scope
        if scope.inside:
            scope.inside -= 1
        elif scope.parent is not None:
            self._scope = scope.parent
            if self.passed and scope.kind == "loop":
                self.passed = False
                if self._tail is None:
                    self._log.append(LoopTurnEnd())

    def forward_begin(self, name: str) -> Observer:
        return PassesOnly(self)

    def forward_end(self) -> None:
        """A custom Function is one op."""

    def optimizer(self, optimizer: Any, what: str) -> None:
        """An optimizer was made, given parameters, or used."""
        self.optimizers.tell(optimizer, what, state.position, self.calls)

    def left(self, tensor: Tensor, how: str) -> None:
        """Numbers left the graph."""
        self.exits.tell(tensor, how, state.position)

    # Turns of a loop that are not the last ones

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

    # What the interpreter says

    def bind(self, name: str, value: Any) -> None:
        """A variable was assigned; only tensors matter, and what may hold some."""
        if type(value) is not Tensor and not issubclass(type(value), Tensor):
            self._holder(name, value, True)
            return
        if self.ahead is not None:
            self.ahead.catch_up()
        tail = self._tail
        if tail is not None and tail.full:
            tail.missed.events += 1
            return
        value = whole(value)
        array = reading.array(value)
        if array is not None:
            event: BindEvent = new(BindEvent)
            event.name, event.tensor, event.array = name, value, array
            event.position, event.scope = state.position, self._scope
            self._append(event)

    def argument(self, name: str, value: Any) -> None:
        """A function was called; a leaf that nothing else names takes the parameter's name."""
        if not issubclass(type(value), Tensor):
            self._holder(name, value, False)
        elif self._tail is None and len(self.parameters) < MOST and reading.is_leaf(whole(value)):
            self.parameters.setdefault(id(whole(value)), (name, whole(value)))

    def _holder(self, name: str, value: Any, variable: bool) -> None:
        """Modules and containers name their members when the run is over, if nothing else does: by their last variable,
        and by what a function calls its argument where no variable was theirs."""
        if self._tail is None and reading.holds(value):
            self.holders.add(name, value, variable)
            meter.relieve = self._relieve

    def _relieve(self) -> None:
        """Let go of what the run could go on without: its memory is short."""
        self.holders.forget()
        if self._tail is not None:
            self._tail.give_up()

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
        shown = reading.shown(target, attribute)
        self._add(ReadEvent(target, attribute, index, shown, state.position, array, self.scope))

    def print(self, text: str, piece: bool = False) -> None:
        """The program printed; a `piece` goes on where the last one ended, if one call of the program writes both."""
        position = state.position
        last = self._log[-1] if piece and self._log else None
        if type(last) is PrintEvent and last.piece is self.scope and last.position == position:
            last.text += text
        else:
            self._add(PrintEvent(text, position, self.scope if piece else None))

    def warning(self, category: str, message: str, line: int | None) -> None:
        """The program caused a warning."""
        self._add(WarningEvent(category, message, line))

    def figure(self, figure: dict[str, Any], how: str, file: str | None) -> None:
        """The program showed a figure, or saved it; `figure` as the document has it, and its numbers."""
        if id(figure) not in self.figures:
            self.figures[id(figure)] = figure
            self.figure_bytes += encoded(figure)
        self._add(FigureEvent(figure, how, file, state.position))

    def tensor(self, t: Tensor) -> TensorRecord:
        """The record of a tensor; the run is over."""
        return self.records.tensors.get(id(t)) or self.records.tensor(t, reading.array(t), state.position, self.scope)

    # When there is no more room

    def _follow(self, rest: list[Entry]) -> None:
        """Make no more records until the run is over. `rest` was logged and is no record yet."""
        self.truncated = self._budget.used_up(self.records)
        limits = self.limits
        self._most_logged = max(min(limits.events // 4, int(limits.document_bytes * (_ALL - _FIRST)) // _ENTRY), 64)
        for entry in rest:
            if type(entry) is OpRecord:
                entry.saved = captured(entry.saved)
        self._log = rest
        self._tail = Following(self._log, self._most_logged, self._most_pending)
        meter.relieve = self._relieve
        if self._open_calls:
            self._tail.begin(0)
        if self.ahead is not None:
            self.ahead.ask()

    def _give_way(self, tail: Following) -> None:
        """The first pass of a loop begins, and the document is full of what prepared it, which is worth less."""
        if self.truncated == "total_bytes":
            return
        records = self.records
        tail.cut()
        gap = records.undo(int(len(records.events) * _PREPARED), int(records.weight * _PREPARED), over=False)
        gap.add(tail.before)
        self._append_gap(gap, tail.log)
        self._tail = None
        self._most_logged = _LOGGED
        self.flush()

    def _turn(self) -> int | None:
        """Start of the current iteration of the innermost loop."""
        scope: Scope | None = self.scope
        while scope is not None and (scope.kind != "loop" or scope.at is None):
            scope = scope.parent
        return None if scope is None else scope.at

    def finish(self, failed: bool = False) -> None:
        """The run is over: make records of all that was logged. `failed`: the program raised and did not catch it."""
        self.training.finish()
        self.flush()
        if self._tail is not None:
            self._finish(self._tail)
        if failed:
            self.records.events.append(ErrorEvent())

    def _finish(self, tail: Following) -> None:
        records = self.records
        budget = self._whole_budget()
        self._head = head = len(records.events), records.weight
        if not tail.lost:
            rest = [*tail.turn, *tail.log]
            if records.make(rest, budget, again=True) == len(rest):
                self.truncated = self.truncated if any(type(event) is Gap for event in records.events) else None
                return
            records.undo(*head)
            tail.cut()
        gap = Gap()
        if head[0] // 2 < records.whole[0] < head[0]:  # end with a whole turn
            self._head = records.whole
            gap = records.undo(*records.whole)
        self._append_tail(gap, tail, budget)

    def _whole_budget(self) -> Budget:
        budget = Budget(self.limits, self._all, 1.0)
        budget.kept *= 2
        return budget

    def _append_tail(self, gap: Gap, tail: Following, budget: Budget) -> None:
        """Append what was followed after a gap, as far as there is room."""
        records = self.records
        tail.trim(budget.bytes - records.weight, self.limits.inline_values)
        gap.add(tail.before)
        rest: Sequence[Entry] = [*tail.turn, *tail.log]
        self._append_gap(gap, rest)
        for part, after in ((tail.turn, tail.after), (tail.log, tail.missed)):
            rest = rest[len(part) :]
            done = records.make(part, budget, again=True)
            if done < len(part):
                left = Gap()
                count_into(left, part[done:])
                left.add(after)
                after = left
                records.end_passes()
            self._append_gap(after, rest)

    def _append_gap(self, gap: Gap, rest: Sequence[Entry]) -> None:
        self.records.append_gap(gap, rest, self.limits.document_bytes * (_ALL if rest else _LAST))

    def shrink(self, share: float) -> None:
        """Keep only a part of what was recorded: the document is too large."""
        records = self.records
        failed = bool(records.events) and type(records.events[-1]) is ErrorEvent
        if failed:
            records.events.pop()
        count, weight = self._head or (len(records.events), records.weight)
        lost, followed = Gap(), self._tail is not None and self.truncated is not None and share > 0
        if followed or not self._tail:
            records.undo(count, weight)
        self.truncated = self.truncated or "document_bytes"
        self._head = int(count * share), int(weight * share)
        lost = records.undo(*self._head)
        if self._tail is not None and followed:
            self._all *= share
            self._append_tail(lost, self._tail, self._whole_budget())
        else:
            self._append_gap(lost, ())
        if failed:
            records.events.append(ErrorEvent())


def _outputs(out: Tensor | Sequence[Tensor | None]) -> tuple[Tensor, ...]:
    return (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value
