"""Images and tensors turned, sheared, seen in perspective, blurred, and with parts erased."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.program.stdlib.torchvision.colors import filtered, in_dtype
from engine.program.stdlib.torchvision.image import Image
from engine.program.stdlib.torchvision.interpolation import mode_given, mode_used
from engine.program.stdlib.torchvision.transforms import pil_to_tensor, sized, to_pil_image
from engine.program.text import represent

# --- tensors


def _check(img: Any, mode: str, fill: Any) -> None:
    if img.ndim < 2:
        raise TypeError("Tensor is not a torch image.")
    if fill is not None and not isinstance(fill, int | float | tuple | list):
        warnings.warn("Argument fill should be either int, float, tuple or list", UserWarning, stacklevel=1)
    channels = 1 if img.ndim == 2 else int(img.shape[-3])
    if isinstance(fill, tuple | list) and len(fill) > 1 and len(fill) != channels:
        raise ValueError(
            "The number of elements in 'fill' cannot broadcast to match the number of channels of the image"
            f" ({len(fill)} != {channels})"
        )
    if mode not in ("nearest", "bilinear"):
        raise ValueError(f"Interpolation mode '{mode}' is unsupported with Tensor input")


def _dtype(img: Any) -> Any:
    return img.dtype if img.is_floating_point() else torch.float32


def _sampled(img: Any, grid: Any, mode: str, fill: Any) -> Any:
    """What a grid finds in an image; a mask that is sampled with it says where it finds nothing."""
    x = img if img.ndim >= 4 else img.unsqueeze(0)
    x = x.to(grid.dtype)
    if x.shape[0] > 1:
        grid = grid.expand(x.shape[0], *grid.shape[1:])
    if fill is not None:
        x = torch.cat((x, torch.ones((x.shape[0], 1, *x.shape[2:]), dtype=x.dtype)), 1)
    x = F.grid_sample(x, grid, mode=mode, padding_mode="zeros", align_corners=False)
    if fill is not None:
        x, mask = x[:, :-1], x[:, -1:].expand_as(x[:, :-1])
        colour = list(fill) if isinstance(fill, tuple | list) else [float(fill)]
        around = torch.tensor(colour, dtype=x.dtype).view(1, len(colour), 1, 1).expand_as(x)
        if mode == "nearest":
            x[mask < 0.5] = around[mask < 0.5]
        else:
            x = x * mask + (1.0 - mask) * around
    return in_dtype(x if img.ndim >= 4 else x.squeeze(0), img.dtype)


def _places(width: int, height: int, left: float, top: float, dtype: Any) -> Any:
    """(x, y, 1) for each pixel's middle."""
    meter.allocate(3 * width * height, 8)
    places = torch.ones(1, height, width, 3, dtype=dtype)
    places[..., 0].copy_(torch.linspace(left + 0.5, left + 0.5 + width - 1, steps=width))
    places[..., 1].copy_(torch.linspace(top + 0.5, top + 0.5 + height - 1, steps=height).unsqueeze(-1))
    return places.view(1, height * width, 3)


def _halves(width: int, height: int, dtype: Any) -> Any:
    return torch.tensor([0.5 * width, 0.5 * height], dtype=dtype)


def _warped(img: Any, matrix: list[float], mode: str, fill: Any, expand: Any = False) -> Any:
    """A tensor in which each place has what a matrix of two rows finds for it, both counted from the middle."""
    _check(img, mode, fill)
    height, width = sized(img)
    columns, rows = _room(matrix, width, height) if expand else (width, height)
    theta = torch.tensor(matrix, dtype=_dtype(img)).reshape(1, 2, 3)
    places = _places(columns, rows, -columns * 0.5, -rows * 0.5, theta.dtype)
    grid = places.bmm(theta.transpose(1, 2) / _halves(width, height, theta.dtype))
    return _sampled(img, grid.view(1, rows, columns, 2), mode, fill)


def _room(matrix: list[float], width: int, height: int) -> tuple[int, int]:
    """How wide and how high it must be for all corners to be in it."""
    across, down = 0.5 * width, 0.5 * height
    corners = torch.tensor([[-across, -down, 1.0], [-across, down, 1.0], [across, down, 1.0], [across, -down, 1.0]])
    moved = corners @ torch.tensor(matrix, dtype=torch.float32).view(2, 3).T
    low, high = (found.values + torch.tensor((across, down)) for found in (moved.min(0), moved.max(0)))
    size = torch.ceil((high / 1e-4).trunc() * 1e-4) - torch.floor((low / 1e-4).trunc() * 1e-4)
    return int(size[0].item()), int(size[1].item())


