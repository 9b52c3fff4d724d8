"""The passes of a program's trainings. One that is kept costs three norms for each leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ..document.training import Point, Series
from .positions import Place
from .recording import Recording
from .values import is_freed

ELEMENTS = 1 << 22
"""Elements that one kept pass looks at; the service, where many share a machine, looks at fewer."""


class Training:
    """Told of every outermost pass of a program. `told`: where more is known of the training than what was recorded
    here, what the document has of it."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.series: dict[tuple[int, int, int | None], Series[torch.Tensor]] = {}
        self.told: Callable[[], list[Any]] | None = None

    def begin(self, place: Place | None, roots: list[Any]) -> tuple[Series[torch.Tensor], float | None] | None:
        """A pass begins at these roots: its series and loss, or None where it has no place."""
        if place is None:
            return None
        key = place.file, place.line, place.column
        series = self.series.get(key)
        if series is None:
            series = self.series[key] = Series(place.line, place.column or 0, place.file)
        self._updated(series)
        root = roots[0] if len(roots) == 1 else None
        if not isinstance(root, torch.Tensor) or root.numel() != 1 or not root.is_floating_point():
            return series, None
        return series, _number(root)

    def end(self, begun: tuple[Series[torch.Tensor], float | None], call: int, leaves: list[torch.Tensor]) -> None:
        """The pass is over; `leaves` are those whose gradients it added to."""
        series, loss = begun
        if not leaves:  # `autograd.grad`: no turn of a training
            return
        series.passes += 1
        series.last = call, loss
        if (series.passes - 1) % series.stride:
            series.forget(loss)
            return
        series.follow(leaves)
        reached, left = {id(leaf) for leaf in leaves}, ELEMENTS
        point, before = Point(call, loss, loss), list[torch.Tensor | None]()
        for leaf in series.leaves:
            followed = id(leaf) in reached and leaf.numel() <= left and not is_freed(leaf)
            left -= leaf.numel() if followed else 0
            point.grads.append(_norm(leaf.grad) if followed else None)
            point.weights.append(_norm(leaf) if followed else None)
            point.updates.append(None)
            before.append(leaf.clone() if followed else None)
        series.keep(point, before)

    def rows(self) -> list[Any]:
        """The field `training` of the document."""
        for series in self.series.values():
            self._updated(series)
            if series.lacks_the_last():
                series.end([_norm(leaf.grad) for leaf in series.leaves])
        if self.told is not None:
            return self.told()
        return [series.row(self._id) for series in self.series.values() if series.passes > 1]

    def _id(self, leaf: torch.Tensor) -> str:
        return self.recording.tensor(leaf).id

    def _updated(self, series: Series[torch.Tensor]) -> None:
        """By how much leaves changed since the last kept pass."""
        before, series.before = series.before, None
        for place, old in enumerate(before or ()):
            now = series.leaves[place]
            if old is not None and now.shape == old.shape and now.dtype == old.dtype and not is_freed(now):
                series.points[-1].updates[place] = _norm(now - old)


_item: Any = torch._C.TensorBase.item
"""Not the method that watches numbers leave the graph."""


def _norm(tensor: torch.Tensor | None) -> float | None:
    """The Euclidean norm."""
    if tensor is None or tensor.layout is not torch.strided or not (tensor.is_floating_point() or tensor.is_complex()):
        return None
    if is_freed(tensor):
        return None
    return _number(torch.linalg.vector_norm(tensor.float() if tensor.element_size() < 4 else tensor))


def _number(tensor: torch.Tensor) -> float | None:
    """The number in a tensor; None where there is none to be had: inside `vmap`, of meta and fake tensors."""
    try:
        return float(_item(tensor))
    except (NotImplementedError, RuntimeError):
        return None
