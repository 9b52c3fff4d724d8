"""Functions, modules, loop turns and blocks without gradients: the parts of a program by which a large graph folds."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import torch

from .layers import Layers
from .positions import OPTIMIZER, Positions


class Scope:
    """One of them. It gets an `id`, and into the document, when something is recorded in it."""

    __slots__ = ("file", "id", "iteration", "kind", "label", "line", "parent")

    def __init__(
        self, parent: Scope | None, kind: str, label: str, line: int | None, file: int = 0, iteration: int | None = None
    ) -> None:
        self.parent, self.kind, self.label, self.line, self.file = parent, kind, label, line, file
        self.iteration = iteration
        self.id: str | None = None


class Scopes:
    """The scope that runs now, and those of the document in the order in which something happened in them."""

    def __init__(self) -> None:
        self.root = self.now = Scope(None, "program", "program", 1)
        self.rows: list[Scope] = []
        self.thread = threading.get_ident()

    def elsewhere(self) -> bool:
        """Whether this is another thread than the one that is recorded."""
        return threading.get_ident() != self.thread

    def enter(self, kind: str, label: str, line: int | None, file: int = 0, iteration: int | None = None) -> Scope:
        """A scope begins inside the one that runs now."""
        self.now = Scope(self.now, kind, label, line, file, iteration)
        return self.now

    def leave(self, scope: Scope | None) -> None:
        """A scope ends, and with it all that is still open inside."""
        inner: Scope | None = self.now
        while inner is not None and inner is not scope:
            inner = inner.parent
        if inner is not None and inner.parent is not None:
            self.now = inner.parent

    def ref(self, scope: Scope) -> str:
        """The id of a scope, which is in the document from now on."""
        if scope.id is None:
            if scope.parent is not None:
                self.ref(scope.parent)
            scope.id = f"s{len(self.rows)}"
            self.rows.append(scope)
        return scope.id


def complete(module: torch.nn.Module) -> bool:
    """Whether a module can be asked for what is in it: not before `Module.__init__` of all below it has run."""
    try:
        return all(["_parameters" in part.__dict__ for part in module.modules()])
    except AttributeError:
        return False


class ModuleScopes:
    """Enters a scope for each call of a module, its hooks included. `running`: such modules, innermost last.

    `ran`: those that no other one called, by identity. `untraced`: stops Python's tracer, and returns what to set
    again; `missed`: told of calls in other threads.
    """

    def __init__(
        self, scopes: Scopes, positions: Positions, untraced: Callable[[], Any], missed: Callable[[str], None]
    ) -> None:
        self.scopes, self.positions, self.untraced, self.missed = scopes, positions, untraced, missed
        self.running: list[torch.nn.Module] = []
        self.ran: dict[int, torch.nn.Module] = {}
        self._names: dict[int, dict[int, str]] = {}
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(torch.nn.Module, "_call_impl", self._watching)

    def stop(self) -> None:
        self._layers.clear()

    def _watching(self, original: Any) -> Any:
        @functools.wraps(original)
        def _call_impl(module: torch.nn.Module, *args: Any, **kwargs: Any) -> Any:
            if torch.compiler.is_compiling():
                return original(module, *args, **kwargs)
            if self.scopes.elsewhere():
                self.missed("modules")
                return original(module, *args, **kwargs)
            trace, depth = self.untraced(), len(self.running)
            try:
                scope = self._enter(module, sys._getframe(1))
            finally:
                if trace is not None:
                    sys.settrace(trace)
            try:
                return original(module, *args, **kwargs)
            finally:
                del self.running[depth:]
                self.scopes.leave(scope)

        return _call_impl

    def _enter(self, module: torch.nn.Module, frame: FrameType) -> Scope:
        place = self.positions.user(frame)
        line, file = (None, 0) if place is None else (place.line, place.file)
        scope = self.scopes.enter("module", self._label(module), line, file)
        if not self.running:
            self.ran[id(module)] = module
        self.running.append(module)
        return scope

    def _label(self, module: torch.nn.Module) -> str:
        """`Net`, or `fc1: Linear` for a module that the running one holds under a name."""
        kind = type(module).__name__
        if not self.running:
            return kind
        holder = self.running[-1]
        names = self._names.get(id(holder))
        if names is None or id(module) not in names:
            parts = holder.named_modules() if complete(holder) else ()
            names = self._names[id(holder)] = {id(part): path for path, part in parts if path}
        path = names.get(id(module))
        return f"{path}: {kind}" if path else kind


class GradModeScopes:
    """Enters a scope for each `no_grad` and `inference_mode` block."""

    def __init__(self, scopes: Scopes, positions: Positions) -> None:
        self.scopes, self.positions = scopes, positions
        self._open: dict[int, list[Scope]] = {}
        self._layers = Layers()

    def start(self) -> None:
        for mode in (torch.no_grad, torch.inference_mode):
            self._layers.put(mode, "__enter__", functools.partial(self._entering, mode.__name__))
            self._layers.put(mode, "__exit__", self._leaving)

    def stop(self) -> None:
        self._layers.clear()

    def _entering(self, label: str, original: Any) -> Any:
        def __enter__(mode: Any) -> Any:
            frame = sys._getframe(1)
            if self.scopes.elsewhere() or self._of_an_optimizer(frame):  # a closure that it calls has gradients
                return original(mode)
            place = self.positions.user(frame)
            line, file = (None, 0) if place is None else (place.line, place.file)
            self._open.setdefault(id(mode), []).append(self.scopes.enter("no_grad", label, line, file))
            return original(mode)

        return __enter__

    def _of_an_optimizer(self, frame: FrameType) -> bool:
        """Whether one of PyTorch's optimizers enters the block, as which its `step` may be decorated."""
        code = frame.f_code
        if code.co_name == "decorate_context":
            code = getattr(frame.f_locals.get("func"), "__code__", code)
        return self.positions.kind(code) == OPTIMIZER

    def _leaving(self, original: Any) -> Any:
        def __exit__(mode: Any, *exception: Any) -> Any:
            opened = self._open.get(id(mode))
            if opened:
                self.scopes.leave(opened.pop())
            return original(mode, *exception)

        return __exit__
