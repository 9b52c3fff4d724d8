"""Errors and warnings as data: the rows of `texts/*.txt`, made into functions when they are first asked for.

    # A comment.
    mm_shapes(first: Shape, second: Shape) RuntimeError
        mat1 and mat2 shapes cannot be multiplied ({first[0]}x{first[1]} and {second[0]}x{second[1]})

The text is what stands in an f-string: `{{` is a brace, `\\x20` a blank at the end of a line, `\\n` a newline after it.
A row of a warning issues it: once per run, if `once` and a key follow. A row of `str` makes a part of other texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

TABLES = {str(path): "\n" + path.read_text("utf-8") for path in sorted((Path(__file__).parent / "texts").glob("*.txt"))}
"""Files and what they hold. Read at once: a locked-down process opens no files later."""

_ROW = re.compile(r"^(\w+)\((.*)\) (\w+)(?: once (\S+))?\n((?: {4}.*\n|\n)+)", re.MULTILINE)


class Row(NamedTuple):
    """``kind``: the type that is made; ``once``: the key of a warning that is given once."""

    name: str
    parameters: str
    kind: str
    once: str | None
    text: str

    @property
    def warns(self) -> bool:
        return self.kind.endswith("Warning")

    @property
    def source(self) -> str:
        """The function, as Python has it."""
        text = "\n".join(line[4:] for line in self.text.rstrip("\n").split("\n"))
        quotes = "'''" if text.endswith('"') else '"""'
        said = f"f{quotes}{text}{quotes}"
        if not self.warns:
            said = f"return {self.kind}({said})"
        else:
            said = f"warn({self.kind}, {said}, once={self.once and 'f' + repr(self.once)})"
        return f"from __future__ import annotations\ndef {self.name}({self.parameters}):\n    {said}\n"


def rows() -> Iterator[Row]:
    """All rows, file by file."""
    for table in TABLES.values():
        for found in _ROW.finditer(table):
            yield Row(*found.groups())


def make(name: str, scope: dict[str, Any]) -> bool:
    """Put the function of a row, and of those that its text calls, among these globals. False: there is no such row."""
    for file, table in TABLES.items():
        place = table.find(f"\n{name}(")
        if place >= 0:
            found = _ROW.match(table, place + 1)
            assert found is not None, name
            lines = "\n" * (table.count("\n", 0, place) - 1)  # a traceback shows the row
            exec(compile(lines + Row(*found.groups()).source, file, "exec"), scope)
            for called in scope[name].__code__.co_names:
                if called not in scope:
                    make(called, scope)
            return True
    return False
