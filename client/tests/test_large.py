"""Tensors of millions of elements: described when they are met, and not kept."""

from __future__ import annotations

import gc
from typing import Any

import backlight
import pytest
import torch
from torch import nn
from torch.multiprocessing.reductions import StorageWeakRef

from tests.snippets.invariants import violations

ROWS, COLUMNS = 2500, 2000


def described(document: dict[str, Any], name: str | None) -> dict[str, Any]:
    assert name is not None
    value: dict[str, Any] = document["values"][name]
    return value


def alike(value: dict[str, Any], tensor: torch.Tensor) -> None:
    """The statistics of a value are those of a tensor."""
    assert value["shape"] == list(tensor.shape)
    whole = tensor.double()
    for name, wanted in (
        ("min", whole.min()), ("max", whole.max()), ("mean", whole.mean()), ("std", whole.std(correction=0)),
        ("norm", whole.norm()),
    ):  # fmt: skip
        assert value["stats"][name] == pytest.approx(float(wanted), rel=1e-4, abs=1e-6), name
    assert value["stats"]["zeros"] == int((tensor == 0).sum())
    counts = value["histogram"]["counts"]
    assert len(counts) == 32 and (1 << 18) <= sum(counts) <= 2 * (1 << 18)


def test_a_step_of_a_large_layer_keeps_no_copies() -> None:
    layer = nn.Linear(COLUMNS, ROWS, bias=False)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    layer(torch.ones(1, COLUMNS)).sum().backward()
    assert layer.weight.grad is not None
    earlier, first = StorageWeakRef(layer.weight.grad.untyped_storage()), layer.weight.detach().clone()
    gc.disable()  # what goes goes by itself
    try:
        with backlight.capture() as run:
            optimizer.zero_grad()
            assert earlier.expired()
            layer(torch.randn(2, COLUMNS)).pow(2).sum().backward()
            optimizer.step()
        assert layer.weight.grad is not None
        last, theirs = layer.weight.detach().clone(), StorageWeakRef(layer.weight.grad.untyped_storage())
        document, own = run.document, layer.weight.grad.clone()
        layer.weight.grad = None
        assert theirs.expired()
    finally:
        gc.enable()
    assert not violations(document) and document["limits"]["truncated"] is None
    (row,) = [tensor for tensor in document["tensors"] if tensor["name"] == "layer.weight"]
    alike(described(document, row["value"]), first)
    alike(described(document, row["final"]), last)
    (added,) = [event for event in document["events"] if event["kind"] == "accumulate"]
    assert added["before"] is None and added["incoming"] == added["after"] == row["grad"]
    alike(described(document, added["after"]), own)
    (view,) = [tensor for tensor in document["tensors"] if tensor["view_of"] == row["id"]]
    turned, straight = described(document, view["value"]), described(document, row["value"])
    assert turned["stats"] == straight["stats"] and turned["shape"] == [COLUMNS, ROWS]
    sampled = first.t()[::4, ::5]
    rows = nn.functional.adaptive_avg_pool2d(sampled[None], (16, 16))[0]
    assert torch.allclose(torch.tensor(turned["thumbnail"]["data"]), rows, rtol=1e-3)


def test_numbers_of_a_large_tensor_that_are_none_are_counted() -> None:
    x = torch.zeros(ROWS, COLUMNS)
    x[1, 2], x[3, 4], x[5, 6] = float("nan"), float("inf"), 7.0
    with backlight.capture() as run:
        y = x * 1
    (row,) = [tensor for tensor in run.document["tensors"] if tensor["name"] == "y"]
    stats = described(run.document, row["value"])["stats"]
    assert torch.equal(torch.isnan(y), torch.isnan(x))
    assert (stats["nan"], stats["inf"], stats["max"], stats["zeros"]) == (1, 1, 7.0, ROWS * COLUMNS - 3)


def test_numbers_far_from_zero_have_their_own_spread() -> None:
    x = torch.randn(ROWS, COLUMNS) * 1e-3 + 100
    with backlight.capture() as run:
        y = x * 1
    (row,) = [tensor for tensor in run.document["tensors"] if tensor["name"] == "y"]
    assert described(run.document, row["value"])["stats"]["std"] == pytest.approx(float(y.double().std()), rel=0.05)


def test_a_write_in_place_gives_a_large_tensor_another_value() -> None:
    with backlight.capture() as run:
        x = torch.ones(ROWS, COLUMNS)
        y = x * 2
        x.mul_(3)
        z = x * 2
    values = {t["name"]: described(run.document, t["value"])["stats"]["max"] for t in run.document["tensors"]}
    assert values == {"x": 1.0, "y": 2.0, "z": 6.0} and float(y.max() + z.max()) == 8
    (written,) = [event for event in run.document["events"] if event["kind"] == "write"]
    assert described(run.document, written["value"])["stats"]["max"] == 3.0


def test_activations_of_a_large_size_count_towards_the_limit() -> None:
    x = torch.ones(ROWS, COLUMNS, requires_grad=True)
    with backlight.capture(limits=backlight.Limits(kept_bytes=50_000_000)) as run:
        for _ in range(5):
            y = x * 2
    assert run.document["limits"]["truncated"] == "kept_bytes" and y.shape == x.shape
