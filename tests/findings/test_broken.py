"""Broken programs: what is wrong is found, on the right line, about the right tensor; a certain fix mends it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import engine
from app.schema import RunDocument
from engine.findings import RULES
from engine.findings.source import apply

BROKEN = sorted(Path(__file__).parent.glob("broken/*.py"))
MARK = re.compile(r"#\s+finds ?(\S*)$")


FOLLOWS = {"update-too-large": {"loss-diverges"}, "non-leaf-grad": {"graph-freed"}}
"""What a mistake brings with it."""


def run(code: str) -> dict[str, Any]:
    return engine.run(code=code, seed=0).document


def wanted(path: Path) -> tuple[str, int, str]:
    """(rule, line, name of the tensor or nothing) of a broken program: the line that is marked `# finds NAME`."""
    rule = re.sub(r"_\d+$", "", path.stem).replace("_", "-")
    marks = [(i, m[1]) for i, line in enumerate(path.read_text().splitlines(), 1) if (m := MARK.search(line))]
    ((line, tensor),) = marks
    return rule, line, tensor


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_the_mistake_is_found_where_it_is(path: Path) -> None:
    document = run(path.read_text())
    RunDocument.model_validate({"id": "", **document}, extra="forbid")
    rule, line, tensor = wanted(path)
    names = {t["id"]: t["name"] for t in document["tensors"]}
    found = [f for f in document.get("findings", []) if f["rule"] == rule]
    assert found, [(f["rule"], f["lines"], f["headline"]) for f in document.get("findings", [])]
    assert line in [f["lines"][0] for f in found], [(f["lines"], f["headline"]) for f in found]
    assert not tensor or any(tensor in [names[t] for t in f["evidence"]["tensors"]] for f in found), found


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_nothing_else_is_called_wrong(path: Path) -> None:
    rule, _, _ = wanted(path)
    expected = {rule} | FOLLOWS.get(rule, set())
    found = run(path.read_text()).get("findings", [])
    others = [f for f in found if f["rule"] not in expected and f["severity"] != "hint"]
    assert not others, [(f["rule"], f["lines"], f["headline"]) for f in others]


def test_what_made_a_program_raise_is_said_so() -> None:
    explained = 0
    for path in BROKEN:
        document = run(path.read_text())
        reasons = [f["rule"] for f in document.get("findings", []) if f.get("explains_error")]
        rule, _, _ = wanted(path)
        if document["error"] is None:
            assert not reasons, path.stem
        elif rule != "non-leaf-grad" or "non-leaf" in document["error"]["message"]:  # one raises for another reason
            assert reasons == [rule], path.stem
            explained += 1
    assert explained > 15


def test_a_certain_fix_mends_it() -> None:
    mended = 0
    for path in BROKEN:
        code = path.read_text()
        rule, _, _ = wanted(path)
        for finding in run(code).get("findings", []):
            if finding["rule"] != rule or "edits" not in finding["fix"]:
                continue
            after = run(apply(code, finding["fix"]["edits"]))
            left = [f["headline"] for f in after.get("findings", []) if f["rule"] == rule]
            assert finding["headline"] not in left and len(left) == 0, (path.stem, left)
            assert after["error"] is None, (path.stem, after["error"])
            mended += 1
    assert mended >= 20


def test_every_rule_has_three_broken_programs() -> None:
    counts = {rule.name: sum(wanted(path)[0] == rule.name for path in BROKEN) for rule in RULES}
    assert min(counts.values()) >= 3, counts
