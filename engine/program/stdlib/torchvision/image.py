"""`PIL.Image.Image`, as far as torchvision's transforms and data sets need it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter


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

    def show(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def __pixels__(self) -> Any:
        return self._pixels

    def __repr__(self) -> str:
        return f"<PIL.Image.Image image mode={self.mode} size={self.width}x{self.height}>"


Image.__qualname__ = "Image"
