"""The workloads. Each takes a `torch` namespace, prepares once, and returns the function that is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Step = Callable[[], Any]


def scalar(torch: Any) -> Step:
    """e = (a + b) * d and its backward pass, leaves included."""

    def step() -> None:
        a = torch.tensor(2.0, requires_grad=True)
        b = torch.tensor(3.0, requires_grad=True)
        d = torch.tensor(4.0, requires_grad=True)
        ((a + b) * d).backward()

    return step


def chain(length: int) -> Callable[[Any], Step]:
    """A chain of `length` scalar ops."""

    def prepare(torch: Any) -> Step:
        def step() -> None:
            x = torch.tensor(1.0, requires_grad=True)
            y = x
            for _ in range(length // 2):
                y = y * 1.0001
                y = y + 0.0001
            y.backward()

        return step

    return prepare


def fan_out(torch: Any) -> Step:
    """One leaf used a thousand times."""

    def step() -> None:
        x = torch.tensor(1.0, requires_grad=True)
        total = x * 0.0
        for i in range(1000):
            total = total + x * float(i)
        total.backward()

    return step


def norm_loop(torch: Any) -> Step:
    """Double a vector until its norm exceeds 1000, then backward with a gradient."""

    def step() -> None:
        x = torch.tensor([0.5, -1.0, 1.5], requires_grad=True)
        y = x * 2
        while y.data.norm() < 1000:
            y = y * 2
        y.backward(torch.tensor([0.1, 1.0, 0.0001]))

    return step


def mlp(torch: Any) -> Step:
    """One SGD step of 784-256-10 with cross entropy, batch 64."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(784, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss_function = torch.nn.CrossEntropyLoss()
    x, y = torch.randn(64, 784), torch.randint(0, 10, (64,))

    def step() -> None:
        optimizer.zero_grad()
        loss_function(model(x), y).backward()
        optimizer.step()

    return step


def classify(torch: Any, model: Any, count: int) -> Step:
    """Cross entropy of a model for so many images of 28 × 28, forward and backward."""
    x, y = torch.randn(count, 1, 28, 28), torch.randint(0, 10, (count,))

    def step() -> None:
        for p in model.parameters():
            p.grad = None
        torch.nn.functional.cross_entropy(model(x), y).backward()

    return step


def conv(torch: Any) -> Step:
    """Convolution, pooling and a linear layer on 16 images of 28 × 28, forward and backward."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(8 * 14 * 14, 10),
    )
    return classify(torch, model, 16)


def cnn(torch: Any) -> Step:
    """Two convolutions, each with pooling, and a linear layer on 8 images of 28 × 28, forward and backward."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 5),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 16, 5),
        torch.nn.ReLU(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(16 * 4 * 4, 10),
    )
    return classify(torch, model, 8)


def recurrent(kind: str) -> Callable[[Any], Step]:
    """A recurrent layer of width 64 over 10 places of 8 sequences, forward and backward."""

    def prepare(torch: Any) -> Step:
        torch.manual_seed(0)
        layer = getattr(torch.nn, kind)(32, 64)
        x = torch.randn(10, 8, 32)

        def step() -> None:
            for p in layer.parameters():
                p.grad = None
            layer(x)[0].square().mean().backward()

        return step

    return prepare


