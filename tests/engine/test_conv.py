"""Convolutions, patches and shuffles: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.kernels.conv import _patches, _patches_by_rows, output_size
from engine.limits import LimitExceeded, Limits, metered
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import A, Case, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements

IMAGE = np.linspace(-1, 1, 2 * 2 * 4 * 3).reshape(2, 2, 4, 3) ** 3
KERNEL = np.cos(np.arange(3 * 2 * 2 * 2)).reshape(3, 2, 2, 2)
COLUMNS = np.sin(np.arange(1 * 8 * 6)).reshape(1, 8, 6)
CHANNELS = np.sin(np.arange(4 * 2 * 2)).reshape(1, 4, 2, 2)
G = np.cos(np.arange(2 * 3 * 3 * 2) + 0.4).reshape(2, 3, 3, 2)

CONV: dict[str, Case] = {
    "convolution": (F.conv2d, IMAGE, KERNEL, A),
    "convolution_backward": (
        lambda g, x, w: ops.convolution_backward(
            g, x, w, (3,), (1, 1), (0, 0), (1, 1), False, (0, 0), 1, (True, True, True)
        ),
        G,
        IMAGE,
        KERNEL,
    ),
}
PATCHES: dict[str, Case] = {
    "im2col": (lambda x: F.unfold(x, 2, dilation=(2, 1), padding=1, stride=(1, 2)), IMAGE),
    "col2im": (lambda x: F.fold(x, (4, 3), 2), COLUMNS),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2), CHANNELS),
    "pixel_unshuffle": (lambda x: F.pixel_unshuffle(x, 2), CHANNELS),
    "channel_shuffle": (lambda x: F.channel_shuffle(x, 2), CHANNELS),
}
WITHOUT_GRADIENT = {"native_channel_shuffle"}


@pytest.mark.parametrize("identifier", [*CONV, *PATCHES])
def test_gradients(identifier: str) -> None:
    check_row(identifier, CONV.get(identifier) or PATCHES[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("conv") == set(CONV)
    assert rows_of("patches") == set(PATCHES) | WITHOUT_GRADIENT


@pytest.mark.parametrize(
    "options",
    [{"stride": 2}, {"padding": (1, 2)}, {"dilation": (2, 1)}, {"padding": "same"}, {"padding": "valid"}],
    ids=str,
)
def test_options(options: dict[str, Any]) -> None:
    check_gradients(lambda x, w: F.conv2d(x, w, None, **options), IMAGE, KERNEL)


def test_a_kernel_for_every_channel() -> None:
    options = {"groups": 2, "padding": 1, "stride": (2, 1), "dilation": (1, 2)}
    check_gradients(lambda x, w: F.conv2d(x, w, **options), IMAGE, KERNEL[:2, :1])
    check_gradients(lambda x, w: F.conv_transpose2d(x, w, groups=2, stride=2), IMAGE, KERNEL[:2, :1])


def test_groups() -> None:
    pairs = np.concatenate([IMAGE, IMAGE[::-1]], 1)
    check_gradients(lambda x, w: F.conv2d(x, w, groups=2, padding=1), pairs, KERNEL[:2])
    check_gradients(lambda x, w: F.conv_transpose2d(x, w, groups=2, stride=2), IMAGE, KERNEL[:2])


@pytest.mark.parametrize(
    "options", [{}, {"stride": 2}, {"stride": 2, "output_padding": 1, "padding": 1}, {"dilation": 2}], ids=str
)
def test_transposed(options: dict[str, Any]) -> None:
    check_gradients(lambda x, w: F.conv_transpose2d(x, w, None, **options), IMAGE, KERNEL.transpose(1, 0, 2, 3).copy())


def test_one_and_three_dimensions() -> None:
    check_gradients(lambda x, w: F.conv1d(x, w, stride=2), IMAGE[:, :, :, 0], KERNEL[..., 0])
    check_gradients(F.conv3d, IMAGE[:1, :, None].repeat(2, 2), KERNEL[:, :, None])


def test_transposed_convolution_is_the_adjoint() -> None:
    x, w, y = torch.randn(1, 2, 6, 5), torch.randn(3, 2, 3, 2), torch.randn(1, 3, 2, 4)
    forward = (F.conv2d(x, w, stride=(2, 1)) * y).sum()
    backward = (F.conv_transpose2d(y, w, stride=(2, 1), output_padding=(1, 0)) * x).sum()
    assert torch.allclose(forward, backward, rtol=1e-4)


def test_fold_undoes_unfold_but_counts_copies() -> None:
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    copies = F.fold(F.unfold(torch.ones_like(x), 2), (4, 4), 2)
    assert torch.equal(F.fold(F.unfold(x, 2), (4, 4), 2), x * copies)


@pytest.mark.parametrize(("statement", "expected"), statements("conv"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected


@pytest.mark.parametrize("window", [(3, 2), (5, 3), (2, 3, 1)])
@pytest.mark.parametrize("dilation", [1, 2])
def test_patches_copied_by_rows_are_the_same(window: tuple[int, ...], dilation: int) -> None:
    rank = len(window)
    dilations, strides = (dilation,) * rank, (2,) * (rank - 2) + (1, 2)
    images = np.arange(2 * 3 * 11**rank, dtype=np.float32).reshape(2, 3, *(11,) * rank)
    for x in (images, images.swapaxes(-1, -2), images.swapaxes(0, 1)):
        size = output_size(x.shape[2:], window, strides, (0,) * rank, dilations)
        rows = _patches_by_rows(x, window, size, strides, dilations)
        np.testing.assert_array_equal(rows, _patches(x, window, size, strides, dilations))


def test_patches_are_held_to_the_size_limit() -> None:
    with metered(Limits(tensor_elements=10_000)), pytest.raises(LimitExceeded, match="too large"):
        F.unfold(torch.ones(1, 1, 60, 60), 7)
