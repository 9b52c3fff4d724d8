"""`node(*grad_outputs)`: a node's formula run by hand, outside a backward pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.autograd.function import BackwardCFunction
from engine.core.accumulate_grad import accumulate
from engine.core.complex import gradients
from engine.core.node import AccumulateGrad, Node
from engine.core.state import state, unobserved
from engine.core.tensor import Tensor, constant


def call(self: Node, *grad_outputs: Any, **keywords: Any) -> Any:
    """The gradients of the node's inputs: one, or a tuple of several; None where an input needs none.

    Hooks are not called, and nothing is freed. Where gradients are recorded, so is the formula. TypeError for another
    number of gradients than the node has outputs, or for what is no tensor.
    """
    if isinstance(self, BackwardCFunction):
        raise errors.node_not_callable(type(self).__name__)
    if keywords:
        raise errors.node_call_keywords()
    if len(grad_outputs) != self.num_inputs:
        raise errors.node_call_count(self.num_inputs, len(grad_outputs))
    for place, value in enumerate(grad_outputs):
        if value is not None and not isinstance(value, Tensor):
            raise errors.node_call_type(place)
    graph = state.grad
    if isinstance(self, AccumulateGrad):
        _accumulate(self, grad_outputs[0], graph)
        return ()
    if all(value is None for value in grad_outputs):
        found: list[Any] = [None] * len(self.next_edges)
    else:
        given = [v if graph or v is None else v._array for v in grad_outputs]
        found = list(gradients(self, given if self.outputs is not None else given[0], self.next_edges, graph))
    results = [None if edge is None else _result(value) for edge, value in zip(self.next_edges, found, strict=True)]
    return results[0] if len(results) == 1 else tuple(results)


def _accumulate(node: AccumulateGrad, gradient: Tensor | None, graph: bool) -> None:
    """Accumulate without a backward pass: an observer hears of a gradient that changed."""
    if gradient is None:
        return
    variable = node.variable
    before = variable._grad
    if before is not None and not graph:
        before = constant(np.array(before._array))
    with unobserved():
        accumulate(node, gradient if graph else gradient._array, graph)
    if state.observer is not None:
        state.observer.grad_changed(variable, before, variable._grad, "assignment")


def _result(value: Any) -> Any:
    return constant(value) if isinstance(value, np.ndarray | np.generic) else value


Node.__call__ = call  # type: ignore[method-assign]
