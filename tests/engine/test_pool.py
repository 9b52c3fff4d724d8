"""Pooling: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import Case, check_gradients, check_row, rows_of, tensor
from tests.engine.statements import answer, statements

IMAGE = np.sin(np.arange(1 * 2 * 4 * 4) * 1.3).reshape(1, 2, 4, 4)
VOLUME = np.sin(np.arange(1 * 1 * 2 * 4 * 4) * 1.3).reshape(1, 1, 2, 4, 4)
PLACES = tensor(np.array([[[[0, 3], [9, 14]], [[5, 6], [8, 15]]]]))
PLACES_3D = tensor(np.array([[[[[0, 3], [25, 14]]]]]))
G = np.cos(np.arange(8.0) + 0.3).reshape(1, 2, 2, 2)
G_3D = np.cos(np.arange(4.0) + 0.3).reshape(1, 1, 1, 2, 2)


def _rows(rank: int, x: Any, g: Any, places: Any) -> dict[str, Case]:
    pair, zeros, ones = (2,) * rank, (0,) * rank, (1,) * rank
    averages = (pair, pair, zeros, False, True, None)
    maxima = (pair, pair, zeros, ones, False)
    one = (1, 2, 2)[-rank:] if rank == 3 else pair
    return {
        f"max_pool{rank}d_with_indices": (lambda x: getattr(ops, f"max_pool{rank}d_with_indices")(x, *maxima)[0], x),
        f"max_pool{rank}d_with_indices_backward": (
            lambda g: getattr(ops, f"max_pool{rank}d_with_indices_backward")(g, tensor(x), *maxima, places),
            g,
        ),
        f"max_unpool{rank}d": (lambda g: getattr(ops, f"max_unpool{rank}d")(g, places, x.shape[2:]), g),
        f"avg_pool{rank}d": (lambda x: getattr(ops, f"avg_pool{rank}d")(x, *averages), x),
        f"avg_pool{rank}d_backward": (lambda g: getattr(ops, f"avg_pool{rank}d_backward")(g, tensor(x), *averages), g),
        f"_adaptive_avg_pool{rank}d": (lambda x: getattr(ops, f"_adaptive_avg_pool{rank}d")(x, (1, 3, 2)[-rank:]), x),
        f"_adaptive_avg_pool{rank}d_backward": (
            lambda g: getattr(ops, f"_adaptive_avg_pool{rank}d_backward")(g, tensor(x)),
            g,
        ),
        f"adaptive_max_pool{rank}d": (lambda x: getattr(ops, f"adaptive_max_pool{rank}d")(x, one)[0], x),
        f"adaptive_max_pool{rank}d_backward": (
            lambda g: getattr(ops, f"adaptive_max_pool{rank}d_backward")(g, tensor(x), places),
            g,
        ),
    }


ROWS = {**_rows(2, IMAGE, G, PLACES), **_rows(3, VOLUME, G_3D, PLACES_3D)}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("pool") == set(ROWS)


@pytest.mark.parametrize(
    "options", [{"stride": 1}, {"stride": 3}, {"padding": 1}, {"ceil_mode": True, "stride": 3}], ids=str
)
def test_options(options: dict[str, Any]) -> None:
    check_gradients(lambda x: F.max_pool2d(x, 2, **options), IMAGE)
    check_gradients(lambda x: F.avg_pool2d(x, 2, **options), IMAGE)
    check_gradients(lambda x: F.avg_pool2d(x, 2, count_include_pad=False, **options), IMAGE)


def test_dilated_windows() -> None:
    check_gradients(lambda x: F.max_pool2d(x, 2, stride=1, dilation=2, padding=1), IMAGE)


def test_power_averages() -> None:
    check_gradients(lambda x: F.lp_pool2d(x, 3.0, 2), abs(IMAGE) + 0.1)


def test_the_first_of_equals_wins_and_the_last_nan() -> None:
    x = torch.tensor([[[1.0, 3.0, 3.0, 2.0]]])
    assert F.max_pool1d(x, 4, return_indices=True)[1].item() == 1
    x[0, 0, 0] = x[0, 0, 2] = float("nan")
    assert F.max_pool1d(x, 4, return_indices=True)[1].item() == 2


def test_windows_of_nothing_but_minus_infinity_point_into_the_image() -> None:
    x = torch.full((1, 1, 3, 3), float("-inf"))
    values, places = F.max_pool2d(x, 2, padding=1, return_indices=True)
    assert (values == float("-inf")).all() and places.tolist() == [[[[0, 1], [3, 4]]]]


def test_a_window_of_more_than_256_places() -> None:
    x = torch.arange(20.0 * 20).reshape(1, 1, 20, 20)
    value, place = F.max_pool2d(x, 20, return_indices=True)
    assert value.item() == 399 and place.item() == 399


def test_unpooling_puts_values_where_they_came_from() -> None:
    x = tensor(IMAGE)
    values, places = F.max_pool2d(x, 2, return_indices=True)
    back = F.max_unpool2d(values, places, 2)
    assert torch.equal(F.max_pool2d(back.abs(), 2), values.abs()) and (back != 0).sum() == values.numel()


@pytest.mark.parametrize(("statement", "expected"), statements("pool"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected
