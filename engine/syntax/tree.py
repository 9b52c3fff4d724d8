"""Text of a formula or expression → its tree, or None where it uses more of Python than formulas need."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import TypeAlias

from .meanings import CONSTANTS, MEANINGS, SAID

Tree: TypeAlias = "str | int | float | bool | list[Tree] | None"

MODULES = {"torch", "F", "math", "np", "nn"}
"""A function of these is not a method of theirs."""

LARGEST = 2**53
"""Up to here integers are the same for all readers of JSON."""

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.MatMult: "@",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.And: "and",
    ast.Or: "or",
    ast.USub: "-",
    ast.Invert: "~",
    ast.Not: "not",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
}


class _TooMuch(Exception):
    """A construct that trees do not have."""


def read(text: str) -> Tree:
    """The tree of `text`."""
    return _or_none(_parsed, text)


def read_formula(text: str) -> Tree:
    """The tree of a formula, in which helper functions and constants are spelled out as `meanings` says."""
    return _or_none(_parsed_formula, text)


def _or_none(parsed: Callable[[str], Tree], text: str) -> Tree:
    try:
        return parsed(text)
    except (SyntaxError, ValueError, RecursionError, _TooMuch):
        return None


def _parsed(text: str, formula: bool = False) -> Tree:
    return _tree(ast.parse(text, mode="eval").body, formula, {})


@lru_cache(4096)  # of which each run needs some again
def _parsed_formula(text: str) -> Tree:
    return _parsed(text, True)


def _tree(node: ast.expr, formula: bool, given: Mapping[str, Tree]) -> Tree:
    def each(parts: Iterable[ast.expr]) -> list[Tree]:
        return [_tree(part, formula, given) for part in parts]

    match node:
        case ast.Constant(value=value):
            return _constant(value, formula)
        case ast.Name(id=name):
            return given.get(name, name)
        case ast.Attribute(value=value, attr=attribute):
            return [".", *each([value]), attribute]
        case ast.Subscript(value=value, slice=index):
            return ["[]", *each([value, *(index.elts if isinstance(index, ast.Tuple) else [index])])]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return ["()", *each(items)]
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _tree(operand, formula, given)
        case ast.UnaryOp(op=operator, operand=operand):
            return [_OPERATORS[type(operator)], *each([operand])]
        case ast.BinOp(left=left, op=operator, right=right):
            return [_operator(operator), *each([left, right])]
        case ast.BoolOp(op=operator, values=values):
            first, *others = each(values)
            for other in others:
                first = [_OPERATORS[type(operator)], first, other]
            return first
        case ast.Compare(left=left, ops=operators, comparators=others) if len({*map(type, operators)}) == 1:
            return [_operator(operators[0]), *each([left, *others])]
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return ["if", *each([test, body, otherwise])]
        case ast.Call(func=function, args=arguments, keywords=keywords):
            owner, name = _called(function)
            parts = each([*owner, *arguments, *(keyword.value for keyword in keywords)])
            return _meant(name, parts) if formula and name in MEANINGS else [name, *parts]
    raise _TooMuch


def _operator(operator: ast.AST) -> str:
    if type(operator) not in _OPERATORS:
        raise _TooMuch
    return _OPERATORS[type(operator)]


def _constant(value: object, formula: bool) -> Tree:
    if formula and isinstance(value, float) and value in CONSTANTS:
        return ["said", *CONSTANTS[value], value]
    if isinstance(value, str):
        return ["'", value]
    if isinstance(value, float) and math.isfinite(value) or isinstance(value, int) and abs(value) <= LARGEST:
        return value
    if value is None:
        return None
    raise _TooMuch


def _called(function: ast.expr) -> tuple[list[ast.expr], str]:
    """What a method is called on, if it is one, and the function's name."""
    match function:
        case ast.Name(id=name):
            return [], name
        case ast.Attribute(value=owner, attr=name):
            root = owner
            while isinstance(root, ast.Attribute):
                root = root.value
            return ([] if isinstance(root, ast.Name) and root.id in MODULES else [owner]), name
    raise _TooMuch


def _meant(name: str, arguments: list[Tree]) -> Tree:
    """A call of a helper function, spelled out."""
    parameters, body = _meaning(name)
    # What is left out of a call keeps its name, as what only words can say does.
    return _tree(body, True, {**_SAID, **dict(zip(parameters, arguments, strict=False))})


@cache
def _meaning(name: str) -> tuple[list[str], ast.expr]:
    signature, body = MEANINGS[name]
    return signature.split(), ast.parse(body, mode="eval").body


_SAID: dict[str, Tree] = {name: ["said", *said] for name, said in SAID.items()}
