"""`inspect`: what can be called with what, and which kind of thing a value is. Sources cannot be had."""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from engine.limits import meter
from engine.program.attributes import read
from engine.program.builtins import listing
from engine.program.calls import call, callable_value
from engine.program.generators import Generator
from engine.program.kinds import visible_mro
from engine.program.operators import items
from engine.program.shared import made_here
from engine.program.special import decorated
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.dataclasses import signature_of
from engine.program.stdlib.functools import Partial
from engine.program.text import format_value, represent
from engine.program.values import Builtin, Function, HostMethod, Module, Opaque, TypeMethod, Unbound
from engine.types import dtypes


class _empty:  # noqa: N801 - Python's name
    """No default, no annotation."""

    __module__ = "inspect"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()


_DESCRIBED = {
    "POSITIONAL_ONLY": "positional-only", "POSITIONAL_OR_KEYWORD": "positional or keyword",
    "VAR_POSITIONAL": "variadic positional", "KEYWORD_ONLY": "keyword-only", "VAR_KEYWORD": "variadic keyword",
}  # fmt: skip


class _ParameterKind(int):
    """How an argument is given."""

    __module__ = "inspect"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    name: str

    @property
    def description(self) -> str:
        return _DESCRIBED[self.name]

    def __repr__(self) -> str:
        return f"<_ParameterKind.{self.name}: {int(self)}>"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format_value(self.name, spec)


def _kind(kind: Any) -> _ParameterKind:
    made = _ParameterKind(int(kind))
    made.name = kind.name
    return made


_KINDS = {kind: _kind(kind) for kind in (
    inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD,
)}  # fmt: skip


def _annotation(value: Any) -> str:
    text = represent(value)
    if _is_class(value):
        return text.removeprefix("<class '").removesuffix("'>")
    return text.replace("typing.", "") if isinstance(value, Opaque) else text


class Parameter:
    """`inspect.Parameter`."""

    __module__ = "inspect"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _KINDS.values()

    def __init__(self, name: str, kind: Any, *, default: Any = _empty, annotation: Any = _empty) -> None:
        if type(name) is not str:
            raise TypeError(f"name must be a str, not a {type(name).__name__}")
        if type(kind) not in (int, _ParameterKind) or kind not in _KINDS.values():
            raise ValueError(f"value {represent(kind)} is not a valid Parameter.kind")
        self._name, self._kind = name, next(each for each in _KINDS.values() if each == kind)
        self._default, self._annotation = default, annotation

    @property
    def name(self) -> str:
        return self._name

    @property
    def kind(self) -> _ParameterKind:
        return self._kind

    @property
    def default(self) -> Any:
        return self._default

    @property
    def annotation(self) -> Any:
        return self._annotation

    def __str__(self) -> str:
        stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(self.kind, "")
        annotated = self.annotation is not _empty
        text = f"{stars}{self.name}" + (f": {_annotation(self.annotation)}" if annotated else "")
        if self.default is _empty:
            return text
        return f"{text} = {represent(self.default)}" if annotated else f"{text}={represent(self.default)}"

    def __repr__(self) -> str:
        return f'<Parameter "{self}">'


