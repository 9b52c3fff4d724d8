"""What all parts of the recorder write into: the timeline, the tables, and where they end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import islice
from types import FrameType
from typing import Any

import torch

from ..document.limits import shorten
from ..document.rows import Amounts
from ..document.sizes import EVENT
from ..limits import OP, Limits
from .holding import Holding
from .layers import is_recorded
from .nodes import Nodes
from .ops import Op
from .owners import Code
from .positions import Place, Positions, at
from .scopes import Scopes
from .tensors import Seen, Tensors
from .values import Values, grad_of, memory_of, node_of

_modes: Any = torch._C._len_torch_dispatch_stack
_mode_at: Any = torch._C._get_dispatch_stack_at
_pop_mode: Any = torch._C._pop_torch_dispatch_stack
_push_mode: Any = torch._C._push_on_torch_dispatch_stack


class _Silently:
    """A block of the recorder's own; entered for every op and node, so it is a class and no generator.

    The recorder's mode is put aside, as it costs several times what a small op does, and with it those of the program:
    what they see is theirs alone.
    """

    __slots__ = ("before", "grad", "modes", "recording", "trace")

    def __init__(self, recording: Recording, grad: bool) -> None:
        self.recording, self.grad = recording, grad

    def __enter__(self) -> None:
        self.trace = self.recording.untraced()
        self.recording.quiet += 1
        modes = _modes()
        if modes == 1 and _mode_at(0) is self.recording.mode:
            self.modes = (_pop_mode(None),)
        else:
            self.modes = tuple([_pop_mode(None) for _ in range(modes)][::-1])
        self.before = torch.is_grad_enabled()
        if self.before is not self.grad:
            torch._C._set_grad_enabled(self.grad)

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if self.before is not self.grad:
            torch._C._set_grad_enabled(self.before)
        for mode in self.modes:
            _push_mode(mode)
        self.recording.quiet -= 1
        if self.trace is not None:
            sys.settrace(self.trace)
        if isinstance(error, Exception) and not self.recording.over:
            self.recording.fail(error)
            return True
        return False


class Recording:
    """One recording. Rows are those of the document already, but for tensors, nodes and ops, which are read at the end,
    and events of nodes, each of which waits as one tuple: call, node, and how many values it received and computed and
    fields of sends there are, before all these and the queue. With only texts in it the garbage collector lets it be.

    `truncated`: the limit that was reached; `missed`: what happened since; `elsewhere`: what other threads ran.
    `open_calls`: passes that run, and where each was called; `creating`: those whose own ops are recorded. `settle`
    records what only shows when an op or a step of an optimizer is over; `lines`: how many lines of the user's ran;
    `holders`: what variables, or else arguments, hold tensors in. `opaque`: how many custom Functions run, whose ops
    are their own. `trace`: the tracer of Python, where the recorder has set one. `hooked`: tables of hooks by id, each
    with its tensor, which gets another table when it is written in place. `mode`: the dispatch mode, which sees
    operators; `clock`: measures seconds, where they are asked for.
    """

    def __init__(self, main: str, limits: Limits, code: Code | None = None) -> None:
        self.limits = limits
        self.positions = Positions(main, code)
        self.scopes = Scopes()
        self.values = Values(limits.inline_values)
        self.hooked: dict[int, tuple[torch.Tensor, str, Any]] = {}
        self.retained: dict[int, torch.Tensor] = {}
        self.tensors = Tensors(self.values, self._notice)
        self.nodes = Nodes(self.values)
        self.ops: list[Op] = []
        self.events: list[Any] = []
        self.op_of_node: dict[str, Op] = {}
        self.warnings: list[dict[str, Any]] = []
        self.gradients: dict[str, tuple[torch.Tensor, torch.Tensor | None, str | None]] = {}
        self.calls = 0
        self.open_calls: dict[int, Place | None] = {}
        self.quiet = self.opaque = 0
        self.creating: list[Place | None] = []
        self.parameters: dict[int, tuple[str, torch.Tensor]] = {}
        self.named_in: dict[int, list[Seen]] = {}
        self.weight = self.lines = 0
        self.over = False
        self.holders: dict[int, tuple[str, Any, bool]] = {}
        self.holding = Holding(self.positions)
        self.stdout: list[str] = []
        self.truncated: str | None = None
        self.missed: Amounts = {"ops": 0, "passes": 0, "events": 0}
        self.elsewhere = {"passes": 0, "modules": 0}
        self.missed_text: list[str] = []
        self.settle: Callable[[], None] = lambda: None
        self.trace: Any = None
        self.mode: Any = None
        self.clock: Any = None

    # The timeline

    def put(self, kind: str, place: Place | None = None, *, weight: int = 0, **row: Any) -> None:
        """Something happened."""
        self.append(at({"kind": kind, **row}, place), weight)

    def append(self, event: dict[str, Any] | tuple[Any, ...] | Op, weight: int = 0) -> None:
        """As `put`, of a row that is complete, or what `row_of` makes one of: an op, a node that ran."""
        if self.truncated is not None:
            self.missed["events"] += 1
            return
        self.events.append(event)
        self.weight += EVENT + weight
        limits = self.limits
        weight = self.weight + self.values.weight + self.tensors.weight + self.nodes.weight
        if len(self.ops) >= limits.ops:
            self.cut("ops")
        elif len(self.events) >= limits.events:
            self.cut("events")
        elif weight >= limits.document_bytes * 0.85:
            self.cut("document_bytes")
        elif self.values.kept_bytes >= limits.kept_bytes:
            self.cut("kept_bytes")

    def put_op(self, op: Op) -> None:
        """An op ran."""
        op.number = len(self.ops)
        self.ops.append(op)
        self.append(op, OP)

    def cut(self, limit: str) -> None:
        """The document is full: open passes end here, and what comes is only counted."""
        for call in reversed(self.open_calls):
            self.events.append({"kind": "backward_end", "call": call})
        self.truncated = limit

    def miss(self, what: str) -> None:
        """Another thread ran something, and records nothing of it itself."""
        if not is_recorded(threading.get_ident()):
            self.elsewhere[what] += 1

    # Tensors

    def ref(self, tensor: torch.Tensor | None) -> str | None:
        """The value that a tensor holds now."""
        return None if tensor is None else self.values.ref(tensor)

    def refs(self, values: Any) -> list[str | None]:
        """The values of gradients, of which some may be None."""
        values = values if isinstance(values, tuple | list) else (values,)
        return [self.values.ref(value) if isinstance(value, torch.Tensor) else None for value in values]

    def called_at(self) -> Place | None:
        """Where the pass was called that runs."""
        return next(reversed(self.open_calls.values()), None)

    def tensor(self, tensor: torch.Tensor, place: Place | None = None) -> Seen:
        """The row of a tensor."""
        row = self.tensors.by_id.get(id(tensor))
        return row if row is not None and row.tensor is tensor else self.tensors.of(tensor, place, self.scopes.now)

    def _notice(self, tensor: torch.Tensor, _: Seen) -> None:
        """Hooks, `retain_grad` and gradients from before the recording began of a tensor that requires grad."""
        self.note_hooks(tensor)
        node = node_of(tensor)
        if node is None:
            grad = grad_of(tensor)
            if grad is not None:
                row = self.tensors.find(tensor)
                if row is not None and row.id not in self.gradients:
                    self.gradients[row.id] = (tensor, grad, self.values.ref(grad))
            return
        self.nodes.ref(node)
        if tensor.retains_grad:
            self.retained[id(tensor)] = tensor

    def note_hooks(self, tensor: torch.Tensor) -> None:
        """Remember the hooks that a tensor has."""
        for hooks, on in (
            (tensor._backward_hooks, "tensor"),
            (getattr(tensor, "_post_accumulate_grad_hooks", None), "post_accumulate"),
        ):
            if hooks:
                self.hooked[id(hooks)] = tensor, on, hooks

    def untraced(self) -> Any:
        """Stop Python's tracer, which would be called for every call of the recorder's; returns what to set again."""
        trace = self.trace
        if trace is not None:
            if sys.gettrace() is not trace:
                return None
            sys.settrace(None)
        return trace

    def silently(self, grad: bool = False) -> _Silently:
        """What the recorder computes itself is no part of the program, and its failures end the recording alone."""
        return _Silently(self, grad)

    def called(self, name: str, row: Seen) -> None:
        """A tensor without a name gets that of a variable. It is told of writes through others to its memory."""
        row.name = name
        if row.tensor is not None:
            self.named_in.setdefault(memory_of(row.tensor), []).append(row)

    def fail(self, error: Exception) -> None:
        """The recorder is at its end: it met something that it does not understand."""
        if self.truncated is None:
            self.cut(shorten(f"error in the recorder: {type(error).__name__}: {error}"))

    def user(self, frame: FrameType | None) -> Place | None:
        """The user's line above a frame."""
        return self.positions.user(frame)


def row_of(event: Any) -> dict[str, Any]:
    """An event as the document has it."""
    if isinstance(event, dict):
        return event
    if isinstance(event, Op):
        return event.event()
    call, node, *counts = event[:5]
    rest = iter(event[5:])
    received, values, sends = (list(islice(rest, count)) for count in counts)
    return {
        "kind": "node",
        "call": call,
        "node": node,
        "grad_outputs": received,
        "grad_inputs": values,
        "sends": [dict(zip(SENT, fields, strict=True)) for fields in zip(*[iter(sends)] * len(SENT), strict=True)],
        "ready": list(rest),
    }


SENT = ("to", "input_nr", "value", "arrived", "expected", "sum")
