"""Where names live. A frame is a list: slot 0 is the enclosing frame, the others are variables.

The module's frame is one list known to all closures. A class body has a frame of its own that its functions do not
see; between them lies a small frame that holds the class itself, for `super()`.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["module", "function", "class", "cell", "comprehension"]


@dataclass(slots=True, eq=False)
class Scope:
    """The names of one frame. `name` and `qualname` are those of the function or class."""

    kind: Kind
    parent: Scope | None
    name: str
    qualname: str
    slots: dict[str, int] = field(default_factory=dict)
    count: int = 1
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    loops: int = 0
    class_name: str | None = None

    def slot(self, name: str) -> int:
        """The slot of a name, made if need be."""
        index = self.slots.get(name)
        if index is None:
            index = self.slots[name] = self.count
            self.count += 1
        return index

    def hidden(self) -> int:
        """A slot that no name refers to."""
        self.count += 1
        return self.count - 1

    @property
    def inner(self) -> Scope:
        """The scope that functions defined here look names up in."""
        if self.kind == "class":
            assert self.parent is not None
            return self.parent
        return self

    @property
    def function(self) -> Scope | None:
        """The function this code belongs to, or None at module and class level."""
        scope: Scope | None = self
        while scope is not None and scope.kind == "comprehension":
            scope = scope.parent
        return scope if scope is not None and scope.kind == "function" else None


ANNOTATIONS = "__annotations__"


def mangle(name: str, scope: Scope) -> str:
    """`self.__x` inside a class is `_Class__x`."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    within: Scope | None = scope
    while within is not None:
        if within.class_name is not None:
            stripped = within.class_name.lstrip("_")
            return f"_{stripped}{name}" if stripped else name
        within = within.parent
    return name


def bound_names(body: Iterable[ast.stmt], walrus: bool, star: Callable[[str], list[str]]) -> Iterator[str]:
    """The names that statements bind, in order, not looking into nested functions and classes.

    `walrus`: also look for `:=` in expressions. `star(module)`: the names `from module import *` binds.
    """
    for node in body:
        yield from _bound(node, walrus, star)


def _targets(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Tuple | ast.List):
        for element in node.elts:
            yield from _targets(element)
    elif isinstance(node, ast.Starred):
        yield from _targets(node.value)


def _patterns(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
            yield part.name
        elif isinstance(part, ast.MatchMapping) and part.rest:
            yield part.rest


def walrus_names(node: ast.AST) -> Iterator[str]:
    """Names bound by `:=` in an expression, also from inside comprehensions."""
    if isinstance(node, ast.Lambda):
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                yield from walrus_names(default)
        return
    if isinstance(node, ast.NamedExpr):
        yield from _targets(node.target)
    for child in ast.iter_child_nodes(node):
        yield from walrus_names(child)


def _evaluated_here(node: ast.FunctionDef | ast.ClassDef) -> Iterator[ast.expr]:
    """The expressions of a definition that run where it stands."""
    yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from (keyword.value for keyword in node.keywords)
        return
    arguments = node.args
    yield from arguments.defaults
    yield from (default for default in arguments.kw_defaults if default is not None)
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    yield from (a.annotation for a in every if a is not None and a.annotation is not None)
    if node.returns is not None:
        yield node.returns


def _bound(node: ast.stmt, walrus: bool, star: Callable[[str], list[str]]) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            yield node.name
            if walrus:
                for part in _evaluated_here(node):
                    yield from walrus_names(part)
            return
        case ast.Assign():
            for target in node.targets:
                yield from _targets(target)
        case ast.AugAssign() | ast.AnnAssign():
            yield from _targets(node.target)
        case ast.Import():
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
        case ast.ImportFrom():
            for alias in node.names:
                if alias.name == "*":
                    yield from star(node.module or "")
                else:
                    yield alias.asname or alias.name
        case ast.Delete():
            for target in node.targets:
                yield from _targets(target)
        case ast.For():
            yield from _targets(node.target)
            yield from bound_names(node.body, walrus, star)
            yield from bound_names(node.orelse, walrus, star)
        case ast.If() | ast.While():
            yield from bound_names(node.body, walrus, star)
            yield from bound_names(node.orelse, walrus, star)
        case ast.With():
            for item in node.items:
                if item.optional_vars is not None:
                    yield from _targets(item.optional_vars)
            yield from bound_names(node.body, walrus, star)
        case ast.Try() | ast.TryStar():
            yield from bound_names(node.body, walrus, star)
            for handler in node.handlers:
                if handler.name:
                    yield handler.name
                yield from bound_names(handler.body, walrus, star)
            yield from bound_names(node.orelse, walrus, star)
            yield from bound_names(node.finalbody, walrus, star)
        case ast.Match():
            for case in node.cases:
                yield from _patterns(case.pattern)
                yield from bound_names(case.body, walrus, star)
        case _:
            pass
    if walrus:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.withitem | ast.match_case):
                yield from walrus_names(child)


