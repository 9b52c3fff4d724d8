"""Programs in the language, against what CPython and PyTorch answered."""

from __future__ import annotations

import re

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


def test_a_node_has_one_address_however_it_is_shown_and_the_same_in_every_run() -> None:
    code = """
import torch
x = torch.ones(2, requires_grad=True)
y = x * 2
z = y + y
print(y.grad_fn, f"{y.grad_fn}", "%s" % y.grad_fn, [y.grad_fn][0], hex(id(y.grad_fn)))
print(z.grad_fn, z.grad_fn.next_functions, torch.autograd.graph.get_gradient_edge(y))
print(y.register_hook(print), object(), lambda: 1)
"""
    outcome = execute(code, seed=0)
    lines = [re.findall("0x[0-9a-f]+", line) for line in outcome.stdout.splitlines()]
    assert len(set(lines[0])) == 1 and len(lines[0]) == 5
    assert lines[1][1:] == [lines[0][0]] * 3 and lines[1][0] not in lines[0]
    assert len(set(lines[2])) == 3
    assert execute(code, seed=0).stdout == outcome.stdout
