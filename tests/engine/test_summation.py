"""Sums add in PyTorch's order: the same bits."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.kernels.summation import total

CASES = json.loads((Path(__file__).parent / "data" / "sums.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['dtype']}{c['shape']}over{c['axes']}")
def test_a_sum_has_the_bits_that_torch_gave(case: dict) -> None:
    size = int(np.prod(case["shape"]))
    values = np.random.RandomState(size).randn(size).astype(case["dtype"]).reshape(case["shape"])
    got = np.asarray(total(values, case["axes"])).astype(case["dtype"])
    assert got.tobytes().hex() == case["bytes"]


def test_a_transposed_array_is_summed_in_memory_order() -> None:
    values = np.random.RandomState(3).randn(37, 5).astype("f4")
    assert total(values.T) == total(values)
    assert np.array_equal(total(values.T, [1]), total(values, [0]))
