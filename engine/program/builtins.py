"""The built-in functions and types of the language.

Types are Python's own, so `isinstance`, `type(x) is int` and dictionaries keyed by type work; what happens when a
program calls one is in `CONSTRUCTORS`.
"""

from __future__ import annotations

import builtins
import itertools
import numbers
from collections import Counter, OrderedDict, abc, defaultdict, deque
from collections.abc import Callable, Iterator
from types import GenericAlias, MethodType, UnionType
from typing import Any

from engine.composites.storage import Storage
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import groups, namespace  # noqa: F401 - register exceptions, and `__dict__`
from engine.program import session as sessions
from engine.program.abstract import MIXINS
from engine.program.annotations import PROTOCOLS
from engine.program.arrays import KINDS, SCALARS, Array, Scalar
from engine.program.attributes import as_value, erase, passed_on, read, write
from engine.program.calls import CONSTRUCTORS, call, callable_value, host_callable
from engine.program.charges import (
    as_integer,
    clashed,
    coded,
    compared,
    grow,
    keyed,
    len_of_range,
    made,
    multiplied,
    scanned,
    written,
)
from engine.program.exceptions import EXCEPTIONS, Traceback, host_exception
from engine.program.files import opened
from engine.program.generators import Generator
from engine.program.hashing import note_all, stable_hash
from engine.program.kinds import (
    DUNDERS,
    ENGINE,
    MIXED,
    OWN,
    defines,
    hidden,
    is_dunder,
    is_extra,
    is_private,
    kind_of,
    reserved,
)
from engine.program.methods import comparing, offer, sorting
from engine.program.notebook import ENDED, SHOWN
from engine.program.operators import (
    NESTING,
    add,
    burning,
    finite,
    gather,
    guard,
    guard_key,
    inside,
    items,
    iterable_value,
    listed,
    pairs_clash,
    power,
    weigh,
    weighed,
)
from engine.program.shared import made_here
from engine.program.special import GUARDED
from engine.program.tables import ATTRIBUTES, DISPLAYS, LISTED, METHODS, NATIVES, READERS
from engine.program.text import convert, format_value, represent, to_text
from engine.program.values import TYPE, UNSET, Builtin, Module, Opaque, Silent, Super, SuperOf, TypeOf, name_as

_MAX_CHAIN = 60
"""How many lazy iterators may wrap each other: C code recurses through them."""


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


def _walked(iterable: Any) -> Any:
    """What an iterator is made around. Raises at once what asking for its items raises."""
    if isinstance(iterable, Tensor):
        return burning(iter(iterable))
    return finite(iterable)


def _around(iterables: tuple[Any, ...]) -> None:
    """Charge for an iterator that is made around many others."""
    if len(iterables) > 7:
        meter.charge(len(iterables) >> 3)


def _enumerate(iterable: Any, start: Any = 0) -> Any:
    made = _Enumerate(_walked(iterable), start)
    made.depth = chain_depth(iterable)
    return made


def _zip(*iterables: Any, strict: Any = False) -> Any:
    _around(iterables)
    made = _Zip(*map(_walked, iterables), strict=bool(strict))
    made.depth = max(map(chain_depth, iterables), default=1)
    return made


def _map(function: Any, *iterables: Any) -> Any:
    if not iterables:
        raise TypeError("map() must have at least two arguments.")
    _around(iterables)
    made = _Map(host_callable(function), *map(_walked, iterables))
    made.depth = max(map(chain_depth, iterables))
    return made


def _filter(function: Any, iterable: Any) -> Any:
    made = _Filter(None if function is None else host_callable(function), _walked(iterable))
    made.depth = chain_depth(iterable)
    return made


_MISSING = object()


def _iter(source: Any, sentinel: Any = _MISSING) -> Any:
    if sentinel is _MISSING:
        return iter(finite(source) if type(source) in (Generator, range) else source)
    if not callable_value(source):
        raise TypeError("iter(v, w): v must be callable")
    return burning(iter(host_callable(source), sentinel))


