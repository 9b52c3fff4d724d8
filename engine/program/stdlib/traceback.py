"""`traceback`: the program's own frames, as text. What goes to stderr is not part of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.builtins import BUILTINS
from engine.program.charges import made, written
from engine.program.exceptions import ExceptionValue, Traceback, traceback_of
from engine.program.handling import handled
from engine.program.items import subscript
from engine.program.text import to_text
from engine.program.values import Builtin, Module

_FILE = "<program>"
_SHOWN = 3
"""Equal frames after each other that are all listed."""
_GIVEN: Any = object()
_BY_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_BY_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
_HEAD = "Traceback (most recent call last):\n"


def _frames(trace: Any, limit: int | None) -> list[tuple[int, str]]:
    if trace is not None and type(trace) is not Traceback:
        raise TypeError(f"traceback expected, {type(trace).__name__} found")
    frames = [] if trace is None else trace.frames
    if limit is not None:
        frames = frames[:limit] if limit >= 0 else frames[limit:]
    meter.charge(len(frames) >> 3)
    return frames


@lru_cache(256)
def _frame(line: int, name: str) -> str:
    return f'  File "{_FILE}", line {line}, in {name}\n'


def listed(frames: list[tuple[int, str]]) -> Iterator[str]:
    """A line for each frame."""
    for (line, name), same in groupby(frames):
        count = len(list(same))
        yield from [_frame(line, name)] * min(count, _SHOWN)
        if count > _SHOWN:
            more = count - _SHOWN
            yield f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n"


def _last(value: Any) -> list[str]:
    """What stands below the frames: the exception and its notes."""
    kind = type(value)
    module, name = kind.__module__, kind.__qualname__
    shown = name if module in ("__main__", "builtins") else f"{module}.{name}"
    text = to_text(value)
    notes = value.__dict__.get("__notes__") or []
    lines = [f"{shown}: {text}\n" if text else f"{shown}\n", *(f"{to_text(note)}\n" for note in notes)]
    written(sum(map(len, lines)))
    return lines


def _link(value: ExceptionValue) -> tuple[Any, str]:
    """The exception that led to this one, and how."""
    state = value.__dict__
    if state.get("__cause__") is not None:
        return state["__cause__"], _BY_CAUSE
    return (None if state.get("__suppress_context__") else state.get("__context__")), _BY_CONTEXT


def pieces(value: Any, trace: Any = _GIVEN, limit: int | None = None, chain: bool = True) -> list[str]:
    """The lines that tell of an exception, those of what led to it first."""
    if value is None:
        return ["NoneType: None\n"]
    told: list[list[str]] = []
    seen: set[int] = set()
    between = ""
    while value is not None and id(value) not in seen:
        seen.add(id(value))
        frames = _frames(traceback_of(value) if trace is _GIVEN else trace, limit)
        lines = [_HEAD, *listed(frames)] if frames else []
        lines += _last(value)
        told.append([*lines, between] if between else lines)
        meter.charge(2)
        if not chain:
            break
        value, between = _link(value)
        trace = _GIVEN
    pieces = [piece for lines in reversed(told) for piece in lines]
    written(sum(map(len, pieces)))
    return pieces


def _check(told: Any) -> None:
    if told is not None and not isinstance(told, ExceptionValue):
        raise TypeError(f"Exception expected for value, {type(told).__name__} found")


def _told(exc: Any, value: Any, tb: Any) -> tuple[Any, Any]:
    """(exception, traceback) of what was given: an exception alone, or its type, itself and its traceback."""
    if (value is _GIVEN) != (tb is _GIVEN):
        raise ValueError("Both or neither of value and tb must be given")
    told = exc if value is _GIVEN else value
    _check(told)
    return told, tb


def _format_exception(
    exc: Any, /, value: Any = _GIVEN, tb: Any = _GIVEN, limit: int | None = None, chain: Any = True
) -> list[str]:
    return pieces(*_told(exc, value, tb), limit, bool(chain))


def _format_exception_only(exc: Any, /, value: Any = _GIVEN) -> list[str]:
    told = exc if value is _GIVEN else value
    _check(told)
    return ["NoneType: None\n"] if told is None else _last(told)


def _format_exc(limit: int | None = None, chain: Any = True) -> str:
    return "".join(pieces(handled(sessions.active), _GIVEN, limit, bool(chain)))


def _print(pieces: list[str], file: Any) -> None:
    if file is not None and not (type(file) is Module and file.name == "sys.stderr"):
        BUILTINS["print"].function("".join(pieces), end="", file=file)


def _print_exc(limit: int | None = None, file: Any = None, chain: Any = True) -> None:
    _print(pieces(handled(sessions.active), _GIVEN, limit, bool(chain)), file)


def _print_exception(
    exc: Any, /, value: Any = _GIVEN, tb: Any = _GIVEN, limit: int | None = None, file: Any = None, chain: Any = True
) -> None:
    _print(pieces(*_told(exc, value, tb), limit, bool(chain)), file)


def _format_tb(tb: Any, limit: int | None = None) -> list[str]:
    lines = list(listed(_frames(tb, limit)))
    written(sum(map(len, lines)))
    return lines


def _print_tb(tb: Any, limit: int | None = None, file: Any = None) -> None:
    _print([_HEAD, *_format_tb(tb, limit)] if tb is not None else [], file)


def _print_stack(*args: Any, **kwargs: Any) -> None:
    """Goes to stderr."""


class FrameSummary:
    """`traceback.FrameSummary`: a frame. Its line is empty, as that of code that was typed in."""

    __module__ = "traceback"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, filename: Any, lineno: Any, name: Any) -> None:
        self.filename, self.lineno, self.name, self.line = filename, lineno, name, ""

    def __iter__(self) -> Iterator[Any]:
        return iter([self.filename, self.lineno, self.name, self.line])

    def __len__(self) -> int:
        return 4

    def __getitem__(self, place: Any) -> Any:
        return subscript((self.filename, self.lineno, self.name, self.line), place)

    def __repr__(self) -> str:
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


class StackSummary(list[Any]):
    """`traceback.StackSummary`."""

    __module__ = "traceback"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def format(self) -> list[str]:
        return list(listed([(frame.lineno, frame.name) for frame in self]))


def _extract_tb(tb: Any, limit: int | None = None) -> StackSummary:
    frames = _frames(tb, limit)
    made(4 * len(frames))
    return StackSummary([FrameSummary(_FILE, line, name) for line, name in frames])


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "format_exc": _format_exc, "format_exception": _format_exception, "format_tb": _format_tb,
    "format_exception_only": _format_exception_only, "print_exc": _print_exc, "print_tb": _print_tb,
    "print_exception": _print_exception, "print_stack": _print_stack, "extract_tb": _extract_tb,
}  # fmt: skip
MODULES: dict[str, dict[str, Any]] = {
    "traceback": {name: Builtin(name, function) for name, function in _FUNCTIONS.items()}
    | {"FrameSummary": FrameSummary, "StackSummary": StackSummary}
}
