"""Modules: answers as recorded from PyTorch, every module through its gradient, and what an observer hears."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine import nn
from engine.core.tensor import Tensor
from tests.engine.gradients import check_gradients
from tests.engine.statements import answer, statements

LINE = np.sin(np.arange(2 * 4 * 6) * 1.1 + 0.2).reshape(2, 4, 6)
IMAGE = np.sin(np.arange(2 * 4 * 4 * 4) * 1.3).reshape(2, 4, 4, 4)
SHAPED: list[tuple[Any, Any]] = [
    (lambda: nn.Linear(6, 3), LINE),
    (lambda: nn.Conv1d(4, 2, 3), LINE),
    (lambda: nn.ConvTranspose1d(4, 2, 3), LINE),
    (lambda: nn.Conv2d(4, 4, 2, groups=2, padding=1, padding_mode="reflect"), IMAGE),
    (lambda: nn.MaxPool2d(2), IMAGE),
    (lambda: nn.AvgPool1d(2), LINE),
    (lambda: nn.AdaptiveAvgPool2d(3), IMAGE),
    (lambda: nn.BatchNorm1d(4), LINE),
    (lambda: nn.BatchNorm2d(4), IMAGE),
    (lambda: nn.LayerNorm(6), LINE),
    (lambda: nn.GroupNorm(2, 4), IMAGE),
    (lambda: nn.InstanceNorm1d(4, affine=True), LINE),
    (lambda: nn.RMSNorm(6), LINE),
    (lambda: nn.Flatten(), IMAGE),
    (lambda: nn.PixelShuffle(2), IMAGE),
    (lambda: nn.Upsample(scale_factor=2, mode="bilinear"), IMAGE),
    (lambda: nn.Unfold(2), IMAGE),
    (lambda: nn.ZeroPad2d(1), IMAGE),
    (lambda: nn.ReflectionPad1d(2), LINE),
    (lambda: nn.Tanh(), LINE),
    (lambda: nn.PReLU(), LINE),
    (lambda: nn.Softmax(-1), LINE),
    (lambda: nn.GELU(), LINE),
    (lambda: nn.SiLU(), LINE),
    (lambda: nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0), LINE),
]


@pytest.mark.parametrize(("statement", "expected"), statements("nn"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected


@pytest.mark.parametrize(("make", "x"), SHAPED, ids=[str(number) for number in range(len(SHAPED))])
def test_gradients_through_modules(make: Any, x: Any) -> None:
    torch.manual_seed(3)
    module = make().double()
    check_gradients(module, x, order=1)
    loss = module(torch.tensor(x, requires_grad=True)).square().sum()
    loss.backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in module.parameters())


@pytest.mark.parametrize("cell", [nn.RNN, nn.GRU, nn.LSTM])
def test_gradients_through_time(cell: Any) -> None:
    torch.manual_seed(3)
    module = cell(6, 3, batch_first=True).double()
    check_gradients(lambda x: module(x)[0], LINE, order=1)


class Listener:
    """The part of an observer that modules speak to."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def scope_enter(self, kind: str, name: str) -> None:
        self.heard.append(f"> {kind} {name}")

    def scope_exit(self) -> None:
        self.heard.append("<")

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


def test_an_observer_hears_which_module_runs() -> None:
    from engine.core.state import state

    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    listener = Listener()
    state.observer = listener  # type: ignore[assignment]
    try:
        model(torch.ones(1, 2))
    finally:
        state.observer = None
    assert listener.heard == ["> module Sequential", "> module 0: Linear", "<", "> module 1: ReLU", "<", "<"]


def test_an_exception_leaves_the_scope() -> None:
    from engine.core.state import state

    listener, layer = Listener(), nn.Linear(2, 2)
    state.observer = listener  # type: ignore[assignment]
    try:
        with pytest.raises(RuntimeError):
            layer(torch.ones(1, 3))
    finally:
        state.observer = None
    assert listener.heard == ["> module Linear", "<"]


def test_parameters_of_a_subclass_train() -> None:
    class Line(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.slope = nn.Parameter(torch.zeros(1))
            self.start = nn.Parameter(torch.zeros(1))

        def forward(self, x: Tensor) -> Tensor:
            return self.slope * x + self.start

    line, x = Line(), torch.linspace(-1, 1, 9)
    optimizer = torch.optim.SGD(line.parameters(), lr=0.5)
    for _ in range(60):
        optimizer.zero_grad()
        (line(x) - (3 * x - 1)).square().mean().backward()
        optimizer.step()
    assert abs(line.slope.item() - 3) < 1e-3 and abs(line.start.item() + 1) < 1e-3
