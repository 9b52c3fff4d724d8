"""What was computed between a leaf and the roots of one backward pass, read from a finished recording."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.autograd.function import FunctionOp
from engine.core.tensor import Tensor
from engine.trace import reading
from engine.trace.events import AccumulateEvent, BackwardEvent, Gap, HeldArray, HookEvent, OpRecord, Scope, WriteEvent
from engine.trace.records import Records


class Unchecked(Exception):
    """A gradient cannot be checked; the text says why."""


@dataclass(slots=True, eq=False)
class Step:
    """One op to run again. `at`: its place in the timeline; `inside`: it ran in the forward of a custom Function."""

    record: OpRecord
    at: int
    inside: bool


class Tape:
    """The ops from a leaf to the roots of the backward pass `call`.

    `value` is what the leaf held then, `gradient` what the pass added to its `.grad`, `roots` the tensors that the pass
    began at with the gradients it began with, `hooks` the hooks that changed a gradient on the way.
    """

    def __init__(self, records: Records, event: AccumulateEvent) -> None:
        self.leaf, self.call = event.tensor, event.call
        self.gradient = _number(event.incoming)
        self._records, self._op_of_node = records, records.op_of_node()
        self._outputs = {id(t) for record in records.ops for t in record.outputs}
        self._writes: dict[int, tuple[list[int], list[Any]]] = {}
        begin = self._begin(records.events)
        self.end = begin
        start = self._index_writes(records.events, begin)
        self.value = self.value_at(self.leaf, begin)
        if not isinstance(self.value, np.ndarray | np.generic) or not isinstance(
            self.gradient, np.ndarray | np.generic
        ):
            raise Unchecked("Its gradient is no array of numbers.")
        backward = records.events[begin]
        assert isinstance(backward, BackwardEvent)
        self.roots = self._roots(backward)
        self.steps = self._leading_to_roots(self._steps(records.events, start, begin))
        self.hooks = self._hooks(records.events[begin:])

    def value_at(self, t: Tensor, at: int) -> Any:
        """What a tensor held when `at` events had happened; None if nobody saw it."""
        places, values = self._writes.get(id(t), ((), ()))
        index = bisect_left(places, at)
        if index:
            return _number(values[index - 1])
        record = self._records.tensors.get(id(t))
        if record is None:
            return None if reading.version(t) else reading.array(t)
        if record.seen > at and values and record.value is values[0]:
            return None  # it was first seen when it was written
        return _number(record.value)

    def _unknown(self, t: Tensor, at: int) -> bool:
        """Whether a tensor has a history of which nothing is recorded."""
        record = self._records.tensors.get(id(t))
        if id(t) in self._outputs or record is not None and record.seen <= at:
            return False
        node = reading.grad_fn(t)
        return node is not None and id(node) not in self._op_of_node

    def functions(self) -> bool:
        """Whether a custom Function may lie on the way."""
        return any(isinstance(step.record.op, FunctionOp) for step in self.steps)

    def _begin(self, events: Sequence[Any]) -> int:
        for at, event in enumerate(events):
            if type(event) is BackwardEvent and event.call == self.call:
                return at
        raise Unchecked("The beginning of its backward pass is not recorded.")

    def _index_writes(self, events: Sequence[Any], begin: int) -> int:
        """Remember what was written when; returns where the leaf got the value it has in the pass."""
        record = self._records.tensors.get(id(self.leaf))
        start = 0 if record is None else record.seen
        for at, event in enumerate(events):
            if type(event) is WriteEvent:
                places, values = self._writes.setdefault(id(event.tensor), ([], []))
                places.append(at)
                values.append(event.value)
                if event.tensor is self.leaf and at < begin:
                    start = at + 1
        return start

    def _steps(self, events: Sequence[Any], start: int, end: int) -> list[Step]:
        steps: list[Step] = []
        inside: dict[int, bool] = {}
        for at in range(start, end):
            event = events[at]
            if type(event) is OpRecord:
                steps.append(Step(event, at, _in_forward(event.scope, inside)))
            elif type(event) is Gap:
                raise Unchecked("Not all that lies between it and the loss is recorded.")
        return steps

    def _leading_to_roots(self, steps: Sequence[Step]) -> list[Step]:
        """The steps that may matter: the others give what no root is made of."""
        wanted = {name for t, _ in self.roots for name in _names(t)}
        found: list[Step] = []
        for step in reversed(steps):
            if any(not wanted.isdisjoint(_names(t)) for t in step.record.outputs):
                found.append(step)
                for t in _tensors(step.record.inputs):
                    if self._unknown(t, step.at):
                        raise Unchecked("Where something on its way to the loss comes from is not recorded.")
                    wanted.update(_names(t))
        return found[::-1]

    def _roots(self, backward: BackwardEvent) -> list[tuple[Tensor, Any]]:
        found: list[tuple[Tensor, Any]] = []
        for (node, number), gradient in zip(backward.roots, backward.gradients, strict=True):
            if node is None:
                continue
            t = self._output(node, number)
            if t is None:
                raise Unchecked("What the backward pass began at is not recorded.")
            found.append((t, _number(gradient)))
        return found

    def _output(self, node: Any, number: int) -> Tensor | None:
        """The tensor whose gradient goes to this node."""
        variable = getattr(node, "variable", None)
        if isinstance(variable, Tensor):
            return variable
        record = self._op_of_node.get(id(node))
        outputs: Sequence[Tensor] = () if record is None else record.outputs
        for t in outputs:
            if reading.grad_fn(t) is node and reading.output_nr(t) == number:
                return t
        for seen in self._records.tensors.values():
            known: Tensor = seen.tensor
            if reading.grad_fn(known) is node and reading.output_nr(known) == number:
                return known
        return outputs[number] if number < len(outputs) else None

    def _hooks(self, events: Sequence[Any]) -> list[HookEvent]:
        found: list[HookEvent] = []
        for event in events:
            if type(event) is HookEvent and not _equal(event.before, event.after):
                found.append(event)
            elif type(event) is AccumulateEvent and event.call == self.call and event.tensor is self.leaf:
                break
        return found


def find(records: Records, leaf: Tensor, call: int | None = None) -> tuple[int, AccumulateEvent]:
    """The pass `call`, or the last one, that added to the gradient of `leaf`; and how many additions came before it.

    Raises Unchecked where there is none.
    """
    found: tuple[int, AccumulateEvent] | None = None
    number = 0
    for event in records.events:
        if type(event) is AccumulateEvent:
            if event.tensor is leaf and (call is None or event.call == call):
                found = number, event
            number += 1
    if found is None:
        raise Unchecked("No backward pass that is recorded added to its .grad.")
    return found


def _names(t: Tensor) -> Iterator[Any]:
    """What a tensor may be known by: itself, the memory it shares, the output of a node that it is."""
    yield id(t)
    memory = reading.array(t)
    while type(memory) is np.ndarray and type(memory.base) is np.ndarray:
        memory = memory.base
    if type(memory) is np.ndarray:
        yield id(memory)
    node = reading.grad_fn(t)
    if node is not None:
        yield id(node), reading.output_nr(t)


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)


def _number(value: Any) -> Any:
    return value.array if type(value) is HeldArray else value


def _equal(before: Sequence[Any], after: Sequence[Any]) -> bool:
    return len(before) == len(after) and all(
        a is b or a is not None and b is not None and np.array_equal(_number(a), _number(b), equal_nan=True)
        for a, b in zip(before, after, strict=True)
    )


def _in_forward(scope: Scope | None, known: dict[int, bool]) -> bool:
    """Whether a scope lies in the forward of a custom Function."""
    if scope is None:
        return False
    found = known.get(id(scope))
    if found is None:
        found = known[id(scope)] = scope.kind == "forward" or _in_forward(scope.parent, known)
    return found
