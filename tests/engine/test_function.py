"""Custom Functions, and the functions built from backward passes."""

from __future__ import annotations

from typing import Any

import pytest

import engine.torch as torch
from tests.forked import in_ordinary_python


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return g * 3 * x**2


class Split(torch.autograd.Function):
    @staticmethod
    def forward(x: torch.Tensor, scale: float) -> tuple[torch.Tensor, torch.Tensor]:
        return x * scale, x.argmax()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
        ctx.scale = inputs[1]
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor, unused: Any) -> tuple[Any, ...]:
        return g * ctx.scale, None


def test_the_node_is_the_context_and_carries_the_name() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = Cube.apply(x)
    assert type(y.grad_fn).__name__ == "CubeBackward" and y.grad_fn.saved_tensors[0] is x
    y.backward(retain_graph=True)
    assert x.grad.item() == 12.0


def test_a_function_can_be_differentiated_twice() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    assert (first.item(), second.item()) == (12.0, 12.0)


def test_setup_context_and_outputs_without_gradient() -> None:
    x = torch.tensor([1.0, 5.0], requires_grad=True)
    y, where = Split.apply(x, 3.0)
    assert not where.requires_grad and where.item() == 1
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_wrong_number_of_gradients_is_refused() -> None:
    class Bad(Cube):
        @staticmethod
        def forward(ctx: Any, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
            return a * b

        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
            return g

    a, b = (torch.tensor(v, requires_grad=True) for v in (1.0, 2.0))
    with pytest.raises(RuntimeError) as caught:
        Bad.apply(a, b).backward()
    assert str(caught.value) == "function BadBackward returned an incorrect number of gradients (expected 2, got 1)"


def test_jacobians_hessians_and_products() -> None:
    functional = torch.autograd.functional
    x = torch.tensor([1.0, 2.0])

    def f(t: torch.Tensor) -> torch.Tensor:
        return torch.stack([t[0] * t[1], t[0] ** 2])

    def energy(t: torch.Tensor) -> torch.Tensor:
        return (t**3).sum() + t[0] * t[1]

    v = torch.tensor([1.0, -1.0])
    assert functional.jacobian(f, x).tolist() == [[2.0, 1.0], [2.0, 0.0]]
    columns = functional.jacobian(f, (x,), vectorize=True, strategy="forward-mode")
    assert type(columns) is list and columns[0].tolist() == [[2.0, 1.0], [2.0, 0.0]]
    both = functional.jacobian(lambda a: (a, f(a)), (x,), vectorize=True, strategy="forward-mode")
    assert type(both) is list and [[part.tolist() for part in row] for row in both] == [
        [[[1.0, 0.0], [0.0, 1.0]]], [[[2.0, 1.0], [2.0, 0.0]]],
    ]  # fmt: skip
    assert functional.hessian(energy, x).tolist() == [[6.0, 1.0], [1.0, 12.0]]
    assert functional.vjp(f, x, v)[1].tolist() == [0.0, 1.0]
    assert functional.jvp(f, x, v)[1].tolist() == [1.0, 2.0]
    assert functional.hvp(energy, x, v)[1].tolist() == functional.vhp(energy, x, v)[1].tolist() == [5.0, -11.0]


def test_transforms_compose() -> None:
    func = torch.func
    x = torch.tensor(2.0)
    assert func.grad(func.grad(lambda t: t**3))(x).item() == 12.0
    assert func.jacrev(lambda t: t**2)(torch.tensor([1.0, 3.0])).tolist() == [[2.0, 0.0], [0.0, 6.0]]
    per_sample = func.vmap(func.grad(lambda t: (t**2).sum()))(torch.tensor([[1.0], [2.0]]))
    assert per_sample.tolist() == [[2.0], [4.0]]


def test_gradcheck_finds_a_wrong_gradient() -> None:
    class Wrong(Cube):
        @staticmethod
        def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
            return g

    x = torch.tensor([0.3, 1.2], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Cube.apply, (x,)) and torch.autograd.gradgradcheck(Cube.apply, (x,))
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(Wrong.apply, (x,))


STAND_IN = """
import sys
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable, Function
from torch.autograd.functional import jacobian
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
loss = F.mse_loss(model(torch.ones(1, 2)), torch.zeros(1, 1))
loss.backward()
print(torch is sys.modules["engine.torch"], isinstance(loss, torch.Tensor), model[0].weight.grad.shape)
"""


def test_the_engine_stands_in_for_torch_in_ordinary_python() -> None:
    assert in_ordinary_python(STAND_IN) == ("True True torch.Size([3, 2])\n", None)
