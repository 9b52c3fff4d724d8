"""`torch.bfloat16`: the first half of a float32, with 8 digits of its mantissa.

numpy has no such type, ml_dtypes adds it: arithmetic runs in float32 and rounds each result to even, as PyTorch's does.
With a Python float numpy's answer is a float32, and sums are rounded after each term. Kernels that do more than one
thing therefore compute in float32 and round what they give (`in_single`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from engine.limits import meter

BFLOAT16: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
SHORT = frozenset("eE")
"""numpy's characters of the types of 16 bits, half and bfloat16."""
FLOATING = "fV"
"""numpy's kinds of floating point types, among which it does not count bfloat16."""
INEXACT = "fcV"
"""The same with complex numbers."""
NUMBERS = "iufcV"
"""All but bools."""


_LARGE, _TAKEN = 1 << 18, 12
"""Elements of an operand from which on there must be room for so many bytes each: of float32 a copy, the result, and
what it is computed from on the way."""


def limits_of(kind: Any) -> Any:
    """`np.finfo`, of bfloat16, too."""
    return ml_dtypes.finfo(kind)  # type: ignore[no-untyped-call]


def rounded(a: Any) -> Any:
    """Numbers as bfloat16, rounded by way of float32 as PyTorch does."""
    with np.errstate(over="ignore"):
        return np.asarray(a, np.float32).astype(BFLOAT16)[()]


def by_vectors(once: Any, each: Any, in_order: bool) -> Any:
    """The result of a kernel of 16 bits that computes whole vectors of 32 elements in float32, rounded once, and the
    elements after them, or all where their memory is not `in_order`, number by number, rounded each time.
    """
    out = np.array(each)
    whole = out.size // 32 * 32
    if in_order and whole:
        out.reshape(-1)[:whole] = np.asarray(once).reshape(-1)[:whole]
    return out[()]


def in_single(function: Callable[..., Any], *operands: Any) -> Any:
    """The result of a function of 16 bits computed in float32 and rounded once; of mixed operands as they are."""
    kinds = {x.dtype for x in operands if hasattr(x, "dtype") and x.dtype.kind in INEXACT}
    if len(kinds) != 1:
        return function(*operands)
    own = kinds.pop()
    largest = max([x.size for x in operands if type(x) is np.ndarray], default=0)
    if largest > _LARGE:
        meter.room(_TAKEN * largest)
    found = function(*[x.astype(np.float32) if getattr(x, "dtype", None) == own else x for x in operands])
    if isinstance(found, tuple | list):
        return tuple([_narrowed(x, own) for x in found])
    return _narrowed(found, own)


def _narrowed(x: Any, own: np.dtype[Any]) -> Any:
    return x.astype(own) if getattr(x, "dtype", None) == np.float32 else x
