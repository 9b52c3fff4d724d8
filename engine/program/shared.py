"""What outlives a run, and so can be read by every program and written by none.

The rule holds by construction: whatever existed before the first run is shared, and a class can be changed only by the
run that made it. `freeze` finds the first kind once, by asking the garbage collector for everything that programs know
how to write to; a process that forks for its runs does so before it forks.
"""

from __future__ import annotations

import gc
from collections import Counter, OrderedDict, defaultdict, deque
from types import MethodType
from typing import Any

from engine.program import session as sessions

MUTABLE: frozenset[type] = frozenset({list, dict, set, OrderedDict, defaultdict, Counter, deque})
"""Built-in containers that can be changed in place."""

_objects: dict[int, Any] = {}
"""id → object, kept so that no other object gets its id."""
_kinds: set[type] = set()


def freeze() -> None:
    """Remember everything there is, as shared."""
    ours: dict[type, bool] = dict.fromkeys(MUTABLE, True)
    tracked = gc.get_objects()
    for value in (*tracked, *_untracked(tracked)):
        kind = type(value)
        known = ours.get(kind)
        if known is None:
            known = ours[kind] = _is_ours(kind)
        if known:
            _objects[id(value)] = value
            _kinds.add(kind)


def frozen() -> bool:
    """Whether `freeze` has been called."""
    return bool(_objects)


def _untracked(tracked: list[Any]) -> list[dict[Any, Any]]:
    """Dictionaries of plain values, which the garbage collector leaves out."""
    return [value for value in gc.get_referents(*tracked) if type(value) is dict and not gc.is_tracked(value)]


def _is_ours(kind: type) -> bool:
    if issubclass(kind, type):
        return False
    home = str(kind.__module__).partition(".")[0]
    return home in ("engine", "torch") or any("__program__" in base.__dict__ for base in kind.__mro__)


def is_shared(value: Any) -> bool:
    """Whether a value was there before the run."""
    return id(value) in _objects


def has_shared(kind: type) -> bool:
    """Whether some object of exactly this type was there before the run."""
    return kind in _kinds


def made_here(cls: type) -> bool:
    """Whether this run made a class."""
    return cls.__dict__.get("__program__") is sessions.active


def own(value: Any) -> Any:
    """A container as the program may have it: one that outlives the run is copied, once for the whole run."""
    if type(value) not in MUTABLE or id(value) not in _objects:
        return value
    copies = sessions.active.copies
    known = copies.get(id(value))
    if known is None:
        known = copies[id(value)] = value.copy()
        if isinstance(known, dict):
            for key, item in known.items():
                known[key] = _inside(item)
        elif type(known) is not set:
            for index, item in enumerate(known):
                known[index] = _inside(item)
    return known


def _inside(value: Any) -> Any:
    if type(value) in MUTABLE:
        return own(value)
    if type(value) is tuple:
        return tuple([_inside(item) for item in value])
    return value


def of_this_run(value: Any) -> bool:
    """Whether code of the engine may store something in a value that a program gives it."""
    kind = type(value)
    if isinstance(value, type):
        return made_here(value)
    if isinstance(value, MethodType):
        return False
    return not is_shared(value) and any(made_here(base) for base in kind.__mro__)
