"""A run whose values would fill its memory is recorded whole: of large values there is then what a document says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import engine
from engine.limits import Limits

TRAINING = """\
import torch
torch.manual_seed(0)
w = torch.ones(300_000, requires_grad=True)
with torch.no_grad():
    for k in range(1, 9):
        w.copy_(torch.arange(300_000) * float(k))
y = w * 2
z = y.relu()
loss = z.mean()
loss.backward()
with torch.no_grad():
    w -= w.grad
print(w.grad.sum())
"""
NARROW = replace(Limits(), total_bytes=64_000_000)


def run(limits: Limits, code: str = TRAINING) -> dict[str, Any]:
    return engine.run(code=code, limits=limits, seed=0).document


def test_nothing_is_left_out_and_the_numbers_are_those_of_a_run_with_room() -> None:
    narrow, wide = run(NARROW), run(Limits())
    assert narrow["limits"]["truncated"] is None and narrow["limits"]["skipped"] is None
    for part in ("events", "ops", "nodes", "tensors", "values", "globals", "stdout"):
        assert narrow[part] == wide[part], part


def test_values_that_are_left_as_they_are_lie_whole_while_there_is_room() -> None:
    found = engine.run(code=TRAINING, limits=NARROW, seed=0)
    whole = engine.run(code=TRAINING, seed=0)
    assert 0 < len(found.values) < len(whole.values)
    for name, array in found.values.items():
        assert np.array_equal(array, whole.values[name])


@pytest.mark.parametrize("limits", [NARROW, Limits()])
def test_what_was_not_written_since_is_said_to_have_changed_nowhere(limits: Limits) -> None:
    code = TRAINING.replace("print", "for _ in range(40): z = z + y\nprint")
    document = run(replace(limits, ops=30), code)
    gap = next(place for place, event in enumerate(document["events"]) if event["kind"] == "gap")
    names = {row["id"]: row["name"] for row in document["tensors"]}
    assert [names[event["tensor"]] for event in document["events"][gap:] if event["kind"] == "write"] == []
