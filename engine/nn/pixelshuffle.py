"""Moving pixels between channels and space."""

from __future__ import annotations

from engine.nn.layers import layer
from engine.nn.module import Module


@layer("upscale_factor: int", "F.pixel_shuffle(input, self.upscale_factor)", "upscale_factor")
class PixelShuffle(Module):
    """(*, C·r², H, W) → (*, C, H·r, W·r)."""


@layer("downscale_factor: int", "F.pixel_unshuffle(input, self.downscale_factor)", "downscale_factor")
class PixelUnshuffle(Module):
    """(*, C, H·r, W·r) → (*, C·r², H, W)."""
