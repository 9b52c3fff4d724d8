"""`copy`."""

from __future__ import annotations

import copy
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import clashed
from engine.program.kinds import ENGINE, MIXED, OTHER, OWN, admit, kind_of
from engine.program.operators import CONTAINERS, weigh
from engine.program.values import UNSET, Builtin, Generator


def check(value: Any, deep: bool = True) -> None:
    """Charge for a copy of a value. Raises TypeError for what cannot be copied."""
    kind = type(value)
    if kind in CONTAINERS:
        meter.charge(weigh(value) >> 1 if deep else len(value) >> 3)
        if isinstance(value, dict | set | frozenset):
            clashed(value, len(value))
    elif kind is Generator:
        raise TypeError("cannot pickle 'generator' object")
    elif not isinstance(value, type) and kind_of(kind) == OTHER and admit(value) is UNSET:
        raise TypeError(f"cannot copy '{kind.__name__}' object")
    elif kind_of(kind) in (OWN, ENGINE, MIXED):
        meter.charge(1 + len(getattr(value, "__dict__", ())))


class _Memo(dict[int, Any]):
    """What has been copied so far: each object is charged when it is put here."""

    def __setitem__(self, key: int, value: Any) -> None:
        meter.charge(2)
        super().__setitem__(key, value)


def _copy(x: Any) -> Any:
    check(x, deep=False)
    return copy.copy(x)


def _deepcopy(x: Any, memo: Any = None) -> Any:
    check(x)
    known = _Memo()
    result = copy.deepcopy(x, known)
    sessions.active.epoch[0] += 1
    return result


MODULES: dict[str, dict[str, Any]] = {
    "copy": {"copy": Builtin("copy", _copy), "deepcopy": Builtin("deepcopy", _deepcopy)}
}