class Signature:
    """`inspect.Signature`: `parameters` by name, in order."""

    __module__ = "inspect"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    empty = _empty

    def __init__(self, parameters: Any = (), *, return_annotation: Any = _empty) -> None:
        given = list(items(parameters))
        if any(type(each) is not Parameter for each in given):
            raise TypeError("parameters have to be inspect.Parameter objects here")
        self._parameters = OrderedDict((each.name, each) for each in given)
        self._return_annotation = return_annotation

    @property
    def parameters(self) -> OrderedDict[str, Parameter]:
        return self._parameters

    @property
    def return_annotation(self) -> Any:
        return self._return_annotation

    def _bound(self, partial: bool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> BoundArguments:
        meter.charge(1 + len(self._parameters) + (len(args) + len(kwargs) >> 3))
        native = inspect.Signature(
            [
                inspect.Parameter(each.name, _NATIVE[each.kind], default=_native(each.default))
                for each in self._parameters.values()
            ]
        )
        found = (native.bind_partial if partial else native.bind)(*args, **kwargs)
        return BoundArguments(self, dict(found.arguments))

    def bind(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        return self._bound(False, args, kwargs)

    def bind_partial(self, /, *args: Any, **kwargs: Any) -> BoundArguments:
        return self._bound(True, args, kwargs)

    def __str__(self) -> str:
        shown: list[str] = []
        before: Any = None
        starred = False
        for parameter in self.parameters.values():
            kind = parameter.kind
            if before is Parameter.POSITIONAL_ONLY and kind is not before:
                shown.append("/")
            if kind is Parameter.KEYWORD_ONLY and not starred:
                shown.append("*")
            starred = starred or kind in (Parameter.VAR_POSITIONAL, Parameter.KEYWORD_ONLY)
            shown.append(str(parameter))
            before = kind
        if before is Parameter.POSITIONAL_ONLY:
            shown.append("/")
        returned = self.return_annotation
        return f"({', '.join(shown)})" + ("" if returned is _empty else f" -> {_annotation(returned)}")

    def __repr__(self) -> str:
        return f"<Signature {self}>"


class BoundArguments:
    """What the parameters of a signature are given."""

    __module__ = "inspect"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, signature: Signature, arguments: dict[str, Any]) -> None:
        self.signature, self.arguments = signature, arguments

    @property
    def args(self) -> tuple[Any, ...]:
        found: list[Any] = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY) or name not in self.arguments:
                break
            given = self.arguments[name]
            found += given if parameter.kind is Parameter.VAR_POSITIONAL else [given]
        return tuple(found)

    @property
    def kwargs(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        positional = True
        for name, parameter in self.signature.parameters.items():
            if parameter.kind in (Parameter.VAR_KEYWORD, Parameter.KEYWORD_ONLY):
                positional = False
            elif name not in self.arguments:
                positional = False
                continue
            if not positional and name in self.arguments:
                given = self.arguments[name]
                found.update(given if parameter.kind is Parameter.VAR_KEYWORD else {name: given})
        return found

    def apply_defaults(self) -> None:
        """Give what is not given its default."""
        empty: dict[Any, Any] = {Parameter.VAR_POSITIONAL: (), Parameter.VAR_KEYWORD: {}}
        self.arguments = {
            name: self.arguments.get(name, empty.get(parameter.kind, parameter.default))
            for name, parameter in self.signature.parameters.items()
            if name in self.arguments or parameter.kind in empty or parameter.default is not _empty
        }

    def __repr__(self) -> str:
        shown = ", ".join([f"{name}={represent(value)}" for name, value in self.arguments.items()])
        return f"<BoundArguments ({shown})>"


BoundArguments.__qualname__ = "BoundArguments"
_NATIVE = {mirrored: kind for kind, mirrored in _KINDS.items()}


def _native(default: Any) -> Any:
    return inspect.Parameter.empty if default is _empty else default


_NONE = {"return": None}
_PLAIN = (type(None), bool, int, float, complex, str, dtypes.dtype)


def _shown(default: Any) -> Any:
    """The default of one of our own functions, as far as it is anything to a program."""
    if isinstance(default, tuple):
        return tuple([_shown(each) for each in default])
    return default if type(default) in _PLAIN else Opaque("...")


def _described(found: inspect.Signature, bound: bool, annotations: dict[str, Any] | None) -> Signature:
    """The same for programs; `bound`: the first argument is given. Without `annotations` it is a function of ours."""
    meter.charge(len(found.parameters))

    def default(given: Any) -> Any:
        if given is inspect.Parameter.empty:
            return _empty
        return _shown(given) if annotations is None else given

    parameters = [
        Parameter(
            each.name,
            _KINDS[each.kind],
            default=default(each.default),
            annotation=(annotations or {}).get(each.name, _empty),
        )
        for each in found.parameters.values()
    ]
    if bound and parameters and parameters[0].kind is not Parameter.VAR_POSITIONAL:
        del parameters[0]
    return Signature(parameters, return_annotation=(annotations or {}).get("return", _empty))


def _unwrapped(function: Any) -> Any:
    """What `functools.wraps` says that a function stands for."""
    seen: set[int] = set()
    while isinstance(function, Function) and function.attributes and "__wrapped__" in function.attributes:
        meter.charge(1)
        if id(function) in seen:
            raise ValueError(f"wrapper loop when unwrapping {represent(function)}")
        seen.add(id(function))
        function = function.attributes["__wrapped__"]
    return function


def _of_function(function: Any, bound: bool) -> Signature | None:
    function = _unwrapped(function)
    if isinstance(function, Function):
        return _described(function.__signature__, bound, function.annotations or {})
    if isinstance(function, HostMethod) and isinstance(function.function, FunctionType):
        fields = function.function.__dict__.get("fields")
        if fields is not None:  # a dataclass made it
            return _described(signature_of(fields), bound, {field.name: field.type for field in fields} | _NONE)
    if isinstance(function, Unbound):
        function = function.function
    if isinstance(function, FunctionType) and not represent(function).startswith("<built-in"):
        return _described(inspect.signature(function), bound, None)
    return None


def _member(cls: type, name: str) -> Any:
    tables = [base.__dict__ for base in visible_mro(cls) if base is not object]
    return next((table[name] for table in tables if name in table), None)


def _of_class(cls: type) -> Signature | None:
    made = _member(cls, "__init__")
    if made is not None:
        return _of_function(made, True)
    return Signature() if made_here(cls) else None


def signature(obj: Any, /) -> Signature:
    """What a callable may be called with. Of PyTorch's functions there are names and defaults, no annotations."""
    meter.charge(2)
    if not callable_value(obj):
        raise TypeError(f"{represent(obj)} is not a callable object")
    found: Signature | None = None
    if isinstance(obj, MethodType):
        found = _of_function(obj.__func__, True)
    elif isinstance(obj, type):
        found = _of_class(obj)
    elif not isinstance(obj, Partial):
        found = _of_function(obj, False)
        if found is None and not isinstance(obj, Builtin | FunctionType):
            found = _of_function(_member(type(obj), "__call__"), True)
    if found is None:
        raise ValueError(f"no signature found for builtin {'type ' if _is_class(obj) else ''}{represent(obj)}")
    return found


def _is_function(obj: Any) -> bool:
    return isinstance(obj, Function) or isinstance(obj, FunctionType) and represent(obj).startswith("<function")


def _is_class(obj: Any) -> bool:
    return isinstance(obj, type) or isinstance(obj, Builtin) and repr(obj).startswith("<class")


def _doc(obj: Any) -> str | None:
    function = decorated(obj.__func__ if isinstance(obj, MethodType) else obj)
    text = function.doc if isinstance(function, Function) else None
    if isinstance(obj, type):
        text = obj.__dict__.get("__doc__")
    return _clean(text) if isinstance(text, str) else None


def _clean(doc: str) -> str:
    meter.check_length(8 * len(doc))  # a tab is eight spaces
    meter.charge(len(doc) >> 8)
    return inspect.cleandoc(doc)


def _members(obj: Any, predicate: Any = None) -> list[tuple[str, Any]]:
    """The attributes that `dir` lists, without special ones of which there is no value here."""
    found = []
    ways = (obj if isinstance(obj, type) else type(obj)).__mro__
    for name in listing(obj):
        meter.charge(1)
        if next((base.__dict__.get("__invisible__") for base in ways if name in base.__dict__), False):
            continue
        try:
            value = read(obj, name)
        except (AttributeError, NotImplementedError):
            continue
        if predicate is None or call(predicate, (value,), None):
            found.append((name, value))
    return found


_SPEC: Any = make_namedtuple(
    "FullArgSpec", ["args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults", "annotations"], {}
)


def _full_spec(func: Any) -> Any:
    if not callable_value(func):
        raise TypeError("unsupported callable")
    found = _of_function(func.__func__, False) if isinstance(func, MethodType) else signature(func)
    found = found or signature(func)
    of: dict[Any, list[Parameter]] = {kind: [] for kind in _KINDS.values()}
    for each in found.parameters.values():
        of[each.kind].append(each)
    named = of[Parameter.POSITIONAL_ONLY] + of[Parameter.POSITIONAL_OR_KEYWORD]
    only = of[Parameter.KEYWORD_ONLY]
    rest = {kind: next((each.name for each in of[kind]), None) for kind in (*_KINDS.values(),)}
    annotations = {each.name: each.annotation for each in found.parameters.values() if each.annotation is not _empty}
    if found.return_annotation is not _empty:
        annotations = {"return": found.return_annotation, **annotations}
    return _SPEC(
        [each.name for each in named], rest[Parameter.VAR_POSITIONAL], rest[Parameter.VAR_KEYWORD],
        tuple([each.default for each in named if each.default is not _empty]) or None, [each.name for each in only],
        {each.name: each.default for each in only if each.default is not _empty} or None, annotations,
    )  # fmt: skip


def _mro(cls: Any) -> tuple[Any, ...]:
    return tuple(read(cls, "__mro__"))


def _is_abstract(obj: Any) -> bool:
    return isinstance(obj, type) and bool(obj.__dict__.get("__abstract__"))


def _no_source(obj: Any) -> str:
    raise OSError("could not get source code")


_TESTS: dict[str, Callable[[Any], bool]] = {
    "isfunction": _is_function,
    "ismethod": lambda obj: isinstance(obj, MethodType),
    "isclass": _is_class,
    "ismodule": lambda obj: isinstance(obj, Module),
    "isgenerator": lambda obj: isinstance(obj, Generator),
    "isbuiltin": lambda obj: isinstance(obj, Builtin) and not isinstance(obj, HostMethod) and not _is_class(obj),
    "isabstract": _is_abstract,
    "isroutine": lambda obj: isinstance(obj, MethodType | Builtin) or _is_function(obj),
    "isgeneratorfunction": lambda obj: _runs_later(obj, "generator"),
    "iscoroutinefunction": lambda obj: False,
    "ismethoddescriptor": lambda obj: isinstance(obj, TypeMethod),
    "isdatadescriptor": lambda obj: not isinstance(obj, type) and hasattr(type(obj), "__set__"),
}


def _runs_later(value: Any, kind: str) -> bool:
    """Whether a function of the program gives something that runs its body: a generator."""
    function = getattr(value, "__func__", value)
    return type(function) is Function and hasattr(function.code, kind)


def _state(generator: Any) -> str:
    if type(generator) is not Generator:
        raise TypeError(f"'{type(generator).__name__}' object is no generator of the program")
    return inspect.getgeneratorstate(generator.running)


MODULES: dict[str, dict[str, Any]] = {
    "inspect": {
        "getgeneratorstate": Builtin("getgeneratorstate", _state),
        **{name: name for name in ("GEN_CREATED", "GEN_RUNNING", "GEN_SUSPENDED", "GEN_CLOSED")},
        **{name: Builtin(name, test) for name, test in _TESTS.items()},
        "signature": Builtin("signature", signature),
        "Signature": Signature,
        "Parameter": Parameter,
        "_empty": _empty,
        "BoundArguments": BoundArguments,
        "getmembers": Builtin("getmembers", _members),
        "getfullargspec": Builtin("getfullargspec", _full_spec),
        "getmro": Builtin("getmro", _mro),
        "unwrap": Builtin("unwrap", lambda func: _unwrapped(func)),
        "getdoc": Builtin("getdoc", _doc),
        "cleandoc": Builtin("cleandoc", _clean),
        "getsource": Builtin("getsource", _no_source),
        "getsourcelines": Builtin("getsourcelines", _no_source),
    }
}
