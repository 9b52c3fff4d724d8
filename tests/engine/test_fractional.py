"""Fractional max pooling: windows as PyTorch places them, gradients, layers, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import Case, array, check_row, rows_of, tensor

IMAGE = np.cos(np.arange(70.0) ** 1.5).reshape(1, 2, 5, 7)
SPACE = np.cos(np.arange(120.0) ** 1.5).reshape(1, 1, 4, 5, 6)
SAMPLES = tensor(array([0.3, 0.6], [0.9, 0.1])[None])
SAMPLES_3D = tensor(array([0.3, 0.6, 0.8])[None])

ROWS: dict[str, Case] = {
    "fractional_max_pool2d": (
        lambda x: F.fractional_max_pool2d(x, 2, output_size=(2, 3), _random_samples=SAMPLES),
        IMAGE,
    ),
    "fractional_max_pool3d": (
        lambda x: F.fractional_max_pool3d(x, 2, output_size=(2, 2, 3), _random_samples=SAMPLES_3D),
        SPACE,
    ),
}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_known() -> None:
    names = {f"fractional_max_pool{rank}d" for rank in (2, 3)}
    assert rows_of("fractional") == names | {name + "_backward" for name in names}


def test_windows_lie_where_torch_puts_them() -> None:
    """Recorded from torch 2.13, with its random numbers."""
    torch.manual_seed(1)
    x = torch.arange(49.0).reshape(1, 1, 7, 7)
    values, indices = F.fractional_max_pool2d(x, 2, output_size=3, return_indices=True)
    assert indices.tolist() == values.long().tolist() == WINDOWS


WINDOWS = [[[[8, 11, 13], [29, 32, 34], [43, 46, 48]]]]


def test_layers() -> None:
    torch.manual_seed(0)
    layer = torch.nn.FractionalMaxPool2d(2, output_ratio=0.5)
    assert layer(torch.ones(2, 3, 8, 6)).shape == (2, 3, 4, 3)
    assert torch.nn.FractionalMaxPool3d((2, 1, 2), output_size=2)(torch.ones(1, 5, 5, 5)).shape == (1, 2, 2, 2)
    assert type(layer).__module__ == "torch.nn.modules.pooling" and layer.state_dict() == {}


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "no size": (
        lambda: F.fractional_max_pool2d(torch.ones(1, 1, 4, 4), 2),
        ValueError,
        "fractional_max_pool2d requires specifying either an output_size or an output_ratio",
    ),
    "window": (
        lambda: F.fractional_max_pool2d(torch.ones(1, 1, 7, 7), 8, output_size=3),
        RuntimeError,
        "fractional_max_pool2d(): pool height 8 too large relative to input height 7",
    ),
    "samples": (
        lambda: F.fractional_max_pool2d(tensor(IMAGE), 2, output_size=2, _random_samples=SAMPLES_3D),
        RuntimeError,
        "Expect _random_samples.size(1) equals to input channel size.",
    ),
    "ratio": (
        lambda: torch.nn.FractionalMaxPool2d(2, output_ratio=1.5),
        ValueError,
        "output_ratio must be between 0 and 1 (got 1.5)",
    ),
    "both": (
        lambda: torch.nn.FractionalMaxPool3d(2, output_size=1, output_ratio=0.5),
        ValueError,
        "only one of output_size and output_ratio may be specified",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    run, kind, text = REFUSED[name]
    with pytest.raises(kind) as caught:
        run()
    assert str(caught.value) == text
