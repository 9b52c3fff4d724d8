"""Puts the dispatch mode aside while the engine runs, and back where the program's own code runs inside the pass."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction
from torch.utils._python_dispatch import _get_current_dispatch_mode, _pop_mode, _push_mode

from .dispatch import Dispatch
from .layers import Layers

_COMPILES = "torch._higher_order_ops"
"""Whose custom Functions compile what they differentiate, as that of `torch.cond`: nothing there is the program's."""


class Aside:
    """A mode costs several times what a small op does, and what nodes compute is told by their hooks.

    `passes`: those that run, each as its nodes by identity; what others run, in other threads, is left alone.
    """

    def __init__(self, dispatch: Dispatch) -> None:
        self.dispatch = dispatch
        self._depth = 0
        self._trace: Any = None
        self.passes: list[dict[int, Any]] = []
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(BackwardCFunction, "apply", self._applying)

    def stop(self) -> None:
        self._layers.clear()

    def _applying(self, original: Any) -> Any:
        aside = self

        def apply(node: Any, *gradients: Any) -> Any:
            if not any([id(node) in nodes for nodes in aside.passes]):
                return original(node, *gradients)
            if not type(node)._forward_cls.__module__.startswith(_COMPILES):
                return aside.back(original, node, *gradients)
            aside.dispatch.recording.quiet += 1
            try:
                return original(node, *gradients)
            finally:
                aside.dispatch.recording.quiet -= 1

        return apply

    @contextmanager
    def aside(self, gradients: list[torch.Tensor | None], trace: Any) -> Iterator[bool]:
        """The engine runs without the mode, and without Python's tracer, which is `trace` where there is one.

        Gives False where it cannot: the last mode is another.

        It adds to `gradients` in place, so what they hold is copied first.
        """
        if _get_current_dispatch_mode() is not self.dispatch:  # what runs is another's business, too
            if trace is not None:
                sys.settrace(trace)
            try:
                yield False
            finally:
                self.dispatch.recording.untraced()
            return
        _pop_mode()
        self._depth += 1
        before, self._trace = self._trace, trace
        try:
            for gradient in gradients:
                if gradient is not None:
                    self.dispatch.recording.values.before_write(gradient)
            yield True
        finally:
            self._trace = before
            self._depth -= 1
            _push_mode(self.dispatch)

    def back(self, call: Callable[..., Any], *args: Any) -> Any:
        """Call code of the program in a pass: a hook, or the backward of a custom Function."""
        if not self._depth or _get_current_dispatch_mode() is self.dispatch:
            return call(*args)
        _push_mode(self.dispatch)
        if self._trace is not None:
            sys.settrace(self._trace)
        try:
            return call(*args)
        finally:
            if self._trace is not None:
                sys.settrace(None)
            _pop_mode()
