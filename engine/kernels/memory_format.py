"""Orders of elements in memory: C's, that of the first operand, and channels last."""

from __future__ import annotations

from collections.abc import Callable
from operator import gt
from typing import Any

import numpy as np

from engine.types.shapes import is_dense

ndarray = np.ndarray


def contiguous(out: Any) -> Any:
    """The array, or each of them, in C's order."""
    if type(out) is ndarray:
        if not out.flags.c_contiguous:
            return np.ascontiguousarray(out)
        return out.reshape(-1).reshape(out.shape) if 1 in out.shape else out
    return [contiguous(x) for x in out] if type(out) in (tuple, list) else out


def alike(out: Any, *operands: Any) -> Any:
    """The array, or each of them, in the order of the first operand that has one, then the second, as a dense block."""
    if type(out) in (tuple, list):
        return [alike(x, *operands) for x in out]
    if type(out) is not np.ndarray or out.ndim < 2:
        return out
    arrays = [x for x in operands if type(x) is np.ndarray]
    strides = [_strides(x, out.shape) for x in arrays]
    out = ordered(out, strides)
    like = arrays[0]
    if 1 in out.shape and like.shape == out.shape and is_dense(like) and strides.count(strides[0]) == len(strides):
        exact = [s // like.itemsize * out.itemsize for s in strides[0]]
        block = out.transpose(_order(out.shape, strides))
        return np.ndarray(out.shape, out.dtype, block.reshape(-1), 0, exact)
    return out


def ordered(out: Any, strides: list[list[int]]) -> Any:
    """The array as a dense block, in the order of operands that have these strides along its dimensions."""
    order = _order(out.shape, strides)
    laid = out.transpose(order)
    if laid.flags.c_contiguous and 1 not in out.shape:
        return out
    return np.ascontiguousarray(laid).reshape(-1).reshape(laid.shape).transpose(np.argsort(order))


def is_descending(a: Any) -> bool:
    """Whether the elements of an array with dimensions lie in C's order, however far apart."""
    strides = a.strides
    return a.size > 0 and strides[-1] > 0 and all(map(gt, strides, strides[1:]))


def empty_like(a: Any, dtype: Any) -> Any:
    """Uninitialised memory laid out as `a` where its elements fill a block, or it has none, and else densely in the
    same order."""
    plain = np.empty(a.shape, dtype)
    if plain.strides == a.strides or is_descending(a):
        return plain
    if is_dense(a) or not a.size:
        strides = [s // a.itemsize * plain.itemsize for s in a.strides]
        return np.ndarray(a.shape, dtype, plain.reshape(-1), 0, strides)
    order = _order(a.shape, [list(a.strides)])
    return plain.reshape([a.shape[axis] for axis in order]).transpose(np.argsort(order))


def drawn_like(a: Any, dtype: Any, draw: Callable[[tuple[int, ...], bool], Any]) -> Any:
    """A new tensor laid out as `a`, filled in the order of its memory; `draw(shape, contiguous)`."""
    if not a.ndim:
        return draw((), True)
    out = empty_like(a, dtype)
    contiguous = bool(out.flags.c_contiguous)
    out[...] = in_memory_order(out, lambda shape: draw(shape, contiguous))
    return out


def in_memory_order(like: Any, draw: Callable[[Any], Any], parameters: Any = None) -> Any:
    """What `draw(shape)`, or `draw(parameters)`, gives one after the other, put where the elements of `like` lie in
    memory."""
    if like.ndim < 2 or like.flags.c_contiguous:
        return draw(like.shape if parameters is None else parameters)
    order = _order(like.shape, [list(like.strides)])
    given = tuple([like.shape[axis] for axis in order]) if parameters is None else parameters.transpose(order)
    return draw(given).transpose(np.argsort(order))


def last_in_memory(out: Any, a: Any, dim: tuple[int, ...]) -> Any:
    """`out` with the dimensions `dim` innermost in memory and the others in the order of `a`, of as many dimensions."""
    if a.ndim < 2:
        return out
    inside = {d % a.ndim for d in dim}
    order = sorted(range(a.ndim), key=lambda d: (d in inside, -a.strides[d]))
    return contiguous(out.transpose(order)).transpose(np.argsort(order))


def _strides(operand: Any, shape: tuple[int, ...]) -> list[int]:
    """Strides of an operand along the dimensions of the result; 0 where it is repeated."""
    missing = len(shape) - operand.ndim
    own = [
        0 if size == 1 and whole != 1 else stride
        for size, whole, stride in zip(operand.shape, shape[missing:], operand.strides, strict=True)
    ]
    return [0] * missing + own


def _order(shape: tuple[int, ...], strides: list[list[int]]) -> list[int]:
    """The dimensions, slowest first: PyTorch's insertion sort, in which dimensions that nobody orders stay."""

    def faster(a: int, b: int) -> int:
        for own in strides:
            if own[a] == 0 or own[b] == 0:
                continue
            if own[a] != own[b]:
                return -1 if own[a] < own[b] else 1
            if shape[a] > shape[b]:
                return 1
        return 0

    order = list(range(len(shape)))[::-1]
    for i in range(1, len(order)):
        place = i
        for before in range(i - 1, -1, -1):
            verdict = faster(order[before], order[place])
            if verdict > 0:
                order[before], order[place] = order[place], order[before]
                place = before
            elif verdict < 0:
                break
    return order[::-1]


def channels_last(out: Any, *like: Any) -> Any:
    """The images with their channels last in memory where those of one that they are `like` are."""
    if all(x.flags.c_contiguous or not x.transpose(0, 2, 3, 1).flags.c_contiguous for x in like):
        return contiguous(out)
    if type(out) in (tuple, list):
        return [channels_last(x, *like) for x in out]
    if type(out) is not np.ndarray or out.ndim != 4:
        return out
    return contiguous(out.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
