"""The base of the classes that programs derive from Tensor."""

from __future__ import annotations

from engine.core.tensor import Parameter, Tensor


class Overriding(Tensor):
    """A tensor whose methods ask its class first, by `__torch_function__` (`engine.program.overrides` gives it them).

    Programs never see it: to them, their classes derive from Tensor.
    """

    __slots__ = ()
    __module__ = "torch"
    __invisible__ = True


class OverridingParameter(Overriding, Parameter):
    """The same for classes that programs derive from Parameter and that define `__torch_function__`."""

    __slots__ = ()
    __module__ = "torch.nn.parameter"
    __invisible__ = True
