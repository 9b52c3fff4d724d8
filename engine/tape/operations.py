"""Which of PyTorch's operations gives a value from others: found by the numbers, and by what the program calls it where
several do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from engine import torch
from engine.core.state import state
from engine.nn import functional


@dataclass(frozen=True, slots=True)
class Operation:
    """One way to make a value. `places`: which operand each argument is; `call`: the same with tensors."""

    name: str
    places: tuple[int, ...]
    call: Callable[..., Any]


_ONE: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "neg": (np.negative, lambda x: -x),
    "relu": (lambda x: np.maximum(x, 0), torch.relu),
    "tanh": (np.tanh, torch.tanh),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), torch.sigmoid),
    "exp": (np.exp, torch.exp),
    "log": (np.log, torch.log),
    "sin": (np.sin, torch.sin),
    "cos": (np.cos, torch.cos),
    "tan": (np.tan, torch.tan),
    "sqrt": (np.sqrt, torch.sqrt),
    "square": (np.square, torch.square),
    "reciprocal": (np.reciprocal, torch.reciprocal),
    "abs": (np.abs, torch.abs),
    "sinh": (np.sinh, torch.sinh),
    "cosh": (np.cosh, torch.cosh),
    "softplus": (lambda x: np.log1p(np.exp(x)), functional.softplus),
    "log1p": (np.log1p, torch.log1p),
    "expm1": (np.expm1, torch.expm1),
    "log2": (np.log2, torch.log2),
    "log10": (np.log10, torch.log10),
    "sum": (np.sum, torch.sum),
    "mean": (np.mean, torch.mean),
    "t": (np.transpose, lambda x: x.t()),
    "clone": (lambda x: x, torch.clone),
}
_TWO: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "add": (np.add, lambda x, y: x + y),
    "mul": (np.multiply, lambda x, y: x * y),
    "sub": (np.subtract, lambda x, y: x - y),
    "div": (np.true_divide, lambda x, y: x / y),
    "pow": (np.float_power, lambda x, y: x**y),
    "matmul": (np.matmul, lambda x, y: x @ y),
    "maximum": (np.maximum, torch.maximum),
    "minimum": (np.minimum, torch.minimum),
}
_CALLED = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow", "^": "pow", "@": "matmul", "truediv": "div",
    "plus": "add", "minus": "sub", "times": "mul", "multiply": "mul", "product": "mul", "divide": "div", "power": "pow",
    "dot": "matmul", "mm": "matmul", "negative": "neg", "negate": "neg", "max": "maximum", "min": "minimum",
    "logistic": "sigmoid", "subtract": "sub", "inv": "reciprocal", "identity": "clone", "ln": "log", "σ": "sigmoid",
    "transpose": "t",
}  # fmt: skip


def derivatives(made: Operation, operands: Sequence[Any]) -> Callable[[Any], list[Any]] | None:
    """What PyTorch sends to each operand, by the gradient that arrives; None for those that get none."""
    before, state.grad = state.grad, True
    try:
        tensors = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in map(_plain, operands)]
        out = made.call(*tensors)

        def sent(gradient: Any) -> list[Any]:
            given = torch.tensor(_plain(gradient), dtype=torch.float64)
            if given.shape != out.shape:
                return [None] * len(tensors)
            found = torch.autograd.grad(out, tensors, given, retain_graph=True, allow_unused=True)
            return [None if g is None else g._array for g in found]

        return sent
    except (RuntimeError, TypeError, ValueError):
        return None
    finally:
        state.grad = before


def _plain(value: Any) -> Any:
    return value.astype(np.float64) if isinstance(value, np.ndarray) else float(value)


def _names(words: Sequence[str]) -> Iterator[str]:
    """The operations that words name, the surest first."""
    known = _ONE.keys() | _TWO.keys()
    for word in words:
        whole = word.strip("_ ").lower()
        for part in (whole, *re.findall(r"[a-zσ]+|\*\*|[-+*/@^]", whole)):
            for name in (part, part.removeprefix("r"), part.removeprefix("i"), part.removesuffix("backward")):
                name = _CALLED.get(name, name)
                if name in known:
                    yield name


def operation(value: Any, operands: Sequence[Any], nodes: Sequence[bool], words: Sequence[str]) -> Operation | None:
    """What makes `value` of `operands`, of which all that are `nodes` take part; None if it is not one operation."""
    found = list(_all(value, operands, nodes))
    if not found:
        return None
    for name in _names(words):
        for each in found:
            if each.name == name:
                return each
    return found[0]


def _all(value: Any, operands: Sequence[Any], nodes: Sequence[bool]) -> Iterator[Operation]:
    needed = [i for i, node in enumerate(nodes) if node]
    plain = [i for i, node in enumerate(nodes) if not node]
    with np.errstate(all="ignore"):
        ways: list[tuple[int, int]] = []
        if len(needed) == 2:
            ways = [(needed[0], needed[1]), (needed[1], needed[0])]
        elif len(needed) == 1:
            own = needed[0]
            ways = [(own, other) for other in plain] + [(other, own) for other in plain]
            for name, (kernel, call) in _ONE.items():
                if _gives(value, kernel, operands[own]):
                    yield Operation(name, (own,), call)
        for name, (kernel, call) in _TWO.items():
            for one, other in ways:
                if _gives(value, kernel, operands[one], operands[other]):
                    yield Operation(name, (one, other), call)
        if len(needed) == 1:
            own = needed[0]
            for name in ("mul", "add"):
                kernel, call = _TWO[name]
                if _gives(value, kernel, operands[own], operands[own]):
                    yield Operation(name, (own, own), call)
        if len(needed) > 2:
            if _same(value, _sum(*[operands[i] for i in needed])):
                yield Operation("sum", tuple(needed), _sum)


def _sum(*terms: Any) -> Any:
    return reduce(add, terms)


def _gives(value: Any, kernel: Callable[..., Any], *operands: Any) -> bool:
    try:
        return _same(value, kernel(*[np.asarray(x, dtype=np.float64) for x in operands]))
    except (ValueError, TypeError, OverflowError, FloatingPointError, np.exceptions.AxisError):
        return False


def _same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    return one.shape == other.shape and close(one, other, 1e-9)


def close(one: Any, other: Any, share: float = 1e-6) -> bool:
    """Whether two numbers, or all in two arrays, are the same but for rounding."""
    one, other = np.asarray(one, np.float64), np.asarray(other, np.float64)
    if one.shape != other.shape and one.size != other.size:
        return False
    return bool(np.allclose(one.reshape(-1), other.reshape(-1), rtol=share, atol=1e-12, equal_nan=True))
