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


class ConstantPad1d(_ConstantPadNd):
    """Pads the last dimension with a number."""

    _rank = 1


class ConstantPad2d(_ConstantPadNd):
    """Pads the last two dimensions with a number."""

    _rank = 2


class ConstantPad3d(_ConstantPadNd):
    """Pads the last three dimensions with a number."""

    _rank = 3


class ZeroPad1d(ConstantPad1d):
    """Pads the last dimension with zeros."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad2d(ConstantPad2d):
    """Pads the last two dimensions with zeros."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad3d(ConstantPad3d):
    """Pads the last three dimensions with zeros."""

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


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


class CircularPad1d(_CircularPadNd):
    """Continues (N, C, L) with its other end."""

    _rank = 1


class CircularPad2d(_CircularPadNd):
    """Continues (N, C, H, W) with its other ends."""

    _rank = 2


class CircularPad3d(_CircularPadNd):
    """Continues (N, C, D, H, W) with its other ends."""

    _rank = 3
