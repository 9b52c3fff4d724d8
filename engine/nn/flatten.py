"""Merging and splitting dimensions as modules."""

from __future__ import annotations

from collections.abc import Sequence

from engine import errors
from engine.core.tensor import Tensor
from engine.nn.layers import layer
from engine.nn.module import Module


@layer("start_dim: int = 1, end_dim: int = -1", "input.flatten(self.start_dim, self.end_dim)", "start_dim end_dim")
class Flatten(Module):
    """Merges the dimensions from `start_dim` to `end_dim`; by default all but the first."""


class Unflatten(Module):
    """Splits dimension `dim` into the sizes given."""

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        if not isinstance(unflattened_size, tuple | list):
            raise errors.unflattened_size(unflattened_size)
        for index, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise errors.unflattened_item(size, index)
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
