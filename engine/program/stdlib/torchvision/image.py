"""`PIL.Image.Image`, as far as torchvision's transforms and data sets need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.text import represent


class Image:
    """An image of bytes: rows × columns, or rows × columns × 3."""

    __module__ = "PIL.Image"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, pixels: Any) -> None:
        meter.charge(1 + (pixels.size >> 10))
        self._pixels = pixels

    @property
    def size(self) -> tuple[int, int]:
        return self._pixels.shape[1], self._pixels.shape[0]

    @property
    def width(self) -> int:
        return int(self._pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self._pixels.shape[0])

    @property
    def mode(self) -> str:
        return "L" if self._pixels.ndim == 2 else "RGB"

    def convert(self, mode: str) -> Image:
        meter.allocate(3 * self._pixels.size, 1)
        if mode == self.mode:
            return Image(self._pixels.copy())
        if mode == "RGB":
            return Image(np.repeat(self._pixels[:, :, None], 3, axis=2))
        if mode == "L":
            weighed = self._pixels.astype(np.int64) @ np.array([19595, 38470, 7471]) + 0x8000
            return Image((weighed >> 16).astype(np.uint8))
        raise ValueError(f"images are of mode L or RGB here, not {mode}")

    def copy(self) -> Image:
        meter.allocate(self._pixels.size, 1)
        return Image(self._pixels.copy())

    def crop(self, box: Any = None) -> Image:
        """What lies in (left, upper, right, lower), with black around the image."""
        if box is None:
            return self.copy()
        left, upper, right, lower = (round(edge) for edge in box)
        if right < left or lower < upper:
            axis, ends = ("x", "right") if right < left else ("y", "lower")
            raise ValueError(f"Coordinate '{ends}' is less than '{'left' if axis == 'x' else 'upper'}'")
        meter.allocate((right - left) * (lower - upper) * (3 if self.mode == "RGB" else 1), 1)
        cut = np.zeros((lower - upper, right - left, *self._pixels.shape[2:]), np.uint8)
        rows, columns = slice(max(upper, 0), max(lower, 0)), slice(max(left, 0), max(right, 0))
        seen = self._pixels[rows, columns]
        top, side = max(-upper, 0), max(-left, 0)
        cut[top : top + seen.shape[0], side : side + seen.shape[1]] = seen
        return Image(cut)

    def getpixel(self, xy: Any) -> Any:
        x, y = (int(place) for place in xy)
        if not (-self.width <= x < self.width and -self.height <= y < self.height):
            raise IndexError("image index out of range")
        found = self._pixels[y, x]
        return int(found) if found.ndim == 0 else tuple(found.tolist())

    def resize(self, size: Any, resample: Any = None, box: Any = None, reducing_gap: Any = None) -> Image:
        """To (width, height): bicubic, or with `resample` 0 the nearest, with 2 bilinear."""
        width, height = (int(length) for length in size)
        if width <= 0 or height <= 0:
            raise ValueError("height and width must be > 0")
        modes = {None: "bicubic", 0: "nearest", 2: "bilinear", 3: "bicubic"}
        if resample not in modes:
            raise ValueError(f"images are resized with the filters 0, 2 and 3 here, not {represent(resample)}")
        seen = (self if box is None else self.crop(box))._pixels
        if modes[resample] == "nearest":
            meter.allocate(height * width * (3 if seen.ndim == 3 else 1), 1)
            places = []
            for had, wanted in zip(seen.shape[:2], (height, width), strict=True):
                step = had / wanted
                places.append(np.cumsum([step / 2] + [step] * (wanted - 1)).astype(int))  # as Pillow adds them up
            return Image(seen[np.ix_(*places)])
        across = _weights(seen.shape[1], width, modes[resample])
        down = _weights(seen.shape[0], height, modes[resample])
        planes = seen[:, :, None] if seen.ndim == 2 else seen
        larger = max(seen.shape[0], height) * max(seen.shape[1], width) * planes.shape[2]
        meter.allocate(2 * larger, 8)
        meter.charge(larger * (seen.shape[0] + seen.shape[1]) >> 8)
        changed = planes
        upright = seen.shape[0] > height and 2 * (seen.shape[1] - width) < seen.shape[0] - height
        for down_first in (upright, not upright):  # bytes between the two, so their order is seen
            changed = _bytes(
                np.einsum("rcb,hr->hcb", changed.astype(np.int64), down)
                if down_first
                else np.einsum("rcb,wc->rwb", changed.astype(np.int64), across)
            )
        return Image(np.ascontiguousarray(changed[:, :, 0] if seen.ndim == 2 else changed))

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def __pixels__(self) -> Any:
        return self._pixels

    def __repr__(self) -> str:
        return f"<PIL.Image.Image image mode={self.mode} size={self.width}x{self.height}>"


_PRECISION = 22


def _bytes(sums: Any) -> Any:
    return np.clip(sums + (1 << _PRECISION - 1) >> _PRECISION, 0, 255).astype(np.uint8)


def _bicubic(x: Any) -> Any:
    x = np.abs(x)
    return np.where(x < 1, (1.5 * x - 2.5) * x * x + 1, np.where(x < 2, (((x - 5) * x + 8) * x - 4) * -0.5, 0.0))


def _bilinear(x: Any) -> Any:
    return np.maximum(1 - np.abs(x), 0.0)


_FILTERS: dict[str, tuple[float, Any]] = {"bilinear": (1.0, _bilinear), "bicubic": (2.0, _bicubic)}


def _weights(had: int, wanted: int, mode: str) -> Any:
    """How much of each old row is in each new one, in Pillow's fixed point: wanted × had."""
    meter.allocate(3 * had * wanted, 8)
    support, height = _FILTERS[mode]
    scale = had / wanted
    wide = max(scale, 1.0)
    centers = (np.arange(wanted) + 0.5)[:, None] * scale
    places = np.arange(had)
    first = np.maximum((centers - support * wide + 0.5).astype(np.int64), 0)
    last = np.minimum((centers + support * wide + 0.5).astype(np.int64), had)
    weights = np.where((places >= first) & (places < last), height((places - centers + 0.5) / wide), 0.0)
    weights = weights / weights.sum(1, keepdims=True) * (1 << _PRECISION)
    return np.where(weights < 0, weights - 0.5, weights + 0.5).astype(np.int64)


Image.__qualname__ = "Image"
