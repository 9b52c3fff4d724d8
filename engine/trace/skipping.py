"""Watches the turns of a loop that nobody will see: what a document leaves out is counted, and nothing else is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.codegen.op import Op
from engine.core.node import Node
from engine.core.observer import HookKind, Observer, PassesOnly, Send
from engine.core.state import Position
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.trace.events import Gap

if TYPE_CHECKING:
    from engine.trace.recorder import Recorder

ndarray = np.ndarray


class Skipping:
    """The observer of a run in the recorder's place, until a turn begins that may be the last of its loop.

    Values of the document stay safe from writes, and memory and steps are paid for as ever.
    """

    __slots__ = ("_kept", "left", "missed", "optimizer", "recorder", "roots", "scope_enter", "scope_exit")
    edges = False

    def __init__(self, recorder: Recorder, missed: Gap) -> None:
        self.recorder, self.missed = recorder, missed
        self._kept, self.roots = recorder.records.by_memory, recorder.roots
        self.scope_enter, self.scope_exit = recorder.scope_enter, recorder.scope_exit
        self.optimizer, self.left = recorder.optimizer, recorder.left

    @property
    def blind(self) -> bool:
        """Whether the turns that nobody will see are still running."""
        return self.recorder.scope.skipped

    @property
    def scopes(self) -> bool:
        """Whether scopes that begin now may be seen."""
        recorder = self.recorder
        return not recorder.scope.skipped or recorder.runs_again

    def create(self, tensor: Tensor) -> None:
        """Not told."""

    def op(self, op: Op, inputs: Sequence[Any], out: Tensor | Sequence[Tensor | None], node: Node | None) -> None:
        recorder = self.recorder
        if not recorder.scope.skipped:  # the loop ended early
            recorder.watch_again()
            recorder.op(op, inputs, out, node)
            return
        budget = meter.budget
        budget[0] -= 1
        if budget[0] < 0:
            meter.out_of_fuel()
        missed = self.missed
        missed.ops += 1
        missed.events += 1
        if op.view:  # which takes no memory of its own
            return
        if type(out) is Tensor:
            value = out._array
            if type(value) is ndarray:
                meter.made(value.size, value.itemsize)
            return
        for t in (out,) if isinstance(out, Tensor) else out:
            if t is not None:
                value = t._array
                if type(value) is ndarray:
                    meter.made(value.size, value.itemsize)

    def before_write(self, array: Any) -> None:
        memory = base = array
        while type(base) is ndarray:
            memory, base = base, base.base
        if id(memory) in self._kept:
            self.recorder.before_write(array)

    def wrote(self, tensor: Tensor) -> None:
        self.missed.events += 1

    def backward_begin(
        self,
        roots: Sequence[tuple[Node | None, int]],
        gradients: Sequence[Any],
        retain_graph: bool,
        create_graph: bool,
        inputs: Sequence[Tensor] | None,
        reachable: Mapping[Node, int],
    ) -> None:
        self.recorder.skip_pass()
        self.missed.passes += 1
        self.missed.events += 1

    def node(
        self,
        node: Node,
        grad_outputs: Sequence[Any],
        grad_inputs: Sequence[Any],
        sends: Sequence[Send],
        ready: Sequence[Node],
        released: bool,
    ) -> None:
        self.missed.events += 1

    def hook(
        self, on: HookKind, target: Any, before: Sequence[Any], after: Sequence[Any], registered: Position | None
    ) -> None:
        self.missed.events += 1

    def accumulate(self, node: Node, tensor: Tensor, before: Any, incoming: Any, after: Any) -> None:
        self.missed.events += 1
        self.recorder.training.reach(tensor)

    def backward_end(self) -> None:
        self.missed.events += 1
        self.recorder.end_skipped_pass()

    def grad_changed(self, tensor: Tensor, before: Any, after: Any, by: str) -> None:
        self.missed.events += 1

    def forward_begin(self, name: str) -> Observer:
        return PassesOnly(self)

    def forward_end(self) -> None:
        """Not told."""
