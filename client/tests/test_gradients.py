"""Recording changes no result: gradients with and without it are the same bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import backlight
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from tests.snippets.invariants import violations

Case = tuple[Sequence[torch.Tensor], Callable[[], torch.Tensor]]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * g


def of(model: nn.Module, loss: Callable[[], torch.Tensor]) -> Case:
    return list(model.parameters()), loss


def leaf(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, requires_grad=True)


def custom_function() -> Case:
    x = leaf(4)
    return [x], lambda: Square.apply(x).sum()


def in_place_on_a_view() -> Case:
    x = leaf(4, 3)

    def loss() -> torch.Tensor:
        y = x * 1
        y[0] = 2.0
        y[:, 1].mul_(3)
        return (y * y).sum()

    return [x], loss


def in_place_relu_and_batch_norm() -> Case:
    m = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(4, 2),
    )  # fmt: skip
    x = torch.randn(4, 1, 8, 8)
    return of(m, lambda: m(x).pow(2).sum())


def dropout() -> Case:
    m = nn.Sequential(nn.Linear(6, 6), nn.Dropout(0.5), nn.Linear(6, 1))
    x = torch.randn(5, 6)
    return of(m, lambda: m(x).sum())


def checkpoint_reentrant() -> Case:
    m, x = nn.Linear(4, 4), leaf(2, 4)
    return [x, *m.parameters()], lambda: checkpoint(lambda z: torch.tanh(m(z)), x, use_reentrant=True).sum()


def checkpoint_not_reentrant() -> Case:
    m, x = nn.Linear(4, 4), leaf(2, 4)
    return [x, *m.parameters()], lambda: checkpoint(lambda z: torch.tanh(m(z)), x, use_reentrant=False).sum()


def save_on_cpu() -> Case:
    x = leaf(5)

    def loss() -> torch.Tensor:
        with torch.autograd.graph.save_on_cpu():
            y = (x * x).exp()
        return y.sum()

    return [x], loss


def autocast() -> Case:
    m, x = nn.Linear(8, 8), torch.randn(2, 8)

    def loss() -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = m(x)
        return y.float().pow(2).sum()

    return of(m, loss)


def create_graph() -> Case:
    x = leaf(3)

    def loss() -> torch.Tensor:
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        return (g**2).sum()

    return [x], loss


def hooks() -> Case:
    x = leaf(3)

    def loss() -> torch.Tensor:
        y = x * 2
        y.register_hook(lambda g: g * 10)
        y.retain_grad()
        return (y * y).sum()

    return [x], loss


def vmap() -> Case:
    m, x = nn.Linear(3, 1), torch.randn(5, 3)

    def loss() -> torch.Tensor:
        parameters = dict(m.named_parameters())
        each = torch.func.vmap(lambda z: torch.func.functional_call(m, parameters, (z,)).sum())(x)
        return each.pow(2).sum()

    return of(m, loss)


def attention() -> Case:
    m, x = nn.MultiheadAttention(16, 2, batch_first=True), torch.randn(2, 5, 16)
    return of(m, lambda: m(x, x, x)[0].pow(2).sum())


def scaled_dot_product() -> Case:
    q = leaf(2, 2, 5, 8)
    return [q], lambda: F.scaled_dot_product_attention(q, q, q, is_causal=True).sum()


def sparse_embedding() -> Case:
    m, i = nn.Embedding(10, 4, sparse=True), torch.tensor([1, 2, 2])
    return of(m, lambda: m(i).pow(2).sum())


def lstm() -> Case:
    m, x = nn.LSTM(4, 8, batch_first=True), torch.randn(2, 6, 4)
    return of(m, lambda: m(x)[0].pow(2).sum())


def gru() -> Case:
    m, x = nn.GRU(4, 8), torch.randn(3, 2, 4)
    return of(m, lambda: m(x)[0].sum())


def shared_weights() -> Case:
    m, x = nn.Linear(4, 4), torch.randn(2, 4)
    return of(m, lambda: m(torch.relu(m(m(x)))).pow(2).sum())


def fan_in() -> Case:
    x = leaf(3)
    return [x], lambda: sum((x * i).sin() for i in range(6)).sum()  # type: ignore[union-attr]


def not_a_number() -> Case:
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    return [x], lambda: (x.sqrt() * 0).sum()


def gan_step() -> Case:
    g, d, z = nn.Linear(2, 3), nn.Linear(3, 1), torch.randn(4, 2)

    def loss() -> torch.Tensor:
        fake = g(z)
        d(fake.detach()).mean().backward()
        return -d(fake).mean()

    return [*g.parameters(), *d.parameters()], loss


def accumulation() -> Case:
    m, x = nn.Linear(3, 1), torch.randn(6, 3)

    def loss() -> torch.Tensor:
        for part in x[:4].split(2):
            m(part).sum().backward()
        return m(x[4:]).sum()

    return of(m, loss)


def compiled() -> Case:
    m, x = nn.Linear(4, 4), torch.randn(2, 4)
    fast = torch.compile(m, backend="aot_eager")
    return of(m, lambda: fast(x).sum())


def transformer() -> Case:
    m, x = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True), torch.randn(2, 5, 16)
    return of(m, lambda: m(x).pow(2).mean())


def complex_numbers() -> Case:
    x = torch.randn(4, dtype=torch.complex64, requires_grad=True)
    return [x], lambda: (x * x.conj()).real.sum() + torch.fft.fft(x).abs().sum()


def retained_graph() -> Case:
    x = leaf(3)

    def loss() -> torch.Tensor:
        y = (x * x).exp().sum()
        y.backward(retain_graph=True)
        y.backward(retain_graph=True)
        return y

    return [x], loss


def part_without_gradients() -> Case:
    m, x = nn.Linear(3, 3), torch.randn(2, 3)

    def loss() -> torch.Tensor:
        with torch.no_grad():
            target = m(x) + 1
            m.weight.mul_(0.5)
            m.weight.mul_(2.0)
        return F.mse_loss(m(x), target)

    return of(m, loss)


def an_exception_on_the_way() -> Case:
    x = leaf(3)

    def loss() -> torch.Tensor:
        y = x.exp()
        try:
            y.backward()
        except RuntimeError:
            y = y * 2
        try:
            torch.ones(2) @ x
        except RuntimeError:
            y = y + 1
        return y.sum()

    return [x], loss


def hooks_of_nodes() -> Case:
    x = leaf(3)

    def loss() -> torch.Tensor:
        y = x.sin()
        y.grad_fn.register_prehook(lambda gradients: (gradients[0] * 3,))  # type: ignore[union-attr]
        y.grad_fn.register_hook(lambda left, _: (left[0] + 1,))  # type: ignore[union-attr]
        return y.sum()

    return [x], loss


def hooks_of_modules() -> Case:
    m, x = nn.Sequential(nn.Linear(3, 3), nn.Tanh()), leaf(2, 3)

    def loss() -> torch.Tensor:
        handle = m[0].register_full_backward_hook(lambda _, left, __: (left[0] * 2,))
        try:
            return m(x).sum() + x.sum()
        finally:
            handle.remove()

    return [x, *m.parameters()], loss


def gradient_of_a_function() -> Case:
    x = leaf(4)
    slope = torch.func.grad(lambda z: (z.sin() * z).sum())
    return [x], lambda: (slope(x) * x).sum()


def views_of_views() -> Case:
    x = leaf(4, 6)
    return [x], lambda: (x.t()[1:4].unfold(0, 2, 1).reshape(-1) * x.view(-1)[:16]).sum()


def double_precision() -> Case:
    x = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    return [x], lambda: torch.linalg.slogdet(x @ x.t() + torch.eye(3, dtype=torch.float64))[1]


CASES = [
    an_exception_on_the_way, double_precision, gradient_of_a_function, hooks_of_modules, hooks_of_nodes,
    part_without_gradients, retained_graph, views_of_views,
    accumulation, attention, autocast, checkpoint_not_reentrant, checkpoint_reentrant, compiled, complex_numbers,
    create_graph, custom_function, dropout, fan_in, gan_step, gru, hooks, in_place_on_a_view,
    in_place_relu_and_batch_norm, lstm, not_a_number, save_on_cpu, scaled_dot_product, shared_weights,
    sparse_embedding, transformer, vmap,
]  # fmt: skip


def gradients(leaves: Sequence[torch.Tensor]) -> list[bytes | None]:
    """The bits of gradients; those of sparse ones as they are when dense."""
    dense = [None if x.grad is None else x.grad.to_dense().contiguous() for x in leaves]
    return [None if g is None else g.view(torch.uint8).numpy().tobytes() for g in dense]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES, ids=[case.__name__ for case in CASES])
def test_gradients_are_the_same_bits(case: Callable[[], Case]) -> None:
    leaves, loss = case()
    torch.manual_seed(1)
    loss().backward()
    plain = gradients(leaves)
    for x in leaves:
        x.grad = None
    torch.manual_seed(1)
    with backlight.capture() as run:
        value = loss()
        value.backward()
    assert gradients(leaves) == plain
    assert not violations(run.document)
    assert run.document["status"] == "ok"
