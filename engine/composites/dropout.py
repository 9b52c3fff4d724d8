"""Dropout: multiplication with a random mask, which is what PyTorch's graph shows."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.batching.level import draws
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor, number
from engine.kernels import random
from engine.kernels.memory_format import drawn_like
from engine.signatures.native import check
from engine.types import dtypes

SELU_LOWEST = 1.7580993408473766
"""Minus what SELU tends to for large negative inputs: scale · alpha."""


def _coins(x: Tensor, keep: float, feature: bool) -> Any:
    """Ones with probability `keep`: for each element, in the order of the tensor's memory, or for each channel."""
    a = x._array
    if x.is_sparse:
        raise errors.sparse_unavailable("dropout")
    if a.dtype.kind == "c":
        raise errors.not_implemented_for("bernoulli_scalar_cpu_", x.dtype.type_name)
    if a.dtype.kind not in dtypes.FLOATING:
        random.default_generator.coins(a.shape, keep, a.dtype)  # which PyTorch draws before it divides them
        raise errors.inplace_dtype("Float", x.dtype.type_name)
    if feature:
        if a.ndim < 2:
            raise errors.feature_dropout_dimensions()
        return random.default_generator.coins((*a.shape[:2], *(1,) * (a.ndim - 2)), keep, a.dtype)
    return drawn_like(a, a.dtype, lambda shape, _: random.default_generator.coins(shape, keep, a.dtype))


def _times(x: Tensor, factor: Any, inplace: bool) -> Tensor:
    mask = Tensor._from_array(factor)
    return x.mul_(mask) if inplace else x * mask


def _drop(x: Tensor, p: float, train: bool, inplace: bool, feature: bool = False, alpha: bool = False) -> Tensor:
    if not alpha:
        p = number(p) if isinstance(p, Tensor) and not p._array.ndim else p
    if not 0.0 <= p <= 1.0:
        raise errors.dropout_probability(p)
    if not isinstance(x, Tensor):
        raise errors.argument_type("alpha_dropout" if alpha else "dropout", "input", 1, "Tensor", x)
    if p == 0 or not train or not x.numel():
        return x
    return (_alpha_dropped if alpha else _dropped)(x, p, inplace, feature)


def _at_once(function: Any, size: int, x: Tensor, p: float, inplace: bool, feature: bool) -> Tensor | None:
    return None if feature else function(x, p, inplace, feature)


@draws(_at_once)
def _dropped(x: Tensor, p: float, inplace: bool, feature: bool) -> Tensor:
    dtype = x._array.dtype
    if p == 1:
        return _times(x, dtype.type(0), inplace)
    factor = _coins(x, 1 - p, feature)
    factor /= dtype.type(1 - p)  # in place, so that it stays where x is in memory
    return _times(x, factor, inplace)


@draws(_at_once)
def _alpha_dropped(x: Tensor, p: float, inplace: bool, feature: bool) -> Tensor:
    """Dropped elements take SELU's lowest value, and the rest is moved so that mean and variance stay."""
    dtype = x._array.dtype
    if p == 1:
        return _times(x, dtype.type(0), inplace)
    kept = _coins(x, 1 - p, feature)
    a = 1.0 / math.sqrt((SELU_LOWEST * SELU_LOWEST * p + 1) * (1 - p))
    shift = (kept - dtype.type(1)) * dtype.type(SELU_LOWEST * a) + dtype.type(SELU_LOWEST * a * p)
    return _times(x, kept * dtype.type(a), inplace).add_(Tensor._from_array(shift))


@public("nn")
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """While training, zeroes elements with probability p and scales the rest by 1 / (1 - p)."""
    return _drop(input, p, training, inplace)


@public("nn")
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps mean and variance of self-normalising networks."""
    return _drop(input, p, training, inplace, alpha=True)


@public("nn")
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """`alpha_dropout` of whole channels."""
    return _drop(input, p, training, inplace, feature=True, alpha=True)


def _of_channels(rank: int, shapes: str) -> None:
    name = f"dropout{rank}d"

    @public("nn", name, doc=f"Zeroes whole channels of {shapes}.")
    def function(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
        if not 0.0 <= p <= 1.0:
            raise errors.dropout_probability(p)
        if rank == 1 and input.ndim not in (2, 3):
            raise errors.dropout1d_dimensions(input.ndim)
        if rank > 1 and input.ndim not in (rank + 1, rank + 2):
            errors.warn_dropout_dimensions(name, input.ndim, rank)
        if rank == 2 and input.ndim == 3:
            errors.warn_dropout2d_unbatched()
        unbatched = input.ndim != 5 if rank == 3 else input.ndim == 2 and rank == 1
        if not unbatched:
            return _drop(input, p, training, inplace, feature=True)
        batch = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
        dropped = _drop(batch, p, training, inplace, feature=True)
        return dropped.squeeze_(0) if inplace else dropped.squeeze(0)


for _rank, _shapes in enumerate(("(N, C, L) or (C, L)", "(N, C, H, W)", "(N, C, D, H, W) or (C, D, H, W)"), 1):
    _of_channels(_rank, _shapes)


def _torch(name: str) -> None:
    kind = "feature" in name, "alpha" in name

    @public("torch", name, doc=f"`nn.functional.{name}`; `train` switches it on.")
    def function(input: Tensor, p: float, train: bool) -> Tensor:
        check("torch", name, (input, p, train), {})
        return _drop(input, p, train, False, *kind)

    @public("torch", name + "_", doc=f"In-place `{name}`.")
    def write(input: Tensor, p: float, train: bool) -> Tensor:
        check("torch", name + "_", (input, p, train), {})
        return _drop(input, p, train, True, *kind)


for _name in ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout"):
    _torch(_name)


@public("torch")
def native_dropout(input: Tensor, p: float, train: bool | None) -> tuple[Tensor, Tensor]:
    """Dropout in one op: the result, and the mask of what was kept."""
    return ops.native_dropout(input, p, train)
