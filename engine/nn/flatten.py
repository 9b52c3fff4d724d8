"""Merging and splitting dimensions as modules."""

from __future__ import annotations

from collections.abc import Sequence

from engine import errors
from engine.core.tensor import Tensor
from engine.nn.module import Module


class Flatten(Module):
    """Merges the dimensions from `start_dim` to `end_dim`; by default all but the first."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - PyTorch's name
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


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

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
