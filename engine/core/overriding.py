"""The base of the classes that programs derive from Tensor."""

from __future__ import annotations

from engine.core.tensor import Tensor


class Overriding(Tensor):
    """A tensor whose methods ask its class first, by `__torch_function__` (`engine.program.overrides` gives it them).

    Programs never see it: to them, their classes derive from Tensor.
    """

    __slots__ = ()
    __module__ = "torch"
    __invisible__ = True
