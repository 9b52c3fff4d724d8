"""Custom `torch.autograd.Function`s: one op each, whatever their `forward` computes with."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import torch

from .dispatch import Dispatch
from .layers import Layers
from .operators import tensors_in
from .positions import Place
from .recording import Recording
from .tensors import Seen


class Functions:
    """Stands in for `Function.apply`."""

    def __init__(self, recording: Recording, dispatch: Dispatch) -> None:
        self.recording, self.dispatch = recording, dispatch
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(torch.autograd.Function, "apply", lambda original: classmethod(self._applying(original)))

    def stop(self) -> None:
        self._layers.clear()

    def _applying(self, original: Any) -> Any:
        def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
            recording, call = self.recording, original.__get__(None, cls)
            if recording.scopes.elsewhere():
                return call(*args, **kwargs)
            trace = recording.untraced()
            try:
                place, rows = self.given(sys._getframe(1), [*args, *kwargs.values()])
            finally:
                if trace is not None:
                    sys.settrace(trace)
            if place is None:
                return call(*args, **kwargs)
            clock = None if recording.opaque else recording.clock
            recording.opaque += 1
            try:
                out = call(*args, **kwargs) if clock is None else clock.function(call, args, kwargs)
            finally:
                recording.opaque -= 1
            if not recording.opaque and recording.truncated is None:
                with recording.silently():
                    outputs = tensors_in(out if isinstance(out, tuple | list) else (out,))
                    self.dispatch.put_function(cls.__name__, rows, outputs, place)
            return out

        return apply

    def given(self, frame: FrameType, args: list[Any]) -> tuple[Place | None, list[Seen]]:
        """Where a Function is applied, and the rows of its inputs; no place where that is no part of the recording."""
        recording, rows = self.recording, list[Seen]()
        place = recording.user(frame)
        if recording.quiet or place is None or torch._C._are_functorch_transforms_active():
            return None, []
        recording.settle()
        inputs = tensors_in(args)
        with recording.silently(grad=torch.is_grad_enabled()):
            rows = [recording.tensor(tensor, place) for tensor in inputs]
        return place, rows
