"""`copy`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from engine.composites.deepcopy import COPIERS, deepcopy
from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import admit
from engine.program.attributes import write
from engine.program.calls import call
from engine.program.charges import clashed, made
from engine.program.exceptions import class_of
from engine.program.generators import Generator
from engine.program.hashing import arranged, note_all
from engine.program.kinds import ENGINE, MIXED, OTHER, OWN, kept_as, kind_of, replace_attributes, replaced_attributes
from engine.program.namespace import Namespace
from engine.program.operators import NESTING, gather, inside, weigh
from engine.program.values import UNSET, Builtin, Module


def check(value: Any, deep: bool = True) -> None:
    """Charge for a copy of a value. Raises TypeError for what cannot be copied."""
    kind = type(value)
    if kind in NESTING:
        meter.charge(weigh(value) >> 1 if deep else len(inside(value)) >> 3)
        if isinstance(value, dict | set | frozenset):
            clashed(value, len(value))
    elif kind is Generator:
        raise TypeError("cannot pickle 'generator' object")
    elif kind is Module:
        _copy_module(value, None)
    elif not isinstance(value, type) and kind_of(kind) == OTHER and admit(value) is UNSET:
        raise TypeError(f"cannot copy '{kind.__name__}' object")
    elif kind_of(kind) in (OWN, ENGINE, MIXED):
        meter.charge(1 + len(getattr(value, "__dict__", ())))


def _copy(x: Any) -> Any:
    if type(x) is Namespace:
        return x.copy()
    check(x, deep=False)
    found = copy.copy(x)
    held = replaced_attributes(found)
    if held is not None and found is not x:
        gather(len(held), held)
        replace_attributes(found, dict(held))
    return found


def _deepcopy(x: Any, memo: Any = None) -> Any:
    if type(x) is Namespace:
        x = x.copy()
    check(x, deep=False)
    if memo is None:
        memo = {}
    elif not isinstance(memo, dict):
        raise TypeError(f"the memo of a copy is a dict here, not '{type(memo).__name__}'")
    result = deepcopy(x, memo)
    sessions.active.epoch[0] += 1
    return result


# --- states

_GET, _SET, _KEPT = map(kept_as, ("__getstate__", "__setstate__", "__state__"))
_AWAY = "pickle", "away"


class _State:
    """The state of a pickled object of a class, until it is loaded."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: type, parts: tuple[dict[str, Any], Any]) -> None:
        self.kind, self.parts = kind, parts


@contextmanager
def putting_away() -> Iterator[None]:
    """While objects are pickled: their states are kept beside them, until they are loaded."""
    settings = sessions.active.settings
    settings[_AWAY] = True
    try:
        yield
    finally:
        del settings[_AWAY]


def _reduced(self: Any, protocol: int) -> tuple[Any, ...]:
    """What Python's `__reduce_ex__` gives, with what the program's class says is the state of the object."""
    parts: list[Any] = [*object.__reduce_ex__(self, protocol), None, None, None]
    real, visible = getattr(self, "__dict__", {}), Namespace(self)
    made(len(real))
    kept = real.get(_KEPT)
    if type(kept) is _State and kept.kind is type(self):
        return (*parts[:2], kept.parts, *parts[3:5])
    replaced = replaced_attributes(self)
    inner = {} if replaced is not None else {key: value for key, value in real.items() if key not in visible}
    if hasattr(type(self), _GET):
        given = call(getattr(self, _GET), (), None)
    elif replaced is not None:
        given = dict(replaced)
    else:
        given = visible.copy() if real or parts[2] is None else parts[2]
    return (*parts[:2], (inner, given), *parts[3:5])


def _restore(self: Any, state: tuple[dict[str, Any], Any]) -> None:
    """Give an object its state, by its class's `__setstate__` if it has one."""
    if sessions.active.settings.get(_AWAY) and hasattr(self, "__dict__"):
        self.__dict__[_KEPT] = _State(type(self), state)
        return
    inner, given = state
    if inner:
        self.__dict__.update(inner)
    if given is None:
        return
    if hasattr(type(self), _SET):
        call(getattr(self, _SET), (given,), None)
        return
    attributes, slots = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    for part in (attributes, slots):
        if part is not None and not isinstance(part, dict):
            raise TypeError(f"the state of '{type(self).__name__}' objects is a dict, not '{type(part).__name__}'")
    if attributes:
        gather(len(attributes), attributes)
        Namespace(self).update(dict(attributes))
    for name, value in (slots or {}).items():
        write(self, name, value)


def with_state(body: dict[str, Any], bases: tuple[type, ...]) -> None:
    """Let copies of objects of a class with this body ask it for their state."""
    if not {_GET, _SET}.isdisjoint(body) and not any(hasattr(base, "__setstate__") for base in bases):
        body["__reduce_ex__"], body["__setstate__"] = _reduced, _restore


def _copy_set(x: Any, memo: dict[int, Any]) -> Any:
    items = [deepcopy(item, memo) for item in arranged(x)]
    note_all(items)
    return type(x)(items)


def _copy_module(x: Module, memo: Any) -> NoReturn:
    raise TypeError("cannot pickle 'module' object")


COPIERS[set] = COPIERS[frozenset] = _copy_set
COPIERS[Module] = _copy_module

MODULES: dict[str, dict[str, Any]] = {
    "copy": {
        "copy": Builtin("copy", _copy), "deepcopy": Builtin("deepcopy", _deepcopy),
        "Error": class_of(copy.Error), "error": class_of(copy.Error),
    }
}
