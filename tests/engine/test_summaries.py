"""What stands for the numbers of a large value: counts of equal parts of their range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.trace.values import _histogram

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


@pytest.mark.parametrize("kind", KINDS)
def test_a_histogram_counts_what_lies_between_its_edges(kind: str) -> None:
    for _ in range(40):
        numbers: Any = KINDS[kind](int(RANDOM.integers(257, 40_000)))
        counts, edges = _histogram(numbers, float(numbers.min()), float(numbers.max()))
        below = np.sort(numbers).searchsorted(edges)
        below[-1] = numbers.size
        assert len(counts) == 32 and counts.tolist() == np.diff(below).tolist()


@pytest.mark.parametrize("ends", [(5e-324, 1e-320), (-1e308, 1.7e308), (1e300, 1e300)])
def test_numbers_too_close_or_too_far_apart_are_one_part(ends: tuple[float, float]) -> None:
    counts, edges = _histogram(np.array(ends * 200), *ends)
    assert counts.tolist() == [400] and edges[0] <= ends[0] and ends[1] <= edges[1]
