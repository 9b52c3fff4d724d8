"""Fake quantization: values and gradients straight through, as recorded from PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import engine.torch as torch
from tests.engine.gradients import rows_of

INF = float("inf")
PROGRAMS = {
    "fake_quantize_per_tensor_affine_cachemask",
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams",
    "fake_quantize_per_channel_affine_cachemask",
}


def test_every_row_is_in_a_program() -> None:
    assert rows_of("fake_quantize") == PROGRAMS  # tests/snippets/functions/fake_quantize.py


def test_what_no_whole_number_holds() -> None:
    """One scale clamps it as a float, scales of channels as the integer that C makes of it."""
    x = torch.tensor([float("nan"), INF, -INF, 1e30, 0.05], requires_grad=True)
    y = torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 15)
    torch.testing.assert_close(y, torch.tensor([-0.3, 1.2, -0.3, 1.2, 0.0]))
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0, 0, 0, 0, 1]
    z = torch.fake_quantize_per_channel_affine(x[:4, None], torch.full((1,), 0.1), torch.zeros(1).int(), 1, -8, 7)
    torch.testing.assert_close(z, torch.full((4, 1), -0.8))


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "ends": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 0, 8, 7), RuntimeError,
             "`quant_min` should be less than or         equal to `quant_max`."),
    "zero": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z + 9, 0, -8, 7), RuntimeError,
             "`zero_point` must be between `quant_min` and `quant_max`."),
    "scale": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s.double(), z, 0, -8, 7), RuntimeError,
              "Scale must be Float or BFloat16, found Double"),
    "axis": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, -2, -8, 7), RuntimeError,
             "`axis` must be between 0 and number of dimensions of input"),
    "channels": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z, 1, -8, 7), RuntimeError,
                 "dimensions of scale and zero-point are not consistent with input tensor"),
    "vector": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s[None], z, 0, -8, 7), RuntimeError,
               "scale should be a 1-D tensor"),
    "lengths": (lambda x, s, z: torch.fake_quantize_per_channel_affine(x, s, z[:1], 0, -8, 7), RuntimeError,
                "scale and zero-point need to have the same dimensions"),
    "learned": (lambda x, s, z: torch.fake_quantize_per_tensor_affine(x, s[0].requires_grad_(), z[0], -8, 7),
                RuntimeError, "not differentiable with respect to argument 'scale'"),
    "whole": (lambda x, s, z: torch.fake_quantize_per_tensor_affine(z, 0.1, 3, 0, 15), NotImplementedError,
              "\"fake_quantize_tensor_cachemask_kernel_type_handling\" not implemented for 'Int'"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    function, error, text = REFUSED[name]
    with pytest.raises(error) as caught:
        function(torch.ones(2, 3), torch.tensor([0.1, 0.2]), torch.zeros(2).int())
    assert text in str(caught.value)