def _next(iterator: Any, *default: Any) -> Any:
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"'{type(iterator).__name__}' object is not an iterator")
    return next(iterator, *default)


# --- constructors


def _int(*args: Any, **kwargs: Any) -> int:
    if args and isinstance(args[0], str | bytes) and len(args[0]) > 63:
        scanned(64 * len(args[0]), min(len(args[0]), 512))
    made = int(*args, **kwargs)
    if made.bit_length() > 64:
        meter.check_bits(made.bit_length())
    return made


def _str(object: Any = "", *rest: Any, **named: Any) -> str:
    if rest or named:
        if isinstance(object, bytes):
            coded(len(object), rest[0] if rest else named.get("encoding", "utf-8"))
        return str(object, *rest, **named)
    return to_text(object)


def _only(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The iterable of `list(…)`, `set(…)` and their kin; empty without one. Raises TypeError as they do."""
    if kwargs:
        raise TypeError(f"{kind.__name__}() takes no keyword arguments")
    if len(args) > 1:
        raise TypeError(f"{kind.__name__} expected at most 1 argument, got {len(args)}")
    return args[0] if args else ()


def _collect(kind: Callable[..., Any]) -> Callable[..., Any]:
    def collect(*args: Any, **kwargs: Any) -> Any:
        return kind(listed(_only(kind, args, kwargs)))

    return collect


def _hashed(kind: Callable[..., Any]) -> Callable[..., Any]:
    def collect(*args: Any, **kwargs: Any) -> Any:
        gathered = items(_only(kind, args, kwargs))
        keyed(len(gathered))
        if type(gathered) is not str and type(gathered) is not range:
            guard(gathered)
            note_all(gathered)
            clashed(gathered, len(gathered))
        return kind(gathered)

    return collect


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    if len(args) > 1:
        raise TypeError(f"dict expected at most 1 argument, got {len(args)}")
    if args and not hasattr(type(args[0]), "keys"):
        args = (items(args[0]), *args[1:])
        pairs_clash(args[0])
        keyed(len(args[0]))
    elif args and isinstance(args[0], dict):
        gather(len(args[0]), args[0])
    made = dict(*args, **kwargs)
    meter.check_length(len(made))
    return made


def _number(kind: Callable[..., Any]) -> Callable[..., Any]:
    def convert(*args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], str):
            scanned(16 * len(args[0]))
        return kind(*args, **kwargs)

    return convert


def _bytes(value: Any = b"", *rest: Any) -> bytes:
    value = as_integer(value)
    if isinstance(value, int):
        grow(value)
    elif isinstance(value, Array):
        grow(value._array.nbytes)
        return bytes(value._array.tobytes())
    elif not iterable_value(value):
        return bytes(value, *rest)
    elif isinstance(value, str) and rest:
        coded(len(value), rest[0])
    return bytes(items(value) if not isinstance(value, int | str | bytes) else value, *rest)


def _range(*args: Any) -> range:
    made = range(*args)
    if len_of_range(made) > meter.length:
        sessions.active.arrays = True  # so that the engine is not given it unseen
    return made


def _reversed(values: Any) -> Any:
    if type(values) is range and len_of_range(values) > meter.length:
        return burning(reversed(values))
    return reversed(values)


def _property(*args: Any, **kwargs: Any) -> property:
    return property(*args, **kwargs)


CONSTRUCTORS |= {
    int: _int,
    float: _number(float),
    bool: bool,
    complex: _number(complex),
    str: _str,
    bytes: _bytes,
    list: _collect(list),
    tuple: _collect(tuple),
    set: _hashed(set),
    frozenset: _hashed(frozenset),
    dict: _dict,
    range: _range,
    slice: slice,
    object: object,
    property: _property,
    staticmethod: staticmethod,
    classmethod: classmethod,
    reversed: _reversed,
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
    if isinstance(start, bytes):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    values = finite(iterable)
    if hasattr(type(values), "__len__") and type(values) in _COUNTED:
        meter.charge(len(values) >> 4)
    at = state.position
    total = start
    for value in values:
        state.position = at
        total = add(total, value)
    return total


_COUNTED = frozenset({str, bytes, list, tuple, range, dict, set, frozenset})


def _weighed(item: Any) -> Any:
    kind = type(item)
    if kind in NESTING:
        found = inside(item)
        if len(found) > 8 or not NESTING.isdisjoint(map(type, found)):
            compared(weigh(item))
    elif kind is str:
        scanned(len(item))
    return item


def _extreme(native: Callable[..., Any]) -> Callable[..., Any]:
    def extreme(*args: Any, key: Any = None, **default: Any) -> Any:
        if key is not None:
            key = comparing(key, 1)
        if len(args) == 1:
            values = finite(args[0])
            if type(values) in (list, tuple):
                weighed(values) if key is None else guard(values)
            elif key is None:
                values = map(_weighed, values)
            return native(values, key=key, **default)
        guard(args)
        return native(*args, key=key, **default)

    return extreme


def _quantify(native: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def quantify(iterable: Any, /) -> bool:
        return native(finite(iterable))

    return quantify


def _sorted(iterable: Any, /, *, key: Any = None, reverse: Any = False) -> list[Any]:
    values = list(listed(iterable))
    guard(values)
    sorting(values, key is None)
    values.sort(key=None if key is None else comparing(key, len(values)), reverse=bool(reverse))
    return values


def _round(number: Any, ndigits: Any = None) -> Any:
    if ndigits is None:
        return round(number)
    ndigits = as_integer(ndigits)
    if type(number) in (int, bool) and isinstance(ndigits, int) and ndigits < -5000:
        return 0
    if isinstance(number, int) and isinstance(ndigits, int) and ndigits < 0:
        multiplied(8 * number.bit_length(), number.bit_length() - 4 * ndigits)
    return round(number, ndigits)


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return power(base, exp)
    if isinstance(base, int) and isinstance(exp, int) and isinstance(mod, int):
        width = mod.bit_length()
        for _ in range(2):  # a power takes two products of this size a bit, an inverse about as many
            multiplied(width, width * exp.bit_length() if exp.bit_length() > 8 or width > 64 else 0)
        multiplied(base.bit_length(), width)
        if exp < 0:
            multiplied(width, 64 * width)
    return pow(base, exp, mod)


def _digits(native: Callable[..., Any]) -> Callable[..., Any]:
    """Functions that look at a whole integer."""

    def show(value: Any) -> Any:
        if type(value) is int and value.bit_length() > 64:
            multiplied(value.bit_length(), 1)
        return native(value)

    return show


def _divmod(a: Any, b: Any, /) -> Any:
    if isinstance(a, int) and isinstance(b, int) and a.bit_length() > 64:
        multiplied(2 * a.bit_length(), b.bit_length())
    return divmod(a, b)


def _hash(value: Any) -> int:
    guard_key(value)
    if type(value) is str:
        scanned(len(value))
    return stable_hash(value)


def _id(value: Any) -> int:
    if isinstance(value, Storage):  # made anew each time that it is asked for: it is its memory that is compared
        value = value.memory
    return sessions.active.identity(value)


# --- classes and attributes


def _classinfo(kinds: Any, function: str, wanted: str) -> Any:
    if kinds is TYPE or kinds is type:
        return (type, TypeOf)
    if kinds is Array:
        return _ARRAYS
    if kinds is float or kinds is complex:  # which numpy's widest numbers are, too
        return (kinds, SCALARS["float64" if kinds is float else "complex128"])
    if isinstance(kinds, type):
        protocols = sessions.active.settings.get(PROTOCOLS)
        return kinds if protocols is None or kinds not in protocols else _Structure(kinds, *protocols[kinds])
    if type(kinds) is UnionType:
        return tuple([_classinfo(kind, function, wanted) for kind in kinds.__args__])
    if type(kinds) is GenericAlias:
        raise TypeError(f"{function}() argument 2 cannot be a parameterized generic")
    if type(kinds) is Opaque and kinds.args is not None:
        if kinds.name == "typing.Union":
            made(len(kinds.args))
            return tuple([_classinfo(kind, function, wanted) for kind in kinds.args])
        raise TypeError("Subscripted generics cannot be used with class and instance checks")
    if type(kinds) is Opaque:
        if kinds.name == "typing.Any":
            raise TypeError(f"typing.Any cannot be used with {function}()")
        return _ABSTRACT.get(kinds.name.rsplit(".", 1)[-1], object)
    raise TypeError(wanted)


def _alternatives(kinds: tuple[Any, ...]) -> Iterator[Any]:
    """The classes of a tuple from first to last; what it holds may be tuples as well."""
    guard(kinds)
    meter.charge(len(kinds) >> 2)
    for kind in kinds:
        if isinstance(kind, tuple):
            yield from _alternatives(kind)
        else:
            yield kind


class _Arrays:
    """`numpy.ndarray`, of which no number of numpy is one."""

    __slots__ = ()

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, Array) and not isinstance(value, Scalar)

    def __subclasscheck__(self, cls: type) -> bool:
        return issubclass(cls, Array) and not issubclass(cls, Scalar)


_ARRAYS = _Arrays()


class _Structure:
    """What `isinstance` asks of a protocol: whether a value has all its members."""

    __slots__ = ("cls", "names")

    def __init__(self, cls: type, names: frozenset[str], runtime: bool) -> None:
        if not runtime:
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        meter.charge(1 + len(names) // 4)
        self.cls, self.names = cls, sorted(names)

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, self.cls) or all([_hasattr(value, name) for name in self.names])

    def __subclasscheck__(self, cls: type) -> bool:
        return issubclass(cls, self.cls) or all([_hasattr(cls, name) for name in self.names])


def _abstract() -> dict[str, Any]:
    names = (
        "Iterable Iterator Sequence Mapping MutableMapping MutableSequence Sized Hashable Callable Container Collection"
        " Set MutableSet Reversible KeysView ValuesView ItemsView MappingView ByteString Awaitable Coroutine"
        " AsyncIterable AsyncIterator AsyncGenerator"
    )
    return {name: (getattr(abc, name), MIXINS.get(name, ())) for name in names.split()} | {
        "Dict": dict, "List": list, "Tuple": tuple, "FrozenSet": frozenset, "Deque": deque,
        "AbstractSet": (abc.Set, MIXINS["Set"]),
        "DefaultDict": defaultdict, "OrderedDict": OrderedDict, "Counter": Counter, "Type": (type, TypeOf),
        "Number": (numbers.Number, KINDS["number"]),
        "Complex": (numbers.Complex, KINDS["inexact"], KINDS["integer"]),
        "Real": (numbers.Real, KINDS["floating"], KINDS["integer"]),
        "Rational": (numbers.Rational, KINDS["integer"]), "Integral": (numbers.Integral, KINDS["integer"]),
        "Generator": (Iterator, MIXINS["Generator"]),
    }  # fmt: skip


_ABSTRACT = _abstract()


_ATTRIBUTES = namespace.Namespace
"""What stands for the dict of an object's attributes."""


def is_instance(value: Any, kinds: Any) -> bool:
    """`isinstance(value, kinds)`. Raises TypeError for what is no class, and for protocols that cannot be asked."""
    wanted = "isinstance() arg 2 must be a type, a tuple of types, or a union"
    mixed = getattr(type(value), "__mixed__", None)  # str of an enumeration's text
    for kind in _alternatives(kinds) if isinstance(kinds, tuple) else (kinds,):
        info = _classinfo(kind, "isinstance", wanted)
        if isinstance(value, info) or mixed is not None and issubclass(mixed, info):
            return True
        if info is dict and type(value) is _ATTRIBUTES:
            return True
    return False


def _issubclass(cls: Any, kinds: Any) -> bool:
    if not isinstance(cls, type):
        raise TypeError("issubclass() arg 1 must be a class")
    wanted = "issubclass() arg 2 must be a class, a tuple of classes, or a union"
    mixed = getattr(cls, "__mixed__", type(None))
    for kind in _alternatives(kinds) if isinstance(kinds, tuple) else (kinds,):
        info = _classinfo(kind, "issubclass", wanted)
        if issubclass(cls, info) or issubclass(mixed, info):
            return True
    return False


def _checked(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError("attribute name must be string, not '" + type(name).__name__ + "'")
    written(len(name))
    return name


def _getattr(value: Any, name: Any, *default: Any) -> Any:
    try:
        found = read(value, _checked(name))
        return as_value(found, name) if type(found) is MethodType else found
    except (AttributeError, NotImplementedError):
        if default:
            return default[0]
        raise


def _hasattr(value: Any, name: Any) -> bool:
    try:
        read(value, _checked(name))
    except (AttributeError, NotImplementedError):
        return False
    return True


def _setattr(value: Any, name: Any, new: Any) -> None:
    write(value, _checked(name), new)


def _delattr(value: Any, name: Any) -> None:
    erase(value, _checked(name))


def _vars(value: Any) -> Any:
    if isinstance(value, type):
        made(len(value.__dict__))
        return {key: item for key, item in value.__dict__.items() if made_here(value) and not is_dunder(key)}
    try:
        return read(value, "__dict__")
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None


def listing(value: Any) -> list[str]:
    """What `dir` lists."""
    if isinstance(value, Module):
        return sorted(value.names())
    kind = value if isinstance(value, type) else type(value)
    names = {*METHODS.get(kind, ()), *ATTRIBUTES.get(kind, ()), *LISTED.get(kind, ())}
    if kind not in METHODS and kind not in READERS:
        names |= {name for name in dir(value) if not is_dunder(name) or name in DUNDERS}
        names -= {name for name in names if not _listed(value, kind, name)}
    meter.charge(len(names) >> 3)
    return sorted(names)


def _listed(value: Any, kind: type, name: str) -> bool:
    """Whether `dir` names an attribute: one that a program can read."""
    if is_dunder(name):
        return True
    if passed_on(value, name):
        return _listed(value._orig_mod, type(value._orig_mod), name)
    if kind_of(kind) != ENGINE:
        return not is_private(kind, name)
    if defines(kind, name):
        return True
    if name.startswith("_"):
        return is_extra(kind, name) or name.startswith(("_saved_", "_raw_saved_")) or name not in reserved(kind)
    return name not in hidden(kind)


class UnboundSuper:
    """What `super(cls)` gives: it has nothing to offer but an `__init__` that does nothing."""

    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, owner: Any = object) -> None:
        self._owner = owner

    def __repr__(self) -> str:
        return f"<super: <class '{self._owner.__name__}'>, NULL>"


name_as(UnboundSuper, "super")


def _super(owner: Any = UNSET, instance: Any = UNSET) -> Super | UnboundSuper:
    if owner is UNSET:
        raise RuntimeError("super(): no arguments")
    if not isinstance(owner, type) or kind_of(owner) not in (OWN, ENGINE, MIXED):
        raise TypeError(f"super() argument 1 must be a type, not {type(owner).__name__}")
    if instance is UNSET:
        return UnboundSuper(owner)
    return Super(owner, instance)


# --- text


def _print(*values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: Any = False, **unknown: Any) -> None:
    for name in unknown:
        raise TypeError(f"'{name}' is an invalid keyword argument for print()")
    for name, text in (("sep", sep), ("end", end)):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name} must be None or a string, not {type(text).__name__}")
    between, last = " " if sep is None else sep, "\n" if end is None else end
    if file is not None and type(file) is not Module:
        _print_to(read(file, "write"), values, between, last)
        return
    texts: list[str] = []
    try:
        for value in values:
            texts.append(to_text(value))
    except Exception:  # what stands before it is written by now
        _write(between.join([*texts, ""]), file)
        raise
    _write(between.join(texts) + last, file)


