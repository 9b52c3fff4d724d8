"""`typing`, `types`, `numbers` and `abc`: names for annotations, which mean nothing at run time."""

from __future__ import annotations

from functools import partial
from types import GenericAlias, MappingProxyType, MethodType, UnionType
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.annotations import (
    WRITTEN,
    NewType,
    TypeVar,
    as_type,
    checkable,
    is_forward,
    named,
    origin,
    parted,
    read_part,
    union,
)
from engine.program.attributes import read
from engine.program.calls import CALLERS, CONSTRUCTORS, call, callable_value
from engine.program.charges import keyed
from engine.program.generators import Generator
from engine.program.methods import offer
from engine.program.operators import equal, gather, items
from engine.program.shared import made_here
from engine.program.stdlib import enum
from engine.program.stdlib.collections import make_namedtuple
from engine.program.text import REPRS, default_repr, represent, to_text
from engine.program.values import UNSET, Builtin, Function, Module, Opaque

_NAMES = (
    "Any Optional Union List Dict Tuple Set FrozenSet Callable Iterable Iterator Sequence Mapping MutableMapping Type"
    " ClassVar Final Literal Generic Protocol NoReturn Never Self Annotated Generator Deque DefaultDict OrderedDict"
    " Counter Hashable Sized Collection Container TypeAlias NamedTuple TypedDict Concatenate ParamSpec"
    " SupportsFloat SupportsInt AbstractSet MutableSet MutableSequence Reversible KeysView ValuesView ItemsView"
    " ChainMap ContextManager AsyncContextManager Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator"
    " SupportsAbs SupportsBytes SupportsComplex SupportsIndex SupportsRound Required NotRequired TypeGuard ByteString"
    " LiteralString Unpack IO TextIO BinaryIO Pattern Match TypeVarTuple MappingView"
)


def _identity(value: Any = None, *rest: Any) -> Any:
    return value


def _abstractmethod(function: Any) -> Any:
    if isinstance(function, Function):
        function.attributes = {**(function.attributes or {}), "__isabstractmethod__": True}
    return function


def _method(function: Any, instance: Any) -> MethodType:
    """`types.MethodType(function, instance)`, for functions of the program."""
    if not isinstance(function, Function):
        raise TypeError("first argument must be a function of the program here")
    if instance is None:
        raise TypeError("instance must not be None")
    return MethodType(function, instance)


def _of_mapping(name: str) -> Any:
    def run(self: Any, *args: Any) -> Any:
        gather(2 * len(self))
        return getattr(self.copy(), name)(*args)

    return run


def _proxy(mapping: Any, /) -> MappingProxyType[Any, Any]:
    if type(mapping) is not dict:
        raise TypeError(f"mappingproxy() argument must be a mapping, not {type(mapping).__name__}")
    return MappingProxyType(mapping)


CONSTRUCTORS[MethodType] = _method
CONSTRUCTORS[TypeVar] = TypeVar
CONSTRUCTORS[NewType] = NewType
CONSTRUCTORS[MappingProxyType] = _proxy
CALLERS[NewType] = CALLERS[Builtin]
CALLERS[GenericAlias] = lambda alias, args, kwargs: call(alias.__origin__, args, kwargs)
offer(MappingProxyType, {name: _of_mapping(name) for name in "get keys values items copy".split()}, "", {})
REPRS[MappingProxyType] = lambda writer, value: f"mappingproxy({writer.write(value | {})})"


def _namedtuple(typename: Any, fields: Any = None, /, **kwargs: Any) -> Any:
    pairs = list(kwargs.items()) if fields is None else [tuple(items(pair)) for pair in items(fields)]
    annotations: dict[str, Any] = {}
    for field, kind in pairs:
        name = to_text(field)
        if name in annotations:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        annotations[name] = kind
    return make_namedtuple(to_text(typename), list(annotations), {}, {"__annotations__": annotations})


def _typed_dict(typename: Any, fields: Any = None, /, *, total: Any = True, **kwargs: Any) -> Any:
    given = kwargs if fields is None else fields
    if not isinstance(given, dict):
        raise TypeError(f"the fields of a TypedDict are a dict, not '{type(given).__name__}'")
    keyed(2 * len(given))
    name = to_text(typename)
    bases = [TYPING["TypedDict"]]
    return enum.make_class(name, name, bases, {"__annotations__": dict(given)}, {"total": total})


def _assert_never(arg: Any, /) -> None:
    shown = represent(arg)
    raise AssertionError(f"Expected code to be unreachable, but got: {shown[:100] + '...' * (len(shown) > 100)}")


def _get_args(tp: Any, /) -> tuple[Any, ...]:
    parts = read_part(tp, "__args__")
    if parts is UNSET or type(tp) is TypeVar:
        return ()
    return parted(parts, tp.name if isinstance(tp, Opaque) else "")


