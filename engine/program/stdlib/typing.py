"""`typing`, `types`, `numbers` and `abc`: names for annotations, which mean nothing at run time."""

from __future__ import annotations

from types import MethodType
from typing import Any

from engine.program.calls import CONSTRUCTORS
from engine.program.charges import keyed
from engine.program.generators import Generator
from engine.program.operators import items
from engine.program.stdlib import enum
from engine.program.stdlib.collections import make_namedtuple
from engine.program.text import represent, to_text
from engine.program.values import Builtin, Function, Opaque

_NAMES = (
    "Any Optional Union List Dict Tuple Set FrozenSet Callable Iterable Iterator Sequence Mapping MutableMapping Type"
    " ClassVar Final Literal Generic Protocol NoReturn Never Self Annotated Generator Deque DefaultDict OrderedDict"
    " Counter Hashable Sized Collection Container AnyStr TypeAlias Text NamedTuple TypedDict Concatenate ParamSpec"
    " SupportsFloat SupportsInt"
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


CONSTRUCTORS[MethodType] = _method


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


def hints_of(function: Function) -> dict[str, Any]:
    """What the annotations of a function stand for. Raises what evaluating those that are postponed raises."""
    found = function.annotations or {} if function.hints is None else function.hints()
    return {name: type(None) if value is None else value for name, value in found.items()}


def _get_type_hints(obj: Any, *more: Any, **options: Any) -> dict[str, Any]:
    if isinstance(obj, MethodType):
        obj = obj.__func__
    if isinstance(obj, Function):
        return hints_of(obj)
    if not isinstance(obj, type):
        return {}
    found: dict[str, Any] = {}
    for base in reversed(obj.__mro__):
        if "__program__" in base.__dict__:
            found.update(base.__dict__.get("__annotations__", ()))
    keyed(len(found))
    return found


class SimpleNamespace:
    """`types.SimpleNamespace`."""

    __module__ = "types"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, /, **values: Any) -> None:
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"namespace({', '.join(f'{name}={represent(value)}' for name, value in self.__dict__.items())})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__: Any = None


TYPING: dict[str, Any] = {
    **{name: Opaque(f"typing.{name}") for name in _NAMES.split()},
    "NamedTuple": Opaque("typing.NamedTuple", _namedtuple),
    "TypedDict": Opaque("typing.TypedDict", _typed_dict),
    "TYPE_CHECKING": False,
    "assert_never": Builtin("assert_never", _assert_never),
    "TypeVar": Builtin("TypeVar", lambda name, *bounds, **options: Opaque(f"~{name}")),
    "NewType": Builtin("NewType", lambda name, kind: Builtin(name, _identity)),
    "cast": Builtin("cast", lambda kind, value: value),
    "overload": Builtin("overload", _identity),
    "final": Builtin("final", _identity),
    "override": Builtin("override", _identity),
    "runtime_checkable": Builtin("runtime_checkable", _identity),
    "no_type_check": Builtin("no_type_check", _identity),
    "get_type_hints": Builtin("get_type_hints", _get_type_hints),
}

MODULES: dict[str, dict[str, Any]] = {
    "typing": TYPING,
    "typing_extensions": TYPING,
    "abc": {
        "ABC": Opaque("abc.ABC"),
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
        "SimpleNamespace": SimpleNamespace,
    },
    "numbers": {name: Opaque(f"numbers.{name}") for name in ("Number", "Real", "Integral", "Complex")},
}
