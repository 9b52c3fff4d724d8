"""Convolution in one to three dimensions, and its transpose.

The patches that the kernel sees are laid out as columns (im2col), so that the work is one matrix product: a weight of
(F, C·K) times columns of (C·K, N·L), with K kernel positions and L output positions. Shapes in the comments use these
letters; groups split F and C.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from engine import costs, errors
from engine.kernels import depthwise_conv
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints, is_dense, restride

RUNS, SHORT_RUNS, SHORT, FAR = 1, 4, 4, 8
"""Nanoseconds for an element that is copied with its neighbours, and where there are few of them, or each in another
line of the cache."""


def padded(x: Any, padding: Ints) -> Any:
    """Zeros around the spatial dimensions of (N, C, …)."""
    if not any(padding):
        return x
    n, c, *size = x.shape
    shape = (n, c, *(s + 2 * p for s, p in zip(size, padding, strict=True)))
    meter.reserve(math.prod(shape), x.itemsize)
    costs.charge(math.prod(shape), SHORT_RUNS if size[-1] < SHORT else RUNS)
    out = np.zeros(shape, x.dtype)
    out[(slice(None), slice(None), *(slice(p, p + s) for s, p in zip(size, padding, strict=True)))] = x
    return out


def output_size(size: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Ints:
    """How many positions a window has in each dimension."""
    return tuple(
        (s + 2 * p - d * (k - 1) - 1) // t + 1
        for s, k, t, p, d in zip(size, window, stride, padding, dilation, strict=True)
    )


def columns(x: Any, window: Ints, size: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """The patches of (N, C, …) at `size` positions as an array (C·K, N·L), in memory of its own."""
    rows, count = x.shape[1] * math.prod(window), x.shape[0] * math.prod(size)
    meter.reserve(rows * count, x.itemsize)
    costs.charge(rows * count, SHORT_RUNS if size[-1] < SHORT or stride[-1] >= FAR else RUNS)
    image = padded(x, padding)
    if size[-1] <= NARROW and len(window) > 1 and window[-2] > 2 and stride[-2] == 1:
        return _patches_by_rows(image, window, size, stride, dilation).reshape(rows, count)
    return _patches(image, window, size, stride, dilation).reshape(rows, count)


def _patches(x: Any, window: Ints, size: Ints, stride: Ints, dilation: Ints) -> Any:
    """The same as a view (C, kernel …, N, positions …)."""
    n, c = x.shape[:2]
    steps = x.strides[2:]
    shape = (c, *window, n, *size)
    strides = (
        x.strides[1],
        *[s * d for s, d in zip(steps, dilation, strict=True)],
        x.strides[0],
        *[s * t for s, t in zip(steps, stride, strict=True)],
    )
    return restride(x, shape, strides)


NARROW = 24
"""Positions side by side up to which so short a run costs more than the numbers in it."""


def _patches_by_rows(x: Any, window: Ints, size: Ints, stride: Ints, dilation: Ints) -> Any:
    """The same as a view of what is copied for each place in a row of the kernel: positions below each other follow
    each other there, in runs several times as long."""
    n, c = x.shape[:2]
    outer = x.shape[2:-1]
    shape = (c, window[-1], n, *outer, size[-1])
    meter.room(math.prod(shape) * x.itemsize)
    across = x.strides[-1]
    strides = (x.strides[1], across * dilation[-1], x.strides[0], *x.strides[2:-1], across * stride[-1])
    rows = restride(x, shape, strides).copy()
    channel, place, sample, *steps, position = rows.strides
    down = [s * d for s, d in zip(steps, dilation[:-1], strict=True)]
    along = [s * t for s, t in zip(steps, stride[:-1], strict=True)]
    return restride(rows, (c, *window, n, *size), (channel, *down, place, sample, *along, position))


def add_columns(
    cols: Any, shape: Ints, window: Ints, positions: Ints, stride: Ints, padding: Ints, dilation: Ints
) -> Any:
    """The adjoint of `columns`: every element of the image collects what its copies in (C·K, N·L) hold."""
    n, c, *size = shape
    full = (n, c, *(s + 2 * p for s, p in zip(size, padding, strict=True)))
    meter.reserve(math.prod(full), cols.itemsize)
    costs.charge(math.prod(full), RUNS)
    costs.charge(cols.size, 2 * SHORT_RUNS if positions[-1] < SHORT else 3 * RUNS)
    image = np.zeros(full, cols.dtype)
    if cols.size <= SMALL:
        np.add.at(image.reshape(-1), _places(full, window, positions, stride, dilation), cols.reshape(-1))
        return _cut(image, size, padding)
    target = image.swapaxes(0, 1)
    parts = cols.reshape(c, math.prod(window), n, *positions)
    for number, offset in enumerate(product(*map(range, window))):
        place = tuple(
            slice(o * d, o * d + (count - 1) * t + 1, t)
            for o, d, count, t in zip(offset, dilation, positions, stride, strict=True)
        )
        target[(slice(None), slice(None), *place)] += parts[:, number]
    return _cut(image, size, padding)


SMALL = 4096
"""Elements of columns below which one scatter is faster than one addition for each place in the kernel."""


@lru_cache(maxsize=64)
def _places(full: Ints, window: Ints, positions: Ints, stride: Ints, dilation: Ints) -> Any:
    """Where each element of the columns (C·K, N·L) lies in an image of the shape `full`, as a flat index."""
    numbers = np.arange(math.prod(full), dtype=np.intp).reshape(full)
    return _patches(numbers, window, positions, stride, dilation).reshape(-1)


def _cut(image: Any, size: list[int], padding: Ints) -> Any:
    """The image without its margins."""
    if not any(padding):
        return image
    inside: Any = tuple([slice(p, p + s) for s, p in zip(size, padding, strict=True)])
    return image[(slice(None), slice(None), *inside)]


def channels_first(rows: Any, n: int, size: Ints) -> Any:
    """(F, N·L) as (N, F, …)."""
    if n == 1:
        return rows.reshape(1, rows.shape[0], *size)
    return np.ascontiguousarray(rows.reshape(rows.shape[0], n, *size).swapaxes(0, 1))


def channels_as_rows(g: Any) -> Any:
    """(N, F, …) as (F, N·L)."""
    return g.swapaxes(0, 1).reshape(g.shape[1], -1)


CACHED = 1 << 19
"""Bytes of columns that are worked on at once, so that they are still in the cache when they are multiplied."""


def _parts(n: int, column_bytes: int) -> list[slice]:
    """The samples in parts whose columns fit the cache."""
    count = max(1, CACHED // max(1, column_bytes))
    return [slice(start, start + count) for start in range(0, n, count)]


def _column_bytes(x: Any, window: Ints, size: Ints) -> int:
    return int(x.shape[1] * math.prod(window) * math.prod(size) * x.itemsize)


def _charge(shape: Ints, places: int, dtype: Any, groups: int) -> None:
    """Charge the product of a weight with the columns at all `places`; groups have little to do at each."""
    meter.product(shape[0] // groups, math.prod(shape[1:]), places, dtype, groups)
    if groups > 1:
        meter.work(4 * math.prod(shape) * places)


def forward(x: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """Convolution of (N, C, …) with (F, C/groups, …), at `size` positions."""
    n, filters, places = x.shape[0], weight.shape[0], math.prod(size)
    _charge(weight.shape, n * places, x.dtype, groups)
    meter.made(n * filters * places, x.itemsize)
    if groups == filters == x.shape[1] > 1:
        return depthwise_conv.forward(padded(x, padding), weight, size, stride, dilation)
    parts = _parts(n, _column_bytes(x, weight.shape[2:], size))
    if len(parts) <= 1:
        return _forward(x, weight, size, stride, padding, dilation, groups)
    out = np.empty((n, filters, *size), x.dtype)
    for part in parts:
        out[part] = _forward(x[part], weight, size, stride, padding, dilation, groups)
    return out


def _forward(x: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    n, window = x.shape[0], weight.shape[2:]
    filters = weight.shape[0]
    count = n * math.prod(size)
    cols = columns(x, window, size, stride, padding, dilation)
    if groups == 1:
        rows = weight.reshape(filters, -1) @ cols
    else:
        rows = weight.reshape(groups, filters // groups, -1) @ cols.reshape(groups, -1, count)
        rows = rows.reshape(filters, count)
    return channels_first(rows, n, size)


def input_gradient(g: Any, weight: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """What reaches the input of `forward` from a gradient (N, F, …) of its output."""
    n, size = g.shape[0], g.shape[2:]
    column_bytes = shape[1] * math.prod(weight.shape[2:]) * math.prod(size) * g.itemsize
    margins = tuple(d * (k - 1) - p for d, k, p in zip(dilation, weight.shape[2:], padding, strict=True))
    large = n * column_bytes > SMALL * g.itemsize
    if large and groups == 1 == max(stride) and min(margins) >= 0 and len(weight) <= 2 * shape[1]:
        # With stride 1 it is a convolution with the turned kernel, which need not add overlapping patches.
        turned = np.ascontiguousarray(np.flip(weight, tuple(range(2, weight.ndim))).swapaxes(0, 1))
        return forward(g, turned, shape[2:], stride, margins, dilation, 1)
    _charge(weight.shape, n * math.prod(size), g.dtype, groups)
    if groups == weight.shape[0] == shape[1] > 1:
        full = (*shape[:2], *(s + 2 * p for s, p in zip(shape[2:], padding, strict=True)))
        meter.made(math.prod(full), g.itemsize)
        return _cut(depthwise_conv.input_gradient(g, weight, full, stride, dilation), list(shape[2:]), padding)
    parts = _parts(n, column_bytes)
    if len(parts) <= 1:
        return _input_gradient(g, weight, shape, stride, padding, dilation, groups)
    meter.made(math.prod(shape), g.itemsize)
    out = np.empty(shape, g.dtype)
    for part in parts:
        piece = g[part]
        out[part] = _input_gradient(piece, weight, (len(piece), *shape[1:]), stride, padding, dilation, groups)
    return out


def _input_gradient(g: Any, weight: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    rows, filters = channels_as_rows(g), weight.shape[0]
    if groups == 1:
        cols = weight.reshape(filters, -1).T @ rows
    else:
        per_group = weight.reshape(groups, filters // groups, -1).swapaxes(1, 2)
        cols = (per_group @ rows.reshape(groups, filters // groups, -1)).reshape(-1, rows.shape[1])
    return add_columns(cols, shape, weight.shape[2:], g.shape[2:], stride, padding, dilation)


def weight_gradient(g: Any, x: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    """What reaches the weight of `forward` from a gradient (N, F, …) of its output."""
    n, size = g.shape[0], g.shape[2:]
    _charge(shape, n * math.prod(size), g.dtype, groups)
    if groups == shape[0] == x.shape[1] > 1:
        return depthwise_conv.weight_gradient(g, padded(x, padding), shape, stride, dilation)
    total: Any = None
    for part in _parts(n, _column_bytes(x, shape[2:], size)) or [slice(0)]:
        piece = _weight_gradient(g[part], x[part], shape, stride, padding, dilation, groups)
        total = piece if total is None else np.add(total, piece, out=total)
    return total


def _weight_gradient(g: Any, x: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> Any:
    rows = channels_as_rows(g)
    cols = columns(x, shape[2:], g.shape[2:], stride, padding, dilation)
    if groups == 1:
        if len(cols) > 2 * len(rows):  # BLAS has the smaller matrix on the right sooner, with the same bits
            return np.ascontiguousarray((cols @ rows.T).T).reshape(shape)
        return (rows @ cols.T).reshape(shape)
    per_group = rows.reshape(groups, shape[0] // groups, -1) @ cols.reshape(groups, -1, cols.shape[1]).swapaxes(1, 2)
    return per_group.reshape(shape)


def _check(
    x: Any, weight: Any, bias: Any, stride: Ints, padding: Ints, dilation: Ints, transposed: bool, groups: int
) -> None:
    if weight.ndim < 3:
        raise errors.conv_weight_few()
    if any(p < 0 for p in padding):
        raise errors.conv_padding()
    if any(s <= 0 for s in stride):
        raise errors.conv_stride()
    if any(d <= 0 for d in dilation):
        raise errors.conv_dilation(dilation)
    if groups <= 0:
        raise errors.conv_groups()
    if weight.ndim != x.ndim:
        raise errors.conv_weight_dimensions(weight.shape, x.shape)
    if weight.shape[0] < groups:
        raise errors.conv_groups_few(groups, weight.shape)
    if weight.shape[0] % groups:
        raise errors.conv_groups_divide(groups, weight.shape)
    if transposed:
        if x.shape[1] != weight.shape[0]:
            raise errors.conv_transpose_channels(weight.shape, x.shape, weight.shape[0], x.shape[1])
        filters = weight.shape[1] * groups
    else:
        if x.shape[1] != weight.shape[1] * groups:
            raise errors.conv_channels(groups, weight.shape, x.shape, weight.shape[1] * groups, x.shape[1])
        filters = weight.shape[0]
        sizes = tuple(s + 2 * p for s, p in zip(x.shape[2:], padding, strict=True))
        windows = tuple(d * (k - 1) + 1 for k, d in zip(weight.shape[2:], dilation, strict=True))
        if any(s < k for s, k in zip(sizes, windows, strict=True)):
            raise errors.conv_kernel_too_large(sizes, windows)
    if bias is not None and bias.shape != (filters,):
        raise errors.conv_bias(weight.shape, filters, bias.shape, transposed)
    if x.dtype != weight.dtype:
        raise errors.expected_scalar_type(dtypes.of(x.dtype).type_name, dtypes.of(weight.dtype).type_name)
    if bias is not None and bias.dtype != x.dtype:
        raise errors.conv_bias_dtype(dtypes.of(x.dtype).cpp_name, dtypes.of(bias.dtype).cpp_name)
    if not weight.size and not all(weight.shape[2:]) and x.size:
        raise _empty_kernel(x, weight, transposed, groups)


def _empty_kernel(x: Any, weight: Any, transposed: bool, groups: int) -> RuntimeError:
    """What PyTorch says of a kernel without elements: oneDNN's words where that would have convolved."""
    wide = min((1, *weight.shape[2:])[-2:]) > 3
    if x.ndim < 5 and x.dtype == np.float32 and (groups > 1 or wide or x.shape[0] > 1 or x.size > 20480):
        return errors.conv_primitive(transposed)
    return errors.conv_kernel_empty(weight.shape[2:])


