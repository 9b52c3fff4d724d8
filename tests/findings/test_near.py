"""A rule is silent where a program only comes near to its mistake."""

from __future__ import annotations

from collections import Counter

import pytest

import engine
from engine.findings import RULES
from tests.findings.alarms import alarms
from tests.findings.near import NEAR


@pytest.mark.parametrize("case", NEAR, ids=lambda case: f"{case[0]}-{case[1]}")
def test_what_only_comes_near_is_not_called_wrong(case: tuple[str, int]) -> None:
    document = engine.run(code=NEAR[case], seed=0).document
    assert document["error"] is None
    assert case[0] not in [found["rule"] for found in document.get("findings", [])]
    assert not alarms(document, "")


def test_there_are_four_of_each() -> None:
    counts = Counter(rule for rule, _ in NEAR)
    assert min(counts.values()) >= 4 and counts.keys() <= {rule.name for rule in RULES}
