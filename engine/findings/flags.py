"""Rule: a flag that is set where it does nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .facts import Facts
from .finding import Found, Rule
from .source import Edit, names_in

NO_GRAD = "element 0 of tensors does not require grad"
"""The beginning of PyTorch's error about a root without a graph."""
FLAG = "requires_grad"
MISSPELT = re.compile(r"requi\w*_?grad\w*", re.IGNORECASE)
SET = re.compile(r"\.requi\w*grad\w*\s*=\s*(?:True|False)\b", re.IGNORECASE)
PARTS = frozenset({"children", "modules", "named_children", "named_modules"})
"""Methods that give a module's modules."""

Flag = tuple[ast.Assign, ast.Attribute, bool]
"""(statement, target, whether it is misspelt)."""


def flags(facts: Facts) -> list[Flag]:
    """Statements that set a flag which nothing looks at."""
    known: list[Flag] | None = facts.known.get("flags")
    if known is None:
        known = facts.known["flags"] = list(_flags(facts)) if SET.search(facts.source.code) else []
    return known


def _flags(facts: Facts) -> Iterator[Flag]:
    parts = list(ast.walk(facts.source.tree))
    read = {part.attr for part in parts if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load)}
    modules = {module["path"] for module in facts.document["modules"]}
    for part in parts:
        if isinstance(part, ast.For) and isinstance(part.iter, ast.Call) and _method(part.iter) in PARTS:
            modules.update(names_in(part.target))
    for part in parts:
        if not isinstance(part, ast.Assign) or not isinstance(part.value, ast.Constant):
            continue
        for target in part.targets:
            if not isinstance(target, ast.Attribute) or not isinstance(part.value.value, bool):
                continue
            owner = facts.source.text(target.value)
            module = re.sub(r"\[-?\d+\]$", "", owner) in modules
            if target.attr == FLAG and module and not part.value.value:
                yield part, target, False
            elif _slip(target.attr) and target.attr not in read and owner not in ("self", "cls", "ctx"):
                yield part, target, True


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _slip(name: str) -> bool:
    return name != FLAG and MISSPELT.fullmatch(name) is not None


def flag_without_effect(facts: Facts) -> Iterator[Found]:
    """`model.requires_grad = False`, and `p.require_grad = False`."""
    failed = facts.error is not None and facts.error["message"].startswith(NO_GRAD)
    for statement, target, misspelt in flags(facts):
        owner, value = facts.source.text(target.value), facts.source.text(statement.value)
        told = f"{owner}.{target.attr} = {value} on line {facts.shown(statement.lineno)}"
        yield Found(
            f"{told} sets an attribute that nothing reads: the flag is called requires_grad"
            if misspelt
            else f"{told} sets an attribute of the module: its parameters require grad as before",
            [statement.lineno],
            edits=[facts.source.replace(target, f"{owner}.{FLAG}")] if misspelt else [_call(facts, statement, owner)],
            fix=f"Write {owner}.{FLAG} = {value}." if misspelt else f"Write {owner}.requires_grad_({value}).",
            severity="error" if failed and misspelt and value == "True" else None,
            explains_error=failed and misspelt and value == "True",
        )


def _call(facts: Facts, statement: ast.Assign, owner: str) -> Edit:
    edit = facts.source.replace(statement.value, f"{owner}.requires_grad_(False)")
    return {**edit, "line": statement.lineno, "column": statement.col_offset}


RULES = [
    Rule(
        "flag-without-effect", "arrival", "warning",
        "The program sets requires_grad of a module to False, or a flag of a tensor whose name is a slip of it.",
        "Python lets attributes of any name be set, and says nothing. Only tensors have the flag, and only under its "
        "name; a module has a method that sets it for all of its parameters.",
        "Write p.requires_grad = False for a tensor, module.requires_grad_(False) for a module.",
        "Silent where the program reads the attribute itself.", flag_without_effect,
    ),
]  # fmt: skip
