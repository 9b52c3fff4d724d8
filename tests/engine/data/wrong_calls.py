"""Wrong calls of the functions in calls.txt: for each argument another type, one too few, too many, an unknown name."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

WRONG = ("'a'", "None", "[1.0]", "2", "0.5")
EACH = 2
"""How many wrong calls of each function are recorded."""

PRELUDE = """
import torch, numpy as np
import torch.nn as nn, torch.nn.functional as F
v = torch.tensor([1., 2.])
v3 = torch.tensor([1., 2., 3.])
c = torch.tensor([0.25, 0.75])
m = torch.tensor([[2., 1.], [1., 3.]])
t3, t4, t5 = torch.ones(2, 2, 2), torch.ones(2, 2, 2, 2), torch.ones(2, 2, 2, 2, 2)
b, mb = torch.tensor([True, False]), torch.tensor([[True, False], [False, True]])
i, j = torch.tensor([0, 1]), torch.tensor([[0, 1], [1, 0]])
z, w1 = torch.tensor([1j, 2.]), torch.tensor([0.5])
d = torch.tensor([1., 2.], dtype=torch.float64, requires_grad=True)
p = torch.tensor([1., 2.], requires_grad=True)
xs = (p * p).sum()
lin = nn.Linear(2, 2)
opt = torch.optim.SGD([p], lr=0.1)
"""


def right_calls() -> list[str]:
    """The calls of calls.txt, all of which succeed."""
    lines = (Path(__file__).parent / "calls.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def wrong_calls(right: str) -> Iterator[str]:
    """Calls that differ from a right one in one argument, in their number, or by a keyword."""
    call = ast.parse(right, mode="eval").body
    assert isinstance(call, ast.Call)
    function = ast.unparse(call.func)
    args = [ast.unparse(arg) for arg in call.args]
    named = [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in call.keywords]

    def written(args: list[str], named: list[str]) -> str:
        return f"{function}({', '.join(args + named)})"

    for n in range(len(args)):
        for value in WRONG:
            yield written([*args[:n], value, *args[n + 1 :]], named)
    for n, keyword in enumerate(call.keywords):
        for value in WRONG[:3]:
            yield written(args, [*named[:n], f"{keyword.arg}={value}", *named[n + 1 :]])
    if args:
        yield written(args[:-1], named)
        yield written([], named)
    yield written([*args, "v"], named)
    yield written([*args, *["'a'"] * 9], named)
    yield written(args, [*named, "foo=1"])


def some_wrong_calls(right: str) -> list[str]:
    """All of them in an order that is always the same and mixes their kinds."""
    calls = list(dict.fromkeys(wrong_calls(right)))
    random.Random(right).shuffle(calls)
    return calls