def declared(
    body: Iterable[ast.stmt], kind: type[ast.Global] | type[ast.Nonlocal]
) -> Iterator[ast.Global | ast.Nonlocal]:
    """The `global` or `nonlocal` statements of a body, not looking into nested functions and classes."""
    for node in body:
        if isinstance(node, kind):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody"):
                yield from declared(getattr(node, name, ()) if not isinstance(node, ast.Expr) else (), kind)
            for handler in getattr(node, "handlers", ()):
                yield from declared(handler.body, kind)
            for case in getattr(node, "cases", ()):
                yield from declared(case.body, kind)


def late(body: Iterable[ast.stmt]) -> tuple[ast.Global | ast.Nonlocal, str] | None:
    """The first declaration of a name that its scope has met before, and what CPython says of it."""
    used: set[str] = set()
    annotated: set[str] = set()
    assigned: set[str] = set()
    todo: list[ast.AST] = [*body]
    todo.reverse()
    while todo:
        node = todo.pop()
        children: Iterable[ast.AST | None] = ()
        match node:
            case ast.Global() | ast.Nonlocal():
                word = "global" if isinstance(node, ast.Global) else "nonlocal"
                for name in node.names:
                    if name in used:
                        return node, f"name '{name}' is used prior to {word} declaration"
                    if name in annotated:
                        return node, f"annotated name '{name}' can't be {word}"
                    if name in assigned:
                        return node, f"name '{name}' is assigned to before {word} declaration"
            case ast.Name():
                (used if isinstance(node.ctx, ast.Load) else assigned).add(node.id)
            case ast.FunctionDef() | ast.Lambda():
                children = [*node.args.defaults, *node.args.kw_defaults]
                if isinstance(node, ast.FunctionDef):
                    assigned.add(node.name)
                    children += node.decorator_list
            case ast.ClassDef():
                assigned.add(node.name)
                children = [*node.decorator_list, *node.bases, *[keyword.value for keyword in node.keywords]]
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                children = [node.generators[0].iter]
            case _:
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.simple:
                    annotated.add(node.target.id)
                elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
                    assigned.add(node.name)
                elif isinstance(node, ast.MatchMapping) and node.rest:
                    assigned.add(node.rest)
                children = ast.iter_child_nodes(node)
        todo.extend([child for child in children if child is not None][::-1])
    return None


def future_imports(tree: ast.Module) -> set[ast.stmt]:
    """The `from __future__` at the beginning of a module, where CPython takes them."""
    found: set[ast.stmt] = set()
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            found.add(node)
        elif i or not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            break
    return found


_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def statements(tree: ast.Module) -> list[ast.stmt]:
    """All statements of a program, outer ones before those in their bodies."""
    found: list[ast.stmt] = []
    todo: deque[ast.AST] = deque((tree,))
    while todo:
        node = todo.popleft()
        if isinstance(node, ast.stmt):
            found.append(node)
        for body in _BODIES:
            todo.extend(getattr(node, body, ()))
    return found


_IMPORT_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def caught_imports(program: Iterable[ast.stmt]) -> set[ast.stmt]:
    """The import statements whose errors the program catches: `try: import x` with `except ImportError`."""
    caught: set[ast.stmt] = set()
    for node in program:
        if isinstance(node, ast.Try | ast.TryStar):
            types = [handler.type for handler in node.handlers]
            guarded = any(t is None or _names_import_error(t) for t in types)
        elif isinstance(node, ast.With):
            guarded = any(_names_import_error(item.context_expr) for item in node.items)
        else:
            continue
        if guarded:
            inside = (found for statement in node.body for found in ast.walk(statement))
            caught |= {found for found in inside if isinstance(found, ast.Import | ast.ImportFrom)}
    return caught


def _names_import_error(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id in _IMPORT_ERRORS for part in ast.walk(node))
