"""The series of a training: losses and norms of every turn, recorded or not."""

from __future__ import annotations

import math
from typing import Any

import pytest

import engine
from app.schema import RunDocument
from engine.document import training
from engine.limits import Limits

LOOP = """
import torch
torch.manual_seed(0)
w = torch.tensor([3.0, 4.0], requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
for i in range({turns}):
    loss = (w * w).sum() + b * 2
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.5 * b.grad
    w.grad = b.grad = None
"""


def series(program: str, **options: Any) -> list[dict[str, Any]]:
    document = engine.run(code=program, seed=0, **options).document
    assert document["error"] is None
    RunDocument.model_validate({"id": "", **document}, extra="forbid")
    found: list[dict[str, Any]] = document.get("training", [])
    return found


def test_each_turn_has_its_loss_and_the_norms_of_what_it_changed() -> None:
    (found,) = series(LOOP.format(turns=3))
    assert (found["line"], found["passes"], found["stride"], found["calls"]) == (8, 3, 1, [0, 1, 2])
    assert found["loss"][0] == 27.0 and found["loss"] == sorted(found["loss"], reverse=True)
    assert found["peak"] is None
    w, b = found["parameters"]
    assert w["grad"] == [10.0, 8.0, 6.4] and w["weight"] == [5.0, 4.0, 3.2] and w["update"] == [1.0, 0.8, 0.64]
    assert b["grad"] == [2.0] * 3 and b["update"] == [1.0] * 3 and b["weight"] == [1.0, 0.0, 1.0]


def test_one_pass_is_no_training() -> None:
    assert series(LOOP.format(turns=1)) == []
    assert series("import torch\nx = torch.ones(2, requires_grad=True)\nfor i in range(5):\n"
                  "    torch.autograd.grad((x * x).sum(), x)") == []  # fmt: skip


def test_two_losses_in_a_loop_are_two_series() -> None:
    program = """
import torch
d = torch.tensor(2.0, requires_grad=True)
g = torch.tensor(3.0, requires_grad=True)
for i in range(4):
    (d * d).backward()
    (g * 2).backward()
"""
    first, second = series(program)
    assert (first["line"], first["calls"], second["line"], second["calls"]) == (6, [0, 2, 4, 6], 7, [1, 3, 5, 7])
    assert [len(s["parameters"]) for s in (first, second)] == [1, 1]


def test_turns_that_are_not_recorded_keep_their_numbers() -> None:
    turns = 4000
    document = engine.run(code=LOOP.format(turns=turns), seed=0).document
    assert document["limits"]["skipped"]["passes"] > 1000
    (found,) = document["training"]
    assert found["passes"] == turns and found["stride"] == 4
    assert found["calls"] == [*range(0, turns, 4), turns - 1]
    assert len(found["loss"]) == len(found["parameters"][0]["grad"]) == len(found["peak"]) == turns // 4 + 1
    assert found["loss"][500] == -3998.0
    assert found["peak"][10] == found["loss"][10]  # it falls


def test_what_is_left_out_leaves_its_peak() -> None:
    program = """
import torch
x = torch.tensor(1.0, requires_grad=True)
for i in range(3000):
    loss = x * (1000.0 if i == 1501 else float("nan") if i == 2003 else 1.0)
    loss.backward()
"""
    (found,) = series(program)
    assert found["stride"] == 4 and max(x for x in found["loss"] if x != "NaN") == 1.0
    assert found["peak"][375] == 1000.0 and found["peak"][500] == "NaN"


def test_many_leaves_share_the_numbers_of_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "POINTS", 10**6)
    program = """
import torch
ws = [torch.ones(2, requires_grad=True) for i in range(100)]
for i in range(900):
    sum(w.sum() for w in ws).backward()
"""
    (found,) = series(program, limits=Limits(fuel=10**9))
    assert len(found["parameters"]) == training.LEAVES
    numbers = sum(len(p[key]) for p in found["parameters"] for key in ("grad", "weight", "update"))
    assert numbers <= 1.2 * training.NUMBERS and found["stride"] == 16


def test_a_step_stays_that_of_its_turn_when_the_next_one_is_forgotten() -> None:
    program = """
import torch
ws = [torch.zeros(1, requires_grad=True) for i in range(64)]
for i in range(110):
    torch.cat(ws).sum().backward()
    with torch.no_grad():
        ws[0] -= i
"""
    (found,) = series(program)
    assert found["stride"] == 2 and len(found["parameters"]) == 64
    moved = next(p["update"] for p in found["parameters"] if any(p["update"][:-1]))
    assert moved[: len(found["calls"]) - 1] == found["calls"][:-1]


def test_a_leaf_that_comes_later_has_nothing_before() -> None:
    program = """
import torch
x = torch.ones(2, requires_grad=True)
y = torch.ones(3, requires_grad=True)
for i in range(4):
    loss = x.sum() * 2
    if i >= 2:
        loss = loss + y.sum()
    loss.backward()
"""
    (found,) = series(program)
    late = next(p for p in found["parameters"] if p["grad"][0] is None)
    assert late["grad"] == [None, None, 1.732, 3.464] and late["update"] == [None, None, 0.0, 0.0]


def test_losses_that_are_no_numbers_are_told_as_such() -> None:
    program = """
import torch
x = torch.ones(2, requires_grad=True)
for i in range(2):
    (x * float("inf")).sum().backward()
for i in range(2):
    (x * 2).backward(torch.ones(2))
"""
    first, second = series(program)
    assert first["loss"] == ["Infinity"] * 2 and second["loss"] == [None] * 2
    assert not any(isinstance(x, float) and math.isinf(x) for x in first["parameters"][0]["grad"])
