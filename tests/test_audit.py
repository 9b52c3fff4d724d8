"""An audit is green only when every version was asked about."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tools.audit import Answer, ask, of_npm, of_pip, questions, report

CLEAN = {"name": "idna", "version": "3.20", "vulns": []}
KNOWN = {"name": "idna", "version": "3.6", "vulns": [{"id": "PYSEC-2024-60", "fix_versions": ["3.7"], "aliases": []}]}
SKIPPED = {"name": "anyio", "skip_reason": "Dependency not found on PyPI and could not be audited: anyio (4.16.0)"}


@pytest.mark.parametrize(
    ("rows", "status", "words"),
    [
        ([CLEAN], 0, "1 versions, nothing known"),
        ([CLEAN, KNOWN], 1, "idna 3.6: PYSEC-2024-60, mended in 3.7"),
        ([CLEAN, SKIPPED], 2, "not audited, 1 of 2 versions are unknown"),
        ([KNOWN, SKIPPED], 1, "PYSEC-2024-60"),
        ([], 2, "not audited"),
    ],
)
def test_what_pip_audit_answers(
    rows: list[dict[str, Any]], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report("requirements.lock", of_pip({"dependencies": rows, "fixes": []})) == status
    assert words in capsys.readouterr().out


def test_what_npm_answers() -> None:
    counted = {"dependencies": {"total": 40}}
    assert report("package-lock.json", of_npm({"vulnerabilities": {}, "metadata": counted})) == 0
    found = {"esbuild": {"range": "<=0.24.2", "severity": "moderate"}}
    assert of_npm({"vulnerabilities": found, "metadata": counted}) == Answer(["esbuild <=0.24.2: moderate"], 40, 0)


@pytest.mark.parametrize(
    "said", ['{"message": "405 Method Not Allowed", "statusCode": 405}', "no JSON", "[]", ""], ids=repr
)
def test_no_answer_is_not_a_good_one(said: str) -> None:
    for read in (of_pip, of_npm):
        assert ask([sys.executable, "-c", f"print({said!r}); raise SystemExit(1)"], read) is None
    assert report("a lock", None) == 2
    assert ask(["/no/such/program"], of_pip) is None


def test_every_lock_is_asked_about() -> None:
    assert {"requirements.lock", "requirements-dev.lock", "package-lock.json"} <= set(questions())
