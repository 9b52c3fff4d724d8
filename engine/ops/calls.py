"""Ops as typed functions: `one.view(x, shape)`, `many["split"](x, 2)`, and the in-place `writer("copy")(x, y)`."""

from __future__ import annotations

from collections.abc import Callable

from engine.autograd.inplace import inplace
from engine.core.registry import OPS
from engine.core.tensor import Tensor


class _One:
    """The calls of ops by identifier, remembered as attributes once they were asked for."""

    def __getattr__(self, identifier: str) -> Callable[..., Tensor]:
        if identifier.startswith("__"):
            raise AttributeError(identifier)
        call: Callable[..., Tensor] = OPS[identifier].call
        setattr(self, identifier, call)
        return call

    def __getitem__(self, identifier: str) -> Callable[..., Tensor]:
        return OPS[identifier].call


one = _One()


class _Many:
    """As `one`, for ops with several results."""

    def __getitem__(self, identifier: str) -> Callable[..., tuple[Tensor, ...]]:
        return OPS[identifier].call


many = _Many()


def writer(identifier: str, node: str | None = None, name: str | None = None) -> Callable[..., Tensor]:
    """The in-place form of an op; `node` where PyTorch's in-place node has another name."""
    return inplace(OPS[identifier], node, name)
