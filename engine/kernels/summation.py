"""Sums of float32 and float64 arrays in the order in which PyTorch adds.

PyTorch's CPU kernel keeps several partial sums: rows of a vector register, four of them side by side, and a cascade
that starts a new partial sum every 16 additions. numpy adds pairwise. Both are right; they differ in the last bits,
which shows wherever gradients cancel. Following PyTorch's order gives its bits.
Source: the order of aten's cascade sum, observed on AVX2 vectors of 32 bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.types.bfloat16 import BFLOAT16
from engine.types.shapes import Shape

_STEP = 16
_SIDE_BY_SIDE = 4
_VECTOR_BYTES = 32
_SMALL = 1 << 22
_SHORT = 4
_INTERLEAVED = {size: np.array([0, *range(4, size), 1, 2, 3]) for size in range(5, 8)}
_add: Any = np.add.reduce
ndarray = np.ndarray


def total(a: Any, axes: Sequence[int] | None = None, keepdims: Any = False) -> Any:
    """`a.sum(axes)` for a floating array, added in PyTorch's order where the layout is a common one.

    a: an array or numpy scalar; axes: non-negative, None for all.
    """
    if type(a) is not ndarray or not a.ndim:
        return a
    if a.flags.c_contiguous:
        given = axes if axes is None else tuple(axes)
        block, reduced, kept = _plan(a.shape, given, bool(keepdims))
        return _summed(a, block, reduced, kept, keepdims)
    reduced = tuple(range(a.ndim)) if axes is None else tuple(sorted(axes))
    order = sorted(range(a.ndim), key=lambda axis: -a.strides[axis])
    laid_out = a.transpose(order)
    block, inner, _ = _plan(laid_out.shape, tuple([order.index(axis) for axis in reduced]), False)
    if block is None or not reduced or not laid_out.flags.c_contiguous:
        return _added(a, reduced, keepdims)
    rest = [axis for axis in order if axis not in reduced]
    result = np.asarray(_summed(laid_out, block, inner, tuple([a.shape[axis] for axis in rest]), False))
    result = result.transpose(np.argsort(rest))
    return np.expand_dims(result, reduced) if keepdims else result[()]


def _added(a: Any, axes: Shape, keepdims: Any) -> Any:
    """The sum in numpy's order; of bfloat16, whose sums it rounds after each term, in float32."""
    if a.dtype is BFLOAT16:
        return _add(a, axis=axes, keepdims=keepdims, dtype=np.float32).astype(BFLOAT16)
    return _add(a, axis=axes, keepdims=keepdims)


@lru_cache(maxsize=64)
def ones(size: int, dtype: Any) -> Any:
    """A vector of ones that nobody writes to."""
    return np.ones(size, dtype)


@lru_cache(maxsize=256)
def zero_dim(value: float, dtype: Any) -> Any:
    """A 0-d array that nobody writes to: as an operand it costs half of what a Python number costs."""
    return np.array(value, dtype)


def row_sums(rows: Any) -> Any:
    """Sums of the rows of a matrix by BLAS, in no particular order: for large matrices several times as fast."""
    return rows.dot(ones(rows.shape[1], rows.dtype))


def column_sums(rows: Any) -> Any:
    """The same along the first dimension."""
    return ones(rows.shape[0], rows.dtype).dot(rows)


@lru_cache(maxsize=1024)
def _plan(shape: Shape, axes: Shape | None, keepdims: bool) -> tuple[tuple[int, int, int] | None, Shape, Shape]:
    """How to sum a contiguous array: extents before, of and after the axes when these are neighbours, otherwise None;
    the axes in order; the shape of the sum."""
    reduced = tuple(range(len(shape))) if axes is None else tuple(sorted(axes))
    kept = tuple([1 if i in reduced else n for i, n in enumerate(shape) if keepdims or i not in reduced])
    if not reduced or reduced[-1] - reduced[0] >= len(reduced) or not 1 < math.prod(shape) <= _SMALL:
        return None, reduced, kept
    first, last = reduced[0], reduced[-1] + 1
    size = math.prod(shape[first:last])
    if size == 1:  # what is left to add is the array itself; numpy copies it
        return None, reduced, kept
    return (math.prod(shape[:first]), size, math.prod(shape[last:])), reduced, kept


