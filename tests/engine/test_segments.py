"""Reductions of segments, and decompositions of low rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import OPS
from tests.engine.gradients import array, check_gradients, check_row, rows_of, tensor

DATA = array(0.4, -1.2, 0.7, 0.3, -0.8, 1.1)
ROWS = np.stack([DATA, DATA[::-1]])
LENGTHS = tensor(np.array([2, 1, 0, 3]))
BOUNDS = tensor(np.array([[0, 2, 6], [0, 0, 6]]))
REDUCTIONS = ["sum", "mean", "prod"]


@pytest.mark.parametrize("reduce", REDUCTIONS)
def test_gradients(reduce: str) -> None:
    check_row("segment_reduce", (lambda x: torch.segment_reduce(x, reduce, lengths=LENGTHS, initial=0.5), DATA), 1)
    check_gradients(lambda x: torch.segment_reduce(x, reduce, offsets=BOUNDS, axis=1, initial=1.0), ROWS, order=1)


@pytest.mark.parametrize("reduce", ["max", "min"])
def test_gradients_of_extremes(reduce: str) -> None:
    """Alone in its segment or not, the extreme element gets the gradient."""
    check_gradients(lambda x: torch.segment_reduce(x, reduce, lengths=LENGTHS, initial=0.0), DATA, order=1)


def test_every_row_is_checked() -> None:
    assert rows_of("segments") == {"segment_reduce", "_segment_reduce_backward"}
    assert OPS["_segment_reduce_backward"].node_name == "NotImplemented"


def test_empty_segments() -> None:
    found = {r: torch.segment_reduce(tensor(DATA), r, lengths=LENGTHS)[2].item() for r in (*REDUCTIONS, "max", "min")}
    assert math.isnan(found.pop("mean"))
    assert found == {"sum": 0, "prod": 1, "max": -math.inf, "min": math.inf}


def test_equal_elements_share_a_positive_gradient_only() -> None:
    """Recorded from torch 2.13."""
    x = tensor(array(1, 1, 1, 1), requires_grad=True)
    out = torch.segment_reduce(x, "max", lengths=tensor(np.array([2, 2])))
    out.backward(tensor(array(3, -3)))
    assert x.grad is not None and x.grad.tolist() == [1.5, 1.5, -3.0, -3.0]


REFUSED: dict[str, tuple[Any, str]] = {
    "no segments": (
        lambda: torch.segment_reduce(tensor(DATA), "sum"),
        "segment_reduce(): Either lengths or offsets must be defined.",
    ),
    "too few": (
        lambda: torch.segment_reduce(tensor(DATA), "sum", lengths=tensor(np.array([2, 1]))),
        "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.",
    ),
    "name": (
        lambda: torch.segment_reduce(tensor(DATA), "x", lengths=LENGTHS),
        "reduce argument must be either sum, prod, mean, amax or amin, got x",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    run, text = REFUSED[name]
    with pytest.raises(RuntimeError) as caught:
        run()
    assert str(caught.value) == text


def test_a_matrix_of_low_rank_is_found_again() -> None:
    rng = np.random.default_rng(3)
    a = rng.standard_normal((7, 2)) @ rng.standard_normal((2, 5))
    torch.manual_seed(0)
    u, s, v = torch.svd_lowrank(tensor(a), q=3)
    np.testing.assert_allclose((u * s @ v.mT)._array, a, atol=1e-10)
    components = torch.pca_lowrank(tensor(a), q=2)[2]
    centred = a - a.mean(0)
    np.testing.assert_allclose(centred @ (components @ components.mT)._array, centred, atol=1e-10)


def test_low_rank_has_gradients() -> None:
    def spectrum(a: Any) -> Any:
        torch.manual_seed(0)
        return torch.svd_lowrank(a, q=2)[1]

    check_gradients(spectrum, np.random.default_rng(4).standard_normal((4, 3)), order=1)
