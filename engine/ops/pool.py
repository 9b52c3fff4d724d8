"""Pooling over windows of two or three dimensions; one-dimensional pooling is composed of it."""

from __future__ import annotations

import math
from typing import Any

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops


@rule
def gathered_planes(g: Any, indices: Any, rank: int) -> Any:
    """What lies at the flat positions `indices` of each plane of `g`."""
    batch = tuple(indices.shape[:-rank])
    sizes = ((*batch, math.prod(x.shape[-rank:])) for x in (g, indices))
    flat = ops.gather(g.reshape(next(sizes)), -1, indices.reshape(next(sizes)))
    return flat.reshape(tuple(indices.shape))


for _rank in (2, 3):
    _rule = rules.sampled(_rank + 1)
    _format, _gradient = ("channels_last", "channels_last self") if _rank == 2 else ("", "")
    _policy = "fp32" if _rank == 3 else ""
    _name = f"max_pool{_rank}d_with_indices"
    _options = "kernel_size, stride, padding, dilation, ceil_mode"
    op(
        f"{_name}(self, kernel_size, stride, padding, dilation, ceil_mode)", f"MaxPool{_rank}DWithIndicesBackward0",
        f"max_pool_kernel(self, {_options})", outputs="result result1!", inplace=False,
        self=f"{_name}_backward(g, self, {_options}, result1)",
        says="only the largest value of each window passes the gradient on", vmap=_rule, memory_format=_format,
        refuses={"c": "max_pool2d"} if _rank == 2 else {}, autocast=_policy, opmath="bfloat16",
    )
    op(
        f"{_name}_backward(grad_output, self, {_options}, indices: Tensor)",
        f"MaxPool{_rank}DWithIndicesBackwardBackward0",
        f"scatter_planes(grad_output, indices, self.shape, {_rank})", inplace=False,
        grad_output=f"gathered_planes(g, indices, {_rank})", self="zeros_like(g)", formula_format=_gradient,
        opmath="bfloat16",
    )
    op(
        f"max_unpool{_rank}d(self, indices: Tensor, output_size)", f"MaxUnpool{_rank}DBackward0",
        "max_unpool_kernel(self, indices, output_size)", inplace=False,
        self=f"gathered_planes(g, indices, {_rank})",
        says="each value takes the gradient of the place it was put to", backward_cost=2, memory_format=_format,
        autocast="fp32", opmath="bfloat16",
    )
    _options = "kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override"
    op(
        f"avg_pool{_rank}d(self, {_options})", f"AvgPool{_rank}DBackward0", f"avg_pool_kernel(self, {_options})",
        inplace=False, self=f"avg_pool{_rank}d_backward(g, self, {_options})",
        says="every value of a window gets an equal share of its gradient", vmap=_rule, backward_cost=2 * (_rank - 1),
        memory_format=_format, refuses={"c": "avg_pool2d" if _rank == 2 else "avg_pool3d_out_frame"}, autocast=_policy,
        opmath="bfloat16",
    )
    op(
        f"avg_pool{_rank}d_backward(grad_output, self, {_options})", f"AvgPool{_rank}DBackwardBackward0",
        f"avg_pool_backward_kernel(grad_output, self, {_options})", inplace=False,
        grad_output=f"avg_pool{_rank}d(g, {_options})", self="zeros_like(g)", formula_format=_gradient,
        opmath="bfloat16",
    )
    op(
        f"_adaptive_avg_pool{_rank}d(self, output_size)", f"AdaptiveAvgPool{_rank}DBackward0",
        "adaptive_avg_pool_kernel(self, output_size)", inplace=False,
        self=f"_adaptive_avg_pool{_rank}d_backward(g, self)",
        says="every value of a window gets an equal share of its gradient", vmap=_rule, backward_cost=4,
        memory_format=_format, autocast=_policy, opmath="bfloat16",
    )
    op(
        f"_adaptive_avg_pool{_rank}d_backward(grad_output, self)", f"AdaptiveAvgPool{_rank}DBackwardBackward0",
        f"adaptive_avg_pool_backward_kernel(grad_output, self, {_rank})", inplace=False,
        grad_output=f"_adaptive_avg_pool{_rank}d(g, grad_output.shape[-{_rank}:])", self="zeros_like(g)",
        formula_format=_gradient, opmath="bfloat16",
    )
    op(
        f"adaptive_max_pool{_rank}d(self, output_size)", f"AdaptiveMaxPool{_rank}DBackward0",
        "adaptive_max_pool_kernel(self, output_size)", outputs="result indices!", inplace=False,
        self=f"adaptive_max_pool{_rank}d_backward(g, self, indices)",
        says="only the largest value of each window passes the gradient on", vmap=_rule, memory_format=_format,
        opmath="bfloat16",
    )
    op(
        f"adaptive_max_pool{_rank}d_backward(grad_output, self, indices: Tensor)",
        f"AdaptiveMaxPool{_rank}DBackwardBackward0",
        f"adaptive_max_pool_backward_kernel(grad_output, self, indices, {_rank})", inplace=False,
        grad_output=f"gathered_planes(g, indices, {_rank})", self="zeros_like(g)", formula_format=_gradient,
        opmath="bfloat16",
    )