def transformer(torch: Any) -> Step:
    """One attention block with an MLP: batch 4, length 16, width 64, 4 heads; forward and backward."""
    nn, F = torch.nn, torch.nn.functional
    torch.manual_seed(0)
    width, heads = 64, 4
    norm1, norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
    qkv, out = nn.Linear(width, 3 * width), nn.Linear(width, width)
    up, down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
    parameters = [p for m in (norm1, norm2, qkv, out, up, down) for p in m.parameters()]
    x = torch.randn(4, 16, width)

    def step() -> None:
        for p in parameters:
            p.grad = None
        h = norm1(x)
        q, k, v = qkv(h).chunk(3, dim=-1)
        q, k, v = (t.view(4, 16, heads, width // heads).transpose(1, 2) for t in (q, k, v))
        weights = F.softmax(q @ k.transpose(-2, -1) / (width // heads) ** 0.5, dim=-1)
        y = x + out((weights @ v).transpose(1, 2).reshape(4, 16, width))
        y = y + down(F.gelu(up(norm2(y))))
        y.square().mean().backward()

    return step


WORKLOADS: dict[str, Callable[[Any], Step]] = {
    "scalar (a+b)*d": scalar,
    "chain 1,000": chain(1_000),
    "chain 10,000": chain(10_000),
    "fan-out 1,000": fan_out,
    "norm loop": norm_loop,
    "MLP 784-256-10, batch 64": mlp,
    "conv + pool + linear": conv,
    "small CNN with pooling": cnn,
    "LSTM, 10 places": recurrent("LSTM"),
    "GRU, 10 places": recurrent("GRU"),
    "transformer block": transformer,
}


def objects() -> None:
    """A thousand small numbers and objects, as a chain of scalar ops makes them."""
    value, made = np.float32(1.0), []
    for index in range(1000):
        value = value * np.float32(1.0001)
        made.append((value, {"index": index}, [index]))


def arrays() -> None:
    """Two layers by hand, forward and backward: products of matrices and what lies between them."""
    hidden = np.maximum(IMAGES @ WEIGHTS, 0)
    gradient = np.where(hidden > 0, np.exp(hidden - hidden.max(1, keepdims=True)), 0)
    IMAGES.T @ gradient


IMAGES, WEIGHTS = np.ones((64, 784), np.float32), np.full((784, 256), 1e-3, np.float32)

YARDSTICKS: dict[str, Step] = {"objects": objects, "arrays": arrays}
"""What is always there to be compared with: Python's own speed, and numpy's."""

WITH_ARRAYS = frozenset({"MLP 784-256-10, batch 64", "conv + pool + linear"})
"""Workloads whose time is numpy's more than Python's."""

SNIPPET = """\
import torch
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a + b
d = torch.tensor(4.0, requires_grad=True)
e = c * d
e.backward()
print(a.grad, b.grad, d.grad)
"""

TRAININGS: dict[str, tuple[str, int]] = {
    "two layers by hand": (
        """\
import torch
x, y = torch.randn(64, 1000), torch.randn(64, 10)
w1 = torch.randn(1000, 100, requires_grad=True)
w2 = torch.randn(100, 10, requires_grad=True)
for t in range({turns}):
    loss = (x.mm(w1).clamp(min=0).mm(w2) - y).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w1 -= 1e-6 * w1.grad
        w2 -= 1e-6 * w2.grad
        w1.grad.zero_()
        w2.grad.zero_()
""",
        500,
    ),
    "polynomial with nn": (
        """\
import math
import torch
x = torch.linspace(-math.pi, math.pi, 2000)
y = torch.sin(x)
xx = x.unsqueeze(-1).pow(torch.tensor([1, 2, 3]))
model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1))
loss_fn = torch.nn.MSELoss(reduction="sum")
for t in range({turns}):
    loss = loss_fn(model(xx), y)
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 1e-6 * p.grad
""",
        1000,
    ),
    "MLP and SGD": (
        """\
import torch
from torch import nn
torch.manual_seed(0)
X = torch.linspace(-1, 1, 64).unsqueeze(1)
Y = torch.sin(3 * X)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range({turns}):
    loss = nn.functional.mse_loss(model(X), Y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        1000,
    ),
    "character RNN": (
        """\
import torch
from torch import nn
torch.manual_seed(0)
i2h, h2h, h2o = nn.Linear(57, 128), nn.Linear(128, 128), nn.Linear(128, 5)
parameters = [p for m in (i2h, h2h, h2o) for p in m.parameters()]
letters = torch.eye(57)
for turn in range({turns}):
    hidden = torch.zeros(1, 128)
    for place in range(6):
        hidden = torch.tanh(i2h(letters[(turn + place) % 57].unsqueeze(0)) + h2h(hidden))
    loss = nn.functional.cross_entropy(h2o(hidden), torch.tensor([turn % 5]))
    loss.backward()
    for p in parameters:
        p.data.add_(p.grad.data, alpha=-0.005)
        p.grad = None
""",
        300,
    ),
}
"""Programs that train, as tutorials write them, and how many turns they take; twice as many are measured, too."""
