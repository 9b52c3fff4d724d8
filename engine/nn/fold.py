"""Patches of images as columns, and back."""

from __future__ import annotations

from engine.nn.layers import layer
from engine.nn.module import Module


@layer(
    "output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1",
    "F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)",
    "output_size kernel_size dilation padding stride",
)
class Fold(Module):
    """Adds columns (N, C·K, L) up to an image (N, C, H, W)."""


@layer(
    "kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1",
    "F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)",
    "kernel_size dilation padding stride",
)
class Unfold(Module):
    """The patches of an image (N, C, H, W) as columns (N, C·K, L)."""
