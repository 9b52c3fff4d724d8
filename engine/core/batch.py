"""The batch that a tensor stands for inside the function of a `vmap`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.state import state

if TYPE_CHECKING:
    from engine.core.tensor import Tensor


class Batch:
    """The entries that an entry stands for: `tensor`, mapped over `dim` by `level` (`engine.batching.level.Level`).

    `tensor` may be an entry itself, of a `vmap` further out.
    """

    __slots__ = ("dim", "level", "tensor")

    def __init__(self, level: Any, tensor: Tensor, dim: int) -> None:
        self.level, self.tensor, self.dim = level, tensor, dim

    def tracked(self) -> Tensor | None:
        """The whole of it where a transform inside the `vmap` differentiates, else None: then no graph shows."""
        transform = state.transforms[-1] if state.transforms else None
        return whole(self.tensor) if transform is not None and transform.differentiates else None


def whole(t: Tensor) -> Tensor:
    """All entries of all batches that a tensor stands for: what graphs are made of."""
    while t._batch is not None:
        t = t._batch.tensor
    return t
