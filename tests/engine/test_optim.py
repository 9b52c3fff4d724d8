"""Optimizers and schedules: answers as recorded from PyTorch, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine import optim
from engine.core.tensor import Tensor
from tests.engine.statements import answer, statements

FIRST_ORDER = [
    optim.SGD,
    optim.Adam,
    optim.AdamW,
    optim.RMSprop,
    optim.Adagrad,
    optim.Adamax,
    optim.NAdam,
    optim.RAdam,
    optim.Rprop,
]


@pytest.mark.parametrize(("statement", "expected"), statements("optim"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected


@pytest.mark.parametrize("kind", FIRST_ORDER, ids=lambda kind: kind.__name__)
def test_every_optimizer_goes_down(kind: Any) -> None:
    x = torch.tensor([3.0, -2.0], requires_grad=True)
    optimizer = kind([x], lr=0.05)

    def closure() -> Tensor:
        optimizer.zero_grad()
        loss = (x**2).sum()
        loss.backward()
        return loss

    first = closure().item()
    for _ in range(50):
        last = optimizer.step(closure).item()
    assert last < first * 0.75


def test_a_step_is_one_write_and_leaves_no_graph() -> None:
    x = torch.ones(2, requires_grad=True)
    optimizer = optim.SGD([x], lr=0.5)
    x.sum().backward()
    optimizer.step()
    assert x.is_leaf and x.grad_fn is None and x._version == 1
    np.testing.assert_array_equal(x._array, [0.5, 0.5])


def test_parameters_without_a_gradient_stay() -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    optimizer = optim.Adam([x, y])
    x.sum().backward()
    optimizer.step()
    assert y._version == 0 and y not in optimizer.state


def test_large_and_small_tensors_are_updated_alike() -> None:
    torch.manual_seed(0)
    g = torch.randn(10_000)
    large, small = torch.zeros(10_000, requires_grad=True), torch.zeros(100, requires_grad=True)
    optimizer = optim.Adam([large, small], lr=0.1)
    for _ in range(3):
        large.grad, small.grad = g.clone(), g[:100].clone()
        optimizer.step()
    assert torch.allclose(large[:100], small, rtol=1e-6)


def test_a_state_goes_through_its_dict() -> None:
    def after(steps: int, resumed: bool) -> list[float]:
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer: Any = optim.Adam([x], lr=0.1)
        for step in range(steps):
            if resumed and step == 2:
                saved = optimizer.state_dict()
                optimizer = optim.Adam([x], lr=7.0)
                optimizer.load_state_dict(saved)
            optimizer.zero_grad()
            (x**2).sum().backward()
            optimizer.step()
        return x.tolist()  # type: ignore[no-any-return]

    assert after(4, resumed=True) == after(4, resumed=False)
