"""The text of a program: where an expression of a document stands in it, and how to change it."""

from __future__ import annotations

import ast
import re
import warnings
from functools import cached_property
from typing import Any

Edit = dict[str, Any]
LARGEST = 200_000
"""Characters of a program that are parsed."""

_PLACED = ast.expr | ast.stmt | ast.keyword
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
"""A line as Python's parser counts them, and its end."""


class Source:
    """A program's statements and expressions by line. Empty for what is no program, or none that can be parsed.

    Lines count from 1, columns from 0 in characters, as in the document's `ops`.
    """

    def __init__(self, code: str | None) -> None:
        self.code = code or ""

    @cached_property
    def tree(self) -> ast.Module:
        if len(self.code) > LARGEST:
            return ast.Module([], [])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])
        if not self.code.isascii():
            for node in ast.walk(tree):
                if isinstance(node, _PLACED):
                    node.col_offset = self._characters(node.lineno, node.col_offset)
                    node.end_col_offset = self._characters(node.end_lineno, node.end_col_offset)
        return tree

    def _characters(self, line: int | None, column: int | None) -> int:
        """A column of Python's, which count bytes of UTF-8."""
        text = self.lines[(line or 1) - 1]
        return (column or 0) if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))

    @cached_property
    def lines(self) -> list[str]:
        return [line.rstrip("\r\n") for line in _LINE.findall(self.code)]

    @cached_property
    def _places(self) -> dict[tuple[int, int, int, int], ast.expr]:
        found: dict[tuple[int, int, int, int], ast.expr] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr):
                place = node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
                found.setdefault(place, node)
        return found

    @cached_property
    def _by_line(self) -> dict[int, list[ast.expr]]:
        found: dict[int, list[ast.expr]] = {}
        for node in self._places.values():
            found.setdefault(node.lineno, []).append(node)
        return found

    @cached_property
    def _blocks(self) -> dict[int, tuple[list[ast.stmt], ast.stmt]]:
        """By line: the innermost statement that begins there or spans it, and the block it is in."""
        found: dict[int, tuple[list[ast.stmt], ast.stmt]] = {}
        todo: list[ast.AST] = [self.tree]
        while todo:
            node = todo.pop()
            for name in ("body", "orelse", "finalbody", "handlers"):
                block = getattr(node, name, None)
                if not isinstance(block, list):
                    continue
                for statement in block:
                    if isinstance(statement, ast.stmt):
                        for line in range(statement.lineno, (statement.end_lineno or statement.lineno) + 1):
                            found[line] = (block, statement)
                    todo.append(statement)
        return found

    @cached_property
    def imported(self) -> frozenset[str]:
        """Names that import statements bind."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        return frozenset(alias.asname or alias.name.split(".")[0] for n in found for alias in n.names)

    def expression(self, op: dict[str, Any]) -> ast.expr | None:
        """The call or operator that an op of the document is."""
        return self._places.get((op["line"], op["column"], op["end_line"], op["end_column"]))

    def on(self, line: int | None) -> list[ast.expr]:
        """Expressions that begin on a line."""
        return self._by_line.get(line or 0, [])

    def calls(self, line: int | None, *names: str) -> list[ast.Call]:
        """Calls on a line of a function or method with one of these names."""
        return [node for node in self.on(line) if isinstance(node, ast.Call) and called(node) in names]

    def all_calls(self, *names: str) -> list[ast.Call]:
        """Calls of a function or method with one of these names, by line."""
        found = [node for name in names for node in self._calls.get(name, ())]
        return sorted(found, key=lambda call: call.lineno)

    @cached_property
    def _calls(self) -> dict[str, list[ast.Call]]:
        found: dict[str, list[ast.Call]] = {}
        for node in self._places.values():
            if isinstance(node, ast.Call):
                found.setdefault(called(node), []).append(node)
        return found

    def statement(self, line: int | None) -> ast.stmt | None:
        found = self._blocks.get(line or 0)
        return None if found is None else found[1]

    def block(self, line: int | None) -> list[ast.stmt]:
        """The statements beside the one on a line, and it."""
        found = self._blocks.get(line or 0)
        return [] if found is None else found[0]

    def function(self, line: int | None) -> ast.AST:
        """The innermost function that a line is in, or the program."""
        found: ast.AST = self.tree
        for node in ast.walk(self.tree):  # outer ones come first
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if node.lineno <= (line or 0) <= (node.end_lineno or node.lineno):
                    found = node
        return found

    def loops(self, line: int | None) -> list[ast.For | ast.While]:
        """The loops in whose body a line is, outer ones first."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.For | ast.While)]
        return [loop for loop in found if loop.body[0].lineno <= (line or 0) <= (loop.end_lineno or 0)]

    def together(self, *lines: int | None) -> bool:
        """Whether these lines are statements of one block."""
        blocks = [self.block(line) for line in lines]
        return bool(blocks[0]) and all(block is blocks[0] for block in blocks)

    def mentions(self, attribute: str, name: str | None) -> bool:
        """Whether the program reads `name.attribute` anywhere."""
        if attribute not in self._owners:
            found = [n for n in self._places.values() if isinstance(n, ast.Attribute) and n.attr == attribute]
            self._owners[attribute] = {self.text(node.value) for node in found}
        return name in self._owners[attribute]

    @cached_property
    def reads_gradients(self) -> bool:
        """Whether the program looks at a `.grad`, other than to clear it."""
        cleared = {id(call.func.value) for call in self.all_calls("zero_") if isinstance(call.func, ast.Attribute)}
        return any(
            isinstance(node, ast.Attribute)
            and node.attr == "grad"
            and isinstance(node.ctx, ast.Load)
            and id(node) not in cleared
            for node in ast.walk(self.tree)
        )

    @cached_property
    def _owners(self) -> dict[str, set[str]]:
        return {}

    @cached_property
    def _assigned(self) -> dict[str, list[ast.stmt]]:
        """Statements that give a name a value, or add to what it holds."""
        found: dict[str, list[ast.stmt]] = {}
        for statement in {id(s): s for _, s in self._blocks.values()}.values():
            targets: list[ast.expr] = []
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
                targets = [statement.target]
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                call = statement.value
                if called(call) in ("append", "extend", "add", "insert") and isinstance(call.func, ast.Attribute):
                    targets = [call.func.value]
            for target in targets:
                for node in ast.walk(target):
                    if isinstance(node, ast.Name):
                        found.setdefault(node.id, []).append(statement)
        return found

    def attributes(self, name: str) -> list[ast.Assign]:
        """Statements that assign to an attribute of this name."""
        return [
            statement
            for statement in ast.walk(self.tree)
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Attribute) and target.attr == name for target in statement.targets)
        ]

    def behind(self, expressions: list[ast.expr], depth: int = 3) -> set[int]:
        """Lines that gave the names in these expressions their values."""
        names = names_in(*expressions)
        lines: set[int] = set()
        for _ in range(depth):
            statements = [s for name in names for s in self._assigned.get(name, ())]
            lines.update(line for s in statements for line in range(s.lineno, (s.end_lineno or s.lineno) + 1))
            values = [s.value for s in statements if isinstance(s, ast.Assign | ast.AugAssign | ast.Expr)]
            new = names_in(*values)
            if new <= names:
                break
            names |= new
        return lines

    # Edits

    def replace(self, node: ast.expr, new: str) -> Edit:
        return {
            "line": node.lineno,
            "column": node.col_offset,
            "end_line": node.end_lineno,
            "end_column": node.end_col_offset,
            "new": new,
        }

    def text(self, node: ast.AST) -> str:
        if not isinstance(node, _PLACED):
            return ""
        first, *others = self.lines[node.lineno - 1 : node.end_lineno]
        if not others:
            return first[node.col_offset : node.end_col_offset]
        return "\n".join([first[node.col_offset :], *others[:-1], others[-1][: node.end_col_offset]])

    def insert_before(self, line: int, text: str) -> Edit | None:
        """A statement of its own before the one on a line."""
        statement = self.statement(line)
        if statement is None or self.lines[statement.lineno - 1][: statement.col_offset].strip():
            return None
        indent = " " * statement.col_offset
        at = {"line": statement.lineno, "column": statement.col_offset}
        return {**at, "end_line": at["line"], "end_column": at["column"], "new": f"{text}\n{indent}"}

    def with_method(self, node: ast.expr, call: str) -> Edit:
        """`node.call`, in parentheses where it must be."""
        simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
        text = self.text(node)
        return self.replace(node, f"{text}.{call}" if simple else f"({text}).{call}")


def names_in(*nodes: ast.AST | None) -> set[str]:
    """The names that parts of a program read or bind."""
    return {part.id for node in nodes if node for part in ast.walk(node) if isinstance(part, ast.Name)}


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def apply(code: str, edits: list[Edit]) -> str:
    """The program with edits made, which do not overlap."""
    starts = [0]
    for line in _LINE.findall(code):
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda e: (e["line"], e["column"]), reverse=True):
        begin, end = starts[edit["line"] - 1] + edit["column"], starts[edit["end_line"] - 1] + edit["end_column"]
        code = code[:begin] + edit["new"] + code[end:]
    return code