# --- images


def _colour(fill: Any, channels: int) -> Any:
    """What is put where nothing is found: a byte for each band. Raises ValueError."""
    fill = 0 if fill is None else fill
    colour = list(fill) if isinstance(fill, list | tuple) else [fill] * channels
    colour = colour * channels if len(colour) == 1 else colour
    if len(colour) != channels:
        raise ValueError(
            "The number of elements in 'fill' does not match the number of channels of the image"
            f" ({len(colour)} != {channels})"
        )
    return np.array([int(part) for part in colour]).astype(np.uint8)


def _found(pixels: Any, x: Any, y: Any, mode: str, fill: Any) -> Image:
    """The pixels at (x, y), whose middles are at halves."""
    height, width = pixels.shape[:2]
    bands = pixels[:, :, None] if pixels.ndim == 2 else pixels
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    if mode == "nearest":
        made = bands[np.clip(y, 0, height - 1).astype(np.int64), np.clip(x, 0, width - 1).astype(np.int64)]
    elif mode == "bilinear":
        left, top = np.floor(x - 0.5).astype(np.int64), np.floor(y - 0.5).astype(np.int64)
        right, down = (x - 0.5 - left)[..., None], (y - 0.5 - top)[..., None]
        columns = [np.clip(left + side, 0, width - 1) for side in (0, 1)]
        rows = [np.clip(top + side, 0, height - 1) for side in (0, 1)]
        lines = []
        for row in rows:
            first, second = (bands[row, column].astype(np.float64) for column in columns)
            lines.append(first + (second - first) * right)
        made = (lines[0] + (lines[1] - lines[0]) * down).astype(np.uint8)
    else:
        raise NotImplementedError("images are warped here by nearest and bilinear pixels")
    made = np.where(inside[..., None], made, _colour(fill, bands.shape[2]))
    return Image(np.ascontiguousarray(made[:, :, 0] if pixels.ndim == 2 else made))


def _moved(img: Any, matrix: list[float], size: tuple[int, int], mode: str, fill: Any) -> Image:
    """An image through an affine matrix: by the nearest pixels in Pillow's fixed point, or else in floats."""
    pixels = _pixels(img)
    width, height = size
    meter.allocate(20 * max(width, 0) * max(height, 0), 8)
    rows, columns = np.arange(height)[:, None], np.arange(width)
    x: Any
    y: Any
    a, b, c, d, e, f = matrix
    if mode == "nearest" and not (b == 0 and d == 0):
        numbers = a, b, c + a * 0.5 + b * 0.5, d, e, f + d * 0.5 + e * 0.5
        fixed = [math.floor(number * 65536 + 0.5) for number in numbers]
        x = fixed[2] + columns * fixed[0] + rows * fixed[1] >> 16
        y = fixed[5] + columns * fixed[3] + rows * fixed[4] >> 16
    else:
        x = a * (columns + 0.5) + b * (rows + 0.5) + c
        y = d * (columns + 0.5) + e * (rows + 0.5) + f
    return _found(pixels, x, y, mode, fill)


def _pixels(img: Any) -> Any:
    if not isinstance(img, Image):
        raise TypeError(f"img should be PIL Image. Got {represent(type(img))}")
    return img._pixels


