"""`conv1d` … `conv_transpose3d`: arguments made regular, batches added where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.ops.complexes import is_conjugate
from engine.types.shapes import integer

Ints = tuple[int, ...]
_RANKS = (1, 2, 3)


def expand_option(name: str, value: Any, count: int) -> Ints:
    """An option given as one int or as one for each spatial dimension."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return (int(value),) * count
    values = tuple([v if type(v) is int else integer(v) for v in value])
    if len(values) == 1:
        return values * count
    if len(values) != count:
        raise errors.conv_option_length(name, values, count)
    return values


def _option(name: str, value: Any, rank: int, rank_of_weight: int) -> Ints:
    """The option as the function wants it, then as the weight does: PyTorch complains in this order."""
    if type(value) is int and rank == rank_of_weight:
        return (value,) * rank
    return expand_option(name, expand_option(name, value, rank), rank_of_weight)


def _batched(input: Tensor, rank: int, function: str) -> tuple[Tensor, bool]:
    ndim = input._array.ndim
    if ndim == rank + 2:
        return input, True
    if ndim == rank + 1:
        return input.unsqueeze(0), False
    raise errors.conv_dimensions(rank, function, tuple(input.shape))


def _convolve(
    rank: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    transposed: bool = False,
    output_padding: Any = 0,
) -> Tensor:
    name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    if not isinstance(input, Tensor):
        raise errors.conv_arguments(name, input, weight)
    if bias is not None and not transposed and not isinstance(padding, str):
        if bias._array.dtype != input._array.dtype:
            raise errors.conv_bias_dtype(input.dtype.cpp_name, bias.dtype.cpp_name)
    x, batched = _batched(input, rank, name)
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise errors.conv_padding_name(padding)
    if weight._array.ndim < 3:
        raise errors.conv_weight_few()
    if isinstance(groups, int) and groups <= 0:
        raise errors.conv_groups()
    rank_of_weight = weight._array.ndim - 2
    steps = _option("stride", stride, rank, rank_of_weight)
    spread = _option("dilation", dilation, rank, rank_of_weight)
    extra = _option("output_padding", output_padding, rank, rank_of_weight)
    margins = padding if isinstance(padding, str) else _option("padding", padding, rank, rank_of_weight)
    if transposed and any(e >= max(s, d) for e, s, d in zip(extra, steps, spread, strict=True)):
        raise errors.output_padding(extra, steps, spread)
    options = margins, steps, spread, transposed, extra, groups
    convolve = _complex_convolution if x.is_complex() else _convolution
    result: Tensor = convolve(x, weight, bias, *options)
    return result if batched else result.squeeze(0)


def _convolution(
    x: Tensor, weight: Tensor, bias: Tensor | None, padding: str | Ints, steps: Ints, spread: Ints, *options: Any
) -> Any:
    margins: Any = padding
    if isinstance(padding, str):
        x, margins = _named_padding(padding, x, weight, steps, spread)
    return ops.convolution(x, weight, bias, steps, margins, spread, *options)


def _complex_convolution(x: Tensor, weight: Tensor, bias: Tensor | None, *options: Any) -> Any:
    """Three convolutions of real numbers (Gauss): of the real parts, of the imaginary parts, and of their sums."""
    if weight.dtype is not x.dtype:
        raise errors.conv_complex_weight(x.dtype.cpp_type, weight.dtype.cpp_type)
    if bias is not None and bias.dtype is not x.dtype:
        raise errors.conv_bias_dtype(x.dtype.cpp_name, bias.dtype.cpp_name)
    (x_real, x_imag), (w_real, w_imag) = _parts(x), _parts(weight)
    b_real, b_imag = (None, None) if bias is None else _parts(bias)
    first = _convolution(x_real, w_real, b_real, *options)
    second = _convolution(x_imag, w_imag, None, *options)
    # The arguments of C++ are computed from the last to the first.
    b_sum = None if b_real is None else b_real + b_imag
    w_sum = w_real + w_imag
    third = _convolution(x_real + x_imag, w_sum, b_sum, *options)
    imaginary = ops.mul_Scalar(third - first - second, 1j)
    return first - second + imaginary


def _parts(x: Tensor) -> tuple[Any, Any]:
    pairs = ops.view_as_real(ops.clone(x, None) if is_conjugate(x) else x)
    return ops.select(pairs, x.ndim, 0), ops.select(pairs, x.ndim, 1)


def _named_padding(name: str, x: Tensor, weight: Tensor, stride: Ints, dilation: Ints) -> tuple[Tensor, Ints]:
    """'valid' pads nothing; 'same' keeps the size, with one more zero on the far side where it must be uneven."""
    count = len(stride)
    if name == "valid":
        return x, (0,) * count
    if name != "same":
        raise errors.conv_padding_name(name)
    if any(s != 1 for s in stride):
        raise errors.conv_same_strided()
    totals = [d * (k - 1) for k, d in zip(weight.shape[2:], dilation, strict=True)]
    margins = tuple(total // 2 for total in totals)
    if any(total % 2 for total in totals):
        errors.warn_same_padding()
        pad = [amount for total in reversed(totals) for amount in (0, total % 2)]
        x = ops.constant_pad_nd(x, tuple(pad), 0)
    return x, margins


def _publish(rank: int) -> None:
    def conv(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        return _convolve(rank, input, weight, bias, stride, padding, dilation, groups)

    def conv_transpose(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Tensor:
        return _convolve(rank, input, weight, bias, stride, padding, dilation, groups, True, output_padding)

    sizes = ("L", "H, W", "D, H, W")[rank - 1]
    doc = f"Convolution: input (N, C, {sizes}) or (C, {sizes}), weight (F, C/groups, kernel …), bias (F)."
    public("torch nn", f"conv{rank}d", doc=doc)(conv)
    doc = f"Transposed convolution: input (N, C, {sizes}), weight (C, F/groups, kernel …), bias (F)."
    public("torch nn", f"conv_transpose{rank}d", doc=doc)(conv_transpose)


for _rank in _RANKS:
    _publish(_rank)


@public("torch nn")
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """A convolution over time of (time, batch, channels) with a kernel of (width, channels, filters)."""
    return ops.conv_tbc(input, weight, bias, integer(pad))
