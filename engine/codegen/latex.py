"""Formula text → LaTeX and readable text, for the page. What is shown is derived from what runs."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.document import rows

# What rows say that read parts of a tensor.
WHERE_READ = r"\begin{cases} g & \text{where it was read} \\ 0 & \text{elsewhere} \end{cases}"
ADDED_UP = r"\textstyle\sum g \text{ over the places it was read into}"

_FUNCTIONS = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log"}
_NAMES = {
    "self": "x",
    "other": "y",
    "result": r"\mathrm{out}",
    "g": "g",
    "exponent": "n",
    "alpha": r"\alpha",
    "mat1": "A",
    "mat2": "B",
    "weight": "w",
    "target": "t",
    "input": "x",
    "grad_output": "g",
    "beta": r"\beta",
    "eps": r"\varepsilon",
    "lambd": r"\lambda",
    "dim": r"\mathrm{dim}",
}
_RELATIONS = {
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
    ast.Is: "=",
    ast.IsNot: r"\ne",
    ast.In: r"\in",
    ast.NotIn: r"\notin",
}
_ADD, _MULTIPLY, _POWER, _ATOM = 1, 2, 3, 4


_FIRST_PLACE = 0xE000  # Unicode's private use area

Known = str | int | float | bool | None


def latex(text: str, known: tuple[tuple[str, Known], ...] = ()) -> str:
    """The LaTeX of a formula: products with dots, divisions as fractions, transposes as exponents.

    `known`: what a call gave for parameters. A string is LaTeX, such as the name of a variable; a number, flag or None
    is the value itself, and choices that depend on it are made.
    """
    names: dict[int, str] = {}
    marked: list[tuple[str, Known]] = []
    for parameter, value in known:
        if isinstance(value, str):
            place = _FIRST_PLACE + len(names)
            names[place] = value
            value = chr(place)
        marked.append((parameter, value))
    shown = _latex(text, tuple(marked), repr(marked) if marked else "")
    return shown.translate(names) if names else shown


@lru_cache(maxsize=4096)
def _latex(text: str, known: tuple[tuple[str, Known], ...], spelt: str) -> str:
    # Names stand as single characters: what is around them does not depend on them, so programs share what is kept.
    # `spelt` tells 1 from 1.0, True and -0.0 from 0.0, which are equal as keys.
    tree = ast.parse(text, mode="eval").body
    if known:
        tree = _Call(dict(known)).visit(tree)
    return _render(tree)[0]


def described(
    formulas: dict[str, str],
    own: str | tuple[str, ...] | None,
    known: tuple[tuple[str, Known], ...] = (),
    conjugate: bool = False,
) -> dict[str, rows.Formula]:
    """Each formula as text and as LaTeX: the row's own, one for all or one for each in order, else the derived one.

    `conjugate`: as they are for complex numbers.
    """
    shown = own if isinstance(own, tuple) else (own,) * len(formulas)
    if conjugate:
        formulas = {name: _of_complex(text) for name, text in formulas.items()}
        shown = tuple(given and _G.sub(r"\\overline{\1}", given) for given in shown)
        shown = tuple(given and rf"\overline{{{given}}}" for given in shown)
    return {
        name: {"text": text, "latex": given or latex(text, known)}
        for (name, text), given in zip(formulas.items(), shown, strict=True)
    }


_G = re.compile(r"(?<![A-Za-z\\])([gG])(?![A-Za-z])")


@lru_cache(maxsize=1024)
def _of_complex(text: str) -> str:
    """A formula as it is for complex numbers: `g` times the conjugate of what stands beside it."""
    return ast.unparse(_conjugated(ast.parse(text, mode="eval").body))


def _conjugated(node: ast.expr) -> ast.expr:
    match node:
        case ast.Name(id="g"):
            return node
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ast.IfExp(test, _conjugated(body), _conjugated(orelse))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ast.UnaryOp(ast.USub(), _conjugated(operand))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right) if not _receives(right):
            return ast.BinOp(_conjugated(left), node.op, _conjugate(right))
        case _ if not _receives(node):
            return node
    return _conjugate(_OfConjugate().visit(node))


def _receives(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id == "g" for part in ast.walk(node))


def _conjugate(node: ast.expr) -> ast.expr:
    return node if isinstance(node, ast.Constant) else ast.Call(ast.Name("conj"), [node], [])


class _OfConjugate(ast.NodeTransformer):
    """The conjugate of `g` in the place of `g`."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return _conjugate(node) if node.id == "g" else node


