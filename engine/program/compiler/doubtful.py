"""What CPython's compiler warns of: valid syntax that hardly means what it says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import EllipsisType
from typing import Any

from engine.limits import meter
from engine.program.values import UNSET

_COST = 50
"""Steps that a warning is charged."""

_TYPES: dict[type[ast.expr], str] = {
    ast.Tuple: "tuple", ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict", ast.Set: "set",
    ast.SetComp: "set", ast.GeneratorExp: "generator", ast.Lambda: "function", ast.JoinedStr: "str",
}  # fmt: skip
"""What an expression gives, whatever is in it."""
_NO_ITEMS = (ast.Set, ast.SetComp, ast.GeneratorExp, ast.Lambda)
_BY_NUMBER = (ast.Tuple, ast.List, ast.ListComp, ast.JoinedStr)


def doubts(tree: ast.AST) -> list[tuple[int, str]]:
    """The lines that are warned of and what is said, in the order of the source."""
    nodes = [node for node in ast.walk(tree) if type(node) in (ast.Compare, ast.Assert, ast.Call, ast.Subscript)]
    found: list[tuple[Any, str]] = [(node, text) for node in nodes for text in _about(node)]
    meter.charge(_COST * len(found))
    found.sort(key=lambda doubt: (doubt[0].lineno, doubt[0].col_offset))
    return [(node.lineno, text) for node, text in found]


def _about(node: Any) -> Iterator[str]:
    match node:
        case ast.Compare(left, ops, comparators):
            for op, one, other in zip(ops, [left, *comparators], comparators, strict=False):
                if isinstance(op, ast.Is | ast.IsNot) and (_literal(one) or _literal(other)):
                    meant = ('is" with a literal. Did you mean "==', 'is not" with a literal. Did you mean "!=')
                    yield f'"{meant[isinstance(op, ast.IsNot)]}"?'
        case ast.Assert(ast.Tuple([_, *_])):
            yield "assertion is always true, perhaps remove parentheses?"
        case ast.Call(func) if type(func) is not ast.Lambda and _type(func):
            yield f"'{_type(func)}' object is not callable; perhaps you missed a comma?"
        case ast.Subscript(value, index):
            given = _constant(value)
            kind, place = _type(value), _type(index)
            if isinstance(value, _NO_ITEMS) or isinstance(given, int | float | complex | EllipsisType | None):
                yield f"'{kind}' object is not subscriptable; perhaps you missed a comma?"
            elif (isinstance(value, _BY_NUMBER) or given is not UNSET) and place not in ("", "int", "bool"):
                yield f"{kind} indices must be integers or slices, not {place}; perhaps you missed a comma?"


def _literal(node: ast.expr) -> bool:
    value = _constant(node)
    return value is not UNSET and value is not None and value is not ... and not isinstance(value, bool)


def _type(node: ast.expr) -> str:
    """The name of the type that an expression surely has; empty if it may have any."""
    value = _constant(node)
    return _TYPES.get(type(node), "") if value is UNSET else type(value).__name__


def _constant(node: ast.expr) -> Any:
    """The value of a constant, as far as CPython knows it when it compiles; UNSET for anything else."""
    match node:
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
        case ast.Tuple(elements) if all(_constant(element) is not UNSET for element in elements):
            return ()
    return UNSET
