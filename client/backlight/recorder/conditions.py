"""`torch.cond`, which PyTorch compiles, but not where there is a mode: then its branches may return and use less."""

from __future__ import annotations

import functools
import sys
from typing import Any

import torch
from torch.utils import _pytree as trees
from torch.utils._python_dispatch import _get_current_dispatch_mode, _pop_mode, _push_mode

from .dispatch import Dispatch
from .functions import Functions
from .layers import Layers
from .operators import tensors_in
from .unguarded import STANCE


class Conditions:
    """Stands in for `torch.cond`: it runs without the recorder's mode, and is one op."""

    def __init__(self, functions: Functions, dispatch: Dispatch) -> None:
        self.functions, self.dispatch = functions, dispatch
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(torch, "cond", self._in_place_of)

    def stop(self) -> None:
        self._layers.clear()

    def _in_place_of(self, original: Any) -> Any:
        @functools.wraps(original)
        def cond(*args: Any, **kwargs: Any) -> Any:
            chosen = args[0] if args else kwargs.get("pred")
            apart = isinstance(chosen, torch.Tensor) and _get_current_dispatch_mode() is self.dispatch
            if not apart or torch.compiler.is_compiling():
                return original(*args, **kwargs)
            recording = self.dispatch.recording
            trace = recording.untraced()
            try:
                place, rows = self.functions.given(sys._getframe(1), trees.tree_leaves((args, kwargs)))
                out = self._apart(original, args, kwargs)
                if place is not None and recording.truncated is None:
                    with recording.silently():
                        outputs = tensors_in(trees.tree_leaves(out))
                        self.dispatch.put_function("cond", rows, outputs, place)
                return out
            finally:
                if trace is not None:
                    sys.settrace(trace)

        return cond

    def _apart(self, original: Any, args: Any, kwargs: Any) -> Any:
        """What it compiles, and differentiates to that end, is not the program's."""
        self.dispatch.recording.quiet += 1
        _pop_mode()
        try:
            with STANCE.lifted():
                return original(*args, **kwargs)
        finally:
            _push_mode(self.dispatch)
            self.dispatch.recording.quiet -= 1
