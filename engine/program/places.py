"""Where in a program something happens: the innermost of its frames, and the last instruction there."""

from __future__ import annotations

import dis
from sys import _getframe
from types import CodeType, FrameType

from engine.core.state import Position, State

ENGINE = __file__.rpartition("program")[0]
"""Where the code of the engine lies."""
FILE = "<program>"
"""What the code of a program says it was compiled from: this very object."""
_JUMPS = frozenset(number for name, number in dis.opmap.items() if "JUMP" in name and "IF" in name)
"""What asks a value whether it is true, and goes on elsewhere."""


def depth() -> int:
    """How many frames there are."""
    frame: FrameType | None = _getframe(1)
    found = 0
    while frame is not None:
        found += 1
        frame = frame.f_back
    return found


class Places:
    """Positions in characters, of the code of one program with these lines."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.known: dict[int, dict[int, Position | None]] = {}
        self._codes: list[CodeType] = []  # lest another gets the address of one
        self._listed: dict[int, list[tuple[int | None, ...]]] = {}

    def of(self, code: CodeType, instruction: int) -> Position | None:
        """The expression that an instruction belongs to."""
        known = self.known.get(id(code))
        if known is None:
            known = self.known[id(code)] = {}
            self._codes.append(code)
        if instruction not in known:
            known[instruction] = self._find(code, instruction)
        return known[instruction]

    def _find(self, code: CodeType, instruction: int) -> Position | None:
        if instruction < 0:
            return None
        listed = self._listed.get(id(code))
        if listed is None:
            listed = self._listed[id(code)] = list(code.co_positions())
        at = instruction // 2
        if at and code.co_code[instruction] in _JUMPS:
            at -= 1  # what is asked: to Python, it is the statement that asks
        line, end_line, column, end_column = listed[at]
        if line is None:
            return None
        if end_line is None or column is None or end_column is None:
            return (line, 0, line, 0)
        return (line, self._characters(line, column), end_line, self._characters(end_line, end_column))

    def _characters(self, line: int, column: int) -> int:
        """A column in bytes of UTF-8 as one in characters."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return column if text.isascii() else len(text.encode()[:column].decode("utf-8", "ignore"))


class Placed(State):
    """The engine's state while a program runs: its position is looked up when someone asks."""

    __slots__ = ()
    places = Places([])

    @property
    def position(self) -> Position | None:
        """The running expression of the program; None outside of it."""
        frame: FrameType | None = _getframe(2)  # who asks is not the program
        while frame is not None:
            code = frame.f_code
            if code.co_filename is FILE:
                try:
                    return Placed.places.known[id(code)][frame.f_lasti]
                except KeyError:
                    return Placed.places.of(code, frame.f_lasti)
            frame = frame.f_back
        return None

    @position.setter
    def position(self, value: Position | None) -> None:
        """The program itself says where it is."""
