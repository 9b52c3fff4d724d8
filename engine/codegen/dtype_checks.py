"""Types of elements that an op's kernel does not take, and what PyTorch says then: what rows `refuses`.

A name without blanks is that of a kernel, which PyTorch reports as `"kernel" not implemented for 'Type'`; anything
else is the text itself. Kinds are numpy's: `c` complex, `b` bool, `i` and `u` integers, `f` floating point; and `h` is
half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import errors
from engine.core.registry import OPS
from engine.types import dtypes
from engine.types.shapes import wrap_dim

if TYPE_CHECKING:
    from engine.codegen.call import Emitter

_MISSING = ("is not supported for complex inputs", "is not supported for complex types", "Unlike NumPy", "signbit is")
"""Parts of the texts that are NotImplementedErrors; the others are RuntimeErrors."""


def kinds(op: str) -> str:
    """The kinds that an op refuses, as one string; empty for most."""
    return "".join(OPS[op].refuses)


def refuse_written(op: Emitter, dtype: Any) -> None:
    """Raise what the in-place form of an op says to elements of a kind that it refuses."""
    for refuses in (op.refuses_inplace, op.refuses):
        for kinds, text in refuses.items():
            if dtype.kind in kinds:
                raise _refusal(op.identifier, text, dtype)


def mismatch(operands: Sequence[Any]) -> Exception | None:
    """What PyTorch says to operands whose shapes do not broadcast; None if they do."""
    shape: tuple[int, ...] = ()
    for operand in operands:
        other = np.shape(operand)
        width = max(len(shape), len(other))
        a, b = (1,) * (width - len(shape)) + shape, (1,) * (width - len(other)) + other
        for dim in reversed(range(width)):
            if a[dim] != b[dim] and a[dim] != 1 and b[dim] != 1:
                return errors.size_mismatch(a[dim], b[dim], dim)
        shape = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return None


def by_kernel(error: Exception) -> bool:
    """Whether an error is a kernel's about the type of elements: PyTorch looks at shapes before it comes to that."""
    return isinstance(error, NotImplementedError) and str(error).startswith('"')


def unfit(op: str, dtype: Any) -> Exception:
    """What PyTorch says to a complex number where it wants one of `dtype`."""
    own = dtypes.of(dtype)
    name = own.cpp_name if dtype.kind not in "iu" else "int" if own.name == "int32" else f"{own.name}_t"
    kind = {"double": "double", "opmath_t": "float" if dtype.char == "e" else name}.get(OPS[op].converts_to, name)
    return errors.conversion_overflow(kind)


def refused_along(op: str, a: Any, dim: Any) -> Exception:
    """As `refused` for ops that look at their `dim` first. Raises IndexError for a dimension that is not there."""
    for place in dim if isinstance(dim, tuple | list) else () if dim is None else (dim,):
        wrap_dim(place, a.ndim)
    return refused(op, a.dtype)


def refused(op: str, dtype: Any, *operands: Any) -> Exception:
    """The error of an op that was given elements of a kind it refuses; `operands` are those that must broadcast."""
    kind = "h" if dtype.char == "e" else dtype.kind
    text = next(text for kinds, text in OPS[op].refuses.items() if kind in kinds)
    return _refusal(op, text, dtype, *operands)


def _refusal(op: str, text: str, dtype: Any, *operands: Any) -> Exception:
    name = dtypes.of(dtype).type_name
    if " " not in text:
        return mismatch(operands) or errors.not_implemented_for(text, name)
    text = text.replace("{op}", op).replace("{type}", name)
    return errors.refused_kind(text, implemented=not any(part in text for part in _MISSING))
