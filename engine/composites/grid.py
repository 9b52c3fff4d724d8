"""`nn.functional.grid_sample` and `affine_grid`."""

from __future__ import annotations

from collections.abc import Sequence

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor

MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")


def _corners(align_corners: bool | None) -> bool:
    if align_corners is None:
        errors.warn_align_corners()
    return bool(align_corners)


@public("torch", "grid_sampler", "grid_sampler_2d", "grid_sampler_3d")
def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """`nn.functional.grid_sample` with numbers for the modes."""
    name = f"grid_sampler_{3 if input.ndim == 5 else 2}d"
    return getattr(ops, name)(input, grid, interpolation_mode, padding_mode, align_corners)


@public("nn")
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """The image (N, C, …) at the places of `grid` (N, …, rank), whose coordinates go from -1 to 1.

    Modes: bilinear, nearest, bicubic. Outside the image are zeros, its border, or its reflection.
    """
    if mode not in MODES:
        raise errors.grid_mode(mode)
    if padding_mode not in PADDINGS:
        raise errors.grid_padding(padding_mode)
    corners = _corners(align_corners)
    return grid_sampler(input, grid, MODES.index(mode), PADDINGS.index(padding_mode), corners)


@public("nn")
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """Grids (N, …, rank) for images of `size` (N, C, …) from affine maps (N, rank, rank + 1)."""
    corners = _corners(align_corners)
    if not theta.is_floating_point():
        raise errors.affine_dtype(theta.dtype)
    rank = len(size) - 2
    if rank not in (2, 3):
        raise errors.affine_rank(size)
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (rank, rank + 1):
        raise errors.affine_maps(rank, size, theta.shape)
    if theta._array.shape[0] != size[0]:
        raise errors.affine_batch(rank, size[0], theta._array.shape[0])
    if corners and min(size[2:]) == 1:
        errors.warn_affine_unit()
    elif min(size) <= 0:
        raise errors.affine_empty(size)
    return ops.affine_grid_generator(theta, tuple(size), corners)


@public("torch")
def affine_grid_generator(theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    """`nn.functional.affine_grid` without its checks."""
    return ops.affine_grid_generator(theta, tuple(size), align_corners)