def _rotated(img: Any, angle: float, mode: str, expand: Any, center: Any, fill: Any) -> Image:
    pixels = _pixels(img)
    (height, width), angle = pixels.shape[:2], angle % 360.0
    if not center and (angle in (0, 180) or angle in (90, 270) and (expand or width == height)):
        meter.allocate(pixels.size, 1)
        return Image(np.ascontiguousarray(np.rot90(pixels, int(angle) // 90)))
    across, down = (width / 2, height / 2) if center is None else center
    turn = -math.radians(angle)
    cos, sin = round(math.cos(turn), 15), round(math.sin(turn), 15)

    def moved(x: float, y: float, left: float, top: float) -> tuple[float, float]:
        return cos * x + sin * y + left, -sin * x + cos * y + top

    left, top = moved(-across, -down, 0.0, 0.0)
    left, top = left + across, top + down
    if expand:
        corners = [moved(x, y, left, top) for x, y in ((0, 0), (width, 0), (width, height), (0, height))]
        columns, rows = (math.ceil(max(side)) - math.floor(min(side)) for side in zip(*corners, strict=True))
        left, top = moved(-(columns - width) / 2.0, -(rows - height) / 2.0, left, top)
        width, height = columns, rows
    return _moved(img, [cos, sin, left, -sin, cos, top], (width, height), mode, fill)


# --- what both have


def _inverse(center: Any, angle: float, translate: Any, scale: float, shear: Any) -> list[float]:
    """The matrix that leads from each place of the result to its place in the image."""
    turn, along, across = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - across) / math.cos(across)
    b = -math.cos(turn - across) * math.tan(along) / math.cos(across) - math.sin(turn)
    c = math.sin(turn - across) / math.cos(across)
    d = -math.sin(turn - across) * math.tan(along) / math.cos(across) + math.cos(turn)
    a, b, c, d = d / scale, -b / scale, -c / scale, a / scale
    x, y = -center[0] - translate[0], -center[1] - translate[1]
    return [a, b, a * x + b * y + center[0], c, d, c * x + d * y + center[1]]


def _from_middle(img: Any, center: Any) -> list[float]:
    if center is None:
        return [0.0, 0.0]
    height, width = sized(img)
    return [1.0 * (at - side * 0.5) for at, side in zip(center, (width, height), strict=False)]


def _check_angle(angle: Any, center: Any) -> None:
    if not isinstance(angle, int | float):
        raise TypeError("Argument angle should be int or float")
    if center is not None and not isinstance(center, list | tuple):
        raise TypeError("Argument center should be a sequence")


def rotate(
    img: Any, angle: Any, interpolation: Any = 0, expand: Any = False, center: Any = None, fill: Any = None
) -> Any:
    """An image turned counterclockwise by degrees."""
    mode = mode_used(interpolation)
    _check_angle(angle, center)
    if not isinstance(img, Tensor):
        return _rotated(img, float(angle), mode, expand, center, fill)
    matrix = _inverse(_from_middle(img, center), -angle, [0.0, 0.0], 1.0, [0.0, 0.0])
    return _warped(img, matrix, mode, fill, expand)


def affine(
    img: Any, angle: Any, translate: Any, scale: Any, shear: Any, interpolation: Any = 0, fill: Any = None,
    center: Any = None,
) -> Any:  # fmt: skip
    """An image turned, moved, scaled and sheared."""
    mode = mode_used(interpolation)
    if not isinstance(angle, int | float):
        raise TypeError("Argument angle should be int or float")
    if not isinstance(translate, list | tuple):
        raise TypeError("Argument translate should be a sequence")
    if len(translate) != 2:
        raise ValueError("Argument translate should be a sequence of length 2")
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    if not isinstance(shear, int | float | list | tuple):
        raise TypeError("Shear should be either a single value or a sequence of two values")
    shear = [shear, 0.0] if isinstance(shear, int | float) else list(shear)
    shear = shear * 2 if len(shear) == 1 else shear
    if len(shear) != 2:
        raise ValueError(f"Shear should be a sequence containing two values. Got {represent(shear)}")
    _check_angle(angle, center)
    if not isinstance(img, Tensor):
        width, height = (float(side) for side in img.size)
        matrix = _inverse(center or (width * 0.5, height * 0.5), float(angle), translate, scale, shear)
        return _moved(img, matrix, img.size, mode, fill)
    return _warped(img, _inverse(_from_middle(img, center), angle, translate, scale, shear), mode, fill)


def _coefficients(startpoints: Any, endpoints: Any) -> list[float]:
    """The eight numbers of the perspective that leads from the end points to the start points."""
    if len(startpoints) != 4 or len(endpoints) != 4:
        raise ValueError(
            f"Please provide exactly four corners, got {len(startpoints)} startpoints and {len(endpoints)} endpoints."
        )
    rows = []
    for (x, y), (u, v) in zip(endpoints, startpoints, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    given = torch.tensor(startpoints, dtype=torch.float64).view(8)
    solution = torch.linalg.lstsq(torch.tensor(rows, dtype=torch.float64), given, driver="gels").solution
    return solution.to(torch.float32).tolist()  # type: ignore[no-any-return]


def perspective(img: Any, startpoints: Any, endpoints: Any, interpolation: Any = 2, fill: Any = None) -> Any:
    """An image whose start points are at the end points."""
    a, b, c, d, e, f, g, h = _coefficients(startpoints, endpoints)
    mode = mode_used(interpolation)
    height, width = sized(img)
    if not isinstance(img, Tensor):
        pixels = _pixels(img)
        meter.allocate(20 * height * width, 8)
        x, y = np.arange(width) + 0.5, np.arange(height)[:, None] + 0.5
        depth = g * x + h * y + 1
        return _found(pixels, (a * x + b * y + c) / depth, (d * x + e * y + f) / depth, mode, fill)
    _check(img, mode, fill)
    dtype = _dtype(img)
    places = _places(width, height, 0.0, 0.0, dtype)
    seen = torch.tensor([[[a, b, c], [d, e, f]]], dtype=dtype).transpose(1, 2) / _halves(width, height, dtype)
    depth = torch.tensor([[[g, h, 1.0], [g, h, 1.0]]], dtype=dtype).transpose(1, 2)
    grid = places.bmm(seen) / places.bmm(depth) - 1.0
    return _sampled(img, grid.view(1, height, width, 2), mode, fill)


def elastic_transform(img: Any, displacement: Any, interpolation: Any = 2, fill: Any = None) -> Any:
    """An image each of whose places is displaced."""
    mode = mode_given(interpolation).value
    if not isinstance(displacement, Tensor):
        raise TypeError("Argument displacement should be a Tensor")
    x = _as_tensor(img)
    height, width = sized(x)
    if displacement.shape != (1, height, width, 2):
        raise ValueError(
            f"Argument displacement shape should be {(1, height, width, 2)}, but given {displacement.shape}"
        )
    down, across = (torch.linspace((1 - side) / side, (side - 1) / side, side) for side in (height, width))
    rows, columns = torch.meshgrid(down, across, indexing="ij")
    moved = _sampled(x, torch.stack([columns, rows], -1).unsqueeze(0) + displacement, mode, fill)
    return moved if isinstance(img, Tensor) else to_pil_image(moved)


def _as_tensor(img: Any) -> Any:
    if isinstance(img, Tensor):
        return img
    if not isinstance(img, Image):
        raise TypeError(f"img should be PIL Image or Tensor. Got {represent(type(img))}")
    return pil_to_tensor(img)


def gaussian_blur(img: Any, kernel_size: Any, sigma: Any = None) -> Any:
    """An image blurred by a bell of the given size and width."""
    if not isinstance(kernel_size, int | list | tuple):
        raise TypeError(f"kernel_size should be int or a sequence of integers. Got {represent(type(kernel_size))}")
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else kernel_size
    if len(sizes) != 2:
        raise ValueError(f"If kernel_size is a sequence its length should be 2. Got {len(sizes)}")
    if any(size % 2 == 0 or size < 0 for size in sizes):
        raise ValueError(f"kernel_size should have odd and positive integers. Got {represent(sizes)}")
    if sigma is None:
        sigma = [size * 0.15 + 0.35 for size in sizes]
    if not isinstance(sigma, int | float | list | tuple):
        raise TypeError(f"sigma should be either float or sequence of floats. Got {represent(type(sigma))}")
    widths = [float(sigma)] * 2 if isinstance(sigma, int | float) else sigma
    widths = list(widths) * 2 if len(widths) == 1 else widths
    if len(widths) != 2:
        raise ValueError(f"If sigma is a sequence, its length should be 2. Got {len(widths)}")
    if any(width <= 0.0 for width in widths):
        raise ValueError(f"sigma should have positive values. Got {represent(widths)}")
    x = _as_tensor(img)
    across, down = (_bell(int(size), width, _dtype(x)) for size, width in zip(sizes, widths, strict=True))
    kernel = torch.mm(down[:, None], across[None, :]).expand(x.shape[-3], 1, len(down), len(across))
    blurred = filtered(x, kernel, [sizes[0] // 2] * 2 + [sizes[1] // 2] * 2)
    return blurred if isinstance(img, Tensor) else to_pil_image(blurred)


def _bell(size: int, width: float, dtype: Any) -> Any:
    half = (size - 1) * 0.5
    heights = torch.exp(-0.5 * (torch.linspace(-half, half, steps=size, dtype=dtype) / width).pow(2))
    return heights / heights.sum()


def erase(img: Any, i: Any, j: Any, h: Any, w: Any, v: Any, inplace: Any = False) -> Any:
    """A tensor with `v` in a rectangle."""
    if not isinstance(img, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {represent(type(img))}")
    if img.ndim < 2:
        raise TypeError("Tensor is not a torch image.")
    changed = img if inplace else img.clone()
    changed[..., i : i + h, j : j + w] = v
    return changed
