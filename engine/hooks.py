"""Hook handles, as `torch.utils.hooks` has them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

_ids = count()


class HookDict(dict[int, Callable[..., Any]]):
    """Hooks in the order they were registered, by handle id."""

    def add(self, hook: Callable[..., Any]) -> RemovableHandle:
        handle = RemovableHandle(self)
        self[handle.id] = hook
        return handle


class RemovableHandle:
    """Takes a hook off again: `handle.remove()`, or leaving `with handle:`."""

    def __init__(self, hooks: HookDict, extra_dict: Any = None) -> None:
        self.id = next(_ids)
        self._hooks = hooks
        self._extra = extra_dict

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self.id, None)
        if self._extra is not None:
            self._extra.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"
