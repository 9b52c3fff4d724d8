"""The trees of a run document: of its formulas, and of the expressions that made tensors without a name; and PyTorch's
own formulas beside them."""

from __future__ import annotations

import re
from typing import Any

from .derivatives import derivatives
from .tree import Tree, read, read_formula

LONGEST, MOST = 40, 400
"""Characters of an expression that stands in a formula for its tensor, and how many a document has."""


def trees(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """`formulas` and `expressions`, by their text, where what has no tree is left out, and `derivatives`, by node."""
    texts = {shown["text"]: None for node in document["nodes"] for shown in node["formula"].values()}
    formulas = {text: read_formula(text) for text in texts}
    expressions = {text: read(text) for text in _expressions(document)}
    tables: dict[str, dict[str, Any]] = {
        "formulas": _known(formulas),
        "expressions": _known(expressions),
        "derivatives": derivatives(node["name"] for node in document["nodes"] if node["formula"]),
    }
    return {field: table for field, table in tables.items() if table}


def _known(table: dict[str, Tree]) -> dict[str, Tree]:
    return {text: tree for text, tree in table.items() if tree is not None}


# Strings are no mathematics. Python warns of some, and of numbers such as 1if; programs can replace what that calls.
_WARNED_OF = re.compile(r"""["'\\]|(?<![\w.])\d[\w.]*[A-Za-df-z_]""")


def _expressions(document: dict[str, Any]) -> list[str]:
    """The sources, each once, of tensors that have no name and are therefore called by what made them."""
    lines = (document["source"].get("code") or "").split("\n")
    nameless = {tensor["id"] for tensor in document["tensors"] if tensor["name"] is None}
    found: dict[str, None] = {}
    for op in document["ops"]:
        line, start, end = op["line"], op["column"], op["end_column"]
        if line is None or start is None or op["end_line"] != line or op.get("file"):
            continue
        if nameless.isdisjoint(op["outputs"]) or not 0 < end - start <= LONGEST or line > len(lines):
            continue
        text = lines[line - 1][start:end]
        if not text.isidentifier() and not _WARNED_OF.search(text):
            found.setdefault(text)
        if len(found) == MOST:
            break
    return [*found]