def _meant(annotation: Any, extras: bool) -> Any:
    """What an annotation says, its texts evaluated; without `extras`, what Annotated adds is left out."""
    if annotation is None:
        return type(None)
    if type(annotation) is str or is_forward(annotation):
        text = annotation if type(annotation) is str else annotation.args[0]
        evaluate = sessions.active.settings.get((WRITTEN, text))
        if evaluate is None:
            raise NameError(f"name {text!r} is not defined")
        return _meant(evaluate(), extras)
    if type(annotation) is Opaque and annotation.args:
        meter.charge(1)
        if annotation.name == "typing.Annotated":
            first, *rest = _meant(annotation.args[0], extras), *annotation.args[1:]
            return Opaque(annotation.name, args=(first, *rest)) if extras else first
        if annotation.name == "typing.Literal":
            return annotation
        args = tuple([part if part is ... or type(part) is list else _meant(part, extras) for part in annotation.args])
        if all(a is b for a, b in zip(args, annotation.args, strict=True)):
            return annotation
        same = union if annotation.name == "typing.Union" else partial(Opaque, annotation.name, None, annotation.origin)
        return same(args)
    return annotation


def get_type_hints(obj: Any, globalns: Any = None, localns: Any = None, include_extras: Any = False) -> dict[str, Any]:
    """`typing.get_type_hints`: what annotations say, those that are texts evaluated."""
    if isinstance(obj, type):
        tables = [base.__dict__.get("__annotations__", {}) for base in reversed(obj.__mro__) if made_here(base)]
        keyed(sum(map(len, tables)))
        found = {name: kind for table in tables for name, kind in table.items()}
    elif callable_value(obj) or type(obj) is Module:
        try:
            found = read(obj, "__annotations__")
        except AttributeError:
            found = {}
    else:
        raise TypeError(f"{represent(obj)} is not a module, class, method, or function.")
    meter.charge(1 + len(found))
    return {name: _meant(kind, bool(include_extras)) for name, kind in found.items()}


class ABC:
    """`abc.ABC`. It looks like a plain class's invisible base (`classes.Instance`), whose place it takes."""

    __slots__ = ()
    __module__ = "abc"
    __program__ = True
    __invisible__ = False
    __abstract__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return default_repr(self)

    def __hash__(self) -> int:
        return sessions.active.identity(self) >> 4


class SimpleNamespace:
    """`types.SimpleNamespace`."""

    __module__ = "types"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, /, *given: Any, **values: Any) -> None:
        if given:
            raise TypeError("no positional arguments expected")
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{name}={represent(value)}' for name, value in self.__dict__.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return equal(self.__dict__, other.__dict__)

    __hash__: Any = None


def _refusal(name: str) -> Any:
    """What stands for a call of a name of `typing`."""
    made = _CALLED.get(name)

    def refuse(*args: Any, **kwargs: Any) -> Any:
        if name == "Any":
            raise TypeError("Any cannot be instantiated")
        if made is None:
            raise TypeError(f"Cannot instantiate typing.{name}")
        raise TypeError(f"Type {name} cannot be instantiated; use {made}() instead")

    return refuse


_CALLED = {"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type"}

TYPING: dict[str, Any] = {
    **{name: named(f"typing.{name}", _refusal(name)) for name in _NAMES.split()},
    "NamedTuple": Opaque("typing.NamedTuple", _namedtuple),
    "TypedDict": Opaque("typing.TypedDict", _typed_dict),
    "TYPE_CHECKING": False,
    "Text": str,
    "AnyStr": TypeVar("AnyStr", bytes, str),
    **{name: TypeVar(name) for name in ("T", "KT", "VT")},
    "assert_never": Builtin("assert_never", _assert_never),
    "assert_type": Builtin("assert_type", lambda val, typ, /: val),
    "reveal_type": Builtin("reveal_type", lambda obj, /: obj),
    "TypeVar": TypeVar,
    "ParamSpec": TypeVar,
    "TypeVarTuple": TypeVar,
    "NewType": NewType,
    "ForwardRef": Builtin("ForwardRef", lambda arg: as_type(arg)),
    "cast": Builtin("cast", lambda typ, val: val),
    "overload": Builtin("overload", _identity),
    "final": Builtin("final", _identity),
    "override": Builtin("override", _identity),
    "runtime_checkable": Builtin("runtime_checkable", checkable),
    "no_type_check": Builtin("no_type_check", _identity),
    "get_type_hints": Builtin("get_type_hints", get_type_hints),
    "get_origin": Builtin("get_origin", origin),
    "get_args": Builtin("get_args", _get_args),
}

MODULES: dict[str, dict[str, Any]] = {
    "typing": TYPING,
    "typing_extensions": TYPING,
    "abc": {
        "ABC": ABC,
        "ABCMeta": Opaque("abc.ABCMeta"),
        "abstractmethod": Builtin("abstractmethod", _abstractmethod),
    },
    "types": {
        "FunctionType": Function,
        "LambdaType": Function,
        "MethodType": MethodType,
        "BuiltinFunctionType": Builtin,
        "GeneratorType": Generator,
        "NoneType": type(None),
        "EllipsisType": type(...),
        "NotImplementedType": type(NotImplemented),
        "UnionType": UnionType,
        "GenericAlias": GenericAlias,
        "ModuleType": Module,
        "MappingProxyType": MappingProxyType,
        "SimpleNamespace": SimpleNamespace,
    },
    "numbers": {name: named(f"numbers.{name}") for name in ("Number", "Complex", "Real", "Rational", "Integral")},
}
