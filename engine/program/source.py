"""The text of a program as it was pasted: its tree, what only notebooks understand, and errors of syntax."""

from __future__ import annotations

import ast
import re
import warnings

from engine.program import notebook
from engine.program.errors import Error, Frame
from engine.program.notebook import Passed


def parse(source: str) -> tuple[ast.Module, str, list[Passed]]:
    """The tree, the text it is of, and the lines that were passed over because only a notebook understands them.

    Raises SyntaxError, and what `ast.parse` raises for texts that are no characters or nested too deep.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            plain, tree, passed = source, ast.parse(source), list[Passed]()
        except SyntaxError:
            plain, passed = notebook.as_python(source)
            if not passed:
                raise
            tree = ast.parse(plain)
    return tree, plain, sorted(passed + notebook.pass_exported(tree, plain))


_LOCATION = re.compile(r" \(<(?:unknown|program)>, line \d+\)$")


def syntax_error(exception: SyntaxError) -> Error:
    """Where a program is no Python, and what to do about it."""
    line = exception.lineno or 1
    column = max(0, (exception.offset or 1) - 1)
    end_line = exception.end_lineno or line
    end_column = max(0, (exception.end_offset or 0) - 1)
    if (end_line, end_column) < (line, column):
        end_line, end_column = line, column
    message, frames = _LOCATION.sub("", exception.msg), [Frame(line, "<module>")]
    hint = _hint(exception.text or "")
    return Error(type(exception).__name__, message, line, column, end_line, end_column, frames, hint)


_PASTED: tuple[tuple[str, str], ...] = (
    (">>>", "This was copied from an interactive session: remove the >>> and ... prompts and the printed results."),
    ("In [", "This was copied from a notebook: remove the In [ ]: and Out[ ]: prompts."),
    ("Out[", "This was copied from a notebook: remove what follows Out[ ]:, which is what was shown."),
    ("```", "This was copied with the marks that Markdown sets around code: remove the lines of ```."),
    ("Traceback (most recent call last)", "This is the report of an error that was copied along: remove it."),
    ("$", "Lines that start with $ are shell commands, not Python: remove them."),
)


def _hint(text: str) -> str | None:
    line = text.strip()
    if re.search(r"\basync *=", line):
        return "async is a word of Python itself since version 3.7. PyTorch calls the argument non_blocking now."
    if re.match(r"\w+ *= *[!%]", line):
        return "What follows = is a command for a notebook or a shell, not Python: write its result into the program."
    return next((hint for start, hint in _PASTED if line.startswith(start)), None)
