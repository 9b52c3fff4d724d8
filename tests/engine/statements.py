"""Statements and PyTorch's answers to them: the tables in `data/statements`, written by `tests.record.statements`.

    >>> x.view(5)
    RuntimeError: shape '[5]' is invalid for input of size 12

A statement runs in a fresh scope (`scope`). Its answer is its last expression: a tensor as dtype, shape, strides,
values and graph; everything else as Python prints it; warnings come before, an exception in its place.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TABLES = Path(__file__).parent / "data" / "statements"
SHOWN = 12


def scope(torch: Any) -> dict[str, Any]:
    """What statements may use."""
    return {
        "torch": torch,
        "np": np,
        "x": torch.arange(12.0).reshape(3, 4),
        "y": torch.arange(60.0).reshape(3, 4, 5),
        "v": torch.arange(3.0),
        "z": torch.tensor(1.0),
        "e": torch.zeros(0),
        "i": torch.tensor([3, 1, 2, 1]),
        "b": torch.tensor([True, False, True]),
        "p": torch.ones(2, 3, requires_grad=True),
        "w": torch.ones(3, 4, requires_grad=True) * 1,
        **transforms(torch),
    }


def transforms(torch: Any) -> dict[str, Any]:
    """What statements about `torch.func`, `torch.autograd.functional` and `gradcheck` use besides."""
    double = {"dtype": torch.float64, "requires_grad": True}
    return {
        "S": torch.func,
        "A": torch.autograd.functional,
        "u": torch.tensor([1.0, 2.0, 3.0]),
        "one": torch.ones(3),
        "q": torch.ones(3, requires_grad=True),
        "M": torch.arange(6.0).reshape(2, 3) / 3,
        "s0": torch.tensor(2.0),
        "s": torch.tensor(1.5, **double),
        "X": torch.tensor([1.0, 2.0, 3.0], **double),
        "Z": torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True),
    }


def graph(node: Any, depth: int = 6) -> str:
    """`MulBackward0(AccumulateGrad,None)`; an output number other than 0 follows a colon."""
    if node is None:
        return "None"
    if not depth:
        return "…"
    name = type(node).__name__
    edges = [graph(to, depth - 1) + (f":{number}" if number else "") for to, number in node.next_functions]
    return f"{name}({','.join(edges)})" if edges else name


def describe(torch: Any, value: Any) -> str:
    """The answer that `value` is."""
    if isinstance(value, torch.Tensor):
        kept = value.detach()
        values = kept.tolist() if kept.numel() <= SHOWN else f"sum {kept.sum().item()}"
        parts = [str(value.dtype).removeprefix("torch."), str(tuple(value.shape)), str(value.stride()), str(values)]
        if value.grad_fn is not None:
            parts.append(graph(value.grad_fn))
        elif value.requires_grad:
            parts.append("leaf")
        return " ".join(parts)
    if isinstance(value, tuple | list) and any(isinstance(item, torch.Tensor) for item in value):
        return " | ".join(describe(torch, item) for item in value)
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def answer(torch: Any, statement: str) -> str:
    """What `statement` answers with this torch."""
    names = scope(torch)
    lines = statement.split("\n")
    before, _, last = lines[-1].rpartition(";")
    lines[-1] = before
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            exec("\n".join(lines).strip(), names)
            text = describe(torch, eval(last.strip(), names))
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
    shown = [f"{type(w.message).__name__}: {str(w.message).partition(' (Triggered')[0]}" for w in given]
    return "\n".join([*shown, text])


def statements(table: str) -> list[tuple[str, str]]:
    """The statements of a table with their recorded answers."""
    return list(_read(table))


def _read(table: str) -> Iterator[tuple[str, str]]:
    entry: list[str] = []
    expected: list[str] = []
    for line in (TABLES / f"{table}.txt").read_text().splitlines():
        if line.startswith(">>> "):
            if entry:
                yield "\n".join(entry), "\n".join(expected)
            entry, expected = [line[4:]], []
        elif line.startswith("... "):
            entry.append(line[4:])
        elif entry and not line.startswith("#"):
            expected.append(line)
    if entry:
        yield "\n".join(entry), "\n".join(expected)
