"""Hook handles, as `torch.utils.hooks` has them."""

from __future__ import annotations

import collections
import sys
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from engine import settings
from engine.core.state import Position, state

_ids = count()
settings.variable(sys.modules[__name__], "_ids", make=count)


class HookDict(collections.OrderedDict[int, Callable[..., Any]]):
    """Hooks in the order they were registered, by handle id, and where in the program each was."""

    _places: dict[int, Position] | None = None
    _own: frozenset[int] = frozenset()

    def add(
        self, hook: Callable[..., Any], first: bool = False, *, own: bool = False, marks: Sequence[set[int]] = ()
    ) -> RemovableHandle:
        """own: a hook by which the library does its work; observers do not hear of it. marks: sets that its id is in
        while it is registered."""
        state.hooked = True
        handle = RemovableHandle(self)
        handle._marks = marks
        for marked in marks:
            marked.add(handle.id)
        self[handle.id] = hook
        if first:
            self.move_to_end(handle.id, last=False)
        if own:
            self._own |= {handle.id}
        elif state.position is not None:
            if self._places is None:
                self._places = {}
            self._places[handle.id] = state.position
        return handle

    @classmethod
    def of(cls, hooks: Any) -> HookDict:
        """Hooks that a program puts in the place of what a module had. TypeError for what is no dict of them."""
        if isinstance(hooks, cls):
            return hooks
        if type(hooks) not in (dict, collections.OrderedDict) or not all(type(key) is int for key in hooks):
            raise TypeError(f"hooks must be an OrderedDict by the ids of their handles, not {type(hooks).__name__}")
        state.hooked = state.hooked or bool(hooks)
        return cls(hooks)

    def __repr__(self) -> str:
        return f"OrderedDict({list(self.items())!r})" if self else "OrderedDict()"

    def place(self, number: int) -> Position | None:
        """The place where the hook with this handle id was registered; None outside programs."""
        return None if self._places is None else self._places.get(number)

    def is_own(self, number: int) -> bool:
        """Whether the hook with this handle id is one of the library's own."""
        return number in self._own

    def placed(self) -> list[tuple[Callable[..., Any], Position | None]]:
        """The hooks, each with where it was registered."""
        return [(hook, self.place(number)) for number, hook in self.items()]


HookDict.__name__ = HookDict.__qualname__ = "OrderedDict"
OrderedDict = HookDict  # as pickles find it


class RemovableHandle:
    """Takes a hook off again: `handle.remove()`, or leaving `with handle:`."""

    def __init__(self, hooks: HookDict, extra_dict: Any = None) -> None:
        self.id = next(_ids)
        self._hooks = hooks
        self._extra = extra_dict
        self._marks: Sequence[set[int]] = ()

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self.id, None)
        if self._extra is not None:
            self._extra.pop(self.id, None)
        for marked in self._marks:
            marked.discard(self.id)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


RemovableHandle.__module__ = "torch.utils.hooks"
