"""`PIL.Image.Image`, as far as torchvision's transforms and data sets need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.program.text import represent


class Image:
    """An image of bytes: rows × columns, or rows × columns × 3."""

    __module__ = "PIL.Image"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, pixels: Any) -> None:
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
        planes = np.moveaxis(seen[:, :, None] if seen.ndim == 2 else seen, -1, 0)[None].astype(np.float32)
        whole = Tensor._from_array(np.ascontiguousarray(planes))
        for shape in ([seen.shape[0], width], [height, width]):  # bytes between the passes, too
            whole = (F.interpolate(whole, size=shape, mode=modes[resample], antialias=True) + 0.5).floor().clamp(0, 255)
        changed = np.moveaxis(whole.numpy()[0].astype(np.uint8), 0, -1)
        return Image(np.ascontiguousarray(changed[:, :, 0] if seen.ndim == 2 else changed))

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def __pixels__(self) -> Any:
        return self._pixels

    def __repr__(self) -> str:
        return f"<PIL.Image.Image image mode={self.mode} size={self.width}x{self.height}>"


Image.__qualname__ = "Image"
