"""A step of a GRU whose numbers are computed at once is the step op by op: values, gradients, graph, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import engine.torch as torch
from engine import nn
from engine.composites import recurrent
from engine.core.node import Node
from engine.core.state import sequence
from engine.core.tensor import Tensor
from engine.limits import Limits, metered

Make = Callable[[], tuple[Any, list[Tensor]]]


def layer(length: int, batch: int, wide: int, hidden: int, **options: Any) -> Make:
    return lambda: (nn.GRU(wide, hidden, **options), [torch.randn(length, batch, wide, requires_grad=True)])


def cell(batch: int, wide: int, hidden: int, **options: Any) -> Make:
    def make() -> tuple[Any, list[Tensor]]:
        inputs = [torch.randn(batch, width, requires_grad=True) for width in (wide, hidden)]
        return nn.GRUCell(wide, hidden, **options), inputs

    return make


CASES = {
    "whole vectors": layer(10, 8, 32, 64),
    "a packed weight": layer(3, 32, 8, 32),
    "no whole vectors": layer(3, 3, 4, 5),
    "more numbers than are exact": layer(2, 8, 32, 128),
    "one number": layer(3, 1, 1, 1),
    "too many numbers": layer(2, 33, 3, 32),
    "both directions": layer(4, 2, 3, 8, bidirectional=True),
    "two layers": layer(4, 2, 3, 16, num_layers=2, batch_first=True),
    "no biases": layer(3, 4, 3, 8, bias=False),
    "a cell": cell(8, 32, 64),
    "a cell without biases": cell(2, 3, 4, bias=False),
}


def kept(node: Node) -> list[Any]:
    """What a node keeps, as a program can see it."""
    found: list[Any] = []
    for name in node.op.shown_saved_names() if node.op is not None else ():
        value = getattr(node, f"_saved_{name}")
        if isinstance(value, Tensor):
            laid_out = value.stride(), value.untyped_storage().nbytes(), value._version, value._output_nr
            found.append((name, value.tolist(), laid_out, value.is_leaf, type(value.grad_fn).__name__))
        else:
            found.append((name, repr(value)))
    return found


def graph(root: Node) -> list[Any]:
    seen: list[Node] = [root]
    for node in seen:
        seen += [edge for edge, _ in node.next_functions if edge is not None and edge not in seen]
    return [
        (
            node.name(),
            node._sequence_nr(),
            [node.input_metadata(number) for number in range(node.num_inputs)],
            [None if edge is None else (edge.name(), edge._sequence_nr(), n) for edge, n in node.next_functions],
            kept(node),
        )
        for node in seen
    ]


def all_of(make: Make) -> list[Any]:
    torch.manual_seed(0)
    sequence.restart()
    with metered(Limits()) as meter:
        module, inputs = make()
        found = module(*inputs)
        outputs = found if isinstance(found, tuple) else (found,)
        fuel = meter.fuel_used
        graphs = [graph(output.grad_fn) for output in outputs]
        sum((output * output).sum() for output in outputs).backward()
    values = [output.tolist() for output in outputs]
    gradients = [None if t.grad is None else t.grad.tolist() for t in (*inputs, *module.parameters())]
    return [values, [output._version for output in outputs], gradients, graphs, fuel]


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_nothing_tells_it_from_the_ops(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = all_of(make)
    monkeypatch.setattr(recurrent, "_is_unseen", lambda *step: False)
    assert quick == all_of(make)


def test_who_watches_hears_of_every_op(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*step: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(recurrent, "gru_step_values", refuse)
    module, (x,) = layer(2, 2, 3, 4)()
    with pytest.raises(AssertionError):
        module(x)
    packed: list[Tensor] = []

    def pack(t: Tensor) -> Tensor:
        packed.append(t)
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        module(x)
    assert len(packed) == 19  # of two steps, the first of which has a state without a gradient
    with pytest.warns(UserWarning, match="Anomaly"), torch.autograd.detect_anomaly():
        module(x)
