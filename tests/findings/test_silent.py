"""Silent training errors of a public benchmark: those that fit one process are found, on their line."""

from __future__ import annotations

import pytest

import engine
from engine.findings import RULES
from tests.record.findings import SILENT


@pytest.mark.parametrize("name", [name for name, case in SILENT.items() if "found" in case])
def test_a_silent_error_is_found(name: str) -> None:
    case = SILENT[name]
    document = engine.run(code=case["program"].lstrip("\n"), seed=0).document
    assert document["error"] is None
    found = document.get("findings", [])
    assert (case["found"], case["line"]) in [(f["rule"], f["lines"][0]) for f in found], [
        (f["rule"], f["lines"], f["headline"]) for f in found
    ]


def test_what_is_not_found_says_why() -> None:
    names = {rule.name for rule in RULES}
    assert len(SILENT) == 18
    for name, case in SILENT.items():
        assert case.get("found") in names if "found" in case else case["why"].endswith("."), name
