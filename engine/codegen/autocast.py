"""Automatic mixed precision on the CPU: which functions cast their operands, and to what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.types import dtypes

if TYPE_CHECKING:
    from engine.codegen.call import Emitter


class Region:
    """An `autocast` in force: its dtype, and the parameters that it has cast, unless it keeps none."""

    __slots__ = ("casts", "dtype")

    def __init__(self, dtype: dtypes.dtype, casts: dict[int, tuple[Tensor, Tensor]] | None) -> None:
        self.dtype, self.casts = dtype, casts

    def anew(self) -> Region:
        """The same, which has cast nothing yet."""
        return Region(self.dtype, None if self.casts is None else {})


def lowered(*operands: Any) -> tuple[Any, ...]:
    """Operands in the dtype of the region in force, which there must be; float64 stays."""
    region: Region = state.autocast
    return _each(operands, region.dtype, region.casts)


def widened(*operands: Any) -> tuple[Any, ...]:
    """Operands in float32; float64 stays, and everything where no region is in force."""
    if state.autocast is None:
        return operands
    return _each(operands, dtypes.float32, None)


def _each(
    operands: tuple[Any, ...], dtype: dtypes.dtype, casts: dict[int, tuple[Tensor, Tensor]] | None
) -> tuple[Any, ...]:
    """The operands cast from the last to the first, as C++ computes arguments, which orders the backward pass."""
    return tuple([_cast(x, dtype, casts) for x in reversed(operands)][::-1])


def _cast(x: Any, dtype: dtypes.dtype, casts: dict[int, tuple[Tensor, Tensor]] | None) -> Any:
    if not isinstance(x, Tensor) or x._array.dtype.char not in "eEf" or x.dtype is dtype:
        return x
    if casts is None or x._array.dtype.char != "f" or not x.requires_grad or not x.is_leaf or x._view is not None:
        return ops.to_dtype(x, dtype.np)
    if id(x) not in casts:
        casts[id(x)] = x, ops.to_dtype(x, dtype.np)
    return casts[id(x)][1]


@contextmanager
def outside() -> Iterator[None]:
    """What runs inside is computed as if there were no region."""
    region, state.autocast = state.autocast, None
    try:
        yield
    finally:
        state.autocast = region


_CASTS = {"lower_precision_fp": "lowered", "fp32": "widened"}
"""What casts the operands, by policy."""


def code(op: Emitter) -> list[str]:
    """The first lines of a call of a row."""
    if not op.autocast:
        return []
    names = ", ".join([p.name for p in op.parameters if p.kind in ("grad", "tensor")])
    return [f"    if state.autocast is not None: {names}, = {_CASTS[op.autocast]}({names})"]
