"""Programs in the language, against what CPython and PyTorch answered."""

from __future__ import annotations

import pytest

from engine import running
from engine.program import execute
from tests.program.programs import FOLDER, Program, load, normal

PROGRAMS = [program for path in sorted(FOLDER.glob("*.txt")) for program in load(path)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"{program.file}-{program.number}")
def test_program_answers_as_recorded(program: Program) -> None:
    running._fresh(0)
    outcome = execute(program.code, seed=0)
    error = outcome.error and (outcome.error.type, outcome.error.line, normal(outcome.error.message))
    assert normal(outcome.stdout) == program.stdout
    assert error == program.error


def test_every_file_says_what_recorded_it() -> None:
    for path in FOLDER.glob("*.txt"):
        assert path.read_text(encoding="utf-8").startswith("# recorded with CPython 3.11")
