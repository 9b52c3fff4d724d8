"""Where in the user's files something happens."""

from __future__ import annotations

import linecache
import os
from itertools import islice
from types import CodeType, FrameType
from typing import Any, NamedTuple

import torch.autograd.graph

from .owners import HERE, TORCH, Code, is_installed, libraries, said

USER, LIBRARY, SILENT, ENGINE, OPTIMIZER = range(5)
"""Whose code it is: the user's, a library's, one that only looks (printing), the backward engine's, an optimizer's."""

_LOOKING = ("_tensor_str.py", "autograd/__init__.py", "nn/parameter.py")
"""Files of PyTorch whose operators are no part of the program: printing, gradients that `backward()` begins with."""

_TYPED = ("<ipython-input", "<command-", "<stdin>", "<python-input-")
"""How the files are called that cells of notebooks are, and what is typed to Python (from 3.13 on the last)."""


class Place(NamedTuple):
    """A place in a file of the document, as ops have it; columns count characters from 0."""

    file: int
    line: int
    column: int | None
    end_line: int | None
    end_column: int | None


class Positions:
    """Tells whose code runs, and where. `files`: those in which something was recorded, the main one first.
    `code`: what else than the main file is the user's, where that is said.

    Code is known by its identity, as Python computes its hash from all its constants, every time anew; `_met` keeps it.
    """

    def __init__(self, main: str, code: Code | None = None) -> None:
        self.main = main
        self._said = said(code)
        self._libraries = libraries(main)
        self.files = [main]
        self._numbers = {main: 0}
        self.engine: CodeType = torch.autograd.graph._engine_run_backward.__code__
        self._met: list[CodeType] = []
        self._kinds: dict[int, int] = {}
        self._places: dict[tuple[int, int], Place] = {}

    def kind(self, code: CodeType) -> int:
        """Whose code this is."""
        found = self._kinds.get(id(code))
        if found is None:
            self._met.append(code)
            found = self._kinds[id(code)] = self.kind_of(code.co_filename, code.co_name)
        return found

    def kind_of(self, filename: str, name: str = "") -> int:
        """Whose file it is, or whose function in it."""
        if filename == self.main:
            return USER
        if filename.startswith("<"):
            return USER if filename.startswith(_TYPED) else LIBRARY
        if filename.startswith(TORCH):
            inside = filename[len(TORCH) :].replace(os.sep, "/")
            if inside.startswith("optim/"):
                return OPTIMIZER
            if inside in _LOOKING:
                return SILENT
            return ENGINE if inside == "autograd/graph.py" and name == "_engine_run_backward" else LIBRARY
        if self._said is not None:
            users = any(filename == one or (one.endswith(os.sep) and filename.startswith(one)) for one in self._said)
            return USER if users and not filename.startswith(HERE) else LIBRARY
        return LIBRARY if filename.startswith(self._libraries) or is_installed(filename) else USER

    def find(self, frame: FrameType | None) -> tuple[Place | None, int]:
        """The innermost place in the user's files above a frame, and who called from there on the way."""
        caller, kinds = USER, self._kinds
        while frame is not None:
            kind = kinds.get(id(frame.f_code))
            if kind is None:
                kind = self.kind(frame.f_code)
            if kind == USER:
                return self._places.get((id(frame.f_code), frame.f_lasti)) or self.place(frame), caller
            if kind > caller:
                caller = kind
                if kind == ENGINE:
                    return None, caller
            frame = frame.f_back
        return None, caller

    def user(self, frame: FrameType | None) -> Place | None:
        """The innermost place in the user's files above a frame, whoever is on the way."""
        while frame is not None:
            if self.kind(frame.f_code) == USER:
                return self.place(frame)
            frame = frame.f_back
        return None

    def place(self, frame: FrameType) -> Place:
        """Where a frame of the user's is, whose `kind` was asked for."""
        return self.instruction(frame.f_code, frame.f_lasti, frame.f_lineno)

    def instruction(self, code: CodeType, last: int, line: int | None) -> Place:
        """Where the instruction at `last` of the user's code is, on a line, if that is known."""
        found = self._places.get((id(code), last))
        if found is None:
            file = self.file(code.co_filename)
            found = Place(file, line or code.co_firstlineno, None, None, None)
            position = next(islice(code.co_positions(), last // 2, None), None)
            if position is not None:
                name, (start, end_line, column, end_column) = code.co_filename, position
                column, end_column = _characters(name, start, column), _characters(name, end_line, end_column)
                found = Place(file, start or found.line, column, end_line, end_column)
            self._places[id(code), last] = found
        return found

    def file(self, name: str) -> int:
        """The number of a file, which is in the document from now on."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.files)
            self.files.append(name)
        return number


def _characters(filename: str, line: int | None, column: int | None) -> int | None:
    """A column in characters, for one of Python's, which count bytes of UTF-8."""
    text = linecache.getline(filename, line) if line and column else ""
    return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))


def text_of(filename: str) -> str:
    """The text of a file, or of a cell of a notebook; empty where there is none."""
    return "".join(linecache.getlines(filename))


def at(row: dict[str, Any], place: Place | None) -> dict[str, Any]:
    """`row` with `line`, and with `file` where that is not the main one."""
    row["line"] = None if place is None else place.line
    if place is not None and place.file:
        row["file"] = place.file
    return row
