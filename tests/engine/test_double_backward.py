"""The graph of a gradient is PyTorch's, node by node, and so is what nodes keep (tests.record.double_backward)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine.torch as torch
from engine.nn import functional
from tests.record.double_backward import expressions, graphs

ANSWERS: dict[str, dict[str, str]] = json.loads(
    (Path(__file__).parent / "data" / "double_backward.json").read_text()
)["graphs"]


def test_every_expression_is_recorded() -> None:
    assert list(ANSWERS) == expressions()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("expression", ANSWERS)
def test_graphs(expression: str) -> None:
    assert graphs(torch, functional, expression) == ANSWERS[expression]
