"""Settings: what a program can change in the engine's own modules. Each registers itself beside its definition.

    _given: set[str] = contents(set())      a dict, list or set, changed in place
    variable(sys.modules[__name__], "_ids", make=count)     a name that is bound to another value
    register(state)                         whatever has `reset` and `put_aside`

`fresh` resets all of them before a program runs; `aside` keeps those of the caller while programs run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import is_
from typing import Any, Protocol, TypeVar

Held = TypeVar("Held", bound="dict[Any, Any] | list[Any] | set[Any]")


class Setting(Protocol):
    """One setting, or several that are reset together."""

    def reset(self) -> None:
        """Make it what a new interpreter would find."""

    def put_aside(self) -> Callable[[], None]:
        """The function that puts back what it is now."""


_settings: list[Setting] = []
_ahead: list[bool] = []
"""Whether `fresh_ahead` was called last: empty, or one True."""


def register(setting: Setting) -> None:
    """Let `fresh` and `aside` see to a setting."""
    _settings.append(setting)


def contents(held: Held) -> Held:
    """Register a container; what is in it now is what a new interpreter would find. Gives the container."""
    register(_Contents(held))
    return held


def variable(owner: object, name: str, make: Callable[[], Any] | None = None) -> None:
    """Register an attribute, which begins as what `make` gives, or with the value that it has now."""
    value = getattr(owner, name)
    register(_Variable(owner, name, make or (lambda: value)))


def fresh() -> None:
    """Reset every setting, unless that was done ahead."""
    if _ahead:
        _ahead.clear()
        return
    for setting in _settings:
        setting.reset()


def fresh_ahead() -> None:
    """Reset every setting now: the next call of `fresh` finds it done, if nothing uses the engine before."""
    not_ahead()
    fresh()
    _ahead.append(True)


def not_ahead() -> None:
    """Something else may use the engine before the next call of `fresh`."""
    _ahead.clear()


@contextmanager
def aside() -> Iterator[None]:
    """Leave every setting afterwards as it was found."""
    before = [setting.put_aside() for setting in _settings]
    try:
        yield
    finally:
        for put_back in before:
            put_back()
        for setting in _settings[len(before) :]:  # of modules that were imported meanwhile
            setting.reset()


class _Variable:
    """An attribute of a module, a class or an object."""

    __slots__ = ("make", "name", "owner")

    def __init__(self, owner: object, name: str, make: Callable[[], Any]) -> None:
        self.owner, self.name, self.make = owner, name, make

    def reset(self) -> None:
        setattr(self.owner, self.name, self.make())

    def put_aside(self) -> Callable[[], None]:
        owner, name, value = self.owner, self.name, getattr(self.owner, self.name)
        return lambda: setattr(owner, name, value)


class _Contents:
    """What is in a container that stays the same object."""

    __slots__ = ("held", "initial")

    def __init__(self, held: Any) -> None:
        self.held = held
        self.initial = _copy(held)

    def reset(self) -> None:
        if self.held or self.initial:
            _fill(self.held, self.initial)

    def put_aside(self) -> Callable[[], None]:
        held, before = self.held, _copy(self.held)
        return lambda: _fill(held, before)


def _copy(held: Any) -> Any:
    return dict(held) if isinstance(held, dict) else held.copy()


def _fill(held: Any, wanted: Any) -> None:
    if _same(held, wanted):
        return  # written to, memory that a fork shares would be copied
    held.clear()
    if isinstance(held, list):
        held.extend(wanted)
    else:
        held.update(wanted)


def _same(a: Any, b: Any) -> bool:
    """Whether both hold the same objects. What a program put there may define comparisons, which must not run here."""
    if len(a) != len(b) or not all(map(is_, a, b)):
        return False
    return not isinstance(a, dict) or all(map(is_, a.values(), b.values()))
