"""`torchvision.utils`."""

from __future__ import annotations

import math
from typing import Any

import engine.torch as torch
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor
from engine.program.operators import items
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


UTILS: dict[str, Any] = {"make_grid": Builtin("make_grid", make_grid)}
