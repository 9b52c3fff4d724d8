"""The text of a row: its parameters, its results, and its formulas as syntax trees."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable
from typing import Any

from engine.core.registry import GRAPH, ops
from engine.core.tensor import Tensor

KEPT_ATTRIBUTES = ("shape", "ndim", "dtype", "strides")
"""Attributes of a tensor that a formula may read without saving the tensor."""


class Parameter:
    """One parameter of a row. `kind`: grad (differentiable), tensor, tensors, scalar or plain."""

    __slots__ = ("default", "keyword_only", "kind", "name")

    def __init__(self, name: str, kind: str, default: Any, keyword_only: bool) -> None:
        self.name, self.kind, self.default, self.keyword_only = name, kind, default, keyword_only

    @property
    def is_option(self) -> bool:
        """Whether it is given by keyword only, and need not be."""
        return self.keyword_only and self.default is not inspect.Parameter.empty


class Output:
    """One result of a row with several."""

    __slots__ = ("differentiable", "name", "optional")

    def __init__(self, text: str) -> None:
        self.name = text.rstrip("!?")
        self.differentiable = "!" not in text
        self.optional = "?" in text


def parse(rest: str, formulas: dict[str, str]) -> list[Parameter]:
    tree = ast.parse(f"def row({rest}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = tree.args
    parameters: list[Parameter] = []
    positional = arguments.args
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [(a, d, False) for a, d in zip(positional, defaults, strict=True)]
    pairs += [(a, d, True) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    for argument, default, keyword_only in pairs:
        annotation = argument.annotation.id if isinstance(argument.annotation, ast.Name) else ""
        kind = {"Tensor": "tensor", "Tensors": "tensors", "Scalar": "scalar"}.get(annotation, "plain")
        if argument.arg in formulas and kind != "tensors":
            kind = "grad"
        value = inspect.Parameter.empty if default is None else ast.literal_eval(default)
        parameters.append(Parameter(argument.arg, kind, value, keyword_only))
    return parameters


class Attributes(ast.NodeTransformer):
    """`x.shape` of a tensor parameter becomes the saved value `x__shape`."""

    def __init__(self, parameters: dict[str, Parameter]) -> None:
        self.parameters = parameters

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.attr in KEPT_ATTRIBUTES:
            parameter = self.parameters.get(node.value.id)
            if parameter is not None and parameter.kind in ("grad", "tensor", "tensors"):
                return ast.copy_location(ast.Name(f"{node.value.id}__{node.attr}", ast.Load()), node)
        return node


class Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class Folded(ast.NodeTransformer):
    """Names with a known value become constants, and choices that this decides are made."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Constant(self.values[node.id]), node) if node.id in self.values else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        test = node.test
        if isinstance(test, ast.Compare) and isinstance(test.left, ast.Constant) and isinstance(test.ops[0], ast.Eq):
            other = test.comparators[0]
            if isinstance(other, ast.Constant):
                return node.body if test.left.value == other.value else node.orelse
        return node


class Powers(ast.NodeTransformer):
    """`**` in formulas on numpy values becomes PyTorch's kernel, whose last bits numpy's powers do not have."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.copy_location(ast.Call(ast.Name("raised", ast.Load()), [node.left, node.right], []), node)


class Scalars(ast.NodeTransformer):
    """Operators in recorded formulas become the overloads that PyTorch's formulas use.

    A number in the text takes the scalar overload (`MulBackward1`). `promoted` names the operands that PyTorch holds as
    tensors even when the user wrote a number: with each other and with tensors they take the tensor overload.
    """

    NAMES = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}

    def __init__(self, promoted: set[str], numbers: set[str]) -> None:
        self.promoted, self.numbers = promoted, numbers

    def _is_number(self, side: ast.expr) -> bool:
        return isinstance(side, ast.Constant) or isinstance(side, ast.Name) and side.id in self.numbers

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = self.NAMES.get(type(node.op))
        if name is None:
            return node
        sides = [node.left, node.right]
        promoted = any(isinstance(side, ast.Name) and side.id in self.promoted for side in sides)
        overload = f"{name}_" if promoted and not any(map(self._is_number, sides)) else f"_{name}"
        return ast.copy_location(ast.Call(ast.Name(overload, ast.Load()), sides, []), node)


def _overload(name: str, symbol: Callable[[Any, Any], Any], wrapped: bool) -> Callable[[Any, Any], Any]:
    """An operator of recorded formulas; `wrapped`: numbers count as tensors."""
    tensor = "pow_Tensor_Tensor" if name == "pow" else name
    right = "pow_Tensor_Scalar" if name == "pow" else name + "_Scalar"
    commutes = name in ("add", "mul")

    def apply(a: Any, b: Any) -> Any:
        if isinstance(a, Tensor):
            return getattr(ops, tensor if wrapped or isinstance(b, Tensor) else right)(a, b)
        if not isinstance(b, Tensor):
            return symbol(a, b)
        if wrapped or not commutes:
            return getattr(ops, "pow_Scalar" if name == "pow" else tensor)(a, b)
        return getattr(ops, right)(b, a)

    return apply


OPERATORS = {
    prefix + name + suffix: _overload(name, symbol, wrapped)
    for name, symbol in (
        ("add", operator.add),
        ("sub", operator.sub),
        ("mul", operator.mul),
        ("div", operator.truediv),
        ("pow", operator.pow),
    )
    for prefix, suffix, wrapped in (("_", "", False), ("", "_", True))
}
GRAPH.update(OPERATORS)
