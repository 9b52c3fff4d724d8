"""The dispatch mode without PyTorch's guard against its own compiler while that does not run: the guard loads it."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any

import torch

from .dispatch import Dispatch
from .layers import Layers
from .recording import Recording

_GUARDED: Any = Dispatch.__torch_dispatch__

_compiler: Any = getattr(torch._C._dynamo.eval_frame, "get_eval_frame_callback", None)
"""Whether the compiler looks at the code that runs; PyTorch 2.4 does not say."""


class _Unguarded(Dispatch):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if _compiler is None or _compiler() is None:
            trace = self.recording.trace
            if trace is None or sys.gettrace() is not trace:
                return self.called(func, types, args, kwargs or {}, sys._getframe(1))
            sys.settrace(None)  # at once: its calls cost
            try:
                return self.called(func, types, args, kwargs or {}, sys._getframe(1))
            finally:
                sys.settrace(trace)
        return _GUARDED(self, func, types, args, kwargs)

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False


def _never_compile(code: CodeType) -> None:
    """Compilers leave this code alone; in what it calls they are switched off by the guard."""
    frames: Any = torch._C._dynamo.eval_frame
    if hasattr(frames, "skip_code"):
        frames.skip_code(code)
    elif hasattr(frames, "set_code_exec_strategy"):  # its name from PyTorch 2.7 on
        skip, usual = frames._FrameAction.SKIP, frames._FrameAction.DEFAULT
        frames.set_code_exec_strategy(code, frames._FrameExecStrategy(skip, usual))


def _codes(within: Any) -> Iterator[CodeType]:
    """The code of the functions of a module and its classes, without that of functions in them: those stand in for
    PyTorch's own, and lead to what may be compiled."""
    if isinstance(within, FunctionType):
        yield within.__code__
    elif isinstance(within, type | ModuleType):
        for member in list(vars(within).values()):
            if getattr(member, "__module__", None) == getattr(within, "__module__", within.__name__):
                yield from _codes(member)


@functools.cache
def _leave_alone() -> None:
    """Where a program's code is compiled in pieces, the compiler looks at each function that is called between two of
    them: also at those of the recorder."""
    for name, module in list(sys.modules.items()):
        if name.startswith(__package__):
            for code in _codes(module):
                _never_compile(code)


class _Stance:
    """Compiled functions run as they are written while recordings do: PyTorch 2.13 would not compile any again that was
    called below a mode. `set_stance` came with PyTorch 2.6."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recordings = 0
        self._taken: Any = None

    def begin(self) -> None:
        with self._lock:
            self._recordings += 1

    def take(self) -> None:
        """The compiler is loaded, and a recording runs."""
        with self._lock:
            if self._taken is None and hasattr(torch.compiler, "set_stance"):
                with suppress(RuntimeError):  # inside of what is compiled
                    self._taken = torch.compiler.set_stance("force_eager")

    def lifted(self) -> AbstractContextManager[Any]:
        """A block in which what PyTorch itself compiles is compiled, as for `torch.cond`."""
        return nullcontext() if self._taken is None else torch.compiler.set_stance("default")

    def end(self) -> None:
        with self._lock:
            self._recordings -= 1
            if not self._recordings and self._taken is not None:
                taken, self._taken = self._taken, None
                taken.__exit__(None, None, None)


STANCE = _Stance()


class Compiling:
    """Keeps the compiler out of recordings; and puts the guard back when the program begins to compile, where PyTorch
    does not say that it does."""

    def __init__(self, dispatch: Dispatch) -> None:
        self.dispatch = dispatch
        self._layers = Layers()

    def start(self) -> None:
        STANCE.begin()
        self._layers.put(torch, "compile", self._in_place_of)
        if "torch._dynamo" in sys.modules:
            STANCE.take()

    def stop(self) -> None:
        self._layers.clear()
        STANCE.end()

    def _in_place_of(self, original: Any) -> Any:
        @functools.wraps(original)
        def compile(*args: Any, **kwargs: Any) -> Any:  # noqa: A001 - it stands in for it
            if _compiler is None:
                self.dispatch.__class__ = Dispatch
            made = original(*args, **kwargs)
            if "torch._dynamo" in sys.modules:
                STANCE.take()
            return made

        return compile


def dispatch_for(recording: Recording) -> Dispatch:
    """The mode that records operators."""
    _leave_alone()
    guarded = _compiler is None and "torch._dynamo" in sys.modules
    return Dispatch(recording) if guarded else _Unguarded(recording)
