"""The built-in functions and types of the language.

Types are Python's own, so `isinstance`, `type(x) is int` and dictionaries keyed by type work; what happens when a
program calls one is in `CONSTRUCTORS`.
"""

from __future__ import annotations

import builtins
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from engine.limits import meter
from engine.node import Node
from engine.program import session as sessions
from engine.program.attributes import READERS as _READERS
from engine.program.attributes import erase, read, write
from engine.program.calls import CALLERS, call, callable_value, host_callable
from engine.program.exceptions import EXCEPTIONS
from engine.program.kinds import DUNDERS, ENGINE, MIXED, OWN, is_dunder, kind_of, reserved
from engine.program.methods import ATTRIBUTES, METHODS
from engine.program.namespace import METHODS_OF_NAMESPACE, Namespace
from engine.program.operators import SEQUENCES, add, burning, finite, grow, guard, guard_key, items, power
from engine.program.special import class_of_value
from engine.program.text import convert, format_value, represent, to_text
from engine.program.values import UNSET, Builtin, Module, Opaque, Super, name_as
from engine.state import state

METHODS[Namespace] = METHODS_OF_NAMESPACE

_MAX_CHAIN = 60
"""How many lazy iterators may wrap each other: C code recurses through them."""


class TypeOf(Builtin):
    """The name `type`: says what something is. It makes no classes, and no metaclass derives from it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<class 'type'>"

    def __or__(self, other: Any) -> Opaque:
        return Opaque("type")

    def __getitem__(self, item: Any) -> Opaque:
        return Opaque("type")


name_as(TypeOf, "type")


def _type(value: Any, *more: Any) -> Any:
    if more:
        raise TypeError("type() with three arguments is not run here: write a class statement")
    return class_of_value(value)


TYPE = TypeOf("type", _type)
CALLERS[TypeOf] = CALLERS[Builtin]


# --- lazy iterators that know how deep they are nested


def chain_depth(source: Any) -> int:
    """How many iterators a new one around `source` is made of. Raises RecursionError when they are too many."""
    depth = getattr(source, "depth", 0) if hasattr(type(source), "__next__") else 0
    if depth >= _MAX_CHAIN:
        raise RecursionError("maximum recursion depth exceeded: too many iterators inside each other")
    return int(depth) + 1


class _Enumerate(enumerate[Any]):
    __slots__ = ("depth",)
    depth: int


class _Zip(zip):  # type: ignore[type-arg]
    __slots__ = ("depth",)
    depth: int


class _Map(map):  # type: ignore[type-arg]
    __slots__ = ("depth",)
    depth: int


class _Filter(filter):  # type: ignore[type-arg]
    __slots__ = ("depth",)
    depth: int


for _lazy, _shown in ((_Enumerate, "enumerate"), (_Zip, "zip"), (_Map, "map"), (_Filter, "filter")):
    name_as(_lazy, _shown)
_LAZY: frozenset[type] = frozenset({_Enumerate, _Zip, _Map, _Filter})


def _enumerate(iterable: Any, start: Any = 0) -> Any:
    made = _Enumerate(finite(iterable), start)
    made.depth = chain_depth(iterable)
    return made


def _zip(*iterables: Any, strict: Any = False) -> Any:
    made = _Zip(*map(finite, iterables), strict=bool(strict))
    made.depth = max(map(chain_depth, iterables), default=1)
    return made


def _map(function: Any, *iterables: Any) -> Any:
    if not iterables:
        raise TypeError("map() must have at least two arguments.")
    made = _Map(host_callable(function), *map(finite, iterables))
    made.depth = max(map(chain_depth, iterables))
    return made


def _filter(function: Any, iterable: Any) -> Any:
    made = _Filter(None if function is None else host_callable(function), finite(iterable))
    made.depth = chain_depth(iterable)
    return made


_MISSING = object()


def _iter(source: Any, sentinel: Any = _MISSING) -> Any:
    if sentinel is _MISSING:
        return iter(finite(source))
    return burning(iter(host_callable(source), sentinel))


def _next(iterator: Any, *default: Any) -> Any:
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"'{type(iterator).__name__}' object is not an iterator")
    return next(iterator, *default)


# --- constructors


def _int(*args: Any, **kwargs: Any) -> int:
    made = int(*args, **kwargs)
    if made.bit_length() > 64:
        meter.check_bits(made.bit_length())
    return made


def _str(value: Any = "", *rest: Any) -> str:
    if rest:
        return str(value, *rest)
    return to_text(value)


def _only(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The iterable of `list(…)`, `set(…)` and their kin; empty without one. Raises TypeError as they do."""
    if kwargs:
        raise TypeError(f"{kind.__name__}() takes no keyword arguments")
    if len(args) > 1:
        raise TypeError(f"{kind.__name__} expected at most 1 argument, got {len(args)}")
    return args[0] if args else ()


