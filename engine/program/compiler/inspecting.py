"""What a program only looks at: attributes of tensors and nodes that it prints, asserts or follows through the graph.

`x.grad` in a computation is no inspection, and neither is what the engine's own code reads.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from engine.core.node import Node
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.program.compiler.core import Compiler, Expression
from engine.program.compiler.scope import Scope
from engine.program.errors import Position
from engine.program.values import CallFrame

OF_TENSORS = frozenset({"is_leaf", "requires_grad", "retains_grad", "grad", "grad_fn"})
OF_NODES = frozenset({"next_functions", "name", "metadata", "variable", "saved_tensors"})
_SAVED = ("_saved_", "_raw_saved_")

MOST = 100
"""Reads that are recorded of one place in the program."""

Inspected = dict[ast.Attribute, tuple[int, ...]]
"""Attributes that are inspected, with the constant subscripts after each: `[0][1]` of `next_functions[0][1]`."""


def inspected(program: Iterable[ast.stmt]) -> Inspected:
    """The attributes that a program inspects."""
    found: Inspected = {}
    for statement in program:
        for root in _looked_at(statement):
            indices: dict[ast.expr, tuple[int, ...]] = {}
            for node in ast.walk(root):  # outer expressions before inner ones
                if isinstance(node, ast.Subscript):
                    index = _constant(node.slice)
                    indices[node.value] = () if index is None else (index, *indices.get(node, ()))
                elif isinstance(node, ast.Attribute) and _tells(node.attr):
                    found[node] = indices.get(node, ())
    return found


def _looked_at(statement: ast.stmt) -> Iterator[ast.expr]:
    match statement:
        case ast.Expr(ast.Call(ast.Name("print"), args, keywords)):
            yield from args
            yield from [keyword.value for keyword in keywords]
        case ast.Assert():
            yield statement.test
        case ast.Expr(value) | ast.Assign(value=value) | ast.For(iter=value):
            if _follows(value):
                yield value


def _follows(value: ast.expr) -> bool:
    """Whether an expression does nothing but walk through the graph: `e.grad_fn.next_functions[0][0]`."""
    through = False
    while isinstance(value, ast.Attribute | ast.Subscript):
        through = through or isinstance(value, ast.Attribute) and value.attr in ("grad_fn", "next_functions")
        value = value.value
    return through and isinstance(value, ast.Name)


def _tells(name: str) -> bool:
    return name in OF_TENSORS or name in OF_NODES or name.startswith(_SAVED)


def _constant(index: ast.expr) -> int | None:
    return index.value if isinstance(index, ast.Constant) and type(index.value) is int else None


def owner_of(c: Compiler, node: ast.Attribute, position: Position, scope: Scope) -> Expression:
    """The function that gives what stands before the dot; where the attribute is inspected, it tells the recorder."""
    owner = c.expression(node.value, scope)
    index = c.inspected.get(node)
    if index is None or c.recorder is None:
        return owner
    return _watched(owner, c.recorder.read, node.attr, index, position)


def _watched(
    owner: Expression,
    read: Callable[[Tensor | Node, str, tuple[int, ...]], None],
    name: str,
    index: tuple[int, ...],
    position: Position,
) -> Expression:
    kind: type = Tensor if name in OF_TENSORS else Node
    left = MOST

    def run(f: CallFrame) -> object:
        nonlocal left
        value = owner(f)
        if left and issubclass(type(value), kind):
            left -= 1
            state.position = position
            read(value, name, index)
        return value

    return run
