"""What people ask when a gradient surprises them: the document of the program answers."""

from __future__ import annotations

import re
from typing import Any

import pytest

import engine
from tests.record.findings import QUESTIONS


def words_of(where: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """What the document says at one place: of a rule, an error, a warning or a node, on the line."""
    line = where.get("line")
    if "finding" in where:
        found = [f for f in document.get("findings", []) if f["rule"] == where["finding"] and f["lines"][0] == line]
        return [f"{f['headline']}. {f['why']} {f['fix']['text']}" for f in found]
    if "warning" in where:
        return [warning["message"] for warning in document["warnings"] if warning["line"] == line]
    if "node" in where:
        return [n["says"] for n in document["nodes"] if n["name"] == where["node"] and n["line"] == line]
    error = document["error"]
    return [f"{error['explanation']} {error['fix']}"] if error and error["line"] == line else []


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered(name: str) -> None:
    case = QUESTIONS[name]
    assert case["question"].endswith("?") and case["answered"] in ("yes", "partly", "no")
    assert (case["answered"] == "yes") == ("missing" not in case)
    answer = case.get("answer", [])
    assert bool(answer) == (case["answered"] != "no")
    document = engine.run(code=case["program"], seed=0).document
    for where in answer:
        says = where.get("says") or where.get("error") or where.get("warning") or ""
        found = words_of(where, document)
        assert any(re.search(says, text, re.DOTALL) for text in found), (where, found, document["error"])
    findings = [where["finding"] for where in answer if "finding" in where]
    assert not findings or document["findings"][0]["rule"] == findings[0]


def test_there_are_enough_of_them() -> None:
    public = [case for case in QUESTIONS.values() if case.get("public")]
    assert len(public) == 33 and sum(case["answered"] == "yes" for case in public) >= 30
    assert len(QUESTIONS) - len(public) >= 40
