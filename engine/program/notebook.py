"""Programs that were pasted from notebooks: `%` and `!` lines, and cells whose last value is shown.

Lines keep their numbers and columns: what a message says about line 12 is true of the text that was pasted.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

CELL = re.compile(r"^# %% In \[(\d+)\][ \t]*$", re.M)
"""The line before the code of each cell of a notebook that was opened as one program."""

_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?P<mark>%%?(?=[A-Za-z])|!(?!=)|\?(?=\w))(?P<rest>.*)")
_ASKED = re.compile(r"(?P<indent>[ \t]*)[\w.]+\?{1,2}[ \t]*$")
_TIMED = re.compile(r"[ \t]*(?P<magic>%(?:time|timeit|prun)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]+)(?P<code>\S.*)")
_TEXT = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|#.*""")
FOREIGN = frozenset(
    "bash sh script html HTML javascript js latex markdown svg writefile perl ruby R cython sql".split()
)
"""Cell magics after which no Python follows."""

SHOWN = "*shown"
"""The name of the function that shows the value of a cell; no program can write it."""
ENDED = "*ended"
"""The name of the function that is called after each cell of a notebook that draws."""


class Passed(NamedTuple):
    """A line that means something to notebooks only."""

    line: int
    what: str


def as_python(source: str) -> tuple[str, list[Passed]]:
    """The text without what only notebooks understand, and the lines that were passed over.

    A line within an expression may well start with % or !, so this is for texts that are no Python as they are.
    """
    lines, passed = source.splitlines(keepends=True), list[Passed]()
    depth, foreign, continued = 0, False, False
    for i, line in enumerate(lines):
        text = line.rstrip("\r\n")
        if CELL.match(text):
            depth, foreign, continued = 0, False, False
        made = "" if foreign else None if depth or continued else _python(text)
        if made is not None:
            lines[i] = made + line[len(text) :]
            if not foreign:
                passed.append(Passed(i + 1, _meaning(text)))
                foreign = _is_foreign(text)
            continue
        code = _TEXT.sub("", text)
        depth = max(0, depth + sum(map(code.count, "([{")) - sum(map(code.count, ")]}")))
        continued = code.endswith("\\")
    return "".join(lines), passed


def _python(text: str) -> str | None:
    """What stands in place of a line, None if it stays as it is."""
    timed = _TIMED.fullmatch(text)
    if timed is not None:  # the code runs once, at its place
        start, end = timed.span("magic")
        return text[:start] + "0;".ljust(end - start) + timed["code"]
    found = _MAGIC.fullmatch(text) or _ASKED.fullmatch(text)
    return None if found is None else found["indent"] + "pass"


def _meaning(text: str) -> str:
    text = text.strip()
    if text[0] == "!":
        return "is a shell command: it is passed over"
    if _TIMED.fullmatch(text):
        return "is timed by notebooks: its code runs once"
    if text[0] == "%":
        return "is a notebook command: it is passed over"
    return "asks a notebook for help: it is passed over"


_EXPORTED = frozenset({"run_line_magic", "magic", "system"})
"""What exported notebooks call of `get_ipython()` where a line began with % or !."""


def pass_exported(tree: ast.Module, source: str) -> list[Passed]:
    """Pass over the statements that a notebook's commands have become in a script, and tell which."""
    passed = list[Passed]()
    if "get_ipython()." not in source:
        return passed
    for i, node in enumerate(tree.body):
        if isinstance(node, ast.Expr) and _is_exported(node.value):
            tree.body[i] = ast.copy_location(ast.Pass(), node)
            passed.append(Passed(node.lineno, "is a notebook command: it is passed over"))
    return passed


def _is_exported(value: ast.expr) -> bool:
    method = value.func if isinstance(value, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr not in _EXPORTED:
        return False
    shell = method.value
    return isinstance(shell, ast.Call) and isinstance(shell.func, ast.Name) and shell.func.id == "get_ipython"


def _is_foreign(text: str) -> bool:
    return text.startswith("%%") and text[2:].partition(" ")[0].strip() in FOREIGN


def from_ipynb(text: str) -> str:
    """The code of a notebook's file (nbformat 3 or 4) as one program. Raises ValueError for anything else."""
    content = json.loads(text)
    sheets = [content] if isinstance(content, dict) else []
    sheets += [sheet for content in sheets for sheet in _listed(content.get("worksheets"))]
    cells = [cell for sheet in sheets for cell in _listed(sheet.get("cells"))]
    if not cells:
        raise ValueError("this is no notebook: it has no cells")
    made = list[str]()
    for cell in cells:
        if cell.get("cell_type") == "code":
            source = cell.get("source", cell.get("input", ""))
            code = "".join(map(str, source)) if isinstance(source, list) else str(source)
            made.append(f"# %% In [{len(made) + 1}]\n{code.rstrip()}\n")
    return "\n".join(made)


def _listed(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def show_results(tree: ast.Module, source: str) -> None:
    """Make the last expression of every cell of an opened notebook shown, as notebooks do, unless `;` follows it."""
    starts = [source.count("\n", 0, found.start()) + 1 for found in CELL.finditer(source)]
    if not starts:
        return
    lines = source.split("\n")
    for i, node in _last_of_cells(tree, starts):
        assert node.end_lineno is not None
        ended = lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode()
        if isinstance(node, ast.Expr) and not ended.lstrip().startswith(";"):
            show = ast.copy_location(ast.Name(SHOWN, ast.Load()), node)
            tree.body[i] = ast.copy_location(ast.Expr(ast.copy_location(ast.Call(show, [node.value], []), node)), node)
    if "matplotlib" in source or "pylab" in source:
        for i, node in reversed(list(_last_of_cells(tree, starts))):
            end = ast.copy_location(ast.Call(ast.copy_location(ast.Name(ENDED, ast.Load()), node), [], []), node)
            tree.body.insert(i + 1, ast.copy_location(ast.Expr(end), node))


def _last_of_cells(tree: ast.Module, starts: list[int]) -> Iterator[tuple[int, ast.stmt]]:
    for i, node in enumerate(tree.body):
        following = tree.body[i + 1].lineno if i + 1 < len(tree.body) else None
        if following is None or any(node.lineno < start < following for start in starts):
            yield i, node


def place_in_cell(source: str, line: int) -> tuple[int, int] | None:
    """The number of the cell a line belongs to, and the line's number in it; None outside of notebooks."""
    found = None
    for mark in CELL.finditer(source):
        start = source.count("\n", 0, mark.start()) + 1
        if start >= line:
            break
        found = int(mark[1]), line - start
    return found
