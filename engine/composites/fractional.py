"""`nn.functional.fractional_max_pool2d` and its kin."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import TORCH, public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types.shapes import integer


def _each(value: Any, rank: int) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,) * rank


def _publish(rank: int) -> None:
    name = f"fractional_max_pool{rank}d"

    def with_indices(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        if output_size is None and output_ratio is None:
            raise errors.fractional_size(name)
        if output_size is None:
            ratios = _each(output_ratio, rank)
            output_size = [int(s * r) for s, r in zip(input.shape[-rank:], ratios, strict=True)]
        if _random_samples is None:
            batch = 1 if input.ndim == rank + 1 else input.shape[0]
            _random_samples = TORCH["rand"](batch, input.shape[-rank - 1], rank, dtype=input.dtype)
        window = tuple(map(integer, _each(kernel_size, rank)))
        size = tuple(map(integer, _each(output_size, rank)))
        return getattr(ops, name)(input, window, size, _random_samples)

    def pool(
        input: Tensor,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:
        found = with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
        return found if return_indices else found[0]

    public("nn", name, doc="Largest values of windows that advance by a random fraction of their size.")(pool)
    doc = "As without indices, and where in its plane each value lay."
    public("nn", f"{name}_with_indices", doc=doc)(with_indices)


_publish(2)
_publish(3)
