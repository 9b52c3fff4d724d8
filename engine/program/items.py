"""`value[index]`, `value[index] = item`, `del value[index]`."""

from __future__ import annotations

import operator
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.methods import METHODS
from engine.program.operators import items, iterable_value
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
        if not iterable_value(value):
            if index.step is not None and operator.index(index.step) == 0:
                raise ValueError("slice step cannot be zero")
            plain = index.step is None or index.step == 1
            raise TypeError("can only assign an iterable" if plain else "must assign iterable to extended slice")
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
