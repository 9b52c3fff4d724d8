"""Methods that a base has here and each of its classes in PyTorch: in errors they go by the class that was called."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

C = TypeVar("C", bound=type)


def written_in_each(*names: str) -> Callable[[C], C]:
    """Decorate a base whose classes are to have these methods as their own."""

    def decorate(base: C) -> C:
        shared = {name: getattr(base, name) for name in names}

        def __init_subclass__(cls: Any, /, **options: Any) -> None:  # noqa: N807 - which it becomes
            super(base, cls).__init_subclass__(**options)  # type: ignore[arg-type]
            for name, method in shared.items():
                if getattr(cls, name) is method:
                    setattr(cls, name, named(method, f"{cls.__name__}.{method.__name__}"))

        base.__init_subclass__ = classmethod(__init_subclass__)  # type: ignore[assignment, method-assign]
        return base

    return decorate


def written_again(*names: str) -> Callable[[C], C]:
    """Decorate a class that is to have methods of its bases as its own."""

    def decorate(cls: C) -> C:
        for name in names:
            setattr(cls, name, named(getattr(cls, name), f"{cls.__name__}.{name}"))
        return cls

    return decorate


def named(function: FunctionType, qualname: str) -> FunctionType:
    """The same function by another name."""
    copy = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__, copy.__annotations__ = function.__kwdefaults__, function.__annotations__
    copy.__doc__, copy.__module__, copy.__qualname__ = function.__doc__, function.__module__, qualname
    return copy
