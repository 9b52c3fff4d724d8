"""Names with two underscores, as far as programs may read them.

Python acts on these by itself, so each is listed: what `kinds.DUNDERS` does not name does not exist here.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from engine.core.node import NodeMeta
from engine.core.tensor import Tensor
from engine.nn.compiled import OptimizedModule
from engine.nn.module import Module as Layer
from engine.program import session as sessions
from engine.program.annotations import read_part
from engine.program.arrays import array_of_tensor
from engine.program.calls import CALLERS, call, call_engine, construct
from engine.program.charges import copied, probed
from engine.program.exceptions import ExceptionValue, traceback_of
from engine.program.generators import Generator
from engine.program.hashing import native_hash
from engine.program.items import assign_item, delete_item, subscript
from engine.program.kinds import (
    BUILTIN_BASES,
    DUNDERS,
    ENGINE,
    INSTANCE_DUNDERS,
    MIXED,
    OTHER,
    OWN,
    PROTOCOLS,
    attributes_of,
    check_name,
    check_value,
    defines,
    is_engine_class,
    kind_of,
    missing,
    refused,
    replaced_attributes,
    visible_mro,
)
from engine.program.metaclasses import OF_TYPE, is_meta, read_super
from engine.program.operators import (
    BINARY,
    COMPARE,
    IN_PLACE,
    NESTING,
    UNARY,
    contains,
    extend,
    filling,
    guard_key,
    inside,
    items,
    weighed,
)
from engine.program.shared import is_shared, made_here
from engine.program.tables import METHODS, READERS
from engine.program.text import addressed, default_repr, format_value, represent, represent_as, torch_module
from engine.program.values import (
    UNSET,
    Builtin,
    Constructor,
    Function,
    HostMethod,
    Module,
    Silent,
    Super,
    SuperOf,
    TypeOf,
    Unbound,
    class_of_value,
    type_method,
    unbound,
)


def read_special(value: Any, name: str) -> Any:
    kind = type(value)
    if kind is Module:
        return READERS[Module](value, name)
    if kind is Silent:
        raise missing(value, name)
    part = read_part(value, name)
    if part is not UNSET:
        return part
    if kind is TypeOf and name in OF_TYPE:
        return OF_TYPE[name]
    if name == "__get__" and kind is Function:
        return Builtin(name, lambda instance, owner=None: value if instance is None else MethodType(value, instance))
    if kind is SuperOf and name == "__init__":
        return type_method(Super, name, Super)
    if name not in DUNDERS:
        raise refused(value, name) if name in PROTOCOLS else missing(value, name)
    if kind is Super:
        return _super_dunder(value, name)
    if not isinstance(value, type | HostMethod) and kind not in sessions.active.closed and kind not in METHODS:
        if kind_of(kind) == OTHER:
            raise missing(value, name)
    if name in INSTANCE_DUNDERS and not isinstance(value, type) and kind_of(kind) in (OWN, ENGINE, MIXED):
        assigned = attributes_of(value)
        if name in assigned:
            return assigned[name]
    special = VALUES.get(name)
    if special is not None:
        return special(value)
    if isinstance(value, type):
        return _class_dunder(value, name)
    verdict = kind_of(kind)
    if verdict == ENGINE:
        paid = _sized(kind, name)
        if paid is not None:
            return Builtin(name, lambda *args, **options: paid(value, *args, **options))
    if verdict in (OWN, ENGINE, MIXED):
        if name in ("__setattr__", "__getattr__", "__delattr__"):
            return Builtin(name, lambda *args: ATTRIBUTE_CALLS[name](value, *args))
        if name in ("__init__", "__new__", "__set_name__") and is_shared(value):
            raise missing(value, name)
        if verdict != MIXED or defines(kind, name):
            return _callable(name, getattr(value, name))
    if name == "__call__" and kind in CALLERS:
        return Builtin(name, lambda *args, **kwargs: call(value, args, kwargs or None))
    if hasattr(kind, name):
        operation = _operation(name)
        if operation is not None:
            return Builtin(name, MethodType(operation, value))
    raise missing(value, name)


def _sized(kind: type, name: str) -> Callable[..., Any] | None:
    """What stands for a special method of a class of the engine's that makes as much as it is asked for."""
    if name == "__format__":
        return format_value
    if name == "__array__" and issubclass(kind, Tensor):
        return array_of_tensor
    if not issubclass(kind, tuple):
        return None
    reflected = GUARDED.get(f"__{name[3:]}") if name.startswith("__r") else None
    return GUARDED.get(name) or (None if reflected is None else lambda a, b: reflected(b, a))


