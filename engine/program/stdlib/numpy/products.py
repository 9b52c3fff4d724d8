"""Products of many arrays: `einsum`, `linalg.multi_dot`, matrices by vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, heeding, overwriting, reserve_operation, wrap
from engine.program.charges import as_integer
from engine.program.operators import items
from engine.program.values import Builtin


def _einsum(subscripts: Any, *operands: Any, optimize: Any = False, dtype: Any = None) -> Any:
    if not isinstance(subscripts, str):
        subscripts, operands = _as_letters((subscripts, *operands))
    arrays = [as_array(operand) if dtype is None else as_array(operand, dtype) for operand in operands]
    sizes: dict[str, int] = {}
    for letters, a in zip(subscripts.replace(" ", "").partition("->")[0].split(","), arrays, strict=False):
        sizes.update(zip(letters.replace("...", ""), a.shape, strict=False))
    meter.reserve(min(math.prod(sizes.values()), max([a.size for a in arrays], default=1) ** 2), 8)
    made = math.prod([sizes.get(letter, 1) for letter in subscripts.partition("->")[2]]) if "->" in subscripts else 0
    meter.allocate(made, 8)
    meter.charge(math.prod(sizes.values()) >> 11)
    return wrap(np.einsum(subscripts, *arrays))


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _as_letters(given: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """`einsum(a, [0, 1], b, [1, 2], [0, 2])` with letters for the numbers."""

    def letters(numbers: Any) -> str:
        return "".join([letter(number) for number in items(numbers)])

    def letter(number: Any) -> str:
        at = as_integer(number)
        if number is not ... and not (isinstance(at, int) and 0 <= at < len(_LETTERS)):
            raise ValueError("subscript is not within the valid range [0, 52)")
        return "..." if number is ... else _LETTERS[at]

    result = f"->{letters(given[-1])}" if len(given) % 2 else ""
    pairs = given[: len(given) - len(given) % 2]
    return ",".join([letters(numbers) for numbers in pairs[1::2]]) + result, pairs[::2]


def _einsum_path(subscripts: Any, *operands: Any, optimize: Any = "greedy") -> Any:
    if not isinstance(subscripts, str):
        subscripts, operands = _as_letters((subscripts, *operands))
    meter.charge(200 * len(operands) ** 2 + len(subscripts))
    if len(operands) > 12:
        raise ValueError("paths of at most 12 operands are looked for here")
    wanted = optimize if optimize in ("greedy", False, True) else "greedy"
    path, text = np.einsum_path(subscripts, *[as_array(operand) for operand in operands], optimize=wanted)
    return [step if type(step) is str else tuple(map(int, step)) for step in path], text


def _product_of(name: str) -> Callable[[Any, Any], Any]:
    """`matvec` or `vecmat`: matrices by vectors, of the last dimensions."""

    def product(x1: Any, x2: Any, /) -> Any:
        left, right = as_array(x1), as_array(x2)
        matrix, vector = (left, right) if name == "matvec" else (right, left)
        if matrix.ndim > 1 and vector.ndim:
            rows = matrix.shape[-2] if name == "matvec" else matrix.shape[-1]
            outer = math.prod(np.broadcast_shapes(matrix.shape[:-2], vector.shape[:-1]))
            meter.allocate(outer * rows, 8)
            meter.work(outer * math.prod(matrix.shape[-2:]))
        with heeding():
            return wrap(getattr(np, name)(left, right))

    return product


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """Charged as from left to right, which is the dearest that numpy makes of it, and for the order that it finds."""
    given = [as_array(array) for array in items(arrays)]
    meter.charge(len(given) ** 3 >> 2)
    if len(given) > 2 and all([array.ndim in (1, 2) for array in given]):
        rows = given[0].shape[0] if given[0].ndim == 2 else 1
        for left, right in pairwise(given):
            columns = right.shape[1] if right.ndim == 2 else 1
            meter.allocate(rows * columns, 8)
            meter.product(rows, left.shape[-1], columns, np.result_type(left, right), 1)
    elif len(given) == 2:
        reserve_operation("matmul", *given)
    if out is not None and not isinstance(out, Array):
        raise TypeError("return arrays must be of ArrayType")
    made = np.linalg.multi_dot(given, out=None if out is None else overwriting(out._array))
    return wrap(made) if out is None else out


PRODUCING: dict[str, Any] = {
    "einsum": Builtin("einsum", _einsum), "einsum_path": Builtin("einsum_path", _einsum_path),
    **{name: Builtin(name, _product_of(name)) for name in ("matvec", "vecmat")},
}  # fmt: skip
