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

from ..document.sizes import SEND
from ..document.training import Series
from .grads import GradWatch
from .hooks import Hooks
from .layers import Layers
from .mode import Aside
from .nodes import is_leaf
from .positions import Place
from .recording import SENT, Recording
from .summaries import LARGE
from .timing import PassClock
from .training import Training
from .values import node_of

_FIRST = 1 << 70
"""AccumulateGrad runs before all other nodes that are ready."""


_ENGINE: Any = torch.autograd
"""Where `backward` and `grad` find the entry of the engine."""


class Passes:
    """Stands in for the entry of the engine, and records each pass that goes through it."""

    def __init__(self, recording: Recording, grads: GradWatch, hooks: Hooks, mode: Aside, training: Training) -> None:
        self.recording, self.grads, self.hooks, self.mode = recording, grads, hooks, mode
        self.training = training
        self._reached: list[torch.Tensor] | None = None
        """The leaves whose gradients the last pass added to, None where nobody looked."""
        self._depth = 0
        self._original: Callable[..., Any] | None = None
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(_ENGINE, "_engine_run_backward", self._in_place_of)

    def stop(self) -> None:
        self._layers.clear()

    def _in_place_of(self, original: Callable[..., Any]) -> Callable[..., Any]:
        self._original = original
        return self._run

    def _run(self, outputs: Any, *args: Any, **kwargs: Any) -> Any:
        assert self._original is not None
        recording = self.recording
        if recording.scopes.elsewhere():
            recording.miss("passes")
            return self._original(outputs, *args, **kwargs)
        if recording.quiet:
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
            return self._watched(outputs, args, kwargs, place, trace)
        finally:
            self._depth -= 1
            if begun is not None:
                series, _ = begun
                with recording.silently():
                    self.training.end(begun, call, series.leaves if self._reached is None else self._reached)

    def _turn(self, place: Place | None, outputs: Any) -> tuple[Series[torch.Tensor], float | None] | None:
        """What may be a turn of a training begins, unless it is a pass within a pass."""
        begun = None
        if not self._depth:
            with self.recording.silently():
                roots = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
                begun = self.training.begin(place, roots)
        return begun

    def _watched(self, outputs: Any, args: Any, kwargs: Any, place: Place | None, trace: Any) -> Any:
        """Run the engine."""
        assert self._original is not None
        recording = self.recording
        self._reached = None
        if recording.truncated is not None:
            recording.missed["passes"] += 1
            recording.missed["events"] += 1
            return self._traced(outputs, args, kwargs, trace)
        watched = Pass(recording, self.hooks, outputs, args, kwargs, place)
        self.mode.passes.append(watched.nodes)
        if not watched.begin():
            self.mode.passes.pop()
            watched.forget()
            self._reached = []
            return self._traced(outputs, args, kwargs, trace)
        try:
            if watched.create:
                return self._traced(outputs, args, kwargs, trace)
            grads = [task.leaf.grad for task in watched.leaves if task.leaf is not None]
            with self.mode.aside(grads, trace) as watched.aside:
                return self._original(outputs, *args, **kwargs)
        finally:
            self.mode.passes.pop()
            recording.settle()
            watched.end()
            self._reached = [task.leaf for task in watched.leaves if task.leaf is not None and task.accumulated]

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


class Task:
    """A node in a pass, as the engine's `NodeTask`. `edges`: the tasks that it sends to, each with an input number.

    `sums`: what arrived, by input number: the value and the tensor. `before`: the gradient that a leaf had.
    """

    __slots__ = (
        "accumulated", "arrived", "before", "edges", "expected", "leaf", "name", "needed", "node", "priority", "sums",
    )  # fmt: skip

    def __init__(self, node: Any, name: str) -> None:
        self.node, self.name = node, name
        self.leaf: torch.Tensor | None = node.variable if is_leaf(node) else None
        self.priority = -int(node._sequence_nr()) if self.leaf is None else -_FIRST
        self.edges: list[tuple[Task | None, int]] = []
        self.sums: dict[int, tuple[str | None, torch.Tensor | None]] = {}
        self.before: str | None = None
        self.expected = self.arrived = 0
        self.needed, self.accumulated = True, False


