"""Watches PyTorch while a program runs, and changes nothing of what it computes.

`recording.py` is what the parts write into: `dispatch.py` operators, `passes.py` backward passes, `functions.py` custom
Functions, `conditions.py` `torch.cond`, `hooks.py`, `grads.py` changes of `.grad`, `scopes.py` modules and grad modes,
`tracing.py` variables, functions and loop turns, `output.py`, `optimizers.py`, `exits.py` numbers taken out,
`training.py` norms by turn, `timing.py` seconds.
"""

from __future__ import annotations

from contextlib import ExitStack
from types import FrameType
from typing import Any

from torch.utils._python_dispatch import _get_current_dispatch_mode_stack, _pop_mode, _push_mode

from ..limits import Limits
from .conditions import Conditions
from .dispatch import Dispatch
from .exits import Exits
from .functions import Functions
from .grads import GradWatch
from .hooks import Hooks
from .layers import entered, left
from .mode import Aside
from .optimizers import Optimizers
from .output import Output
from .owners import Code
from .packing import Packing
from .passes import Passes
from .recording import Recording
from .scopes import GradModeScopes, ModuleScopes
from .surroundings import variables_of
from .timing import Clock
from .tracing import Tracing
from .training import Training
from .unguarded import Compiling, dispatch_for

__all__ = ["Code", "Recorder", "Recording"]


class Recorder:
    """All watchers of one recording: started together, and stopped in any case."""

    def __init__(self, main: str, limits: Limits, code: Code | None = None, seconds: bool = False) -> None:
        self.recording = recording = Recording(main, limits, code)
        self.dispatch = dispatch_for(recording)
        self.clock = Clock(recording) if seconds else None
        self.grads = GradWatch(recording)
        aside = Aside(self.dispatch)
        self.hooks = Hooks(recording, aside)
        self.optimizers, self.exits = Optimizers(recording), Exits(recording)
        self.training = Training(recording)
        self.modules = ModuleScopes(recording.scopes, recording.positions, recording.untraced, recording.miss)
        self.names: dict[str, Any] | None = None
        self._main_code: Any = None
        self._tracing = Tracing(recording, self.grads, self._returned)
        functions = Functions(recording, self.dispatch)
        self._parts = (
            self.hooks,
            Packing(recording.nodes, recording.scopes),
            self.grads,
            functions,
            aside,
            Passes(recording, self.grads, self.hooks, aside, self.training),
            self.optimizers,
            self.exits,
            self.modules,
            GradModeScopes(recording.scopes, recording.positions),
            Output(recording),
            Compiling(self.dispatch),
            Conditions(functions, self.dispatch),
        )
        self._started: list[Any] = []

    def start(self, frame: FrameType | None, called: Any = None) -> None:
        """Begin. `frame`: where it goes on; `called`: code of the function whose variables name tensors at the end."""
        self._main_code = called
        entered(self.recording.scopes.thread)
        self._started.append(_Thread(self.recording.scopes.thread))
        try:
            for part in self._parts:
                self._started.append(part)
                part.start()
            self.dispatch.__enter__()
            self._started.append(_Mode(self.dispatch))
            if self.clock is not None:
                self.clock.start()
                self._started.append(self.clock)
            self._tracing.start(frame)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End, and leave PyTorch and Python as they were."""
        with ExitStack() as parts:  # which stops all, the last one first, also if one of them fails
            for part in self._started:
                parts.callback(part.stop)
            self._started = []
            self._tracing.stop()

    def settle(self) -> None:
        """Everything has happened: look once more at what is only known afterwards."""
        self.grads.look("assignment", None)

    def forget(self) -> None:
        """The document is made: let go of the program's tensors at once, and not when Python looks for circles."""
        recording = self.recording
        for holder in (
            recording, recording.tensors, recording.nodes, recording.values, self.dispatch, self.hooks, self.modules,
            self.training,
        ):  # fmt: skip
            for name, value in list(vars(holder).items()):
                if type(value) in (dict, list, set):
                    setattr(holder, name, type(value)())  # what the document has of them stays
        if self.clock is not None:
            self.clock.forget()
        self.names, self.optimizers.log, self.exits.log = None, self.optimizers.new(), self.exits.new()

    def _returned(self, frame: FrameType) -> None:
        if frame.f_code is self._main_code:
            self.names = variables_of(frame)


class _Thread:
    """A thread in which a recording runs."""

    def __init__(self, thread: int) -> None:
        self.thread = thread

    def stop(self) -> None:
        left(self.thread)


class _Mode:
    """A dispatch mode that has been entered. Those that were entered since stay, as where coroutines take turns."""

    def __init__(self, mode: Dispatch) -> None:
        self.mode = mode

    def stop(self) -> None:
        modes = _get_current_dispatch_mode_stack()
        if self.mode not in modes:
            return
        above = [_pop_mode() for _ in modes[modes.index(self.mode) + 1 :]]
        self.mode.__exit__(None, None, None)
        for mode in reversed(above):
            _push_mode(mode)
