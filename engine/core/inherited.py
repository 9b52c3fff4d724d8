"""Methods that a base has here and each of its classes in PyTorch: in errors they go by the class that was called."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
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


def written_into_each(base: C) -> C:
    """Decorate a base that is only here: its classes are to have all that it has as their own, and its bases."""

    def __init_subclass__(cls: Any, /, **options: Any) -> None:  # noqa: N807 - which it becomes
        super(base, cls).__init_subclass__(**options)  # type: ignore[arg-type]
        for name, value in vars(base).items():
            if name in vars(cls) or name in _OF_EVERY_CLASS:
                continue
            own = isinstance(value, FunctionType)
            setattr(cls, name, named(value, f"{cls.__name__}.{name}", cls) if own else value)
        bases = [kind for each in cls.__bases__ for kind in (base.__bases__ if each is base else (each,))]
        cls.__bases__ = tuple(
            [kind for kind in bases if not any(other is not kind and issubclass(other, kind) for other in bases)]
        )

    base.__init_subclass__ = classmethod(__init_subclass__)  # type: ignore[assignment, method-assign]
    return base


_OF_EVERY_CLASS = frozenset(
    f"__{name}__"
    for name in (
        "dict doc init_subclass module qualname weakref firstlineno static_attributes "
        "annotations annotate annotate_func annotations_cache"
    ).split()
)


def written_again(*names: str) -> Callable[[C], C]:
    """Decorate a class that is to have methods of its bases as its own."""

    def decorate(cls: C) -> C:
        for name in names:
            setattr(cls, name, named(getattr(cls, name), f"{cls.__name__}.{name}"))
        return cls

    return decorate


def named(function: FunctionType, qualname: str, owner: type | None = None) -> FunctionType:
    """The same function by another name; `owner`: the class that it is written in, for its `super()`."""
    closure = function.__closure__
    if owner is not None and closure is not None:
        cells = zip(function.__code__.co_freevars, closure, strict=True)
        closure = tuple([CellType(owner) if name == "__class__" else cell for name, cell in cells])
    copy = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__, copy.__annotations__ = function.__kwdefaults__, function.__annotations__
    copy.__doc__, copy.__module__, copy.__qualname__ = function.__doc__, function.__module__, qualname
    return copy
