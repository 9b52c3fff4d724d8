"""Entries of the recorder's log: what happened, with values as they are, before records are made of it.

Events of the timeline are their own entries. Besides them there is a `TensorRecord` where a tensor was made by no op,
and what is no event.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from engine.core.tensor import Tensor
from engine.document.sizes import EVENT, NODE, SEND, TENSOR, VALUE
from engine.trace.events import (
    AccumulateEvent,
    BackwardEvent,
    BindEvent,
    Event,
    FigureEvent,
    Gap,
    GradEvent,
    OpRecord,
    PrintEvent,
    TensorRecord,
    WriteEvent,
)
from engine.trace.sizes import NUMBER, OP, REFERENCE, SUMMARY
from engine.types.coo import Coo

ndarray = np.ndarray


@dataclass(slots=True, eq=False)
class LoopTurnEnd:
    """A turn of a loop with a backward pass in it is complete."""


@dataclass(slots=True, eq=False)
class Overwrite:
    """`memory` is overwritten next; `copy` is what was in it."""

    memory: Any
    copy: Any


Entry: TypeAlias = Event | TensorRecord | LoopTurnEnd | Overwrite


_SILENT = frozenset({TensorRecord, Overwrite, LoopTurnEnd, Gap})
"""Entries that are no event of their own."""


def count_into(gap: Gap, entries: Iterable[Entry]) -> None:
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
            if type(entry) is BackwardEvent:
                gap.passes += 1
            elif type(entry) is PrintEvent:
                gap.text.append(entry.text)
            elif type(entry) is FigureEvent:
                gap.figures.append(entry)
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
    made = entry.after if type(entry) is AccumulateEvent else entry.value if type(entry) is TensorRecord else None
    return made.nbytes if type(made) is ndarray else 0


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
        case TensorRecord():
            arrays = (entry.value,)
        case BindEvent():
            arrays = (entry.array,)
        case WriteEvent():
            arrays = (entry.value, entry.before)
        case AccumulateEvent():
            arrays = (entry.array, entry.before, entry.incoming, entry.after)
        case GradEvent():
            arrays = (entry.array, entry.before, entry.after)
        case Overwrite():
            arrays = (entry.memory, entry.copy)
    for a in arrays:
        if type(a) is ndarray:
            weight += VALUE + a.size * NUMBER[a.itemsize] if a.size <= inline else SUMMARY
        elif type(a) is Coo:
            weight += SUMMARY
    return weight


def captured(saved: Any) -> Any:
    """Saved values as they are now, arrays of tensors as `(array,)`: numbers of 0-d tensors are replaced, not
    overwritten."""
    for value in saved or ():
        if type(value) is Tensor:
            return [_captured(value) if type(value) is Tensor else value for value in saved]
    return saved


def _captured(tensor: Tensor) -> Any:
    array = tensor._array
    return (array,) if type(array) is ndarray else array


def arrays_of(entry: Entry) -> list[Any]:
    """The arrays that an entry holds, but for those of nodes and of gradients."""
    found = [getattr(entry, "value", None), getattr(entry, "array", None)]
    if type(entry) is OpRecord:
        found += [*(entry.several_values or ()), *[t._array for t in entry.inputs if isinstance(t, Tensor)]]
    return [array for array in found if type(array) is np.ndarray]


def first_changes(entries: Iterable[Entry]) -> tuple[dict[int, tuple[Any, int]], dict[int, Any], set[int]]:
    """Values of tensors before `entries`, by id: (number, version) of those that are written, `.grad` of those whose
    `.grad` changes, and which of these a pass adds to.

    The number is None where it lives in memory, whose contents the entries tell.
    """
    written: dict[int, tuple[Any, int]] = {}
    grads: dict[int, Any] = {}
    awaited: set[int] = set()
    for entry in entries:
        match entry:
            case WriteEvent():
                written.setdefault(id(entry.tensor), (entry.before, entry.version - 1))
            case AccumulateEvent():
                if id(entry.tensor) not in grads:
                    grads[id(entry.tensor)] = entry.before
                    if entry.before is not None:
                        awaited.add(id(entry.tensor))
            case GradEvent():
                grads.setdefault(id(entry.tensor), entry.before)
    return written, grads, awaited


def in_copy(value: Any, memory: Any, copy: Any) -> Any:
    """The part of `copy` that `value` is of `memory`; memory with holes in it gives the value as it is now."""
    if value is memory:
        return copy
    if copy.strides != memory.strides:
        return value.copy()
    offset = value.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    return np.ndarray(value.shape, value.dtype, copy.ravel(order="K").view(np.uint8), offset, value.strides)
