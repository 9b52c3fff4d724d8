"""Patches of images as columns (im2col) and back, and pixels moved between channels and space."""

from __future__ import annotations

from engine.batching import rules
from engine.codegen.op import op

op(
    "im2col(self, kernel_size, dilation, padding, stride)", "Im2ColBackward0",
    "im2col_kernel(self, kernel_size, dilation, padding, stride)", inplace=False,
    self="col2im(g, self.shape[-2:], kernel_size, dilation, padding, stride)",
    says="each pixel collects the gradients of all its copies", vmap=rules.sampled(3), backward_cost=1,
    opmath="bfloat16",
)
op(
    "col2im(self, output_size, kernel_size, dilation, padding, stride)", "Col2ImBackward0",
    "col2im_kernel(self, output_size, kernel_size, dilation, padding, stride)", inplace=False,
    self="im2col(g, kernel_size, dilation, padding, stride)",
    says="each copy of a pixel gets the gradient of the pixel", opmath="bfloat16",
)

op(
    "pixel_shuffle(self, upscale_factor)", "PixelShuffleBackward0", "pixel_shuffle_kernel(self, upscale_factor)",
    inplace=False, self="pixel_unshuffle(g, upscale_factor)", says="each pixel's gradient goes back to its channel",
    vmap=rules.sampled(3), memory_format="channels_last", formula_format="channels_last", opmath="bfloat16",
)
op(
    "pixel_unshuffle(self, downscale_factor)", "PixelUnshuffleBackward0",
    "pixel_unshuffle_kernel(self, downscale_factor)", inplace=False, self="pixel_shuffle(g, downscale_factor)",
    says="each pixel's gradient goes back to its place", vmap=rules.sampled(3), memory_format="channels_last",
    formula_format="channels_last", opmath="bfloat16",
)
op(
    "channel_shuffle(self, groups)", "ChannelShuffleBackward0", "channel_shuffle_kernel(self, groups)", inplace=False,
    self="channel_shuffle(g, g.shape[1] // groups)", says="each channel's gradient goes back to its place",
    memory_format="channels_last", formula_format="channels_last", opmath="bfloat16",
)
op(
    "native_channel_shuffle(self, groups)", "NotImplemented", "channel_shuffle_kernel(self, groups)", inplace=False,
    self="underivable('native_channel_shuffle')", opmath="bfloat16",
)
