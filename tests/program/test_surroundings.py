"""What a program finds is the same whether it was there before the program or is made with it."""

from __future__ import annotations

import builtins
import os
import sys
import time
from collections.abc import Iterator

import pytest

import engine
import engine.torch as torch
from engine import program

LOOKS = """\
import os, random, sys, tempfile, time, uuid
import numpy as np, torch
print(os.getcwd(), os.listdir("."), os.getpid(), sys.argv, time.time(), time.perf_counter())
print(os.urandom(4), random.random(), np.random.rand(), np.random.default_rng().random(), uuid.uuid4(), torch.rand(1))
print(tempfile.mkdtemp(), id(object()), {object() for _ in range(3)}, np.geterr())
with open("kept.txt", "w") as file:
    file.write("x")
x = torch.ones(2, requires_grad=True)
(x * np.float64(2)).sum().backward()
print(hash(x), x.data_ptr(), [hash(each) for each in {torch.ones(1), torch.zeros(1), torch.nn.ReLU()}])
print(x.grad, __file__, open(__file__).read()[:6])
import os.path
np.seterr(all="raise")
time.sleep(3)
"""


@pytest.fixture(autouse=True)
def left() -> Iterator[None]:
    yield
    program.leave()


def document(code: str = LOOKS) -> dict[str, object]:
    return engine.run(code=code, seed=7).document


def test_the_document_of_a_program_that_looks_around_is_the_same() -> None:
    made_with_it = document()
    assert made_with_it["status"] == "ok", made_with_it["error"]
    program.prepare()
    assert document() == made_with_it
    assert document() == made_with_it, "the next one finds nothing of the one before"
    program.prepare()
    program.prepare()
    assert document() == made_with_it


def test_a_program_that_runs_twice_in_one_run_finds_its_surroundings_anew() -> None:
    code = """\
import os, torch
open(f"{len(os.listdir('.'))}.txt", "w").close()
x = torch.ones(1, requires_grad=True)
for turn in range(30_000):
    (x * 2).backward()
    if turn == 25_000:
        raise ValueError(os.listdir("."))
"""
    alone = document(code)
    assert alone["error"]["message"] == "['0.txt']"  # type: ignore[index]
    program.prepare()
    assert document(code) == alone


SETS = "import torch\ntorch.set_default_dtype(torch.float64)"
ASKS = "import torch\nprint(torch.get_default_dtype())"


def test_settings_that_were_reset_ahead_are_reset_for_the_next_program_as_well() -> None:
    program.prepare()
    engine.run(code=SETS, seed=7, last=True)
    assert document(ASKS)["stdout"] == "torch.float32\n"


def test_settings_that_a_caller_changes_after_leaving_are_none_of_a_program_s() -> None:
    program.prepare()
    program.leave()
    torch.set_default_dtype(torch.float64)
    try:
        assert document(ASKS)["stdout"] == "torch.float32\n"
    finally:
        torch.set_default_dtype(torch.float32)


def test_leaving_puts_back_what_was_there() -> None:
    before = os.stat, builtins.open, time.time, sys.argv, sys.modules.get("torch"), sorted(os.listdir("."))
    program.prepare()
    assert time.time is not before[2] and sys.modules["torch"] is not before[4]
    program.leave()
    assert (os.stat, builtins.open, time.time, sys.argv, sys.modules.get("torch"), sorted(os.listdir("."))) == before


@pytest.mark.parametrize("change", ["sys.meta_path.clear()", "sys.meta_path = []", "sys.meta_path.insert(0, object())"])
def test_whatever_a_program_does_to_the_finders_of_modules_ends_with_it(change: str) -> None:
    path, finders = sys.meta_path, sys.meta_path[:]
    assert document(f"import sys\n{change}\nprint(1)\n")["error"] is None
    assert sys.meta_path is path and path == finders
    assert document("import this")["error"] is None


def test_modules_outside_see_the_files_of_the_machine() -> None:
    program.prepare(outside=[sys.modules[__name__]])
    with open(__file__) as file:
        assert file.readline().startswith('"""What a program finds')
    assert os.path.exists(__file__)
    program.leave()