class _Call(ast.NodeTransformer):
    """A formula for one call: names of its arguments in the place of parameters, choices made, constants folded."""

    def __init__(self, known: dict[str, Known]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self.known:
            return node
        value = self.known[node.id]
        return _Shown(value) if isinstance(value, str) else ast.Constant(value)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        decided = _decide(node.test)
        return node if decided is None else node.body if decided else node.orelse

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        left, right = _constant(node.left), _constant(node.right)
        if left is not None and right is not None and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            value = (
                left + right
                if isinstance(node.op, ast.Add)
                else left - right
                if isinstance(node.op, ast.Sub)
                else left * right
            )
            return ast.Constant(value)
        if isinstance(node.op, ast.Pow | ast.Mult) and right == 1:
            return node.left
        return node


def _constant(node: ast.expr) -> int | float | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


def _decide(test: ast.expr) -> bool | None:
    """Whether a test on known values holds; None when it depends on something else."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            decided = _decide(operand)
            return None if decided is None else not decided
        case ast.Compare(left=ast.Constant(value=left), ops=[how], comparators=[ast.Constant(value=right)]):
            function = _COMPARE.get(type(how))
            return None if function is None else bool(function(left, right))
        case ast.BoolOp(op=how, values=values):
            decisions = [_decide(v) for v in values]
            if isinstance(how, ast.And):
                return False if False in decisions else None if None in decisions else True
            return True if True in decisions else None if None in decisions else False
    return None


class _Shown(ast.expr):
    """LaTeX that is shown as it is."""

    _fields = ()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def symbol(name: str) -> str:
    """A variable's name in LaTeX: one letter as it is, with trailing digits as an index, longer names upright."""
    match = re.fullmatch(r"([A-Za-z])_?(\d+)", name)
    if match:
        return f"{match[1]}_{{{match[2]}}}"
    if "'" in name or '"' in name:  # which are primes among symbols
        return rf"\text{{{_escape(name)}}}"
    return name if len(name) == 1 else rf"\mathrm{{{_escape(name)}}}"


def _parenthesised(node: ast.expr, level: int) -> str:
    shown, own = _render(node)
    return shown if own >= level else rf"\left({shown}\right)"


def _render(node: ast.expr) -> tuple[str, int]:
    match node:
        case _Shown():
            return node.text, _ATOM
        case ast.Constant(value=bool() as value):
            return rf"\mathrm{{{value}}}", _ATOM
        case ast.Constant(value=int() | float() as value) if value < 0:
            return rf"\left({value:.6g}\right)", _ATOM
        case ast.Constant(value=value):
            return (f"{value:.6g}" if isinstance(value, int | float) else rf"\mathrm{{{_escape(str(value))}}}"), _ATOM
        case ast.Name(id=name):
            return _name(name), _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_parenthesised(operand, _MULTIPLY)}", _ADD
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
            return rf"\lnot {_parenthesised(operand, _POWER)}", _MULTIPLY
        case ast.BinOp():
            return _binary(node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = rf"{_render(body)[0]} & {_render(test)[0]} \\ {_render(orelse)[0]} & \text{{otherwise}}"
            return rf"\begin{{cases}} {parts} \end{{cases}}", _ATOM
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            shown = _render(left)[0]
            for operator, right in zip(ops, comparators, strict=True):
                shown += f" {_RELATIONS[type(operator)]} {_render(right)[0]}"
            return shown, _ADD
        case ast.BoolOp(op=operator, values=values):
            word = r"\land" if isinstance(operator, ast.And) else r"\lor"
            return f" {word} ".join(_parenthesised(v, _ADD) for v in values), _ADD
        case ast.Call():
            return _call(node)
        case ast.Attribute(value=value, attr="shape"):
            return rf"\mathrm{{shape}}({_render(value)[0]})", _ATOM
        case ast.Attribute(value=value, attr=attribute):
            return rf"{_render(value)[0]}.\mathrm{{{_escape(attribute)}}}", _ATOM
        case ast.Subscript(value=value, slice=index):
            return rf"{_parenthesised(value, _ATOM)}_{{{_render(index)[0]}}}", _ATOM
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return rf"\left({', '.join(_render(i)[0] for i in items)}\right)", _ATOM
    return rf"\mathrm{{{_escape(ast.unparse(node))}}}", _ATOM


def _binary(node: ast.BinOp) -> tuple[str, int]:
    left, right = node.left, node.right
    match node.op:
        case ast.Add():
            return f"{_parenthesised(left, _ADD)} + {_parenthesised(right, _ADD)}", _ADD
        case ast.Sub():
            return f"{_parenthesised(left, _ADD)} - {_parenthesised(right, _MULTIPLY)}", _ADD
        case ast.Mult():
            return rf"{_parenthesised(left, _MULTIPLY)} \cdot {_parenthesised(right, _MULTIPLY)}", _MULTIPLY
        case ast.MatMult():
            return rf"{_parenthesised(left, _MULTIPLY)}\,{_parenthesised(right, _MULTIPLY)}", _MULTIPLY
        case ast.Div():
            return rf"\frac{{{_render(left)[0]}}}{{{_render(right)[0]}}}", _ATOM
        case ast.Pow():
            return rf"{_parenthesised(left, _ATOM)}^{{{_render(right)[0]}}}", _POWER
        case ast.Mod():
            return rf"{_parenthesised(left, _MULTIPLY)} \bmod {_parenthesised(right, _MULTIPLY)}", _MULTIPLY
        case ast.BitAnd():
            return rf"{_parenthesised(left, _ADD)} \land {_parenthesised(right, _ADD)}", _ADD
        case ast.BitOr():
            return rf"{_parenthesised(left, _ADD)} \lor {_parenthesised(right, _ADD)}", _ADD
    return rf"\mathrm{{{_escape(ast.unparse(node))}}}", _ATOM


def _call(node: ast.Call) -> tuple[str, int]:
    arguments = node.args
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "f")
    shown = [_render(a)[0] for a in arguments]
    match name, len(arguments):
        case ("t" | "mT" | "transpose_last", _) if arguments:
            return rf"{_parenthesised(arguments[0], _ATOM)}^{{\top}}", _POWER
        case ("mm" | "bmm" | "mv" | "dot" | "matmul", 2):
            return rf"{_parenthesised(arguments[0], _MULTIPLY)}\,{_parenthesised(arguments[1], _MULTIPLY)}", _MULTIPLY
        case ("outer", 2):
            return (
                rf"{_parenthesised(arguments[0], _MULTIPLY)}\,{_parenthesised(arguments[1], _ATOM)}^{{\top}}",
                _MULTIPLY,
            )
        case ("conj", 1):
            return rf"\overline{{{shown[0]}}}", _ATOM
        case ("sqrt", 1):
            return rf"\sqrt{{{shown[0]}}}", _ATOM
        case ("abs", 1):
            return rf"\left|{shown[0]}\right|", _ATOM
        case ("neg", 1):
            return f"-{_parenthesised(arguments[0], _MULTIPLY)}", _ADD
        case ("reciprocal", 1):
            return rf"\frac{{1}}{{{shown[0]}}}", _ATOM
        case ("rsqrt", 1):
            return rf"\frac{{1}}{{\sqrt{{{shown[0]}}}}}", _ATOM
        case ("mul_Scalar", 2):
            return (
                rf"{_parenthesised(arguments[1], _MULTIPLY)} \cdot {_parenthesised(arguments[0], _MULTIPLY)}",
                _MULTIPLY,
            )
        case ("pow_Tensor_Scalar" | "pow_Scalar" | "pow", 2):
            return rf"{_parenthesised(arguments[0], _ATOM)}^{{{shown[1]}}}", _POWER
        case ("sgn" | "sign", 1):
            return rf"\operatorname{{sign}}({shown[0]})", _ATOM
    if name in _FUNCTIONS:
        return rf"\{name}\left({', '.join(shown)}\right)", _ATOM
    return rf"\operatorname{{{_escape(name)}}}\left({', '.join(shown)}\right)", _ATOM


def _name(name: str) -> str:
    return _NAMES.get(name) or (name if len(name) == 1 else rf"\mathrm{{{_escape(name)}}}")


def _escape(text: str) -> str:
    return (
        text.replace("\\", r"\backslash ")
        .replace("_", r"\_")
        .replace("%", r"\%")
        .replace("&", r"\&")
        .replace("#", r"\#")
    )
