"""Numbers that left the graph: `item()`, `tolist()`, `numpy()` and copies of tensors that have a history."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from typing import Any

import torch

from ..document import watched
from ..document.limits import EXITS
from .layers import Layers
from .positions import USER, Place
from .recording import Recording

_CUTS = frozenset({"detach", "no_grad", "integer", "not_differentiable"})
_METHODS = {
    "item": "item", "__float__": "item", "__int__": "item", "tolist": "tolist", "numpy": "numpy", "__array__": "numpy",
}  # fmt: skip


def _inside(data: list[Any] | tuple[Any, ...]) -> Iterator[torch.Tensor]:
    """The tensors among the elements of a sequence and of those in it."""
    for element in data[:EXITS]:
        if isinstance(element, torch.Tensor):
            yield element
        elif isinstance(element, list | tuple):
            yield from (inner for inner in element[:EXITS] if isinstance(inner, torch.Tensor))


class Exits:
    """Watches the user's code take numbers out of tensors that require grad, or were cut off from such."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.log = self.new()
        self._layers = Layers()

    def new(self) -> watched.Exits[torch.Tensor, Place]:
        """A log with nothing in it."""
        return watched.Exits[torch.Tensor, Place]()

    def start(self) -> None:
        for name, how in _METHODS.items():
            self._layers.put(torch.Tensor, name, functools.partial(self._telling, how))
        self._layers.put(torch, "tensor", functools.partial(self._telling, "tensor"))

    def stop(self) -> None:
        self._layers.clear()

    def _telling(self, how: str, original: Any) -> Any:
        @functools.wraps(original, updated=())
        def telling(*args: Any, **kwargs: Any) -> Any:
            if how == "tensor" and args and isinstance(args[0], list | tuple):
                for element in _inside(args[0]):
                    self._tell(element, how)
            if not args or not isinstance(args[0], torch.Tensor):
                return original(*args, **kwargs)
            place = self._tell(args[0], how)
            if how != "tensor" or place is None:
                return original(*args, **kwargs)
            self.recording.quiet += 1  # a new tensor, whatever PyTorch makes it from
            try:
                copy = original(*args, **kwargs)
            finally:
                self.recording.quiet -= 1
            self.recording.tensors.born(copy, place, self.recording.scopes.now)
            return copy

        return telling

    def _tell(self, tensor: torch.Tensor, how: str) -> Place | None:
        """The place of an exit, known or new; None for what is none."""
        recording, frame = self.recording, sys._getframe(2)
        if recording.scopes.elsewhere() or recording.quiet or recording.truncated is not None or self.log.full:
            return None
        if recording.positions.kind(frame.f_code) != USER or not (tensor.requires_grad or self._cut(tensor)):
            return None
        place = recording.positions.place(frame)
        self.log.tell(tensor, how, place)
        return place

    def _cut(self, tensor: torch.Tensor) -> bool:
        row = self.recording.tensors.find(tensor)
        return row is not None and (row.detached_from is not None or row.cut in _CUTS)
