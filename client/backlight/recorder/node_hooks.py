"""Hooks of nodes: those of the program are watched, and the recorder's own are not counted among them."""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch

from .mode import Aside
from .recording import Recording

_current_node: Any = torch._C._current_autograd_node


class OwnHandle:
    """A hook of the recorder's. Programs see the numbers of handles, so these have none."""

    def __init__(self, hooks: dict[Any, Any], key: object) -> None:
        self._hooks, self._key = hooks, key

    def remove(self) -> None:
        self._hooks.pop(self._key, None)


class NodeHooks:
    """Stands in for `Function._register_hook`, through which the hooks of all nodes are registered."""

    def __init__(self, recording: Recording, mode: Aside) -> None:
        self.recording, self.mode = recording, mode
        self._original: Any = None
        self._before: Any = None
        self._own = False
        self._watched: list[tuple[Any, Any, Any, Any]] = []

    def start(self) -> None:
        self._before = torch.autograd.Function.__dict__.get("_register_hook")  # that of another recording
        self._original = torch.autograd.Function._register_hook
        torch.autograd.Function._register_hook = staticmethod(self._register)  # type: ignore[method-assign]

    def stop(self) -> None:
        if self._before is None:
            del torch.autograd.Function._register_hook
        else:
            torch.autograd.Function._register_hook = self._before  # type: ignore[method-assign]
        for hooks, key, watched, hook in self._watched:
            if hooks.get(key) is watched:
                hooks[key] = hook
        self._watched = []

    def attach(self, register: Callable[[Any], Any], hook: Any) -> OwnHandle:
        """Register a hook of the recorder's; `register` is a node's `register_hook` or `register_prehook`."""
        self._own = True
        try:
            handle: OwnHandle = register(hook)
        finally:
            self._own = False
        return handle

    def _register(self, hooks: Any, hook: Any) -> Any:
        if self._own:
            hooks, key = OrderedDict() if hooks is None else hooks, object()
            hooks[key] = hook
            return hooks, OwnHandle(hooks, key)
        hooks, handle = self._original(hooks, hook)
        ours = isinstance(handle, OwnHandle) or self.recording.quiet
        if ours or str(getattr(hook, "__module__", "")).startswith("torch."):
            return hooks, handle
        place = self.recording.user(sys._getframe(1))
        watched = hooks[handle.id] = self._watching(hook, None if place is None else place.line)
        self._watched.append((hooks, handle.id, watched, hook))
        return hooks, handle

    def _watching(self, hook: Any, registered: int | None) -> Any:
        recording = self.recording

        @functools.wraps(hook, updated=())
        def watched(*given: Any) -> Any:
            if not recording.open_calls or recording.truncated is not None:
                return hook(*given)
            before: list[str | None] = []
            with recording.silently():
                before = recording.refs(given[0])
            with self.mode.back():
                left = hook(*given)
            with recording.silently():
                recording.put(
                    "hook",
                    recording.called_at(),
                    on="node_pre" if len(given) == 1 else "node",
                    target=recording.nodes.ref(_current_node()),
                    before=before,
                    after=before if left is None else recording.refs(left),
                    registered=registered,
                )
            return left

        return watched
