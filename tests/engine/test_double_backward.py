"""The graph of a gradient is PyTorch's, node by node, and so is what nodes keep (tests.record.double_backward)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine.torch as torch
from engine.nn import functional
from tests.record.double_backward import expressions, graphs

ANSWERS: dict[str, dict[str, str]] = json.loads((Path(__file__).parent / "data" / "double_backward.json").read_text())[
    "graphs"
]


def test_every_expression_is_recorded() -> None:
    assert list(ANSWERS) == expressions()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", ANSWERS)
def test_graphs(expression: str) -> None:
    assert graphs(torch, functional, expression) == ANSWERS[expression]


def test_an_in_place_activation_after_a_norm_can_be_differentiated_twice() -> None:
    torch.manual_seed(0)
    layers = (torch.nn.Conv1d(2, 2, 1), torch.nn.InstanceNorm1d(2), torch.nn.ReLU(inplace=True))
    net = torch.nn.Sequential(*layers).double()
    x = torch.randn(2, 2, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(net, (x,))
