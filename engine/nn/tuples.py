"""`torch.nn.modules.utils`: one number for each dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single, _pair, _triple, _quadruple = (
    _ntuple(n, f"_{name}") for n, name in enumerate(("single", "pair", "triple", "quadruple"), 1)
)


def for_each(value: Any, count: int) -> tuple[int, ...]:
    """An option given as one int or as one for each dimension."""
    return tuple(value) if isinstance(value, Sequence) else (value,) * count


def _reverse_repeat_tuple(t: Sequence[Any], n: int) -> tuple[Any, ...]:
    return tuple([x for x in reversed(t) for _ in range(n)])
