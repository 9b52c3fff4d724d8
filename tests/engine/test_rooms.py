"""`engine/ops` holds rows and rules: what is numpy in and numpy out stands in `engine/kernels`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import engine.ops

FILES = sorted(Path(engine.ops.__path__[0]).glob("[!_]*.py"))
ABOVE = ("engine.autograd", "engine.codegen", "engine.core", "engine.ops")
"""Rooms that know tensors or ops, which kernels may not import."""


def names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def numpy_only(tree: ast.Module) -> set[str]:
    """Functions that reach nothing of the rooms that kernels may not import. `@rule` and `op` come from there too."""
    known: set[str] = set()
    functions: dict[str, set[str]] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(ABOVE):
            known |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, ast.FunctionDef):
            functions[statement.name] = names(statement)
        elif isinstance(statement, ast.Assign) and "GRAPH" in set().union(*map(names, statement.targets)):
            known |= names(statement.value)  # a rule whose two forms are written by hand
    while found := {name for name, used in functions.items() if name not in known and used & known}:
        known |= found
    return set(functions) - known


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ops_are_rows_and_rules(file: Path) -> None:
    assert not numpy_only(ast.parse(file.read_text("utf-8")))


def test_a_kernel_among_rows_is_found() -> None:
    source = "from engine.core.tensor import Tensor\n\ndef f(x): return x + 1\n\ndef g(x): return h(x)\n\n"
    assert numpy_only(ast.parse(source + "def h(x): return isinstance(x, Tensor)")) == {"f"}
