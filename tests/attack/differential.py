"""The interpreter against CPython: random programs print the same, and end with the same error on the same line."""

from __future__ import annotations

import ast
import contextlib
import io
import random
import re
import sys
import traceback
import warnings
from typing import Any

from engine.program import execute
from tests.attack.bounded import TooLongError, bounded
from tests.attack.generated import Writer
from tests.attack.report import Result, timed
from tests.snippets.judge import normal

PROGRAMS = 10_500
SECONDS = 3
OURS = ("LimitExceeded", "UnsupportedSyntax")
"""How a program ends that is not run here, or not to its end; nothing is promised of it."""
OUR_WORDS = re.compile("are limited to 10000 here|… output cut here")
"""What the output says of a program that met a limit of ours."""

Answer = tuple[str, tuple[str, str, int] | None]


def in_python(program: str) -> Answer:
    """What CPython makes of a program."""
    out = io.StringIO()
    error = None
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "<program>", "exec", dont_inherit=True), namespace)
        except Exception as raised:
            frames = [f for f in traceback.extract_tb(raised.__traceback__) if f.filename == "<program>"]
            line = frames[-1].lineno if frames else getattr(raised, "lineno", 0)
            message = raised.msg if isinstance(raised, SyntaxError) else str(raised)
            error = (type(raised).__name__, normal(message), line or 0)
    printed = out.getvalue()
    with contextlib.redirect_stdout(out):
        namespace.clear()  # generators that wait in a `try` print when they are thrown away
    return normal(printed), error


def here(program: str) -> Answer:
    """What the interpreter makes of it."""
    outcome = execute(program, seed=0)
    error = outcome.error and (outcome.error.type, normal(outcome.error.message), outcome.error.line or 0)
    return normal(outcome.stdout), error


def written(seed: int) -> str:
    """The program of a seed: one that compiles."""
    rng = random.Random(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            program = Writer(rng).program()
            try:
                compile(program, "<program>", "exec", dont_inherit=True)
            except (SyntaxError, ValueError):
                continue
            return program


def refused(ours: Answer) -> bool:
    """Whether the interpreter did not run a program to its end, by its own rules."""
    text, error = ours
    return bool(OUR_WORDS.search(text)) or error is not None and (error[0] in OURS or bool(OUR_WORDS.search(error[1])))


def same(ours: Answer, theirs: Answer) -> bool:
    """Whether the answers agree. Python hashes NaN, and before 3.12 None, by address: sets of them lie in any order."""
    if ours == theirs or ours[1] != theirs[1]:
        return ours == theirs
    lines = list(zip(ours[0].split("\n"), theirs[0].split("\n"), strict=False))
    return len(ours[0]) == len(theirs[0]) and all(
        a == b or ("None" in a or "nan" in a) and "{" in a and sorted(a) == sorted(b) for a, b in lines
    )


def difference(ours: Answer, theirs: Answer) -> str:
    """The first line in which the two differ."""
    a, b = ([*answer[0].split("\n"), str(answer[1])] for answer in (ours, theirs))
    at = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)) - 1)
    return f"here {a[at][:200]!r}, in Python {b[at][:200]!r}, after {a[max(0, at - 1)][:80]!r}"


def attack(size: float) -> Result:
    """`size` 1.0 compares 10,500 programs."""
    result = Result("differential", "the language is CPython's")
    skipped = 0
    with timed(result):
        for seed in range(int(PROGRAMS * size)):
            program = written(seed)
            try:
                with bounded(SECONDS):
                    theirs = in_python(program)
            except TooLongError:
                continue
            ours = here(program)
            if refused(ours):
                skipped += 1
                continue
            result.expect(same(ours, theirs), lambda: f"program {seed}: {difference(ours, theirs)}")  # noqa: B023
    result.figures["not run here"] = float(skipped)
    return result


def pieces(program: str) -> str:
    """A program without the function that all begin with."""
    return re.sub(r"\Adef report.*?(?=^\S)", "", program, flags=re.DOTALL | re.MULTILINE)


if __name__ == "__main__":
    from tests.attack import report

    report.KEPT_FAILURES = 200
    if len(sys.argv) > 2:
        shown = written(int(sys.argv[2]))
        ast.parse(shown)
        print(shown)
    else:
        found = attack(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
        print(report.table([found]), *found.failures, sep="\n")
        sys.exit(bool(found.failed))
