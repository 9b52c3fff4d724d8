"""Sampling an image at the places of a grid, and grids made by affine maps."""

from __future__ import annotations

import math
from typing import Any

from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.types.shapes import Ints


@rule
def grid_sampler_double_backward(
    grads: Any, g: Any, image: Any, grid: Any, mode: int, padding: int, corners: bool, wanted: tuple[bool, ...]
) -> tuple[Any, ...]:
    """The gradient of `grid_sampler_backward`."""
    results = ops._grid_sampler_double_backward(g, image, grid, mode, padding, corners, *grads)
    return tuple([result if one else None for result, one in zip(results, wanted, strict=True)])


@rule
def affine_grid_gradient(g: Any, size: Ints, corners: bool) -> Any:
    """Each entry of a map collects gradient times coordinate."""
    base = ops._affine_base(g, size, corners)
    places = math.prod(size[2:])
    to_theta = ops.bmm(base, g.reshape((size[0], places, len(size) - 2)))
    return ops.transpose(to_theta, 1, 2)


_OPTIONS = "interpolation_mode, padding_mode, align_corners"
for _rank in (2, 3):
    op(
        f"grid_sampler_{_rank}d(input, grid, {_OPTIONS})", f"GridSampler{_rank}DBackward0",
        f"grid_sampler_kernel(input, grid, {_OPTIONS})", inplace=False,
        together=("input grid", f"grid_sampler_{_rank}d_backward(g, input, grid, {_OPTIONS}, wanted)"),
        says="each pixel collects the gradients of the samples it is part of; each place collects gradient times "
        "derivative of the image there", backward_cost=32 if _rank == 3 else 0, autocast="fp32", opmath="bfloat16",
    )
    op(
        f"grid_sampler_{_rank}d_backward(grad_output, input, grid, {_OPTIONS}, output_mask)",
        f"GridSampler{_rank}DBackwardBackward0",
        f"grid_sampler_backward_kernel(grad_output, input, grid, {_OPTIONS}, output_mask)",
        outputs="grad_input? grad_grid?", inplace=False,
        together=(
            "grad_output input grid", f"grid_sampler_double_backward(g, grad_output, input, grid, {_OPTIONS}, wanted)",
        ), opmath="bfloat16",
    )
op(
    f"_grid_sampler_double_backward(grad_output, input, grid, {_OPTIONS}, to_input=None, to_grid=None)",
    "NotImplemented",
    f"grid_sampler_double_backward_kernel(grad_output, input, grid, {_OPTIONS}, to_input, to_grid)",
    outputs="grad_grad_output grad_input grad_grid", inplace=False,
    together=("grad_output input grid to_input to_grid", "underivable('grid_sampler_2d_backward_backward')"),
    opmath="bfloat16",
)
op(
    "affine_grid_generator(theta, size, align_corners)", "AffineGridGeneratorBackward0",
    "affine_grid_kernel(theta, size, align_corners)", inplace=False,
    theta="affine_grid_gradient(g, size, align_corners)",
    says="each entry of the map collects gradient times coordinate over all places", opmath="bfloat16",
)
op("_affine_base(like: Tensor, size, align_corners)", None, "affine_base(like, size, align_corners)", inplace=False,
    opmath="bfloat16")
