"""`collections`."""

from __future__ import annotations

import keyword
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.abstract import MutableMapping
from engine.program.annotations import named
from engine.program.calls import CONSTRUCTORS, host_callable
from engine.program.charges import clashed, copied, grow, keyed, made
from engine.program.operators import gather, guard, guard_key, items, pairs_clash
from engine.program.stdlib.collections_wrapping import UserDict, UserList, UserString
from engine.program.tables import METHODS
from engine.program.text import represent, to_text
from engine.program.values import Builtin, Constructor, HostMethod, Module, TupleGetter


def _ordered(*args: Any, **kwargs: Any) -> Any:
    return OrderedDict(*(_pairs(arg) for arg in args), **kwargs)


def _pairs(source: Any) -> Any:
    if hasattr(type(source), "keys"):
        if isinstance(source, dict):
            gather(2 * len(source), source)
        return source
    pairs = items(source)
    pairs_clash(pairs)
    keyed(2 * len(pairs))
    return pairs


def _defaultdict(factory: Any = None, *args: Any, **kwargs: Any) -> Any:
    if factory is not None and isinstance(factory, int | float | str | list | tuple | dict):
        raise TypeError("first argument must be callable or None")
    if factory is not None and not isinstance(factory, type):
        factory = host_callable(factory)
    elif factory is not None and factory in CONSTRUCTORS:
        factory = _Factory(factory)
    return defaultdict(factory, *(_pairs(arg) for arg in args), **kwargs)


class _Factory:
    """A default factory that makes values the checked way and shows itself as the type it stands for."""

    __slots__ = ("kind",)

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def __call__(self) -> Any:
        return CONSTRUCTORS[self.kind]()

    def __repr__(self) -> str:
        return repr(self.kind)


def _counter(iterable: Any = None, /, **kwargs: Any) -> Any:
    if iterable is None:
        return Counter(**kwargs)
    counted = iterable if isinstance(iterable, dict) else items(iterable)
    keyed(len(counted))
    if type(counted) is not str:
        guard(counted)
        clashed(counted, len(counted))
    return Counter(counted, **kwargs)


def _deque(iterable: Any = (), maxlen: Any = None) -> Any:
    return deque(items(iterable), maxlen)


CONSTRUCTORS[OrderedDict] = _ordered
CONSTRUCTORS[defaultdict] = _defaultdict
CONSTRUCTORS[Counter] = _counter
CONSTRUCTORS[deque] = _deque


class ChainMap(MutableMapping):
    """`collections.ChainMap`: several dicts seen as one; what is written goes to the first."""

    __module__ = "collections"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *maps: Any) -> None:
        copied(2 * len(maps))
        self.maps = list(maps) or [{}]

    def _merged(self) -> dict[Any, Any]:
        merged: dict[Any, Any] = {}
        meter.charge(1 + len(self.maps))
        for mapping in reversed(self.maps):
            gather(2 * (len(merged) + len(mapping)), mapping)
            merged.update(mapping)
        return merged

    def __getitem__(self, key: Any) -> Any:
        guard_key(key)
        meter.charge(1 + len(self.maps) // 8)
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        raise KeyError(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        guard_key(key)
        self.maps[0][key] = value

    def __delitem__(self, key: Any) -> None:
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {represent(key)}")
        del self.maps[0][key]

    def __contains__(self, key: Any) -> bool:
        guard_key(key)
        meter.charge(1 + len(self.maps) // 8)
        return any(key in mapping for mapping in self.maps)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._merged())

    def __len__(self) -> int:
        return len(self._merged())

    def __repr__(self) -> str:
        return f"ChainMap({', '.join(map(represent, self.maps))})"

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key in self else default

    def keys(self) -> Any:
        return self._merged().keys()

    def values(self) -> Any:
        return self._merged().values()

    def items(self) -> Any:
        return self._merged().items()

    def pop(self, key: Any, *default: Any) -> Any:
        guard_key(key)
        if key not in self.maps[0]:
            if default:
                return default[0]
            raise KeyError(f"Key not found in the first mapping: {represent(key)}")
        return self.maps[0].pop(key)

    def popitem(self) -> Any:
        if not self.maps[0]:
            raise KeyError("No keys found in the first mapping.")
        return self.maps[0].popitem()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        self.maps[0].clear()

    def copy(self) -> ChainMap:
        return ChainMap(dict(self.maps[0]), *self.maps[1:])

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, dict | ChainMap):
            return NotImplemented
        joined = self.copy()
        joined.maps[0].update(_pairs(other._merged() if isinstance(other, ChainMap) else other))
        return joined

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, dict | ChainMap):
            return NotImplemented
        return self._merged() == (other._merged() if isinstance(other, ChainMap) else other)

    __hash__ = None  # type: ignore[assignment]

    def update(self, other: Any = (), **named: Any) -> None:
        for key, value in dict(_pairs(other), **named).items():
            self[key] = value

    def new_child(self, m: Any = None, **named: Any) -> ChainMap:
        return ChainMap({**(m or {}), **named} if named or m is None else m, *self.maps)

    @property
    def parents(self) -> ChainMap:
        return ChainMap(*self.maps[1:])


class NamedTuple(tuple[Any, ...]):
    """The base of the classes `namedtuple` makes."""

    __slots__ = ()
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] = ()
    _fields: tuple[str, ...] = ()
    _field_defaults: dict[str, Any] = {}

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={represent(value)}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({inside})"


