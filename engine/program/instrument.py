"""The tree of a program with our calls in it (`engine.program.watch`): after bindings, around functions, at each turn
of a loop, at what is looked at. Nothing is put around operators and calls, which run at Python's own speed.

No call leaves a name of its own in the program: what a loop or a function has to remember lies in `watch`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any, TypeVar, get_args

TYPE, PLAIN, BIND, UNBIND, TURNS, WHILE, HOLDS, OVER, ENTER, LEAVE, INSIDE, CAUGHT, READ, CHARGE, NAMED = (
    "*type *plain *bind *unbind *turns *while *holds *over *enter *leave *inside *caught *read *charge *named".split()
)
"""Names of what is called and used, among the built-in ones; no program can write them."""

OF_TENSORS = frozenset({"is_leaf", "requires_grad", "retains_grad", "grad", "grad_fn"})
OF_NODES = frozenset({"next_functions", "name", "metadata", "variable", "saved_tensors"})
_SAVED = ("_saved_", "_raw_saved_")
_OF_FRAMES = frozenset({"super", "locals", "vars", "dir", "eval", "exec"})
"""Functions that look at the frame they are called in."""

_LETTING_GO = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
"""Methods of collections after which a member may be gone."""

_DONE_BY_CALLS = frozenset("backward step zero_grad train eval retain_grad zero_ detach_ requires_grad_ show".split())
"""What programs call for what it does: a statement that only names such a function has lost its parentheses."""

_WORDS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_ALONE = frozenset({ast.Name, ast.Constant, *(kind for words in _WORDS for kind in words.__subclasses__())})
"""Nodes that have nothing in them to look at, which are most of a tree."""

Made = TypeVar("Made", bound=ast.AST)
Defined = TypeVar("Defined", ast.FunctionDef, ast.AsyncFunctionDef)
Loop = TypeVar("Loop", ast.For, ast.While)
Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
Looked = dict[ast.Attribute, tuple[int, ...]]
"""Attributes that are looked at, with the constant subscripts after each: `[0][1]` of `next_functions[0][1]`."""


def instrument(tree: ast.Module) -> None:
    """Put the calls into a program. Raises SyntaxError where Python would crash over it."""
    nodes = list(ast.walk(tree))
    if sum([_blocks(node) for node in nodes if type(node) in _BLOCKS]) >= BLOCKS:
        _check_nesting(tree)
    _Instrument(looked_at(node for node in nodes if isinstance(node, ast.stmt))).visit(tree)


BLOCKS = 20
"""How many blocks Python lets lie in one another."""
_INLINED = ast.ListComp | ast.SetComp | ast.DictComp
_BLOCKS = frozenset(
    {ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, *get_args(_INLINED)}
)
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp | ast.ClassDef


def _blocks(node: ast.AST) -> int:
    """How many blocks a node opens at most."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return len(node.items)
    return 3 if isinstance(node, ast.Try | ast.TryStar) else 1


def _check_nesting(tree: ast.Module) -> None:
    """Python makes comprehensions blocks of the code around them; 3.12 and 3.13 crash where these are too many."""
    pending: list[tuple[ast.AST, int]] = [(tree, 0)]
    while pending:
        node, depth = pending.pop()
        if isinstance(node, _SCOPES):
            depth = 1  # ours
        elif type(node) in _BLOCKS:
            depth += _blocks(node)
            if depth > BLOCKS and isinstance(node, _INLINED):
                start, end = (node.lineno, node.col_offset + 1), (node.end_lineno, (node.end_col_offset or 0) + 1)
                raise SyntaxError("too many statically nested blocks", (None, *start, "", *end))
        pending += [(child, depth) for child in ast.iter_child_nodes(node)]


def called_as_written(code: CodeType, was: str = "", now: str = "") -> CodeType:
    """The code of a program in which functions have the names that they would have without our calls: what lies in the
    body of a lambda lies in another one."""
    name = now + code.co_qualname[len(was) :] if code.co_qualname.startswith(was) else code.co_qualname
    delegates = code.co_name == "<lambda>" and INSIDE in code.co_names
    inner: list[Any] = []
    for const in code.co_consts:
        if isinstance(const, CodeType):
            outer = (const.co_qualname, name) if delegates else (was, now)
            inner.append(called_as_written(const, *outer))
        else:
            inner.append(const)
    return code.replace(co_qualname=name, co_consts=tuple(inner))


