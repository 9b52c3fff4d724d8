"""Automatic mixed precision on the CPU: which functions cast their operands, and to what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.types import dtypes

LOWER = frozenset("mm bmm addmm baddbmm addbmm convolution conv_tbc _prelu_kernel".split())
"""Rows that compute in the dtype of the region."""

WIDE = frozenset(
    "avg_pool3d max_pool3d_with_indices _adaptive_avg_pool3d max_unpool2d max_unpool3d binary_cross_entropy "
    "binary_cross_entropy_with_logits mse_loss smooth_l1_loss soft_margin_loss huber_loss nll_loss nll_loss2d "
    "multi_margin_loss multilabel_margin_loss prod trace polar view_as_complex reflection_pad1d reflection_pad2d "
    "replication_pad1d replication_pad2d replication_pad3d grid_sampler_2d grid_sampler_3d cholesky_solve "
    "cholesky_inverse linalg_householder_product geqrf ormqr linalg_inv_ex".split()
)
"""Rows that compute in float32."""


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
    if not isinstance(x, Tensor) or x._array.dtype.char not in "efg" or x.dtype is dtype:
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


def code(identifier: str, tensors: list[str]) -> list[str]:
    """The first lines of a call of a row."""
    for function, rows in (("lowered", LOWER), ("widened", WIDE)):
        if identifier in rows or identifier.partition("_dim")[0] in rows:
            names = ", ".join(tensors)
            return [f"    if state.autocast is not None: {names}, = {function}({names})"]
    return []
