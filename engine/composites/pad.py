"""`nn.functional.pad` in all its modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types.shapes import sizes

_ROWS = {"reflect": "reflection_pad{}d", "replicate": "replication_pad{}d"}


@public("nn")
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Tensor:
    """Widens the last dimensions: `pad` has two numbers (before, after) for each, the last dimension first.

    Modes: constant (`value`), reflect, replicate, circular. Negative numbers cut off.
    """
    margins = sizes((tuple(pad),))
    if len(margins) % 2:
        raise errors.pad_odd()
    if len(margins) > 2 * input.ndim:
        raise errors.pad_length_many(len(margins), input.ndim)
    if mode == "constant":
        value = 0 if value is None else value
        return ops.constant_pad_nd(input, margins, float(value) if type(value) is int else value)
    if value is not None and value != 0:
        raise errors.pad_value(mode)
    if mode not in (*_ROWS, "circular"):
        raise errors.pad_mode(mode)
    rank = len(margins) // 2
    if rank not in (1, 2, 3) or input.ndim not in (rank + 1, rank + 2):
        raise errors.pad_combination(len(margins), input.ndim)
    if mode == "circular":
        return circular(input, margins)
    return getattr(ops, _ROWS[mode].format(rank))(input, margins)


def circular(x: Tensor, margins: tuple[int, ...]) -> Tensor:
    """The far side repeated before the near one: copied slice by slice into a new tensor, as PyTorch does it."""
    dims = [x.ndim - 1 - i for i in range(len(margins) // 2)]
    pairs = {dim: margins[2 * i : 2 * i + 2] for i, dim in enumerate(dims)}
    shape = list(x.shape)
    for dim, (before, after) in pairs.items():
        if before > shape[dim] or after > shape[dim]:
            raise errors.pad_wrapping()
        shape[dim] += before + after
        if shape[dim] < 0:
            raise errors.pad_empty_dimension()
    out = x.new_empty(shape)
    target, source = out, x
    for dim, (before, after) in pairs.items():
        target = _slice(target, dim, max(before, 0), shape[dim] - max(after, 0))
        source = _slice(source, dim, max(-before, 0), x.shape[dim] - max(-after, 0))
    target.copy_(source)
    for dim, (before, after) in pairs.items():
        left, right, size = max(before, 0), max(after, 0), shape[dim]
        if before > 0:
            _slice(out, dim, 0, before).copy_(_slice(out, dim, size - before - right, size - right))
        if after > 0:
            _slice(out, dim, size - after, size).copy_(_slice(out, dim, left, left + after))
    return out


def _slice(x: Tensor, dim: int, start: int, end: int) -> Tensor:
    result: Tensor = ops.slice(x, dim, start, end, 1)
    return result


def _publish(rank: int) -> None:
    for name in ("reflection", "replication"):

        @public("torch", f"{name}_pad{rank}d", doc=f"`nn.functional.pad` with {name}.")
        def function(input: Tensor, padding: Any, *, row: str = f"{name}_pad{rank}d") -> Tensor:
            return getattr(ops, row)(input, tuple(padding))


for _rank in (1, 2, 3):
    _publish(_rank)
