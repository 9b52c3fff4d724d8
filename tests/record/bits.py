"""Record the bits of float32 functions and their gradients:  python -m tests.record.bits  (needs torch 2.13).

Only what PyTorch computes the same on every run: one thread, an x86 processor with AVX-512.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

ANSWERS = Path(__file__).parents[1] / "engine" / "data" / "bits.json"
SHAPES = [(), (3,), (5,), (10,), (33,), (4, 5)]
EXPRESSIONS = [
    "torch.softmax(x, -1)",
    "torch.log_softmax(x, -1)",
    "torch.sigmoid(x)",
    "F.silu(x)",
    "torch.tanh(x)",
    "F.elu(x)",
    "F.hardswish(x)",
    "F.softsign(x)",
    "x ** 2",
    "x ** 3",
    "1 / x",
    "x / y",
    "torch.add(x, y, alpha=0.3)",
    "torch.sub(x, y, alpha=0.3)",
    "torch.addcmul(x, x, y, value=0.3)",
    "torch.addcdiv(x, x, y, value=0.3)",
    "torch.lerp(x, y, 0.3)",
    "torch.lerp(x, y, 0.7)",
    "x.norm()",
    "x.norm(1)",
    "x.std()",
    "x.var()",
    "x.mean()",
    "x.sum()",
    "x.cumsum(-1)",
    "F.mse_loss(x, y)",
    "F.smooth_l1_loss(x, y)",
    "F.huber_loss(x, y)",
    "torch.hypot(x, y)",
]
EXACT = 0.99
"""The share of recorded numbers that must be equal: `tanh` and `elu` now and then differ in the last bit."""


def numbers(shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Two arrays of a shape; the second is positive."""
    random = np.random.RandomState(len(shape) * 100 + int(np.prod(shape)))
    x, y = random.randn(*shape) * 2, np.abs(random.randn(*shape)) + 0.3
    return np.float32(x), np.float32(y)


def results(torch: Any, functional: Any, expression: str, shape: tuple[int, ...]) -> list[float]:
    """The value and the gradients in both inputs, one after the other."""
    x, y = (torch.tensor(a.tolist()).requires_grad_() for a in numbers(shape))
    value = eval(expression, {"torch": torch, "F": functional, "x": x, "y": y})
    value.backward(torch.ones_like(value) if value.ndim else None)
    found = [value.detach(), *(t.grad for t in (x, y) if t.grad is not None)]
    return [number for t in found for number in t.flatten().tolist()]


def record() -> None:
    import torch

    torch.set_num_threads(1)
    answers = {
        expression: [
            np.array(results(torch, torch.nn.functional, expression, shape), np.float32).tobytes().hex()
            for shape in SHAPES
            if shape or "-1" not in expression and "std" not in expression and "var" not in expression
        ]
        for expression in EXPRESSIONS
    }
    version = torch.__version__.partition("+")[0]
    ANSWERS.write_text(json.dumps({"recorded_with": f"torch {version}", "bits": answers}, indent=0) + "\n")


if __name__ == "__main__":
    record()