class Pass:
    """One run of the engine. Its hooks come last on every node, so they see what the user's hooks leave.

    `ready`, the queue, is the engine's: nodes whose gradients have all arrived, the latest made first; each with its
    priority, a number by which those of the same one keep their order. `aside`: the engine runs without the mode;
    `nodes`: those that the roots reach, by identity.
    """

    def __init__(
        self, recording: Recording, hooks: Hooks, outputs: Any, args: Any, kwargs: Any, place: Place | None
    ) -> None:
        self.recording, self.hooks, self.place = recording, hooks, place
        self.roots_of = [outputs] if isinstance(outputs, torch.Tensor) else list(outputs)
        self.gradients = list(args[0])
        self.retain, self.create = bool(args[1]), bool(args[2])
        self.takes = isinstance(args[2], bool)
        self.inputs = list(args[3]) if len(args) > 3 and args[3] else []
        self.accumulates = not self.inputs or bool(kwargs.get("accumulate_grad"))
        self.call = recording.calls
        self.aside = False
        self.leaves: list[Task] = []
        self.nodes: dict[int, Task] = {}
        self.ready: list[tuple[int, int, Task]] = []
        self._hooked: list[Any] = []
        self._pushed = 0
        self._clock = None if recording.clock is None else PassClock(recording.clock, hooks.nodes)

    # Before and after

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
        if self._clock is not None:
            self._clock.forget()
        self.hooks.end(self)

    def _begin(self) -> bool:
        recording, ref = self.recording, self.recording.nodes.ref
        ends = *self.roots_of, *self.inputs
        if any(not x.requires_grad if isinstance(x, torch.Tensor) else not isinstance(x, tuple) for x in ends):
            return False
        if len(self.gradients) != len(self.roots_of) or not self.takes:
            return False
        roots = [self._root(output) for output in self.roots_of]
        tasks = self._reach([node for node, _ in roots])
        self.nodes.update(tasks)
        reached = list(tasks.values())
        if self.inputs:
            self._need(reached)
        recording.nodes.read()
        for task in reached:
            if task.leaf is not None:
                self.leaves.append(task)
                recording.tensor(task.leaf)
                task.before = recording.ref(task.leaf.grad)
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
            reachable=[task.name for task in reached if task.needed],
        )
        recording.open_calls[self.call] = self.place
        if self.create:
            recording.creating.append(self.place)
        for (node, number), gradient in zip(roots, self.gradients, strict=True):
            task = tasks[id(node)]
            if number not in task.sums and gradient is not None:
                task.sums[number] = (recording.ref(gradient), gradient)
            if not task.expected and not any([waiting is task for _, _, waiting in self.ready]):
                self._push(task)
        retaining = {id(node_of(t)) for t in recording.retained.values()}
        with self.hooks.nodes.own(self):
            for task in reached:
                node = task.node
                if id(node) in retaining:
                    self._hooked.append(node.register_prehook(partial(self._runs, node)))
                self._hooked.append(node.register_hook(partial(self._ran, task)))
        if self._clock is not None:
            self._clock.watch([task.node for task in reached])
        self.hooks.begin(self)
        return True

    def end(self) -> None:
        """The pass is over."""
        self.forget()
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

    def _reach(self, roots: list[Any]) -> dict[int, Task]:
        """All nodes that the roots lead to, by identity; counts the gradients that each will get."""
        ref = self.recording.nodes.ref
        tasks = {id(node): Task(node, ref(node)) for node in roots}
        todo = deque(tasks.values())
        while todo:
            sender = todo.popleft()
            for node, number in sender.node.next_functions:
                if node is None:
                    sender.edges.append((None, number))
                    continue
                task = tasks.get(id(node))
                if task is None:
                    task = tasks[id(node)] = Task(node, ref(node))
                    todo.append(task)
                task.expected += 1
                sender.edges.append((task, number))
        return tasks

    def _need(self, reached: list[Task]) -> None:
        """With `inputs` only what leads to them runs, and their own nodes only if something else needs these."""
        leaves = {id(task.leaf): task.node for task in reached if task.leaf is not None}
        targets = {id(node_of(x) or leaves.get(id(x))) for x in self.inputs if isinstance(x, torch.Tensor)}
        targets |= {id(x[0]) for x in self.inputs if not isinstance(x, torch.Tensor)}
        senders: dict[int, list[int]] = {}
        for task in reached:
            for to, _ in task.edges:
                if to is not None:
                    senders.setdefault(id(to.node), []).append(id(task.node))
        needed, todo = set(targets), list(targets)
        while todo:
            found = [sender for sender in senders.get(todo.pop(), ()) if sender not in needed]
            needed.update(found)
            todo += found
        for task in reached:
            task.needed = id(task.node) in needed

    # While it runs

    def _runs(self, node: Any, _: Any) -> None:
        """A node is about to run."""
        if self.recording.truncated is None:
            with self.recording.silently():
                self.hooks.retained(self, node)

    def _ran(self, task: Task, grad_inputs: Any, grad_outputs: Any) -> None:
        """A node has run."""
        recording = self.recording
        if recording.truncated is not None:
            recording.missed["events"] += 1
        elif self.aside:  # what `silently` does has been done for the whole pass
            recording.quiet += 1
            try:
                self._note(task, grad_inputs, grad_outputs)
            except Exception as error:
                recording.fail(error)
            finally:
                recording.quiet -= 1
        else:
            with recording.silently():
                self._note(task, grad_inputs, grad_outputs)

    def _note(self, task: Task, grad_inputs: Any, grad_outputs: Any) -> None:
        recording, ref = self.recording, self.recording.values.ref
        self._pop(task)
        received = []
        for number, gradient in enumerate(grad_outputs):
            value, total = task.sums.get(number, (None, None))
            if total is gradient or total is not None and gradient is not None and _equal(total, gradient):
                received.append(value)
            else:  # a hook gave another
                received.append(ref(gradient))
        values = [*map(ref, grad_inputs)]
        sends = self._send(task, grad_inputs, values)
        task.sums = {}
        if task.leaf is not None:
            self._accumulate(task, task.leaf, received[0])
            values = []
        ready = [waiting.name for _, _, waiting in self.ready] if self.ready else ()
        if self._clock is not None:
            self._clock.note(task.node, len(recording.events))
        recording.append(
            (self.call, task.name, len(received), len(values), len(sends), *received, *values, *sends, *ready),
            SEND * len(sends) // len(SENT) + 9 * len(grad_inputs) + 40,
        )
        nodes = recording.nodes
        if not self.retain and task.leaf is None and (task.name in nodes.saved or task.name in nodes.keeping.of):
            recording.append({"kind": "release", "call": self.call, "node": task.name})

    def _push(self, task: Task) -> None:
        """All gradients of a node have arrived."""
        self._pushed += 1
        insort(self.ready, (task.priority, self._pushed, task))

    def _pop(self, task: Task) -> None:
        """The node has run; those that come before it in the queue were there only to be read."""
        for place, (_, _, waiting) in enumerate(self.ready):
            if waiting is task:
                del self.ready[place]
                break
        if self.inputs and self.ready:
            self.ready = [waiting for waiting in self.ready if waiting[0] >= task.priority]

    def _send(self, task: Task, gradients: Any, values: list[str | None]) -> list[Any]:
        """What a node sends on its edges: the fields of `SENT` for each, one after the other."""
        sends: list[Any] = []
        for (to, number), gradient, value in zip(task.edges, gradients, values, strict=False):
            if to is None:
                continue
            to.arrived += 1
            if to.needed and to.arrived == to.expected:
                self._push(to)
            total, before = to.sums.get(number, (None, None))
            if gradient is not None:
                gathered = gradient if before is None else before + gradient
                total = value if before is None else self.recording.values.ref(gathered)
                # A large one that nobody else holds becomes the leaf's `.grad` itself, as without a recording.
                alone = to.leaf is not None and to.expected == 1 and gradient.numel() >= LARGE
                to.sums[number] = (total, None if alone else gathered)
            if to.needed:
                sends += (to.name, number, value, to.arrived, to.expected, total)
        return sends

    def accumulate_early(self, leaf: torch.Tensor) -> None:
        """A hook runs that is called after a gradient was added, and before its node is done."""
        task = next((task for task in self.leaves if task.leaf is leaf), None)
        if task is not None:
            if self._clock is not None:
                self._clock.ended(task.node)
            value, total = task.sums.get(0, (None, None))
            self._accumulate(task, leaf, value if total is None else self.recording.ref(total))

    def _accumulate(self, task: Task, leaf: torch.Tensor, incoming: str | None) -> None:
        """The gradient of a leaf has been added to its `.grad`."""
        if not self.accumulates or task.accumulated:
            return
        task.accumulated = True
        recording, grad = self.recording, leaf.grad
        row, after = recording.tensor(leaf), recording.ref(grad)
        event = {
            "kind": "accumulate",
            "call": self.call,
            "node": task.name,
            "tensor": row.id,
            "before": task.before,
            "incoming": incoming,
            "after": after,
        }
        recording.append(event, 60)
        recording.gradients[row.id] = (leaf, grad, after)


def _equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two gradients are the same numbers: the engine may have summed into another tensor."""
    if one.shape != other.shape or one.dtype != other.dtype or one.layout != other.layout:
        return False
    if one.layout is not torch.strided:
        return False
    if one.device.type != "cpu":
        return one.data_ptr() == other.data_ptr()
    try:
        return torch.equal(one, other)
    except (NotImplementedError, RuntimeError):  # inside transforms not everything can be looked at
        return one is other
