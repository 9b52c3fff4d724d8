"""Texts of operations on images: resizing, sampling, patches and the moving of pixels between dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Ints = tuple[int, ...]


# --- interpolate


def interpolate_corners() -> ValueError:
    return ValueError(
        "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
    )


def interpolate_both() -> ValueError:
    return ValueError("only one of size or scale_factor should be defined")


def interpolate_neither() -> ValueError:
    return ValueError("either size or scale_factor should be defined")


def interpolate_rank(what: str, spatial: Sequence[int], given: Any) -> ValueError:
    """`what` is size or scale_factor."""
    named, shown, letter = ("output", "output size of", "o") if what == "size" else (what, "scale_factor of shape", "s")
    form = "output size" if what == "size" else what
    return ValueError(
        f"Input and {named} must have the same number of spatial dimensions, but got input with spatial dimensions of "
        f"{list(spatial)} and {shown} {given}. Please provide input tensor in (N, C, d1, d2, ...,dK) format and {form} "
        f"in ({letter}1, {letter}2, ...,{letter}K) format."
    )


def interpolate_size_types(types: list[type]) -> TypeError:
    return TypeError(
        "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size with "
        f"types {types}"
    )


def interpolate_recompute() -> ValueError:
    return ValueError("recompute_scale_factor is not meaningful with an explicit size.")


def interpolate_antialias() -> ValueError:
    return ValueError(
        "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
    )


def interpolate_lanczos(corners: bool) -> ValueError:
    return ValueError(f"Lanczos mode {'does not support align_corners=True' if corners else 'requires antialias=True'}")


def interpolate_mode(mode: str, rank: int, needed: int | None) -> NotImplementedError:
    """A mode for images of another rank; `needed` is None when there is no such mode or no such rank."""
    if needed is not None:
        return NotImplementedError(f"Got {rank}D input, but {mode} mode needs {needed}D input")
    return NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank}D) for the modes: nearest | linear | "
        f"bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
    )


def resize_empty(source: Ints, target: Ints) -> RuntimeError:
    def shown(sizes: Ints) -> str:
        return ", ".join(f"{letter}: {size}" for letter, size in zip("DHW"[-len(sizes) :], sizes, strict=True))

    and_ = " and" if len(source) == 1 else ""
    return RuntimeError(
        f"Input and output sizes should be greater than 0, but got input ({shown(source)}){and_} output "
        f"({shown(target)})"
    )


def resize_no_data(shape: Ints) -> RuntimeError:
    return RuntimeError(f"Non-empty {len(shape)}D data tensor expected but got a tensor with sizes {list(shape)}")


# --- patches


def patch_parameter(name: str, dims: tuple[str, str], values: Ints, rule: str = "greater than zero") -> RuntimeError:
    return RuntimeError(
        f"{name} should be {rule}, but got {dims[0]}: {values[0]} {dims[1]}: {values[1]}"
    )


def patch_pair(name: str, size: int) -> RuntimeError:
    return RuntimeError(f"It is expected {name} equals to 2, but got size {size}")


def patches_input(shape: Ints) -> RuntimeError:
    return RuntimeError(
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but "
        f"got: {list(shape)}"
    )


def _pair(values: Ints) -> str:
    return f"({values[0]}, {values[1]})"


def patches_none(image: Ints, window: Ints, dilation: Ints, padding: Ints, blocks: Ints) -> RuntimeError:
    return RuntimeError(
        f"Given input with spatial size {_pair(image)}, kernel_size={_pair(window)}, dilation={_pair(dilation)}, "
        f"padding={_pair(padding)}, calculated shape of the array of sliding blocks as {_pair(blocks)}, but its "
        "components must be at least one."
    )


def columns_input(shape: Ints) -> RuntimeError:
    return RuntimeError(
        "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
        f"input, but got: {list(shape)}"
    )


def columns_channels(size: int, window: Ints) -> RuntimeError:
    return RuntimeError(
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
        f"input.size(1)={size} and kernel_size={_pair(window)}."
    )


def columns_count(size: int, image: Ints, options: tuple[Ints, Ints, Ints, Ints], blocks: Ints) -> RuntimeError:
    """`options` are window, dilation, padding and stride."""
    window, dilation, padding, stride = map(_pair, options)
    return RuntimeError(
        f"Given output_size={_pair(image)}, kernel_size={window}, dilation={dilation}, padding={padding}, "
        f"stride={stride}, expected size of input's dimension 2 to match the calculated number of sliding blocks "
        f"{blocks[0]} * {blocks[1]} = {blocks[0] * blocks[1]}, but got input.size(2)={size}."
    )


# --- pixels between channels and space


def shuffle_dimensions(function: str, rank: int) -> RuntimeError:
    return RuntimeError(
        f"{function} expects input to have at least 3 dimensions, but got input with {rank} dimension(s)"
    )


def shuffle_factor(function: str, name: str, factor: int) -> RuntimeError:
    return RuntimeError(f"{function} expects a positive {name}, but got {factor}")


def shuffle_channels(channels: int, square: int) -> RuntimeError:
    return RuntimeError(
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
        f"input.size(-3)={channels} is not divisible by {square}"
    )


def unshuffle_size(name: str, dim: int, size: int, factor: int) -> RuntimeError:
    return RuntimeError(
        f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({dim})={size} is not "
        f"divisible by {factor}"
    )


def channel_shuffle_dimensions(shape: Ints) -> RuntimeError:
    return RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}")


def channel_shuffle_positive(groups: int) -> RuntimeError:
    return RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")


def channel_shuffle_groups(channels: int, groups: int) -> RuntimeError:
    return RuntimeError(f"Number of channels must be divisible by groups. Got {channels} channels and {groups} groups.")


# --- grids


def grid_mode(mode: str) -> ValueError:
    return ValueError(
        f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
    )


def grid_padding(mode: str) -> ValueError:
    return ValueError(
        "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
        f"'{mode}'"
    )


def grid_batch(image: Ints, grid: Ints) -> RuntimeError:
    return RuntimeError(
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
        f"{list(image)} and grid with sizes {list(grid)}"
    )


def grid_dimensions(image: Ints, grid: Ints) -> RuntimeError:
    return RuntimeError(
        "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
        f"{list(image)} and grid with sizes {list(grid)}"
    )


def grid_last(rank: int, grid: Ints) -> RuntimeError:
    return RuntimeError(
        f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid with sizes {list(grid)}"
    )


def grid_empty(image: Ints, dim: int) -> RuntimeError:
    return RuntimeError(
        f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {list(image)} with "
        f"dimension {dim} being empty"
    )


def grid_cubic() -> RuntimeError:
    return RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")


def affine_dtype(dtype: Any) -> ValueError:
    return ValueError(f"Expected theta to have floating point type, but got {dtype}")


def affine_rank(size: Any) -> NotImplementedError:
    return NotImplementedError(
        "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
        f"{size}."
    )


def affine_maps(rank: int, size: Any, shape: Any) -> ValueError:
    return ValueError(
        f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {size}. Got {shape}."
    )


def affine_batch(rank: int, images: int, maps: int) -> RuntimeError:
    return RuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: [{images}, {rank + 1}] but got:"
        f" [{maps}, {rank + 1}]."
    )


def affine_empty(size: Any) -> ValueError:
    return ValueError(f"Expected non-zero, positive output size. Got {size}")
