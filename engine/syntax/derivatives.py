"""What PyTorch itself computes for a gradient: the formulas of its derivatives.yaml, by the name of a node."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def _read() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    node = ""
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith("  "):
            name, _, formula = line.strip().partition(": ")
            table.setdefault(node, {})[name] = formula
        elif not line.startswith("#"):
            node = line
    return table


TABLE = _read()
"""`{node: {input: formula}}`, in C++ as PyTorch has it. Read at once: a locked-down process opens no files later."""


def derivatives(nodes: Iterable[str]) -> dict[str, dict[str, str]]:
    """The rows of these nodes, each once; a node that PyTorch has no formula for has none."""
    return {node: TABLE[node] for node in dict.fromkeys(nodes) if node in TABLE}
