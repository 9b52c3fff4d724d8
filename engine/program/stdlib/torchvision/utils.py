"""`torchvision.utils`."""

from __future__ import annotations

import math
import posixpath
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor
from engine.program.files import Binary, fspath, names_file, opened
from engine.program.operators import items
from engine.program.stdlib.torchvision.image import Image
from engine.program.text import represent
from engine.program.values import Builtin


def _scaled(x: Any, value_range: Any) -> Any:
    low, high = (x.min().item(), x.max().item()) if value_range is None else value_range
    return x.clamp_(min=low, max=high).sub_(low).div_(max(high - low, 1e-5))


def make_grid(
    tensor: Any, nrow: int = 8, padding: int = 2, normalize: Any = False, value_range: Any = None,
    scale_each: Any = False, pad_value: float = 0.0,
) -> Any:  # fmt: skip
    """Images side by side: batch × channels × rows × columns becomes channels × rows × columns."""
    with no_grad():
        if isinstance(tensor, list | tuple):
            tensor = torch.stack(list(items(tensor)), dim=0)
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor or list of tensors expected, got {represent(type(tensor))}")
        x: Any = tensor
        if x.dim() == 2:
            x = x.unsqueeze(0)
        if x.dim() == 3:
            x = torch.cat((x, x, x), 0) if x.size(0) == 1 else x
            x = x.unsqueeze(0)
        if x.dim() == 4 and x.size(1) == 1:
            x = torch.cat((x, x, x), 1)
        if normalize:
            x = x.clone()
            for part in x if scale_each else [x]:
                _scaled(part, value_range)
        if x.size(0) == 1:
            return x.squeeze(0)
        count, channels = x.size(0), x.size(1)
        columns = min(int(nrow), count)
        rows = math.ceil(count / columns)
        height, width = x.size(2) + padding, x.size(3) + padding
        grid = x.new_full((channels, height * rows + padding, width * columns + padding), pad_value)
        for k in range(count):
            top, left = k // columns * height + padding, k % columns * width + padding
            grid.narrow(1, top, height - padding).narrow(2, left, width - padding).copy_(x[k])
        return grid


def save_image(tensor: Any, fp: Any, format: Any = None, **options: Any) -> None:
    """Images side by side in one file, which is kept for this run."""
    grid = make_grid(tensor, **options)
    with no_grad():
        pixels = grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to(torch.uint8).numpy()
    image = Image(np.ascontiguousarray(pixels))
    if names_file(fp):
        ending = posixpath.splitext(fspath(fp))[1].lower()
        if format is None and ending not in _ENDINGS:
            raise ValueError(f"unknown file extension: {ending}")
        fp = opened(fp, "wb")
    if not isinstance(fp, Binary):
        raise TypeError(f"images are saved under a path here, not in {represent(type(fp))}")
    fp.keep(image, pixels.nbytes)


_ENDINGS = frozenset(".png .jpg .jpeg .bmp .gif .pdf .ppm .tif .tiff .webp".split())
UTILS: dict[str, Any] = {
    "make_grid": Builtin("make_grid", make_grid), "save_image": Builtin("save_image", save_image),
}  # fmt: skip
