"""`torch.bfloat16`: the first half of a float32, with 8 digits of its mantissa.

numpy has no such type. Tensors hold their numbers as long doubles, a type that nothing else needs, and round them as
PyTorch does after each op. Their bytes mean nothing to a program, and it cannot see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STORED: np.dtype[Any] = np.dtype(np.longdouble)
AVAILABLE = STORED != np.dtype(np.float64)
"""False where long doubles are doubles."""
FLOATING = "fV"
"""numpy's kinds of floating point types: it counts those that others add, as ml_dtypes does, among none."""
INEXACT = "fcV"
"""The same with complex numbers."""


def rounded(a: Any) -> Any:
    """Long doubles rounded to the nearest number of 8 digits, by way of float32; ties go to the even one."""
    with np.errstate(over="ignore"):
        single = np.array(a, np.float32)
    bits = single.view(np.uint32)
    up = (bits & 0xFFFF0000) + np.where((bits & 0xFFFF) + (bits >> 16 & 1) > 0x8000, np.uint32(0x10000), np.uint32(0))
    return np.where(np.isnan(single), single, up.view(np.float32)).astype(STORED)[()]


def settled(a: Any) -> Any:
    """A result rounded, in its own memory where it has any; anything else as it is."""
    if a.dtype.char != "g":
        return a
    if type(a) is not np.ndarray:
        return rounded(a)
    if a.flags.writeable and a.size:
        a[...] = rounded(a)
    return a


def by_vectors(once: Any, each: Any, in_order: bool) -> Any:
    """What a kernel of bfloat16 or half gives that computes whole vectors of 32 elements in float32, rounded once, and
    the elements after them, or all where their memory is not `in_order`, number by number, rounded each time.
    """
    out = settled(np.array(each))
    whole = out.size // 32 * 32
    if in_order and whole:
        vectors = np.asarray(once).reshape(-1)[:whole]
        out.reshape(-1)[:whole] = rounded(vectors) if vectors.dtype.char == "g" else vectors
    return out[()]


def in_single(function: Callable[..., Any], *operands: Any) -> Any:
    """What a function gives of bfloat16, whose long doubles it does not know, or of half: computed in float32."""
    own = operands[0].dtype
    given = [x.astype(np.float32) if getattr(x, "dtype", None) == own else x for x in operands]
    found = function(*given)
    return tuple(x.astype(own) for x in found) if isinstance(found, tuple) else found.astype(own)


def python_number(a: Any) -> Any:
    """The one number of an array, as Python's."""
    value = a.item()
    return float(value) if type(value) is np.longdouble else value


def python_lists(a: Any) -> Any:
    """Nested lists of Python's numbers."""
    return (a.astype(np.float64) if a.dtype.char == "g" else a).tolist()
