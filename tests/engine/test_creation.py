"""Making tensors: data, dtypes, sizes, ranges and refusals as recorded from PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import engine.torch as torch
from engine import settings
from engine.core.state import state
from engine.limits import LimitExceeded, Limits, metered
from tests.engine.statements import answer, statements


@pytest.mark.parametrize(("statement", "expected"), statements("creation"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.zeros(100, 100),
        lambda: torch.full((10_000,), 1.0),
        lambda: torch.arange(10_000),
        lambda: torch.linspace(0, 1, 10_000),
        lambda: torch.eye(100),
        lambda: torch.randn(10_000),
        lambda: torch.randint(0, 5, (10_000,)),
        lambda: torch.randperm(10_000),
        lambda: torch.tril_indices(100, 100),
        lambda: torch.tensor([[0.0] * 100] * 100),
        lambda: torch.FloatTensor(100, 100),
        lambda: torch.ones(3).new_zeros(10_000),
        lambda: torch.ones(1).resize_(10_000),
    ],
)
def test_sizes_are_checked_before_memory_is_taken(make: object) -> None:
    with metered(Limits(tensor_elements=5000)), pytest.raises(LimitExceeded):
        make()  # type: ignore[operator]


def test_the_observer_hears_of_every_factory() -> None:
    made: list[object] = []

    class Observer:
        def create(self, tensor: object) -> None:
            made.append(tensor)

        def op(self, *ran: object) -> None:
            """Not heard."""

    state.watch(Observer())  # type: ignore[arg-type]
    try:
        results = [
            torch.tensor([1.0]),
            torch.zeros(2),
            torch.ones_like(torch.ones(1)),
            torch.arange(3),
            torch.eye(2),
            torch.rand(2),
            torch.FloatTensor([1]),
            torch.from_numpy(np.ones(2)),
        ]
    finally:
        state.watch(None)
    assert [t for t in results if any(t is other for other in made)] == results


def test_arrays_are_shared_or_copied() -> None:
    array = np.zeros(2)
    shared, copied = torch.from_numpy(array), torch.tensor(array)
    array[0] = 1
    assert shared.tolist() == [1, 0] and copied.tolist() == [0, 0]
    assert torch.as_tensor(shared) is shared


def test_the_default_dtype_is_that_of_floats() -> None:
    try:
        torch.set_default_dtype(torch.float64)
        assert torch.tensor(1.0).dtype is torch.zeros(1).dtype is torch.Tensor([1]).dtype is torch.float64
        assert torch.arange(1.0).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_ranges_round_as_the_kernels_do() -> None:
    values = torch.arange(-3.656, 13.369, 0.072)
    assert values.shape == (237,)
    assert torch.linspace(0, 1, 11)[-1].item() == 1
    assert torch.logspace(0, 400, 2).tolist() == [1, float("inf")]
