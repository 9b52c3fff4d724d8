"""Functions of numpy that leave a tensor to what it has of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.tensor import Tensor
from engine.program.attributes import as_value


def shape(a: Tensor) -> Any:
    return a.shape


def size(a: Tensor, axis: Any = None) -> Any:
    return as_value(a.size, "size") if axis is None else a.shape[axis]


def ndim(a: Tensor) -> Any:
    return a.dim()


def nonzero(a: Tensor) -> Any:
    return a.nonzero()


def argwhere(a: Tensor) -> Any:
    """numpy turns round what it takes for a tuple of places."""
    return a.nonzero().t()


def flip(m: Tensor, axis: Any = None) -> Any:
    if m.dim():
        raise ValueError("step must be greater than zero")
    return m[()]


def squeeze(a: Tensor, axis: Any = None) -> Any:
    return a.squeeze() if axis is None else a.squeeze(axis)


def real(val: Tensor) -> Any:
    return val.real


def imag(val: Tensor) -> Any:
    return val.imag


def isreal(x: Tensor) -> Any:
    return x.imag == 0


TENSORS_OWN: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (shape, size, ndim, nonzero, argwhere, flip, squeeze, real, imag, isreal)
}
