"""`torch.autograd.variable`."""

from engine.autograd.api import Variable

__all__ = ["Variable"]