@kernel
def convolution_kernel(
    input: Any,
    weight: Any,
    bias: Any,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
) -> Any:
    _check(input, weight, bias, stride, padding, dilation, transposed, groups)
    if transposed:
        size = transposed_size(input.shape[2:], weight.shape[2:], stride, padding, dilation, output_padding)
        shape = (input.shape[0], weight.shape[1] * groups, *size)
        out = np.ascontiguousarray(input_gradient(input, weight, shape, stride, padding, dilation, groups))
    else:
        size = output_size(input.shape[2:], weight.shape[2:], stride, padding, dilation)
        out = forward(input, weight, size, stride, padding, dilation, groups)
    if bias is not None:
        out += bias.reshape(-1, *(1,) * (out.ndim - 2))
    return out


def transposed_size(size: Ints, window: Ints, stride: Ints, padding: Ints, dilation: Ints, extra: Ints) -> Ints:
    return tuple(
        (s - 1) * t - 2 * p + d * (k - 1) + e + 1
        for s, k, t, p, d, e in zip(size, window, stride, padding, dilation, extra, strict=True)
    )


@kernel
def convolution_backward_kernel(
    grad_output: Any,
    input: Any,
    weight: Any,
    bias_sizes: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    output_mask: tuple[bool, ...],
) -> tuple[Any, Any, Any]:
    """Gradients of input, weight and bias; None where `output_mask` does not ask for them."""
    options = (stride, padding, dilation, groups)
    grad_input = grad_weight = grad_bias = None
    if output_mask[0]:
        if transposed:
            grad_input = forward(grad_output, weight, input.shape[2:], *options)
        else:
            grad_input = input_gradient(grad_output, weight, input.shape, *options)
        if not is_dense(grad_input):  # the inside of a padded one
            grad_input = np.ascontiguousarray(grad_input)
    if output_mask[1]:
        if transposed:
            grad_weight = weight_gradient(input, grad_output, weight.shape, *options)
        else:
            grad_weight = weight_gradient(grad_output, input, weight.shape, *options)
    if output_mask[2]:
        grad_bias = np.add.reduce(grad_output, axis=(0, *range(2, grad_output.ndim)))
    return grad_input, grad_weight, grad_bias
