"""What Python says to a call of a function of its own with arguments that it does not take.

What stands for such a function here has parameters of ours, and Python's error about the call tells of those. The words
come from the function itself: it is called with as many arguments, of a kind that nothing accepts.
"""

from __future__ import annotations

import inspect
import re
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from types import FunctionType, MethodType
from typing import Any

from engine.limits import meter
from engine.program.tables import NATIVES

_OF_A_CALL = re.compile(r"[\w.<>]+(\(\) (?:takes|got|missing) .*)", re.DOTALL)
_EMPTY: dict[type, Callable[[], Any]] = {
    kind: kind for kind in (str, bytes, list, tuple, dict, set, frozenset, int, float, bool, OrderedDict, deque)
} | {range: lambda: range(0), slice: lambda: slice(None)}  # fmt: skip
"""What makes a value of each type, on which a method may be tried."""


class _Nothing:
    """An argument that no function takes."""

    __slots__ = ()


def reword(error: TypeError, name: str, function: Any, args: Collection[Any], kwargs: Collection[str] | None) -> None:
    """Raises Python's own words if an error is about a call that fits no parameters of `function`, which is known to
    programs as `name`; `function`: one of ours, which may be bound to a value of a built-in type."""
    trace = error.__traceback__
    if trace is None or trace.tb_next is not None:  # it comes out of the function
        return
    if not (getattr(function, "__module__", None) or "engine").startswith("engine"):
        return  # it has the words of the function that it stands for
    told = _OF_A_CALL.fullmatch(str(error))
    native = _native(name, function)
    if told is None or native is None and type(getattr(function, "__func__", function)) is not FunctionType:
        return
    meter.charge(20 + (len(args) >> 6))
    raise _refusal(native, len(args), kwargs or ()) or TypeError(name + told[1]) from None


def _native(name: str, function: Any) -> Callable[..., Any] | None:
    """Python's function in the place of ours, on a value with nothing in it."""
    if type(function) is MethodType:
        for kind in type(function.__self__).__mro__:
            if kind in _EMPTY:
                return getattr(_EMPTY[kind](), name, None)
    return NATIVES.get(function)


def _refusal(native: Callable[..., Any] | None, count: int, names: Collection[str]) -> TypeError | None:
    if native is None:
        return None
    nothing = _Nothing()
    if isinstance(native, FunctionType):
        try:
            inspect.signature(native).bind(*[nothing] * count, **dict.fromkeys(names))
        except TypeError:  # and only then it is called, for Python refuses the call
            pass
        else:
            return None
    for first in (nothing, ()):  # some look into what they iterate over before they look at the rest
        try:
            native(*[first, *[nothing] * count][:count], **dict.fromkeys(names, nothing))
        except TypeError as error:
            told = str(error)
            if "argument" in told and _Nothing.__name__ not in told:
                return TypeError(told)
    return None
