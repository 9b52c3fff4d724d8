"""Names that a function takes from around it: globals that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import CodeType, FrameType
from typing import Any


def globals_of(code: CodeType, variables: Mapping[str, Any]) -> dict[str, Any]:
    """What is held by the globals that a function names, or a function written in it."""
    return {name: variables[name] for name in dict.fromkeys(_names(code)) if name in variables}


def variables_of(frame: FrameType) -> dict[str, Any]:
    """What a frame can name: its variables, and before them such globals."""
    return {**globals_of(frame.f_code, frame.f_globals), **frame.f_locals}


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
