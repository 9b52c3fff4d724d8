"""What an error means and the smallest change that helps, in our own words.

PyTorch's text says what is wrong; these say why it happened and what to do. Each is found by a pattern on the text, so
it also fits texts that a program raises itself in the same words. They are rows of text:

    # A comment.

    RuntimeError ValueError: element (?P<index>\\d+) of tensors
        Why it happened, on as many lines as it takes.
        → What helps.

`{index}` is what the pattern found, `{first:y}` a name of the program (`expression.py`). A line that begins with `|`
continues the pattern, and `(?&name)` in it is one of `PARTS`. After it, a line that begins with `@` is a pattern for
the text of the expression that raised: the row is about that alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .expression import Expression, unnamed
from .imports import IMPORTS

__all__ = ["Explanation", "Expression", "explain", "owners"]


class Explanation(NamedTuple):
    """``explanation``: why it happened; ``fix``: the smallest change that helps."""

    explanation: str
    fix: str


class Row(NamedTuple):
    types: frozenset[str]
    pattern: re.Pattern[str]
    of: re.Pattern[str] | None
    explanation: str
    fix: str


_name_of: Callable[[type], str] = vars(type)["__name__"].__get__

TABLES = ("autograd", "libraries", "tensors", "modules", "python")
OF_LAYERS = "layers"
"""Read first where what raised is the call of a layer."""

TEXTS = {name: (Path(__file__).parent / f"{name}.txt").read_text("utf-8") for name in (OF_LAYERS, *TABLES)}
"""Read at once: a locked-down process opens no files later."""

PARTS = {
    "argument": r"(?P<function>\w+)\(\): argument '(?P<argument>\w+)' (\(position \d+\) )?must be Tensor, not ",
    "imported": "|".join(IMPORTS),
    "parameter": r"Expected parameter (?P<name>\w+) \(.*?\) of distribution (?P<kind>\w+)\(",
    "uncalled": "(builtin_function_or_method|method_descriptor|method|function)",
}

CAUGHT = re.compile(r"Caught \w+ in \w+ .*?\.\nOriginal Traceback .*\n\w+: (.*)\n", re.DOTALL)
"""An error of another process, as PyTorch tells it: its own text is the last of it."""

ROW = re.compile(r"^(\w[\w ]*): (.*\n(?:\|.*\n)*)(?:@ (.*)\n)?((?: {4}.*\n)+)", re.MULTILINE)


def rows(table: str) -> Iterator[Row]:
    """The rows of a table, in the order in which they are tried."""
    for types, pattern, of, words in ROW.findall(TEXTS[table]):
        whole = re.sub(r"\(\?&(\w+)\)", lambda part: PARTS[part[1]], pattern.replace("\n", ""))
        explanation, fix = " ".join(words.split()).split(" → ")
        about = re.compile(of, re.DOTALL) if of else None
        yield Row(frozenset(types.split()), re.compile(whole, re.DOTALL), about, explanation, fix)


@cache
def _rows(of_layers: bool) -> tuple[Row, ...]:
    return tuple(row for table in ((OF_LAYERS, *TABLES) if of_layers else TABLES) for row in rows(table))


def explain(
    type_name: str, message: str, bases: Sequence[str] = (), raised: Expression | None = None
) -> Explanation | None:
    """The explanation of an exception, or None if there is none.

    ``type_name``: ``RuntimeError``; ``bases``: names of the classes it derives from, for exceptions of a program, and
    of its `owners`; ``raised``: the expression of the program that did.
    """
    names, message = {type_name, *bases}, CAUGHT.sub(r"\1", message)
    for row in _rows(raised is not None and raised.of_a_layer):
        if names.isdisjoint(row.types):
            continue
        match = row.pattern.match(message)
        about = None if row.of is None or raised is None else row.of.match(raised.text)
        if match is not None and (row.of is None or about is not None):
            found = {**match.groupdict(), **(about.groupdict() if about is not None else {})}
            found |= unnamed() if raised is None else raised.names()
            return Explanation(row.explanation.format(**found), row.fix.format(**found))
    return None


def owners(error: BaseException) -> tuple[str, ...]:
    """Names of the classes of what lacks an attribute: rows of the type ``Module`` are about modules."""
    owner = error.obj if type(error) is AttributeError else None
    return () if owner is None else tuple(map(_name_of, type.mro(type(owner))))  # a metaclass may have its own
