"""Names for tensors: their variables, else what made them as the program or the picture spells it."""

from __future__ import annotations

import ast
import re

from .facts import Facts, Row
from .source import called

LONGEST = 40
"""Characters of an expression that is a name."""

AHEAD = 200
"""Ops after one in which its expression may go on."""

_PLACE = ("line", "column", "end_line", "end_column")

LEAVES = frozenset({
    "tensor", "randn", "rand", "zeros", "ones", "full", "empty", "eye", "linspace", "arange", "normal", "Parameter",
    "requires_grad_", "as_tensor", "from_numpy",
})  # fmt: skip
"""Functions of which the program has a leaf."""


def name_of(facts: Facts, tensor: str) -> str:
    """The name of a tensor's variable, or else words for it."""
    if tensor not in facts.known_names:
        facts.known_names[tensor] = _name(facts, tensor)
    return facts.known_names[tensor]


def names_of(facts: Facts, tensors: list[str]) -> str:
    """The names of a few tensors, and how many more there are."""
    shown = [name_of(facts, t) for t in tensors[:3]]
    more = len(tensors) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _name(facts: Facts, tensor: str) -> str:
    row = facts.tensors[tensor]
    if row["name"] or row.get("path"):
        return str(row["name"] or row["path"])
    made = facts.maker(tensor)
    if made is not None:
        return expression(facts, made) or f"the result of {_module(facts, made) or spoken(made['name'])}"
    if row["detached_from"] is not None:
        how = "data" if (row["why_no_grad"] or {}).get("cut") == "data" else "detach()"
        return attribute(_name(facts, row["detached_from"]), how)
    return _assigned(facts, row) or "a tensor"


def attribute(text: str, what: str) -> str:
    """`text.what`, in parentheses where the text is an operation."""
    try:
        parsed = ast.parse(text, mode="eval").body
    except SyntaxError:
        return f"{text}.{what}"
    return f"({text}).{what}" if isinstance(parsed, ast.BinOp | ast.UnaryOp | ast.Compare) else f"{text}.{what}"


def spoken(op: str) -> str:
    """The name of an op as people, and the picture, say it."""
    if op == "mkldnn_rnn_layer":
        return "lstm"
    if op.startswith("_scaled_dot_product"):
        return "attention"
    return re.sub(r"^_*((native|linalg_vector|linalg)_)?(?=\w)|_with_indices$", "", op)


def expression(facts: Facts, op: Row) -> str | None:
    """The short expression whose result is that of an op: of several ops of one expression, only of the last."""
    node = facts.source.expression(op)
    if node is None or node.lineno != node.end_lineno or len(op["outputs"]) > 1 or _goes_on(facts, op):
        return None
    text = facts.source.text(node)
    return text if len(text) <= LONGEST else None


def _goes_on(facts: Facts, op: Row) -> bool:
    """Whether later ops belong to the same expression, as those of a module that is called do, or it raised."""
    place = op["column"], op["end_column"]
    at = facts.number[op["id"]]
    for i in range(at + 1, min(at + AHEAD, len(facts.ops))):
        later = facts.ops[i]
        if later["line"] != op["line"]:
            continue
        if (later["column"], later["end_column"]) != place:
            return False
        return bool(later["scope"] == op["scope"] or i == at + 1 and _turn(facts, later) == _turn(facts, op))
    return facts.error is not None and all(op[key] == facts.error[key] for key in _PLACE)


def _turn(facts: Facts, op: Row) -> str | None:
    turns = facts.loops(op["scope"])
    return str(turns[0]["id"]) if turns else None


def _module(facts: Facts, op: Row) -> str | None:
    """The path of the module in which an op was the last, where its scope leads to only one."""
    scope = facts.scopes[op["scope"]]
    at = facts.number[op["id"]]
    if scope["kind"] != "module" or at + 1 < len(facts.ops) and facts.ops[at + 1]["scope"] == op["scope"]:
        return None
    key, _, kind = str(scope["label"]).rpartition(": ")
    modules = facts.document["modules"]
    paths = [m["path"] for m in modules if m["type"] == kind and key and m["path"].split(".")[-1] == key]
    return str(paths[0]) if len(paths) == 1 else None


def _assigned(facts: Facts, row: Row) -> str | None:
    """The target that a leaf was assigned to on the line that made it, where it is the only one of that line."""
    statement = facts.source.statement(row["line"])
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not row["requires_grad"]:
        return None
    value, target = statement.value, statement.targets[0]
    if not isinstance(value, ast.Call) or not isinstance(target, ast.Name | ast.Attribute):
        return None
    alone = called(value) in LEAVES and facts.made_on[row["line"]] == 1
    return facts.source.text(target) if alone else None