def _write(text: str, file: Module | None) -> None:
    grow(len(text))
    if file is None or file.name != "sys.stderr":
        sessions.active.write(text)


def _print_to(write: Any, values: tuple[Any, ...], between: str, last: str) -> None:
    """Each value is written by itself, as CPython does."""
    for place, value in enumerate(values):
        if place and between:
            call(write, (between,), None)
        call(write, (to_text(value),), None)
    if last:
        call(write, (last,), None)


def _display(*values: Any) -> None:
    """What notebooks know: every value as its cell would show it."""
    for value in values:
        _show(value)


def _show(value: Any) -> None:
    if value is not None and type(value) is not Silent:
        _print(represent(value))
        display = DISPLAYS.get(type(value))
        if display is not None:
            display(value)


def _end_cell() -> None:
    """What a notebook does after a cell: it shows the figures that are open."""
    if sessions.active.figures is not None:
        sessions.active.figures.show_all("cell")


def _get_ipython() -> Silent:
    if not sessions.active.notebook:
        raise NameError("name 'get_ipython' is not defined")
    return Silent("get_ipython()")


def _input(prompt: Any = "", /) -> str:
    raise EOFError("input() cannot ask anybody here: put the value into the program")


def _unavailable(name: str, why: str) -> Builtin:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NameError(f"name '{name}' is not defined here: {why}")

    return Builtin(name, refuse)


