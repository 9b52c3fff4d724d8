"""Operators, guarded: Python's own semantics and error texts, with every growth checked before it happens.

A small program can ask for a huge result (`9**9**9`, `[0] * 10**9`, comparing lists that share themselves); those
are refused here, with the size that was asked for. Everything else goes straight to Python's operator.
"""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.limits import meter
from engine.program.hashing import SETS, arranged, note_all, walked
from engine.program.values import Function, Generator

Binary = Callable[[Any, Any], Any]

GENEXPR = "<genexpr>"
"""Name of the generators of generator expressions. They cannot call themselves, so what consumes one all at once may
run it without counting every step as a call."""

_SMALL = 1 << 62
TEXT = frozenset({str, bytes})
SEQUENCES = frozenset({str, bytes, list, tuple})
CONTAINERS = frozenset({list, tuple, dict, set, frozenset, OrderedDict, defaultdict, Counter, deque})
MAX_DEPTH = 150


def add(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is float:
        return a + b
    if kind is int:
        total = a + b
        if type(total) is int and not -_SMALL < total < _SMALL:
            meter.check_bits(total.bit_length())
        return total
    if kind in SEQUENCES and type(b) is kind:
        grow(len(a) + len(b))
    return a + b


def sub(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is int:
        difference = a - b
        if type(difference) is int and not -_SMALL < difference < _SMALL:
            meter.check_bits(difference.bit_length())
        return difference
    if kind in CONTAINERS:
        grow(len(a))
    return a - b


def mul(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is float:
        return a * b
    if kind is int and type(b) is int:
        if -_SMALL < a < _SMALL and -_SMALL < b < _SMALL:
            return a * b
        meter.check_bits(a.bit_length() + b.bit_length())
        return a * b
    if kind in SEQUENCES or kind is deque:
        b = _repeat(a, b)
    elif type(b) in SEQUENCES:
        a = _repeat(b, a)
    return a * b


def _repeat(sequence: Any, times: Any) -> Any:
    if not isinstance(times, int) and hasattr(type(times), "__index__") and not hasattr(type(times), "__rmul__"):
        times = operator.index(times)
    if isinstance(times, int) and times > 0:
        grow(len(sequence) * times)
    return times


def power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and not -2 < a < 2:
        if b > _SMALL or a.bit_length() * b > 64:
            meter.check_bits(a.bit_length() * b if b > _SMALL else int(math.log2(abs(a)) * b) + 1)
    return a**b


def mod(a: Any, b: Any) -> Any:
    if type(a) is str:
        from engine.program.text import percent

        return percent(a, b)
    if type(a) is bytes:
        raise TypeError("formatting bytes with % is not supported here; use an f-string")
    return a % b


def shift_left(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0 and a:
        meter.check_bits(a.bit_length() + b)
    return a << b


def _sets(native: Binary) -> Binary:
    def combine(a: Any, b: Any) -> Any:
        if type(a) in CONTAINERS:
            grow(len(a) + (len(b) if type(b) in CONTAINERS else 0))
        result = native(a, b)
        if type(result) is set and type(a) is not set:  # of the keys of a dict
            note_all(result)
        return result

    return combine


BINARY: dict[type[ast.operator], Binary] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: mod,
    ast.Pow: power,
    ast.MatMult: operator.matmul,
    ast.LShift: shift_left,
    ast.RShift: operator.rshift,
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
    if kind is list:
        more = items(b)
        grow(len(a) + len(more))
        a += more
        return a
    if kind is int and type(b) is int:
        return add(a, b)
    if kind in SEQUENCES and type(b) is kind:
        grow(len(a) + len(b))
    elif kind is deque:
        b = items(b)
    a += b
    return a


def _in_place_mul(a: Any, b: Any) -> Any:
    kind = type(a)
    if kind is int and type(b) is int:
        return mul(a, b)
    if kind in SEQUENCES or kind is deque:
        b = _repeat(a, b)
    elif type(b) in SEQUENCES:
        a = _repeat(b, a)
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
    ast.FloorDiv: operator.ifloordiv,
    ast.Mod: _in_place_mod,
    ast.Pow: _checked(power, operator.ipow),
    ast.MatMult: operator.imatmul,
    ast.LShift: _checked(shift_left, operator.ilshift),
    ast.RShift: operator.irshift,
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
        if type(a) in CONTAINERS and type(b) in CONTAINERS:
            guard(a)
            guard(b)
        return native(a, b)

    return compare


def contains(container: Any, item: Any) -> bool:
    """`item in container`."""
    kind = type(container)
    if kind in CONTAINERS:
        guard_key(item)
        guard(container)
        meter.charge(len(container) >> 6)
    elif kind is range and type(item) is not int:
        container = finite(container)
    return item in container


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


# --- sizes


def grow(length: int) -> None:
    """Before a sequence of this length is built: check and charge it."""
    meter.check_length(length)
    if length > 63:
        meter.charge(length >> 6)


def finite(values: Any) -> Any:
    """The iterable itself when it is short, otherwise one that charges every item it yields."""
    kind = type(values)
    if kind is range and len_of_range(values) > meter.length:
        return burning(values)
    if kind is Generator and values.name == GENEXPR:
        return values.running
    return walked(values) if isinstance(values, SETS) else values


def len_of_range(values: range) -> int:
    """Length of a range, also when it does not fit `len`."""
    return max(0, (values.stop - values.start + values.step - (1 if values.step > 0 else -1)) // values.step)


def burning(values: Iterable[Any]) -> Iterator[Any]:
    """The same items, each charged one step: for sources that may be endless."""
    charge = meter.charge
    for value in values:
        charge(1)
        yield value


def iterable_value(value: Any) -> bool:
    """Whether `iter(value)` would find how."""
    kind = type(value)
    return getattr(kind, "__iter__", None) is not None or hasattr(kind, "__getitem__")


def items(values: Any) -> Any:
    """All items as a list, tuple or other sized collection, with its length checked.

    Raises TypeError for what is not iterable.
    """
    kind = type(values)
    if kind is list or kind is tuple or kind is dict or kind is str:
        meter.charge(len(values) >> 6)
        return values
    if isinstance(values, SETS):
        meter.charge(len(values) >> 6)
        values = arranged(values)
        if kind is set or kind is frozenset:
            return values
    if kind is range:
        grow(len_of_range(values))
        return values
    if kind is Generator and values.name == GENEXPR:
        values = values.running
    found: list[Any] = []
    append = found.append
    length = meter.length
    for value in values:
        append(value)
        if len(found) > length:
            meter.check_length(len(found))
    meter.charge(len(found) >> 6)
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
    inside = container.values() if isinstance(container, dict) else container
    if not CONTAINERS.isdisjoint(map(type, inside)):
        weigh(container)


def guard_key(key: Any) -> None:
    """The same for something about to be hashed or compared."""
    if type(key) is tuple or type(key) is frozenset:
        guard(key)


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
        inside = list(current.values()) if isinstance(current, dict) else list(current)
        nested = [item for item in inside if type(item) in CONTAINERS]
        if ready:
            open_.discard(key)
            sizes[key] = 1 + len(inside) + sum(sizes.get(id(item), 0) for item in nested)
            meter.check_length(sizes[key])
            continue
        if key in sizes:
            continue
        if key in open_ or len(open_) >= MAX_DEPTH:
            raise RecursionError("maximum recursion depth exceeded in comparison")
        meter.charge(1 + (len(inside) >> 4))
        open_.add(key)
        stack.append((current, True))
        stack.extend((item, False) for item in nested)
    return sizes[id(value)]