_ALIKE: dict[type, tuple[type, ...]] = {
    bool: (int,), int: (int,), float: (int, float), complex: (int, float, complex), str: (str,), bytes: (bytes,),
    list: (list,), tuple: (tuple,), dict: (dict,), set: (set, frozenset), frozenset: (set, frozenset),
    range: (range,), slice: (slice,), type(None): (type(None),),
}  # fmt: skip
"""Types, and those of the operands that their own operators take; to others they say NotImplemented."""
_PICKY = frozenset({bool, int, float, complex, set, frozenset, dict})
"""Of these, those whose arithmetic says so; that of sequences raises TypeError."""


def _operation(name: str) -> Callable[..., Any] | None:
    """A special method of Python's types, charged for; its first argument is the object."""
    found, plain = GUARDED.get(name), name
    if found is None and name.startswith("__r") and f"__{name[3:]}" in _ARITHMETIC:
        plain = f"__{name[3:]}"
        forward = GUARDED[plain]
        found = lambda value, other: forward(other, value)  # noqa: E731
    if found is None or plain not in _ARITHMETIC and name not in _COMPARISONS:
        return found
    operation: Callable[..., Any] = found

    def operate(value: Any, *args: Any) -> Any:
        if len(args) != 1 and not (args and plain == "__pow__"):
            raise TypeError(f"expected 1 argument, got {len(args)}")
        kind = next((base for base in type(value).__mro__ if base in _ALIKE), None)
        if kind is not None and not isinstance(args[0], _ALIKE[kind]):
            if name in _COMPARISONS or kind in _PICKY:
                return NotImplemented
        return operation(value, *args)

    return operate


ATTRIBUTE_CALLS: dict[str, Callable[..., Any]] = {}
"""`__setattr__`, `__getattr__` and `__delattr__` under the program's attribute rules; `attributes` has them."""

_OBJECT: dict[str, Callable[..., Any]] = {
    "__setattr__": lambda instance, name, value: _plain_setattr(instance, name, value),
    "__delattr__": lambda instance, name: _plain_delattr(instance, name),
    "__new__": lambda cls, *args, **kwargs: _object_new(cls, *args, **kwargs),
    "__init__": lambda instance, *args, **kwargs: None,
    "__eq__": lambda a, b: True if a is b else NotImplemented,
    "__ne__": lambda a, b: False if a is b else NotImplemented,
    "__hash__": lambda value: sessions.active.identity(value) >> 4,
    "__repr__": default_repr,
    "__str__": lambda value: represent(value),
}


def _plain_setattr(instance: Any, name: Any, value: Any) -> None:
    check_name(instance, name)
    if type(instance) is not OptimizedModule and isinstance(instance, Layer):
        ATTRIBUTE_CALLS["object.__setattr__"](instance, name, value)
        return
    if isinstance(instance, type) or kind_of(type(instance)) not in (OWN, MIXED):
        raise TypeError(f"can't apply this __setattr__ to {type(instance).__name__} object")
    held = replaced_attributes(instance, name)
    if held is None:
        object.__setattr__(instance, name, value)
    else:
        dict.__setitem__(held, name, value)


def _plain_delattr(instance: Any, name: Any) -> None:
    if kind_of(type(instance)) not in (OWN, MIXED) or replaced_attributes(instance, name) is not None:
        ATTRIBUTE_CALLS["__delattr__"](instance, name)
        return
    check_name(instance, name)
    check_value(instance, name)
    object.__delattr__(instance, name)


def _class_dunder(cls: type, name: str) -> Any:
    if cls is object and name in _OBJECT:
        return Builtin(name, _OBJECT[name]) if name == "__new__" else type_method(object, name, _OBJECT[name])
    if cls in METHODS or kind_of(cls) == MIXED:
        if defines(cls, name):
            return getattr(cls, name)
        return _slot(cls, name)
    if kind_of(cls) == OTHER:
        raise missing(cls, name)
    paid = _sized(cls, name) if kind_of(cls) == ENGINE else None
    if paid is not None:
        return Builtin(name, paid)
    if name in ("__setattr__", "__getattr__", "__delattr__") and not defines(cls, name):
        return Builtin(name, lambda instance, *args: _via_class(cls, name, instance, *args))
    if name == "__new__" and not defines(cls, name):
        return Builtin(name, _plain_new)
    place = next((base for base in cls.__mro__ if name in base.__dict__), None)
    if place is not None and type(place.__dict__[name]) is FunctionType:
        return unbound(place.__dict__[name], place, cls)
    return _callable(name, getattr(cls, name))


