"""The expression that raised, so that what helps is said in the program's own names."""

from __future__ import annotations

import ast
import re
from functools import cached_property

LONGEST = 40
"""Characters of a name in a sentence."""

PARSED = 1000
"""Characters of an expression that are looked into."""

METHODS = frozenset({
    "addbmm", "addmm", "addmv", "backward", "baddbmm", "bmm", "dot", "flip", "grad", "inner", "is_leaf", "item",
    "matmul", "mean", "mm", "mv", "numpy", "pow", "prod", "register_hook", "requires_grad", "retain_grad", "std", "t",
    "tolist", "transpose", "type", "var", "vecdot", "view",
})  # fmt: skip
"""Methods of tensors that texts are about: what is called of anything else may be a layer, which is not what is wrong.
Those that write end in an underscore."""

_IMPORTS = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+([^#\n]+)", re.MULTILINE)


class Named:
    """A part of a program in a text: ``{first:x}`` is its name, or x where it has none."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name

    def __format__(self, otherwise: str) -> str:
        return self.name or otherwise


class Expression:
    """What raised, by its place in a program: lines count from 1, columns from 0.

    ``whole``: itself, or what a function of Python was asked of; ``first`` and ``second``: its operands, of a method
    what it is called of, and of another call its arguments, where it is sure which is meant; ``callee``: what a call
    calls; ``uncalled``: the one function in it that stands there without parentheses, and them.
    """

    def __init__(
        self, code: str, line: int | None, column: int | None, end_line: int | None, end_column: int | None
    ) -> None:
        self.code, self.line, self.column, self.end_line, self.end_column = code, line, column, end_line, end_column

    @property
    def of_a_layer(self) -> bool:
        """Whether it is a call of what is neither a function of a module nor a method that texts are about."""
        node = self._node
        if not isinstance(node, ast.Call) or self._imported(node.func):
            return False
        function = node.func
        return not isinstance(function, ast.Attribute) or not self._is_method(function)

    def names(self) -> dict[str, Named]:
        node = self._node
        operands = [] if node is None else self._operands(node)
        first, second = (operands + [None, None])[:2]
        callee = Named(self._simple(node.func) if isinstance(node, ast.Call) else None)
        uncalled = Named(None if node is None else self._uncalled(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            node = first
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node = node.operand
        names = {"whole": self._whole(node), "first": Named(self._simple(first)), "second": Named(self._simple(second))}
        return names | {"callee": callee, "uncalled": uncalled}

    def _uncalled(self, node: ast.AST) -> str | None:
        """The only attribute that an expression takes as a value, with parentheses behind it."""
        match node:
            case ast.Attribute() | ast.ListComp() | ast.GeneratorExp():
                found: list[ast.expr | None] = [node]
            case ast.Call():
                found = [*node.args, *[keyword.value for keyword in node.keywords]]
            case ast.With(items=[item]):
                found = [item.context_expr]
            case ast.BinOp() | ast.AugAssign() | ast.Compare() | ast.Subscript():
                found = self._operands(node)
            case _:
                return None
        parts = [part for each in found for part in self._parts(each)]
        attributes = [each for each in parts if isinstance(each, ast.Attribute)]
        name = self._spelled(attributes[0]) if len(attributes) == 1 else None
        return name and f"{name}()"

    def _parts(self, node: ast.expr | None) -> list[ast.expr | None]:
        """An expression, or what it takes each of, and from where."""
        return [node.elt, node.generators[0].iter] if isinstance(node, ast.ListComp | ast.GeneratorExp) else [node]

    @cached_property
    def text(self) -> str:
        """It as it stands in the program; nothing where that is unknown, or of several lines."""
        if self.line is None or self.column is None or self.end_line != self.line:
            return ""
        lines = self.code.split("\n")
        found = lines[self.line - 1] if 0 < self.line <= len(lines) else ""
        text = found[self.column : self.end_column]
        return text if len(text) <= PARSED else ""

    @cached_property
    def _node(self) -> ast.AST | None:
        try:
            (statement,) = ast.parse(self.text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return statement.value if isinstance(statement, ast.Expr) else statement

    def _operands(self, node: ast.AST) -> list[ast.expr | None]:
        match node:
            case ast.AugAssign():
                return [node.target, node.value]
            case ast.BinOp():
                return [node.left, node.right]
            case ast.Compare():
                return [node.left, node.comparators[0]]
            case ast.UnaryOp():
                return [node.operand]
            case ast.Subscript() | ast.Attribute():
                return [node.value]
            case ast.Call():
                return self._operands_of_call(node)
        return []

    def _operands_of_call(self, node: ast.Call) -> list[ast.expr | None]:
        function = node.func
        if isinstance(function, ast.Attribute) and not self._imported(function) and self._is_method(function):
            return [function.value, *node.args]
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return []
        return [node.args[0]] if len(node.args) == 1 else [None, *node.args[1:]] if len(node.args) == 2 else []

    def _is_method(self, function: ast.Attribute) -> bool:
        return function.attr in METHODS or function.attr.endswith("_")

    def _imported(self, node: ast.expr) -> bool:
        """Whether this is of a module."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name):
            return False
        names = ",".join(_IMPORTS.findall(self.code)).replace("(", " ").replace(")", " ").split(",")
        return node.id in {words.split()[-1].split(".")[0] for words in names if words.split()}

    def _whole(self, node: ast.AST | None) -> Named:
        if isinstance(node, ast.Compare | ast.BinOp):
            text = self._spelled(node)
            return Named(text and f"({text})")
        return Named(self._simple(node))

    def _simple(self, node: ast.AST | None) -> str | None:
        """How what needs no parentheses is spelled."""
        return self._spelled(node) if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else None

    def _spelled(self, node: ast.AST) -> str | None:
        text = ast.get_source_segment(self.text, node)
        return text if text and len(text) <= LONGEST else None


def unnamed() -> dict[str, Named]:
    """Nothing is known of what raised."""
    return dict.fromkeys(("whole", "first", "second", "callee", "uncalled"), Named())
