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
from engine.program.metaclasses import chosen, is_meta
from engine.program.values import TYPE, UNSET, CallFrame, Opaque


@statement(ast.ClassDef)
def class_(c: Compiler, node: ast.ClassDef, scope: Scope) -> Statement:
    position = c.position(node)
    if any(keyword.arg is None for keyword in node.keywords):
        c.refuse(node, "class keywords with ** are not run here: write them out")
    decorators = [(c.expression(decorator, scope), c.position(decorator)) for decorator in node.decorator_list]
    bases = spread(c, node.bases, scope)
    keywords = [
        (keyword.arg, c.expression(keyword.value, scope))
        for keyword in node.keywords
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
        parents = bases(f)
        options = {name: value(f) for name, value in keywords if name is not None}
        holder = [f[0] if in_class else f, UNSET]
        frame = [holder, *[UNSET] * size]
        body(frame)
        members: dict[str, Any] = {name: frame[index] for name, index in names if frame[index] is not UNSET}
        if doc is not None:
            members.setdefault("__doc__", doc)
        state.position = position
        meta = options.pop("metaclass", None)
        made: Any = _made(meta, node.name, qualname, parents, members, options)
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


_MARKED = Opaque("abc.ABCMeta as a metaclass")


def _made(
    meta: Any, name: str, qualname: str, parents: list[Any], members: dict[str, Any], options: dict[str, Any]
) -> Any:
    """The class; what its metaclass makes, where it has one."""
    if type(meta) is Opaque and meta.name == "abc.ABCMeta":
        parents, meta = [*parents, _MARKED], None
    if meta is None or meta is TYPE or is_meta(meta):
        meta = chosen(meta, parents)
        if meta is None:
            return make_class(name, qualname, parents, members, options)
    elif isinstance(meta, type) and issubclass(meta, type):
        raise TypeError(f"a class of the metaclass '{meta.__name__}' cannot be made here")
    members = {"__module__": "__main__", "__qualname__": qualname, **members}
    return call(meta, (name, tuple(parents), members), options)
