"""The parts of a recording: tensors, scopes, ops, and the events of its timeline, all by reference.

Values are kept as `HeldArray`s or numpy scalars, and None where there is none. In the recorder's log values are as they
are: arrays. `array` and `scope` of an event are for the record of its tensor, where that is seen for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.codegen.op import Op
from engine.core.node import Node
from engine.core.observer import Send
from engine.core.state import Position
from engine.core.tensor import Tensor


class HeldArray:
    """A value kept by reference until its memory is about to be overwritten. `beside`: another one in that memory."""

    __slots__ = ("array", "beside")
    array: Any
    beside: HeldArray | None


class Scope:
    """A module call, function call, loop turn or grad-mode block.

    `at`: where it began in the log that is followed; `calls`: how many backward passes there were when the last loop
    in it began; `skipped`: it is in a turn of a loop with passes that is not one of the last; `inside`: how many calls
    and turns that nobody will see are open in it.
    """

    __slots__ = ("at", "calls", "inside", "iteration", "kind", "label", "line", "parent", "skipped", "weighed")

    def __init__(self, parent: Scope | None, kind: str, label: str, line: int | None, iteration: int | None) -> None:
        self.parent, self.kind, self.label, self.line, self.iteration = parent, kind, label, line, iteration
        self.at: int | None = None
        self.calls = self.inside = 0
        self.weighed = self.skipped = False


@dataclass(slots=True, eq=False)
class TensorRecord:
    """A tensor when it was first seen, after `seen` events."""

    tensor: Any
    value: Any
    position: Position | None
    scope: Scope
    name: str | None
    seen: int

    def copy(self) -> TensorRecord:
        """The entry as it was logged, before a record was made of it."""
        return TensorRecord(self.tensor, self.value, self.position, self.scope, None, 0)


@dataclass(slots=True, eq=False)
class OpRecord(TensorRecord):
    """One op that ran: its arguments as given, values of its outputs, what its node saved.

    It is the record of the tensor that it made, too, unless that was known. An op that gave `several` has None for a
    `tensor` and `several_values` for a value. In the log `saved` is as the node has it; then `kept` is. `recording`:
    gradients were on, or it has a node.
    """

    op: Op
    inputs: Sequence[Any]
    node: Node | None
    saved: Any
    several: Sequence[Tensor] | None
    several_values: Sequence[Any] | None
    recording: bool
    kept: Any = None

    @property
    def outputs(self) -> Sequence[Tensor]:
        return (self.tensor,) if self.several is None else self.several

    @property
    def values(self) -> Sequence[Any]:
        return (self.value,) if self.several is None else self.several_values or ()

    def copy(self) -> OpRecord:
        """The entry as it was logged, before a record was made of it."""
        ran = self.op, self.inputs, self.node, self.saved, self.several, self.several_values, self.recording
        return OpRecord(self.tensor, self.value, self.position, self.scope, None, 0, *ran)


@dataclass(slots=True, eq=False)
class BindEvent:
    """A variable was assigned."""

    name: str
    tensor: Tensor
    position: Position | None
    array: Any
    scope: Scope


@dataclass(slots=True, eq=False)
class WriteEvent:
    """A tensor's memory was written; `position` is None for what was not recorded. `before`: the number that a 0-d
    tensor held; `leaf`: whose `.grad` it is."""

    tensor: Tensor
    version: int
    value: Any
    position: Position | None
    before: Any = None
    leaf: Tensor | None = None
    scope: Scope | None = None


@dataclass(slots=True, eq=False)
class ReadEvent:
    """The program looked at `target.attribute[index]…`; `value`: a flag, a gradient, or a node."""

    target: Tensor | Node
    attribute: str
    index: tuple[int, ...]
    value: Any
    position: Position | None
    array: Any
    scope: Scope


@dataclass(slots=True, eq=False)
class PrintEvent:
    """The program printed; `piece`: the scope in which it goes on to write with the same call, maybe."""

    text: str
    position: Position | None
    piece: Scope | None = None


@dataclass(slots=True, eq=False)
class WarningEvent:
    """The program caused a warning."""

    category: str
    message: str
    line: int | None


@dataclass(slots=True, eq=False)
class FigureEvent:
    """A figure was shown, or saved in a file: `how` is show, save, cell (a notebook's cell ended) or end."""

    figure: dict[str, Any]
    how: str
    file: str | None
    position: Position | None


@dataclass(slots=True, eq=False)
class BackwardEvent:
    """A backward pass begins."""

    call: int
    roots: Sequence[Any]
    gradients: Sequence[Any]
    retain_graph: bool
    create_graph: bool
    inputs: Sequence[Tensor] | None
    reachable: list[Node]
    position: Position | None


NodeEvent: TypeAlias = tuple[int, Node, Sequence[Any], Sequence[Any], Sequence[Send], Sequence[Node], bool]
"""A node ran in a backward pass: (call, node, grad_outputs, grad_inputs, sends, ready, released), as `Observer.node` is
told. A plain tuple, because there is one for every node of every pass; no other event is a tuple."""


@dataclass(slots=True, eq=False)
class ReleaseEvent:
    """The node that ran last released what it saved."""


RELEASED = ReleaseEvent()
"""The only one there is: it follows the `NodeEvent` of its node."""


@dataclass(slots=True, eq=False)
class HookEvent:
    """A hook ran: values before and after it."""

    on: str
    target: Any
    before: Sequence[Any]
    after: Sequence[Any]
    registered: Position | None
    position: Position | None


@dataclass(slots=True, eq=False)
class AccumulateEvent:
    """A backward pass added to a leaf's `.grad`."""

    call: int
    node: Node
    tensor: Tensor
    before: Any
    incoming: Any
    after: Any
    array: Any
    position: Position | None
    scope: Scope


@dataclass(slots=True, eq=False)
class GradEvent:
    """A tensor's `.grad` was changed by something else."""

    tensor: Tensor
    before: Any
    after: Any
    by: str
    position: Position | None
    array: Any = None
    scope: Scope | None = None


@dataclass(slots=True, eq=False)
class BackwardEndEvent:
    """A backward pass is over."""

    call: int


@dataclass(slots=True, eq=False)
class Gap:
    """A part of the run that is not recorded: the number of ops, backward passes and events, their output, and the
    figures that they showed."""

    ops: int = 0
    passes: int = 0
    events: int = 0
    text: list[str] = field(default_factory=list)
    figures: list[FigureEvent] = field(default_factory=list)

    def add(self, other: Gap) -> None:
        """Add another gap, which comes right after this one."""
        self.ops += other.ops
        self.passes += other.passes
        self.events += other.events
        self.text += other.text
        self.figures += other.figures


@dataclass(slots=True, eq=False)
class ErrorEvent:
    """The program raised and did not catch it."""


PassEvent: TypeAlias = BackwardEvent | AccumulateEvent | BackwardEndEvent
"""Events that make sense only in a pass that was begun."""

Event: TypeAlias = (
    OpRecord
    | NodeEvent
    | ReleaseEvent
    | PassEvent
    | HookEvent
    | BindEvent
    | WriteEvent
    | GradEvent
    | ReadEvent
    | PrintEvent
    | WarningEvent
    | FigureEvent
    | Gap
    | ErrorEvent
)
