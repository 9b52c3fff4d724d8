"""`torch.ops`: the compiled ops of packages, of which there are none, but for what is a few lines of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.torch.hardware import Namespace


def load_library(path: Any) -> None:
    """Raises OSError: nothing compiled is loaded."""
    raise OSError(f"{path}: compiled libraries of PyTorch cannot be loaded here")


def nms(dets: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """Which boxes are kept, the best first, so that no two overlap by more than the threshold."""
    boxes, order = np.asarray(dets.numpy(force=True)), np.argsort(-scores.numpy(force=True), kind="stable")
    low, high = boxes[:, :2], boxes[:, 2:]
    areas = np.prod(high - low, axis=1)
    kept = []
    while order.size:
        best, order = order[0], order[1:]
        kept.append(best)
        sides = np.minimum(high[best], high[order]) - np.maximum(low[best], low[order])
        shared = np.prod(np.maximum(sides, 0), axis=1)
        order = order[~(shared / (areas[best] + areas[order] - shared) > iou_threshold)]
    return Tensor._from_array(np.array(kept, dtype=np.int64))


class _Ops(Namespace):
    """The ops of one package."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"{self.__name__}.{name} is compiled code, which is not here: write it with torch")


class _Packages(Namespace):
    """Every package, by name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Ops(f"torch.ops.{name}")


ops = _Packages("torch.ops", load_library=load_library, torchvision=_Ops("torch.ops.torchvision", nms=nms))
