"""Random programs of views, in-place writes and ops, for comparing the engine with torch on what they print.

`source(seed)` is the program: every statement may fail, and says how; at the end everything a user could observe is
printed: values, versions, graphs, gradients.
"""

from __future__ import annotations

import contextlib
import io
import math
import random
from typing import Any

UNARY = "sin cos exp tanh sigmoid relu abs neg sqrt log1p square floor sign".split()
REDUCTIONS = (
    "sum() mean() sum(0) max() sum(-1,keepdim=True) prod() cumsum(0) logsumexp(0) softmax(0) norm() std() "
    "amax(0)"
).split()
PARTS = (
    "[0] [-1] [:1] [None] [...,0] .t() .view(-1) .reshape(-1) .unsqueeze(0) .squeeze() .flatten() .clone() .detach() "
    ".T .contiguous() [:,0] [[0]] .expand(2,*{a}.shape)"
).split()
WRITES = (
    "mul_(2) add_(1) sub_({b}) mul_({b}) exp_() zero_() tanh_() relu_() fill_(2.) div_(3) add_({b},alpha=2) sigmoid_() "
    "copy_({b}) neg_() clamp_(max=1)"
).split()
SHAPES: tuple[tuple[int, ...], ...] = ((3,), (2, 3), (1, 3), (), (2, 1), (2, 3))

PREAMBLE = """import torch
"""
ATTEMPT = """try:
    {statement}
except Exception as error:
    print(type(error).__name__, error)
"""
REPORT = """
def graph(node, depth=6):
    if node is None:
        return 'None'
    if depth == 0:
        return '...'
    edges = ','.join(graph(n, depth - 1) + (f':{{i}}' if i else '') for n, i in node.next_functions)
    return node.name().split('::')[-1] + f'({{edges}})'
def describe(v):
    try:
        return graph(v.grad_fn)
    except Exception as error:
        return f'{{type(error).__name__}} {{error}}'
def numbers(v):
    return [round(x, 5) + 0.0 for x in v.detach().reshape(-1).tolist()]
for name, v in [{all}]:
    print(name, tuple(v.shape), v.requires_grad, v._version, v.is_contiguous(), describe(v), numbers(v))
for name, v in [{last}]:
    try:
        if v.requires_grad:
            v.sum().backward(retain_graph=True)
    except Exception as error:
        print(name, type(error).__name__, error)
for name, v in [{all}]:
    if v.is_leaf or v.retains_grad:
        print(name, None if v.grad is None else numbers(v.grad))
"""


def source(seed: int) -> str:
    """The program of a seed."""
    pick = random.Random(seed)
    names: list[str] = []
    statements: list[str] = []
    for _ in range(pick.randint(1, 3)):
        shape = pick.choice(SHAPES)
        values = [round(pick.uniform(0.2, 2), 1) for _ in range(math.prod(shape))]
        names.append(f"v{len(names) + 1}")
        wanted = pick.random() < 0.8
        statements.append(
            f"{names[-1]} = torch.tensor({values}, dtype=torch.float64).reshape({list(shape)}).requires_grad_({wanted})"
        )
    leaves = len(names)
    for _ in range(pick.randint(4, 14)):
        text, makes = statement(pick, names)
        if makes:
            names.append(f"v{len(names) + 1}")
            text = f"{names[-1]} = {text}"
        statements.append(ATTEMPT.format(statement=text))
    unset = "".join(f"{name} = torch.ones(2, dtype=torch.float64)\n" for name in names[leaves:])
    pairs = [f"('{name}', {name})" for name in names]
    report = REPORT.format(all=", ".join(pairs), last=", ".join(pairs[::-1][:4]))
    return PREAMBLE + unset + "\n".join(statements) + report


def statement(pick: random.Random, names: list[str]) -> tuple[str, bool]:
    """One statement on known names, and whether it makes a new tensor."""
    a, b = pick.choice(names), pick.choice(names)
    kind = pick.random()
    if kind < 0.22:
        return f"{a}.{pick.choice(UNARY)}()", True
    if kind < 0.42:
        return f"{a} {pick.choice('+-*/')} {b}", True
    if kind < 0.5:
        return f"{a} {pick.choice(['+', '-', '*', '/', '**'])} {pick.choice([2, 3, 0.5, 1])}", True
    if kind < 0.53:
        return f"{pick.choice([2, 1, 0.5])} {pick.choice('+-*/')} {a}", True
    if kind < 0.6:
        return f"{a}.{pick.choice(REDUCTIONS)}", True
    if kind < 0.72:
        return a + pick.choice(PARTS).format(a=a), True
    if kind < 0.86:
        return f"{a}.{pick.choice(WRITES).format(b=b)}", False
    if kind < 0.9:
        return f"{a}[{pick.choice(['0', '-1', ':1', '...'])}] = {pick.choice([b, '1.5', f'{b}.sum()'])}", False
    if kind < 0.93:
        return f"torch.{pick.choice(['cat', 'stack'])}([{a}, {b}])", True
    if kind < 0.95:
        return f"torch.where({a} > 0.5, {a}, {b})", True
    if kind < 0.97:
        return f"{a}.{pick.choice(['retain_grad()', 'register_hook(lambda g: g * 2)'])}", False
    return f"{a} @ {b}", True


def printed(program: str, torch: Any) -> str:
    """What a program prints when `import torch` gives `torch`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program.removeprefix(PREAMBLE), {"torch": torch, "__name__": "program"})
    return out.getvalue()
