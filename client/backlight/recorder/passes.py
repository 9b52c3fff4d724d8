"""Backward passes: what the engine does, told by hooks on the nodes that the roots reach."""

from __future__ import annotations

import sys
from bisect import insort
from collections import deque
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import torch
from torch.autograd.graph import get_gradient_edge

from ..limits import SEND
from .grads import GradWatch
from .hooks import Hooks
from .mode import Aside
from .nodes import is_leaf
from .positions import Place
from .recording import Recording
from .training import Series, Training
from .values import node_of

_FIRST = 1 << 70
"""AccumulateGrad runs before all other nodes that are ready."""


_ENGINE: Any = torch.autograd
"""Where `backward` and `grad` find the entry of the engine."""


class Passes:
    """Stands in for the entry of the engine, and records each pass that goes through it."""

    def __init__(
        self, recording: Recording, grads: GradWatch, hooks: Hooks, mode: Aside, training: Training
    ) -> None:
        self.recording, self.grads, self.hooks, self.mode = recording, grads, hooks, mode
        self.training = training
        self._depth = 0
        self._original: Callable[..., Any] | None = None

    def start(self) -> None:
        self._original = _ENGINE._engine_run_backward
        _ENGINE._engine_run_backward = self._run

    def stop(self) -> None:
        if self._original is not None:
            _ENGINE._engine_run_backward = self._original

    def _run(self, outputs: Any, *args: Any, **kwargs: Any) -> Any:
        assert self._original is not None
        recording = self.recording
        if recording.quiet or recording.scopes.elsewhere():
            return self._original(outputs, *args, **kwargs)
        trace = recording.untraced()
        try:
            return self._recorded(outputs, args, kwargs, sys._getframe(1), trace)
        finally:
            if trace is not None:
                sys.settrace(trace)

    def _recorded(self, outputs: Any, args: Any, kwargs: Any, frame: FrameType, trace: Any) -> Any:
        """Run the engine, called in a frame. `trace`: Python's tracer, for the program's own code."""
        recording = self.recording
        place = recording.user(frame)
        self.grads.look("assignment", place)
        call = recording.calls + recording.missed["passes"]
        begun = self._turn(place, outputs)
        self._depth += 1
        try:
            result, leaves = self._watched(outputs, args, kwargs, place, trace)
        finally:
            self._depth -= 1
        if begun is not None:
            series, _ = begun
            with recording.silently():
                self.training.end(begun, call, series.leaves if leaves is None else leaves)
        return result

    def _turn(self, place: Place | None, outputs: Any) -> tuple[Series, float | None] | None:
        """What may be a turn of a training begins, unless it is a pass within a pass."""
        begun = None
        if not self._depth:
            with self.recording.silently():
                roots = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
                begun = self.training.begin(place, roots)
        return begun

    def _watched(
        self, outputs: Any, args: Any, kwargs: Any, place: Place | None, trace: Any
    ) -> tuple[Any, list[torch.Tensor] | None]:
        """Run the engine; also the leaves whose gradients it added to, None where nobody looked."""
        assert self._original is not None
        recording = self.recording
        if recording.truncated is not None:
            recording.missed["passes"] += 1
            recording.missed["events"] += 1
            return self._traced(outputs, args, kwargs, trace), None
        watched = Pass(recording, self.hooks, outputs, args, kwargs, place)
        if not watched.begin():
            watched.forget()
            return self._traced(outputs, args, kwargs, trace), []
        try:
            if watched.create:
                result = self._traced(outputs, args, kwargs, trace)
            else:
                with self.mode.aside([leaf.grad for leaf in watched.leaves.values() if leaf.grad is not None], trace):
                    result = self._original(outputs, *args, **kwargs)
        finally:
            recording.settle()
            watched.end()
        return result, [leaf for node, leaf in watched.leaves.items() if node in watched.accumulated]


    def _traced(self, outputs: Any, args: Any, kwargs: Any, trace: Any) -> Any:
        """Run the engine as if nobody watched: what it calls of the program is traced."""
        assert self._original is not None
        if trace is None:
            return self._original(outputs, *args, **kwargs)
        sys.settrace(trace)
        try:
            return self._original(outputs, *args, **kwargs)
        finally:
            self.recording.untraced()