class _Instrument(ast.NodeTransformer):
    """`within` says what the code around a node belongs to, the innermost last."""

    def __init__(self, looked: Looked) -> None:
        self.looked = looked
        self.within = ["module"]

    def visit(self, node: ast.AST) -> Any:
        return node if type(node) in _ALONE else super().visit(node)

    def binds(self, targets: Iterable[ast.expr]) -> list[ast.stmt]:
        """Calls that tell of the names among `targets`."""
        if self.within[-1] == "class":
            return []
        named = [name for target in targets for name in _names(target)]
        return [_at(name, ast.Expr(_bound(name.id))) for name in named]

    # What binds names

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        lets_go = isinstance(node.value, ast.Constant)
        self.generic_visit(node)
        if lets_go:
            return [node, *self.unbinds(node, [name.id for target in node.targets for name in _names(target)])]
        return [node, *self.binds(node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *self.binds([node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        self.generic_visit(node)
        return [node, *(self.binds([node.target]) if node.value else [])]

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        self.generic_visit(node)
        named = [name.id for target in node.targets for name in _names(target)]
        return [node, *self.unbinds(node, named)]

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        lets_go = isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", None) in _LETTING_GO
        names = isinstance(node.value, ast.Attribute) and node.value.attr in _DONE_BY_CALLS
        text = ast.unparse(node.value) if names else ""
        self.generic_visit(node)
        if names:
            node.value = _at(node, _call(NAMED, node.value, ast.Constant(text)))
        return [node, *(self.unbinds(node, []) if lets_go else [])]

    def unbinds(self, node: ast.stmt, names: list[str]) -> list[ast.stmt]:
        """A call that tells that a statement has let go of what these names were, and of others."""
        return [_at(node, ast.Expr(_call(UNBIND, *map(ast.Constant, names))))]

    def visit_With(self, node: ast.With) -> ast.With:
        self.generic_visit(node)
        node.body[:0] = self.binds([item.optional_vars for item in node.items if item.optional_vars is not None])
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.match_case:
        self.generic_visit(node)
        node.body[:0] = self.binds(_captures(node.pattern))
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        self.generic_visit(node)
        if self.within[-1] == "class":
            return node
        both = ast.Tuple([node, _at(node.target, _bound(node.target.id))], ast.Load())
        return _at(node, ast.Subscript(both, ast.Constant(0), ast.Load()))

    def visit_expression(self, node: Comprehension) -> Comprehension:
        self.within.append("expression")
        self.generic_visit(node)
        self.within.pop()
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_expression

    # Loops

    def visit_For(self, node: ast.For) -> ast.For:
        early, waits = any(isinstance(part, ast.Break | ast.Return) for part in ast.walk(node)), self.waits(node)
        self.generic_visit(node)
        node.body[:0] = self.binds([node.target])
        if waits:
            return self.charged(node)
        told = (ast.Constant(loop_label(node.target)), ast.Constant(node.lineno), ast.Constant(early))
        node.iter = _at(node.iter, _call(TURNS, node.iter, *told))
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        """`while test: body` as a loop over turns, which is told whether the test holds."""
        waits = self.waits(node)
        self.generic_visit(node)
        if waits:
            return self.charged(node)
        held, over = ast.Expr(_call(HOLDS)), ast.Expr(_call(OVER))
        body = [_at(node.test, ast.If(node.test, [held], [over, ast.Continue()])), *node.body]
        turns = _call(WHILE, ast.Constant(node.lineno))
        return _at(node, ast.For(ast.Tuple([], ast.Store()), turns, body, node.orelse))

    def waits(self, loop: ast.For | ast.While) -> bool:
        """Whether a turn may wait while what is around it goes on, as one of a generator does: it is no scope then."""
        return self.within[-1] == "generator" and _yields([loop])

    def charged(self, node: Loop) -> Loop:
        node.body.insert(0, _at(node, ast.Expr(_call(CHARGE))))
        return node

    # Functions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return self.function(node, "generator" if _yields(node.body) else "function")

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return self.function(node, "generator")

    def function(self, node: Defined, kind: str) -> Defined:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.visit(node.args)
        self.within.append(kind)
        body: list[ast.stmt] = [made for statement in node.body for made in _listed(self.visit(statement))]
        self.within.pop()
        if kind == "generator":
            node.body = body
            return node
        first: int = 0 if ast.get_docstring(node, clean=False) is None else 1
        while first < len(body) and isinstance(body[first], ast.Global | ast.Nonlocal):
            first += 1
        enter = _at(node, ast.Expr(_call(ENTER, *_told(node.name, node.lineno, node.args))))
        leave = _at(node, ast.Expr(_call(LEAVE)))
        rest = body[first:] or [_at(node, ast.Pass())]
        node.body = [*body[:first], enter, _at(node, ast.Try(rest, [], [], [leave]))]
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        """`lambda x: body` as one that has another lambda called, which has the body."""
        by_frame = any(isinstance(part, ast.Name) and part.id in _OF_FRAMES for part in ast.walk(node.body))
        self.within.append("expression")
        self.generic_visit(node)
        self.within.pop()
        if not by_frame and not _yields([node.body]):
            nothing = ast.arguments([], [], None, [], [], None, [])
            body = _at(node.body, ast.Lambda(nothing, node.body))
            node.body = _at(node.body, _call(INSIDE, body, *_told("<lambda>", node.lineno, node.args)))
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.within.append("class")
        self.generic_visit(node)
        self.within.pop()
        return node

    # What is caught, and what is looked at

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        self.generic_visit(node)
        node.body.insert(0, _at(node.body[0], ast.Expr(_call(CAUGHT))))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        index = self.looked.get(node)
        self.generic_visit(node)
        if index is not None:
            place = _constant_of((node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0))
            told = (ast.Constant(node.attr), _constant_of(index), place)
            node.value = _at(node, _call(READ, node.value, *told))
        return node


def loop_label(target: ast.expr) -> str:
    """`for i`, `for x, y`."""
    if isinstance(target, ast.Name):
        return f"for {target.id}"
    if isinstance(target, ast.Tuple) and all(isinstance(part, ast.Name) for part in target.elts):
        return "for " + ", ".join(part.id for part in target.elts if isinstance(part, ast.Name))
    return "for"


def looked_at(program: Iterable[ast.stmt]) -> Looked:
    """The attributes that a program looks at. `x.grad` in a computation is none of them."""
    found: Looked = {}
    for statement in program:
        for root in _looks(statement):
            indices: dict[ast.expr, tuple[int, ...]] = {}
            for node in ast.walk(root):  # outer expressions before inner ones
                if isinstance(node, ast.Subscript):
                    index = _constant(node.slice)
                    indices[node.value] = () if index is None else (index, *indices.get(node, ()))
                elif isinstance(node, ast.Attribute) and _tells(node.attr):
                    found[node] = indices.get(node, ())
    return found


def _looks(statement: ast.stmt) -> Iterator[ast.expr]:
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


def _names(target: ast.expr) -> Iterator[ast.Name]:
    match target:
        case ast.Name():
            yield target
        case ast.Tuple(parts) | ast.List(parts):
            for part in parts:
                yield from _names(part)
        case ast.Starred(value):
            yield from _names(value)


def _captures(pattern: ast.pattern) -> Iterator[ast.Name]:
    for part in ast.walk(pattern):
        name = getattr(part, "rest" if isinstance(part, ast.MatchMapping) else "name", None)
        if isinstance(name, str):
            yield ast.copy_location(ast.Name(name, ast.Store()), part)


def _yields(body: Iterable[ast.AST]) -> bool:
    """Whether a function with this body is a generator, or waits for others."""
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.AsyncFor | ast.AsyncWith):
            return True
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(node))
    return False


def _listed(made: ast.stmt | list[ast.stmt]) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _constant_of(known: tuple[Any, ...]) -> ast.expr:
    return ast.Constant(known)  # type: ignore[arg-type]  # which the compiler takes, as it makes such itself


def _bound(name: str) -> ast.expr:
    """`type(name) in PLAIN or bind("name", name)`"""
    plain = ast.Compare(_call(TYPE, _load(name)), [ast.In()], [_load(PLAIN)])
    return ast.BoolOp(ast.Or(), [plain, _call(BIND, ast.Constant(name), _load(name))])


def _told(name: str, line: int, arguments: ast.arguments) -> list[ast.expr]:
    """What is told of a call: the function's name and line, the names of its parameters and their values."""
    parameters = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    names = [parameter.arg for parameter in parameters if parameter is not None]
    return [_constant_of((name, line, tuple(names))), *map(_load, names)]


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_load(name), list(arguments), [])


def _at(place: ast.AST, made: Made) -> Made:
    """Give what was made, and what in it has no place of its own, the place of something the program has."""
    where = {name: getattr(place, name) for name in place._attributes}
    todo: list[ast.AST] = [made]
    while todo:
        node = todo.pop()
        if "lineno" in node._attributes:
            if hasattr(node, "lineno"):
                continue
            vars(node).update(where)
        if type(node) not in _ALONE:
            todo.extend(ast.iter_child_nodes(node))
    return made
