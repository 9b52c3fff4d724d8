"""Convolution layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine import errors
from engine.core.grad_mode import no_grad
from engine.core.inherited import written_in_each, written_into_each
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn import init
from engine.nn.layers import of_ranks, unusual
from engine.nn.module import Module
from engine.nn.parameter import empty_parameter, register_empty
from engine.nn.tuples import for_each

Ints = tuple[int, ...]
_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    _rank = 0
    weight: Any
    bias: Any

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Ints,
        stride: Ints,
        padding: Any,
        dilation: Ints,
        transposed: bool,
        output_padding: Ints,
        groups: int,
        bias: bool,
        padding_mode: str,
        dtype: Any,
        device: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(in_channels, str) or isinstance(out_channels, str):
            raise errors.string_modulo()
        if groups <= 0:
            raise errors.conv_groups_positive()
        if isinstance(in_channels, str) or in_channels % groups:  # `%` would format a text
            raise errors.divisible_by_groups("in_channels")
        if isinstance(out_channels, str) or out_channels % groups:
            raise errors.divisible_by_groups("out_channels")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise errors.conv_padding_string(padding)
            if padding == "same" and any(s != 1 for s in stride):
                raise errors.conv_same_strided_layer()
        if padding_mode not in _PADDING_MODES:
            raise errors.conv_padding_mode(padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._edges()
        shape = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = empty_parameter(*shape, *kernel_size, dtype=dtype, device=device)
        register_empty(self, "bias", bias, out_channels, dtype=dtype, device=device)
        self.reset_parameters()

    def _edges(self) -> Sequence[int]:
        """The padding as `nn.functional.pad` takes it: two numbers for each dimension, the last one first."""
        if not isinstance(self.padding, str):
            return tuple([p for p in reversed(self.padding) for _ in range(2)])
        edges: list[int] = []
        for d, k in zip(reversed(self.dilation), reversed(self.kernel_size), strict=False):
            total = d * (k - 1) if self.padding == "same" else 0
            edges += [total // 2, total - total // 2]
        return edges

    def reset_parameters(self) -> None:
        """Draw weight and bias from U(-1/√fan_in, 1/√fan_in)."""
        with no_grad():
            init.kaiming_uniform_(self.weight, a=math.sqrt(5))
            if self.bias is not None:
                fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
                bound = 1 / math.sqrt(fan_in) if fan_in else 0
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        shown = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        none, ones = (0,) * len(self.padding), (1,) * len(self.dilation)
        shown += unusual(self, padding=none, dilation=ones, output_padding=(0,) * len(self.output_padding), groups=1)
        return shown + (", bias=False" if self.bias is None else "") + unusual(self, padding_mode="zeros")


@written_into_each
class _Conv(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        rank = self._rank
        super().__init__(
            in_channels,
            out_channels,
            for_each(kernel_size, rank),
            for_each(stride, rank),
            padding if isinstance(padding, str) else for_each(padding, rank),
            for_each(dilation, rank),
            False,
            (0,) * rank,
            groups,
            bias,
            padding_mode,
            dtype,
            device,
        )

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        convolve = getattr(F, f"conv{self._rank}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * self._rank
        return convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)


Conv1d, Conv2d, Conv3d = of_ranks(_Conv, "Convolution over {batch} or {sample}.")


@written_in_each("__init__", "forward")
class _ConvTransposeNd(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise errors.conv_transpose_padding_mode(type(self).__name__)
        rank = self._rank
        super().__init__(
            in_channels,
            out_channels,
            for_each(kernel_size, rank),
            for_each(stride, rank),
            for_each(padding, rank),
            for_each(dilation, rank),
            True,
            for_each(output_padding, rank),
            groups,
            bias,
            padding_mode,
            dtype,
            device,
        )

    def _extra(self, input: Tensor, output_size: Sequence[int] | None) -> Ints:
        """The output padding that gives `output_size`, which a stride leaves open."""
        if output_size is None:
            return self.output_padding
        rank = self._rank
        size = output_size
        batched = input.ndim == rank + 2
        if len(size) == rank + (2 if batched else 1):
            size = size[-rank:]
        if len(size) != rank:
            raise errors.conv_transpose_size_length(self._rank, input.ndim, len(output_size))
        lowest = [
            (input.shape[-rank + i] - 1) * self.stride[i]
            - 2 * self.padding[i]
            + self.dilation[i] * (self.kernel_size[i] - 1)
            + 1
            for i in range(rank)
        ]
        highest = [low + stride - 1 for low, stride in zip(lowest, self.stride, strict=True)]
        if any(not low <= int(s) <= high for s, low, high in zip(size, lowest, highest, strict=True)):
            raise errors.conv_transpose_size(size, lowest, highest, list(input.shape[-rank:]))
        return tuple(s - low for s, low in zip(size, lowest, strict=True))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        convolve = getattr(F, f"conv_transpose{self._rank}d")
        return convolve(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self._extra(input, output_size),
            self.groups,
            self.dilation,
        )


ConvTranspose1d, ConvTranspose2d, ConvTranspose3d = of_ranks(
    _ConvTransposeNd, "Transposed convolution over {batch} or {sample}."
)
