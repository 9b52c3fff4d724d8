"""Mixing groups of channels."""

from __future__ import annotations

from engine.core.tensor import Tensor
from engine.nn import functional as F  # noqa: N812
from engine.nn.module import Module


class ChannelShuffle(Module):
    """Takes the channels of `groups` groups in turn."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - PyTorch's name
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        return f"groups={self.groups}"
