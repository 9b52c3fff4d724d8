"""Patches of images as columns (im2col) and back, and pixels moved between channels and space."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.conv import output_size, padded
from engine.kernels.names import kernel
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import Ints, restride


def _check(window: Ints, dilation: Ints, padding: Ints, stride: Ints) -> None:
    for name, values in (("kernel_size", window), ("dilation", dilation), ("padding", padding), ("stride", stride)):
        if len(values) != 2:
            raise errors.patch_pair(name, len(values))
    if min(window) <= 0:
        raise errors.patch_parameter("kernel size", ("kernel_height", "kernel_width"), window)
    if min(dilation) <= 0:
        raise errors.patch_parameter("dilation", ("dilation_height", "dilation_width"), dilation)
    if min(padding) < 0:
        raise errors.patch_parameter("padding", ("pad_height", "pad_width"), padding, "non-negative")
    if min(stride) <= 0:
        raise errors.patch_parameter("stride", ("stride_height", "stride_width"), stride)


@kernel
def im2col_kernel(x: Any, window: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Any:
    """(N, C, H, W) → (N, C·K, L): the K pixels of the window at its L positions."""
    _check(window, dilation, padding, stride)
    if x.ndim < 3:
        raise errors.dim_out_of_range((2, -2)[x.ndim == 1], x.ndim) if x.ndim else errors.dim_of_no_dims(-1)
    if x.ndim > 4 or 0 in x.shape[-3:]:
        raise errors.patches_input(x.shape)
    image = x.shape[-2:]
    size = output_size(image, window, stride, padding, dilation)
    if min(size) < 1:
        raise errors.patches_none(image, window, dilation, padding, size)
    dtypes.expect(x, "im2col_out_cpu", "fcb")
    batch = x if x.ndim == 4 else x[None]
    n, c = batch.shape[:2]
    rows, count = c * math.prod(window), math.prod(size)
    meter.allocate(n * rows * count, x.itemsize)
    batch = padded(batch, padding)
    *outer, down, right = batch.strides
    strides = (*outer, down * dilation[0], right * dilation[1], down * stride[0], right * stride[1])
    columns = np.empty((n, rows, count), x.dtype)  # never a view, also of a window of one pixel
    columns.reshape(n, c, *window, *size)[...] = restride(batch, (n, c, *window, *size), strides)
    return columns if x.ndim == 4 else columns[0]


@kernel
def col2im_kernel(columns: Any, image: Ints, window: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Any:
    """(N, C·K, L) → (N, C, H, W): every pixel is the sum of its copies."""
    if len(image) != 2:
        raise errors.patch_pair("output_size", len(image))
    _check(window, dilation, padding, stride)
    if columns.ndim not in (2, 3) or 0 in columns.shape[-2:]:
        raise errors.columns_input(columns.shape)
    rows, count = columns.shape[-2:]
    if rows % math.prod(window):
        raise errors.columns_channels(rows, window)
    size = output_size(image, window, stride, padding, dilation)
    if count != math.prod(size):
        raise errors.columns_count(count, image, window, dilation, padding, stride, size)
    dtypes.expect(columns, "col2im_out_cpu", "fcb")
    batch = columns if columns.ndim == 3 else columns[None]
    n, c = batch.shape[0], rows // math.prod(window)
    full = tuple(s + 2 * p for s, p in zip(image, padding, strict=True))
    meter.allocate(n * c * math.prod(full), columns.itemsize)
    total = np.zeros((n, c, *full), columns.dtype)
    parts = batch.reshape(n, c, *window, *size)
    for i in range(window[0]):
        for j in range(window[1]):
            top, left = i * dilation[0], j * dilation[1]
            place = (
                slice(top, top + (size[0] - 1) * stride[0] + 1, stride[0]),
                slice(left, left + (size[1] - 1) * stride[1] + 1, stride[1]),
            )
            total[(..., *place)] += parts[:, :, i, j]
    inside = total[..., padding[0] : padding[0] + image[0], padding[1] : padding[1] + image[1]]
    inside = np.ascontiguousarray(inside)
    return inside if columns.ndim == 3 else inside[0]


@kernel
def pixel_shuffle_kernel(x: Any, factor: int) -> Any:
    if x.ndim < 3:
        raise errors.shuffle_dimensions("pixel_shuffle", x.ndim)
    if factor <= 0:
        raise errors.shuffle_factor("pixel_shuffle", "upscale_factor", factor)
    *batch, channels, height, width = x.shape
    if channels % factor**2:
        raise errors.shuffle_channels(channels, factor**2)
    meter.allocate(x.size, x.itemsize)
    kept, rank = channels // factor**2, len(batch)
    split = x.reshape(*batch, kept, factor, factor, height, width)
    order = (*range(rank + 1), rank + 3, rank + 1, rank + 4, rank + 2)
    return np.array(split.transpose(order), order="C").reshape(*batch, kept, height * factor, width * factor)


@kernel
def pixel_unshuffle_kernel(x: Any, factor: int) -> Any:
    if x.ndim < 3:
        raise errors.shuffle_dimensions("pixel_unshuffle", x.ndim)
    if factor <= 0:
        raise errors.shuffle_factor("pixel_unshuffle", "downscale_factor", factor)
    *batch, channels, height, width = x.shape
    for name, dim, size in (("height", -2, height), ("width", -1, width)):
        if size % factor:
            raise errors.unshuffle_size(name, dim, size, factor)
    meter.allocate(x.size, x.itemsize)
    rank = len(batch)
    split = x.reshape(*batch, channels, height // factor, factor, width // factor, factor)
    order = (*range(rank + 1), rank + 2, rank + 4, rank + 1, rank + 3)
    return np.array(split.transpose(order), order="C").reshape(
        *batch, channels * factor**2, height // factor, width // factor
    )


@kernel
def channel_shuffle_kernel(x: Any, groups: int) -> Any:
    if x.ndim < 3:
        raise errors.channel_shuffle_dimensions(x.shape)
    if groups <= 0:
        raise errors.channel_shuffle_positive(groups)
    n, channels, *rest = x.shape
    if channels % groups:
        raise errors.channel_shuffle_groups(channels, groups)
    meter.allocate(x.size, x.itemsize)
    return np.array(x.reshape(n, groups, channels // groups, *rest).swapaxes(1, 2), order="C").reshape(x.shape)
