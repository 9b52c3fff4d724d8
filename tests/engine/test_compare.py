"""Comparisons, logic, positions and counts: answers as recorded from PyTorch."""

from __future__ import annotations

import pytest

import engine.torch as torch
from engine import settings
from tests.engine.statements import answer, statements


@pytest.mark.parametrize(("statement", "expected"), statements("compare"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


def test_answers_cut_the_graph() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for value in (x > 1, x == 1, x.argmax(), torch.isnan(x), x.nonzero(), torch.searchsorted(x, x), x.long()):
        assert not value.requires_grad and value.grad_fn is None
