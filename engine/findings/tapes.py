"""Rules: a program's own autograd, beside what PyTorch gives for the same expression."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts, Row
from .finding import Found, Rule
from .names import name_of
from .source import Edit, called, names_in


def _slips(facts: Facts, kind: str) -> Iterator[Row]:
    tape = facts.document.get("tape") or {}
    for slip in tape.get("slips", ()):
        if slip["kind"] == kind:
            yield slip


def _number(facts: Facts, value: str | None) -> str:
    numbers = facts.numbers(value)
    return f"{numbers[0]:.4g}" if len(numbers) == 1 else "another one"


def _found(facts: Facts, slip: Row, headline: str, edits: list[Edit] | None = None) -> Found:
    node = [slip["node"]] if slip["node"] else []
    values = {name: facts.numbers(slip[name]) for name in ("got", "expected")}
    return Found(headline, [slip["line"]], [slip["tensor"]], node, values=values, edits=edits or [])


def overwritten(facts: Facts) -> Iterator[Found]:
    """`=` where a gradient had arrived already."""
    for slip in _slips(facts, "overwritten"):
        got, expected = _number(facts, slip["got"]), _number(facts, slip["expected"])
        name = name_of(facts, slip["tensor"])
        text = f"{slip['text']} = overwrites what had arrived at {name}: its gradient is {got}"
        yield _found(facts, slip, f"{text}, PyTorch gives {expected}", _adding(facts, slip))


def _adding(facts: Facts, slip: Row) -> list[Edit]:
    """`+=` in the place of `=`, where the gradient is 0 before."""
    for statement in facts.source.block(slip["line"]):
        if statement.lineno != slip["line"] or not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Attribute | ast.Subscript) or ast.unparse(target) != slip["text"]:
            continue
        if _begins(facts, target):
            line = target.end_lineno or target.lineno
            column = facts.source.lines[line - 1].index("=", target.end_col_offset)
            return [{"line": line, "column": column, "end_line": line, "end_column": column, "new": "+"}]
    return []


def _begins(facts: Facts, target: ast.Attribute | ast.Subscript) -> bool:
    """Whether the program puts a 0 where a target stores, when it makes what that belongs to."""
    nodes = list(ast.walk(facts.source.tree))
    match target:
        case ast.Attribute(attr=name):
            found = [n for n in nodes if isinstance(n, ast.Assign) and _is_zero(n.value)]
            return any(isinstance(t, ast.Attribute) and t.attr == name for n in found for t in n.targets)
        case ast.Subscript(slice=ast.Constant(int() as place)):
            return any(isinstance(n, ast.List) and place < len(n.elts) and _is_zero(n.elts[place]) for n in nodes)
        case ast.Subscript(slice=ast.Constant(key)):
            pairs = [pair for n in nodes if isinstance(n, ast.Dict) for pair in zip(n.keys, n.values, strict=True)]
            return any(isinstance(k, ast.Constant) and k.value == key and _is_zero(value) for k, value in pairs)
        case ast.Subscript(value=ast.Name(owner)):
            made = [n.value for n in nodes if isinstance(n, ast.Assign) and owner in names_in(*n.targets)]
            return any(map(_is_of_zeros, made))
    return False


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == 0


def _is_of_zeros(node: ast.expr) -> bool:
    """Whether an expression makes a dict or a list in which everything is 0 at first."""
    match node:
        case ast.DictComp(value=value) | ast.ListComp(elt=value) | ast.BinOp(left=ast.List([value]), op=ast.Mult()):
            return _is_zero(value)
        case ast.Call(args=[_, value]) if called(node) == "fromkeys":
            return _is_zero(value)
        case ast.Call(args=[ast.Name(name)]) if called(node) == "defaultdict":
            return name in ("float", "int")
        case ast.Call(args=[ast.Lambda(body=value)]) if called(node) == "defaultdict":
            return _is_zero(value)
    return False


def early(facts: Facts) -> Iterator[Found]:
    """A node that sent its gradient before all of it had arrived."""
    for slip in _slips(facts, "early"):
        name = name_of(facts, slip["tensor"])
        got, expected = _number(facts, slip["got"]), _number(facts, slip["expected"])
        text = f"{name} sends on {got} before all that belongs to it has arrived: that is {expected}"
        yield _found(facts, slip, text)


def derivative(facts: Facts) -> Iterator[Found]:
    """A node that sends another gradient than PyTorch's does."""
    for slip in _slips(facts, "derivative"):
        name, expected = name_of(facts, slip["tensor"]), _number(facts, slip["expected"])
        node = facts.nodes[slip["node"]]["name"] if slip["node"] in facts.nodes else "the operation"
        sends = "nothing" if slip["got"] is None else _number(facts, slip["got"])
        yield _found(facts, slip, f"{sends} reaches {name}, where {node} of PyTorch sends {expected}")


def kept(facts: Facts) -> Iterator[Found]:
    """A gradient of an earlier pass that is sent again."""
    for slip in _slips(facts, "kept"):
        name = name_of(facts, slip["tensor"])
        yield _found(facts, slip, f"{name} still has the gradient of an earlier pass, and sends it once more")


RULES = [
    Rule(
        "own-gradient-overwritten", "construction", "error",
        "In a program's own autograd, a gradient was stored by = where another one had arrived in the same pass, and "
        "what is left is not what PyTorch gives.",
        "What is used twice gets a gradient from each use, and they add up.",
        "Write += instead of =, and set gradients to 0 before the pass.",
        "Silent where the result is right, and for operations that are none of PyTorch's.", overwritten,
    ),
    Rule(
        "own-node-early", "construction", "error",
        "In a program's own autograd, a node sent its gradient on, another part of it arrived afterwards, and what is "
        "below it is not what PyTorch gives.",
        "A node may run when everything that uses its result has run.",
        "Sort the nodes so that each comes after all that use it: depth first, appended last, then reversed.",
        "Silent for recursion that sends every part by itself.", early,
    ),
    Rule(
        "own-derivative", "construction", "error",
        "In a program's own autograd, a node had the right gradient and sent another one than PyTorch's does.",
        "All gradients below it are wrong.",
        "Compare the line with the derivative of the operation.",
        "Silent for operations that are none of PyTorch's.", derivative,
    ),
    Rule(
        "own-gradient-kept", "construction", "error",
        "In a program's own autograd, a node that is no leaf had a gradient left from an earlier pass when its next "
        "one arrived, and the result is not what PyTorch gives.",
        "PyTorch adds only at leaves: what passes through other nodes begins at 0 in each pass.",
        "Set the gradients of all nodes to 0 before a pass, not those of the leaves alone.",
        "Silent where the result is right.", kept,
    ),
]  # fmt: skip
