"""Findings about graphs that stay say how many bytes they hold."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.findings.memory import amount

RETAINED = """
import torch
w = torch.ones(1000, requires_grad=True)
for i in range(3):
    loss = (w * 2).exp().sum()
    loss.backward(retain_graph=True)
"""

GROWING = """
import torch
w = torch.full((1000,), 0.1, requires_grad=True)
h = torch.zeros(1000)
for i in range(4):
    h = torch.tanh(h * w)
    loss = h.sum()
    loss.backward(retain_graph=True)
"""

LISTED = """
import torch
w = torch.ones(1000, requires_grad=True)
losses = []
for i in range(4):
    loss = (w * 2).exp().sum()
    loss.backward(RETAIN)
    losses.append(loss)
"""


def _found(code: str, rule: str) -> dict[str, Any]:
    (found,) = [row for row in engine.run(code=code, seed=0).document["findings"] if row["rule"] == rule]
    return dict(found)


def test_a_retained_graph_says_what_it_holds() -> None:
    found = _found(RETAINED, "retain-graph-needless")
    assert found["headline"].endswith("which holds 3.9 KB") and found["evidence"]["values"]["bytes"] == 4000


def test_a_growing_graph_says_what_it_holds_more_each_iteration() -> None:
    found = _found(GROWING, "graph-grows")
    assert found["headline"].endswith("; it holds 3.9 KB more each iteration")
    sizes = found["evidence"]["values"]["bytes"]
    assert [after - before for before, after in zip(sizes, sizes[1:], strict=False)] == [4000] * 3


def test_a_list_of_losses_says_what_its_graphs_hold() -> None:
    held = _found(LISTED.replace("RETAIN", "retain_graph=True"), "graph-grows")
    assert held["headline"].endswith("the graphs of 4 iterations stay in memory and hold 15.6 KB")
    freed = _found(LISTED.replace("RETAIN", ""), "graph-grows")  # the graphs stay, what they kept does not
    assert freed["headline"].endswith("the graphs of 4 iterations stay in memory")


@pytest.mark.parametrize(("size", "words"), [(480, "480 bytes"), (13_002_342, "12.4 MB"), (3 << 30, "3.0 GB")])
def test_bytes_in_words(size: int, words: str) -> None:
    assert amount(size) == words
