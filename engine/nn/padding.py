"""Padding layers."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.inherited import written_in_each, written_into_each
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.layers import of_ranks
from engine.nn.module import Module
from engine.nn.tuples import for_each


@written_into_each
class _PadNd(Module):
    """Padding in one mode; `padding` is one number, or two for each dimension, the last dimension first."""

    _rank = 0
    _mode = ""

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = for_each(padding, 2 * self._rank)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


@written_in_each("__init__")
class _ConstantPadNd(_PadNd):
    _mode = "constant"

    def __init__(self, padding: Any, value: float) -> None:
        Module.__init__(self)
        self.padding = for_each(padding, 2 * self._rank)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


ConstantPad1d, ConstantPad2d, ConstantPad3d = of_ranks(_ConstantPadNd, "Pads {batch} at its edges with a number.")


@written_into_each
class _ZeroPad(Module):
    def __init__(self: Any, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self: Any) -> str:
        return f"{self.padding}"


def _zero_pad(kind: Any) -> Any:
    doc = kind.__doc__.replace("a number", "zeros")
    return type(kind.__name__.replace("Constant", "Zero"), (_ZeroPad, kind), {"__module__": __name__, "__doc__": doc})


ZeroPad1d, ZeroPad2d, ZeroPad3d = map(_zero_pad, (ConstantPad1d, ConstantPad2d, ConstantPad3d))


@written_in_each("__init__")
class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = of_ranks(_ReflectionPadNd, "Mirrors {batch} at its edges.")


@written_in_each("__init__")
class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = of_ranks(_ReplicationPadNd, "Repeats the edges of {batch}.")


@written_in_each("__init__")
class _CircularPadNd(_PadNd):
    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in (self._rank + 1, self._rank + 2):
            raise errors.circular_dimensions(self._rank, input.ndim)
        return F.pad(input, self.padding, self._mode)


CircularPad1d, CircularPad2d, CircularPad3d = of_ranks(_CircularPadNd, "Continues {batch} with its other ends.")