def _collect(kind: Callable[..., Any]) -> Callable[..., Any]:
    def collect(*args: Any, **kwargs: Any) -> Any:
        return kind(items(_only(kind, args, kwargs)))

    return collect


def _hashed(kind: Callable[..., Any]) -> Callable[..., Any]:
    def collect(*args: Any, **kwargs: Any) -> Any:
        gathered = items(_only(kind, args, kwargs))
        guard(gathered) if type(gathered) is not str and type(gathered) is not range else None
        return kind(gathered)

    return collect


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    if args and not hasattr(type(args[0]), "keys"):
        args = (items(args[0]), *args[1:])
    made = dict(*args, **kwargs)
    grow(len(made))
    return made


def _bytes(value: Any = b"", *rest: Any) -> bytes:
    if isinstance(value, int):
        grow(value)
    return bytes(items(value) if not isinstance(value, int | str | bytes) else value, *rest)


def _property(*args: Any, **kwargs: Any) -> property:
    return property(*args, **kwargs)


CONSTRUCTORS: dict[Any, Callable[..., Any]] = {
    int: _int,
    float: float,
    bool: bool,
    complex: complex,
    str: _str,
    bytes: _bytes,
    list: _collect(list),
    tuple: _collect(tuple),
    set: _hashed(set),
    frozenset: _hashed(frozenset),
    dict: _dict,
    range: range,
    slice: slice,
    object: object,
    property: _property,
    staticmethod: staticmethod,
    classmethod: classmethod,
    reversed: reversed,
    _Enumerate: _enumerate,
    _Zip: _zip,
    _Map: _map,
    _Filter: _filter,
}
METHODS.setdefault(object, {})


# --- numbers and collections


def _sum(iterable: Any, /, start: Any = 0) -> Any:
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    values = finite(iterable)
    if type(values) in SEQUENCES or type(values) is range:
        meter.charge(len(values) >> 3)
    at = state.position
    total = start
    for value in values:
        state.position = at
        total = add(total, value)
    return total


def _extreme(native: Callable[..., Any]) -> Callable[..., Any]:
    def extreme(*args: Any, key: Any = None, **default: Any) -> Any:
        if key is not None:
            key = host_callable(key)
        if len(args) == 1:
            values = finite(args[0])
            if type(values) in (list, tuple):
                guard(values)
                meter.charge(len(values) >> 4)
            elif type(values) is range:
                meter.charge(len(values) >> 4)
            return native(values, key=key, **default)
        guard(args)
        return native(*args, key=key, **default)

    return extreme