def _summed(a: Any, block: tuple[int, int, int] | None, reduced: Shape, kept: Shape, keepdims: Any) -> Any:
    if block is None or a.dtype.char not in "fd":
        return _added(a, reduced, keepdims) if reduced else a.copy()
    before, size, after = block
    lanes = _VECTOR_BYTES // a.itemsize
    block_size = _STEP * _SIDE_BY_SIDE * lanes
    if before == after == 1 and (size < block_size or not size % block_size and size <= _STEP * block_size):
        result = _few(a.reshape(-1), size, lanes) if size < block_size else _blocks(a, block_size, lanes)
        return np.full(kept, result) if kept else result
    if before == 1 and size <= _STEP and not after % (_SIDE_BY_SIDE * lanes):
        return _add(a.reshape(size, after), 0).reshape(kept)  # no partial sum is full before the last row
    if after == 1:
        result = _inner(a.reshape(before, size), lanes)
    else:
        result = _outer(a.reshape(before, size, after).transpose(1, 0, 2), lanes)
    return result.reshape(kept)[()]


def _few(flat: Any, size: int, lanes: int) -> Any:
    """The sum of so few elements that no cascade begins: `_inner` of one row, in as few steps as numpy allows."""
    if size < lanes:
        return _add(flat if size <= _SIDE_BY_SIDE else flat[_INTERLEAVED[size]])
    vectors = size // lanes
    used = vectors * lanes
    rows = flat[:used].reshape(vectors, lanes)
    groups = vectors // _SIDE_BY_SIDE
    if groups > 1 or vectors > _SIDE_BY_SIDE:
        grouped = groups * _SIDE_BY_SIDE
        partial = _add(rows[:grouped].reshape(groups, _SIDE_BY_SIDE, lanes), 0)
        rows = partial if grouped == vectors else np.concatenate((partial[:1], rows[grouped:], partial[1:]))
    partial = rows[0] if vectors == 1 else _add(rows, 0)
    return np.add.accumulate(partial if used == size else np.concatenate((flat[used:], partial)))[-1]


def _blocks(a: Any, block_size: int, lanes: int) -> Any:
    """The sum of at most 16 whole blocks of the cascade: `_inner` of one row, in as few steps as numpy allows."""
    partial = _add(a.reshape(-1, _STEP, block_size // _STEP), 1)
    partial = _add(partial, 0).reshape(_SIDE_BY_SIDE, lanes)
    return np.add.accumulate(_add(partial, 0))[-1]


def _inner(rows: Any, lanes: int) -> Any:
    """Sums along the last, contiguous axis: lanes of a vector first, then what is left over, then the lanes."""
    count, size = rows.shape
    columns = rows.T
    if 1 < count and size <= _SHORT * count:
        columns = np.ascontiguousarray(columns)  # numpy adds long rows much faster than many short ones
    if size < lanes:
        return _interleaved(columns)
    vectors = size // lanes
    used = vectors * lanes
    partial = _interleaved(columns[:used].reshape(vectors, lanes, count))
    ends = partial if used == size else np.concatenate([columns[used:], partial])
    return np.add.accumulate(ends, axis=0)[-1]


def _outer(columns: Any, lanes: int) -> Any:
    """Sums along the first axis; the last one is contiguous."""
    width = columns.shape[-1]
    block = _SIDE_BY_SIDE * lanes if width >= lanes else _SIDE_BY_SIDE
    wide = width // block * block
    if wide == width:
        return _cascade(columns)
    if not wide:
        return _interleaved(columns)
    return np.concatenate([_cascade(columns[..., :wide]), _interleaved(columns[..., wide:])], axis=-1)


def _interleaved(rows: Any) -> Any:
    """Sum of rows with four partial sums side by side; what is left over goes to the first."""
    size = len(rows)
    groups = size // _SIDE_BY_SIDE
    used = groups * _SIDE_BY_SIDE
    if not groups:
        return _sequential(rows)
    partial = (
        rows[:_SIDE_BY_SIDE] if groups == 1 else _cascade(rows[:used].reshape((groups, _SIDE_BY_SIDE, *rows.shape[1:])))
    )
    return _sequential(partial if used == size else np.concatenate([partial[:1], rows[used:], partial[1:]]))


def _cascade(rows: Any) -> Any:
    """Sum of rows one after the other, in partial sums of 16, of 16 of those, and so on for three levels."""
    blocks, rest = divmod(len(rows), _STEP)
    if not rest and 1 < blocks <= _STEP:
        return _add(_add(rows.reshape((blocks, _STEP, *rows.shape[1:])), 1), 0)
    result = None
    for _ in range(3):
        size = len(rows)
        blocks = size // _STEP
        if not blocks:
            break
        used = blocks * _STEP
        if used < size:
            rest = _sequential(rows[used:])
            result = rest if result is None else result + rest
            rows = rows[:used]
        rows = _add(rows.reshape((blocks, _STEP, *rows.shape[1:])), 1)
    last = _sequential(rows)
    return last if result is None else result + last


def _sequential(rows: Any) -> Any:
    if not len(rows):
        return np.zeros(rows.shape[1:], rows.dtype)
    return rows[0] if len(rows) == 1 else _add(rows, 0)
