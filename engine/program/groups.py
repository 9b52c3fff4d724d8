"""Exception groups, and what `except*` takes out of them."""

from __future__ import annotations

from typing import Any

from engine.limits import meter
from engine.program import exceptions
from engine.program.calls import call, callable_value
from engine.program.charges import made
from engine.program.exceptions import EXCEPTIONS, ExceptionValue
from engine.program.handling import matches
from engine.program.operators import items
from engine.program.text import to_text
from engine.program.values import Function

_KEPT = ("__cause__", "__context__", "__suppress_context__", "__trail__", "__notes__")
"""What the parts of a group have of it."""
_DEEPEST = 50


class Group(ExceptionValue):
    """`BaseExceptionGroup`."""

    __module__ = "builtins"

    def __new__(cls, /, *args: Any, **kwargs: Any) -> Any:
        if len(args) != 2:
            raise TypeError(f"BaseExceptionGroup.__new__() takes exactly 2 arguments ({len(args)} given)")
        message, exceptions = args
        if not isinstance(message, str):
            raise TypeError(f"BaseExceptionGroup.__new__() argument 1 must be str, not {type(message).__name__}")
        if not hasattr(type(exceptions), "__getitem__") or isinstance(exceptions, dict | set):
            raise TypeError("second argument (exceptions) must be a sequence")
        held = tuple(items(exceptions))
        made(len(held))
        if not held:
            raise ValueError("second argument (exceptions) must be a non-empty sequence")
        for place, each in enumerate(held):
            if not isinstance(each, ExceptionValue):
                raise ValueError(f"Item {place} of second argument (exceptions) is not an exception")
        plain = all(isinstance(each, EXCEPTIONS["Exception"]) for each in held)
        if cls is Group and plain:
            cls = PLAIN
        elif not plain and issubclass(cls, EXCEPTIONS["Exception"]):
            what = "an ExceptionGroup" if cls is PLAIN else f"'{cls.__name__}'"
            raise TypeError(f"Cannot nest BaseExceptions in {what}")
        group = object.__new__(cls)
        depth = 1 + max([each.__dict__["__depth__"] for each in held if isinstance(each, Group)], default=0)
        if depth > _DEEPEST:
            raise RecursionError("maximum recursion depth exceeded")
        group.__dict__.update(args=args, __held__=(message, held), __depth__=depth)
        return group

    @property
    def message(self) -> str:
        found: str = self.__dict__["__held__"][0]
        return found

    @property
    def exceptions(self) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self.__dict__["__held__"][1]
        return found

    def __str__(self) -> str:
        count = len(self.exceptions)
        return f"{to_text(self.message)} ({count} sub-exception{'s' * (count != 1)})"

    def derive(self, excs: Any, /) -> Any:
        return Group(self.message, excs)

    def subgroup(self, condition: Any, /) -> Any:
        return _parted(self, _test(condition))[0]

    def split(self, condition: Any, /) -> tuple[Any, Any]:
        return _parted(self, _test(condition))


Group.__name__ = Group.__qualname__ = "BaseExceptionGroup"
PLAIN: Any = type("ExceptionGroup", (Group, EXCEPTIONS["Exception"]), {"__module__": "builtins"})
EXCEPTIONS |= {"BaseExceptionGroup": Group, "ExceptionGroup": PLAIN}


def _test(condition: Any) -> Any:
    kinds = condition if type(condition) is tuple else (condition,)
    if all(isinstance(kind, type) and issubclass(kind, ExceptionValue) for kind in kinds):
        return lambda value: _is_any(value, kinds)
    if callable_value(condition) and not isinstance(condition, type):
        return lambda value: bool(call(condition, (value,), None))
    raise TypeError("expected a function, exception type or tuple of exception types")


def _is_any(value: Any, kinds: tuple[Any, ...]) -> bool:
    made(len(kinds))
    return isinstance(value, kinds)


def _parted(value: Any, test: Any) -> tuple[Any, Any]:
    """The part of an exception that passes a test, and the rest; None where there is none."""
    meter.charge(1)
    if test(value):
        return value, None
    if not isinstance(value, Group):
        return None, value
    pairs = [_parted(each, test) for each in value.exceptions]
    taken, left = ([part for part in parts if part is not None] for parts in zip(*pairs, strict=True))
    return _derived(value, taken), _derived(value, left)


def _derived(group: Any, parts: list[Any]) -> Any:
    """A group of these parts, made as the group's class says, that keeps what the group has come to know."""
    if not parts:
        return None
    derive = type(group).derive
    found = call(derive, (group, parts), None) if type(derive) is Function else derive(group, parts)
    if not isinstance(found, Group):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    state = group.__dict__
    found.__dict__.update({name: state[name] for name in _KEPT if name in state})
    return found


def taken(value: Any, types: Any) -> tuple[Any, Any]:
    """What a clause `except* types` catches of an exception, and what it leaves; a single one comes in a group."""
    if type(types) is tuple:
        made(len(types))
    for kind in types if type(types) is tuple else (types,):
        if isinstance(kind, type) and issubclass(kind, Group):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
    if isinstance(value, Group):
        return _parted(value, lambda each: matches(each, types))
    return (Group("", (value,)), None) if matches(value, types) else (None, value)


def left(value: Any, raised: list[Any], again: list[Any]) -> Any:
    """What a `try` with `except*` raises in the end; None where everything has been handled.

    `raised` by its clauses; `again`: what they raised again, or did not catch.
    """
    if not isinstance(value, Group):
        return (raised + again or [None])[0]
    kept = {id(leaf) for group in again for leaf in _leaves(group)}
    rest = _parted(value, lambda each: not isinstance(each, Group) and id(each) in kept)[0] if kept else None
    if not raised:
        return rest
    parts = raised if rest is None else [*raised, rest]
    return Group("", parts) if len(parts) > 1 else parts[0]


def _leaves(value: Any) -> list[Any]:
    meter.charge(1)
    return [leaf for each in value.exceptions for leaf in _leaves(each)] if isinstance(value, Group) else [value]


exceptions.HOST |= {Group: BaseException, PLAIN: Exception}
exceptions.VALUE |= {BaseExceptionGroup: Group, ExceptionGroup: PLAIN}
