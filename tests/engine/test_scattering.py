"""Adding to places that repeat, compared with adding one value after the other."""

from __future__ import annotations

import numpy as np
import pytest

from engine.kernels.scatter_add import add_along, add_rows

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("positions", [[0, 0, 1, 1, 2, 2], [2, 1, 0, 1, 2, 1], [3], [0, 2, 3], [1, 1, 1, 1], []])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_slices(positions: list[int], axis: int) -> None:
    shape = [4, 4, 4]
    places = np.array(positions, np.int64)
    shape[axis] = places.size
    values = RANDOM.normal(size=shape).astype(np.float32)
    total, expected = np.ones((4, 4, 4), np.float32), np.ones((4, 4, 4), np.float32)
    add_along(total, axis, places, values)
    for k, place in enumerate(positions):
        np.moveaxis(expected, axis, 0)[place] += np.moveaxis(values, axis, 0)[k]
    np.testing.assert_array_equal(total, expected)


def test_rows() -> None:
    rows, values = RANDOM.integers(0, 5, 40), RANDOM.normal(size=(40, 3)).astype(np.float32)
    total, expected = np.zeros((5, 3), np.float32), np.zeros((5, 3), np.float32)
    add_rows(total, rows, values)
    for row, value in zip(rows, values, strict=True):
        expected[row] += value
    np.testing.assert_array_equal(total, expected)
