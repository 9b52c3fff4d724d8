"""Changes of `.grad` that no backward pass made: `zero_grad`, assignments, `retain_grad`."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import torch

from .layers import Layers
from .positions import Place
from .recording import Recording


class GradWatch:
    """Notices such changes by looking: after `zero_grad`, after lines that assign, and before each pass."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._layers = Layers()

    def start(self) -> None:
        for owner in (torch.optim.Optimizer, torch.nn.Module):
            self._layers.put(owner, "zero_grad", self._looking)

    def stop(self) -> None:
        self._layers.clear()

    def _looking(self, original: Any) -> Any:
        @functools.wraps(original)
        def zero_grad(*args: Any, **kwargs: Any) -> Any:
            if self.recording.scopes.elsewhere():
                return original(*args, **kwargs)
            try:
                return original(*args, **kwargs)
            finally:
                self.look("zero_grad", self.recording.user(sys._getframe(1)), _parameters(args[0]))

        return zero_grad

    def look(self, by: str, place: Place | None, first: Iterable[torch.Tensor] = ()) -> None:
        """Record the gradients that are others than those last seen; those of `first` in this order."""
        recording = self.recording
        if recording.quiet or recording.scopes.elsewhere():
            return
        recording.settle()
        known = list(recording.gradients.items())
        order = {id(leaf): number for number, leaf in enumerate(first)}
        if order:
            known.sort(key=lambda item: order.get(id(item[1][0]), len(order)))
        for name, (leaf, gradient, before) in known:
            now = leaf.grad
            if now is not gradient:
                after = recording.ref(now)
                recording.gradients[name] = (leaf, now, after)
                recording.put("grad", place, tensor=name, before=before, after=after, by=by)


def _parameters(owner: Any) -> Iterator[torch.Tensor]:
    """The parameters of a module or an optimizer, in its order."""
    if isinstance(owner, torch.nn.Module):
        yield from owner.parameters()
    else:
        for group in owner.param_groups:
            yield from group["params"]
