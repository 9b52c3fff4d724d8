"""`value[index]`, `value[index] = item`, `del value[index]`."""

from __future__ import annotations

from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.methods import METHODS
from engine.program.operators import items
from engine.tensor import Tensor


def subscript(value: Any, index: Any) -> Any:
    """`value[index]`."""
    kind = type(index)
    if kind is slice and type(value) in METHODS:
        meter.charge(1)
    elif kind is tuple and isinstance(value, dict):
        from engine.program.operators import guard_key

        guard_key(index)
    elif sessions.active.arrays and isinstance(value, Tensor):
        from engine.program.modules.arrays import unwrap

        index = unwrap(index)
    return value[index]


def assign_item(target: Any, index: Any, value: Any) -> None:
    """`target[index] = value`."""
    if isinstance(target, list) and type(index) is slice:
        value = items(value)
        from engine.program.operators import grow

        grow(len(target) + len(value))
    elif type(index) is tuple and isinstance(target, dict):
        from engine.program.operators import guard_key

        guard_key(index)
    elif sessions.active.arrays and isinstance(target, Tensor):
        from engine.program.modules.arrays import Scalar, unwrap

        index = unwrap(index)
        if isinstance(value, Scalar):
            value = value._a
    target[index] = value


def delete_item(target: Any, index: Any) -> None:
    """`del target[index]`."""
    del target[index]
