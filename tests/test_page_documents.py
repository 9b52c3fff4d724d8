"""The documents that the page's tests read are those the engine writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine

FOLDER = Path(__file__).parent / "js" / "fixtures" / "engine"


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, 4) + 0.0 if isinstance(value, float) else value


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_document_of_the_page_is_up_to_date(path: Path) -> None:
    written = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    made = json.loads(json.dumps(engine.run(code=path.read_text(encoding="utf-8"), seed=0).document))
    for document in (written, made):
        del document["numpy"], document["limits"]
    assert _rounded(made) == _rounded(written)
