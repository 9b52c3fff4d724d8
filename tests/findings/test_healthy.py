"""Programs that are right have no finding of severity warning or error, and usual trainings none at all."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from engine.findings import findings
from tests.findings.alarms import alarms

ROOT = Path(__file__).parents[2]

PROGRAMS = sorted(
    path
    for pattern in ("app/examples/programs/*.py", "tests/findings/healthy/*.py")
    for path in ROOT.glob(pattern)
    if path.stem != "__init__"
)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_is_called_wrong(path: Path) -> None:
    document = engine.run(code=path.read_text(), seed=0).document
    said = document.pop("findings", [])
    assert findings(document) == said
    assert not alarms({"findings": said}, path.stem)
    assert path.parent.name != "healthy" or {f["rule"] for f in said} <= {"frozen-part"}
