"""Programs that were pasted from notebooks: `%` and `!` lines, and cells whose last value is shown.

Lines keep their numbers and columns: what a message says about line 12 is true of the text that was pasted.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

CELL = re.compile(r"(?:^|(?<=\r))# %% In \[(\d{1,9})\][ \t]*(?=[\r\n]|\Z)", re.M)
"""The line before the code of each cell of a notebook that was opened as one program."""

_MAGIC = re.compile(r"(?P<indent>[ \t]*)(?P<mark>%%?(?=[A-Za-z])|!(?!=)|\?(?=\w))(?P<rest>.*)")
_ASKED = re.compile(r"(?P<indent>[ \t]*)[\w.]+\?{1,2}[ \t]*$")
_TIMED = re.compile(r"[ \t]*(?P<magic>%(?:time|timeit|prun)(?:[ \t]+-\w+(?:[ \t]+\d+)?)*[ \t]+)(?P<code>\S.*)")
_TEXT = re.compile(r"""'(?:[^'\\]|\\.)*+(?:'|(?P<open>\\?\Z))|"(?:[^"\\]|\\.)*+(?:"|(?P<open2>\\?\Z))|#.*""")
"""Texts and comments of a line. A text that does not end in it is one as well, lest each quote in it begin another."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""What Python takes for a line."""
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
    lines, passed = _LINE.findall(source), list[Passed]()
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
        code = _TEXT.sub(lambda found: "" if found.lastgroup is None else found[0], text)
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
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("this is no notebook: it is nested too deep") from None
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


_COMMAND = re.compile(r"^[ \t]*(%%?[A-Za-z]|!\w)", re.M)


def is_notebook(source: str) -> bool:
    """Whether a program has cells, or commands that notebooks alone understand."""
    return CELL.search(source) is not None or _COMMAND.search(source) is not None


def join_cells(tree: ast.Module) -> None:
    """Allow what cells may say, which are modules of their own: `global` of a name that an earlier one has used, and
    `from __future__` anywhere."""
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    tree.body = future + [node for node in tree.body if node not in future and not isinstance(node, ast.Global)]


def show_results(tree: ast.Module, source: str) -> None:
    """Make the last expression of every cell of an opened notebook shown, as notebooks do, unless `;` follows it."""
    starts = [line for _, line in marks(source)]
    if not starts:
        return
    lines = _LINE.findall(source)
    last = set(_last_of_cells(tree, starts))
    draws = "matplotlib" in source or "pylab" in source
    body: list[ast.stmt] = []
    for i, node in enumerate(tree.body):
        if i in last and isinstance(node, ast.Expr) and not _is_silent(node, lines):
            body.append(ast.copy_location(ast.Expr(_called(SHOWN, node, node.value)), node))
        else:
            body.append(node)
        if i in last and draws:
            body.append(ast.copy_location(ast.Expr(_called(ENDED, node)), node))
    tree.body = body


def _is_silent(node: ast.Expr, lines: list[str]) -> bool:
    assert node.end_lineno is not None
    return lines[node.end_lineno - 1].encode()[node.end_col_offset :].decode().lstrip().startswith(";")


def _called(name: str, node: ast.stmt, *args: ast.expr) -> ast.expr:
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, [*args], []), node)


def _last_of_cells(tree: ast.Module, starts: list[int]) -> Iterator[int]:
    for i, node in enumerate(tree.body):
        following = bisect_right(starts, node.lineno)
        if i + 1 == len(tree.body) or following < len(starts) and starts[following] < tree.body[i + 1].lineno:
            yield i


def marks(source: str) -> list[tuple[int, int]]:
    """The numbers of a notebook's cells, and the lines that stand before them."""
    if CELL.search(source) is None:
        return []
    found = [CELL.match(line.rstrip("\r\n")) for line in _LINE.findall(source)]
    return [(int(mark[1]), line) for line, mark in enumerate(found, 1) if mark is not None]


def place_in_cell(cells: list[tuple[int, int]], line: int) -> tuple[int, int] | None:
    """The number of the cell a line belongs to, and the line's number in it; None outside of notebooks."""
    place = bisect_right(cells, line - 1, key=lambda mark: mark[1])
    return (cells[place - 1][0], line - cells[place - 1][1]) if place else None
