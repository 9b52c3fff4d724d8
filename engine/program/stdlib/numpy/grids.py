"""numpy's objects that are indexed to make arrays: `r_`, `c_`, `mgrid`, `ogrid`, `s_`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program.arrays import as_array, unwrap, wrap


class Indexed:
    """What stands before the brackets."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError


def _points(part: Any) -> int:
    """How many numbers a slice makes; a step of `5j` means five points."""
    if not isinstance(part, slice):
        return int(np.size(part))
    step = 1 if part.step is None else unwrap(part.step)
    if isinstance(step, complex):
        return int(abs(step))
    start = 0 if part.start is None else unwrap(part.start)
    if not step or unwrap(part.stop) is None:
        return 0
    return int(max(0, math.ceil((unwrap(part.stop) - start) / step)))


def _plain(part: Any) -> Any:
    """A part of an index as numpy knows it. Raises TypeError."""
    if isinstance(part, slice):
        return slice(*(unwrap(end) for end in (part.start, part.stop, part.step)))
    if isinstance(part, str | int | float | complex | bool):
        return part
    return as_array(part)


class Joined(Indexed):
    """`r_` and `c_`: what is between the brackets, joined."""

    __module__ = "numpy"
    __program__ = True
    __slots__ = ("_columns",)

    def __init__(self, columns: bool) -> None:
        self._columns = columns

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        plain = tuple([part.detach().numpy() if isinstance(part, Tensor) else _plain(part) for part in parts])
        meter.allocate(sum(_points(part) for part in plain), 8)
        meter.charge(4 * len(plain))
        return wrap((np.c_ if self._columns else np.r_)[plain])


class Grid(Indexed):
    """`mgrid`, and `ogrid` if `sparse`."""

    __module__ = "numpy"
    __program__ = True
    __slots__ = ("_sparse",)

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        plain = tuple(map(_plain, parts))
        sizes = [max(1, _points(part)) for part in plain]
        meter.allocate(sum(sizes) if self._sparse else len(sizes) * math.prod(sizes), 8)
        return wrap((np.ogrid if self._sparse else np.mgrid)[plain if isinstance(index, tuple) else plain[0]])


class Index(Indexed):
    """`s_`: the index itself."""

    __module__ = "numpy"
    __program__ = True
    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return index


GRIDS: dict[str, Any] = {
    "r_": Joined(False), "c_": Joined(True), "mgrid": Grid(False), "ogrid": Grid(True), "s_": Index(),
    "index_exp": Index(),
}  # fmt: skip
