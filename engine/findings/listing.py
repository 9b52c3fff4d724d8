"""Runs of several files, as captured ones are: one listing for the rules, and its lines told in their files again."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import PurePath
from typing import Any

Row = dict[str, Any]

_LINES = frozenset({"line", "end_line", "registered"})


class Line(int):
    """A line of the listing that is written as that of its file."""

    words: str

    def __format__(self, spec: str) -> str:
        return self.words


class Listing:
    """A document whose program is its files, one after another. `before`: the lines that come before each of them."""

    def __init__(self, document: Row) -> None:
        self.files: list[Row] = document["files"]
        self.before = [0]
        code = str(document["source"].get("code") or "").rstrip("\n")
        for file in self.files[1:]:
            code += "\n"
            self.before.append(code.count("\n") - file.get("first_line", 1) + 1)
            code += str(file["code"]).rstrip("\n")
        moved = {key: value if key in ("values", "files") else self._moved(value) for key, value in document.items()}
        self.document: Row = {**moved, "source": {**document["source"], "code": code}}

    def line(self, line: int) -> Line:
        """A line of the listing as one that knows its file."""
        return self._line(self._file(line), line)

    def own(self, row: Row) -> Row:
        """A finding with the lines of one file, that of its first line; changes are offered for the main file alone."""
        if not row["lines"]:
            return row
        files = [self._file(line) for line in row["lines"]]
        file = files[0]
        row["lines"] = [line - self.before[file] for line, at in zip(row["lines"], files, strict=True) if at == file]
        if file:
            row["file"] = file
            row["fix"] = {"text": row["fix"]["text"]}
        return row

    def _file(self, line: int) -> int:
        return bisect_right(self.before, line - 1) - 1

    def _line(self, file: int, line: int) -> Line:
        found = Line(line)
        found.words = str(line - self.before[file])
        if file:
            found.words += f" of {PurePath(self.files[file]['name']).name}"
        return found

    def _moved(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._moved(each) for each in value] if value and isinstance(value[0], dict) else value
        if not isinstance(value, dict):
            return value
        file = value.get("file", 0)
        file = file if isinstance(file, int) and file < len(self.before) else 0

        def listed(line: Any) -> Any:
            return self._line(file, line + self.before[file]) if isinstance(line, int) else line

        return {
            key: listed(entry)
            if key in _LINES
            else [listed(line) for line in entry]
            if key == "related_lines"
            else self._moved(entry)
            for key, entry in value.items()
        }
