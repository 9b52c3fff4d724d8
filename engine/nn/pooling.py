"""Pooling layers."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.inherited import written_in_each, written_into_each
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.layers import layer, of_ranks
from engine.nn.module import Module
from engine.nn.tuples import for_each


@written_in_each("forward")
@layer(
    "kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, return_indices: bool = False,"
    " ceil_mode: bool = False",
    "getattr(F, f'max_pool{self._rank}d')(input, self.kernel_size, self.stride, self.padding, self.dilation,"
    " ceil_mode=self.ceil_mode, return_indices=self.return_indices)",
    "kernel_size stride padding dilation ceil_mode",
    stride="kernel_size if stride is None else stride",
)
class _MaxPoolNd(Module):
    _rank = 0


MaxPool1d, MaxPool2d, MaxPool3d = of_ranks(_MaxPoolNd, "The largest value of each window of {batch}.")


@written_in_each("__init__", "forward")
@layer(
    "kernel_size: Any, stride: Any = None, padding: Any = 0",
    "getattr(F, f'max_unpool{self._rank}d')(input, indices, self.kernel_size, self.stride, self.padding, output_size)",
    "kernel_size stride padding",
    takes="input: Tensor, indices: Tensor, output_size: Any = None",
    kernel_size="for_each(kernel_size, self._rank)",
    stride="for_each(kernel_size if stride is None else stride, self._rank)",
    padding="for_each(padding, self._rank)",
)
class _MaxUnpoolNd(Module):
    _rank = 0


MaxUnpool1d, MaxUnpool2d, MaxUnpool3d = of_ranks(_MaxUnpoolNd, "Puts values back where `MaxPool{n}d` found them.")


@written_in_each("__init__", "forward")
@layer(
    "kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,"
    " divisor_override: int | None = None",
    "getattr(F, f'avg_pool{self._rank}d')(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,"
    " self.count_include_pad, self.divisor_override)",
    "kernel_size stride padding",
    stride="kernel_size if stride is None else stride",
)
class _AvgPoolNd(Module):
    _rank = 0


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of (N, C, L)."""

    _rank = 1

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        stride = kernel_size if stride is None else stride
        super().__init__(
            for_each(kernel_size, 1), for_each(stride, 1), for_each(padding, 1), ceil_mode, count_include_pad
        )

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)


AvgPool2d, AvgPool3d = of_ranks(_AvgPoolNd, "The mean of each window of {batch}.", (2, 3))


@written_in_each("forward")
@layer(
    "norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False",
    "getattr(F, f'lp_pool{self._rank}d')(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)",
    "norm_type kernel_size stride ceil_mode",
)
class _LPPoolNd(Module):
    _rank = 0


LPPool1d, LPPool2d, LPPool3d = of_ranks(_LPPoolNd, "The p-norm of each window of {batch}.")


@written_in_each("forward")
@layer(
    "output_size: Any, return_indices: bool = False",
    "getattr(F, f'adaptive_max_pool{self._rank}d')(input, self.output_size, self.return_indices)",
    "output_size",
)
class _AdaptiveMaxPoolNd(Module):
    _rank = 0


AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d = of_ranks(
    _AdaptiveMaxPoolNd, "Largest values of `output_size` windows over {batch}."
)


@written_in_each("forward")
@layer("output_size: Any", "getattr(F, f'adaptive_avg_pool{self._rank}d')(input, self.output_size)", "output_size")
class _AdaptiveAvgPoolNd(Module):
    _rank = 0


AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d = of_ranks(
    _AdaptiveAvgPoolNd, "Means of `output_size` windows over {batch}."
)


@written_into_each
class _FractionalMaxPoolNd(Module):
    _rank = 0

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()

        def each(value: Any) -> Any:
            return value if value is None or isinstance(value, tuple | list) else (value,) * self._rank

        self.kernel_size = each(kernel_size)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size, self.output_ratio = each(output_size), each(output_ratio)
        if output_size is None and output_ratio is None:
            raise errors.fractional_layer_size(type(self).__name__)
        if output_size is not None and output_ratio is not None:
            raise errors.fractional_layer_both()
        if output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise errors.fractional_layer_ratio(output_ratio)

    def forward(self, input: Tensor) -> Any:
        pool = getattr(F, f"fractional_max_pool{self._rank}d")
        return pool(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


FractionalMaxPool2d, FractionalMaxPool3d = of_ranks(
    _FractionalMaxPoolNd, "The largest values of windows of {batch} that advance by a random fraction.", (2, 3)
)
