"""Every snippet: the document is what PyTorch answered, with its warnings, and it is sound."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.limits import Limits
from engine.trace.values import nested
from tests.corpus.invariants import violations
from tests.corpus.judge import judge

HERE = Path(__file__).parent
WHOLE = Limits(document_bytes=1 << 25)
"""Two of them are recorded in part within the usual size."""
PROGRAMS = sorted(p for p in HERE.rglob("*.py") if p.parent != HERE)


def warned(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    return sorted({(w["category"], w["message"].split("\n")[0][:400], w["line"]) for w in rows})


@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_snippet_gives_the_document_that_torch_would(path: Path) -> None:
    record = json.loads(path.with_suffix(".json").read_text())
    assert record["code"] == path.read_text(), "the program changed: record it again"
    run = engine.run(code=record["code"], limits=WHOLE, seed=1)
    differences = judge(record, run.document, lambda ref: nested(run.values[ref]))
    assert not differences, "\n".join(differences[:10])
    assert warned(run.document["warnings"]) == warned(record["expected"]["warnings"])
    assert not violations(run.document)
