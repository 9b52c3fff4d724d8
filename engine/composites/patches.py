"""`nn.functional.fold`, `unfold` and the shuffles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types.shapes import integer

Pair = int | Sequence[int]


def _pair(value: Pair) -> tuple[int, ...]:
    return (int(value),) * 2 if isinstance(value, int | np.integer) else tuple([integer(one) for one in value])


@public("nn")
def unfold(input: Tensor, kernel_size: Pair, dilation: Pair = 1, padding: Pair = 0, stride: Pair = 1) -> Tensor:
    """The patches of an image (N, C, H, W) as columns (N, C·K, L), with K pixels at L positions."""
    return ops.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


@public("nn")
def fold(
    input: Tensor, output_size: Pair, kernel_size: Pair, dilation: Pair = 1, padding: Pair = 0, stride: Pair = 1
) -> Tensor:
    """Columns (N, C·K, L) added up to an image (N, C, H, W)."""
    return ops.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))


@public("nn torch")
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(…, C·r², H, W) → (…, C, H·r, W·r)."""
    return ops.pixel_shuffle(input, upscale_factor)


@public("nn torch")
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(…, C, H·r, W·r) → (…, C·r², H, W)."""
    return ops.pixel_unshuffle(input, downscale_factor)


@public("nn torch")
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """The channels of (N, C, …) in the order first of each group, second of each group, …"""
    return ops.channel_shuffle(input, groups)


@public("nn torch")
def native_channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """`channel_shuffle` without a gradient."""
    return ops.native_channel_shuffle(input, groups)
