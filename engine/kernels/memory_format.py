"""Orders of elements in memory: C's, that of the first operand, and channels last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

ndarray = np.ndarray


def contiguous(out: Any) -> Any:
    """The array, or each of them, in C's order."""
    if type(out) is ndarray:
        return out if out.flags.c_contiguous else np.ascontiguousarray(out)
    return [contiguous(x) for x in out] if type(out) in (tuple, list) else out


def alike(out: Any, *operands: Any) -> Any:
    """The array, or each of them, in the order of the first operand that has one, then the second, as a dense block."""
    if type(out) in (tuple, list):
        return [alike(x, *operands) for x in out]
    if type(out) is not np.ndarray or out.ndim < 2:
        return out
    order = _order(out.shape, [_strides(x, out.shape) for x in operands if type(x) is np.ndarray])
    laid = out.transpose(order)
    return out if laid.flags.c_contiguous else np.ascontiguousarray(laid).transpose(np.argsort(order))


def in_memory_order(like: Any, draw: Callable[[tuple[int, ...]], Any]) -> Any:
    """What `draw(shape)` gives one after the other, put where the elements of `like` lie in memory."""
    if like.ndim < 2 or like.flags.c_contiguous:
        return draw(like.shape)
    order = _order(like.shape, [list(like.strides)])
    return draw(tuple([like.shape[axis] for axis in order])).transpose(np.argsort(order))


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


def channels_last(out: Any, like: Any) -> Any:
    """The images with their channels last in memory where those of `like` are."""
    if like.flags.c_contiguous or not like.transpose(0, 2, 3, 1).flags.c_contiguous:
        return contiguous(out)
    if type(out) in (tuple, list):
        return [channels_last(x, like) for x in out]
    if type(out) is not np.ndarray or out.ndim != 4:
        return out
    return np.ascontiguousarray(out.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