def _slot(cls: type, name: str) -> Builtin:
    """A special method of one of Python's types, or of a class derived from it: for objects of such a class it is
    Python's own, whatever their class makes of it."""
    operation = _operation(name) if hasattr(cls, name) else None
    if operation is None and name == "__init__":
        return Builtin(name, _plain_init)
    if name == "__new__" and cls is not object:
        return Builtin(name, lambda made, *args, **kwargs: _made(_checked_new(cls, made), made, args, kwargs))
    if operation is None:
        raise missing(cls, name)
    if not issubclass(cls, BUILTIN_BASES):
        return type_method(cls, name, operation)
    owner = next(base for base in cls.__mro__ if base in METHODS)
    plain: Callable[..., Any] = operation

    def use(value: Any, *args: Any) -> Any:
        if kind_of(type(value)) != MIXED:
            return plain(value, *args)
        found = getattr(owner, name).__get__(value, type(value))
        return _paid(name, plain, value, found).function(*args)

    return type_method(owner, name, use)


def _checked_new(cls: type, made: Any) -> Any:
    if not isinstance(made, type):
        raise TypeError(f"{cls.__name__}.__new__(X): X is not a type object ({type(made).__name__})")
    if not issubclass(made, cls):
        raise TypeError(f"{cls.__name__}.__new__({made.__name__}): {made.__name__} is not a subtype of {cls.__name__}")
    return cls.__new__


_SLOT_WRAPPERS = (type("".__len__), type(str.__len__), type("".join), type(str.join), type(dict.fromkeys))


def _callable(name: str, given: Any) -> Any:
    """Python's own special methods as functions of ours."""
    found: Any = given
    if type(found) in _SLOT_WRAPPERS:
        if name == "__hash__":
            return Builtin(name, native_hash(found) or found)
        if name in ("__repr__", "__str__"):
            return Builtin(name, lambda *args: addressed(found(*args), args[0] if args else found.__self__))
        return Builtin(name, lambda *args, **kwargs: found(*args, **kwargs))
    return found


def _plain_init(instance: Any, *args: Any, **kwargs: Any) -> None:
    for base in type(instance).__mro__:
        if base in METHODS and base is not object:
            initialize: Any = base.__init__  # type: ignore[misc]
            initialize(instance, *filling(base, args), **kwargs)
            return


def _plain_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    if cls is object:
        return object()
    if not isinstance(cls, type) or kind_of(cls) == OTHER and cls not in METHODS:
        raise TypeError("object.__new__(X): X is not a type object that can be made here")
    owners = (base for base in cls.__mro__ if "__new__" in base.__dict__ and not made_here(base))
    return _made(next(owners).__dict__["__new__"], cls, args, kwargs)


