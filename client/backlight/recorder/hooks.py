"""Hooks of tensors and modules: what each was given in a pass, and what it left."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.modules import module as modules
from torch.utils import hooks as torch_hooks

from .layers import Layers
from .mode import Aside
from .node_hooks import NodeHooks
from .positions import Place
from .recording import Recording
from .values import node_of


class Hooks:
    """Watches hooks by standing in for them while a pass runs."""

    def __init__(self, recording: Recording, mode: Aside) -> None:
        self.recording, self.mode = recording, mode
        self.nodes = NodeHooks(recording, mode)
        self.registered: dict[int, Place | None] = {}
        self.paths: dict[int, str] = {}
        self._layers = Layers()
        self._replaced: dict[int, list[tuple[Any, Any, Any, Any]]] = {}

    def start(self) -> None:
        for owner, name, noted in (
            (torch.Tensor, "register_hook", self.recording.note_hooks),
            (torch.Tensor, "register_post_accumulate_grad_hook", self.recording.note_hooks),
            (torch.Tensor, "retain_grad", self._retains),
            (torch.nn.Module, "register_full_backward_hook", None),
            (torch.nn.Module, "register_full_backward_pre_hook", None),
            (modules, "register_module_full_backward_hook", None),
            (modules, "register_module_full_backward_pre_hook", None),
        ):
            self._layers.put(owner, name, functools.partial(self._noting, noted=noted))
        self._layers.put(torch_hooks.BackwardHook, "__init__", self._watching_modules)
        self.nodes.start()

    def stop(self) -> None:
        self.nodes.stop()
        self._layers.clear()

    def _retains(self, tensor: torch.Tensor) -> None:
        self.recording.retained[id(tensor)] = tensor

    def _noting(self, original: Any, noted: Callable[[torch.Tensor], None] | None) -> Any:
        @functools.wraps(original)
        def register(owner: Any, *args: Any, **kwargs: Any) -> Any:
            handle = original(owner, *args, **kwargs)
            if self.recording.scopes.elsewhere():
                return handle
            if noted is not None:
                noted(owner)
            if handle is not None:
                self.registered[handle.id] = self.recording.user(sys._getframe(1))
            return handle

        return register

    # Tensors

    def begin(self, run: Any) -> None:
        """A pass begins: watch the hooks of all tensors that have some."""
        replaced: list[tuple[Any, Any, Any, Any]] = []
        for tensor, on, hooks in list(self.recording.hooked.values()):
            for key, hook in list(hooks.items()):
                watched = self._watched(run, tensor, on, key, hook)
                hooks[key] = watched
                replaced.append((hooks, key, watched, hook))
        self._replaced[run.call] = replaced

    def end(self, run: Any) -> None:
        """The pass is over."""
        for hooks, key, watched, hook in reversed(self._replaced.pop(run.call, [])):
            if hooks.get(key) is watched:
                hooks[key] = hook

    def _watched(self, run: Any, tensor: torch.Tensor, on: str, key: int, hook: Any) -> Any:
        recording = self.recording

        @functools.wraps(hook, updated=())
        def watched(given: torch.Tensor) -> Any:
            if on == "post_accumulate":
                with recording.silently():
                    run.accumulate_early(tensor)
                left = self.mode.back(hook, given)
                self._put(on, recording.tensor(tensor).id, (), (), key, run.place)
                return left
            with recording.silently():
                before = recording.ref(given)
            left = self.mode.back(hook, given)
            with recording.silently():
                after = recording.ref(left) if isinstance(left, torch.Tensor) else before
                self._put(on, recording.tensor(tensor).id, (before,), (after,), key, run.place)
            return left

        return watched

    def retained(self, run: Any, node: Any) -> None:
        """A node is about to run: the tensors it made that retain their gradients have them now."""
        recording = self.recording
        for tensor in list(recording.retained.values()):
            if node_of(tensor) is not node:
                continue
            name = recording.tensor(tensor).id
            _, last, before = recording.gradients.get(name, (tensor, None, None))
            if tensor.grad is not last:
                after = recording.ref(tensor.grad)
                recording.gradients[name] = (tensor, tensor.grad, after)
                recording.put("grad", run.place, tensor=name, before=before, after=after, by="retain_grad")

    # Modules

    def _watching_modules(self, original: Any) -> Any:
        hooks = self

        @functools.wraps(original)
        def __init__(self: Any, module: Any, user_hooks: Any, user_pre_hooks: Any) -> None:
            if hooks.recording.scopes.elsewhere():
                original(self, module, user_hooks, user_pre_hooks)
                return
            known = (
                module._backward_hooks, module._backward_pre_hooks,
                modules._global_backward_hooks, modules._global_backward_pre_hooks,
            )  # fmt: skip
            numbers = {id(hook): number for table in known for number, hook in table.items()}
            watched = [hooks._watched_module(module, hook, numbers.get(id(hook)), 1) for hook in user_hooks]
            pre = [hooks._watched_module(module, hook, numbers.get(id(hook)), 0) for hook in user_pre_hooks]
            original(self, module, watched, pre)

        return __init__

    def _watched_module(self, module: Any, hook: Any, key: int | None, given_at: int) -> Any:
        recording = self.recording

        @functools.wraps(hook, updated=())
        def watched(*args: Any) -> Any:
            given = args[1] if len(args) > 1 else ()
            with recording.silently():
                before = recording.refs(given)
            left = self.mode.back(hook, *args)
            if recording.open_calls:
                with recording.silently():
                    after = before if left is None else recording.refs(left)
                    path = self.paths.get(id(module), type(module).__name__)
                    self._put("module", path, before, after, key, recording.called_at())
            return left

        return watched

    def _put(self, on: str, target: str, before: Any, after: Any, key: int | None, place: Place | None) -> None:
        registered = None if key is None else self.registered.get(key)
        self.recording.put(
            "hook",
            place,
            on=on,
            target=target,
            before=list(before),
            after=list(after),
            registered=None if registered is None else registered.line,
        )
