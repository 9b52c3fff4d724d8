"""Every snippet: the document is what PyTorch answered, with its warnings, and it is sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine import running
from engine.limits import Limits
from engine.program import execute
from engine.trace.values import nested
from tests.snippets.invariants import violations
from tests.snippets.judge import judge, normal

HERE = Path(__file__).parent
WHOLE = Limits(document_bytes=1 << 26)
"""Room for every pass of the longest; what a document leaves out has tests of its own."""
PROGRAMS = sorted(p for p in HERE.rglob("*.py") if p.parent != HERE)
TO_THE_CHARACTER = [p for p in PROGRAMS if p.parent.name in ("bridge", "language", "wrong_kinds")]
"""What the interpreter says, and where: nothing in it is a number that may differ in its last digits."""


TO_AUTHORS = "__array__ implementation doesn't accept a copy keyword"
"""What numpy says to PyTorch's authors, not to those who write programs."""

NEWER = ("Pickle, copy, and deepcopy support will be removed from itertools", "Setting the shape on a NumPy array")
"""What CPython 3.12 and numpy 2.5 warn of, and what was recorded with did not."""


def warned(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """What PyTorch warns of: notices are the service's own."""
    rows = [row for row in rows if row["category"] != "BacklightNotice"]
    said = {(w["category"], w["message"].split("\n")[0][:400], w["line"]) for w in rows}
    return sorted(row for row in said if not row[1].startswith((TO_AUTHORS, *NEWER)))


@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_snippet_gives_the_document_that_torch_would(path: Path) -> None:
    record = json.loads(path.with_suffix(".json").read_text())
    assert record["code"] == path.read_text(), "the program changed: record it again"
    run = engine.run(code=record["code"], seed=1, limits=WHOLE)
    differences = judge(record, run.document, lambda ref: nested(run.values[ref]))
    assert not differences, "\n".join(differences[:10])
    assert warned(run.document["warnings"]) == warned(record["expected"]["warnings"])
    assert not violations(run.document)


@pytest.mark.parametrize("path", TO_THE_CHARACTER, ids=[f"{p.parent.name}/{p.stem}" for p in TO_THE_CHARACTER])
def test_the_interpreter_says_what_python_would(path: Path) -> None:
    record = json.loads(path.with_suffix(".json").read_text())
    running._fresh(0)
    want, outcome = record["expected"], execute(record["code"], seed=0)
    error = outcome.error and [outcome.error.type, outcome.error.line, normal(outcome.error.message)]
    assert normal(outcome.stdout) == want["stdout"]
    assert error == (want["error"] and [want["error"][key] for key in ("type", "line", "message")])
    assert record["python"].startswith("3.11.")
