"""The compiler itself: dispatch, blocks, positions. Node types register themselves; others are refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NoReturn, TypeVar

from engine.limits import LimitExceeded, meter
from engine.program.annotations import WRITTEN
from engine.program.compiler.scope import (
    Scope,
    bound_names,
    caught_imports,
    declared,
    future_imports,
    late,
    mangle,
    statements,
)
from engine.program.errors import InvalidSyntax, Position, Refused
from engine.program.session import Session
from engine.program.stdlib import star_names
from engine.program.values import UNSET, CallFrame, out_of_fuel

Expression = Callable[[CallFrame], Any]
Statement = Callable[[CallFrame], Any]
Store = Callable[[CallFrame, Any], None]
Node = TypeVar("Node", bound=ast.AST)

_LONGEST = 200
"""Characters of an annotation that is a text."""
_OF_ANNOTATIONS = (
    ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load,
)  # fmt: skip


class _Signal:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


BREAK: Any = _Signal("break")
CONTINUE: Any = _Signal("continue")

EXPRESSIONS: dict[type[ast.AST], Callable[[Compiler, Any, Scope], Expression]] = {}
STATEMENTS: dict[type[ast.AST], Callable[[Compiler, Any, Scope], Statement]] = {}


def expression(*kinds: type[ast.AST]) -> Callable[[Callable[[Compiler, Node, Scope], Expression]], Any]:
    """Register how expressions of these types are compiled."""

    def register(how: Callable[[Compiler, Node, Scope], Expression]) -> Any:
        for kind in kinds:
            EXPRESSIONS[kind] = how
        return how

    return register


def statement(*kinds: type[ast.AST]) -> Callable[[Callable[[Compiler, Node, Scope], Statement]], Any]:
    """Register how statements of these types are compiled."""

    def register(how: Callable[[Compiler, Node, Scope], Statement]) -> Any:
        for kind in kinds:
            STATEMENTS[kind] = how
        return how

    return register


_ASYNC = "asynchronous code is not run here: write it without async and await"
REFUSED: dict[str, str] = {
    "AsyncFunctionDef": _ASYNC,
    "AsyncFor": _ASYNC,
    "AsyncWith": _ASYNC,
    "Await": _ASYNC,
    "TypeAlias": "the type statement is not run here: leave it out, or assign the type to a name",
}


_SUBCLASS = re.compile(r"class \w{1,80}\([^)\n]{0,80}Tensor")


class Compiler:
    """Compiles one program for one session."""

    def __init__(self, session: Session, source: str) -> None:
        self.session = session
        self.recorder = session.recorder
        self.budget = session.budget
        self.limits = session.limits
        self.walrus = ":=" in source
        self.modes = "FunctionMode" in source  # whether operators may have to ask one
        self.subclasses = _SUBCLASS.search(source) is not None  # whether there may be classes of tensors
        self.postponed = False  # whether annotations are texts: `from __future__ import annotations`
        self.lines = None if source.isascii() else re.split("\r\n?|\n", source)
        self.module = Scope("module", None, "<module>", "")
        self.frame: CallFrame = [None]
        self.comprehensions: list[set[str]] = []
        self.inspected: dict[ast.Attribute, tuple[int, ...]] = {}
        self.iterables = 0
        self.caught: set[ast.stmt] = set()
        self.futures: set[ast.stmt] = set()
        self.nodes = 0
        self.depth = 0

    # --- dispatch

    def expression(self, node: ast.expr, scope: Scope) -> Expression:
        """The function that evaluates an expression."""
        how = EXPRESSIONS.get(type(node))
        if how is None:
            self.refuse(node)
        self._enter(node)
        made = how(self, node, scope)
        self.depth -= 1
        return made

    def statement(self, node: ast.stmt, scope: Scope) -> Statement:
        """The function that runs a statement."""
        how = STATEMENTS.get(type(node))
        if how is None:
            self.refuse(node)
        self._enter(node)
        made = how(self, node, scope)
        self.depth -= 1
        return made

    def annotation(self, node: ast.expr, scope: Scope) -> Expression:
        """The function that gives what an annotation stands for: its value, or its text when that is postponed.

        It is its text, too, where an import that was passed over left its names without a value.
        """
        value, text, absent = self.expression(node, scope), ast.unparse(node), self.session.absent
        settings = self.session.settings
        if self.postponed:

            def postpone(f: CallFrame) -> str:
                settings[WRITTEN, text] = lambda: value(f)
                return text

            return postpone
        written = self._written(node, scope)

        def annotate(f: CallFrame) -> Any:
            for inside, meant in written:
                settings[WRITTEN, inside] = partial(meant, f)
            try:
                return value(f)
            except ImportError:
                if not absent:
                    raise
                return text

        return annotate

    def _written(self, node: ast.expr, scope: Scope) -> list[tuple[str, Expression]]:
        """The texts in an annotation, with the functions that give what they stand for."""
        found = []
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) < _LONGEST:
                try:
                    meant = ast.parse(inner.value, mode="eval").body
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    continue
                parts = list(ast.walk(meant))
                if all(isinstance(part, _OF_ANNOTATIONS) for part in parts):
                    for part in parts:
                        ast.copy_location(part, inner)
                    found.append((inner.value, self.expression(meant, scope)))
        return found

    def _enter(self, node: ast.AST) -> None:
        self.nodes += 1
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise LimitExceeded(
                "nesting", self.depth, self.limits.nesting, f"Line {getattr(node, 'lineno', '?')} is nested too deeply"
            )
        if self.nodes > self.limits.ast_nodes:
            raise LimitExceeded("ast_nodes", self.nodes, self.limits.ast_nodes, "The program is too large")

    def expressions(self, nodes: Sequence[ast.expr], scope: Scope) -> list[Expression]:
        """Several expressions."""
        return [self.expression(node, scope) for node in nodes]

    # --- blocks

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> Statement:
        """The function that runs statements one after the other, charging them on entry."""
        steps = [self.statement(node, scope) for node in body]
        budget, session, count, position = self.budget, self.session, len(steps), self.position(body[0])
        if count == 1:
            only = steps[0]

            def run_one(f: CallFrame) -> Any:
                budget[0] -= 1
                if budget[0] < 0:
                    out_of_fuel(session, position)
                return only(f)

            return run_one
        if count == 2:
            first, second = steps

            def run_two(f: CallFrame) -> Any:
                budget[0] -= 2
                if budget[0] < 0:
                    out_of_fuel(session, position)
                result = first(f)
                if result is not None:
                    return result
                return second(f)

            return run_two
        if count == 3:
            first, second, third = steps

            def run_three(f: CallFrame) -> Any:
                budget[0] -= 3
                if budget[0] < 0:
                    out_of_fuel(session, position)
                result = first(f)
                if result is not None:
                    return result
                result = second(f)
                if result is not None:
                    return result
                return third(f)

            return run_three

        def run_all(f: CallFrame) -> Any:
            budget[0] -= count
            if budget[0] < 0:
                out_of_fuel(session, position)
            for step in steps:
                result = step(f)
                if result is not None:
                    return result
            return None

        return run_all

    # --- positions and refusals

    def position(self, node: ast.AST) -> Position:
        """Where a node stands; columns in characters."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        end_line, end_column = node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        if self.lines is not None:
            column, end_column = self._characters(line, column), self._characters(end_line, end_column)
        return line, column, end_line, end_column

    def _characters(self, line: int, offset: int) -> int:
        if self.lines is None or not 0 < line <= len(self.lines):
            return offset
        return len(self.lines[line - 1].encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))

    def refuse(self, node: ast.AST, text: str | None = None) -> NoReturn:
        """Stop with UnsupportedSyntax at a node."""
        name = type(node).__name__
        raise Refused(text or REFUSED.get(name, f"this syntax ({name}) is not run here"), self.position(node))

    def invalid(self, node: ast.AST, text: str) -> NoReturn:
        """Stop with a SyntaxError that CPython's compiler gives at a node."""
        raise InvalidSyntax(text, self.position(node))

    # --- scopes

    def declare(self, scope: Scope, body: Sequence[ast.stmt]) -> None:
        """Enter into a scope the names its body binds, minding `global` and `nonlocal`."""
        top = scope is self.module
        arguments = frozenset() if top else frozenset(scope.slots)
        globals_, nonlocals = list(declared(body, ast.Global)), list(declared(body, ast.Nonlocal))
        premature = late(body) if (globals_ or nonlocals) and not (top and self.session.notebook) else None
        for node in globals_:
            for name in node.names:
                if name in arguments:
                    self.invalid(node, f"name '{name}' is parameter and global")
                scope.globals.add(name)
                self.global_slot(name)
        for node in nonlocals:
            for name in node.names:
                if scope.kind == "module":
                    self.invalid(node, "nonlocal declaration not allowed at module level")
                if name in arguments:
                    self.invalid(node, f"name '{name}' is parameter and nonlocal")
                if not _enclosing_has(scope.parent, name):
                    self.invalid(node, f"no binding for nonlocal '{name}' found")
                scope.nonlocals.add(name)
        if premature is not None:
            self.invalid(*premature)
        for bound in bound_names(body, self.walrus, star_names):
            name = mangle(bound, scope)
            if name not in scope.globals and name not in scope.nonlocals:
                self.global_slot(name) if scope is self.module else scope.slot(name)

    def global_slot(self, name: str) -> int:
        """The slot of a module-level name."""
        index = self.module.slot(name)
        while len(self.frame) <= index:
            self.frame.append(UNSET)
        return index

    def hidden_slot(self, scope: Scope) -> int:
        """A slot no name refers to, in this scope's frame."""
        index = scope.hidden()
        if scope is self.module:
            while len(self.frame) <= index:
                self.frame.append(UNSET)
        return index


def _enclosing_has(scope: Scope | None, name: str) -> bool:
    while scope is not None and scope.kind != "module":
        if scope.kind in ("function", "comprehension") and name in scope.slots:
            return True
        scope = scope.parent
    return False


def compile_program(
    tree: ast.Module,
    source: str,
    session: Session,
    inspected: Callable[[Sequence[ast.stmt]], dict[ast.Attribute, tuple[int, ...]]],
) -> tuple[Statement, Compiler]:
    """Compile a module; `inspected` says which attributes are recorded.

    Raises Refused, InvalidSyntax or LimitExceeded.
    """
    compiler = Compiler(session, source)
    program = statements(tree)
    compiler.caught, compiler.futures = caught_imports(program), future_imports(tree)
    compiler.inspected = inspected(program)
    for statement in program:
        if isinstance(statement, ast.Global):
            for name in statement.names:
                compiler.global_slot(name)
    compiler.declare(compiler.module, tree.body)
    body = compiler.block(tree.body, compiler.module) if tree.body else lambda f: None
    meter.charge(max(compiler.nodes >> 4, compiler.nodes - 20_000))
    return body, compiler
