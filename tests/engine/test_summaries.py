"""How numbers are written, and what stands for those of a large value: counts of equal parts of their range."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import engine
from engine.trace.digits import one_by_one, shortest
from engine.trace.values import _histogram, _summary

RANDOM = np.random.default_rng(0)
KINDS = {
    "normal": lambda n: RANDOM.normal(size=n),
    "few values": lambda n: RANDOM.integers(0, 9, n) * 1.0,
    "on the edges": lambda n: RANDOM.integers(0, 33, n) / 32,
    "far from zero": lambda n: 1e6 + RANDOM.random(n) * 1e-3,
    "whole and large": lambda n: 1e15 + RANDOM.integers(0, 100, n) * 1.0,
    "a ramp": lambda n: np.linspace(RANDOM.normal(), 5 + RANDOM.random(), n),
    "tiny": lambda n: RANDOM.normal(size=n) * 1e-200,
    "huge": lambda n: RANDOM.normal(size=n) * 1e200,
    "all the same": lambda n: np.full(n, RANDOM.normal()),
}


DOUBLE = [(kind, np.float64) for kind in KINDS]
SINGLE = [(kind, np.float32) for kind in KINDS if kind not in ("whole and large", "tiny", "huge")]


@pytest.mark.parametrize(("kind", "width"), DOUBLE + SINGLE)
def test_a_histogram_counts_what_lies_between_its_edges(kind: str, width: Any) -> None:
    for _ in range(40):
        numbers: Any = KINDS[kind](int(RANDOM.integers(257, 40_000))).astype(width)
        counts, edges = _histogram(numbers, float(numbers.min()), float(numbers.max()))
        below = np.sort(numbers).searchsorted(edges)
        below[-1] = numbers.size
        assert len(counts) == 32 and counts.tolist() == np.diff(below).tolist()


def test_a_summary_of_many_bytes_makes_no_copy_of_doubles() -> None:
    numbers = RANDOM.integers(0, 256, 8_000_000).astype(np.uint8)
    tracemalloc.start()
    try:
        found = _summary(numbers)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2 * numbers.nbytes
    assert found["histogram"]["counts"] == np.histogram(numbers, 32)[0].tolist()


@pytest.mark.parametrize("size", [1e-30, 1e-8, 1e-3, 1.0, 1e6])
def test_a_thumbnail_of_small_numbers_has_numbers(size: float) -> None:
    code = f"import torch\nx = {size} * torch.linspace(-1, 1, 4096)"
    document = engine.run(code=code, seed=0).document
    x = document["values"][next(t["value"] for t in document["tensors"] if t["name"] == "x")]
    blocks = (size * np.linspace(-1, 1, 4096)).reshape(16, -1).mean(axis=1)
    assert np.allclose(x["thumbnail"]["data"], blocks, rtol=1e-4, atol=0)


@pytest.mark.parametrize("ends", [(5e-324, 1e-320), (-1e308, 1.7e308), (1e300, 1e300)])
def test_numbers_too_close_or_too_far_apart_are_one_part(ends: tuple[float, float]) -> None:
    counts, edges = _histogram(np.array(ends * 200), *ends)
    assert counts.tolist() == [400] and edges[0] <= ends[0] and ends[1] <= edges[1]


def _near(numbers: Any) -> Any:
    """float32 numbers with the sixty before and after each of them."""
    bits = np.asarray(numbers, np.float32).view(np.int32)
    return (bits[:, None] + np.arange(-60, 61, dtype=np.int32)).reshape(-1).view(np.float32)


WRITTEN = {
    "all there are": RANDOM.integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32),
    "normal": RANDOM.normal(size=100_000).astype(np.float32),
    "short": RANDOM.normal(size=20_000).round(3).astype(np.float32),
    "whole": RANDOM.integers(-(1 << 26), 1 << 26, 20_000).astype(np.float32),
    "between two decimals": (RANDOM.integers(0, 1 << 22, 20_000) / 2.0 ** RANDOM.integers(0, 12, 20_000)).astype("f"),
    "powers of two": _near(2.0 ** np.arange(-140, 127)),
    "powers of ten": _near(10.0 ** np.arange(-38, 39)),
    "special": np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.4028235e38] * 8, np.float32),
    "half": RANDOM.normal(size=500).astype(np.float16),
    "few": np.array([0.1, 1 / 3], np.float32),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_many_numbers_are_written_as_numpy_writes_each(kind: str) -> None:
    numbers = WRITTEN[kind]
    written, expected = np.array(shortest(numbers)), np.array(one_by_one(numbers))
    assert (written.view(np.uint64) == expected.view(np.uint64))[~np.isnan(expected)].all()
    assert (np.isnan(written) == np.isnan(expected)).all()
