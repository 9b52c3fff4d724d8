"""Seconds: how long each op ran, and each node, where a recording is asked for them.

On the CPU by `time.perf_counter`, on CUDA by events of the stream, which are read when the recording is over. What is
measured of something excludes what is measured of others inside of it, and what the recorder itself does there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ..document import rows
from .node_hooks import NodeHooks
from .operators import tensors_in
from .recording import Recording

_EMPTY = 200
"""Ops and nodes that compute nothing, of which the median is told."""


class Span:
    """What runs, or ran. `outside`: seconds within that are others'; `inside`: those others, where a device ran them.

    `seconds`: of the host; `events`: where a device's stream began with it and was done with it.
    """

    __slots__ = ("around", "began", "device", "events", "inside", "outside", "seconds")

    def __init__(self, device: torch.device, around: Span | None) -> None:
        self.device, self.around = device, around
        self.outside = self.seconds = self.began = 0.0
        self.inside: list[Span] = []
        self.events: Any = None

    def read(self) -> float | None:
        """Seconds on the device; None where that has no clock, or did not do all of it."""
        if self.device.type == "cpu":
            return self.seconds
        if self.events is None or self.events[1] is None:
            return None
        start, stop = self.events
        others = sum([span.read() or 0.0 for span in self.inside if span.device == self.device])
        return max(0.0, float(start.elapsed_time(stop)) / 1000 - others)


class _Running(threading.local):
    """What runs in a thread, the innermost; and the operator that ended last there, since it was asked for."""

    innermost: Span | None = None
    ended: Span | None = None


class Clock:
    """Measures one recording. `ops` by the number of the op, `nodes` by the time of the event."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.ops: dict[int, Span] = {}
        self.nodes: dict[int, Span] = {}
        self.wall = 0.0
        self._running = _Running()
        self._called: Any = None

    def start(self) -> None:
        """Begin: a dispatch mode calls `called` of the clock for its own from now on."""
        mode = self.recording.mode
        self._called, mode.called = mode.called, self.called
        self.recording.clock = self
        self.wall = perf_counter()

    def stop(self) -> None:
        """End."""
        self.wall = perf_counter() - self.wall
        del self.recording.mode.called

    # What runs

    @property
    def innermost(self) -> Span | None:
        """What runs in this thread."""
        return self._running.innermost

    @innermost.setter
    def innermost(self, span: Span | None) -> None:
        self._running.innermost = span

    def begin(self, given: list[torch.Tensor]) -> Span:
        """Something begins, which is given these tensors."""
        running = self._running
        span = running.innermost = Span(_device(given), running.innermost)
        if span.device.type == "cuda":
            span.events = _mark(span.device), None
        span.began = perf_counter()
        return span

    def end(self, span: Span, alone: bool = True) -> None:
        """It has ended. `alone`: what it took is its own, and not also of what runs around it."""
        took = perf_counter() - span.began
        around = self._running.innermost = span.around
        if span.events is not None and span.events[0] is not None:
            span.events = span.events[0], _mark(span.device)
        span.seconds = took - span.outside
        if around is not None:
            around.outside += took if alone else span.outside
            if alone:
                around.inside.append(span)

    def run(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Run an operator, of which `called` will know whether it is recorded."""
        span = self.begin(tensors_in([*args, *kwargs.values()] if kwargs else args))
        try:
            return func(*args, **kwargs)
        finally:
            self.end(span, alone=False)
            self._running.ended = span

    def called(self, func: Any, types: Any, args: Any, kwargs: Any, frame: Any) -> Any:
        """What the mode does for an operator: the operator's time, and that of the recorder."""
        ops, running = self.recording.ops, self._running
        number, running.ended = len(ops), None
        began = perf_counter()
        try:
            return self._called(func, types, args, kwargs, frame)
        finally:
            span, running.ended = running.ended, None
            around = running.innermost
            recorded = len(ops) > number
            if span is not None and recorded:
                self.ops[number] = span
            if span is not None and around is not None:
                around.outside += perf_counter() - began - (0.0 if recorded else span.seconds)
                if recorded:
                    around.inside.append(span)

    def function(self, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Apply a custom Function, which is one op."""
        span = self.begin(tensors_in([*args, *kwargs.values()]))
        try:
            return call(*args, **kwargs)
        finally:
            self.end(span)
            self._running.ended = span

    def applied(self, number: int) -> None:
        """The custom Function that was applied last is an op of this number."""
        span, self._running.ended = self._running.ended, None
        if span is not None:
            self.ops[number] = span

    # What is told

    def timing(self) -> rows.Timing:
        """What seconds of this recording are; after everything has run."""
        devices = {span.device for span in (*self.ops.values(), *self.nodes.values())}
        for device in devices:
            if device.type == "cuda":
                torch.cuda.synchronize(device)
        clocks = [_clock(device) for device in sorted(devices, key=str) if device.type in _BY]
        return {"wall": _rounded(self.wall), "threads": torch.get_num_threads(), "clocks": clocks}

    def tell(self, ops: list[Any], events: list[Any]) -> None:
        """Write the seconds into rows of the document."""
        for table, spans in ((ops, self.ops), (events, self.nodes)):
            for at, span in spans.items():
                seconds = span.read()
                if seconds is not None:
                    table[at]["seconds"] = _rounded(seconds)

    def forget(self) -> None:
        """Let go of what was measured."""
        self.ops, self.nodes = {}, {}


class PassClock:
    """Measures the nodes of one backward pass, and is the key of its hooks there: the last ones before a node runs,
    and the first ones after it."""

    def __init__(self, clock: Clock, hooks: NodeHooks) -> None:
        self.clock, self.hooks = clock, hooks
        self._open: dict[int, Span] = {}
        self._tables: list[Any] = []
        self._around = clock.innermost

    def watch(self, nodes: list[Any]) -> None:
        """Hook them."""
        with self.hooks.own(self):
            for node in nodes:
                before = node.register_prehook(partial(self._begins, id(node)))
                after = node.register_hook(partial(self._ends, id(node)))
                _put_first(after, self)
                self._tables += (before, after)

    def forget(self) -> None:
        """Leave them alone."""
        for hooks in self._tables:
            hooks.pop(self, None)
        self.clock.innermost = self._around  # where a node raised, nothing told that it ended

    def ended(self, node: Any) -> None:
        """A node has done its work, although its hooks have not run yet."""
        self._ends(id(node), (), ())

    def note(self, node: Any, event: int) -> None:
        """A node ran, which is an event."""
        span = self._open.pop(id(node), None)
        if span is not None:
            self.clock.nodes[event] = span

    def _begins(self, node: int, gradients: Any) -> None:
        if self.clock.recording.truncated is None:
            self._open[node] = self.clock.begin(gradients)

    def _ends(self, node: int, _: Any, __: Any) -> None:
        span = self._open.get(node)
        if span is not None and self.clock.innermost is span:
            self.clock.end(span)


def _put_first(hooks: dict[Any, Any], key: object) -> None:
    """Have a hook called first: PyTorch takes them in the order in which the plain dict has them."""
    own, others = hooks.pop(key), dict(hooks)
    hooks.clear()
    hooks[key] = own
    hooks.update(others)


_CPU = torch.device("cpu")
_BY: dict[str, Any] = {"cpu": "perf_counter", "cuda": "events"}


def _device(given: Any) -> torch.device:
    """Where something runs that is given these: where the first tensor is that is not on the CPU."""
    for tensor in given:
        if tensor is not None and not tensor.is_cpu:
            return device_of(tensor)
    return _CPU


def device_of(tensor: torch.Tensor) -> torch.device:
    """Where a tensor is."""
    return tensor.device


def _mark(device: torch.device) -> Any:
    """An event of the stream that a device's ops go to now; none while it only notes them for a graph."""
    stream = torch.cuda.current_stream(device)
    if torch.cuda.is_current_stream_capturing():
        return None
    event = torch.cuda.Event(enable_timing=True)
    event.record(stream)
    return event


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.4g}")


# What is measured where nothing is computed


def _clock(device: torch.device) -> rows.Clock:
    name = f"{device} ({torch.cuda.get_device_name(device)})" if device.type == "cuda" else str(device)
    with torch.inference_mode(False), torch.enable_grad():
        leaf = torch.zeros(1, device=device, requires_grad=True)
        op, node = _empty_ops(leaf), _empty_nodes(leaf)
    return {"device": name, "by": _BY[device.type], "op": _rounded(op), "node": _rounded(node)}


class _Empty(TorchDispatchMode):
    """Measures operators as a recording does."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock, self.spans = clock, list[Span]()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = self.clock.run(func, args, kwargs or {})
        self.spans.append(self.clock._running.ended)  # type: ignore[arg-type]
        return out


def _empty_ops(leaf: torch.Tensor) -> float:
    mode = _Empty(Clock(_NOWHERE))
    with torch.no_grad(), mode:
        for _ in range(_EMPTY):
            torch.ops.aten.alias(leaf)
    return _median(mode.spans)


def _empty_nodes(leaf: torch.Tensor) -> float:
    last = leaf
    for _ in range(_EMPTY):
        last = torch.ops.aten.alias(last)
    clock, spans, open_spans = Clock(_NOWHERE), list[Span](), list[Span]()

    def ends(*_: Any) -> None:
        span = open_spans.pop()
        clock.end(span)
        spans.append(span)

    node = last.grad_fn
    while node is not None and node.next_functions:
        node.register_prehook(lambda gradients: open_spans.append(clock.begin(gradients)))
        node.register_hook(ends)
        node = node.next_functions[0][0]
    engine: Any = torch.autograd.Variable._execution_engine  # another recording may stand in for the entry of it
    engine.run_backward((last,), (torch.ones_like(last),), False, False, (leaf,), True, False)
    return _median(spans)


def _median(spans: list[Span]) -> float:
    if spans and spans[0].device.type == "cuda":
        torch.cuda.synchronize(spans[0].device)
    return median([span.read() or 0.0 for span in spans])


_NOWHERE: Any = None
"""Measuring alone records nothing."""
