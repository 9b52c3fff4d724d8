"""The methods and attributes of built-in types that programs may use, by exact type.

What is not listed does not exist for a program. Entries are Python's own methods where they are harmless, and ours
where they could be asked for something huge or reach too far (`str.format`, `str.join`, `list.extend`).
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from types import FunctionType, GenericAlias, MethodType, UnionType
from typing import Any

from engine.limits import meter
from engine.program.annotations import NewType, TypeVar
from engine.program.calls import as_exception, host_callable
from engine.program.charges import (
    as_integer,
    clashed,
    coded,
    compared,
    copied,
    grow,
    keyed,
    len_of_range,
    made,
    ordered,
    probed,
    scanned,
    written,
)
from engine.program.exceptions import host_exception
from engine.program.generators import Generator
from engine.program.hashing import note, note_all, take
from engine.program.operators import (
    NESTING,
    against,
    gather,
    guard,
    guard_key,
    inside,
    items,
    iterable_value,
    pairs_clash,
    settle,
    weigh,
    weighed,
)
from engine.program.shared import MUTABLE
from engine.program.str_format import format_method
from engine.program.tables import ATTRIBUTES, CLASS_METHODS, METHODS, Method
from engine.program.values import (
    Accessor,
    Builtin,
    Constructor,
    Function,
    HostMethod,
    Module,
    NativeMethod,
    Opaque,
    Silent,
    Super,
    TupleGetter,
    TypeMethod,
    Unbound,
)


def _names(kind: type, names: str) -> dict[str, Method]:
    return {name: getattr(kind, name) for name in names.split()}


def _scanning(native: Method) -> Method:
    """A method that looks at every character, or at some of them for as long as a pattern is."""

    def scan(text: Any, *args: Any, **kwargs: Any) -> Any:
        if len(text) > 255:
            scanned(len(text), len(args[0]) if args and isinstance(args[0], str | bytes) else 1)
        return native(text, *args, **kwargs)

    return scan


def _writing(native: Method) -> Method:
    """A method that makes a text as long as its own."""

    def write(text: Any, *args: Any, **kwargs: Any) -> Any:
        if len(text) > 63:
            written(len(text))
        return native(text, *args, **kwargs)

    return write


def _splitting(native: Method) -> Method:
    """A method that cuts a text into many."""

    def split(text: Any, *args: Any, **kwargs: Any) -> Any:
        if len(text) > 63:
            scanned(len(text), len(args[0]) if args and isinstance(args[0], str | bytes) else 1)
        parts = native(text, *args, **kwargs)
        made(2 * len(parts))
        written(len(text))
        return parts

    return split


def _width(width: Any) -> Any:
    width = as_integer(width)
    if isinstance(width, int):
        grow(width)
    return width


def _beginning(native: Method) -> Method:
    """A method that tries the texts of a tuple one by one."""

    def begins(text: Any, *args: Any) -> Any:
        if args and type(args[0]) is tuple:
            compared(len(args[0]))
        return native(text, *args)

    return begins


def _stripping(native: Method) -> Method:
    """A method that looks for each character at the end of a text among others."""

    def strip(text: Any, *args: Any) -> Any:
        if len(text) > 63:
            scanned(8 * len(text), len(args[0]) if args and isinstance(args[0], str | bytes) else 1)
        return native(text, *args)

    return strip


def _coding(native: Method) -> Method:
    """`encode` or `decode`."""

    def code(text: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
        coded(len(text), encoding)
        return native(text, encoding, errors)

    return code


# --- str


def _join(separator: str, values: Iterable[Any]) -> str:
    if not iterable_value(values):
        raise TypeError("can only join an iterable")
    parts = items(values)
    if type(parts) is not str:
        parts = list(parts)
        for index, part in enumerate(parts):
            if getattr(type(part), "__mixed__", None) is str:  # a member of an enumeration of texts
                parts[index] = part.value
            elif not isinstance(part, str):
                raise TypeError(f"sequence item {index}: expected str instance, {type(part).__name__} found")
    grow(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


def _replace(text: Any, old: Any, new: Any, count: int = -1) -> Any:
    if len(text) > 63:
        written(len(text))
        scanned(4 * len(text), len(old) if isinstance(old, str | bytes) else 1)
    if type(old) is type(new) is type(text) and len(new) > len(old):
        found = text.count(old)
        grow(len(text) + (found if count < 0 else min(found, count)) * (len(new) - len(old)))
    return text.replace(old, new, count)


def _expandtabs(text: Any, tabsize: Any = 8) -> Any:
    tabsize = as_integer(tabsize)
    if isinstance(tabsize, int):
        grow(len(text) + text.count(b"\t" if isinstance(text, bytes) else "\t") * max(tabsize, 0))
    return text.expandtabs(tabsize)


def _translate(text: str, table: Any) -> str:
    written(4 * len(text))
    given = dict(table)
    made(len(given))
    grow(len(text) * max([len(value) for value in given.values() if isinstance(value, str)], default=1))
    return text.translate(given)


def _maketrans(text: str, *parts: Any) -> dict[int, Any]:
    keyed(sum([len(part) for part in parts if isinstance(part, str | dict)]))
    return text.maketrans(*parts)


def _padding(native: Method) -> Method:
    return lambda text, width, *fill: native(text, _width(width), *fill)


def _of_texts(kind: type, names: str) -> dict[str, Method]:
    """The methods that texts and bytes have alike; `names`: of those that say what kind of characters there are."""
    return {
        **{name: _beginning(getattr(kind, name)) for name in ("endswith", "startswith")},
        **{name: _writing(_stripping(getattr(kind, name))) for name in ("lstrip", "rstrip", "strip")},
        **{
            name: _scanning(_scanning(getattr(kind, name)))
            for name in f"count find index rfind rindex isalnum isalpha isascii isdigit islower isspace istitle isupper"
            f" {names}".split()
        },
        **{
            name: _writing(_scanning(getattr(kind, name)))
            for name in "capitalize lower partition removeprefix removesuffix rpartition swapcase title upper".split()
        },
        **{name: _splitting(getattr(kind, name)) for name in ("rsplit", "split", "splitlines")},
        **{name: _padding(getattr(kind, name)) for name in ("center", "ljust", "rjust", "zfill")},
        "replace": _replace,
        "expandtabs": _expandtabs,
    }


STR: dict[str, Method] = {
    **_of_texts(str, "isdecimal isidentifier isnumeric isprintable"),
    "casefold": _writing(_scanning(str.casefold)),
    "maketrans": _maketrans,
    "encode": _coding(str.encode),
    "join": _join,
    "translate": _translate,
    "format": lambda template, *args, **kwargs: format_method(template, args, kwargs),
    "format_map": lambda template, mapping: format_method(template, (), mapping),
}


# --- bytes


def _join_bytes(separator: bytes, values: Iterable[Any]) -> bytes:
    if not iterable_value(values):
        raise TypeError("can only join an iterable")
    parts = list(items(values))
    for index, part in enumerate(parts):
        if not isinstance(part, bytes):
            raise TypeError(f"sequence item {index}: expected a bytes-like object, {type(part).__name__} found")
    grow(sum(map(len, parts)) + len(separator) * len(parts))
    return separator.join(parts)


def _translate_bytes(data: bytes, table: Any, /, delete: bytes = b"") -> bytes:
    written(len(data))
    return data.translate(table, delete)


def _from_hex(text: Any) -> bytes:
    if isinstance(text, str):
        written(len(text))
    return bytes.fromhex(text)


def _hex(data: bytes, *separator: Any) -> str:
    written(4 * len(data))
    return data.hex(*separator)


def _to_bytes(value: int, length: Any = 1, byteorder: Any = "big", *, signed: Any = False) -> bytes:
    length = as_integer(length)
    if isinstance(length, int):
        grow(length)
    return value.to_bytes(length, byteorder, signed=bool(signed))


def _from_bytes(bytes: Any, byteorder: Any = "big", *, signed: Any = False) -> int:
    data = items(bytes)
    meter.check_bits(8 * len(data))
    written(len(data))
    return int.from_bytes(data, byteorder, signed=bool(signed))


BYTES: dict[str, Method] = {
    **_of_texts(bytes, ""),
    "decode": _coding(bytes.decode),
    "hex": _hex,
    "join": _join_bytes,
    "maketrans": lambda data, *parts: bytes.maketrans(*parts),
    "translate": _translate_bytes,
}


# --- containers


def _extend(values: Any, more: Any) -> None:
    more = items(more)
    meter.check_length(len(values) + len(more))
    copied(len(more))
    values.extend(more)


def _sort(values: list[Any], *, key: Any = None, reverse: bool = False) -> None:
    guard(values)
    sorting(values, key is None)
    values.sort(key=None if key is None else comparing(key, len(values)), reverse=reverse)


def _searching(native: Method) -> Method:
    def search(values: Any, item: Any, *rest: Any) -> Any:
        guard_key(item)
        weighed(values)
        against(item, len(values))
        return native(values, item, *rest)

    return search


def sorting(values: Any, plain: bool) -> None:
    """Charge for a sort; `plain`: the items themselves are compared."""
    count = len(values)
    ordered(count)
    if plain and count > 1:
        kinds = set(map(type, values))
        if str in kinds or bytes in kinds:
            scanned(count.bit_length() * sum([len(item) for item in values if type(item) in (str, bytes)]))
        if not kinds.isdisjoint(NESTING):
            longest = max([len(inside(item)) for item in values if type(item) in NESTING])
            compared(count * count.bit_length() * min(longest, 64))


def comparing(key: Any, count: int) -> Callable[[Any], Any]:
    """The key of a sort of `count` items, which charges for comparing what it gives."""
    function, times = host_callable(key), count.bit_length()

    def run(item: Any) -> Any:
        made = function(item)
        kind = type(made)
        if kind is str:
            if len(made) > 64:
                scanned(times * len(made))
        elif kind in NESTING:
            found = inside(made)
            kinds = set(map(type, found))
            if not NESTING.isdisjoint(kinds):
                compared(times * weigh(made))
            elif len(found) > 8 or str in kinds:
                texts = sum([len(part) for part in found if type(part) is str])
                compared(times * (len(found) + (texts >> 5)))
        return made

    return run


def _shifting(native: Method) -> Method:
    """A method that moves the items behind a place."""

    def shift(values: Any, *args: Any) -> Any:
        if len(values) > 1023:
            meter.charge(len(values) >> 11)
        return native(values, *args)

    return shift


def _copying(native: Method) -> Method:
    def copy(values: Any) -> Any:
        if isinstance(values, list | deque):
            copied(len(values))
        else:
            gather(len(values), values)
        return native(values)

    return copy


def _keyed(native: Method) -> Method:
    def use(container: Any, *args: Any, **kwargs: Any) -> Any:
        if args:
            kind = type(args[0])
            if kind is not str:
                guard_key(args[0])
                if len(container) > 127:
                    probed(args[0], len(container))
        return native(container, *args, **kwargs)

    return use


def _taking(native: Method) -> Method:
    """A method that takes out an entry."""

    def take_out(container: Any, *args: Any) -> Any:
        found = native(container, *args)
        if len(container) > 7:
            settle(container)
        return found

    return _keyed(take_out)


def _update(mapping: Any, /, *more: Any, **named: Any) -> None:
    if len(more) > 1:
        raise TypeError(f"update expected at most 1 argument, got {len(more)}")
    for other in more:
        if not isinstance(other, dict) and not hasattr(type(other), "keys"):
            other = items(other)
            pairs_clash(other)
        elif isinstance(other, dict):
            clashed(other, len(other))
        if hasattr(type(other), "__len__"):
            keyed(len(other))
        mapping.update(other)
    if named:
        mapping.update(named)
    meter.check_length(len(mapping))


def _set_operation(native: Method) -> Method:
    def combine(values: Any, *others: Any) -> Any:
        gathered = [items(other) for other in others]
        gather(len(values) + sum(len(other) for other in gathered), values)
        for other in gathered:
            guard(other) if type(other) is not str else None
            if type(other) is not set:
                note_all(other)
            clashed(other, len(other))
        return native(values, *gathered)

    return combine


def fromkeys(kind: Any) -> Method:
    """`dict.fromkeys` for a class of mappings."""

    def make(keys: Any, value: Any = None) -> Any:
        gathered = items(keys)
        keyed(len(gathered))
        clashed(gathered, len(gathered))
        return kind.fromkeys(gathered, value)

    return make


LIST: dict[str, Method] = {
    **_names(list, "append clear"),
    **{name: _shifting(getattr(list, name)) for name in ("insert", "pop", "reverse")},
    **{name: _searching(getattr(list, name)) for name in ("index", "count", "remove")},
    "copy": _copying(list.copy),
    "extend": _extend,
    "sort": _sort,
}

DICT: dict[str, Method] = {
    **_names(dict, "keys values items popitem clear"),
    **{name: _keyed(getattr(dict, name)) for name in ("get", "setdefault")},
    "pop": _taking(dict.pop),
    "copy": _copying(dict.copy),
    "update": _update,
}

_SET_QUERY = {
    name: _set_operation(getattr(set, name))
    for name in "difference intersection isdisjoint issubset issuperset symmetric_difference union".split()
}


def _add(values: set[Any], *item: Any) -> None:
    if item and type(item[0]) is not str:
        if type(item[0]) is not int:
            guard_key(item[0])
            note(item[0])
        if len(values) > 63:
            probed(item[0], len(values))
    values.add(*item)


SET: dict[str, Method] = {
    "add": _add,
    "pop": take,
    "clear": set.clear,
    **{name: _taking(getattr(set, name)) for name in ("remove", "discard")},
    **_SET_QUERY,
    **{
        name: _set_operation(getattr(set, name))
        for name in "difference_update intersection_update symmetric_difference_update update".split()
    },
    "copy": _copying(set.copy),
}

DEQUE: dict[str, Method] = {
    **_names(deque, "append appendleft pop popleft clear"),
    **{name: _shifting(getattr(deque, name)) for name in ("insert", "reverse")},
    **{name: _searching(getattr(deque, name)) for name in ("count", "index", "remove")},
    "rotate": _shifting(lambda values, steps=1: values.rotate(steps)),
    "copy": _copying(deque.copy),
    "extend": _extend,
    "extendleft": lambda values, more: values.extendleft(items(more)),
}


def _elements(counter: Counter[Any]) -> list[Any]:
    compared(len(counter))
    total = sum(count for count in counter.values() if count > 0)
    meter.check_length(total)
    copied(total)
    return list(counter.elements())


def _counted(native: Method, sort: bool = False) -> Method:
    """A method that reads all counts, and may sort them."""

    def count(counter: Counter[Any], *args: Any) -> Any:
        made(len(counter))
        if sort:
            ordered(len(counter))
        return native(counter, *args)

    return count


def _tally(native: Method) -> Method:
    def count(counter: Counter[Any], more: Any = (), **named: Any) -> None:
        given = more if isinstance(more, dict) else items(more)
        meter.charge(len(given) >> 3)
        clashed(given, len(given)) if type(given) is not str else None
        native(counter, given, **named)
        meter.check_length(len(counter))

    return count


COUNTER: dict[str, Method] = {
    **DICT,
    "most_common": _counted(Counter.most_common, sort=True),
    "elements": _elements,
    "total": _counted(Counter.total),
    "update": _tally(Counter.update),
    "subtract": _tally(Counter.subtract),
}


def _throw(generator: Generator, exception: Any, *more: Any) -> Any:
    if more and more[0] is not None and isinstance(exception, type):
        exception = exception(more[0])
    value = as_exception(exception, "exceptions must be classes or instances deriving from BaseException")
    return generator.throw(host_exception(value))


def _copy_same(values: Any) -> Any:
    gather(len(values), values)
    return values.copy()


def _ranged(native: Method) -> Method:
    """A search in a range, which looks at every number of it for anything but an integer."""

    def search(values: range, item: Any) -> Any:
        if type(item) is not int:
            meter.charge(len_of_range(values) >> 3)
        return native(values, item)

    return search


_METHODS: dict[type, dict[str, Method]] = {
    str: STR,
    bytes: BYTES,
    int: {
        **_names(int, "bit_length bit_count conjugate as_integer_ratio"),
        **{name: getattr(int, name) for name in ("is_integer",) if hasattr(int, name)},
        "to_bytes": _to_bytes,
    },
    bool: {**_names(bool, "bit_length conjugate"), "to_bytes": _to_bytes},
    float: _names(float, "is_integer as_integer_ratio hex conjugate"),
    complex: _names(complex, "conjugate"),
    list: LIST,
    tuple: {name: _searching(getattr(tuple, name)) for name in ("index", "count")},
    dict: DICT,
    OrderedDict: {
        **DICT, **_names(OrderedDict, "keys values items move_to_end popitem clear"),
        **{name: _keyed(getattr(OrderedDict, name)) for name in ("pop", "setdefault")}, "copy": _copy_same,
    },
    defaultdict: {**DICT, "copy": _copy_same},
    Counter: {**COUNTER, "copy": _copy_same},
    set: SET,
    frozenset: {**{name: _set_operation(getattr(frozenset, name)) for name in _SET_QUERY}, "copy": frozenset.copy},
    deque: DEQUE,
    range: {
        "index": _ranged(range.index),
        "count": _ranged(range.count),
    },
    slice: {"indices": slice.indices},
    Generator: {**_names(Generator, "send close"), "throw": _throw},
}


METHODS |= _METHODS
ATTRIBUTES[Generator] = {"gi_running": lambda generator: generator.running.gi_running}

CLOSED: frozenset[type] = (frozenset(_METHODS) - MUTABLE) | {
    object, type(None), type(...), type(NotImplemented), Function, Builtin, HostMethod, NativeMethod, Accessor,
    Constructor, TypeMethod, Unbound, MethodType, FunctionType, Module, Super, Silent, Opaque, Generator, property,
    staticmethod, classmethod, TypeVar, NewType, GenericAlias, UnionType, TupleGetter,
}  # fmt: skip
"""Types that any engine value may have; the engine's own and the program's join as they are met. Containers are looked
at one by one (`shared.own`)."""


def _member(name: str) -> Callable[[Any], Any]:
    return lambda value: getattr(value, name)


_ATTRIBUTES: dict[type, dict[str, Callable[[Any], Any]]] = {
    **{kind: {name: _member(name) for name in ("real", "imag")} for kind in (int, bool, float, complex)},
    range: {name: _member(name) for name in ("start", "stop", "step")},
    slice: {name: _member(name) for name in ("start", "stop", "step")},
    OrderedDict: {"_metadata": lambda values: values._metadata},  # of a state_dict
    deque: {"maxlen": lambda values: values.maxlen},
    defaultdict: {"default_factory": lambda values: values.default_factory},
}
for _number in (int, bool):
    _ATTRIBUTES[_number].update({name: _member(name) for name in ("numerator", "denominator")})
ATTRIBUTES |= _ATTRIBUTES

CLASS_METHODS |= {
    (dict, "fromkeys"): fromkeys(dict),
    (OrderedDict, "fromkeys"): fromkeys(OrderedDict),
    (float, "fromhex"): float.fromhex,
    (str, "maketrans"): lambda *parts: _maketrans("", *parts),
    (bytes, "maketrans"): bytes.maketrans,
    (bytes, "fromhex"): _from_hex,
    (int, "from_bytes"): _from_bytes,
}


BY_NAME: dict[str, dict[type, Method]] = {}
"""Method name → {type: method}: what a call `value.name(…)` looks up."""
for _kind, _table in _METHODS.items():
    for _name, _method in _table.items():
        BY_NAME.setdefault(_name, {})[_kind] = _method


def offer(kind: type, methods: dict[str, Method], parts: str, class_methods: dict[str, Method]) -> None:
    """Let programs use a type that a module of theirs brings; `parts`: names of its plain attributes."""
    METHODS[kind] = methods
    ATTRIBUTES[kind] = {name: _member(name) for name in parts.split()}
    for name, method in methods.items():
        BY_NAME.setdefault(name, {})[kind] = method
    for name, method in class_methods.items():
        CLASS_METHODS[kind, name] = method


SPEAKING: frozenset[type] = frozenset({Silent, Opaque})
"""Types that answer to any attribute."""
