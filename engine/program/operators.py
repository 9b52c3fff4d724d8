"""Operators, guarded: Python's own semantics and error texts, with every growth checked before it happens.

A small program can ask for a huge result (`9**9**9`, `[0] * 10**9`, comparing lists that share themselves); those
are refused here, with the size that was asked for. Everything else goes straight to Python's operator.
"""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import UnionType
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.annotations import weighed as weighed_annotation
from engine.program.arrays import Array, Scalar
from engine.program.charges import (
    as_integer,
    clashed,
    compared,
    copied,
    keyed,
    len_of_range,
    made,
    multiplied,
    probed,
    scanned,
)
from engine.program.generators import Generator
from engine.program.hashing import SETS, arranged, note_all, walked
from engine.program.text import percent, percent_bytes
from engine.program.values import Function
from engine.types.return_types import TYPES
from engine.types.sizes import Size

Binary = Callable[[Any, Any], Any]

GENEXPR = "<genexpr>"
"""Name of the generators of generator expressions. They cannot call themselves, so what consumes one all at once may
run it without counting every step as a call."""

_SMALL = 1 << 62
TEXT = frozenset({str, bytes})
SEQUENCES = frozenset({str, bytes, list, tuple})
JOINED = (list, tuple, deque)
"""What `+` and `*` make longer, with the classes that derive from it."""
CONTAINERS = frozenset({list, tuple, dict, set, frozenset, OrderedDict, defaultdict, Counter, deque})
NESTING = sessions.containers
"""`CONTAINERS`, slices, which may hold slices, and the classes derived from containers: sizes, results with names,
and those of the program."""
NESTING |= CONTAINERS | {slice, Size, *TYPES.values()}
MAX_DEPTH = 150
_NATIVE = type(list.__eq__)


def inside(container: Any) -> Any:
    """The items of a container, the values of a dict, whatever its class says about them."""
    kind = type(container)
    if kind in CONTAINERS:
        return container.values() if isinstance(container, dict) else container
    if kind is slice:
        return container.start, container.stop, container.step
    if isinstance(container, dict):
        return list(dict.values(container))
    base = next(base for base in (list, tuple, deque, set, frozenset) if isinstance(container, base))
    return list(base.__iter__(container))


def left_to_python(kind: type, name: str) -> bool:
    """Whether a container's class leaves an operation to Python."""
    return kind in NESTING and (kind in CONTAINERS or type(getattr(kind, name)) is _NATIVE)


