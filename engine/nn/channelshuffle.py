"""Mixing groups of channels."""

from __future__ import annotations

from engine.nn.layers import layer
from engine.nn.module import Module


@layer("groups: int", "F.channel_shuffle(input, self.groups)", "groups")
class ChannelShuffle(Module):
    """Takes the channels of `groups` groups in turn."""
