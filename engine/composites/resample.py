"""`nn.functional.interpolate` and the functions it replaced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.composites.pool import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types.shapes import integer

_PLAIN = {"nearest": "upsample_nearest{}d", "nearest-exact": "_upsample_nearest_exact{}d"}
_WEIGHTED = {
    (3, "linear"): "upsample_linear1d",
    (4, "bilinear"): "upsample_bilinear2d",
    (4, "bicubic"): "upsample_bicubic2d",
    (5, "trilinear"): "upsample_trilinear3d",
}
_RANKS = {"linear": 3, "bilinear": 4, "trilinear": 5}
_SMOOTH = ("bilinear", "bicubic", "lanczos")
_AREA = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}


def _per_dimension(value: Any, rank: int, name: str, spatial: Sequence[int]) -> list[Any]:
    if not isinstance(value, list | tuple):
        return [value] * rank
    if len(value) != rank:
        raise errors.interpolate_rank(name, spatial, value)
    return list(value)


@public("nn")
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """(N, C, …) resized to `size` or by `scale_factor` in one to three dimensions.

    Modes: nearest, nearest-exact, linear, bilinear, bicubic, trilinear, area, lanczos.
    """
    if mode in (*_PLAIN, "area"):
        if align_corners is not None:
            raise errors.interpolate_corners()
    elif align_corners is None:
        align_corners = False
    rank, spatial = input.ndim - 2, tuple(input.shape[2:])
    sizes, factors = _sizes(spatial, rank, size, scale_factor, mode, recompute_scale_factor)
    if antialias and not (mode in _SMOOTH and input.ndim == 4):
        raise errors.interpolate_antialias()
    if mode == "area" and input.ndim in _AREA:
        return _AREA[input.ndim](input, tuple(sizes))
    if mode in _PLAIN and input.ndim in (3, 4, 5):
        return getattr(ops, _PLAIN[mode].format(rank))(input, tuple(sizes), *factors)
    if mode == "lanczos" and input.ndim == 4 and (align_corners or not antialias):
        raise errors.interpolate_lanczos(bool(align_corners))
    name = f"_upsample_{mode}2d_aa" if antialias else _WEIGHTED.get((input.ndim, mode))
    if name is None:
        if mode in _RANKS and input.ndim in (3, 4, 5):
            raise errors.interpolate_rank_of_mode(mode, input.ndim, _RANKS[mode])
        raise errors.interpolate_mode(mode, input.ndim)
    return getattr(ops, name)(input, tuple(sizes), bool(align_corners), *factors)


def _sizes(
    spatial: tuple[int, ...], rank: int, size: Any, scale_factor: Any, mode: str, recompute: bool | None
) -> tuple[list[int], list[float | None]]:
    """Size of the result, and the factors that the kernel is to use: None where the sizes alone decide."""
    if size is not None and scale_factor is not None:
        raise errors.interpolate_both()
    if size is not None:
        sizes = _per_dimension(size, rank, "size", spatial)
        if isinstance(size, list | tuple) and not all(isinstance(one, int | np.integer) for one in sizes):
            raise errors.interpolate_size_types([type(one) for one in sizes])
        if recompute:
            raise errors.interpolate_recompute()
        return [integer(one) for one in sizes], [None] * rank
    if scale_factor is None:
        raise errors.interpolate_neither()
    factors = _per_dimension(scale_factor, rank, "scale_factor", spatial)
    if not all(math.isfinite(factor) for factor in factors):
        raise errors.conversion_overflow("int64_t")
    sizes = [int(extent * factor) for extent, factor in zip(spatial, factors, strict=True)]
    if recompute or mode == "area":
        return sizes, [None] * rank
    return sizes, [float(factor) for factor in factors]


@public("nn")
def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """The old name of `interpolate`."""
    errors.warn_upsample("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


@public("nn")
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """`interpolate` with the nearest pixel."""
    errors.warn_upsample("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


@public("nn")
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """`interpolate` along two dimensions, corners on corners."""
    errors.warn_upsample("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