def _exit(code: Any = None) -> None:
    raise host_exception(EXCEPTIONS["SystemExit"](code))


def _format(value: Any, spec: Any = "", /) -> str:
    if not isinstance(spec, str):
        raise TypeError(f"format() argument 2 must be str, not {type(spec).__name__}")
    return format_value(value, spec)


def _builtin(name: str, function: Callable[..., Any] | None = None) -> Builtin:
    return Builtin(name, function if function is not None else getattr(builtins, name))


BUILTINS: dict[str, Any] = {
    name: _builtin(name, function)
    for name, function in {
        "abs": abs, "all": _quantify(all), "any": _quantify(any), "ascii": lambda value: convert(value, "a"),
        "bin": _digits(bin), "callable": callable_value, "chr": None, "delattr": _delattr, "dir": listing,
        "divmod": _divmod,
        "exit": _exit, "quit": _exit, "format": _format, "getattr": _getattr, "hasattr": _hasattr, "hash": _hash,
        "hex": _digits(hex), "id": _id, "input": _input, "isinstance": is_instance,
        "issubclass": _issubclass, "iter": _iter,
        "len": len, "max": _extreme(max), "min": _extreme(min), "next": _next, "oct": _digits(oct), "ord": None,
        "pow": _pow, "print": _print, "repr": represent, "round": _round,
        "setattr": _setattr, "sorted": _sorted, "sum": _sum, "vars": _vars,
    }.items()
}  # fmt: skip
_PYTHONS = (
    "all any ascii bin callable delattr dir divmod format getattr hasattr hash hex id input isinstance issubclass iter"
    " len max min next oct pow repr round setattr sorted sum"
)
NATIVES |= {BUILTINS[name].function: getattr(builtins, name) for name in _PYTHONS.split()}
NATIVES |= {maker: getattr(builtins, kind.__name__) for kind, maker in CONSTRUCTORS.items()}
NATIVES[opened] = open
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
    "super": SuperOf("super", _super),
    "NotImplemented": NotImplemented,
    "Ellipsis": ...,
    "__name__": "__main__",
    "__file__": "program.py",
    "__doc__": None,
    "__debug__": True,
    "open": Builtin("open", opened),
    "eval": _unavailable("eval", "programs cannot run text as code"),
    "exec": _unavailable("exec", "programs cannot run text as code"),
    "compile": _unavailable("compile", "programs cannot run text as code"),
    "__import__": _unavailable("__import__", "use an import statement"),
    "display": Builtin("display", _display),
    "get_ipython": Builtin("get_ipython", _get_ipython),
    SHOWN: Builtin(SHOWN, _show),
    ENDED: Builtin(ENDED, _end_cell),
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


def _operation(builtin: Any) -> Callable[..., Any]:
    return lambda *args: call(builtin, args, None)


for _name in "len iter next hash repr str bool int float abs format round divmod reversed complex".split():
    GUARDED[f"__{_name}__"] = _operation(BUILTINS[_name])

offer(Traceback, {}, "tb_lineno tb_next", {})
