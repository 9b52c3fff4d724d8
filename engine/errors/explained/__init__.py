"""What an error means and the smallest change that helps, in our own words.

PyTorch's text says what is wrong; these say why it happened and what to do. Each is found by a pattern on the text, so
it also fits texts that a program raises itself in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from . import autograd, libraries, modules, python, tensors
from .expression import Expression, unnamed

__all__ = ["Explanation", "Expression", "explain"]


class Explanation(NamedTuple):
    """``explanation``: why it happened; ``fix``: the smallest change that helps."""

    explanation: str
    fix: str


class _Row(NamedTuple):
    types: frozenset[str]
    pattern: re.Pattern[str]
    explanation: str
    fix: str


TABLES = (autograd.TABLE, libraries.TABLE, tensors.TABLE, modules.TABLE, python.TABLE)

Table = list[tuple[str, str, str, str]]


@cache
def _rows(of_layers: bool) -> tuple[_Row, ...]:
    tables: Sequence[Table] = (modules.OF_LAYERS, *TABLES) if of_layers else TABLES
    return tuple(
        _Row(frozenset(types.split()), re.compile(pattern, re.DOTALL), explanation, fix)
        for table in tables
        for types, pattern, explanation, fix in table
    )


def explain(
    type_name: str, message: str, bases: Sequence[str] = (), raised: Expression | None = None
) -> Explanation | None:
    """The explanation of an exception, or None if there is none.

    ``type_name``: ``RuntimeError``; ``bases``: names of the classes it derives from, for exceptions of a program;
    ``raised``: the expression of the program that did.
    """
    names = {type_name, *bases}
    for row in _rows(raised is not None and raised.of_a_layer):
        if names.isdisjoint(row.types):
            continue
        match = row.pattern.match(message)
        if match is not None:
            found = {**match.groupdict(), **(unnamed() if raised is None else raised.names())}
            return Explanation(row.explanation.format(**found), row.fix.format(**found))
    return None
