"""Activations and their backward helpers: gradients of every row, in-place forms, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import SCALAR, A, B, Case, M, N, array, check_gradients, check_row, rows_of, tensor

G = array(0.8, -0.3, 1.1)
X = array(2.4, -0.7, 0.9)
NOISE = tensor(np.array([1.0, 0.2, 1.0]))

ROWS: dict[str, Case] = {
    "relu": (F.relu, A),
    "threshold": (lambda x: F.threshold(x, 0.4, 20), A),
    "threshold_backward": (lambda g, x: ops.threshold_backward(g, x, 0.4), G, A),
    "hardtanh": (lambda x: F.hardtanh(x, -0.5, 0.5), A),
    "hardtanh_backward": (lambda g, x: ops.hardtanh_backward(g, x, -0.5, 0.5), G, A),
    "leaky_relu": (F.leaky_relu, A),
    "leaky_relu_": (lambda x: F.leaky_relu_(x * 1, 0.2), A),
    "leaky_relu_backward": (lambda g, x: ops.leaky_relu_backward(g, x, 0.2, False), G, A),
    "_prelu_kernel": (ops._prelu_kernel, A, B),
    "_prelu_kernel_backward": (ops._prelu_kernel_backward, G, A, B),
    "rrelu_with_noise": (lambda x: ops.rrelu_with_noise(x, NOISE, 0.1, 0.3, True), A),
    "rrelu_with_noise_": (lambda x: F.rrelu_(x * 1), A),
    "rrelu_with_noise_backward": (lambda g, x: ops.rrelu_with_noise_backward(g, x, NOISE, 0.1, 0.3, True, False), G, A),
    "elu": (lambda x: F.elu(x, 1.3), A),
    "elu_": (lambda x: F.elu_(x * 1, 1.3), A),
    "elu_backward": (lambda g, x: ops.elu_backward(g, 1.3, 1.1, 0.7, False, x), G, A),
    "celu": (lambda x: F.celu(x, 1.3), A),
    "celu_": (lambda x: F.celu_(x * 1, 1.3), A),
    "gelu": (F.gelu, A),
    "gelu_backward": (ops.gelu_backward, G, A),
    "silu": (F.silu, A),
    "mish": (F.mish, A),
    "glu": (lambda x: F.glu(x, 0), M),
    "glu_backward": (lambda g, x: ops.glu_backward(g, x, 0), array(0.4, -0.2, 0.9)[None], M),
    "softplus": (lambda x: F.softplus(x, 2, 3), X),
    "softplus_backward": (lambda g, x: ops.softplus_backward(g, x, 2, 20), G, A),
    "log_sigmoid": (F.logsigmoid, A),
    "log_sigmoid_backward": (ops.log_sigmoid_backward, G, A),
    "hardswish": (F.hardswish, array(-4, -1.1, 2.2, 5)),
    "hardswish_backward": (ops.hardswish_backward, array(0.8, -0.3, 1.1, 0.4), array(-4, -1.1, 2.2, 5)),
    "hardshrink": (F.hardshrink, A),
    "hardshrink_backward": (lambda g, x: ops.hardshrink_backward(g, x, 0.5), G, A),
    "softshrink": (F.softshrink, A),
    "softshrink_backward": (lambda g, x: ops.softshrink_backward(g, x, 0.5), G, A),
    "softmax": (lambda x: torch.softmax(x, 1), M),
    "_softmax_backward_data": (lambda g, y: ops._softmax_backward_data(g, y, 1), N, M),
    "log_softmax": (lambda x: torch.log_softmax(x, 1), M),
    "_log_softmax_backward_data": (lambda g, y: ops._log_softmax_backward_data(g, y, 1), N, M),
}
FIRST_ORDER = {"hardsigmoid"}
WITHOUT_GRADIENT = {"hardsigmoid_backward"}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_hardsigmoid_has_a_first_derivative_only() -> None:
    check_row("hardsigmoid", (F.hardsigmoid, array(-4, -1.1, 2.2, 5)), order=1)
    x = torch.tensor([0.5], requires_grad=True)
    (g,) = torch.autograd.grad(F.hardsigmoid(x), x, torch.ones(1, requires_grad=True), create_graph=True)
    with pytest.raises(RuntimeError, match="derivative for aten::hardsigmoid_backward is not implemented"):
        g.backward()


def test_every_row_is_checked() -> None:
    assert rows_of("activation") | rows_of("softmax") == set(ROWS) | FIRST_ORDER | WITHOUT_GRADIENT


@pytest.mark.parametrize(
    "f",
    [
        lambda x: F.gelu(x, approximate="tanh"),
        F.selu,
        F.relu6,
        F.softsign,
        F.tanhshrink,
        lambda x: F.softmin(x, dim=0),
        lambda x: torch.softmax(x, 0),
        F.sigmoid,
        F.tanh,
    ],
)
def test_composites_have_gradients(f: Any) -> None:
    check_gradients(f, A)


def test_prelu_with_one_weight_and_one_per_channel() -> None:
    check_gradients(F.prelu, M, array(0.2, 0.3, -0.4))
    check_gradients(F.prelu, M, array(0.2))
    check_gradients(F.prelu, SCALAR, array(0.2))


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (F.relu, 0.0),
        (lambda x: F.leaky_relu(x), 0.01),
        (lambda x: F.hardtanh(x, 0, 1), 0.0),
        (F.relu6, 0.0),
        (F.elu, 1.0),
        (F.gelu, 0.5),
        (F.silu, 0.5),
        (F.hardswish, 0.5),
        (F.softplus, 0.5),
        (lambda x: F.threshold(x, 0, 0), 0.0),
    ],
)
def test_slopes_at_zero(f: Any, expected: float) -> None:
    x = torch.tensor(0.0, requires_grad=True)
    f(x).backward()
    assert x.grad.item() == pytest.approx(expected)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("f", "node"),
    [
        (lambda x: F.relu(x, inplace=True), "ReluBackward0"),
        (F.elu_, "EluBackward1"),
        (F.celu_, "CeluBackward1"),
        (F.leaky_relu_, "LeakyReluBackward1"),
        (lambda x: F.threshold_(x, 0.1, 1), "ThresholdBackward1"),
        (F.hardtanh_, "HardtanhBackward0"),
        (lambda x: F.silu(x, inplace=True), "SiluBackward0"),
        (F.selu_, "EluBackward1"),
        (lambda x: F.mish(x, inplace=True), "MishBackward0"),
        (F.rrelu_, "RreluWithNoiseBackward1"),
    ],
)
def test_in_place_forms(f: Any, node: str) -> None:
    x = torch.tensor([0.5, -0.5], requires_grad=True)
    y = x * 1
    z = f(y)
    assert z is y and type(z.grad_fn).__name__ == node and y._version == 1
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        f(x)


def test_softmax_without_a_dimension_warns_and_guesses() -> None:
    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax has been deprecated"):
        assert F.softmax(torch.zeros(2, 4)).tolist()[0] == [0.25] * 4


def test_softmax_of_extreme_scores() -> None:
    assert torch.softmax(torch.tensor([1000.0, 0.0]), 0).tolist() == [1, 0]
    assert torch.log_softmax(torch.tensor([1000.0, 0.0]), 0).tolist() == [0, -1000]
    assert torch.softmax(torch.tensor(3.0), 0).item() == 1


def test_drawn_slopes_of_rrelu_are_those_of_the_generator() -> None:
    torch.manual_seed(0)
    y = F.rrelu(torch.tensor([-1.0, 2.0, -1.0]), training=True)
    assert y[1].item() == 2 and -1 / 3 <= y[0].item() <= -1 / 8


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("F.gelu(x, approximate='foo')", RuntimeError, "approximate argument must be either none or tanh."),
        ("F.softmax(i, 0)", NotImplementedError, "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'"),
        ("F.softmax(x, 1)", IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
        ("F.glu(x[:1], 0)", RuntimeError, "Halving dimension must be even, but dimension 0 is size 1"),
        ("F.hardtanh(x, 1, -1)", ValueError, "min_val cannot be greater than max_val"),
        ("F.celu(x, 0)", RuntimeError, "ZeroDivisionError: alpha cannot be 0 for CELU"),
        ("F.silu(i)", NotImplementedError, "\"silu_cpu\" not implemented for 'Long'"),
        ("F.relu(i > 1)", RuntimeError, "Boolean inputs not supported for relu"),
        (
            "F.prelu(torch.ones(2, 3), torch.ones(2))",
            RuntimeError,
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = 2 and channel size = 3.",
        ),
    ],
)
def test_refusals(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        eval(text, {"F": F, "torch": torch, "x": torch.tensor([1.0, 2.0]), "i": torch.tensor([1, 2])})
    assert str(caught.value) == message
