"""Random counts are those that torch 2.13 draws from the same seed."""

from __future__ import annotations

from typing import Any

import pytest

import engine.torch as torch


def test_poisson_numbers() -> None:
    torch.manual_seed(0)
    rates = torch.tensor([0.0, 0.5, 2.0, 9.9, 10.0, 50.0, 1000.0])
    assert torch.poisson(rates).tolist() == POISSON
    assert torch.rand(1).item() == AFTER_POISSON


def test_binomial_numbers() -> None:
    torch.manual_seed(0)
    counts = torch.tensor([0.0, 5, 10, 40, 100, 1000, 30])
    chances = torch.tensor([0.5, 0.2, 0.9, 0.3, 0.6, 0.01, 1.0])
    assert torch.binomial(counts, chances).tolist() == BINOMIAL
    assert torch.rand(1).item() == AFTER_BINOMIAL


def test_gradients() -> None:
    rates = torch.tensor([1.0, 20.0], requires_grad=True)
    drawn = torch.poisson(rates)
    drawn.sum().backward()
    assert type(drawn.grad_fn).__name__ == "PoissonBackward0"
    assert rates.grad is not None and rates.grad.tolist() == [0, 0]
    chance = torch.tensor([0.5], requires_grad=True)
    with pytest.raises(RuntimeError, match="^derivative for aten::binomial is not implemented$"):
        torch.binomial(torch.tensor([5.0]), chance).sum().backward()


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "negative rate": (
        lambda: torch.poisson(torch.tensor([-1.0])),
        RuntimeError,
        "invalid Poisson rate, expected rate to be non-negative",
    ),
    "whole rate": (
        lambda: torch.poisson(torch.tensor([1])),
        NotImplementedError,
        "\"poisson_cpu\" not implemented for 'Long'",
    ),
    "dtypes": (
        lambda: torch.binomial(torch.ones(1), torch.ones(1).double()),
        RuntimeError,
        "Found dtype Double but expected Float",
    ),
    "whole count": (
        lambda: torch.binomial(torch.tensor([1]), torch.ones(1)),
        ValueError,
        "binomial only supports floating-point dtypes for count, got: Long",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    run, kind, text = REFUSED[name]
    with pytest.raises(kind) as caught:
        run()
    assert str(caught.value) == text


POISSON = [0.0, 2.0, 3.0, 10.0, 7.0, 40.0, 973.0]
AFTER_POISSON = 0.6984410881996155
BINOMIAL = [0.0, 2.0, 7.0, 11.0, 63.0, 7.0, 30.0]
AFTER_BINOMIAL = 0.9527381062507629
