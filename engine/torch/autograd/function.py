"""`torch.autograd.function`."""

from engine.autograd.function import BackwardCFunction, Function, once_differentiable

FunctionCtx = BackwardCFunction

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "once_differentiable"]
