"""Which nodes were made where hooks pack saved tensors, for a PyTorch that does not say so itself."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.graph import saved_tensors_hooks

from .nodes import PACKED, Nodes

_next_sequence: Any = torch._C._autograd._get_sequence_nr


class Packing:
    """Watches `saved_tensors_hooks`, of which `checkpoint` and `save_on_cpu` are made."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self._depth = 0
        self._originals: tuple[Any, Any] | None = None

    def start(self) -> None:
        if PACKED:
            return
        self._originals = enter, leave = saved_tensors_hooks.__enter__, saved_tensors_hooks.__exit__

        def __enter__(hooks: Any) -> Any:
            if not self._depth:
                self.nodes.packed.append((_next_sequence(), None))
            self._depth += 1
            return enter(hooks)

        def __exit__(hooks: Any, *error: Any) -> Any:
            self._depth -= 1
            if not self._depth:
                first, _ = self.nodes.packed.pop()
                self.nodes.packed.append((first, _next_sequence()))
            return leave(hooks, *error)

        saved_tensors_hooks.__enter__ = __enter__  # type: ignore[method-assign]
        saved_tensors_hooks.__exit__ = __exit__  # type: ignore[method-assign]

    def stop(self) -> None:
        if self._originals is not None:
            saved_tensors_hooks.__enter__, saved_tensors_hooks.__exit__ = self._originals  # type: ignore[method-assign]
