"""Marks in the tree of a program: at each store into an attribute or a member, and where something is appended.

They evaluate nothing that the program does not evaluate itself: `x.grad += d` becomes `keep(x, 7).grad += gain(d, 7)`
and then `stored(7)`, where `keep` and `gain` give back what they are given.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

KEEP, KEY, GAIN, STORED, NAMED, FRESH = "*keep *key *gain *stored *called *fresh".split()
"""Names of what is called, among the built-in ones; no program can write them."""


@dataclass(frozen=True, slots=True)
class Site:
    """A statement that stores. `attribute`: its name, None for a member; `owner`: what it is a member of, as text;
    `adds`: it adds to what is there; `loops`: the variables of the loops around it, the innermost first."""

    attribute: str | None
    adds: bool
    appends: bool
    line: int
    owner: str
    text: str
    loops: tuple[str, ...]


def mark(tree: ast.Module) -> list[Site]:
    """Put the marks into a program; the sites by their numbers."""
    marks = _Marks()
    marks.visit(tree)
    return marks.sites


class _Marks(ast.NodeTransformer):
    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.loops: list[tuple[str, ...]] = []

    def visit_For(self, node: ast.For) -> ast.For:
        self._loop(node, [node.target])
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        assigned = [target for part in node.body if isinstance(part, ast.Assign) for target in part.targets]
        self._loop(node, assigned)
        return node

    def _loop(self, node: ast.AST, targets: list[ast.expr]) -> None:
        self.loops.append(tuple(name.id for target in targets for name in _plain(target)))
        self.generic_visit(node)
        self.loops.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        around, self.loops = self.loops, []
        self.generic_visit(node)
        self.loops = around
        return node

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        self.generic_visit(node)
        after = [made for target in node.targets for made in self._target(target, node.value)]
        names = [name.id for target in node.targets for name in _plain(target)]
        if names and isinstance(node.value, ast.Constant) and type(node.value.value) is float:
            node.value = _at(node.value, _call(FRESH, node.value))  # or equal numbers were one object
        several = ast.Constant(len(names) > 1)
        return [node, *after, *[_at(node, ast.Expr(_call(NAMED, ast.Constant(n), _load(n), several))) for n in names]]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *(self._target(node.target, node.value) if node.value is not None else [])]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        if not isinstance(node.target, ast.Attribute | ast.Subscript):
            return [node]
        adds = isinstance(node.op, ast.Add)
        number, after = self._store(node.target, adds)
        if adds:
            node.value = _at(node.value, _call(GAIN, node.value, ast.Constant(number)))
        return [node, after]

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        self.generic_visit(node)
        match node.value:
            case ast.Call(ast.Attribute(owner, "append") as function, [_], []):
                number = self._site(None, False, True, node)
                function.value = _at(owner, _call(KEEP, owner, ast.Constant(number)))
                return [node, _at(node, ast.Expr(_call(STORED, ast.Constant(number))))]
        return [node]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("setattr"), [owner, ast.Constant(str() as name), value], []):
                own = f"{ast.unparse(owner)}.{name}"
                adds = any(isinstance(part, ast.expr) and ast.unparse(part) == own for part in ast.walk(value))
                self.sites.append(Site(name, adds, False, node.lineno, ast.unparse(owner), own, ()))
                number = ast.Constant(len(self.sites) - 1)
                node.args[0] = _at(owner, _call(KEEP, owner, number))
                both = ast.Tuple([node, _at(node, _call(STORED, number))], ast.Load())
                return ast.copy_location(ast.Subscript(_at(node, both), _at(node, ast.Constant(0)), ast.Load()), node)
        return node

    def _target(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        match target:
            case ast.Attribute() | ast.Subscript():
                own = ast.unparse(target)
                adds = any(
                    isinstance(part, ast.expr)
                    and (ast.unparse(part) == own or isinstance(target, ast.Subscript) and _gets(part, target))
                    for part in ast.walk(value)
                )
                return [self._store(target, adds)[1]]
            case ast.Tuple(parts) | ast.List(parts):
                return [made for part in parts for made in self._target(part, value)]
        return []

    def _store(self, target: ast.Attribute | ast.Subscript, adds: bool) -> tuple[int, ast.stmt]:
        attribute = target.attr if isinstance(target, ast.Attribute) else None
        number = self._site(attribute, adds, False, target, ast.unparse(target.value))
        target.value = _at(target.value, _call(KEEP, target.value, ast.Constant(number)))
        if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice | ast.Tuple):
            target.slice = _at(target.slice, _call(KEY, target.slice, ast.Constant(number)))
        return number, _at(target, ast.Expr(_call(STORED, ast.Constant(number))))

    def _site(self, attribute: str | None, adds: bool, appends: bool, place: Any, owner: str = "") -> int:
        loops = tuple(name for names in reversed(self.loops) for name in names)
        self.sites.append(Site(attribute, adds, appends, place.lineno, owner, ast.unparse(place), loops))
        return len(self.sites) - 1


def _plain(target: ast.expr) -> list[ast.Name]:
    match target:
        case ast.Name():
            return [target]
        case ast.Tuple(parts) | ast.List(parts):
            return [name for part in parts for name in _plain(part)]
    return []


def _gets(part: ast.expr, target: ast.Subscript) -> bool:
    """Whether a part of a value is what was there: `owner.get(key, …)`."""
    match part:
        case ast.Call(ast.Attribute(of, "get" | "pop"), [key, *_]):
            return (ast.unparse(of), ast.unparse(key)) == (ast.unparse(target.value), ast.unparse(target.slice))
    return False


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_load(name), list(arguments), [])


def _at(place: ast.AST, made: Any) -> Any:
    """Give what was made the place of something the program has."""
    ast.copy_location(made, place)
    return ast.fix_missing_locations(made)
