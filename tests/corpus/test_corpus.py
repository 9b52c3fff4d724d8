"""Every program of the corpus: the document is what PyTorch answered, and it is sound."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.trace.values import nested
from tests.corpus.invariants import violations
from tests.corpus.judge import judge, records

RECORDS = records()


@pytest.mark.parametrize("record", RECORDS, ids=[r["id"] for r in RECORDS])
def test_a_program_gives_the_document_that_torch_would(record: dict[str, Any]) -> None:
    run = engine.run(code=record["code"], seed=1)
    differences = judge(record, run.document, lambda ref: nested(run.values[ref]))
    assert not differences, "\n".join(differences[:10])
    assert not violations(run.document)
