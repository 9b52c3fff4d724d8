"""Entries of the recorder's log: what happened, with values as they are, before records are made of it.

An op is an `OpRecord` and a node that ran a `NodeEvent`, which is a tuple, from the start. What needs no tensor to be
recorded first is the event itself; what does is an entry of its own. `FinishedEvent` is an event whose values are held
already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from engine.core.node import Node
from engine.core.state import Position
from engine.core.tensor import Tensor
from engine.trace.events import (
    AccumulateEvent,
    BackwardEvent,
    Event,
    FigureEvent,
    Gap,
    GradEvent,
    HookEvent,
    NodeEvent,
    OpRecord,
    PrintEvent,
    ReadEvent,
    Scope,
    WarningEvent,
    WriteEvent,
)
from engine.trace.sizes import EVENT, NODE, NUMBER, OP, REFERENCE, SEND, SUMMARY, TENSOR, VALUE

ndarray = np.ndarray


@dataclass(slots=True, eq=False)
class FinishedEvent:
    """An event that only waits for its place in the timeline, and bytes that it takes in a document."""

    event: Event
    weight: int


@dataclass(slots=True, eq=False)
class CreateEntry:
    """A tensor was made, but by no op."""

    tensor: Tensor
    value: Any
    position: Position | None
    scope: Scope


@dataclass(slots=True, eq=False)
class BindEntry:
    """A variable was assigned."""

    name: str
    tensor: Tensor
    value: Any
    position: Position | None
    scope: Scope


@dataclass(slots=True, eq=False)
class WriteEntry:
    """A tensor was written in place; `leaf`: whose `.grad` it is."""

    tensor: Tensor
    value: Any
    version: int
    position: Position | None
    before: Any
    scope: Scope
    leaf: Tensor | None


@dataclass(slots=True, eq=False)
class AccumulateEntry:
    """A backward pass added to the `.grad` of a leaf whose value is `value`."""

    call: int
    node: Node
    tensor: Tensor
    value: Any
    before: Any
    incoming: Any
    after: Any
    position: Position | None
    scope: Scope


@dataclass(slots=True, eq=False)
class GradEntry:
    """The `.grad` of a tensor whose value is `value` was changed."""

    tensor: Tensor
    value: Any
    before: Any
    after: Any
    by: str
    position: Position | None
    scope: Scope


@dataclass(slots=True, eq=False)
class ReadEntry:
    """The program looked at an attribute of a tensor or a node; `array`: the value of that tensor."""

    event: ReadEvent
    array: Any
    scope: Scope


@dataclass(slots=True, eq=False)
class LoopTurnEnd:
    """A turn of a loop with a backward pass in it is complete."""


@dataclass(slots=True, eq=False)
class Overwrite:
    """`memory` is overwritten next; `copy` is what was in it."""

    memory: Any
    copy: Any


Entry: TypeAlias = (
    OpRecord
    | NodeEvent
    | FinishedEvent
    | CreateEntry
    | BindEntry
    | WriteEntry
    | AccumulateEntry
    | GradEntry
    | ReadEntry
    | BackwardEvent
    | HookEvent
    | PrintEvent
    | WarningEvent
    | FigureEvent
    | LoopTurnEnd
    | Overwrite
)


def finished(entry: Entry | Event) -> Entry | Event:
    """The event that an entry is, or else the entry."""
    return entry.event if type(entry) is FinishedEvent else entry


_SILENT = frozenset({CreateEntry, Overwrite, LoopTurnEnd, Gap})
"""What is no event of its own."""


def count_into(gap: Gap, entries: Iterable[Entry | Event]) -> None:
    """Add entries of the log, or events, to a gap."""
    ops = others = 0
    for entry in entries:
        kind = type(entry)
        if kind is tuple:
            others += 1
        elif kind is OpRecord:
            ops += 1
        elif kind not in _SILENT:
            others += 1
            event = finished(entry)
            if type(event) is BackwardEvent:
                gap.passes += 1
            elif type(event) is PrintEvent:
                gap.text.append(event.text)
            elif type(event) is FigureEvent:
                gap.figures.append(event)
    gap.ops += ops
    gap.events += ops + others


def size_of(entry: Entry) -> int:
    """Bytes of results that an entry keeps, as they are counted when it is logged."""
    if type(entry) is OpRecord:
        size = 0
        for a in entry.values:
            if type(a) is ndarray:
                size += a.nbytes
        return size
    if type(entry) is tuple:
        value = entry[2][0] if entry[2] else None
        return value.nbytes if type(value) is ndarray else 0
    if type(entry) is Overwrite:
        return int(entry.copy.nbytes)
    return int(entry.value.nbytes) if type(entry) is CreateEntry else 0


def weight_of(entry: Entry, inline: int) -> int:
    """Bytes that an entry takes in a document, about."""
    arrays: Iterable[Any] = ()
    weight = EVENT
    match entry:
        case OpRecord():
            arrays, weight = entry.values, OP + EVENT + NODE + TENSOR
        case (_, _, grad_outputs, grad_inputs, sends, ready, _):
            arrays = (*grad_outputs, *grad_inputs)
            weight = 2 * EVENT + (SEND + VALUE) * len(sends) + REFERENCE * len(ready)
        case FinishedEvent():
            weight = EVENT + entry.weight
        case CreateEntry() | BindEntry():
            arrays = (entry.value,)
        case WriteEntry():
            arrays = (entry.value, entry.before)
        case AccumulateEntry():
            arrays = (entry.value, entry.before, entry.incoming, entry.after)
        case GradEntry():
            arrays = (entry.value, entry.before, entry.after)
        case Overwrite():
            arrays = (entry.memory, entry.copy)
    for a in arrays:
        if type(a) is ndarray:
            weight += VALUE + a.size * NUMBER[a.itemsize] if a.size <= inline else SUMMARY
    return weight


def captured(op: OpRecord) -> OpRecord:
    """A logged op with values as they are now: numbers of 0-d tensors are replaced, not overwritten."""
    record = op.copy()
    record.capture()
    record.saved = capture(op.saved) if op.saved else op.saved
    return record


def capture(saved: Any) -> list[Any]:
    """Saved values, those of tensors as `(array,)`."""
    return [
        value if type(value) is not Tensor else (value._array,) if type(value._array) is ndarray else value._array
        for value in saved
    ]


def first_changes(entries: Iterable[Entry]) -> tuple[dict[int, tuple[Any, int]], dict[int, Any], set[int]]:
    """What tensors hold before `entries`, by id: (number, version) of those that are written, `.grad` of those whose
    `.grad` changes, and which of these a pass adds to.

    The number is None where it lives in memory, whose contents the entries tell.
    """
    written: dict[int, tuple[Any, int]] = {}
    grads: dict[int, Any] = {}
    awaited: set[int] = set()
    for entry in entries:
        match finished(entry):
            case WriteEvent() as event:
                written.setdefault(id(event.tensor), (None, event.version - 1))
            case WriteEntry() as event:
                written.setdefault(id(event.tensor), (event.before, event.version - 1))
            case AccumulateEvent() | AccumulateEntry() as event:
                if id(event.tensor) not in grads:
                    grads[id(event.tensor)] = event.before
                    if event.before is not None:
                        awaited.add(id(event.tensor))
            case GradEvent() | GradEntry() as event:
                grads.setdefault(id(event.tensor), event.before)
    return written, grads, awaited


def in_copy(value: Any, memory: Any, copy: Any) -> Any:
    """The part of `copy` that `value` is of `memory`; memory with holes in it gives the value as it is now."""
    if value is memory:
        return copy
    if copy.strides != memory.strides:
        return value.copy()
    offset = value.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    return np.ndarray(value.shape, value.dtype, copy.ravel(order="K").view(np.uint8), offset, value.strides)
