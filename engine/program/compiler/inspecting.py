"""What a program only looks at: attributes of tensors and nodes that it prints, asserts or follows through the graph.

`x.grad` in a computation is no inspection, and neither is what the engine's own code reads.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from engine.core.node import Node
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.program.compiler.core import Compiler, Expression
from engine.program.compiler.scope import Scope
from engine.program.errors import Position
from engine.program.instrument import OF_TENSORS
from engine.program.values import CallFrame

MOST = 100
"""Reads that are recorded of one place in the program."""


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
