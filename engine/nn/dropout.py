"""Dropout layers: while training, elements or whole channels are zeroed at random and the rest is scaled up."""

from __future__ import annotations

from engine import errors
from engine.nn.layers import layer
from engine.nn.module import Module


class _DropoutNd(Module):
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise errors.dropout_probability(p)
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


@layer("", "F.dropout(input, self.p, self.training, self.inplace)")
class Dropout(_DropoutNd):
    """Zeroes elements with probability p (Hinton et al., 2012)."""


@layer("", "F.dropout1d(input, self.p, self.training, self.inplace)")
class Dropout1d(_DropoutNd):
    """Zeroes whole channels of (N, C, L) with probability p."""


@layer("", "F.dropout2d(input, self.p, self.training, self.inplace)")
class Dropout2d(_DropoutNd):
    """Zeroes whole channels of (N, C, H, W) with probability p."""


@layer("", "F.dropout3d(input, self.p, self.training, self.inplace)")
class Dropout3d(_DropoutNd):
    """Zeroes whole channels of (N, C, D, H, W) with probability p."""


@layer("", "F.alpha_dropout(input, self.p, self.training)")
class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance of self-normalising networks (Klambauer et al., 2017)."""


@layer("", "F.feature_alpha_dropout(input, self.p, self.training)")
class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels."""
