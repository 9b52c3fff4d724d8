"""Which nodes were made where hooks pack saved tensors, for a PyTorch that does not say so itself."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.graph import saved_tensors_hooks

from .layers import Layers
from .nodes import PACKED, Nodes
from .scopes import Scopes

_next_sequence: Any = torch._C._autograd._get_sequence_nr


class Packing:
    """Watches `saved_tensors_hooks`, of which `checkpoint` and `save_on_cpu` are made."""

    def __init__(self, nodes: Nodes, scopes: Scopes) -> None:
        self.nodes, self.scopes = nodes, scopes
        self._depth = 0
        self._layers = Layers()

    def start(self) -> None:
        if not PACKED:
            self._layers.put(saved_tensors_hooks, "__enter__", self._entering)
            self._layers.put(saved_tensors_hooks, "__exit__", self._leaving)

    def stop(self) -> None:
        self._layers.clear()

    def _entering(self, enter: Any) -> Any:
        def __enter__(hooks: Any) -> Any:
            if not self.scopes.elsewhere():
                if not self._depth:
                    self.nodes.packed.append((_next_sequence(), None))
                self._depth += 1
            return enter(hooks)

        return __enter__

    def _leaving(self, leave: Any) -> Any:
        def __exit__(hooks: Any, *error: Any) -> Any:
            if not self.scopes.elsewhere():
                self._depth -= 1
                if not self._depth:
                    first, _ = self.nodes.packed.pop()
                    self.nodes.packed.append((first, _next_sequence()))
            return leave(hooks, *error)

        return __exit__
