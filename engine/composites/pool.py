"""Pooling functions: arguments made regular; one dimension by way of two, as PyTorch does it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.composites.conv import Ints
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.pool import pooled_size
from engine.kernels.shape import suggests
from engine.types import dtypes
from engine.types.shapes import integer, wrap_dim

_NAMES = {1: "one", 2: "two", 3: "three"}


def _option(function: str, name: str, value: Any, rank: int, optional: bool = False) -> Ints:
    """An option given as one int or as one for each dimension; () for a stride left out."""
    if value is None:
        return ()
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return (int(value),) * rank
    values = tuple([v if type(v) is int else integer(v) for v in value])
    if len(values) == 1:
        return values * rank
    if len(values) != rank and not (optional and not values):
        raise errors.pool_option(function, name, _NAMES[rank], len(values), optional)
    return values


def _check_1d(function: str, input: Tensor) -> None:
    if input.ndim not in (2, 3):
        raise errors.dimension_range(2, 3, input.ndim, function)


def _max_pool(
    rank: int,
    input: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> tuple[Tensor, Tensor]:
    name = f"max_pool{rank}d"
    if rank == 1 and not return_indices and input.ndim not in (2, 3):
        raise errors.max_pool1d_dimensions(tuple(input.shape))
    options = (
        _option(name, "kernel_size", kernel_size, rank),
        _option(name, "stride", stride, rank, optional=True),
        _option(name, "padding", padding, rank),
        _option(name, "dilation", dilation, rank),
    )
    if rank > 1:
        if input.ndim not in (rank + 1, rank + 2):
            raise errors.pool_dimensions(rank)
        return getattr(ops, f"{name}_with_indices")(input, *options, bool(ceil_mode))
    window, steps, margins, spread = options
    if not return_indices:
        _check_max_pool1d(input, window[0], (steps or window)[0], margins[0], spread[0], ceil_mode)
    flat = ops.max_pool2d_with_indices(
        input.unsqueeze(-2),
        (1, *window),
        (1, *steps) if steps else (1, *window),
        (0, *margins),
        (1, *spread),
        bool(ceil_mode),
    )
    return flat[0].squeeze(-2), flat[1].squeeze(-2)


def _check_max_pool1d(x: Tensor, window: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> None:
    if x.ndim not in (2, 3) or not all(x.shape[-2:]):
        raise errors.max_pool1d_dimensions(tuple(x.shape))
    if window <= 0:
        raise errors.max_pool1d_option("kernel_size", window)
    if stride <= 0:
        raise errors.max_pool1d_option("stride", stride)
    if dilation <= 0:
        raise errors.max_pool1d_option("dilation", dilation)
    if padding < 0:
        raise errors.max_pool1d_negative_padding(padding)
    if padding > window // 2:
        raise errors.max_pool1d_padding(padding, window)
    if x._array.dtype.kind in "iubc":
        raise errors.not_implemented_for("max_pool1d_impl", x.dtype.type_name)
    size = pooled_size((x.shape[-1],), (window,), (stride,), (padding,), (dilation,), ceil_mode)[0]
    if size <= 0:
        raise errors.max_pool1d_output(size)


def _publish_max_pool(rank: int) -> None:
    def with_indices(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> tuple[Tensor, Tensor]:
        return _max_pool(rank, input, kernel_size, stride, padding, dilation, ceil_mode, True)

    def max_pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        values, indices = _max_pool(rank, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)
        return (values, indices) if return_indices else values

    doc = "The largest value of each window{} where it is in its plane."
    public("nn torch", f"max_pool{rank}d", doc=doc.format("; with `return_indices` also"))(max_pool)
    public("nn", f"max_pool{rank}d_with_indices", doc=doc.format(", and"))(with_indices)

    @public(
        "nn", f"max_unpool{rank}d", doc="Values put back where `max_pool` found them (its `indices`), zeros elsewhere."
    )
    def max_unpool(
        input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Tensor:
        return _max_unpool(rank, input, indices, kernel_size, stride, padding, output_size)


def _max_unpool(
    rank: int, input: Tensor, indices: Tensor, kernel_size: Any, stride: Any, padding: Any, output_size: Any
) -> Tensor:
    name = f"max_unpool{rank}d"
    window = _option(name, "kernel_size", kernel_size, rank)
    steps = _option(name, "stride", stride, rank) or window
    margins = _option(name, "padding", padding, rank)
    if indices.dtype.name != "int64":
        raise errors.unpool_dtype(indices.dtype.type_name)
    if input.shape != indices.shape:
        raise errors.unpool_shapes(tuple(indices.shape), tuple(input.shape))
    sizes = tuple(input.shape[-rank:])
    default = [(s - 1) * t + k - 2 * p for s, t, k, p in zip(sizes, steps, window, margins, strict=True)]
    wanted = default if output_size is None else list(output_size)[-rank:]
    for dim, (size, usual, step) in enumerate(zip(wanted, default, steps, strict=True)):
        if not usual - step < size < usual + step:
            raise errors.unpool_output_size(output_size, dim, usual - step, usual + step)
    if rank == 1:
        flat = ops.max_unpool2d(input.unsqueeze(-2), indices.unsqueeze(-2), (1, *wanted))
        return flat.squeeze(-2)
    return getattr(ops, name)(input, indices, tuple(wanted))


def _avg_pool(
    rank: int,
    input: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:
    name = f"avg_pool{rank}d"
    if rank == 1:
        _check_1d(name, input)
    window = _option(name, "kernel_size", kernel_size, rank)
    steps = _option(name, "stride", stride, rank, optional=True)
    margins = _option(name, "padding", padding, rank)
    rest = (bool(ceil_mode), bool(count_include_pad), divisor_override)
    if rank == 3 and input.ndim not in (4, 5):
        raise errors.pool_dimensions(rank)
    if rank == 2 and input.ndim:
        wrap_dim(-3, input.ndim)
    if input._array.dtype.kind == "c":
        kernel = "avg_pool3d_out_frame" if rank == 3 else "avg_pool2d"
        raise errors.not_implemented_for(kernel, input.dtype.type_name)
    if rank > 1:
        if rank == 2:
            if not input.ndim:
                raise errors.dim_of_no_dims(-3)
            if input.ndim > 4:
                raise errors.pool_input(2, tuple(input.shape))
        return getattr(ops, name)(input, window, steps, margins, *rest)
    flat = ops.avg_pool2d(input.unsqueeze(-2), (1, *window), (1, *(steps or window)), (0, *margins), *rest)
    return flat.squeeze(-2)


@public("nn torch")
def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window of (N, C, L) or (C, L)."""
    return _avg_pool(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


def _publish_avg_pool(rank: int) -> None:
    doc = "The mean of each window; the sum over `divisor_override` when that is given."

    @public("nn", f"avg_pool{rank}d", doc=doc)
    def avg_pool(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        return _avg_pool(rank, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)


def _adaptive_size(function: str, input: Tensor, output_size: Any, rank: int) -> Ints:
    """The output size with None replaced by the input's."""
    if isinstance(output_size, int | np.integer):
        return (int(output_size),) * rank
    sizes = list(output_size)
    if rank == 1 and len(sizes) != 1:
        raise errors.adaptive_count(function, rank, len(sizes))
    if input.ndim <= len(sizes):
        raise errors.adaptive_size(len(sizes) + 1)
    kept = list(input.shape)[input.ndim - len(sizes) :]
    values = [own if wanted is None else integer(wanted) for wanted, own in zip(sizes, kept, strict=True)]
    if len(values) != rank:
        raise errors.adaptive_count(function, rank, len(values))
    return tuple(values)


def _check_adaptive(function: str, input: Tensor, size: Ints, comma: str) -> None:
    rank = len(size)
    negative = any(s < 0 for s in size)
    if negative and function == "adaptive_avg_pool2d":
        raise errors.adaptive_negative(function, size)
    if input.ndim not in (rank + 1, rank + 2):
        raise errors.adaptive_dimensions(function, rank, tuple(input.shape), comma)
    if negative:
        raise errors.adaptive_negative(function, size)


def _adaptive_avg(rank: int, input: Tensor, output_size: Any) -> Tensor:
    size = _adaptive_size(f"adaptive_avg_pool{rank}d", input, output_size, rank)
    if all(s == 1 for s in size):
        out = input.mean(tuple(range(-1, -rank - 1, -1)), keepdim=True)
        if rank == 2 and input._array.ndim == 4 and suggests(input._array, dtypes.channels_last):
            channels = out.size(1)
            out.as_strided_(tuple(out.shape), (channels, 1, channels, channels))
        return out
    _check_adaptive(f"adaptive_avg_pool{rank}d", input, size, "")
    return getattr(ops, f"_adaptive_avg_pool{rank}d")(input, size)


@public("nn torch")
def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """Means over windows that divide the length into `output_size` parts."""
    _check_1d("adaptive_avg_pool1d", input)
    size = _adaptive_size("adaptive_avg_pool1d", input, output_size, 1)
    return _adaptive_avg(2, input.unsqueeze(-2), (1, *size)).squeeze(-2)


@public("nn")
def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means over windows that divide the image into `output_size` parts; None keeps a size."""
    return _adaptive_avg(2, input, output_size)


@public("nn")
def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Means over windows that divide the volume into `output_size` parts; None keeps a size."""
    return _adaptive_avg(3, input, output_size)


def _publish_adaptive_max(rank: int) -> None:
    name = f"adaptive_max_pool{rank}d"

    def with_indices(input: Tensor, output_size: Any, return_indices: bool = False) -> tuple[Tensor, Tensor]:
        if rank == 1:
            _check_1d(name, input)
        size = _adaptive_size(name, input, output_size, rank)
        if rank > 1:
            _check_adaptive(name, input, size, ":")
            return getattr(ops, name)(input, size)
        empty = next((i for i in range(1, input.ndim) if not input.shape[i]), None)
        if empty is not None:
            raise errors.adaptive_empty(name, tuple(input.shape), empty)
        if size[0] < 0:
            raise errors.negative_dimension(size[0], (*input.shape[:-1], 1, *size))
        values, indices = ops.adaptive_max_pool2d(input.unsqueeze(-2), (1, *size))
        return values.squeeze(-2), indices.squeeze(-2)

    def adaptive_max_pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        values, indices = with_indices(input, output_size)
        return (values, indices) if return_indices else values

    public("nn", name, doc="Largest values of windows that divide the input into `output_size` parts.")(
        adaptive_max_pool
    )
    doc = "Largest values of windows that divide the input, and where they are in their plane."
    public("nn", f"{name}_with_indices", doc=doc)(with_indices)
    public("torch", name)(with_indices)


def _publish_lp_pool(rank: int) -> None:
    @public("nn", f"lp_pool{rank}d", doc="The p-norm of each window.")
    def lp_pool(
        input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Tensor:
        if isinstance(norm_type, int | float) and math.isinf(norm_type):
            sign = 1 if norm_type > 0 else -1
            largest = _max_pool(rank, input.abs() * sign, kernel_size, stride, 0, 1, ceil_mode, False)[0]
            return largest if sign == 1 else -largest
        window = _option(f"lp_pool{rank}d", "kernel_size", kernel_size, rank)
        powers = input.pow(norm_type)
        mean = _avg_pool(rank, powers, window if rank > 1 else kernel_size, stride, 0, ceil_mode, True, None)
        return (mean.sign() * mean.abs().relu()).mul(math.prod(window)).pow(1.0 / norm_type)


for _rank in (1, 2, 3):
    _publish_max_pool(_rank)
    _publish_adaptive_max(_rank)
    _publish_lp_pool(_rank)
    if _rank > 1:
        _publish_avg_pool(_rank)
