"""Metaclasses of the program: classes that derive from `type`, which they reach only as far as it stands here.

What Python looks classes up by stays Python's own: no metaclass says what is equal to a class, what its hash is, who
its objects are or how its attributes are found.
"""

from __future__ import annotations

from types import MethodType
from typing import Any

from engine.program.calls import abstract_error, call
from engine.program.kinds import is_dunder, missing
from engine.program.shared import made_here
from engine.program.text import written_class
from engine.program.values import TYPE, Builtin, Function, Opaque, Super, name_as

_REFUSED = frozenset(
    ["mro", *(f"__{name}__" for name in "eq ne hash setattr delattr slots prepare name qualname dict".split())]
)
"""What a metaclass cannot define."""
_PLAIN = (Function, staticmethod, classmethod, str, dict, type(None))
"""What it can have under special names."""
make_class: Any = None
"""What a `class` statement does: `engine.program.classes` puts it here."""


class MetaClass(type):
    """`type`, as the program's metaclasses inherit it."""

    __program__ = True
    __invisible__ = True
    __abstract__: Any = None

    def __new__(mcs, /, *args: Any, **keywords: Any) -> Any:
        if not isinstance(mcs, type):
            raise TypeError(f"type.__new__(X): X is not a type object ({type(mcs).__name__})")
        if not issubclass(mcs, MetaClass) or not made_here(mcs):
            raise TypeError(f"type.__new__({mcs.__name__}): {mcs.__name__} is not a subtype of type")
        if len(args) != 3:
            raise TypeError("type.__new__() takes exactly 3 arguments")
        return make_class(mcs, *args, **keywords)

    def __init__(cls, /, *args: Any, **keywords: Any) -> None:
        if len(args) not in (1, 3):
            raise TypeError("type.__init__() takes 1 or 3 arguments")

    def __call__(cls, /, *args: Any, **keywords: Any) -> Any:
        if getattr(cls, "__abstract__", None):
            raise abstract_error(cls)
        return type.__call__(cls, *args, **keywords)


class AbstractMeta(MetaClass):
    """`abc.ABCMeta`, as they inherit it."""

    __program__ = True
    __invisible__ = True
    __abstract__: Any = None


name_as(MetaClass, "type")
name_as(AbstractMeta, "ABCMeta")


def is_meta(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, MetaClass)


def host_of(base: Any) -> type | None:
    """What a class derived from `type` or `ABCMeta` derives from here."""
    if base is TYPE:
        return MetaClass
    return AbstractMeta if type(base) is Opaque and base.name == "abc.ABCMeta" else None


def check(bases: list[Any], namespace: dict[str, Any]) -> None:
    """Refuse a metaclass that would decide about more than it may here. Raises TypeError."""
    if not all(is_meta(host_of(base) or base) for base in bases):
        raise TypeError("a metaclass can derive only from metaclasses here")
    for name, value in namespace.items():
        check_member(name, value)


def check_member(name: str, value: Any) -> None:
    """The same of one member."""
    if name in _REFUSED or is_dunder(name) and type(value) not in _PLAIN:
        raise TypeError(f"a metaclass that defines {name} cannot be run here")


def chosen(given: Any, bases: list[Any]) -> Any:
    """The metaclass of a class with these bases: the one given, or what one of them has; None for Python's own.

    Raises TypeError where none of them derives from all others.
    """
    found = given if is_meta(given) else None
    for base in bases:
        kind = type(base)
        if not isinstance(base, type) or kind is type or found is not None and issubclass(found, kind):
            continue
        if found is not None and not issubclass(kind, found):
            raise TypeError(CONFLICT)
        found = kind
    return found if is_meta(found) else None


CONFLICT = (
    "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its"
    " bases"
)


def read_super(value: Super, name: str) -> Any:
    """An attribute of `super()` in a metaclass: of `type`, it finds no more than what stands here."""
    found = getattr(value.inner, name, None)
    if name == "__new__" or isinstance(found, MethodType):
        return found
    if name in ("__repr__", "__str__") and isinstance(value.instance, MetaClass):
        return Builtin(name, lambda: written_class(value.instance))
    raise missing(value, name)


def _of_type(name: str) -> Builtin:
    def run(cls: Any, /, *args: Any, **keywords: Any) -> Any:
        if name == "__call__" and not isinstance(cls, MetaClass):
            return call(cls, args, keywords or None)
        if name == "__init__" and not isinstance(cls, MetaClass):
            raise TypeError(f"descriptor '__init__' requires a 'type' object but received a '{type(cls).__name__}'")
        return getattr(MetaClass, name)(cls, *args, **keywords)

    return Builtin(name, run)


OF_TYPE: dict[str, Builtin] = {name: _of_type(name) for name in ("__new__", "__init__", "__call__")}
"""What programs read of `type` itself."""
