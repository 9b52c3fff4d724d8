"""Distances between vectors as modules."""

from __future__ import annotations

from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.layers import layer
from engine.nn.module import Module


class PairwiseDistance(Module):
    """The p-norm of the difference of two vectors, row by row."""

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


@layer(
    "dim: int = 1, eps: float = 1e-8",
    "F.cosine_similarity(x1, x2, self.dim, self.eps)",
    takes="x1: Tensor, x2: Tensor",
)
class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`."""
