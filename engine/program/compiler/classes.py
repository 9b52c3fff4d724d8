"""The `class` statement."""

from __future__ import annotations

import ast
from typing import Any

from engine.core.state import state
from engine.program.calls import call
from engine.program.classes import make_class
from engine.program.compiler.core import Compiler, Statement, statement
from engine.program.compiler.functions import _doc, _locals_prefix
from engine.program.compiler.names import spread, store_name
from engine.program.compiler.scope import ANNOTATIONS, Scope
from engine.program.values import UNSET, CallFrame, Opaque


@statement(ast.ClassDef)
def class_(c: Compiler, node: ast.ClassDef, scope: Scope) -> Statement:
    position = c.position(node)
    special = any(keyword.arg == "metaclass" or keyword.arg is None for keyword in node.keywords)
    marked = [_ABC] if special and _check_metaclass(c, node) else []
    decorators = [(c.expression(decorator, scope), c.position(decorator)) for decorator in node.decorator_list]
    bases = spread(c, node.bases, scope)
    keywords = [
        (keyword.arg, c.expression(keyword.value, scope))
        for keyword in node.keywords
        if keyword.arg not in (None, "metaclass")
    ]
    prefix = scope.qualname if scope.kind == "class" else _locals_prefix(scope)
    qualname = f"{prefix}.{node.name}" if prefix and node.name not in scope.globals else node.name
    cell = Scope("cell", scope.inner, node.name, qualname, class_name=node.name)
    cell.slot("__class__")
    inside = Scope("class", cell, node.name, qualname)
    c.declare(inside, node.body)
    if any(isinstance(part, ast.AnnAssign) for part in node.body):
        inside.slot(ANNOTATIONS)
    body = c.block(node.body, inside)
    doc = _doc(node.body)
    size, names = inside.count - 1, list(inside.slots.items())
    in_class, put = scope.kind == "class", store_name(c, node.name, scope)

    def run(f: CallFrame) -> None:
        wrappers = [(decorate(f), at) for decorate, at in decorators]
        parents = [*bases(f), *marked]
        options = {name: value(f) for name, value in keywords if name is not None}
        holder = [f[0] if in_class else f, UNSET]
        frame = [holder, *[UNSET] * size]
        body(frame)
        members: dict[str, Any] = {name: frame[index] for name, index in names if frame[index] is not UNSET}
        if doc is not None:
            members.setdefault("__doc__", doc)
        state.position = position
        made: Any = make_class(node.name, qualname, parents, members, options)
        holder[1] = made
        for wrapper, at in reversed(wrappers):
            state.position = at
            try:
                made = call(wrapper, (made,), None)
            except BaseException:
                state.position = at
                raise
        put(f, made)

    return run


_ABC = Opaque("abc.ABCMeta")


def _check_metaclass(c: Compiler, node: ast.ClassDef) -> bool:
    """Whether the metaclass is ABCMeta; there is none else but `type`."""
    found = False
    for keyword in node.keywords:
        if keyword.arg is None:
            c.refuse(node, "class keywords with ** are not run here: write them out")
        name = keyword.value.attr if isinstance(keyword.value, ast.Attribute) else getattr(keyword.value, "id", "")
        if keyword.arg == "metaclass" and name not in ("ABCMeta", "type"):
            c.refuse(node, "metaclasses are not run here: use a base class or a class decorator")
        found |= keyword.arg == "metaclass" and name == "ABCMeta"
    return found
