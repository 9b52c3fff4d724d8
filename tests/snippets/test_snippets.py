"""Every snippet: the document is what PyTorch answered, with its warnings, and it is sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.limits import Limits
from engine.trace.values import nested
from tests.snippets.invariants import violations
from tests.snippets.judge import judge

HERE = Path(__file__).parent
WHOLE = Limits(document_bytes=1 << 26)
"""Room for every pass of the longest; what a document leaves out has tests of its own."""
PROGRAMS = sorted(p for p in HERE.rglob("*.py") if p.parent != HERE)


def warned(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    return sorted({(w["category"], w["message"].split("\n")[0][:400], w["line"]) for w in rows})


@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_snippet_gives_the_document_that_torch_would(path: Path) -> None:
    record = json.loads(path.with_suffix(".json").read_text())
    assert record["code"] == path.read_text(), "the program changed: record it again"
    run = engine.run(code=record["code"], seed=1, limits=WHOLE)
    differences = judge(record, run.document, lambda ref: nested(run.values[ref]))
    assert not differences, "\n".join(differences[:10])
    assert warned(run.document["warnings"]) == warned(record["expected"]["warnings"])
    assert not violations(run.document)
