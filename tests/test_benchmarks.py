"""The benchmarks run what they say, and find what became worse."""

from __future__ import annotations

import math
from typing import Any

import pytest

import engine.torch
from benchmarks import guard, workloads

torch: Any = engine.torch


@pytest.mark.parametrize("name", workloads.WORKLOADS)
def test_a_workload_computes_gradients(name: str) -> None:
    seen: list[float] = []
    tensor_backward = torch.Tensor.backward

    def backward(tensor: Any, *given: Any) -> None:
        seen.append(float(tensor.detach().abs().sum()))
        tensor_backward(tensor, *given)

    step = workloads.WORKLOADS[name](torch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.Tensor, "backward", backward)
        step()
    assert len(seen) == 1 and math.isfinite(seen[0])


def test_a_ratio_that_became_worse_is_marked() -> None:
    kept = {"as before": 2.0, "better": 2.0, "a little worse": 2.0, "worse": 2.0}
    now = {"as before": 2.0, "better": 1.0, "a little worse": 2.1, "worse": 2.5, "not known": 3.0}
    lines = guard.compared(now, kept)
    assert [line.split("  ")[0] for line in lines] == list(now)
    assert [line for line in lines if "worse" in line.split("  ", 1)[1]] == [lines[3]]
    assert "+25%" in lines[3] and lines[4].endswith("new")
