"""The documents that the page's tests read are those the engine writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine

FIXTURES = Path(__file__).parent / "js" / "fixtures"
PROGRAMS = sorted(path for folder in ("engine", "memory", "mending") for path in FIXTURES.glob(f"{folder}/*.py"))


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, 4) + 0.0 if isinstance(value, float) else value


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_document_of_the_page_is_up_to_date(path: Path) -> None:
    written = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    made = json.loads(json.dumps(engine.run(code=path.read_text(encoding="utf-8"), seed=0).document))
    for document in (written, made):
        del document["engine"], document["numpy"], document["limits"]  # versions, and how much there was
        if document["error"] and document["error"]["type"] == "SyntaxError":
            del document["error"]["end_column"]  # which CPython has one further since 3.12
    assert _rounded(made) == _rounded(written)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("mending/*.mended")), ids=lambda path: path.stem)
def test_what_the_page_makes_of_a_broken_program_runs(path: Path) -> None:
    assert engine.run(code=path.with_suffix(".py").read_text("utf-8")).document["error"] is not None
    assert engine.run(code=path.read_text("utf-8")).document["error"] is None
