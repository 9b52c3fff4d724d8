"""Every snippet: the document is what PyTorch answered, with its warnings, it is sound, and nothing is found wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.limits import Limits
from engine.trace.values import nested
from tests.findings.alarms import alarms
from tests.forked import called
from tests.snippets.invariants import violations
from tests.snippets.judge import judge, normal, recorded_words

HERE = Path(__file__).parent
WHOLE = Limits(document_bytes=1 << 26)
"""Room for every pass of the longest; what a document leaves out has tests of its own."""
PROGRAMS = sorted(p for p in HERE.rglob("*.py") if p.parent != HERE)
TO_THE_CHARACTER = [p for p in PROGRAMS if p.parent.name in ("bridge", "language", "wrong_kinds")]
"""What Python says, and where: nothing in it is a number that may differ in its last digits."""

EXCUSED = {
    "basics/storages_written": "numpy takes tensors apart with memory of its own",
    "language/attributes_of_nodes": "nodes of PyTorch's own take no attributes; ours do",
    "libraries/inspect_signatures": "functions that are C in PyTorch have signatures",
    "libraries/numpy_beside_tensors": "methods that are C in PyTorch have other types and words",
    "mistakes/forgotten_parentheses": "methods that are C in PyTorch have another type",
    "texts/functions_printed": "functions that are C in PyTorch have another type",
    "wrong_kinds/backward_from_a_function": "a function that is C in PyTorch has another type",
}
"""Why some are not as recorded."""


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


TO_AUTHORS = "__array__ implementation doesn't accept a copy keyword"
"""What numpy says to PyTorch's authors, not to those who write programs."""

NEWER = ("Pickle, copy, and deepcopy support will be removed from itertools", "Setting the shape on a NumPy array")
"""What CPython 3.12 and numpy 2.5 warn of, and what was recorded with did not."""


def warned(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """What PyTorch warns of: notices are the service's own."""
    rows = [row for row in rows if row["category"] != "BacklightNotice"]
    said = {(w["category"], recorded_words(w["message"]).split("\n")[0][:400], w["line"]) for w in rows}
    return sorted(row for row in said if not row[1].startswith((TO_AUTHORS, *NEWER)))


def found(path: str) -> dict[str, Any]:
    """What is not as PyTorch has it, of the run of one snippet in this process."""
    record = json.loads(Path(path).read_text())
    run = engine.run(code=record["code"], seed=1, limits=WHOLE)
    said = {"said": warned(run.document["warnings"]), "recorded": warned(record["expected"]["warnings"])}
    return {
        "differences": judge(record, run.document, lambda ref: nested(run.values[ref]))[:10],
        "warnings": said if said["said"] != said["recorded"] else None,
        "violations": violations(run.document),
        "alarms": alarms(run.document, Path(path).stem),
        "stdout": normal(run.document["stdout"]),
    }


@pytest.mark.sampled(16)
@pytest.mark.parametrize("path", PROGRAMS, ids=map(name_of, PROGRAMS))
def test_a_snippet_gives_the_document_that_torch_would(path: Path) -> None:
    record = json.loads(path.with_suffix(".json").read_text())
    assert record["code"] == path.read_text(), "the program changed: record it again"
    judged = called(__name__, "found", str(path.with_suffix(".json")))
    assert not judged["alarms"] or path.parent.name == "mistakes"
    if name_of(path) in EXCUSED:
        assert judged["differences"] or judged["warnings"], "this is right now"
        return
    assert not judged["differences"], "\n".join(judged["differences"])
    assert not judged["warnings"] and not judged["violations"]
    if path in TO_THE_CHARACTER:
        assert judged["stdout"] == record["expected"]["stdout"] and record["python"].startswith("3.11.")