class Pass:
    """One run of the engine. Its hooks come last on every node, so they see what the user's hooks leave.

    `ready`, the queue, is the engine's: nodes whose gradients have all arrived, the latest made first; each with its
    priority, a number by which those of the same one keep their order, and its id.
    """

    def __init__(
        self, recording: Recording, hooks: Hooks, outputs: Any, args: Any, kwargs: Any, place: Place | None
    ) -> None:
        self.recording, self.hooks, self.place = recording, hooks, place
        self.roots_of = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
        self.gradients = list(args[0])
        self.retain, self.create = bool(args[1]), bool(args[2])
        self.inputs = list(args[3]) if len(args) > 3 and args[3] else []
        self.accumulates = not self.inputs or bool(kwargs.get("accumulate_grad"))
        self.call = recording.calls
        self.leaves: dict[int, torch.Tensor] = {}
        self.edges: dict[int, Any] = {}
        self.expected: dict[int, int] = {}
        self.arrived: dict[int, int] = {}
        self.ready: list[tuple[int, int, Any, str]] = []
        self.sums: dict[tuple[int, int], tuple[str | None, torch.Tensor]] = {}
        self.before: dict[int, str | None] = {}
        self.accumulated: set[int] = set()
        self._hooked: list[Any] = []
        self._pushed = 0

    # --- before and after

    def begin(self) -> bool:
        """Watch the nodes that the roots lead to; False for a call that the engine will refuse."""
        began = False
        with self.recording.silently():
            began = self._begin()
        return began

    def forget(self) -> None:
        """Leave the engine alone."""
        for hooks in self._hooked:
            hooks.pop(self, None)
        self.hooks.end(self)

    def _begin(self) -> bool:
        recording, ref = self.recording, self.recording.nodes.ref
        if any(isinstance(x, torch.Tensor) and not x.requires_grad for x in (*self.roots_of, *self.inputs)):
            return False
        if len(self.gradients) != len(self.roots_of):
            return False
        roots = [self._root(output) for output in self.roots_of]
        reached = self.reached = self._reach([node for node, _ in roots])
        self.needed = self._needed(reached)
        for node in reached:
            ref(node)
        recording.nodes.read()
        for node in reached:
            if is_leaf(node):
                leaf = self.leaves[id(node)] = node.variable
                recording.tensor(leaf)
                self.before[id(node)] = recording.ref(leaf.grad)
        recording.calls += 1
        recording.put(
            "backward",
            self.place,
            weight=9 * len(reached),
            call=self.call,
            roots=[[ref(node), number] for node, number in roots],
            gradients=[recording.ref(gradient) for gradient in self.gradients],
            retain_graph=self.retain,
            create_graph=self.create,
            inputs=[recording.tensor(x).id for x in self.inputs if isinstance(x, torch.Tensor)] or None,
            reachable=[ref(node) for node in reached if self.needed is None or id(node) in self.needed],
        )
        recording.open_calls[self.call] = self.place
        if self.create:
            recording.creating.append(self.place)
        for (node, number), gradient in zip(roots, self.gradients, strict=True):
            if (id(node), number) not in self.sums and gradient is not None:
                self.sums[id(node), number] = (recording.ref(gradient), gradient)
            if not self.expected.get(id(node)) and not any([waiting is node for _, _, waiting, _ in self.ready]):
                self._push(node)
        retaining = {id(node_of(t)) for t in recording.retained.values()}
        with self.hooks.nodes.own(self):
            for node in reached:
                if id(node) in retaining:
                    self._hooked.append(node.register_prehook(partial(self._runs, node)))
                self._hooked.append(node.register_hook(partial(self._ran, node)))
        self.hooks.begin(self)
        return True

    def end(self) -> None:
        for hooks in self._hooked:
            hooks.pop(self, None)
        self.hooks.end(self)
        recording = self.recording
        if self.create:
            recording.creating.pop()
        recording.open_calls.pop(self.call, None)
        recording.append({"kind": "backward_end", "call": self.call})

    def _root(self, output: Any) -> tuple[Any, int]:
        if not isinstance(output, torch.Tensor):
            return output[0], output[1]
        self.recording.tensor(output, self.place)
        node = node_of(output)
        if node is not None:
            return node, output.output_nr
        with torch.enable_grad():  # without it leaves have no edge
            edge = get_gradient_edge(output)
        return edge.node, 0

    def _reach(self, roots: list[Any]) -> list[Any]:
        """All nodes that the roots lead to; counts the gradients that each will get."""
        seen = {id(node): node for node in roots}
        todo = deque(seen.values())
        while todo:
            sender = todo.popleft()
            edges = self.edges[id(sender)] = sender.next_functions
            for node, _ in edges:
                if node is None:
                    continue
                self.expected[id(node)] = self.expected.get(id(node), 0) + 1
                if id(node) not in seen:
                    seen[id(node)] = node
                    todo.append(node)
        return list(seen.values())

    def _needed(self, reached: list[Any]) -> set[int] | None:
        """With `inputs` only what leads to them runs, and their own nodes only if something else needs these."""
        if not self.inputs:
            return None
        leaves = {id(node.variable): node for node in reached if is_leaf(node)}
        targets = {id(node_of(x) or leaves.get(id(x))) for x in self.inputs if isinstance(x, torch.Tensor)}
        targets |= {id(x[0]) for x in self.inputs if not isinstance(x, torch.Tensor)}
        senders: dict[int, list[int]] = {}
        for node in reached:
            for to, _ in self.edges[id(node)]:
                senders.setdefault(id(to), []).append(id(node))
        needed, todo = set(targets), list(targets - {id(None)})
        while todo:
            found = [sender for sender in senders.get(todo.pop(), ()) if sender not in needed]
            needed.update(found)
            todo += found
        return needed

    # --- while it runs

    def _runs(self, node: Any, _: Any) -> None:
        """A node is about to run."""
        if self.recording.truncated is None:
            with self.recording.silently():
                self.hooks.retained(self, node)

    def _received(self, me: int, number: int, gradient: torch.Tensor | None) -> str | None:
        """The value of a gradient: that of the sum that arrived, unless a hook gave another."""
        if gradient is None:
            return None
        value, total = self.sums.get((me, number), (None, None))
        if total is gradient or total is not None and _equal(total, gradient):
            return value
        return self.recording.ref(gradient)

    def _ran(self, node: Any, grad_inputs: Any, grad_outputs: Any) -> None:
        """A node has run."""
        recording = self.recording
        if recording.truncated is not None:
            recording.missed["events"] += 1
            return
        with recording.silently():
            me = id(node)
            self._pop(node)
            received = [self._received(me, number, gradient) for number, gradient in enumerate(grad_outputs)]
            values = [recording.values.ref(gradient) for gradient in grad_inputs]
            sends = self._send(self.edges[me], grad_inputs, values)
            for number in range(len(grad_outputs)):
                self.sums.pop((me, number), None)
            leaf = self.leaves.get(me)
            if leaf is not None:
                self.accumulate(node, leaf, received[0])
            name = recording.nodes.ref(node)
            ready = tuple([waiting for _, _, _, waiting in self.ready])
            recording.append(
                (self.call, name, tuple(received), tuple(values) if leaf is None else (), tuple(sends), ready),
                SEND * len(sends) + 9 * len(values) + 40,
            )
            if not self.retain and leaf is None and recording.nodes.saved[name]:
                recording.append({"kind": "release", "call": self.call, "node": name})

    def _push(self, node: Any) -> None:
        """All gradients of a node have arrived."""
        self._pushed += 1
        insort(self.ready, (_priority(node), self._pushed, node, self.recording.nodes.ref(node)))

    def _pop(self, node: Any) -> None:
        """The node has run; those that come before it in the queue were there only to be read."""
        for place, (_, _, waiting, _) in enumerate(self.ready):
            if waiting is node:
                del self.ready[place]
                break
        if self.needed is not None and self.ready:
            first = _priority(node)
            self.ready = [waiting for waiting in self.ready if waiting[0] >= first]

    def _send(self, edges: Any, gradients: Any, values: list[str | None]) -> list[tuple[Any, ...]]:
        sends: list[tuple[Any, ...]] = []
        for (to, number), gradient, value in zip(edges, gradients, values, strict=False):
            if to is None:
                continue
            key, wanted = id(to), self.needed is None or id(to) in self.needed
            arrived = self.arrived[key] = self.arrived.get(key, 0) + 1
            if wanted and arrived == self.expected[key]:
                self._push(to)
            total, before = self.sums.get((key, number), (None, None))
            if gradient is not None:
                gathered = gradient if before is None else before + gradient
                total = value if before is None else self.recording.ref(gathered)
                self.sums[key, number] = (total, gathered)
            if wanted:
                sends.append((self.recording.nodes.ref(to), number, value, arrived, self.expected[key], total))
        return sends

    def accumulate_early(self, leaf: torch.Tensor) -> None:
        """A hook runs that is called after a gradient was added, and before its node is done."""
        node = next((node for node in self.reached if self.leaves.get(id(node)) is leaf), None)
        if node is not None:
            _, total = self.sums.get((id(node), 0), (None, None))
            self.accumulate(node, leaf, self.recording.ref(total))

    def accumulate(self, node: Any, leaf: torch.Tensor, incoming: str | None) -> None:
        """The gradient of a leaf has been added to its `.grad`."""
        if not self.accumulates or id(node) in self.accumulated:
            return
        self.accumulated.add(id(node))
        recording = self.recording
        row, after = recording.tensor(leaf), recording.ref(leaf.grad)
        event = {
            "kind": "accumulate",
            "call": self.call,
            "node": recording.nodes.ref(node),
            "tensor": row.id,
            "before": self.before.get(id(node)),
            "incoming": incoming,
            "after": after,
        }
        recording.append(event, 60)
        recording.gradients[row.id] = (leaf, leaf.grad, after)


def _priority(node: Any) -> int:
    """Where a node stands in the ready queue: the lowest comes first."""
    return -_FIRST if is_leaf(node) else -int(node._sequence_nr())


def _equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two gradients are the same numbers: the engine may have summed into another tensor."""
    if one.shape != other.shape or one.dtype != other.dtype or one.layout != other.layout:
        return False
    if one.layout is not torch.strided:
        return False
    if one.device.type == "cpu":
        return torch.equal(one, other)
    return one.data_ptr() == other.data_ptr()