def _as_dict(self: NamedTuple) -> dict[str, Any]:
    made(len(self))
    return dict(zip(self._fields, self, strict=True))


def _replace(self: NamedTuple, /, **kwargs: Any) -> Any:
    values = {**_as_dict(self), **kwargs}
    if len(values) > len(self):
        raise ValueError(f"Got unexpected field names: {[name for name in kwargs if name not in self._fields]!r}")
    return type(self)(*values.values())


def _make(cls: Any, iterable: Any) -> Any:
    values = items(iterable)
    if len(values) != len(cls._fields):
        raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(values)}")
    return cls(*values)


def _constructor(name: str, defaults: dict[str, Any]) -> Constructor:
    """`__new__` of a named tuple."""

    def construct(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        return _construct(cls, constructor.defaults, args, kwargs)

    constructor = Constructor(name, construct, tuple(defaults.values()))
    return constructor


def _construct(cls: Any, defaults: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    fields = cls._fields
    made(3 * len(fields))
    if len(args) > len(fields):
        most, least = len(fields) + 1, len(fields) + 1 - len(defaults)
        takes = f"{most}" if most == least else f"from {least} to {most}"
        raise TypeError(f"{cls.__name__}.__new__() takes {takes} positional arguments but {len(args) + 1} were given")
    values = dict(zip(fields, args, strict=False))
    for name, value in kwargs.items():
        if name in values:
            raise TypeError(f"{cls.__name__}.__new__() got multiple values for argument '{name}'")
        if name not in fields:
            raise TypeError(f"{cls.__name__}.__new__() got an unexpected keyword argument '{name}'")
        values[name] = value
    if len(values) < len(fields):
        for name, value in zip(reversed(fields), reversed(defaults), strict=False):
            values.setdefault(name, value)
        missing = [name for name in fields if name not in values]
        if missing:
            quoted = ", ".join(f"'{name}'" for name in missing[:-1])
            quoted += f"{',' * (len(missing) > 2)} and " * (len(missing) > 1) + f"'{missing[-1]}'"
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(
                f"{cls.__name__}.__new__() missing {len(missing)} required positional argument{plural}: {quoted}"
            )
    return tuple.__new__(cls, [values[name] for name in fields])


def make_namedtuple(
    name: str, fields: list[str], defaults: dict[str, Any], members: dict[str, Any] | None = None,
    rename: bool = False,
) -> type:  # fmt: skip
    """A tuple class with named fields."""
    meter.charge(8 + len(fields))
    for word in (name, *fields):
        if not word.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {word!r}")
        if keyword.iskeyword(word):
            raise ValueError(f"Type names and field names cannot be a keyword: {word!r}")
    for field in fields:
        if field.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {field!r}")
    if len(set(fields)) < len(fields):
        twice = next(field for field, count in Counter(fields).items() if count > 1)
        raise ValueError(f"Encountered duplicate field name: {twice!r}")
    body: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"{name}({', '.join(fields)})",
        "__module__": "__main__",
        "__program__": sessions.active,
        "__match_args__": tuple(fields),
        "_fields": tuple(fields),
        "_field_defaults": defaults,
        "_asdict": HostMethod("_asdict", _as_dict),
        "_replace": HostMethod("_replace", _replace),
        "_make": classmethod(_make),
        "__new__": _constructor(name, defaults),
        **{field: TupleGetter(index) for index, field in enumerate(fields)},
        **(members or {}),
    }
    made = type(name, (NamedTuple,), body)
    sessions.active.contains(made)
    return made


def _fits(name: str) -> bool:
    """Whether a field can have a name."""
    return name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def _namedtuple(
    typename: Any, field_names: Any, *, rename: bool = False, defaults: Any = None, module: Any = None
) -> type:
    named = field_names.replace(",", " ").split() if isinstance(field_names, str) else items(field_names)
    fields = [to_text(field) for field in named]
    grow(len(fields))
    if rename:
        fields = [name if _fits(name) and name not in fields[:i] else f"_{i}" for i, name in enumerate(fields)]
        meter.charge(len(fields) ** 2 >> 8)
    given = list(items(defaults)) if defaults is not None else []
    if len(given) > len(fields):
        raise TypeError("Got more default values than field names")
    by_name = dict(zip(fields[len(fields) - len(given) :], given, strict=True))
    return make_namedtuple(to_text(typename), fields, by_name, rename=bool(rename))


_ABSTRACT = (
    "Iterable Iterator Sequence Mapping MutableMapping MutableSequence Sized Hashable Callable Container Collection Set"
    " Generator MutableSet Reversible KeysView ValuesView ItemsView MappingView ByteString Awaitable Coroutine"
    " AsyncIterable AsyncIterator AsyncGenerator"
)
_ABC = Module.of("collections.abc", {name: named(f"collections.abc.{name}") for name in _ABSTRACT.split()})
MODULES: dict[str, Any] = {
    "collections": {
        "abc": _ABC,
        "OrderedDict": OrderedDict,
        "defaultdict": defaultdict,
        "Counter": Counter,
        "deque": deque,
        "ChainMap": ChainMap,
        "UserDict": UserDict,
        "UserList": UserList,
        "UserString": UserString,
        "namedtuple": Builtin("namedtuple", _namedtuple),
    },
    "collections.abc": _ABC,
}
assert OrderedDict in METHODS
