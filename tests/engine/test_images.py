"""Resizing and sampling: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import Case, check_gradients, check_row, rows_of, tensor
from tests.engine.statements import answer, statements

IMAGE = np.sin(np.arange(1 * 2 * 3 * 4) * 1.3).reshape(1, 2, 3, 4)
VOLUME = np.sin(np.arange(1 * 1 * 2 * 3 * 2) * 1.3).reshape(1, 1, 2, 3, 2)
GRID = np.array([[[[-0.61, 0.4], [0.17, -0.23]], [[0.77, 0.9], [-1.3, 0.35]]]])
GRID_3D = np.array([[[[[-0.61, 0.4, 0.13], [0.17, -0.23, -0.4], [1.2, 0.35, 0.61]]]]])
MAP = np.array([[[0.8, 0.3, -0.2], [-0.1, 1.1, 0.4]]])
SIZES = {1: (5,), 2: (5, 3), 3: (3, 2, 4)}


def _resizing() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for name in sorted(rows_of("resample")):
        if name.endswith("_backward"):
            continue
        rank = int(name.replace("d_aa", "d")[-2])
        x = {1: IMAGE[:, :, 0], 2: IMAGE, 3: VOLUME}[rank]
        options: tuple[Any, ...] = () if "nearest" in name else (False,)
        size = SIZES[rank]
        cases[name] = (lambda x, name=name, size=size, options=options: getattr(ops, name)(x, size, *options), x)
        g = np.cos(np.arange(x.shape[0] * x.shape[1] * np.prod(size))).reshape(*x.shape[:2], *size)
        cases[f"{name}_backward"] = (
            lambda g, name=name, size=size, shape=x.shape, options=options: getattr(ops, f"{name}_backward")(
                g, size, shape, *options
            ),
            g,
        )
    return cases


RESAMPLE = _resizing()
SAMPLED: dict[str, Case] = {
    "grid_sampler_2d": (lambda x, g: ops.grid_sampler_2d(x, g, 2, 0, False), IMAGE, GRID),
    "grid_sampler_3d": (lambda x, g: ops.grid_sampler_3d(x, g, 0, 0, False), VOLUME, GRID_3D),
    "affine_grid_generator": (lambda t: F.affine_grid(t, (1, 2, 3, 2), align_corners=False), MAP),
}
BACKWARD: dict[str, Case] = {
    "grid_sampler_2d_backward": (
        lambda g, x, grid: ops.grid_sampler_2d_backward(g, x, grid, 0, 0, False, (True, True)),
        np.cos(np.arange(8.0)).reshape(1, 2, 2, 2),
        IMAGE,
        GRID,
    ),
    "grid_sampler_3d_backward": (
        lambda g, x, grid: ops.grid_sampler_3d_backward(g, x, grid, 0, 0, False, (True, True)),
        np.cos(np.arange(3.0)).reshape(1, 1, 1, 1, 3),
        VOLUME,
        GRID_3D,
    ),
}
WITHOUT_GRADIENT = {"_grid_sampler_double_backward"}


@pytest.mark.parametrize("identifier", [*RESAMPLE, *SAMPLED])
def test_gradients(identifier: str) -> None:
    check_row(identifier, RESAMPLE.get(identifier) or SAMPLED[identifier])


@pytest.mark.parametrize("identifier", BACKWARD)
def test_gradients_of_gradients_of_samples(identifier: str) -> None:
    check_row(identifier, BACKWARD[identifier], order=1)


def test_every_row_is_checked() -> None:
    assert rows_of("resample") == set(RESAMPLE)
    assert rows_of("grid") == set(SAMPLED) | set(BACKWARD) | WITHOUT_GRADIENT


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_sampling(mode: str, padding: str, corners: bool) -> None:
    check_gradients(lambda x, g: F.grid_sample(x, g, mode, padding, corners), IMAGE, GRID)


@pytest.mark.parametrize("options", [{"scale_factor": 1.7}, {"size": (2, 7)}, {"scale_factor": (0.6, 2.0)}], ids=str)
@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "bilinear", "bicubic", "area"])
def test_interpolation(mode: str, options: dict[str, Any]) -> None:
    check_gradients(lambda x: F.interpolate(x, mode=mode, **options), IMAGE)
    if mode in ("bilinear", "bicubic"):
        check_gradients(lambda x: F.interpolate(x, mode=mode, align_corners=True, **options), IMAGE)
        check_gradients(lambda x: F.interpolate(x, mode=mode, antialias=True, **options), IMAGE)


def test_the_identity_map_samples_the_image() -> None:
    x = tensor(IMAGE)
    grid = F.affine_grid(tensor(np.eye(2, 3)[None]), IMAGE.shape, align_corners=True)
    assert torch.allclose(F.grid_sample(x, grid, align_corners=True), x)


@pytest.mark.parametrize(("statement", "expected"), statements("images"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected
