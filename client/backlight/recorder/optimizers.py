"""What optimizers were given and what was asked of them, in order; recorded or not."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.optim import optimizer as optimizers

from ..document.limits import OPTIMIZERS, PARAMETERS, USES
from .positions import Place
from .recording import Recording


@dataclass(slots=True, eq=False)
class Optimized:
    """An optimizer: its parameters when it was made, and (what, place, passes begun by then) of each call."""

    optimizer: Any
    place: Place | None
    tensors: list[torch.Tensor]
    uses: list[tuple[str, Place | None, int]] = field(default_factory=list)


class Optimizers:
    """Watches optimizers being made, given parameters, and used."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.found: dict[int, Optimized] = {}
        self._originals: dict[str, Any] = {}

    def start(self) -> None:
        base: Any = torch.optim.Optimizer
        for name, what in (("add_param_group", "added"), ("zero_grad", "zero_grad")):
            self._originals[name] = base.__dict__[name]
            setattr(base, name, self._telling(base.__dict__[name], what))
        # What `register_optimizer_step_pre_hook` does, but for the number of a handle, which programs can see.
        optimizers._global_optimizer_pre_hooks[id(self)] = self._step  # type: ignore[assignment]

    def stop(self) -> None:
        for name, original in self._originals.items():
            setattr(torch.optim.Optimizer, name, original)
        self._originals = {}
        optimizers._global_optimizer_pre_hooks.pop(id(self), None)

    def _telling(self, original: Any, what: str) -> Any:
        @functools.wraps(original)
        def method(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(optimizer, *args, **kwargs)
            self._tell(optimizer, what, self.recording.user(sys._getframe(1)))
            return result

        return method

    def _step(self, optimizer: Any, args: Any, kwargs: Any) -> None:
        self._tell(optimizer, "step", self.recording.user(sys._getframe(1)))

    def _tell(self, optimizer: Any, what: str, place: Place | None) -> None:
        recording = self.recording
        known = self.found.get(id(optimizer))
        if known is None:
            if len(self.found) >= OPTIMIZERS:
                return
            # One that was made before the recording began is met at its first use.
            known = self.found[id(optimizer)] = Optimized(optimizer, place if what == "added" else None, [])
        if what == "added" or not known.tensors:
            held = [t for group in optimizer.param_groups for t in group["params"] if isinstance(t, torch.Tensor)]
            known.tensors = held[:PARAMETERS]
        if what != "added" and len(known.uses) < USES:
            known.uses.append((what, place, recording.calls + recording.missed["passes"]))
