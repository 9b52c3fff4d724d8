"""`torch.autograd.variable`."""

from engine.autograd import Variable

__all__ = ["Variable"]
