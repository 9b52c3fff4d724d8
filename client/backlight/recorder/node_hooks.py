"""Hooks of nodes: those of the program are watched, and the recorder's own are not counted among them."""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from .layers import Layers
from .mode import Aside
from .recording import Recording

_current_node: Any = torch._C._current_autograd_node


class NodeHooks:
    """Stands in for `Function._register_hook`, through which the hooks of all nodes are registered."""

    def __init__(self, recording: Recording, mode: Aside) -> None:
        self.recording, self.mode = recording, mode
        self._original: Any = None
        self._layers = Layers()
        self._own: object = None
        self._watched: list[tuple[Any, Any, Any, Any]] = []

    def start(self) -> None:
        self._layers.put(torch.autograd.Function, "_register_hook", self._in_place_of)

    def stop(self) -> None:
        self._layers.clear()
        for hooks, key, watched, hook in self._watched:
            if hooks.get(key) is watched:
                hooks[key] = hook
        self._watched = []

    def _in_place_of(self, original: Any) -> Any:
        self._original = original
        return staticmethod(self._register)

    @contextmanager
    def own(self, key: object) -> Iterator[None]:
        """Hooks that are registered in the block are the recorder's, and have no handle: programs see their numbers.

        What a node's `register_hook` returns is the table that then has the hook under `key`.
        """
        self._own = key
        try:
            yield
        finally:
            self._own = None

    def _register(self, hooks: Any, hook: Any) -> Any:
        if self.recording.scopes.elsewhere():
            return self._original(hooks, hook)
        if self._own is not None:
            hooks = OrderedDict() if hooks is None else hooks
            hooks[self._own] = hook
            return hooks, hooks
        hooks, handle = self._original(hooks, hook)
        if handle is hooks or self.recording.quiet or str(getattr(hook, "__module__", "")).startswith("torch."):
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
            left = self.mode.back(hook, *given)
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
