"""The engine's one mutable state: grad mode, observer, and where in the program we are.

PyTorch keeps the same things per thread; one engine serves one program at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from traceback import StackSummary, walk_stack
from typing import Any

from engine import settings
from engine.core.observer import Observer
from engine.core.observer import Position as Position
from engine.types.coo import WHEN_MADE

_ENGINE = "engine."
"""Prefix of the engine's modules; generated code is in none."""
PackHooks = tuple[Callable[..., Any], Callable[..., Any]]


class Culprit:
    """The cause of an error: its message, the version counter or node at fault, and the version that was saved. The
    document points there."""

    __slots__ = ("counter", "message", "node", "saved")

    def __init__(self, message: str, counter: Any = None, node: Any = None, saved: int = 0) -> None:
        self.message, self.counter, self.node, self.saved = message, counter, node, saved


class State:
    """The global state that every op consults.

    `position` is (line, column, end line, end column) of the running expression; `graph_task` the backward pass in
    progress. `sparse`, `complex`, `hooked`: whether there were such tensors, and hooks. `autocast`: the
    region of mixed precision in force.
    `grad`: whether ops record, which they never do in inference mode; `grad_in_inference`: whether a program has
    enabled gradients there all the same.
    `watched`: whether an op that ran is told of, by calling `tell`: that is the observer's, or where modes have to look
    at the op first, `after_op`, the slow path (`engine.codegen.call.watch`).
    `identify`: what stands for the address of an object in all that a program can see; the address itself when no
    program runs. `transforms`: the transforms of functions under way, the innermost last.
    `transposing`: whether the pass under way multiplies tangents, to which a user's Function has its own `jvp`.
    `evaluating`: the node that runs, of a pass in anomaly mode.
    `exposed`: is told of memory that the program can write to without the engine.
    `notice`: tells the user what is done otherwise here.
    `stack`: the calls of functions under way as lines of a traceback, the innermost last.
    """

    __slots__ = (
        "_batching",
        "_dual",
        "_inference",
        "after_op",
        "inference_seen",
        "_pack_hooks",
        "anomaly",
        "anomaly_check_nan",
        "autocast",
        "complex",
        "checkpoint_debug",
        "culprit",
        "early_stop",
        "evaluating",
        "exposed",
        "grad",
        "grad_in_inference",
        "hooked",
        "graph_task",
        "hooks_disabled",
        "identify",
        "mutation_allowed",
        "notice",
        "observer",
        "position",
        "sparse",
        "stack",
        "tell",
        "transforms",
        "transposing",
        "unusual",
        "watched",
    )

    def __init__(self) -> None:
        self.after_op: Callable[..., None] = _untold
        self.reset()

    def reset(self) -> None:
        """Back to the state of a fresh interpreter."""
        self.grad: bool = True
        self.grad_in_inference: bool = False
        self._inference: bool = False
        self.inference_seen: bool = False
        self.position: Position | None = None
        self.anomaly: bool = False
        self.anomaly_check_nan: bool = True
        self.evaluating: Any = None
        self.exposed: Callable[[Any], None] = _nothing
        self.autocast: Any = None
        self.unusual: bool = False
        self.watched: bool = False
        self.tell: Callable[..., None] = self.after_op
        self.culprit: Culprit | None = None
        self.complex: bool = False
        self.sparse: bool = False
        self.hooked: bool = False
        self.hooks_disabled: str | None = None
        self.mutation_allowed: bool = False
        self.early_stop: bool | None = None
        self.checkpoint_debug: bool | None = None
        self.transforms: list[Any] = []
        self.transposing: bool = False
        self.graph_task: Any = None
        self.observer: Observer | None = None
        self.identify: Callable[[Any], int] = id
        self.notice: Callable[[str], None] = _nothing
        self.stack: Callable[[], list[str]] = self._outside
        self._pack_hooks: tuple[PackHooks, ...] = ()
        self._dual: Any = None
        self._batching: Any = None

    def put_aside(self) -> Callable[[], None]:
        """The function that makes the state again what it is now."""
        fields = [(name, getattr(self, name)) for name in State.__slots__]

        def put_back() -> None:
            for name, value in fields:
                setattr(self, name, value)

        return put_back

    def _outside(self) -> list[str]:
        """The calls of functions that are none of the engine's."""
        names = ((frame, line, str(frame.f_globals.get("__name__", _ENGINE))) for frame, line in walk_stack(None))
        frames = [(frame, line) for frame, line, name in names if not name.startswith(_ENGINE)]
        return StackSummary.extract(reversed(frames)).format()

    @property
    def batching(self) -> Any:
        """The level of the `vmap` whose function runs (`engine.batching.level.Level`), the innermost, or None."""
        return self._batching

    @batching.setter
    def batching(self, level: Any) -> None:
        self._batching = level
        self._update()

    @property
    def dual(self) -> Any:
        """The level of forward-mode differentiation in force, or None."""
        return self._dual

    @dual.setter
    def dual(self, level: Any) -> None:
        self._dual = level
        self._update()

    @property
    def inference(self) -> bool:
        """Whether results are inference tensors."""
        return self._inference

    @inference.setter
    def inference(self, on: bool) -> None:
        self._inference = on
        self.inference_seen = self.inference_seen or on
        self._update()

    @property
    def grad_modes(self) -> tuple[bool, bool, bool]:
        """Whether ops record, and whether in inference mode, and with gradients enabled there; what modes put back."""
        return self.grad, self._inference, self.grad_in_inference

    @grad_modes.setter
    def grad_modes(self, modes: tuple[bool, bool, bool]) -> None:
        self.grad, self.inference, self.grad_in_inference = modes

    def enable_grad(self, on: bool) -> None:
        """Grad mode on or off: in inference mode ops record nothing all the same."""
        self.grad_in_inference = on and self._inference
        self.grad = on and not self._inference

    def watch(self, observer: Observer | None) -> None:
        """Tell `observer` of everything from now on; None tells nobody."""
        self.observer = observer
        self.watched = self.unusual or observer is not None
        self.tell = self.after_op if self.unusual or observer is None else observer.op

    @property
    def pack_hooks(self) -> tuple[PackHooks, ...]:
        """The stack of saved-tensor hooks; the innermost is last."""
        return self._pack_hooks

    @pack_hooks.setter
    def pack_hooks(self, hooks: tuple[PackHooks, ...]) -> None:
        self._pack_hooks = hooks
        self._update()

    def _update(self) -> None:
        # Ops test one flag, so that nobody watching costs one attribute read.
        self.unusual = (
            bool(self._pack_hooks)
            or self.anomaly
            or self.inference_seen
            or self._batching is not None
            or self._dual is not None
        )
        self.watch(self.observer)

    def meet_sparse(self) -> None:
        """From now on, operands may be sparse."""
        self.sparse = True

    def set_anomaly(self, on: bool, check_nan: bool) -> None:
        """Switch anomaly detection; `check_nan` asks for the NaN test after each node."""
        self.anomaly, self.anomaly_check_nan = on, check_nan
        self._update()


def _nothing(told: Any) -> None:
    """Nobody wants to know."""


def _untold(*op: Any) -> None:
    """No op can run yet."""


state = State()
settings.register(state)
WHEN_MADE.append(state.meet_sparse)


@contextmanager
def unobserved() -> Iterator[None]:
    """Hide a block from the observer: it is no part of the program's computation."""
    observer = state.observer
    if observer is None:
        yield
        return
    state.watch(None)
    try:
        yield
    finally:
        state.watch(observer)


class _Sequence:
    """Sequence numbers of nodes; restarts with each program so that documents are reproducible."""

    def __init__(self) -> None:
        self.restart()

    def restart(self, at: int = 0) -> None:
        self.next = count(at).__next__


sequence = _Sequence()
settings.variable(sequence, "next", make=lambda: count().__next__)
