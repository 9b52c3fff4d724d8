"""What optimizers were given and what was asked of them, in order; recorded or not."""

from __future__ import annotations

import functools
import sys
from types import FrameType
from typing import Any

import torch
from torch.optim import optimizer as optimizers

from ..document import watched
from .layers import Layers
from .positions import Place
from .recording import Recording


class Optimizers:
    """Watches optimizers being made, given parameters, and used."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.log = self.new()
        self._layers = Layers()

    def new(self) -> watched.Optimizers[torch.Tensor, Place]:
        """A log with nothing in it."""
        return watched.Optimizers[torch.Tensor, Place](torch.Tensor)

    def start(self) -> None:
        for name, what in (("add_param_group", "added"), ("zero_grad", "zero_grad")):
            self._layers.put(torch.optim.Optimizer, name, functools.partial(self._telling, what))
        # What `register_optimizer_step_pre_hook` does, but for the number of a handle, which programs can see.
        optimizers._global_optimizer_pre_hooks[id(self)] = self._step  # type: ignore[assignment]

    def stop(self) -> None:
        self._layers.clear()
        optimizers._global_optimizer_pre_hooks.pop(id(self), None)

    def _telling(self, what: str, original: Any) -> Any:
        @functools.wraps(original)
        def method(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(optimizer, *args, **kwargs)
            self._tell(optimizer, what, sys._getframe(1))
            return result

        return method

    def _step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._tell(optimizer, "step", sys._getframe(1))

    def _tell(self, optimizer: Any, what: str, frame: FrameType) -> None:
        recording = self.recording
        if recording.scopes.elsewhere():
            return
        self.log.tell(optimizer, what, recording.user(frame), recording.calls + recording.missed["passes"])