def _object_new(cls: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(cls, type) and cls is not object:
        owner = next(base for base in cls.__mro__ if "__new__" in base.__dict__ and not made_here(base))
        if owner is not object and owner is not ExceptionValue:
            raise TypeError(f"object.__new__({cls.__name__}) is not safe, use {owner.__name__}.__new__()")
    return _plain_new(cls, *args, **kwargs)


def _made(native: Any, cls: Any, args: Any, kwargs: Any) -> Any:
    """`native(cls, …)` for a `__new__` of Python's or ours. Raises TypeError for what would be half made."""
    if not isinstance(cls, type):
        raise TypeError(f"object.__new__(X): X is not a type object ({type(cls).__name__})")
    native = getattr(native, "__func__", native)
    if native is object.__new__:
        if not made_here(cls):
            raise TypeError(f"object.__new__({cls.__name__}) is not safe, use {cls.__name__}()")
        if args or kwargs:
            if cls.__new__ is not object.__new__:
                raise TypeError("object.__new__() takes exactly one argument (the type to instantiate)")
            if getattr(cls, "__init__") is object.__init__:  # noqa: B009 - mypy refuses the other way
                raise TypeError(f"{cls.__name__}() takes no arguments")
        return object.__new__(cls)
    if cls in METHODS and kind_of(cls) == OTHER:
        return construct(cls, args, kwargs)
    given: Any = [_gathered(argument) for argument in args]
    if not isinstance(native, Constructor):  # which takes fields, and not what they are in
        given = filling(cls, given)
    return call_engine(native, (cls, *given), kwargs)


def _gathered(argument: Any) -> Any:
    """An iterator of the program as a list that has been paid for."""
    return items(argument) if hasattr(type(argument), "__next__") else argument


def _via_class(cls: type, name: str, instance: Any, key: str, *args: Any) -> Any:
    check_name(instance, key)
    return getattr(cls, name)(instance, key, *args)


def _super_dunder(value: Super, name: str) -> Any:
    if name == "__class__":
        return Super
    if name == "__dict__":
        chain = type(value.instance).__mro__
        if isinstance(value.instance, type):
            raise missing(value, name)
        if all([base.__dict__.get("__invisible__") for base in chain[chain.index(value.owner) + 1 : -1]]):
            raise missing(value, name)
        return VALUES[name](value.instance)
    if is_meta(value.owner):
        found = read_super(value, name)
        return found if name != "__new__" else Builtin(name, lambda cls, *args, **kw: _super_new(value, cls, args, kw))
    if name in ("__setattr__", "__delattr__", "__getattr__"):
        native = getattr(value.inner, name)

        def use(key: str, *args: Any) -> Any:
            check_name(value.instance, key)
            if name == "__setattr__":
                check_value(value.instance, key)
                held = replaced_attributes(value.instance, key)
                if held is not None and getattr(native, "__objclass__", None) is object:
                    return dict.__setitem__(held, key, *args)
            return native(key, *args)

        return Builtin(name, use)
    if name == "__new__":
        return Builtin(name, lambda cls, *args, **kwargs: _super_new(value, cls, args, kwargs))
    found = getattr(value.inner, name)
    if isinstance(value.instance, BUILTIN_BASES) and not isinstance(getattr(found, "__func__", None), Function):
        if name == "__init__":
            return Builtin(name, lambda *args, **kwargs: _plain_init(value.instance, *args, **kwargs))
        operation = _operation(name)
        if operation is None:
            raise missing(value, name)
        return _paid(name, operation, value.instance, found)
    return _callable(name, found)


_PLACES = frozenset({"__getitem__", "__setitem__", "__delitem__"})


def _paid(name: str, operation: Callable[..., Any], container: Any, found: Any) -> Builtin:
    """Python's own operation on a number or container of a class that has one of its own: on a container it looks at
    all of it, or at the place that is meant."""

    if name == "__repr__" and isinstance(container, dict | list | tuple):
        return Builtin(name, lambda: represent_as(found.__objclass__, container))

    def use(*args: Any) -> Any:
        if isinstance(container, int):
            return operation(int.__pos__(container), *args) if all(isinstance(a, int) for a in args) else found(*args)
        if name == "__mul__" and args and isinstance(args[0], int):
            extend(len(inside(container)) * max(args[0], 0), list)
        elif name not in _PLACES:
            for operand in (container, *args):
                if type(operand) in NESTING:
                    weighed(operand)
        elif args and type(args[0]) is slice:
            copied(len(inside(container)))
            args = tuple([args[0], *map(items, args[1:])])
        elif args and isinstance(container, dict):
            guard_key(args[0])
            probed(args[0], dict.__len__(container))
        return found(*args)

    return Builtin(name, use)


def _super_new(value: Super, cls: Any, args: Any, kwargs: Any) -> Any:
    native = value.inner.__new__
    if isinstance(native, Function):
        return native(cls, *args, **kwargs)
    return _made(native, cls, args, kwargs)


def _name_of(value: Any) -> Any:
    partial = isinstance(value, HostMethod) and type(value).__module__ == "functools"  # which has no name of its own
    if isinstance(value, type | Function | Builtin | MethodType | FunctionType | Generator) and not partial:
        return value.__func__.__name__ if isinstance(value, MethodType) else _plain_name(value)
    raise missing(value, "__name__")


def _plain_name(value: Any) -> str:
    if isinstance(value, Generator):
        return str(value.__qualname__).rpartition(".")[2]
    return str(value.__name__.rpartition(".")[2] if isinstance(value, type) else value.__name__)


def _qualname_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else _name_of(value)


def decorated(value: Any) -> Any:
    """The function of the program that one of ours stands for, which decorated it (`torch.no_grad()`)."""
    inner = value.function if isinstance(value, Unbound) else value
    while isinstance(inner, HostMethod) and inner.wrapped is not UNSET:
        inner = inner.wrapped
    while type(inner) is FunctionType and "__wrapped__" in inner.__dict__:
        inner = inner.__dict__["__wrapped__"]
    return inner if isinstance(inner, Function) else value


def _doc_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    value = decorated(value)
    if isinstance(value, property) and isinstance(value.fget, Function):
        return value.fget.doc if value.__doc__ is Function.__doc__ else value.__doc__
    if isinstance(value, Function):
        return value.doc
    doc = getattr(value, "__doc__", None) if isinstance(value, type) or kind_of(type(value)) != OTHER else None
    return doc if isinstance(doc, str) else None


def _module_name_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, Unbound):
        value = value.function
    value = decorated(value)
    if isinstance(value, NodeMeta):
        return value.home
    module = getattr(value, "module", None) if isinstance(value, Function) else getattr(value, "__module__", None)
    if not isinstance(module, str):
        raise missing(value, "__module__")
    return torch_module(module)