def add(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is float:
        return a + b
    if kind is int:
        total = a + b
        if type(total) is int and not -_SMALL < total < _SMALL:
            long(total)
        return total
    if kind in SEQUENCES and type(b) is kind:
        extend(len(a) + len(b), kind)
    elif kind is Counter and type(b) is Counter:
        gather(len(a) + len(b), a, b)
    elif isinstance(a, JOINED) and isinstance(b, JOINED):
        extend(len(inside(a)) + len(inside(b)), kind)
    return a + b


def sub(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is int:
        difference = a - b
        if type(difference) is int and not -_SMALL < difference < _SMALL:
            long(difference)
        return difference
    if kind in NESTING:
        gather(len(inside(a)) + (len(inside(b)) if type(b) in NESTING else 0), a, b)
    return a - b


def mul(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is float:
        return a * b
    if kind is int and type(b) is int:
        if -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return a * b
        meter.check_bits(a.bit_length() + b.bit_length())
        multiplied(a.bit_length(), b.bit_length())
        return a * b
    if kind in SEQUENCES or kind in NESTING or isinstance(a, JOINED):
        b = _repeat(a, b)
    elif type(b) in SEQUENCES or type(b) in NESTING or isinstance(b, JOINED):
        a = _repeat(b, a)
    elif isinstance(a, int) and isinstance(b, int):
        meter.check_bits(a.bit_length() + b.bit_length())
        multiplied(a.bit_length(), b.bit_length())
    return a * b


def _repeat(sequence: Any, times: Any) -> Any:
    """How often `sequence` is repeated, which is paid for here; what multiplies it otherwise comes back as it is."""
    if isinstance(times, Array) and not isinstance(times, Scalar):
        return times
    count = as_integer(times)
    if isinstance(times, Scalar) and not isinstance(count, int):
        raise TypeError(f"can't multiply sequence by non-int of type '{type(times).__name__}'")
    if isinstance(count, int) and count > 0:
        length = len(sequence) if type(sequence) in SEQUENCES else len(inside(sequence))
        extend(length * count, type(sequence))
    return times if hasattr(type(times), "__rmul__") and not isinstance(times, Scalar) else count


def power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and not -2 < a < 2:
        if b > _SMALL or a.bit_length() * b > 64:
            bits = a.bit_length() * b if b > _SMALL else int(math.log2(abs(a)) * b) + 1
            meter.check_bits(bits)
            multiplied(bits, bits)
    return a**b


def divided(native: Binary) -> Binary:
    """Division and remainder, which take long integers long."""

    def divide(a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int) and not -_SMALL < a < _SMALL:
            multiplied(a.bit_length(), b.bit_length())
        return native(a, b)

    return divide


def bitwise(native: Binary) -> Binary:
    """Operators on the bits of integers."""

    def combine(a: Any, b: Any) -> Any:
        if isinstance(a, int) and not -_SMALL < a < _SMALL:
            long(a)
        return native(a, b)

    return combine


def mod(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    if type(a) is bytes:
        return percent_bytes(a, b)
    if isinstance(a, int) and not -_SMALL < a < _SMALL and isinstance(b, int):
        multiplied(a.bit_length(), b.bit_length())
    return a % b


def shift_left(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and a:
        meter.check_bits(a.bit_length() + b)
        multiplied(a.bit_length() + b if b < _SMALL else 0, 1)
    return a << b


def _sets(native: Binary) -> Binary:
    def combine(a: Any, b: Any) -> Any:
        if type(a) in VIEWS or type(b) in VIEWS:
            for operand in (a, b):
                if type(operand) in VIEWS:
                    gather(len(operand))
                    guard(list(operand))
        elif type(a) in NESTING:
            gather(len(inside(a)) + (len(inside(b)) if type(b) in NESTING else 0), a, b)
        elif isinstance(a, int) and not -_SMALL < a < _SMALL:
            long(a)
        result = native(a, b)
        if type(result) is UnionType:
            weighed_annotation(result)
        if type(result) is set and type(a) is not set:  # of the keys of a dict
            note_all(result)
        return result

    return combine


BINARY: dict[type[ast.operator], Binary] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: divided(operator.floordiv),
    ast.Mod: mod,
    ast.Pow: power,
    ast.MatMult: operator.matmul,
    ast.LShift: shift_left,
    ast.RShift: bitwise(operator.rshift),
    ast.BitOr: _sets(operator.or_),
    ast.BitAnd: _sets(operator.and_),
    ast.BitXor: _sets(operator.xor),
}

UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


# --- in place


def _in_place_add(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is list or kind in NESTING and isinstance(a, list) and left_to_python(kind, "__iadd__"):
        more = items(b)
        meter.check_length(len(a) + len(more))
        copied(len(more))
        a += more
        return a
    if kind is int and type(b) is int:
        return add(a, b)
    if kind in SEQUENCES and type(b) is kind:
        extend(len(a) + len(b), kind)
    elif kind in NESTING and isinstance(a, deque) and left_to_python(kind, "__iadd__"):
        b = items(b)
        copied(len(b))
    elif kind is Counter and type(b) is Counter:
        gather(len(a) + len(b), a, b)
    elif isinstance(a, JOINED) and isinstance(b, JOINED):
        extend(len(inside(a)) + len(inside(b)), kind)
    a += b
    return a


def _in_place_mul(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is int and type(b) is int:
        return mul(a, b)
    if kind in SEQUENCES or kind in NESTING or isinstance(a, JOINED):
        b = _repeat(a, b)
    elif type(b) in SEQUENCES or type(b) in NESTING or isinstance(b, JOINED):
        a = _repeat(b, a)
    elif isinstance(a, int) and isinstance(b, int):
        return mul(a, b)
    a *= b
    return a


def _checked(plain: Binary, native: Binary) -> Binary:
    """The in-place form of an operator that is guarded for integers."""

    def update(a: Any, b: Any) -> Any:
        return plain(a, b) if isinstance(a, int) and isinstance(b, int) else native(a, b)

    return update


def _in_place_mod(a: Any, b: Any) -> Any:
    if type(a) in TEXT:
        return mod(a, b)
    a %= b
    return a


IN_PLACE: dict[type[ast.operator], Binary] = {
    ast.Add: _in_place_add,
    ast.Sub: _checked(sub, operator.isub),
    ast.Mult: _in_place_mul,
    ast.Div: operator.itruediv,
    ast.FloorDiv: divided(operator.ifloordiv),
    ast.Mod: _in_place_mod,
    ast.Pow: _checked(power, operator.ipow),
    ast.MatMult: operator.imatmul,
    ast.LShift: _checked(shift_left, operator.ilshift),
    ast.RShift: bitwise(operator.irshift),
    ast.BitOr: _sets(operator.ior),
    ast.BitAnd: _sets(operator.iand),
    ast.BitXor: _sets(operator.ixor),
}

SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^",
}  # fmt: skip


# --- comparison


def _compare(native: Binary) -> Binary:
    def compare(a: Any, b: Any) -> Any:
        kind = type(a)
        if kind in NESTING and type(b) in NESTING:
            if left_to_python(kind, "__eq__"):
                weighed(a)
                weighed(b)
        elif kind in VIEWS:
            weighed(list(a))
            if type(b) in VIEWS:
                weighed(list(b))
        elif kind is str or kind is bytes or kind is int and not -_SMALL < a < _SMALL:
            weighed((a,))
        return native(a, b)

    return compare


def equal(a: Any, b: Any) -> bool:
    """`a == b` of what objects of ours keep, for their `__eq__`: each of them pays, since they may hold one another."""
    meter.charge(1)
    return bool(COMPARE[ast.Eq](a, b))


def contains(container: Any, item: Any) -> bool:
    """`item in container`."""
    kind = type(container)
    if kind in NESTING and kind is not slice:
        if not left_to_python(kind, "__contains__"):
            return item in container
        if isinstance(container, dict | set | frozenset):
            guard_key(item)
            probed(item, len(container))
        else:
            guard_key(item)
            weighed(container)
            against(item, len(container))
    elif kind is range and type(item) is not int:
        container = burning(container)
    elif kind in TEXT:
        scanned(len(container), len(item) if type(item) is kind else 1)
    elif kind in VIEWS:
        guard_key(item)
        if kind not in _KEYS:
            weighed(list(container))
            against(item, len(container))
    return item in container


_KEYS: frozenset[type] = frozenset({type({}.keys()), type(OrderedDict().keys())})
VIEWS: frozenset[type] = _KEYS | {type({}.values()), type({}.items())}
VIEWS |= {type(OrderedDict().values()), type(OrderedDict().items())}


def against(item: Any, count: int) -> None:
    """Charge for comparing an item with `count` others, which takes long when it is large itself."""
    if type(item) in NESTING:
        weight = weigh(item)
        if count:
            meter.charge(weight // 256 + (min(weight, 1024) * count >> 8))
    elif type(item) is str and len(item) > 64:
        meter.charge(len(item) * count >> 12)


def _in(a: Any, b: Any) -> bool:
    return contains(b, a)


def _not_in(a: Any, b: Any) -> bool:
    return not contains(b, a)


COMPARE: dict[type[ast.cmpop], Binary] = {
    ast.Eq: _compare(operator.eq),
    ast.NotEq: _compare(operator.ne),
    ast.Lt: _compare(operator.lt),
    ast.LtE: _compare(operator.le),
    ast.Gt: _compare(operator.gt),
    ast.GtE: _compare(operator.ge),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: _in,
    ast.NotIn: _not_in,
}

NAMES: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or",
    ast.BitAnd: "and", ast.BitXor: "xor", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Eq: "eq",
    ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
"""Operators and the special methods that they are."""


# --- sizes


def extend(length: int, kind: type) -> None:
    """The same for a text, or for a list or tuple of what exists."""
    meter.check_length(length)
    if length > 31:
        meter.charge(length >> 6 if kind in TEXT else length >> 5)


def gather(length: int, *sources: Any) -> None:
    """The same for a dict or set made of all entries of others."""
    meter.check_length(length)
    if length > 1:
        keyed(length)
        for source in sources:
            if isinstance(source, dict | set | frozenset):
                clashed(source, len(source))


def pairs_clash(pairs: Any) -> None:
    """Charge for the keys of pairs that are put into a dict."""
    if type(pairs) in (list, tuple):
        parts = [inside(pair) for pair in pairs if isinstance(pair, list | tuple)]
        keys = [pair[0] for pair in parts if pair]
        guard(keys)
        clashed(keys, len(keys))


def filling(cls: type, args: Sequence[Any]) -> Sequence[Any]:
    """What a container of a class, or a number, is made from, as a collection that has been paid for."""
    if not args:
        return args
    if issubclass(cls, dict):
        at = 1 if issubclass(cls, defaultdict) else 0
        if len(args) <= at:
            return args
        given = args[at] if hasattr(type(args[at]), "keys") else items(args[at])
        if type(given) in NESTING and isinstance(given, dict):
            gather(len(inside(given)), given)
        elif type(given) is list or type(given) is tuple:
            clashed(given, len(given)) if issubclass(cls, Counter) else pairs_clash(given)
            keyed(len(given))
        return [*args[:at], given, *args[at + 1 :]]
    if isinstance(args[0], str | bytes) and issubclass(cls, int | float):
        scanned(64 * len(args[0]), min(len(args[0]), 512))
    if not issubclass(cls, list | tuple | set | frozenset | deque) or isinstance(args[0], str | bytes):
        return args
    first = items(args[0])
    if issubclass(cls, SETS):
        keyed(len(first))
        guard(first) if type(first) in NESTING else None
        note_all(first)
        clashed(first, len(first))
    return [first, *args[1:]]


_ROOM, _SPARSE = 1 << 16, 400


def settle(values: Any) -> None:
    """Give a dict or set that has lost most of its entries the room of those it has: who iterates walks all of it."""
    size = values.__sizeof__()
    if size > _ROOM and size > _SPARSE * (1 + len(values)) and not isinstance(values, OrderedDict):
        kind: Any = dict if isinstance(values, dict) else set
        kept = kind(values)
        kind.clear(values)
        kind.update(values, kept)


def long(value: int) -> None:
    """Check and charge an integer that does not fit a machine word."""
    bits = value.bit_length()
    meter.check_bits(bits)
    meter.charge(bits >> 11)


def finite(values: Any) -> Any:
    """The iterable itself when it is short, otherwise one that charges every item it yields."""
    kind = type(values)
    if kind is Generator and values.__qualname__ == GENEXPR:
        return values.running
    if kind is range and len_of_range(values) > meter.length:
        return burning(values)
    if kind in CHARGING:
        return values
    if kind in CONTAINERS or kind in TEXT or kind is range:
        compared(len(values))
        return walked(values) if isinstance(values, SETS) else values
    return burning(values) if hasattr(kind, "__iter__") else values


CHARGING: set[type] = {Generator}
"""Iterators that charge every item themselves."""


def burning(values: Iterable[Any]) -> Iterator[Any]:
    """The same items, each charged one step: for sources that may be endless."""
    budget = meter.budget
    for value in values:
        budget[0] -= 1
        if budget[0] < 0:
            meter.out_of_fuel()
        yield value


CHARGING.add(type(burning(())))


def iterable_value(value: Any) -> bool:
    """Whether `iter(value)` would find how."""
    kind = type(value)
    if getattr(kind, "__iter__", None) is not None:
        return True
    return hasattr(kind, "__getitem__") and not hasattr(kind, "__number__")  # numpy's numbers have places, but no items


def items(values: Any) -> Any:
    """All items as a list, tuple or other sized collection, with its length checked.

    Raises TypeError for what is not iterable.
    """
    kind = type(values)
    if kind is list or kind is tuple or kind is dict or kind is str:
        copied(len(values))
        return values
    if isinstance(values, SETS):
        meter.charge(len(values) >> 6)
        values = arranged(values)
        if kind is set or kind is frozenset:
            return values
    if kind is range:
        length = len_of_range(values)
        meter.check_length(length)
        made(length)
        return values
    if kind is Generator and values.__qualname__ == GENEXPR:
        values = values.running
    found: list[Any] = []
    append = found.append
    length = meter.length
    for value in values:
        append(value)
        count = len(found)
        if not count & 31:
            meter.charge(4)
            if count > length:
                meter.check_length(count)
    return found


def listed(values: Any) -> Any:
    """`items` for a list or tuple, which Python asks for a length first, where the program defined one."""
    length = getattr(type(values), "__len__", None)
    if type(length) is Function:
        iterator = iter(values)
        operator.length_hint(values)
        values = iterator
    return items(values)


def guard(container: Any) -> None:
    """Refuse to walk a container whose nesting makes that explode; flat containers pass at once."""
    compared(len(container))
    if type(container) is not range and not NESTING.isdisjoint(map(type, inside(container))):
        compared(weigh(container))


_WALKED = frozenset({tuple, frozenset, slice})
"""What is hashed by what is in it; slices since Python 3.12."""


def guard_key(key: Any) -> None:
    """The same for something about to be hashed or compared: the whole of it is walked."""
    kind = type(key)
    if kind is str:
        return
    if kind in _WALKED or kind in NESTING and isinstance(key, tuple | frozenset):
        items = inside(key)
        compared(2 * len(items))
        if not NESTING.isdisjoint(map(type, items)):
            compared(weigh(key))
    elif kind is int and not -_SMALL < key < _SMALL:
        long(key)


def weighed(container: Any) -> None:
    """Charge for comparing a container item by item, and the texts and long integers in it."""
    items = inside(container)
    count = len(items)
    kinds = set(map(type, items))
    if not NESTING.isdisjoint(kinds):
        count = weigh(container)
    elif str in kinds or bytes in kinds:
        scanned(sum([len(item) for item in items if type(item) in TEXT]))
    elif int in kinds and count < 64:
        meter.charge(sum([item.bit_length() for item in items if type(item) is int]) >> 14)
    compared(count)


def weigh(value: Any) -> int:
    """Items in a nested container counted with repetition.

    Raises RecursionError when it is nested too deeply or contains itself, LimitExceeded when there are too many items.
    """
    sizes: dict[int, int] = {}
    stack: list[tuple[Any, bool]] = [(value, False)]
    open_: set[int] = set()
    while stack:
        current, ready = stack.pop()
        key = id(current)
        if key in sizes:
            continue
        items = list(inside(current))
        nested = [item for item in items if type(item) in NESTING]
        if ready:
            open_.discard(key)
            texts = sum([len(item) for item in items if type(item) in TEXT]) >> 5
            sizes[key] = 1 + len(items) + texts + sum([sizes.get(id(item), 0) for item in nested])
            meter.check_length(sizes[key])
            continue
        if key in open_ or len(open_) >= MAX_DEPTH:
            raise RecursionError("maximum recursion depth exceeded in comparison")
        meter.charge(1 + (len(items) >> 4))
        open_.add(key)
        stack.append((current, True))
        stack.extend((item, False) for item in nested)
    return sizes[id(value)]