def _quantify(native: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def quantify(iterable: Any, /) -> bool:
        return native(finite(iterable))

    return quantify


def _sorted(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    values = list(items(iterable))
    guard(values)
    meter.charge(len(values) >> 3)
    values.sort(key=None if key is None else host_callable(key), reverse=bool(reverse))
    return values


def _round(number: Any, ndigits: Any = None) -> Any:
    if ndigits is None:
        return round(number)
    if type(number) in (int, bool) and isinstance(ndigits, int) and ndigits < -5000:
        return 0
    return round(number, ndigits)


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    return power(base, exp) if mod is None else pow(base, exp, mod)


def _hash(value: Any) -> int:
    guard_key(value)
    return hash(value)


def _id(value: Any) -> int:
    return sessions.active.identity(value)


# --- classes and attributes


def _classinfo(kinds: Any) -> Any:
    if isinstance(kinds, tuple):
        guard(kinds)
        return tuple(_classinfo(kind) for kind in kinds)
    if kinds is TYPE:
        return (type, TypeOf)
    if isinstance(kinds, type) or type(kinds).__name__ == "UnionType":
        return kinds
    if type(kinds) is Opaque:
        return _ABSTRACT.get(kinds.name.rsplit(".", 1)[-1], object)
    if isinstance(kinds, Builtin):
        raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")
    raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")


def _abstract() -> dict[str, Any]:
    import collections.abc as abstract

    names = (
        "Iterable Iterator Sequence Mapping MutableMapping MutableSequence Sized Hashable Callable Container Collection"
        " Set"
    )
    return {name: getattr(abstract, name) for name in names.split()} | {
        "Dict": dict, "List": list, "Tuple": tuple, "Number": (int, float, complex), "Real": (int, float),
        "Integral": int, "Generator": Iterator,
    }  # fmt: skip


_ABSTRACT = _abstract()


def _isinstance(value: Any, kinds: Any) -> bool:
    info = _classinfo(kinds)
    mixed = getattr(type(value), "__mixed__", None)  # str of an enumeration's text
    return isinstance(value, info) or mixed is not None and (mixed is info or isinstance(info, tuple) and mixed in info)


def _issubclass(cls: Any, kinds: Any) -> bool:
    if not isinstance(cls, type):
        raise TypeError("issubclass() arg 1 must be a class")
    return issubclass(cls, _classinfo(kinds))


def _checked(name: Any, function: str) -> str:
    if not isinstance(name, str):
        raise TypeError(
            f"{function}(): attribute name must be string"
            if function == "hasattr"
            else "attribute name must be string, not '" + type(name).__name__ + "'"
        )
    return name


def _getattr(value: Any, name: Any, *default: Any) -> Any:
    try:
        return read(value, _checked(name, "getattr"))
    except (AttributeError, NotImplementedError):
        if default:
            return default[0]
        raise


def _hasattr(value: Any, name: Any) -> bool:
    try:
        read(value, _checked(name, "hasattr"))
    except (AttributeError, NotImplementedError):
        return False
    return True


def _setattr(value: Any, name: Any, new: Any) -> None:
    write(value, _checked(name, "setattr"), new)


def _delattr(value: Any, name: Any) -> None:
    erase(value, _checked(name, "delattr"))


def _vars(value: Any) -> Any:
    if isinstance(value, type):
        return {
            key: item for key, item in value.__dict__.items() if "__program__" in value.__dict__ and not is_dunder(key)
        }
    if isinstance(value, Module):
        return {name: read(value, name) for name in value.names()}
    return read(value, "__dict__")


def _dir(value: Any) -> list[str]:
    if isinstance(value, Module):
        return sorted(value.names())
    if isinstance(value, Node) and value.op is not None:
        return dir(value)
    kind = value if isinstance(value, type) else type(value)
    names = set(METHODS.get(kind, ())) | set(ATTRIBUTES.get(kind, ()))
    if kind not in METHODS and kind not in _READERS:
        names |= {name for name in dir(value) if not name.startswith("_") or name in DUNDERS}
        if kind_of(kind) == ENGINE:
            hidden = reserved(kind)
            names = {name for name in names if not name.startswith("_") or name not in hidden}
    return sorted(names)


def _super(owner: Any = UNSET, instance: Any = UNSET) -> Super:
    if owner is UNSET:
        raise RuntimeError("super(): no arguments")
    if not isinstance(owner, type) or kind_of(owner) not in (OWN, ENGINE, MIXED):
        raise TypeError(f"super() argument 1 must be a type, not {type(owner).__name__}")
    if instance is UNSET:
        raise TypeError("super(cls) without an instance is not run here")
    return Super(owner, instance)


# --- text


def _print(
    *values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False, **unknown: Any
) -> None:
    for name in unknown:
        raise TypeError(f"'{name}' is an invalid keyword argument for print()")
    for name, text in (("sep", sep), ("end", end)):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name} must be None or a string, not {type(text).__name__}")
    between, last = " " if sep is None else sep, "\n" if end is None else end
    if file is not None and type(file) is not Module:
        _print_to(read(file, "write"), values, between, last)
        return
    line = between.join([to_text(value) for value in values]) + last
    grow(len(line))
    if file is None or file.name != "sys.stderr":
        sessions.active.write(line)


def _print_to(write: Any, values: tuple[Any, ...], between: str, last: str) -> None:
    """Each value is written by itself, as CPython does."""
    for place, value in enumerate(values):
        if place and between:
            call(write, (between,), None)
        call(write, (to_text(value),), None)
    if last:
        call(write, (last,), None)


def _input(*prompt: Any) -> str:
    raise EOFError("input() cannot ask anybody here: put the value into the program")


def _unavailable(name: str, why: str) -> Builtin:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NameError(f"name '{name}' is not defined here: {why}")

    return Builtin(name, refuse)


def _open(file: Any, mode: Any = "r", *args: Any, **kwargs: Any) -> Any:
    name = represent(file)
    if isinstance(mode, str) and not set(mode) & set("wax+"):
        raise FileNotFoundError(f"[Errno 2] No such file or directory: {name} (programs have no files here)")
    raise PermissionError(f"[Errno 13] Permission denied: {name} (programs have no files here)")


def _exit(*args: Any) -> None:
    from engine.program.exceptions import host_exception

    raise host_exception(EXCEPTIONS["SystemExit"](*args))


def _format(value: Any, spec: Any = "") -> str:
    return format_value(value, spec)


def _builtin(name: str, function: Callable[..., Any] | None = None) -> Builtin:
    return Builtin(name, function if function is not None else getattr(builtins, name))


BUILTINS: dict[str, Any] = {
    name: _builtin(name, function)
    for name, function in {
        "abs": abs, "all": _quantify(all), "any": _quantify(any), "ascii": lambda value: convert(value, "a"),
        "bin": None, "callable": callable_value, "chr": None, "delattr": _delattr, "dir": _dir, "divmod": None,
        "exit": _exit, "quit": _exit, "format": _format, "getattr": _getattr, "hasattr": _hasattr, "hash": _hash,
        "hex": None, "id": _id, "input": _input, "isinstance": _isinstance, "issubclass": _issubclass, "iter": _iter,
        "len": len, "max": _extreme(max), "min": _extreme(min), "next": _next, "oct": None, "ord": None,
        "pow": _pow, "print": _print, "repr": represent, "round": _round,
        "setattr": _setattr, "sorted": _sorted, "sum": _sum, "super": _super, "vars": _vars,
    }.items()
}  # fmt: skip
BUILTINS |= {
    kind.__name__: kind
    for kind in (
        int, float, bool, complex, str, bytes, list, tuple, set, frozenset, dict, range, slice, object, property,
        staticmethod, classmethod, reversed, _Enumerate, _Zip, _Map, _Filter,
    )
}  # fmt: skip
BUILTINS |= EXCEPTIONS
BUILTINS |= {
    "type": TYPE,
    "NotImplemented": NotImplemented,
    "Ellipsis": ...,
    "__name__": "__main__",
    "__file__": "program.py",
    "__doc__": None,
    "__debug__": True,
    "open": Builtin("open", _open),
    "eval": _unavailable("eval", "programs cannot run text as code"),
    "exec": _unavailable("exec", "programs cannot run text as code"),
    "compile": _unavailable("compile", "programs cannot run text as code"),
    "__import__": _unavailable("__import__", "use an import statement"),
    "breakpoint": Builtin("breakpoint", lambda *args, **kwargs: None),
    "help": Builtin("help", lambda *args: None),
}

_SOURCES: list[Any] = [
    iter([]), iter(()), iter(""), iter(b""), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(range(0)),
    iter(range(1 << 70)), reversed([]), reversed({}), reversed({}.values()), reversed({}.items()), {}.keys(),
    {}.values(), {}.items(), reversed(OrderedDict()), burning(()), itertools.chain(), iter(int, 0), reversed(()),
    enumerate(()), zip(), map(str, ()), filter(None, ()),
]  # fmt: skip
_ORDERED: OrderedDict[Any, Any] = OrderedDict()
for _view in (_ORDERED.keys(), _ORDERED.values(), _ORDERED.items()):
    _SOURCES += [_view, iter(_view)]
ITERATORS: frozenset[type] = frozenset(map(type, _SOURCES)) | _LAZY
"""Iterators and views that a program may hold; they have no attributes."""
