"""Values of a document: numbers inline while they are few, a summary and the full array aside when they are many."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, overload

import numpy as np

from engine.document.limits import BINS, CELLS
from engine.document.numbers import empty_lists, plain, plain_lists, shaped
from engine.trace import sparse
from engine.trace.digits import shortest
from engine.trace.events import HeldArray
from engine.trace.reading import dtype_name
from engine.types import dtypes
from engine.types.coo import Coo

_IMAGE = 1 << 14  # elements of the largest sparse tensor whose zeros are written out
_TOGETHER, _MANY_SCALARS = 512, 4096  # values that are written at a time
_LARGE = 6_000_000
"""Numbers of which no copies are made that are as large."""
_MANY = 1 << 18
float32 = np.float32
_FLOAT32 = dtype_name(np.dtype(float32))
_BLOCK = 1 << 14  # numbers at a time, so that what is computed of them stays in the cache


class Values:
    """The `values` table. The same kept value gets the same id; ids are handed out as values are met."""

    def __init__(self, inline: int) -> None:
        self.inline = inline
        self.table: dict[str, dict[str, Any]] = {}
        self.large: dict[str, Any] = {}
        self._ids: dict[int, str] = {}
        self._kept: list[Any] = []
        self._unwritten: list[tuple[dict[str, Any], Any]] = []
        self._numbers: list[tuple[dict[str, Any], Any]] = []

    @overload
    def ref(self, value: None) -> None: ...
    @overload
    def ref(self, value: Any) -> str: ...
    def ref(self, value: Any) -> str | None:
        """The id of a value (a HeldArray, a numpy scalar or a Python number); None for None."""
        if value is None:
            return None
        key = id(value)
        found = self._ids.get(key)
        if found is not None:
            return found
        name = f"v{len(self._ids)}"
        self._ids[key] = name
        self._kept.append(value)  # an id() is only good while its object lives
        if type(value) is float32:
            described: dict[str, Any] = {"shape": [], "dtype": _FLOAT32, "data": None}
            self.table[name] = described
            self._numbers.append((described, value))
            return name
        array = value.array if type(value) is HeldArray else value
        self.table[name] = self._describe(name, array)
        return name

    def _describe(self, name: str, array: Any) -> dict[str, Any]:
        if not isinstance(array, np.ndarray | np.generic | Coo):
            dtype = dtypes.of_number(array).name
            return {"shape": [], "dtype": dtype, "data": plain(array)}
        described: dict[str, Any] = {"shape": list(array.shape), "dtype": dtype_name(array.dtype)}
        if array.dtype.kind not in "biufcV":
            return {**described, "data": None}
        if type(array) is Coo:
            return described | self._sparse(name, array)
        if not array.size and empty_lists(array.shape) > self.inline:
            return {**described, "data": []}  # the shape says it: so many empty lists would be a document of their own
        if array.size <= self.inline:
            described["data"] = None
            if array.dtype == np.float32:
                self._unwritten.append((described, array))
            else:
                described["data"] = nested(array)
            return described
        self.large[name] = array
        described["data"] = None
        described.update(_summary(array))
        return described

    def _sparse(self, name: str, coo: Coo) -> dict[str, Any]:
        """A sparse tensor as the dense one that it stands for."""
        found: dict[str, Any] = {"data": None, "layout": "sparse_coo", "nnz": coo.count}
        if coo.size <= _IMAGE:
            image = sparse.image(coo)
            if coo.size <= self.inline:
                return found | {"data": nested(image)}
            self.large[name] = image
            return found | _summary(image)
        return found | sparse.summary(coo)

    def write(self) -> None:
        """Fill in the float32 numbers of all values that were met: many are written faster than one."""
        scalars, self._numbers = self._numbers, []
        for start in range(0, len(scalars), _MANY_SCALARS):
            part = scalars[start : start + _MANY_SCALARS]
            written = _written(np.array([number for _, number in part], float32))
            for (described, _), data in zip(part, written, strict=True):
                described["data"] = data
        unwritten, self._unwritten = self._unwritten, []
        for start in range(0, len(unwritten), _TOGETHER):
            rows = unwritten[start : start + _TOGETHER]
            numbers = np.concatenate([array.reshape(-1) for _, array in rows])
            flat = _written(numbers)
            end = 0
            for described, array in rows:
                first, end = end, end + array.size
                described["data"] = shaped(flat[first:end], array.shape) if array.shape else flat[first]


def _written(numbers: Any) -> list[Any]:
    """JSON values of a vector of float32 numbers."""
    flat: list[Any] = shortest(numbers)
    return flat if np.isfinite(numbers).all() else [plain(x) for x in flat]


def nested(array: Any) -> Any:
    """Nested lists of JSON values. float32 numbers get the digits that identify them: 0.1 and not 0.10000000149."""
    if array.dtype.char in "ef":
        if not array.shape:
            return plain(float(str(array[()])))
        flat: list[Any] = shortest(array.reshape(-1))
        return shaped(flat if np.isfinite(array).all() else [plain(x) for x in flat], array.shape)
    data = array.tolist()
    if array.dtype.kind in dtypes.INEXACT:
        return plain_lists(data) if array.dtype.kind == "c" or not np.isfinite(array).all() else data
    return data


def _summary(array: Any) -> dict[str, Any]:
    if array.size > _LARGE and array.dtype.kind != "c":
        return _summary_in_blocks(array)
    real = np.abs(array) if array.dtype.kind == "c" else array
    wide = real.astype(np.float64, copy=False)
    some, nan, inf = wide.reshape(-1), 0, 0
    given = real.reshape(-1) if real.dtype == np.float32 else some
    total = np.add.reduce(some)
    if not math.isfinite(total):
        nan, inf = int(np.isnan(wide).sum()), int(np.isinf(wide).sum())
        finite = some[np.isfinite(some)]
        given = some = finite if finite.size else np.zeros(1)
        total = np.add.reduce(some)
    least, most = np.minimum.reduce(given), np.maximum.reduce(given)
    away = some - total / some.size
    std = math.sqrt(np.add.reduce(np.multiply(away, away, out=away)) / some.size)
    squares = np.multiply(some, some, out=away)  # in the same memory: there may be much of it
    stats = {
        "min": plain(float(least)),
        "max": plain(float(most)),
        "mean": plain(float(total / some.size)),
        "std": plain(std),
        "norm": plain(math.sqrt(np.add.reduce(squares))),
        "nan": nan,
        "inf": inf,
        "zeros": array.size - int(np.count_nonzero(array)),
    }
    del away, squares
    return _summed_up(stats, _thumbnail(wide), given, float(least), float(most))


def _summary_in_blocks(array: Any) -> dict[str, Any]:
    """The same of many numbers, of which no copy is made that is as large."""
    flat = array.reshape(-1)
    blocks = [flat[first : first + _MANY] for first in range(0, flat.size, _MANY)]
    count, total, squares, nan, inf, least, most, zeros = 0, 0.0, 0.0, 0, 0, math.inf, -math.inf, 0
    for block in blocks:
        some = block.astype(np.float64)
        zeros += block.size - int(np.count_nonzero(block))
        finite = np.isfinite(some)
        if not finite.all():
            unknown = int(np.isnan(some).sum())
            nan, inf = nan + unknown, inf + int((~finite).sum()) - unknown
            some = some[finite]
        if some.size:
            count += some.size
            total += float(np.add.reduce(some))
            squares += float(np.add.reduce(some * some))
            least, most = min(least, float(some.min())), max(most, float(some.max()))
    if not count:
        count, least, most = 1, 0.0, 0.0
    mean, away = total / count, 0.0
    for block in blocks:
        some = block.astype(np.float64) - mean
        some = some[np.isfinite(some)]
        away += float(np.add.reduce(some * some))
    numbers = {"min": least, "max": most, "mean": mean, "std": math.sqrt(away / count), "norm": math.sqrt(squares)}
    stats = {name: plain(number) for name, number in numbers.items()} | {"nan": nan, "inf": inf, "zeros": zeros}
    given = flat[np.isfinite(flat)] if nan or inf else flat
    return _summed_up(stats, _thumbnail(array), given if given.size else np.zeros(1), least, most)


def _summed_up(stats: dict[str, Any], thumbnail: Any, finite: Any, least: float, most: float) -> dict[str, Any]:
    counts, edges = _histogram(finite, least, most)
    return {
        "stats": stats,
        "thumbnail": {
            "shape": list(thumbnail.shape),
            "data": nested(_rounded(np.float32(thumbnail).astype(float))),
        },
        "histogram": {"edges": _short(edges.tolist()), "counts": counts.tolist()},
    }


def _short(numbers: list[float]) -> list[float]:
    """Numbers in six digits."""
    return list(map(float, ("%.6g " * len(numbers) % tuple(numbers)).split()))


def _histogram(numbers: Any, least: float, most: float) -> tuple[Any, Any]:
    """How many of the numbers, which are finite, lie in each of 32 equal parts of their range."""
    if least == most:
        least, most = least - 0.5, most + 0.5
    width = most - least
    scale = BINS / width if 0 < width < math.inf else 0.0
    edges = np.linspace(least, most, BINS + 1) if 0 < scale < math.inf else np.array([least, least])
    if not (edges[:-1] < edges[1:]).all():
        return np.array([numbers.size]), np.array([least, most])  # too close together, or too far apart
    doubt = 1e-9 + 4 * scale * float(np.spacing(max(abs(least), abs(most))))
    kind: Any = np.float64
    if numbers.dtype == np.float32 and 1e-30 < width < 1e30 and np.float32(least) == least:
        doubt += 2e-5  # 32 and three roundings
        kind = np.float32
    start, factor = kind(least), kind(scale)
    counts = np.zeros(BINS + 1, np.intp)
    for first in range(0, numbers.size, _BLOCK):
        block = numbers[first : first + _BLOCK].astype(kind, copy=False)
        part = block - start
        part *= factor
        whole = np.floor(part)
        part -= whole
        place = whole.astype(np.intp)
        near = ((part < doubt) | (part > 1 - doubt)).nonzero()[0]  # an edge: it decides, not the product
        place[near] = edges.searchsorted(block[near], side="right") - 1
        counts += np.bincount(place, minlength=BINS + 1)
    counts[-2] += counts[-1]  # the greatest belongs to the last part
    return counts[:-1], edges


def _thumbnail(array: Any) -> Any:
    """At most 16 × 16 block means of the last two dimensions of the first entry; of a vector, one row."""
    plane = array.reshape(1, -1) if array.ndim == 1 else array[(0,) * (array.ndim - 2)]
    for axis in (0, 1):
        size = plane.shape[axis]
        if size > CELLS:
            starts, widths = _blocks(size)
            parts = np.split(plane, starts[1:], axis) if plane.size > _LARGE else [plane]
            firsts = [0] if len(parts) > 1 else starts
            sums = np.concatenate([np.add.reduceat(part, firsts, axis, np.float64) for part in parts], axis)
            plane = sums / (widths[:, None] if axis == 0 else widths)
    return plane


def _rounded(numbers: Any) -> Any:
    """Six decimals, or six digits of the largest number, whichever is more."""
    largest = np.max(np.abs(numbers), initial=0.0, where=np.isfinite(numbers))
    return numbers.round(max(6, 5 - math.floor(math.log10(largest))) if largest else 6)


@lru_cache(maxsize=256)
def _blocks(size: int) -> tuple[Any, Any]:
    """Where the blocks of a thumbnail's axis start, and how wide they are."""
    starts = np.linspace(0, size, CELLS, endpoint=False).astype(int)
    return starts, np.diff(np.append(starts, size))
