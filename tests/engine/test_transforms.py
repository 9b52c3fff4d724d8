"""`torch.func`, `torch.autograd.functional` and `gradcheck`: every option answers as PyTorch does."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from tests.engine.gradients import check_gradients
from tests.engine.statements import answer, statements

func: Any = torch.func
POINT = np.array([0.4, -1.2, 0.7])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("statement", "expected"), statements("transforms"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert numbers(answer(torch, statement)) == numbers(expected)


def numbers(text: str) -> str:
    """An answer without warnings, strides and graphs: rows of Jacobians are computed one by one here."""
    lines = [line for line in text.split("\n") if not re.match(r"\w*Warning: ", line)]
    text = re.sub(r"^(\w+ \([\d, ]*\)) \([\d, ]*\)", r"\1", "\n".join(lines))
    text = re.sub(r"( \| \w+ \([\d, ]*\)) \([\d, ]*\)", r"\1", text)
    return re.sub(r" \w+Backward\d?\([\w,():…]*", "", text).replace("-0.0", "0.0")


def test_a_transform_inside_a_transform_keeps_their_variables_apart() -> None:
    x = torch.tensor(3.0)
    assert func.grad(lambda x: func.grad(lambda y: x * y)(x))(x).item() == 1.0
    assert func.grad(lambda x: x * func.grad(lambda y: x + y)(torch.tensor(1.0)))(x).item() == 1.0
    w = torch.tensor(2.0, requires_grad=True)
    assert func.grad(lambda a: a * w)(w).item() == 2.0


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_derivatives_of_every_order(order: int) -> None:
    f: Any = torch.sin
    for _ in range(order):
        f = func.grad(f)
    assert np.isclose(f(torch.tensor(0.7, dtype=torch.float64)).item(), np.sin(0.7 + order * np.pi / 2))


@pytest.mark.parametrize(
    "f",
    [
        lambda a: func.grad(lambda b: (b**3).sum())(a),
        lambda a: func.vjp(lambda b: b**3, a)[1](torch.ones(3, dtype=torch.float64))[0],
        lambda a: func.jvp(lambda b: b**3, (a,), (torch.ones(3, dtype=torch.float64),))[1],
        lambda a: func.linearize(lambda b: b**3, a)[1](torch.ones(3, dtype=torch.float64)),
        lambda a: func.jacrev(lambda b: b.sin() * a)(a),
        lambda a: func.jacfwd(lambda b: b.sin().cumsum(0))(a),
        lambda a: func.hessian(lambda b: (b**3).sum() * b[0])(a),
        lambda a: func.vmap(func.grad(lambda b: (b**3).sum()))(torch.stack([a, a * 2])),
    ],
)
def test_what_a_transform_returns_has_gradients(f: Any) -> None:
    check_gradients(f, POINT)


def test_results_outside_all_graphs_are_constants() -> None:
    x, w = torch.ones(3), torch.ones(3, requires_grad=True)
    assert not func.grad(lambda a: (a * a).sum())(x).requires_grad
    assert func.grad(lambda a: (a * w).sum())(x).requires_grad
    assert func.grad(lambda a: (a * a).sum())(w).requires_grad


def test_a_state_stacked_from_modules_runs_under_vmap() -> None:
    torch.manual_seed(0)
    models = [torch.nn.Linear(3, 2) for _ in range(4)]
    parameters, buffers = func.stack_module_state(models)
    x = torch.randn(5, 3)
    out = func.vmap(lambda p, b: func.functional_call(models[0], (p, b), (x,)))(parameters, buffers)
    assert torch.equal(out, torch.stack([model(x) for model in models]))


def test_transforms_inside_each_other_do_not_count_their_points_twice() -> None:
    def slope(f: Any) -> Any:
        return lambda x: torch.func.jvp(f, (x,), (torch.ones_like(x),))[1]

    f: Any = torch.exp
    for _ in range(40):  # each of two joins let go on what the one inside had let go on: 2⁴⁰ of them
        f = slope(f)
    x = torch.tensor(1.0, requires_grad=True)
    y = f(x)
    y.backward()
    assert y.item() == pytest.approx(2.7182817) and x.grad is not None and x.grad.item() == pytest.approx(2.7182817)
