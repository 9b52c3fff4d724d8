"""`itertools`. Every item is charged, so endless iterators end with the fuel."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from engine.limits import meter
from engine.program.builtins import chain_depth
from engine.program.calls import CALLERS, host_callable
from engine.program.charges import as_integer, copied, made
from engine.program.hashing import SETS, walked
from engine.program.kinds import missing
from engine.program.operators import CHARGING, add, burning, finite, items
from engine.program.tables import READERS
from engine.program.text import represent
from engine.program.values import Builtin, name_as


def _tuples(source: Any, length: int) -> Iterator[Any]:
    """Tuples of a length that are made while they are asked for."""
    meter.check_length(length)
    for found in source:
        meter.charge(1 + length // 16)
        yield found


class Chain:
    """An iterator of ours: charges each item and knows how many iterators it is made of."""

    __slots__ = ("depth", "items", "native")

    def __init__(self, source: Any, *parts: Any, each: int = 0) -> None:
        self.native = source
        made(len(parts))
        self.depth = max((chain_depth(part) for part in parts), default=1)
        self.items = burning(source) if each < 8 else _tuples(source, each)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self.items)


def _kind(name: str) -> type[Chain]:
    """The class of the iterators that a function gives."""
    made = type(name, (Chain,), {"__slots__": (), "__module__": "itertools"})
    CHARGING.add(made)
    return made


_NAMES = (
    "chain zip_longest pairwise compress takewhile dropwhile filterfalse starmap permutations combinations"
    " combinations_with_replacement cycle repeat product count accumulate groupby _grouper _tee islice"
)
_KINDS = {name: _kind(name) for name in _NAMES.split()}


def _count_text(value: Any) -> str:
    start, *step = value.native.__reduce__()[1]
    return f"count({', '.join(map(represent, (start, *step)))})"


def _repeat_text(value: Any) -> str:
    return f"repeat({', '.join(map(represent, value.native.__reduce__()[1]))})"


_KINDS["count"].__repr__ = _count_text  # type: ignore[method-assign]
_KINDS["repeat"].__repr__ = _repeat_text  # type: ignore[method-assign]


def _each(name: str) -> Builtin:
    native = getattr(itertools, name)

    def make(*iterables: Any, **options: Any) -> Chain:
        return _KINDS[name](native(*(finite(iterable) for iterable in iterables), **options), *iterables)

    return Builtin(name, make)


def _selecting(name: str) -> Builtin:
    native = getattr(itertools, name)

    def make(function: Any, iterable: Any) -> Chain:
        return _KINDS[name](native(None if function is None else host_callable(function), finite(iterable)), iterable)

    return Builtin(name, make)


def _pooled(name: str) -> Builtin:
    native = getattr(itertools, name)

    def make(iterable: Any, *r: Any) -> Chain:
        pool = items(iterable)
        length = len(pool) if not r else r[0] if name == "permutations" else as_integer(r[0])
        if r and isinstance(length, int):
            if not name.endswith("replacement"):  # longer ones are there none, but there would be room for one
                length = min(length, len(pool) + 1)
            meter.check_length(length)
            r = (length, *r[1:])
        return _KINDS[name](native(pool, *r), each=0 if name == "cycle" or not isinstance(length, int) else length)

    return Builtin(name, make)


def _product(*iterables: Any, repeat: int = 1) -> Chain:
    if repeat > 1000:
        raise ValueError("repeat is limited to 1000 here")
    pools = [items(iterable) for iterable in iterables]
    return _KINDS["product"](itertools.product(*pools, repeat=repeat), each=len(pools) * max(repeat, 0))


def _count(start: Any = 0, step: Any = 1) -> Chain:
    return _KINDS["count"](itertools.count(start, step))


def _repeat(*given: Any, **named: Any) -> Chain:
    return _KINDS["repeat"](itertools.repeat(*given, **named))


def _accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Chain:
    return _KINDS["accumulate"](
        itertools.accumulate(finite(iterable), add if func is None else host_callable(func), initial=initial), iterable
    )


def _groupby(iterable: Any, key: Any = None) -> Any:
    grouped = itertools.groupby(finite(iterable), None if key is None else host_callable(key))
    members_of = _KINDS["_grouper"]
    return _KINDS["groupby"](((group, members_of(members)) for group, members in grouped), iterable)


def _tee(iterable: Any, n: int = 2) -> tuple[Any, ...]:
    values, times = items(iterable), as_integer(n)
    if times < 0:
        raise ValueError("n must be >= 0")
    meter.check_length(times)
    copied((len(values) + 8) * times)
    return tuple([_KINDS["_tee"](iter(list(values))) for _ in range(times)])


def _from_iterable(iterables: Any) -> Chain:
    return _KINDS["chain"](itertools.chain.from_iterable(finite(part) for part in finite(iterables)), iterables)


def _islice(*given: Any) -> Chain:
    if len(given) < 2:
        raise TypeError(f"islice expected at least 2 arguments, got {len(given)}")
    iterable, *bounds = given
    return _KINDS["islice"](itertools.islice(_charged(iterable), *bounds), iterable)


def _charged(iterable: Any) -> Any:
    """An iterator of which each item is charged, also of those that are skipped."""
    if isinstance(iterable, SETS):
        return burning(walked(iterable))
    return burning(iterable) if isinstance(iterable, list | tuple | dict | str) else finite(iterable)


class _ChainFunction(Builtin):
    __slots__ = ()


def _read_chain(value: _ChainFunction, name: str) -> Any:
    if name == "from_iterable":
        return Builtin("from_iterable", _from_iterable)
    raise missing(value, name)


name_as(_ChainFunction, "type")
READERS[_ChainFunction] = _read_chain
CALLERS[_ChainFunction] = CALLERS[Builtin]

MODULES: dict[str, dict[str, Any]] = {
    "itertools": {
        **{name: _each(name) for name in "zip_longest pairwise compress".split()},
        **{name: _selecting(name) for name in "takewhile dropwhile filterfalse starmap".split()},
        **{name: _pooled(name) for name in "permutations combinations combinations_with_replacement cycle".split()},
        "chain": _ChainFunction("chain", _each("chain").function),
        "repeat": Builtin("repeat", _repeat),
        "product": Builtin("product", _product),
        "count": Builtin("count", _count),
        "accumulate": Builtin("accumulate", _accumulate),
        "groupby": Builtin("groupby", _groupby),
        "tee": Builtin("tee", _tee),
        "islice": Builtin("islice", _islice),
    }
}
