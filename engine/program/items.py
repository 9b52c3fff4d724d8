"""`value[index]`, `value[index] = item`, `del value[index]`."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.annotations import weighed
from engine.program.arrays import KINDS, Scalar, unwrap
from engine.program.charges import copied, grow, probed, written
from engine.program.operators import NESTING, SEQUENCES, TEXT, guard_key, inside, items, iterable_value, settle
from engine.program.tables import METHODS


def subscript(value: Any, index: Any) -> Any:
    """`value[index]`."""
    kind = type(index)
    if kind is slice and type(value) not in METHODS and type(value) in NESTING and isinstance(value, list | tuple):
        copied(len(inside(value)))
    elif kind is slice and type(value) in METHODS:
        meter.charge(1)
        parts = (index.start, index.stop, index.step)
        if sessions.active.arrays and any([_fractional(part) for part in parts]):
            raise TypeError("slice indices must be integers or None or have an __index__ method")
        if type(value) in SEQUENCES and len(value) > 31:
            simple = all([part is None or type(part) is int for part in parts]) and parts[2] != 0
            length = len(range(*index.indices(len(value)))) if simple else len(value)
            (written if type(value) in TEXT else copied)(length)
    elif isinstance(value, type) and value in METHODS:
        weighed(index)
    elif isinstance(value, dict):
        guard_key(index)
        if len(value) > 127:
            probed(index, len(value))
    elif type(value) is deque and kind is int and len(value) > 2047:
        meter.charge(len(value) >> 12)
    elif sessions.active.arrays:
        if isinstance(value, Tensor):
            index = unwrap(index)
        elif type(value) in _INDICES and _fractional(index):
            raise TypeError(_INDICES[type(value)].format(kind.__name__))
    return value[index]


_INDICES: dict[type, str] = {
    list: "list indices must be integers or slices, not {}",
    tuple: "tuple indices must be integers or slices, not {}",
    range: "range indices must be integers or slices, not {}",
    bytes: "byte indices must be integers or slices, not {}",
    str: "string indices must be integers, not '{}'",
}
"""What Python says of other indices, by what they are of."""


def _fractional(index: Any) -> bool:
    """Whether this is a scalar of numpy that is no integer, which Python cannot tell by its class here."""
    return isinstance(index, Scalar) and not isinstance(index, KINDS["integer"])


def assign_item(target: Any, index: Any, value: Any) -> None:
    """`target[index] = value`."""
    if isinstance(target, list) and type(index) is slice:
        if not iterable_value(value):
            if index.step is not None and operator.index(index.step) == 0:
                raise ValueError("slice step cannot be zero")
            plain = index.step is None or index.step == 1
            raise TypeError("can only assign an iterable" if plain else "must assign iterable to extended slice")
        value = items(value)
        grow(len(target) + len(value))
    elif isinstance(target, dict):
        guard_key(index)
        if len(target) > 127:
            probed(index, len(target))
    elif sessions.active.arrays and isinstance(target, Tensor):
        index = unwrap(index)
        if isinstance(value, Scalar):
            value = value._array
    target[index] = value


def delete_item(target: Any, index: Any) -> None:
    """`del target[index]`."""
    if isinstance(target, list | deque):
        meter.charge(len(target) >> 10)
    elif isinstance(target, dict):
        guard_key(index)
        probed(index, len(target))
    del target[index]
    if type(target) is dict:
        settle(target)
