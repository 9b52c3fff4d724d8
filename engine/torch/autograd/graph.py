"""`torch.autograd.graph`: nodes, gradient edges, saved-tensor hooks, hooks on several tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine import errors
from engine.autograd.api import GradientEdge
from engine.core.graph_task import nodes_in_graph, will_run
from engine.core.hooks import HookDict, RemovableHandle
from engine.core.node import Node
from engine.core.saved_tensors import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from engine.core.tensor import Tensor, bump_version
from engine.core.views import gradient_edge

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge this tensor's gradient travels on. RuntimeError when it requires none."""
    node, number = gradient_edge(tensor) if tensor.requires_grad else (None, 0)
    if node is None:
        raise errors.no_gradient_edge()
    return GradientEdge(node, number)


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Count an in-place write that the engine could not see."""
    if not isinstance(tensor, Tensor | Iterable):
        raise errors.increment_version_type()
    tensors = (tensor,) if isinstance(tensor, Tensor) else tuple(tensor)
    if not all(isinstance(t, Tensor) for t in tensors):
        raise errors.increment_version_element()
    for t in tensors:
        if not t._inference:  # which count no writes
            bump_version(t)


class _MultiHandle(RemovableHandle):
    __module__ = "torch.autograd.graph"

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        super().__init__(HookDict())
        self._handles = handles

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], None], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` in every pass with the gradients of `tensors` once they are known, None for those that the pass does
    not reach; with `mode="any"` with the first of them."""
    if mode not in ("all", "any"):
        raise errors.multi_grad_mode(mode)
    nodes = [gradient_edge(t)[0] if t.requires_grad else None for t in tensors]
    if mode == "all" and None in nodes:
        raise errors.multi_grad_without_graph()
    running: Any = None
    expected = 0
    received: dict[int, Any] = {}

    def hook_for(index: int) -> Callable[[Any], None]:
        def hook(gradient: Any) -> None:
            nonlocal running, expected
            if running is not nodes_in_graph():  # the first gradient of this pass
                running = nodes_in_graph()
                received.clear()
                expected = sum(map(will_run, nodes)) if mode == "all" else 1
            received[index] = gradient
            if mode == "any":
                if len(received) == 1:
                    fn(gradient)
            elif len(received) == expected:
                gradients = [received.get(i) for i in range(len(nodes))]
                running = None  # what comes after it is counted anew
                fn(gradients)

        hook.__name__ = getattr(fn, "__name__", "hook")
        return hook

    return _MultiHandle([t.register_hook(hook_for(i)) for i, t in enumerate(tensors) if t.requires_grad])
