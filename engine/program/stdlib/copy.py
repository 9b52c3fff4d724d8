"""`copy`."""

from __future__ import annotations

import copy
from typing import Any

from engine.composites.deepcopy import COPIERS, deepcopy
from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import admit
from engine.program.charges import clashed
from engine.program.generators import Generator
from engine.program.hashing import arranged, note_all
from engine.program.kinds import ENGINE, MIXED, OTHER, OWN, kind_of, replace_attributes, replaced_attributes
from engine.program.operators import NESTING, gather, inside, weigh
from engine.program.values import UNSET, Builtin


def check(value: Any, deep: bool = True) -> None:
    """Charge for a copy of a value. Raises TypeError for what cannot be copied."""
    kind = type(value)
    if kind in NESTING:
        meter.charge(weigh(value) >> 1 if deep else len(inside(value)) >> 3)
        if isinstance(value, dict | set | frozenset):
            clashed(value, len(value))
    elif kind is Generator:
        raise TypeError("cannot pickle 'generator' object")
    elif not isinstance(value, type) and kind_of(kind) == OTHER and admit(value) is UNSET:
        raise TypeError(f"cannot copy '{kind.__name__}' object")
    elif kind_of(kind) in (OWN, ENGINE, MIXED):
        meter.charge(1 + len(getattr(value, "__dict__", ())))


def _copy(x: Any) -> Any:
    check(x, deep=False)
    made = copy.copy(x)
    held = replaced_attributes(made)
    if held is not None and made is not x:
        gather(len(held), held)
        replace_attributes(made, dict(held))
    return made


def _deepcopy(x: Any, memo: Any = None) -> Any:
    check(x, deep=False)
    if memo is None:
        memo = {}
    elif not isinstance(memo, dict):
        raise TypeError(f"the memo of a copy is a dict here, not '{type(memo).__name__}'")
    result = deepcopy(x, memo)
    sessions.active.epoch[0] += 1
    return result


def _copy_set(x: Any, memo: dict[int, Any]) -> Any:
    items = [deepcopy(item, memo) for item in arranged(x)]
    note_all(items)
    return type(x)(items)


COPIERS[set] = COPIERS[frozenset] = _copy_set

MODULES: dict[str, dict[str, Any]] = {
    "copy": {"copy": Builtin("copy", _copy), "deepcopy": Builtin("deepcopy", _deepcopy)}
}