def _mro_of(value: Any) -> Any:
    if not isinstance(value, type):
        raise missing(value, "__mro__")
    return tuple(visible_mro(value))


def _abstract_methods_of(value: Any) -> Any:
    names = getattr(value, "__abstract__", None) if isinstance(value, type) else None
    if names is None:
        raise missing(value, "__abstractmethods__")
    return frozenset(names)


def _bases_of(value: Any) -> Any:
    if not isinstance(value, type):
        raise missing(value, "__bases__")
    return tuple(visible_mro(base)[0] for base in value.__bases__)


def _exception_part(name: str, default: Any) -> Callable[[Any], Any]:
    def part(value: Any) -> Any:
        if not isinstance(value, ExceptionValue):
            raise missing(value, name)
        return value.__dict__.get(name, default)

    return part


def _notes_of(value: Any) -> Any:
    if not isinstance(value, ExceptionValue) or "__notes__" not in value.__dict__:
        raise missing(value, "__notes__")
    return value.__dict__["__notes__"]


def _traceback_of(value: Any) -> Any:
    if not isinstance(value, ExceptionValue):
        raise missing(value, "__traceback__")
    return traceback_of(value)


def _wrapped_of(value: Any) -> Any:
    if isinstance(value, Function) and value.attributes and "__wrapped__" in value.attributes:
        return value.attributes["__wrapped__"]
    if isinstance(value, HostMethod) and value.wrapped is not UNSET:
        return value.wrapped
    if decorated(value) is not value:
        return (value.function if isinstance(value, Unbound) else value).__dict__["__wrapped__"]
    raise missing(value, "__wrapped__")


def _annotations_of(value: Any) -> Any:
    if isinstance(value, type):
        if "__program__" in value.__dict__:
            return dict(value.__dict__.get("__annotations__", ()))
        if is_engine_class(value):
            return {}  # what the engine's classes annotate are fields of its own
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, Function):
        return dict(value.annotations or {})
    raise missing(value, "__annotations__")


def _defaults_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, Function | Constructor):
        return value.defaults or None
    raise missing(value, "__defaults__")


def _kwdefaults_of(value: Any) -> Any:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, Function):
        return dict(value.kwdefaults) or None
    raise missing(value, "__kwdefaults__")


VALUES: dict[str, Callable[[Any], Any]] = {
    "__class__": class_of_value,
    "__name__": _name_of,
    "__qualname__": _qualname_of,
    "__doc__": _doc_of,
    "__module__": _module_name_of,
    "__mro__": _mro_of,
    "__bases__": _bases_of,
    "__abstractmethods__": _abstract_methods_of,
    "__annotations__": _annotations_of,
    "__defaults__": _defaults_of,
    "__kwdefaults__": _kwdefaults_of,
    "__wrapped__": _wrapped_of,
    "__cause__": _exception_part("__cause__", None),
    "__context__": _exception_part("__context__", None),
    "__suppress_context__": _exception_part("__suppress_context__", False),
    "__traceback__": _traceback_of,
    "__notes__": _notes_of,
}


_OPERATORS = "add sub mul truediv floordiv mod pow matmul lshift rshift or and xor".split()
_ARITHMETIC = frozenset(f"__{name}__" for name in [*_OPERATORS, "divmod"])
_COMPARISONS = frozenset(f"__{name}__" for name in "eq ne lt le gt ge".split())


GUARDED: dict[str, Callable[..., Any]] = {
    **{f"__{name}__": BINARY[op] for op, name in zip(BINARY, _OPERATORS, strict=True)},
    **{f"__{name}__": COMPARE[op] for op, name in zip(COMPARE, "eq ne lt le gt ge".split(), strict=False)},
    **{f"__{name}__": UNARY[op] for op, name in zip(UNARY, "neg pos invert".split(), strict=True)},
    **{f"__i{name}__": IN_PLACE[op] for op, name in zip(IN_PLACE, _OPERATORS, strict=True)},
    **{f"__{name}__": getattr(math, name) for name in ("trunc", "floor", "ceil")},
    "__index__": operator.index,
    "__contains__": lambda container, item: contains(container, item),
    "__getitem__": lambda value, index: subscript(value, index),
    "__setitem__": lambda value, index, item: assign_item(value, index, item),
    "__delitem__": lambda value, index: delete_item(value, index),
}
