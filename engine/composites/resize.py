"""`x.resize(…)` and `x.resize_as(y)`: names of old for `view`, with a node of their own."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

from engine import errors
from engine.autograd.function import Function
from engine.codegen.publish import public
from engine.core.tensor import Tensor


class Resize(Function):
    """The same elements in another shape."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
        elements = reduce(mul, shape, 1)  # of sizes in a tuple of their own the tuple, which PyTorch refuses
        if elements != tensor.numel():
            raise errors.resize_elements(shape, elements, tensor._array.shape)
        ctx.sizes = tensor._array.shape
        return tensor.contiguous().data.view(shape)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        return grad.contiguous().view(ctx.sizes), None


@public("method")
def resize(self: Tensor, *shape: Any) -> Tensor:
    """The same elements in another shape. Deprecated: `view` or `reshape` do the same."""
    errors.warn_resize("resize")
    return Resize.apply(self, shape)


@public("method")
def resize_as(self: Tensor, tensor: Tensor) -> Tensor:
    """`resize` to the shape of another."""
    errors.warn_resize("resize_as")
    return Resize.apply(self, tensor._array.shape)
