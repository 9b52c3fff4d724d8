"""Programs have the same document whichever runs them, the interpreter or Python itself, but for what is named here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SNIPPETS = PROJECT / "tests" / "snippets"
EXAMPLES = PROJECT / "app" / "examples" / "programs"
EXCUSED: dict[str, str] = {}
"""Why documents differ, and which."""
DIFFERENT = {name for names in EXCUSED.values() for name in names.split()}
TOPICS = sorted({path.parent for path in SNIPPETS.glob("*/*.json")} | {EXAMPLES})

RUN = """
import json, os, sys
import engine
from engine import running

NOT_COMPARED = {"fuel_used", "column", "end_column", "end_line"}

def document(code, cpython):
    read, write = os.pipe()
    if not os.fork():
        with os.fdopen(write, "w") as pipe:
            json.dump(running.run(code=code, seed=0, last=True, cpython=cpython).document, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        made = pipe.read()
    os.wait()
    return json.loads(made) if made else {"values": {}}

def told(part, values):
    # Which number a value has depends on what shares one.
    if isinstance(part, dict):
        return {name: told(each, values) for name, each in part.items() if name not in NOT_COMPARED}
    if isinstance(part, list):
        return [told(each, values) for each in part]
    return values[part] if isinstance(part, str) and part in values else part

def different(one, other, where=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            found = different(one.get(name), other.get(name), f"{where}.{name}")
            if found:
                return found
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (each, beside) in enumerate(zip(one, other)):
            found = different(each, beside, f"{where}[{number}]")
            if found:
                return found
    elif one != other:
        return f"{where}: {one!r:.300} and {other!r:.300}"
    return None

engine.run(code="import torch")
answers = {}
for path in sys.argv[1:]:
    with open(path) as file:
        code = file.read()
    if path.endswith(".json"):
        code = json.loads(code)["code"]
    both = [document(code, cpython) for cpython in (False, True)]
    answers[path] = different(*[told(each, each.pop("values")) for each in both])
print(json.dumps(answers))
"""


@pytest.mark.parametrize("folder", TOPICS, ids=lambda folder: folder.name)
def test_documents_are_the_same_whichever_runs_a_program(folder: Path) -> None:
    programs = sorted(folder.glob("*.py" if folder == EXAMPLES else "*.json"))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN, *map(str, programs)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout)
    found = {f"{folder.name}/{Path(path).stem}": answer for path, answer in answers.items() if answer is not None}
    expected = {name for name in DIFFERENT if name.startswith(f"{folder.name}/")}
    assert not {name: answer for name, answer in found.items() if name not in expected}
    assert expected == set(found), "these have the same document now"
