"""The same work for other libraries, as far as they can do it. A missing library is left out of the table."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import Any

Step = Callable[[], Any]


def hips() -> dict[str, Step]:
    import autograd.numpy as np
    from autograd import grad

    def f(a: Any, b: Any, d: Any) -> Any:
        return (a + b) * d

    def scalar() -> None:
        grad(f, (0, 1, 2))(2.0, 3.0, 4.0)

    def chain(length: int) -> Step:
        def y(x: Any) -> Any:
            for _ in range(length // 2):
                x = x * 1.0001
                x = x + 0.0001
            return x

        return lambda: grad(y)(1.0)

    def fan(x: Any) -> Any:
        total = x * 0.0
        for i in range(1000):
            total = total + x * float(i)
        return total

    def loop(x: Any) -> Any:
        y = x * 2
        while np.sqrt(np.sum(np.array(getattr(y, "_value", y)) ** 2)) < 1000:
            y = y * 2
        return np.dot(y, np.array([0.1, 1.0, 0.0001]))

    random = np.random.RandomState(0)
    w1, b1 = random.randn(784, 256).astype("f4") * 0.05, np.zeros(256, "f4")
    w2, b2 = random.randn(256, 10).astype("f4") * 0.05, np.zeros(10, "f4")
    x, y = random.randn(64, 784).astype("f4"), random.randint(0, 10, 64)

    def loss(w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        z = np.dot(np.maximum(np.dot(x, w1) + b1, 0), w2) + b2
        z = z - np.max(z, axis=1, keepdims=True)
        return -np.mean((z - np.log(np.sum(np.exp(z), axis=1, keepdims=True)))[np.arange(64), y])

    gradient = grad(loss, (0, 1, 2, 3))

    def mlp() -> None:
        for p, g in zip((w1, b1, w2, b2), gradient(w1, b1, w2, b2), strict=True):
            p -= 0.01 * g

    return {
        "scalar (a+b)*d": scalar,
        "chain 1,000": chain(1_000),
        "chain 10,000": chain(10_000),
        "fan-out 1,000": lambda: grad(fan)(1.0),
        "norm loop": lambda: grad(loop)(np.array([0.5, -1.0, 1.5])),
        "MLP 784-256-10, batch 64": mlp,
    }


def mygrad() -> dict[str, Step]:
    import mygrad as mg
    import numpy as np
    from mygrad.nnet.losses import softmax_crossentropy

    def scalar() -> None:
        a, b, d = mg.tensor(2.0), mg.tensor(3.0), mg.tensor(4.0)
        ((a + b) * d).backward()

    def chain(length: int) -> Step:
        def step() -> None:
            y = mg.tensor(1.0)
            for _ in range(length // 2):
                y = y * 1.0001
                y = y + 0.0001
            y.backward()

        return step

    def fan() -> None:
        x = mg.tensor(1.0)
        total = x * 0.0
        for i in range(1000):
            total = total + x * float(i)
        total.backward()

    def loop() -> None:
        x = mg.tensor([0.5, -1.0, 1.5])
        y = x * 2
        while np.linalg.norm(y.data) < 1000:
            y = y * 2
        y.backward(np.array([0.1, 1.0, 0.0001]))

    random = np.random.RandomState(0)
    w1, b1 = mg.tensor(random.randn(784, 256).astype("f4") * 0.05), mg.tensor(np.zeros(256, "f4"))
    w2, b2 = mg.tensor(random.randn(256, 10).astype("f4") * 0.05), mg.tensor(np.zeros(10, "f4"))
    x, y = random.randn(64, 784).astype("f4"), random.randint(0, 10, 64)

    def mlp() -> None:
        softmax_crossentropy(mg.maximum(x @ w1 + b1, 0) @ w2 + b2, y).backward()
        for p in (w1, b1, w2, b2):
            p.data -= 0.01 * p.grad
            p.null_grad()

    return {
        "scalar (a+b)*d": scalar,
        "chain 1,000": chain(1_000),
        "chain 10,000": chain(10_000),
        "fan-out 1,000": fan,
        "norm loop": loop,
        "MLP 784-256-10, batch 64": mlp,
    }


def micrograd() -> dict[str, Step]:
    from micrograd.engine import Value

    def scalar() -> None:
        a, b, d = Value(2.0), Value(3.0), Value(4.0)
        ((a + b) * d).backward()

    def chain() -> None:
        y = Value(1.0)
        for _ in range(500):
            y = y * 1.0001
            y = y + 0.0001
        y.backward()

    def fan() -> None:
        x = Value(1.0)
        total = x * 0.0
        for i in range(1000):
            total = total + x * float(i)
        total.backward()

    return {"scalar (a+b)*d": scalar, "chain 1,000": _deep(chain), "fan-out 1,000": _deep(fan)}


def _deep(step: Step) -> Step:
    """micrograd recurses over the graph: it needs room that Python does not give by default."""

    def with_room() -> None:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(20_000)
        try:
            step()
        finally:
            sys.setrecursionlimit(before)

    return with_room


def available() -> dict[str, dict[str, Step]]:
    """The peers that are installed, by name."""
    found: dict[str, dict[str, Step]] = {}
    for name, make in (("HIPS", hips), ("MyGrad", mygrad), ("micrograd", micrograd)):
        with contextlib.suppress(ImportError):
            found[name] = make()
    return found
