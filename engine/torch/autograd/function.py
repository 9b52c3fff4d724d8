"""`torch.autograd.function`."""

from engine.autograd.function import BackwardCFunction, Function, FunctionCtx, once_differentiable


class InplaceFunction(Function):
    """A Function that keeps whether it was asked to write in place."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
