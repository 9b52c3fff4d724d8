"""Pooling over windows of two or three dimensions; one-dimensional pooling is composed of it."""

from __future__ import annotations

import math
from typing import Any

from engine.codegen.op import op, rule
from engine.core.registry import ops


@rule
def gathered_planes(g: Any, indices: Any, rank: int) -> Any:
    """What lies at the flat positions `indices` of each plane of `g`."""
    batch = tuple(indices.shape[:-rank])
    sizes = ((*batch, math.prod(x.shape[-rank:])) for x in (g, indices))
    flat = ops.gather(g.reshape(next(sizes)), -1, indices.reshape(next(sizes)))
    return flat.reshape(tuple(indices.shape))


# --- rows

for _rank in (2, 3):
    _name = f"max_pool{_rank}d_with_indices"
    _options = "kernel_size, stride, padding, dilation, ceil_mode"
    op(
        f"{_name}(self, kernel_size, stride, padding, dilation, ceil_mode)", f"MaxPool{_rank}DWithIndicesBackward0",
        f"max_pool_kernel(self, {_options})", outputs="result result1!", inplace=False,
        self=f"{_name}_backward(g, self, {_options}, result1)",
        says="only the largest value of each window passes the gradient on",
    )
    op(
        f"{_name}_backward(grad_output, self, {_options}, indices: Tensor)",
        f"MaxPool{_rank}DWithIndicesBackwardBackward0",
        f"scatter_planes(grad_output, indices, self.shape, {_rank})", inplace=False,
        grad_output=f"gathered_planes(g, indices, {_rank})", self="zeros_like(g)",
    )
    op(
        f"max_unpool{_rank}d(self, indices: Tensor, output_size)", f"MaxUnpool{_rank}DBackward0",
        "max_unpool_kernel(self, indices, output_size)", inplace=False,
        self=f"gathered_planes(g, indices, {_rank})",
        says="each value takes the gradient of the place it was put to",
    )
    _options = "kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"
    op(
        f"avg_pool{_rank}d(self, {_options})", f"AvgPool{_rank}DBackward0", f"avg_pool_kernel(self, {_options})",
        inplace=False, self=f"avg_pool{_rank}d_backward(g, self, {_options})",
        says="every value of a window gets an equal share of its gradient",
    )
    op(
        f"avg_pool{_rank}d_backward(grad_output, self, {_options})", f"AvgPool{_rank}DBackwardBackward0",
        f"avg_pool_backward_kernel(grad_output, self, {_options})", inplace=False,
        grad_output=f"avg_pool{_rank}d(g, {_options})", self="zeros_like(g)",
    )
    op(
        f"_adaptive_avg_pool{_rank}d(self, output_size)", f"AdaptiveAvgPool{_rank}DBackward0",
        "adaptive_avg_pool_kernel(self, output_size)", inplace=False,
        self=f"_adaptive_avg_pool{_rank}d_backward(g, self)",
        says="every value of a window gets an equal share of its gradient",
    )
    op(
        f"_adaptive_avg_pool{_rank}d_backward(grad_output, self)", f"AdaptiveAvgPool{_rank}DBackwardBackward0",
        f"adaptive_avg_pool_backward_kernel(grad_output, self, {_rank})", inplace=False,
        grad_output=f"_adaptive_avg_pool{_rank}d(g, grad_output.shape[-{_rank}:])", self="zeros_like(g)",
    )
    op(
        f"adaptive_max_pool{_rank}d(self, output_size)", f"AdaptiveMaxPool{_rank}DBackward0",
        "adaptive_max_pool_kernel(self, output_size)", outputs="result indices!", inplace=False,
        self=f"adaptive_max_pool{_rank}d_backward(g, self, indices)",
        says="only the largest value of each window passes the gradient on",
    )
    op(
        f"adaptive_max_pool{_rank}d_backward(grad_output, self, indices: Tensor)",
        f"AdaptiveMaxPool{_rank}DBackwardBackward0",
        f"adaptive_max_pool_backward_kernel(grad_output, self, indices, {_rank})", inplace=False,
        grad_output=f"gathered_planes(g, indices, {_rank})", self="zeros_like(g)",
    )
