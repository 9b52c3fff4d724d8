"""A recording in which the forward of custom Functions is no closed box."""

from __future__ import annotations

from engine.core.observer import Observer
from engine.trace import Recorder


class Inside(Recorder):
    """A recorder that is told of the ops inside `Function.forward`, in a scope of the kind `forward`."""

    __slots__ = ()

    def forward_begin(self, name: str) -> Observer:
        self.scope_enter("forward", name)
        return self

    def forward_end(self) -> None:
        self.scope_exit()
