"""`copy.deepcopy`, with a memo that is keyed by what programs see as addresses (`state.identify`)."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from engine.core.state import state
from engine.limits import meter

Memo = dict[int, Any]

_ATOMS: frozenset[type] = frozenset(
    {
        type(None), type(...), type(NotImplemented), int, float, bool, complex, str, bytes, range, property, slice,
        FunctionType, BuiltinFunctionType,
    }
)  # fmt: skip
_CALLS = 2
"""Calls that one object inside another counts for."""
_MISSING: Any = object()


def deepcopy(x: Any, memo: Memo | None = None) -> Any:
    """A copy of `x` and of all it holds. Raises TypeError for what cannot be copied."""
    kind = type(x)
    if kind in _ATOMS or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    identity = state.identify(x)
    made = memo.get(identity, _MISSING)
    if made is not _MISSING:
        return made
    budget = meter.budget
    budget[1] -= _CALLS
    try:
        if budget[1] < 0:
            raise RecursionError("maximum recursion depth exceeded")
        copier = COPIERS.get(kind)
        if copier is not None:
            made = copier(x, memo)
        else:
            own: Callable[[Memo], Any] | None = getattr(x, "__deepcopy__", None)
            made = _rebuilt(x, memo) if own is None else own(memo)
    finally:
        budget[1] += _CALLS
    if made is not x:
        memo[identity] = made
        memo.setdefault(state.identify(memo), []).append(x)  # which keeps its identity from being given again
    return made


def _list(x: list[Any], memo: Memo) -> list[Any]:
    made: list[Any] = []
    memo[state.identify(x)] = made
    for item in x:
        made.append(deepcopy(item, memo))
    return made


def _tuple(x: tuple[Any, ...], memo: Memo) -> tuple[Any, ...]:
    made = tuple([deepcopy(item, memo) for item in x])
    known: tuple[Any, ...] | None = memo.get(state.identify(x))  # when it holds itself
    if known is not None:
        return known
    return x if all(a is b for a, b in zip(x, made, strict=True)) else made


def _dict(x: dict[Any, Any], memo: Memo) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    memo[state.identify(x)] = made
    for key, value in x.items():
        made[deepcopy(key, memo)] = deepcopy(value, memo)
    return made


def _method(x: MethodType, memo: Memo) -> MethodType:
    return type(x)(x.__func__, deepcopy(x.__self__, memo))


COPIERS: dict[type, Callable[[Any, Memo], Any]] = {list: _list, tuple: _tuple, dict: _dict, MethodType: _method}
"""Built-in types that are copied without the protocol of pickling."""


def _rebuilt(x: Any, memo: Memo) -> Any:
    """What the protocol of pickling makes of an object."""
    reduce = copyreg.dispatch_table.get(type(x))
    try:
        reduced: Any = reduce(x) if reduce is not None else x.__reduce_ex__(4)
    except TypeError as error:  # Python's own words, not those of a wrong call
        raise TypeError(str(error)) from None
    if isinstance(reduced, str):
        return x
    parts: list[Any] = [*reduced, None, None, None]
    make, args, held, items, pairs = parts[:5]
    made = make(*[deepcopy(arg, memo) for arg in args])
    memo[state.identify(x)] = made
    if held is not None:
        held = deepcopy(held, memo)
        if hasattr(made, "__setstate__"):
            made.__setstate__(held)
        else:
            fields, slots = held if isinstance(held, tuple) and len(held) == 2 else (held, None)
            if fields is not None:
                made.__dict__.update(fields)
            for name, value in (slots or {}).items():
                setattr(made, name, value)
    for item in items or ():
        made.append(deepcopy(item, memo))
    for key, value in pairs or ():
        made[deepcopy(key, memo)] = deepcopy(value, memo)
    return made
